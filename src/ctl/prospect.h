/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_PROSPECT_H
#define CTL_PROSPECT_H

/* A URL that need not be in any settings, asked on this thread: under its own
 * ceiling, and with what the settings say of it, if it is in them, or of all
 * nodes. */

#include "artemis/probe.h"
#include "artemis/topology.h"
#include "client/client.h"
#include "ctl/ctl.h"

struct prospect {
  struct client *client;
  const struct ctl *ctl;
  const char *username; /* NULL: no login is sent */
  const char *password;
  const char *origin;  /* NULL: the settings', or the URL's own */
  int64_t deadline_ns; /* of all requests */
};

/* prospect_probe(prospect, url, topology, ret, error): probes ${url}; where a
 * broker answers that may be asked for it, and ${topology} is not NULL, asks
 * for that, too: its members, and why there are none in ${error}. STATUS_OK
 * however the probe ended: ${ret} has it. STATUS_INVALID: a login over plain
 * HTTP beyond loopback without AllowPlaintext, and what client_node_add()
 * refuses; STATUS_CANCELLED: Ctrl-C; STATUS_NO_MEMORY. */
enum status prospect_probe(const struct prospect *prospect,
                           const struct url *url, struct topology *topology,
                           struct probe *ret, struct error *error);

#endif
