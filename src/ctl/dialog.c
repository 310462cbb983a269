/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/dialog.h"

#include "base/clock.h"
#include "ctl/progress.h"

struct waiting {
  struct job_result *result;
  bool is_done;
};

static void on_done(void *cookie, const struct job_result *result) {
  struct waiting *waiting = cookie;
  *waiting->result = *result;
  waiting->is_done = true;
}

static bool is_over(const struct dialog *dialog, int64_t now_ns) {
  return session_is_stopped() || now_ns >= dialog->deadline_ns;
}

static void turn(struct dialog *dialog) {
  int64_t now_ns = clock_mono_ns();
  if (dialog->tick)
    dialog->tick(dialog->cookie, now_ns);
  client_turn(dialog->change->client, now_ns + PROGRESS_STEP_NS);
}

static void wait_for(struct dialog *dialog, struct job *job, bool is_change,
                     const struct waiting *waiting) {
  struct node *node = dialog->change->nodes[dialog->node];
  bool is_cancelled = false;
  while (!waiting->is_done) {
    bool is_on_its_way = is_change && client_node_stats(node)->in_flight > 0;
    if (!is_cancelled && !is_on_its_way && is_over(dialog, clock_mono_ns())) {
      is_cancelled = true;
      client_cancel(job);
    }
    turn(dialog);
  }
}

enum status dialog_wait(struct dialog *dialog, const struct dialog_bulk *bulk,
                        struct job_result *ret) {
  const struct node_settings *settings =
      change_settings(dialog->change, dialog->node);
  bool is_change = bulk->kind == KIND_CHANGE;
  bool is_long = is_change || bulk->kind == KIND_BROWSE;
  struct waiting waiting = {.result = ret};
  struct job *job;
  const struct job_options options = {
      .owner = is_change ? OWNER_BULK : OWNER_COMMAND,
      .kind = bulk->kind,
      .operations = bulk->operations,
      .specs = bulk->specs,
      .n = bulk->n,
      .timeout_ns =
          is_long ? settings->change_timeout_ns : settings->timeout_ns,
      .deadline_ns = CLOCK_NEVER,
      .sink = bulk->sink,
      .done = on_done,
      .cookie = &waiting};
  *ret = (struct job_result){0};
  enum status status = client_submit(dialog->change->nodes[dialog->node],
                                     &options, &job, &ret->error);
  if (status) {
    ret->error.kind = status;
    return status;
  }
  wait_for(dialog, job, is_change, &waiting);
  dialog->permit_wait_ns += ret->permit_wait_ns;
  if (ret->error.kind == STATUS_CANCELLED && session_is_stopped())
    error_set(&ret->error, STATUS_CANCELLED,
              "interrupted before it had answered");
  else if (ret->error.kind == STATUS_CANCELLED)
    error_set(&ret->error, STATUS_TIMEOUT,
              "it had not answered when --timeout was over");
  return ret->error.kind;
}

bool dialog_pause(struct dialog *dialog, int64_t ns) {
  int64_t end_ns = clock_mono_ns() + ns;
  for (int64_t now_ns; (now_ns = clock_mono_ns()) < end_ns;) {
    if (is_over(dialog, now_ns))
      return false;
    client_turn(dialog->change->client, now_ns + PROGRESS_STEP_NS < end_ns
                                            ? now_ns + PROGRESS_STEP_NS
                                            : end_ns);
  }
  return true;
}
