/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/step_runner.h"

#include <string.h>

#define IS_DONE INT64_MIN /* of runner_advance() */

/* -- A request -- */

static size_t prefix_items(const struct runner *runner) {
  static const size_t n[] = {[PREFIX_NONE] = 0,
                             [PREFIX_ACTIVE] = 1,
                             [PREFIX_IDENTITY] = IDENTITY_ITEMS};
  return n[runner->prefix];
}

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct runner *runner = cookie;
  size_t n_prefix = prefix_items(runner);
  if (item >= n_prefix && runner->step && runner->step->row)
    runner->step->row(runner->state, item - n_prefix, row);
  else if (runner->prefix == PREFIX_IDENTITY && item < n_prefix)
    identity_row(runner->reader, item, row);
  else if (runner->prefix == PREFIX_ACTIVE && item == 0 && row->n_columns == 1)
    runner->is_active =
        row->columns[0].type == VALUE_BOOL && row->columns[0].integer == 1;
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct runner *runner = cookie;
  if (runner->prefix == PREFIX_IDENTITY && item < IDENTITY_ITEMS)
    identity_item(runner->reader, item, result);
  error_set(&runner->items[item], result->status, "%s", result->error);
}

static int64_t in_flight_ns(const struct runner *runner) {
  return (int64_t)client_node_stats(runner->node)->in_flight_ns;
}

static void note_time(struct runner *runner) {
  struct step_outcome *outcome = &runner->outcome;
  outcome->n_requests += runner->requests;
  if (runner->requests > 0 && outcome->n_times < STEPS_TIMES_MAX)
    outcome->took_ns[outcome->n_times++] =
        in_flight_ns(runner) - runner->before_ns;
}

static void on_done(void *cookie, const struct job_result *result) {
  struct runner *runner = cookie;
  runner->job = NULL;
  runner->has_answer = true;
  runner->error = result->error;
  runner->requests = result->requests;
  note_time(runner);
}

static void add_prefix(struct runner *runner) {
  static const char *const active[] = {"Active"};
  const struct operation *operations;
  const struct item_spec *specs;
  if (runner->prefix == PREFIX_IDENTITY) {
    identity_request(runner->reader, &operations, &specs);
    memcpy(runner->operations, operations,
           IDENTITY_ITEMS * sizeof(*operations));
    memcpy(runner->specs, specs, IDENTITY_ITEMS * sizeof(*specs));
  } else if (runner->prefix == PREFIX_ACTIVE) {
    runner->operations[0] =
        (struct operation){.type = OPERATION_READ,
                           .mbean = runner->identity.broker_mbean,
                           .attributes = active,
                           .n_attributes = 1};
    runner->specs[0] = (struct item_spec){FORM_MBEAN, active, 1};
  }
}

/* Sends runner->request behind the prefix. A failure is like an answer. */
static void send(struct runner *runner, const struct step *step,
                 enum prefix prefix, int64_t deadline_ns) {
  const struct step_request *request = &runner->request;
  runner->prefix = prefix;
  runner->step = step;
  runner->is_read = !(step && step->is_change);
  runner->is_active = false;
  size_t n_prefix = prefix_items(runner);
  add_prefix(runner);
  memcpy(runner->operations + n_prefix, request->operations,
         request->n * sizeof(*request->operations));
  memcpy(runner->specs + n_prefix, request->specs,
         request->n * sizeof(*request->specs));
  memset(runner->items, 0, sizeof(runner->items));
  const struct job_options options = {
      .owner = OWNER_COMMAND,
      .kind = runner->is_read ? KIND_MBEAN : KIND_CHANGE,
      .operations = runner->operations,
      .specs = runner->specs,
      .n = n_prefix + request->n,
      .timeout_ns = runner->is_read ? runner->settings->timeout_ns
                                    : runner->settings->change_timeout_ns,
      .deadline_ns = deadline_ns,
      .sink = {.row = on_row, .item = on_item, .cookie = runner},
      .done = on_done,
      .cookie = runner};
  runner->before_ns = in_flight_ns(runner);
  if (client_submit(runner->node, &options, &runner->job, &runner->error)) {
    runner->job = NULL;
    runner->has_answer = true;
    runner->requests = 0;
  }
}

static void ask_active(struct runner *runner, enum doing doing,
                       int64_t deadline_ns) {
  runner->doing = doing;
  runner->request.n = 0;
  send(runner, NULL, PREFIX_ACTIVE, deadline_ns);
}

/* -- Failing -- */

