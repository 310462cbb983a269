/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_STEPS_H
#define CTL_STEPS_H

/* Runs a table of steps (artemis/step.h) on every node of a change, side by
 * side: each request is a job of its own, a node's next one follows its reply,
 * and one node's failure does not stop the others.
 *
 * The first request, which reads, also asks who answers; every later one that
 * reads also asks whether the broker is active, and where that was more than
 * STEPS_ACTIVE_NS ago, it is asked before a change. On a broker that is not,
 * nothing is changed.
 *
 * A change that was sent and not answered has an unknown outcome: the table's
 * inspection then tells whether it was done. After a failure, and after the
 * first Ctrl-C, what was changed is undone in reverse, for STEPS_UNDO_NS at
 * most; a second Ctrl-C ends the program. */

#include "artemis/step.h"
#include "base/buf.h"
#include "base/clock.h"
#include "ctl/change.h"
#include "ctl/exit_code.h"

#define STEPS_ACTIVE_NS (1 * CLOCK_NS_PER_S)
/* The permit timeout of roll-backs, and theirs as a whole. */
#define STEPS_UNDO_NS (120 * CLOCK_NS_PER_S)
/* How long until an undoing that could not be sent, or that was not answered,
 * is sent again. */
#define STEPS_AGAIN_NS (1 * CLOCK_NS_PER_S)

/* Of how many requests of a node it is kept what they took. */
#define STEPS_TIMES_MAX 32

struct steps;

struct step_outcome {
  struct error error; /* kind STATUS_OK: well so far */
  const char *step;   /* at which it failed; NULL */
  bool is_unknown;    /* whether a change was done, and it was not undone */
  unsigned n_changed; /* changes that are in force */
  unsigned n_undone;
  struct error undo_error; /* why changes are left that should not be; kind
                              STATUS_OK: none are */
  uint64_t n_requests;     /* that were sent: looking and undoing, too */
  /* From the permit to the whole reply, connecting included. A read that was
   * sent once more is one of them. */
  int64_t took_ns[STEPS_TIMES_MAX];
  size_t n_times;
};

/* steps_new(change, table, states, size, timeout_ns, ret): ${states} are as
 * many as the change has nodes, of ${size} bytes each; all must stay.
 * ${timeout_ns}: from the first steps_run() on no step begins when it is over;
 * 0: none. STATUS_NO_MEMORY. */
enum status steps_new(struct change *change, const struct step_table *table,
                      void *states, size_t size, int64_t timeout_ns,
                      struct steps **ret, struct error *error);
void steps_free(struct steps *steps); /* NULL is fine */

/* steps_run(steps, end): runs the steps before ${end} of every node that has
 * not failed. May be called again, to run the others. */
void steps_run(struct steps *steps, size_t end);

const struct step_outcome *steps_outcome(const struct steps *steps,
                                         size_t node);

/* steps_times_json(steps, node, out): the members "requests" and "took_ms". */
void steps_times_json(const struct steps *steps, size_t node, struct buf *out);

/* steps_code(steps, node): the node's exit code. */
enum exit_code steps_code(const struct steps *steps, size_t node);

#endif
