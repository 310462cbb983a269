/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_DISCOVERY_H
#define CLIENT_DISCOVERY_H

/* Members of clusters that nobody configured: asks a cluster's brokers who is
 * in it (listNetworkTopology), turns Core addresses into URLs, probes each URL
 * that DiscoverHosts allows under its own ceiling, and hands it on as a node.
 * All its requests are OWNER_DISCOVERY's. On the engine's thread.
 *
 * It keeps no pointer to another's node: who runs rounds tells each one's end,
 * and one that is due and well is asked there and then. */

#include "client/client.h"
#include "client/health.h"
#include "config/settings.h"

struct discovery;

/* Where members go. Called from a timer of the client's and from
 * discovery_apply(), never from within discovery_round(). */
struct discovery_sink {
  /* A member is a node from now on, or is so with other settings than before:
   * then the old ones may be freed when this returns. ${node} stays until the
   * next add() or remove() of its name. STATUS_OK, or why it cannot be (with
   * other settings it is then no node any more). */
  enum status (*add)(void *cookie, const struct node_settings *node,
                     int64_t now_ns, struct error *error);
  /* No node any more; its settings may be freed when this returns. */
  void (*remove)(void *cookie, const char *name);
  void *cookie;
};

struct discovery_options {
  struct client *client;
  const struct settings *settings; /* must stay until discovery_apply() has
                                      others or discovery_free() */
  int64_t default_interval_ns;     /* of nodes whose interval is 0 */
  struct discovery_sink sink;
  struct notice_sink notices;
};

/* discovery_new(options, ret, error): sends nothing by itself.
 * STATUS_NO_MEMORY. */
enum status discovery_new(const struct discovery_options *options,
                          struct discovery **ret, struct error *error);

/* discovery_free(discovery): cancels its jobs; removes no node. NULL is fine.
 */
void discovery_free(struct discovery *discovery);

/* How a fast round of a node of a cluster ended, discovered ones too. */
struct discovery_round {
  const struct node_settings *settings;
  struct node *node; /* may get a job */
  const struct identity *identity;
  enum node_state state;
  bool has_changed; /* ${state} is another one than after the last round */
};

/* discovery_round(discovery, round, now_ns): asks this node for the topology
 * where its cluster discovers, the node is active (or a backup, where none is)
 * and the cluster is due: at first, once each of its nodes has had a round or
 * 10 s have passed; then every DiscoverInterval, and after a node's state
 * changed, at most every 10 s. One that fails is not asked again before another
 * node was; after three failures running all wait for the next interval. */
void discovery_round(struct discovery *discovery,
                     const struct discovery_round *round, int64_t now_ns);

/* discovery_apply(discovery, settings, now_ns): the settings are these from now
 * on. Before it returns every member that is a node either has settings made
 * of the new ones (add()) or is none any more (remove()): of a cluster that is
 * gone or does not discover, at a URL that is not allowed or not the same any
 * more, with a name or a URL that is now configured. The old settings may then
 * be freed. */
void discovery_apply(struct discovery *discovery,
                     const struct settings *settings, int64_t now_ns);

/* discovery_is_idle(discovery): nothing is asked or to be probed now. */
bool discovery_is_idle(const struct discovery *discovery);

/* discovery_why(discovery, cluster): why the cluster's topology could not be
 * read the last time; kind STATUS_OK: it was. NULL: it was not tried, or the
 * cluster does not discover. Valid until the next turn. */
const struct error *discovery_why(const struct discovery *discovery,
                                  const char *cluster);

/* -- What is known of the members, for people -- */

enum discovery_state {
  DISCOVERY_NEW,     /* to be probed */
  DISCOVERY_PROBING, /* its answer is awaited */
  DISCOVERY_FAILED,  /* the probe failed; once more at the next discovery */
  DISCOVERY_REFUSED, /* host not allowed, no URL, name taken, MaxNodes */
  DISCOVERY_ADDED    /* it is a node */
};
const char *discovery_state_name(enum discovery_state state);

struct discovery_view {
  const char *cluster;
  const char *name; /* NULL while it has none */
  const char *core; /* "host:port" */
  const char *url;  /* NULL where there is none */
  const char *node_id;
  bool is_backup;
  enum discovery_state state;
  const struct error *why; /* of DISCOVERY_FAILED and DISCOVERY_REFUSED */
};

/* discovery_n_members(discovery), discovery_view(discovery, i, ret): members
 * that are no configured node. Valid until the next turn. */
size_t discovery_n_members(const struct discovery *discovery);
void discovery_view(const struct discovery *discovery, size_t i,
                    struct discovery_view *ret);

#endif
