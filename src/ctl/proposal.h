/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_PROPOSAL_H
#define CTL_PROPOSAL_H

/* A cluster file, as `jolokiactl register` proposes it. Pure. */

#include "base/buf.h"
#include "jolokia/url.h"

struct proposal_node {
  const char *name;
  const char *url;
};

/* A member that is not in it. */
struct proposal_left {
  const char *core; /* "host:port" */
  const char *why;
};

struct proposal {
  const char *cluster;
  const char *username; /* NULL: no login */
  const char *password_file;
  const char *origin; /* NULL: the URL's own */
  const struct proposal_node *nodes;
  size_t n_nodes;
  const struct proposal_left *left;
  size_t n_left;
  const char *url_template; /* of the first node's URL */
  const char *host;         /* the pattern of hosts to begin with */
};

/* proposal_write(proposal, out): appends the file's text. Quotes and
 * backslashes are escaped. */
void proposal_write(const struct proposal *proposal, struct buf *out);

/* proposal_template(url, ret): ${url} with {host} in place of its host; ${ret}
 * has URL_MAX + 8 bytes. */
void proposal_template(const struct url *url, char *ret);

/* proposal_hosts(host, ret): "*.mgmt.example.net" of
 * "broker-a.mgmt.example.net"; an address, or a name without a domain, as it
 * is. ${ret} has 260 bytes. */
void proposal_hosts(const char *host, char *ret);

#endif
