/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/discovery_state.h"

#include "base/clock.h"
#include "client/translate.h"

#include <stdlib.h>

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct candidate *candidate = cookie;
  probe_row(candidate->reader, item, row);
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct candidate *candidate = cookie;
  probe_item(candidate->reader, item, result);
}

static void on_done(void *cookie, const struct job_result *result) {
  struct candidate *candidate = cookie;
  candidate->is_answered = true;
  candidate->answer = result->error;
  candidate->http_status = result->http_status;
  discovery_wake(candidate->cluster, clock_mono_ns());
}

static enum status submit(struct candidate *candidate, struct error *error) {
  struct job *job;
  struct job_options options = {
      .owner = OWNER_DISCOVERY,
      .kind = KIND_IDENTITY,
      .n = PROBE_ITEMS,
      .timeout_ns = candidate->settings->timeout_ns,
      .deadline_ns = CLOCK_NEVER,
      .sink = {.row = on_row, .item = on_item, .cookie = candidate},
      .done = on_done,
      .cookie = candidate};
  probe_request(candidate->reader, &options.operations, &options.specs);
  return client_submit(candidate->node, &options, &job, error);
}

/* Under the URL's own ceiling, with the settings it would have as a node. */
static enum status begin(struct candidate *candidate, struct error *error) {
  struct discovery *discovery = candidate->cluster->discovery;
  struct node_options options;
  free(candidate->settings);
  candidate->settings = candidate_settings(candidate);
  if (!candidate->settings)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a probe");
  enum status status =
      translate_node(discovery->settings, candidate->settings,
                     discovery->default_interval_ns, &options, error);
  if (status)
    return status;
  options.name = candidate->core_text;
  candidate->reader = probe_reader_new(candidate->settings->jmx_domain);
  if (!candidate->reader)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a probe");
  status =
      client_node_add(discovery->client, &options, &candidate->node, error);
  return status ? status : submit(candidate, error);
}

void probe_begin(struct candidate *candidate) {
  struct error error;
  candidate->is_answered = false;
  candidate->state = DISCOVERY_PROBING;
  if (begin(candidate, &error) == STATUS_OK)
    return;
  probe_stop(candidate);
  candidate_fail(candidate, &error, false);
}

void probe_stop(struct candidate *candidate) {
  if (candidate->node)
    client_node_remove(candidate->node);
  candidate->node = NULL;
  probe_reader_free(candidate->reader);
  candidate->reader = NULL;
  candidate->is_answered = false;
}

void probe_end(struct candidate *candidate, int64_t now_ns) {
  struct probe probe;
  probe_take(candidate->reader, &candidate->answer, candidate->http_status,
             candidate->settings->username != NULL, &probe);
  probe_stop(candidate);
  if (probe.why.kind == STATUS_AUTH) {
    int64_t wait_ns = 2 * candidate->auth_wait_ns;
    if (wait_ns < AUTH_WAIT_NS)
      wait_ns = AUTH_WAIT_NS;
    if (wait_ns > AUTH_WAIT_MAX_NS)
      wait_ns = AUTH_WAIT_MAX_NS;
    candidate->auth_wait_ns = wait_ns;
    candidate->next_probe_ns = now_ns + wait_ns;
  }
  if (probe.conclusion == PROBE_BROKER)
    candidate_add(candidate, &probe.identity, now_ns);
  else
    candidate_fail(candidate, &probe.why, probe.conclusion != PROBE_NOT_ASKED);
}