static void fail(struct runner *runner, const struct error *why,
                 int64_t now_ns) {
  struct step_outcome *outcome = &runner->outcome;
  outcome->error = *why;
  outcome->step = runner->table->steps[runner->at].name;
  runner->doing = DOING_UNDO_ACTIVE;
  runner->undo_until_ns = now_ns + STEPS_UNDO_NS;
  runner->again_ns = now_ns;
}

static void fail_inactive(struct runner *runner, int64_t now_ns) {
  struct error why;
  error_set(&why, STATUS_NOT_STARTED,
            "the broker is not active (a backup, or one that is starting): "
            "nothing is changed there; ask the one that is, or wait");
  fail(runner, &why, now_ns);
}

/* -- Undoing -- */

/* The change to undo next; STEPS_MAX: none is left. */
static size_t next_made(const struct runner *runner) {
  for (size_t i = runner->table->n; i-- > 0;)
    if (runner->is_made[i] && runner->table->steps[i].undo)
      return i;
  return STEPS_MAX;
}

static void end_undo(struct runner *runner, const struct error *why) {
  if (why)
    runner->outcome.undo_error = *why;
  runner->is_over = true;
}

/* It has not been sent, or not been answered: again, for a while. */
static void undo_later(struct runner *runner, int64_t now_ns) {
  runner->again_ns = now_ns + STEPS_AGAIN_NS;
  if (runner->again_ns > runner->undo_until_ns)
    end_undo(runner, &runner->error);
}

static void take_undo_active(struct runner *runner, int64_t now_ns) {
  struct error why;
  if (runner->error.kind) {
    undo_later(runner, now_ns);
  } else if (!runner->is_active) {
    error_set(&why, STATUS_NOT_STARTED,
              "the broker is not active any more: undo it there when it is");
    end_undo(runner, &why);
  } else {
    runner->doing = DOING_UNDO;
  }
}

static void take_undo(struct runner *runner, int64_t now_ns) {
  struct step_outcome *outcome = &runner->outcome;
  const struct error *item = &runner->items[0];
  if (runner->error.kind || item->kind == STATUS_BUSY) {
    undo_later(runner, now_ns);
    return;
  }
  size_t undone = next_made(runner);
  runner->is_made[undone] = false;
  if (item->kind && !step_is_missing(item)) {
    if (outcome->undo_error.kind == STATUS_OK)
      error_set(&outcome->undo_error, item->kind, "%s", item->text);
    return;
  }
  outcome->n_undone++;
  outcome->n_changed--;
  if (undone == runner->unknown_at)
    outcome->is_unknown = false;
}

static int64_t undo_next(struct runner *runner, int64_t now_ns) {
  size_t next = next_made(runner);
  if (next == STEPS_MAX) {
    end_undo(runner, NULL);
    return IS_DONE;
  }
  if (now_ns < runner->again_ns)
    return runner->again_ns;
  if (runner->doing == DOING_UNDO_ACTIVE) {
    ask_active(runner, DOING_UNDO_ACTIVE, runner->undo_until_ns);
    return CLOCK_NEVER;
  }
  memset(&runner->request, 0, sizeof(runner->request));
  runner->table->steps[next].undo(runner->state, &runner->identity,
                                  &runner->request);
  send(runner, &runner->table->steps[next], PREFIX_NONE, CLOCK_NEVER);
  return CLOCK_NEVER;
}

/* -- Answers -- */

static bool check_prefix(struct runner *runner, int64_t now_ns) {
  struct error why = {.kind = STATUS_OK};
  if (runner->prefix == PREFIX_IDENTITY) {
    if (identity_take(runner->reader, &runner->identity, &why)) {
      fail(runner, &why, now_ns);
      return false;
    }
    runner->is_active = runner->identity.is_active;
  }
  if (!runner->is_active) {
    fail_inactive(runner, now_ns);
    return false;
  }
  runner->active_ns = now_ns;
  return true;
}

static enum status check_items(const struct runner *runner,
                               const struct step *step, struct error *error) {
  const struct error *items = runner->items + prefix_items(runner);
  return step->check ? step->check(runner->state, items, error)
                     : step_first_failure(items, runner->request.n, error);
}

static void take_read(struct runner *runner, int64_t now_ns) {
  struct error why = {.kind = STATUS_OK};
  if (runner->error.kind)
    fail(runner, &runner->error, now_ns);
  else if (!check_prefix(runner, now_ns))
    return;
  else if (check_items(runner, runner->step, &why))
    fail(runner, &why, now_ns);
  else
    runner->at++;
}

static void note_made(struct runner *runner) {
  runner->is_made[runner->at] = true;
  runner->outcome.n_changed++;
}

/* Whether the change was kept back or refused as a whole, so that nothing can
 * have been done. */
static bool is_undone_for_sure(const struct runner *runner) {
  return runner->requests == 0 ||
         status_class_of(runner->error.kind) == CLASS_REFUSED;
}

