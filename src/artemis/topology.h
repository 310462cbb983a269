/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_TOPOLOGY_H
#define ARTEMIS_TOPOLOGY_H

/* Who else is in a broker's cluster, by listNetworkTopology, and at which
 * Jolokia URL: the broker names Core addresses, and no field of any protocol
 * has the console's scheme, port or path. Pure. */

#include "jolokia/reply.h"
#include "jolokia/request.h"
#include "jolokia/url.h"

/* Members that are held; a broker that names more than this is not believed. */
#define TOPOLOGY_MAX 1024

/* A Core address, "host:port". An IPv6 one with or without brackets: the broker
 * writes what its connector has. */
struct topology_core {
  char host[256]; /* lower case, no final dot, IPv6 compressed, no brackets */
  uint16_t port;  /* 1 .. 65535 */
  bool is_ipv6;
};

/* topology_core(text, len, ret, error): STATUS_INVALID (${ret} untouched) where
 * it names no host that can be asked: no or another port, "null:null", an
 * address that means "any" (0.0.0.0, ::), a host with bytes that no host name
 * has. The text shows the address, cut. */
enum status topology_core(const char *text, size_t len,
                          struct topology_core *ret, struct error *error);

/* One broker of the cluster. A primary and its backup have the same NodeID. */
struct topology_member {
  char node_id[64]; /* cut at 63 bytes; "" if the broker named none */
  struct topology_core core;
  bool is_backup; /* the broker named it as another one's backup */
};

struct topology {
  struct topology_member *members; /* in the order of the reply, none twice */
  size_t n;
  size_t n_odd;     /* addresses that name no host, null:null among them */
  size_t n_over;    /* beyond TOPOLOGY_MAX */
  struct error odd; /* why of the first of ${n_odd}, if any */
};

void topology_init(struct topology *topology); /* empty */
void topology_fini(struct topology *topology); /* and empty again */

/* topology_operation(broker_mbean), topology_spec(): the item. Its rows go to
 * topology_row(). ${broker_mbean} must stay. */
struct operation topology_operation(const char *broker_mbean);
extern const struct item_spec topology_spec;

/* topology_row(topology, row): one entry of the reply: its primary (from 2.33
 * on; else "live") and its backup, where it has them. STATUS_NO_MEMORY. */
enum status topology_row(struct topology *topology, const struct row *row);

/* -- From a Core address to a URL -- */

struct topology_override {
  const char *core; /* "host:port" */
  const char *url;
};

/* Of one cluster's settings; all strings are the caller's and must stay. */
struct topology_rules {
  const char *url_template; /* with {host}; NULL: the overrides alone */
  const struct topology_override *overrides;
  size_t n_overrides;
  const char *const *hosts; /* who may be asked at all, as host_matches() */
  size_t n_hosts;
};

/* topology_url(rules, core, ret, error): the first override whose Core address
 * is this one, else the template with the host in place of {host} (IPv6 in
 * brackets). STATUS_NOT_FOUND: neither is there: the text has the NodeURL line
 * that would help. STATUS_INVALID: what came of it is no URL. STATUS_DENIED:
 * the URL's host is not among ${hosts}, so that nothing may be sent there, not
 * even a question for its address: the text has the DiscoverHosts line. */
enum status topology_url(const struct topology_rules *rules,
                         const struct topology_core *core, struct url *ret,
                         struct error *error);

#endif
