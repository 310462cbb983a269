/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_STEP_RUNNER_H
#define CTL_STEP_RUNNER_H

/* One node's way through a table of steps. Private to steps.c. */

#include "ctl/steps.h"

enum doing {
  DOING_STEP,        /* runner->at */
  DOING_ACTIVE,      /* before a change: is the broker active? */
  DOING_INSPECT,     /* after a change of unknown outcome */
  DOING_UNDO_ACTIVE, /* before the first undoing */
  DOING_UNDO
};

/* What the client is told with each request in front of the step's items. */
enum prefix { PREFIX_NONE, PREFIX_ACTIVE, PREFIX_IDENTITY };

struct runner {
  struct node *node;
  const struct node_settings *settings;
  const struct step_table *table;
  void *state;
  struct identity_reader *reader;
  struct identity identity;
  enum doing doing;
  size_t at;
  bool is_made[STEPS_MAX]; /* changed, or perhaps */
  bool is_over;            /* failed, and undone as far as can be */
  int64_t active_ns;       /* when Active=true was read; 0: never */
  int64_t undo_until_ns, again_ns;
  struct error unknown; /* how the change of unknown outcome ended */
  size_t unknown_at;
  struct step_outcome outcome;

  /* the request */
  struct job *job;
  int64_t before_ns; /* the node's requests before it took that long */
  bool is_read;      /* and may be cancelled */
  bool has_answer;   /* it ended, and was not looked at yet */
  enum prefix prefix;
  const struct step *step; /* whose rows come */
  struct step_request request;
  struct operation operations[IDENTITY_ITEMS + STEP_ITEMS];
  struct item_spec specs[IDENTITY_ITEMS + STEP_ITEMS];
  struct error items[IDENTITY_ITEMS + STEP_ITEMS];
  bool is_active; /* its answer */
  struct error error;
  uint32_t requests;
};

/* Why no further step begins; kind STATUS_OK: go on. */
struct runner_stop {
  struct error why;
  int64_t deadline_ns; /* of --timeout; CLOCK_NEVER */
};

/* runner_advance(runner, end, stop, now_ns): looks at an answer and sends the
 * next request, if there is one before step ${end}. When it wants to be called
 * next: CLOCK_NEVER: after a turn of the client; INT64_MIN: never again with
 * this ${end}. */
int64_t runner_advance(struct runner *runner, size_t end,
                       const struct runner_stop *stop, int64_t now_ns);

#endif
