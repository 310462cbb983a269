/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_ASK_H
#define CTL_ASK_H

/* Questions to one node after the other, under the monitor's login: each a job
 * of the owner "command", with its permit as any. Waits for the answer. */

#include "ctl/change.h"

struct ask {
  struct change asked; /* its nodes have the monitor's login */
  int64_t until_ns;    /* --timeout */
};

/* ask_open(subject, ctl, ret, error): sends nothing. Signals are as with
 * session_open(). As client_new() and client_node_add(); nothing is open then.
 * ${subject} must stay. */
enum status ask_open(const struct subject *subject, const struct ctl *ctl,
                     struct ask *ret, struct error *error);
void ask_close(struct ask *ask);

/* ask_node(ask, i, request, sink, ret): sends it to node ${i} of the selected
 * ones and passes the reply to ${sink}; ${ret} is how it ended: STATUS_OK, as
 * client_submit() or its done(), STATUS_CANCELLED (a signal), STATUS_TIMEOUT
 * (--timeout is over). */
void ask_node(struct ask *ask, size_t i, const struct scrape_request *request,
              const struct reply_sink *sink, struct error *ret);

/* ask_scrape(node, interval_ns): the node's scrape, for who asks what it would
 * read; nothing is dispatched. NULL without memory. */
struct scrape *ask_scrape(const struct node_settings *node,
                          int64_t interval_ns);

#endif
