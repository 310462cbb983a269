/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/change.h"

#include "client/translate.h"
#include "ctl/operator.h"

#include <stdlib.h>

const struct node_settings *change_settings(const struct change *change,
                                            size_t i) {
  return &change->subject->selected.nodes[i];
}

static enum status add_node(struct change *change, size_t i,
                            const struct operator* operator, bool is_change,
                            struct error *error) {
  const struct subject *subject = change->subject;
  const struct node_settings *settings = change_settings(change, i);
  struct node_options options;
  struct login login;
  enum status status =
      operator_login(operator, settings, is_change, &login, error);
  if (!status)
    status = translate_node(&subject->selected, settings, subject->interval_ns,
                            &options, error);
  if (status)
    return status;
  options.username = login.username;
  options.password = login.password;
  if (login.username && !settings->allow_plaintext && !options.url.is_https &&
      !options.url.is_loopback)
    return error_set(error, STATUS_INVALID,
                     "%.64s/%.64s: the login would go over plain HTTP: use "
                     "https, or set AllowPlaintext true",
                     settings->cluster, settings->name);
  return client_node_add(change->client, &options, &change->nodes[i], error);
}

static enum status add_nodes(struct change *change, const struct ctl *ctl,
                             bool is_change, struct error *error) {
  struct operator operator;
  enum status status = operator_open(ctl, &operator, error);
  for (size_t i = 0; !status && i < change->subject->selected.n_nodes; i++)
    status = add_node(change, i, &operator, is_change, error);
  operator_close(&operator);
  return status;
}

enum status change_open(const struct subject *subject, const struct ctl *ctl,
                        bool is_change, struct change *ret,
                        struct error *error) {
  struct change change = {.subject = subject};
  enum status status =
      session_client_new(subject, ctl->is_unshared, &change.client, error);
  if (status)
    return status;
  change.nodes = calloc(subject->selected.n_nodes, sizeof(*change.nodes));
  status = change.nodes
               ? add_nodes(&change, ctl, is_change, error)
               : error_set(error, STATUS_NO_MEMORY, "no memory for the nodes");
  if (status) {
    change_close(&change);
    return status;
  }
  session_catch_signals(change.client);
  *ret = change;
  return STATUS_OK;
}

void change_close(struct change *change) {
  session_catch_signals(NULL);
  client_free(change->client);
  free(change->nodes);
}