static void take_change(struct runner *runner, int64_t now_ns) {
  struct error why = {.kind = STATUS_OK};
  if (runner->error.kind && is_undone_for_sure(runner)) {
    fail(runner, &runner->error, now_ns);
  } else if (runner->error.kind) {
    runner->unknown = runner->error;
    runner->unknown_at = runner->at;
    runner->outcome.is_unknown = true;
    note_made(runner);
    runner->doing = DOING_INSPECT;
  } else if (check_items(runner, runner->step, &why)) {
    fail(runner, &why, now_ns);
  } else {
    note_made(runner);
    runner->at++;
  }
}

static void take_inspection(struct runner *runner, int64_t now_ns) {
  const struct step *step = &runner->table->steps[runner->at];
  struct error why;
  runner->doing = DOING_STEP;
  if (!runner->error.kind && runner->is_active &&
      !check_items(runner, runner->step, &why) &&
      step->is_done(runner->state)) {
    runner->outcome.is_unknown = false;
    runner->active_ns = now_ns;
    runner->at++;
  } else {
    fail(runner, &runner->unknown, now_ns);
  }
}

static void take_active(struct runner *runner, int64_t now_ns) {
  runner->doing = DOING_STEP;
  if (runner->error.kind)
    fail(runner, &runner->error, now_ns);
  else
    (void)check_prefix(runner, now_ns);
}

static void take_answer(struct runner *runner, int64_t now_ns) {
  runner->has_answer = false;
  switch (runner->doing) {
  case DOING_STEP:
    if (runner->is_read)
      take_read(runner, now_ns);
    else
      take_change(runner, now_ns);
    break;
  case DOING_ACTIVE:
    take_active(runner, now_ns);
    break;
  case DOING_INSPECT:
    take_inspection(runner, now_ns);
    break;
  case DOING_UNDO_ACTIVE:
    take_undo_active(runner, now_ns);
    break;
  case DOING_UNDO:
    take_undo(runner, now_ns);
    break;
  }
}

/* -- The next request -- */

static enum status build(struct runner *runner, const struct step *step,
                         struct error *error) {
  memset(&runner->request, 0, sizeof(runner->request));
  return step->build(runner->state, &runner->identity, &runner->request, error);
}

static void send_step(struct runner *runner, const struct step *step,
                      const struct runner_stop *stop, int64_t now_ns) {
  if (!step->is_change)
    send(runner, step, runner->at == 0 ? PREFIX_IDENTITY : PREFIX_ACTIVE,
         stop->deadline_ns);
  else if (now_ns - runner->active_ns > STEPS_ACTIVE_NS)
    ask_active(runner, DOING_ACTIVE, stop->deadline_ns);
  else
    send(runner, step, PREFIX_NONE, stop->deadline_ns);
}

/* false: the step has nothing to send, or failed. */
static bool begin_step(struct runner *runner, const struct runner_stop *stop,
                       int64_t now_ns) {
  const struct step *step = &runner->table->steps[runner->at];
  struct error why = {.kind = STATUS_OK};
  if (stop->why.kind)
    fail(runner, &stop->why, now_ns);
  else if (build(runner, step, &why))
    fail(runner, &why, now_ns);
  else if (runner->request.n == 0 && runner->at > 0)
    runner->at++;
  else {
    send_step(runner, step, stop, now_ns);
    return true;
  }
  return false;
}

static void begin_inspection(struct runner *runner, int64_t now_ns) {
  struct error why;
  if (build(runner, runner->table->inspect, &why))
    fail(runner, &why, now_ns);
  else
    send(runner, runner->table->inspect, PREFIX_ACTIVE, CLOCK_NEVER);
}

int64_t runner_advance(struct runner *runner, size_t end,
                       const struct runner_stop *stop, int64_t now_ns) {
  for (;;) {
    if (runner->job) {
      bool is_undoing = runner->doing >= DOING_UNDO_ACTIVE;
      if (stop->why.kind && runner->is_read && !is_undoing)
        client_cancel(runner->job);
      return CLOCK_NEVER;
    }
    if (runner->has_answer)
      take_answer(runner, now_ns);
    else if (runner->is_over)
      return IS_DONE;
    else if (runner->doing >= DOING_UNDO_ACTIVE) {
      int64_t next_ns = undo_next(runner, now_ns);
      if (next_ns != CLOCK_NEVER || runner->job)
        return next_ns;
    } else if (runner->doing == DOING_INSPECT) {
      begin_inspection(runner, now_ns);
    } else if (runner->at >= end) {
      return IS_DONE;
    } else {
      (void)begin_step(runner, stop, now_ns);
    }
  }
}
