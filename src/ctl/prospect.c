/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/prospect.h"

#include "base/clock.h"
#include "client/translate.h"
#include "ctl/progress.h"
#include "ctl/session.h"
#include "ctl/subject.h"

#include <stdio.h>
#include <string.h>

/* -- What the settings say of the URL -- */

#define PROBED "jolokiactl-register"

/* As if it stood in a cluster file of its own, so that what is set for all
 * nodes (a ceiling, CACert) holds. */
static enum status load(const struct prospect *prospect, const struct url *url,
                        struct subject *ret, struct error *error) {
  char text[URL_MAX + 200];
  snprintf(text, sizeof(text),
           "<Plugin jolokia>\n<Cluster \"" PROBED "\">\nNode \"" PROBED
           "\" \"%s\"\n</Cluster>\n</Plugin>\n",
           url->text);
  return subject_load_with(prospect->ctl, text, PROBED, ret, error);
}

static enum status refuse(const struct subject *subject, struct error *error) {
  const struct problems *problems = &subject->problems;
  for (size_t i = 0; i < problems->n; i++)
    if (strncmp(problems->list[i].place, PROBED, strlen(PROBED)) == 0)
      return error_set(error, STATUS_INVALID, "%s", problems->list[i].text);
  return error_set(error, STATUS_INVALID, "the settings leave the URL out");
}

static const struct node_settings *find(const struct subject *subject,
                                        const struct url *url) {
  const struct settings *settings = &subject->settings;
  for (size_t i = 0; i < settings->n_nodes; i++)
    if (strcmp(settings->nodes[i].url_key, url->key) == 0)
      return &settings->nodes[i];
  return NULL;
}

/* -- One job, to its end -- */

struct errand {
  struct probe_reader *reader;
  struct topology *topology;
  struct error topology_error;
  bool is_done;
  struct error error;
  int http_status;
};

static void on_done(void *cookie, const struct job_result *result) {
  struct errand *errand = cookie;
  errand->is_done = true;
  errand->error = result->error;
  errand->http_status = result->http_status;
}

static bool on_probe_row(void *cookie, size_t item, const struct row *row) {
  struct errand *errand = cookie;
  probe_row(errand->reader, item, row);
  return true;
}

static void on_probe_item(void *cookie, size_t item,
                          const struct item_result *result) {
  struct errand *errand = cookie;
  probe_item(errand->reader, item, result);
}

static bool on_member(void *cookie, size_t item, const struct row *row) {
  struct errand *errand = cookie;
  (void)item;
  if (topology_row(errand->topology, row))
    error_set(&errand->topology_error, STATUS_NO_MEMORY,
              "no memory for the members");
  return true;
}

static void on_topology(void *cookie, size_t item,
                        const struct item_result *result) {
  struct errand *errand = cookie;
  (void)item;
  if (result->status)
    error_set(&errand->topology_error, result->status, "%s", result->error);
}

static enum status run(const struct prospect *prospect, struct node *node,
                       struct job_options *options, struct errand *errand,
                       struct error *error) {
  struct job *job;
  options->owner = OWNER_DISCOVERY;
  options->kind = KIND_IDENTITY;
  options->deadline_ns = prospect->deadline_ns;
  options->done = on_done;
  options->cookie = errand;
  options->sink.cookie = errand;
  errand->is_done = false;
  enum status status = client_submit(node, options, &job, &errand->error);
  errand->is_done = status != STATUS_OK;
  while (!errand->is_done) {
    if (session_is_stopped()) {
      client_cancel(job);
      client_turn(prospect->client, clock_mono_ns());
      return error_set(error, STATUS_CANCELLED, "interrupted");
    }
    client_turn(prospect->client, clock_mono_ns() + PROGRESS_STEP_NS);
  }
  return STATUS_OK;
}

static enum status probe(const struct prospect *prospect, struct node *node,
                         const struct node_settings *settings,
                         struct probe *ret, struct error *error) {
  struct errand errand = {.reader = probe_reader_new(settings->jmx_domain)};
  struct job_options options = {
      .n = PROBE_ITEMS,
      .timeout_ns = settings->timeout_ns,
      .sink = {.row = on_probe_row, .item = on_probe_item}};
  if (!errand.reader)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a probe");
  probe_request(errand.reader, &options.operations, &options.specs);
  enum status status = run(prospect, node, &options, &errand, error);
  if (!status)
    probe_take(errand.reader, &errand.error, errand.http_status,
               prospect->username != NULL, ret);
  probe_reader_free(errand.reader);
  return status;
}

static enum status ask_topology(const struct prospect *prospect,
                                struct node *node,
                                const struct node_settings *settings,
                                const struct identity *identity,
                                struct topology *ret, struct error *error) {
  struct errand errand = {.topology = ret};
  struct operation operation = topology_operation(identity->broker_mbean);
  struct job_options options = {
      .operations = &operation,
      .specs = &topology_spec,
      .n = 1,
      .timeout_ns = settings->timeout_ns,
      .sink = {.row = on_member, .item = on_topology}};
  enum status status = run(prospect, node, &options, &errand, error);
  if (status)
    return status;
  *error = errand.error.kind ? errand.error : errand.topology_error;
  return STATUS_OK;
}

/* -- Both -- */

static enum status add_node(const struct prospect *prospect,
                            const struct subject *subject,
                            const struct node_settings *settings,
                            struct node **ret, struct error *error) {
  struct node_options options;
  enum status status = translate_node(&subject->settings, settings,
                                      subject->interval_ns, &options, error);
  if (status)
    return status;
  if (prospect->username && !options.url.is_https && !options.url.is_loopback &&
      !settings->allow_plaintext)
    return error_set(error, STATUS_INVALID,
                     "the password would cross the network in the clear: use "
                     "https://, or set AllowPlaintext true in the <Plugin "
                     "jolokia> block");
  options.name = options.url.key;
  options.username = prospect->username;
  options.password = prospect->password;
  if (prospect->origin)
    options.origin = prospect->origin;
  return client_node_add(prospect->client, &options, ret, error);
}

enum status prospect_probe(const struct prospect *prospect,
                           const struct url *url, struct topology *topology,
                           struct probe *ret, struct error *error) {
  struct subject subject;
  struct node *node = NULL;
  enum status status = load(prospect, url, &subject, error);
  const struct node_settings *settings = status ? NULL : find(&subject, url);
  if (!status && !settings)
    status = refuse(&subject, error);
  if (!status)
    status = add_node(prospect, &subject, settings, &node, error);
  if (!status) {
    status = probe(prospect, node, settings, ret, error);
    if (!status && topology && ret->conclusion == PROBE_BROKER)
      status = ask_topology(prospect, node, settings, &ret->identity, topology,
                            error);
    client_node_remove(node);
  }
  subject_fini(&subject);
  return status;
}
