/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/ask.h"

#include "base/clock.h"
#include "base/version.h"
#include "client/translate.h"
#include "ctl/progress.h"

#include <stdio.h>
#include <stdlib.h>

static enum status open_client(const struct subject *subject,
                               const struct ctl *ctl, struct client **ret,
                               struct error *error) {
  char user_agent[64];
  snprintf(user_agent, sizeof(user_agent), "jolokiactl/%s", version_text());
  const struct client_options options = {.user_agent = user_agent,
                                         .state_dir =
                                             subject->settings.state_dir,
                                         .is_unshared = ctl->is_unshared};
  enum status status = client_global_init(error);
  return status ? status : client_new(&options, ret, error);
}

static enum status add_nodes(struct ask *ask, struct error *error) {
  const struct settings *selected = &ask->subject->selected;
  enum status status = STATUS_OK;
  ask->nodes = calloc(selected->n_nodes, sizeof(*ask->nodes));
  if (!ask->nodes)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the nodes");
  for (size_t i = 0; !status && i < selected->n_nodes; i++) {
    struct node_options options;
    status = translate_node(selected, &selected->nodes[i],
                            ask->subject->interval_ns, &options, error);
    if (!status)
      status = client_node_add(ask->client, &options, &ask->nodes[i], error);
  }
  return status;
}

enum status ask_open(const struct subject *subject, const struct ctl *ctl,
                     struct ask *ret, struct error *error) {
  struct ask ask = {.subject = subject, .until_ns = CLOCK_NEVER};
  enum status status = open_client(subject, ctl, &ask.client, error);
  if (!status)
    status = add_nodes(&ask, error);
  if (status) {
    ask_close(&ask);
    return status;
  }
  if (ctl->timeout_ns)
    ask.until_ns = clock_mono_ns() + ctl->timeout_ns;
  session_catch_signals(ask.client);
  *ret = ask;
  return STATUS_OK;
}

void ask_close(struct ask *ask) {
  session_catch_signals(NULL);
  if (ask->client)
    client_free(ask->client);
  free(ask->nodes);
}

struct question {
  bool is_answered;
  struct error *error;
};

static void on_done(void *cookie, const struct job_result *result) {
  struct question *question = cookie;
  question->is_answered = true;
  *question->error = result->error;
}

/* Until the job is done: one that is cancelled is so in the next turn. */
static void wait_for(struct ask *ask, struct job *job,
                     const struct question *question) {
  struct error why = {.kind = STATUS_OK};
  while (!question->is_answered) {
    int64_t now_ns = clock_mono_ns();
    if (!why.kind && session_is_stopped())
      error_set(&why, STATUS_CANCELLED, "interrupted before it had answered");
    else if (!why.kind && now_ns >= ask->until_ns)
      error_set(&why, STATUS_TIMEOUT,
                "it had not answered when --timeout was over");
    if (why.kind)
      client_cancel(job);
    client_turn(ask->client, now_ns + PROGRESS_STEP_NS);
  }
  if (why.kind && question->error->kind == STATUS_CANCELLED)
    *question->error = why;
}

void ask_node(struct ask *ask, size_t i, const struct scrape_request *request,
              const struct reply_sink *sink, struct error *ret) {
  struct question question = {.error = ret};
  struct job *job;
  const struct job_options options = {
      .owner = OWNER_COMMAND,
      .kind = request->kind,
      .operations = request->operations,
      .specs = request->specs,
      .n = request->n,
      .timeout_ns = ask->subject->selected.nodes[i].timeout_ns,
      .deadline_ns = CLOCK_NEVER,
      .sink = *sink,
      .done = on_done,
      .cookie = &question};
  *ret = (struct error){.kind = STATUS_OK};
  if (client_submit(ask->nodes[i], &options, &job, ret) == STATUS_OK)
    wait_for(ask, job, &question);
}
