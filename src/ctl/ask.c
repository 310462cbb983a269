/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/ask.h"

#include "base/clock.h"
#include "client/translate.h"
#include "ctl/dialog.h"

#include <stdlib.h>

static enum status add_nodes(struct change *asked, struct error *error) {
  const struct subject *subject = asked->subject;
  const struct settings *selected = &subject->selected;
  enum status status = STATUS_OK;
  asked->nodes = calloc(selected->n_nodes, sizeof(*asked->nodes));
  if (!asked->nodes)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the nodes");
  for (size_t i = 0; !status && i < selected->n_nodes; i++) {
    struct node_options options;
    status = translate_node(selected, &selected->nodes[i], subject->interval_ns,
                            &options, error);
    if (!status)
      status =
          client_node_add(asked->client, &options, &asked->nodes[i], error);
  }
  return status;
}

enum status ask_open(const struct subject *subject, const struct ctl *ctl,
                     struct ask *ret, struct error *error) {
  struct ask ask = {.asked = {.subject = subject}, .until_ns = CLOCK_NEVER};
  enum status status =
      session_client_new(subject, ctl->is_unshared, &ask.asked.client, error);
  if (!status)
    status = add_nodes(&ask.asked, error);
  if (status) {
    ask_close(&ask);
    return status;
  }
  if (ctl->timeout_ns)
    ask.until_ns = clock_mono_ns() + ctl->timeout_ns;
  session_catch_signals(ask.asked.client);
  *ret = ask;
  return STATUS_OK;
}

void ask_close(struct ask *ask) { change_close(&ask->asked); }

void ask_node(struct ask *ask, size_t i, const struct scrape_request *request,
              const struct reply_sink *sink, struct error *ret) {
  struct dialog dialog = {
      .change = &ask->asked, .node = i, .deadline_ns = ask->until_ns};
  const struct dialog_bulk bulk = {.kind = request->kind,
                                   .operations = request->operations,
                                   .specs = request->specs,
                                   .n = request->n,
                                   .sink = *sink};
  struct job_result result;
  dialog_wait(&dialog, &bulk, &result);
  *ret = result.error;
}

static void on_sample(void *cookie, const struct sample *sample) {
  (void)cookie;
  (void)sample;
}

struct scrape *ask_scrape(const struct node_settings *node,
                          int64_t interval_ns) {
  const struct sample_sink sink = {on_sample, NULL};
  const struct scrape_settings settings = translate_scrape(node, interval_ns);
  struct scrape *scrape = scrape_new(&settings, &sink);
  struct error error;
  if (!scrape || !translate_mbeans(node, scrape, &error))
    return scrape;
  scrape_free(scrape);
  return NULL;
}
