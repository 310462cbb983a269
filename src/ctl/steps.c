/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/steps.h"

#include "ctl/output.h"
#include "ctl/progress.h"
#include "ctl/step_runner.h"

#include <stdio.h>
#include <stdlib.h>

struct steps {
  struct change *change;
  struct runner *runners;
  size_t n;
  int64_t timeout_ns;
  int64_t deadline_ns; /* 0: not begun */
  bool is_stop_told;
};

static enum status init_runner(struct steps *steps, size_t i,
                               const struct step_table *table, void *state,
                               struct error *error) {
  const struct node_settings *settings = change_settings(steps->change, i);
  struct runner *runner = &steps->runners[i];
  runner->node = steps->change->nodes[i];
  runner->settings = settings;
  runner->table = table;
  runner->state = state;
  runner->reader = identity_reader_new(settings->jmx_domain);
  return runner->reader
             ? STATUS_OK
             : error_set(error, STATUS_NO_MEMORY, "no memory for the steps");
}

enum status steps_new(struct change *change, const struct step_table *table,
                      void *states, size_t size, int64_t timeout_ns,
                      struct steps **ret, struct error *error) {
  size_t n = change->subject->selected.n_nodes;
  struct steps *steps = calloc(1, sizeof(*steps));
  struct runner *runners = calloc(n, sizeof(*runners));
  if (!steps || !runners) {
    free(steps);
    free(runners);
    return error_set(error, STATUS_NO_MEMORY, "no memory for the steps");
  }
  *steps = (struct steps){
      .change = change, .runners = runners, .n = n, .timeout_ns = timeout_ns};
  enum status status = STATUS_OK;
  for (size_t i = 0; !status && i < n; i++)
    status = init_runner(steps, i, table, (char *)states + i * size, error);
  if (status) {
    steps_free(steps);
    return status;
  }
  *ret = steps;
  return STATUS_OK;
}

void steps_free(struct steps *steps) {
  if (!steps)
    return;
  for (size_t i = 0; i < steps->n; i++)
    identity_reader_free(steps->runners[i].reader);
  free(steps->runners);
  free(steps);
}

static void tell_stop(struct steps *steps) {
  if (!steps->is_stop_told)
    fputs("jolokiactl: interrupted: what was changed is undone; once more, and "
          "it is left\n",
          stderr);
  steps->is_stop_told = true;
}

static void look_for_stop(struct steps *steps, int64_t now_ns,
                          struct runner_stop *ret) {
  *ret = (struct runner_stop){.deadline_ns = steps->deadline_ns};
  if (session_is_stopped()) {
    tell_stop(steps);
    error_set(&ret->why, STATUS_CANCELLED, "interrupted");
  } else if (now_ns >= steps->deadline_ns) {
    error_set(&ret->why, STATUS_TIMEOUT,
              "it was not done when --timeout was over");
  }
}

/* When the first of them wants to go on; INT64_MIN: they are all done. */
static int64_t advance(struct steps *steps, size_t end, int64_t now_ns) {
  struct runner_stop stop;
  int64_t next_ns = INT64_MIN;
  look_for_stop(steps, now_ns, &stop);
  for (size_t i = 0; i < steps->n; i++) {
    int64_t at_ns = runner_advance(&steps->runners[i], end, &stop, now_ns);
    if (at_ns != INT64_MIN && (next_ns == INT64_MIN || at_ns < next_ns))
      next_ns = at_ns;
  }
  return next_ns;
}

void steps_run(struct steps *steps, size_t end) {
  int64_t now_ns = clock_mono_ns();
  int64_t next_ns;
  if (steps->deadline_ns == 0)
    steps->deadline_ns =
        steps->timeout_ns ? now_ns + steps->timeout_ns : CLOCK_NEVER;
  while ((next_ns = advance(steps, end, now_ns)) != INT64_MIN) {
    int64_t until_ns = now_ns + PROGRESS_STEP_NS;
    client_turn(steps->change->client, next_ns < until_ns ? next_ns : until_ns);
    now_ns = clock_mono_ns();
  }
}

const struct step_outcome *steps_outcome(const struct steps *steps,
                                         size_t node) {
  return &steps->runners[node].outcome;
}

void steps_times_json(const struct steps *steps, size_t node, struct buf *out) {
  const struct step_outcome *outcome = steps_outcome(steps, node);
  member_int(out, "requests", (int64_t)outcome->n_requests);
  member_times(out, "took_ms", outcome->took_ns, outcome->n_times);
}

enum exit_code steps_code(const struct steps *steps, size_t node) {
  const struct step_outcome *outcome = steps_outcome(steps, node);
  if (outcome->is_unknown)
    return EXIT_CODE_UNKNOWN;
  if (outcome->error.kind == STATUS_CANCELLED)
    return EXIT_CODE_INTERRUPTED;
  return exit_code_of(outcome->error.kind);
}
