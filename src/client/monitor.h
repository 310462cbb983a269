/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_MONITOR_H
#define CLIENT_MONITOR_H

/* The ticks: when each node's tiers are scraped, what a node's state is, and
 * the values about ourselves. On one client; what comes out are samples. Used
 * by the module, by `jolokiactl exec` and by `jolokiactl poll` alike.
 *
 * Nodes come and go while it runs. All functions are called on the client's
 * thread, between or during its turns; none of them from a sample_sink, or from
 * a job's row() or item(). */

#include "client/cluster.h"
#include "config/settings.h"

struct monitor_options {
  const struct settings *settings; /* must stay until monitor_apply() has others
                                      or monitor_free() */
  struct sample_sink sink;
  struct notice_sink notices;
  int64_t default_interval_ns; /* for nodes whose interval is 0 */
  bool is_once; /* one round of every tier at once, then idle (poll, -T) */
  bool want_self_metrics;
  bool want_discovery; /* of clusters whose settings say so */
};

struct monitor;

/* monitor_new(client, options, ret, error): adds a client node per node of the
 * settings. STATUS_INVALID, STATUS_NO_MEMORY: nothing was added. */
enum status monitor_new(struct client *client,
                        const struct monitor_options *options,
                        struct monitor **ret, struct error *error);
void monitor_free(struct monitor *monitor); /* cancels its jobs; NULL is fine */

/* monitor_start(monitor, now_ns): the ticks begin. Each node has a stable
 * offset in the interval, made from its name, so that nodes are not asked all
 * at once. */
void monitor_start(struct monitor *monitor, int64_t now_ns);

/* monitor_apply(monitor, settings, now_ns): from now on the nodes are those of
 * ${settings}, which must stay as those of monitor_new(); the ones before may
 * go. By name:
 * - A node whose settings are the same goes on, undisturbed, at its ticks.
 * - One that is not there any more: no request is sent to it and no sample of
 *   it comes after this call; its jobs end, its connections are closed, its
 *   ceiling is given back.
 * - A new one gets its ticks on the same grid as if it had been there from the
 *   start.
 * - Of one that changed only what changed is set: a ceiling keeps its levels, a
 *   new login is not held, new filters and intervals hold from the next round
 *   on. One with another cluster, URL, Origin, JMXDomain or other certificates
 *   goes and comes as new.
 * Past MONITOR_TURN_MAX nodes the rest is taken down, and then the new ones are
 * added, in the turns that follow. What cannot be added is logged, left out,
 * and tried again with the next apply.
 *
 * Nodes of monitor_add() stay as they are, but for those that discovery found:
 * they are judged anew, and changed in the same way. */
#define MONITOR_TURN_MAX 32
void monitor_apply(struct monitor *monitor, const struct settings *settings,
                   int64_t now_ns);

/* monitor_add(monitor, settings, now_ns, error): one more node, beside those of
 * the settings: a discovered one. ${settings} must stay until monitor_remove().
 * STATUS_INVALID (there is a node of that name, or what client_node_add()
 * refuses), STATUS_NO_MEMORY: nothing was added.
 * monitor_remove(monitor, name): it goes as a node that left the settings. One
 * of the settings, or none of that name: nothing happens. */
enum status monitor_add(struct monitor *monitor,
                        const struct node_settings *settings, int64_t now_ns,
                        struct error *error);
void monitor_remove(struct monitor *monitor, const char *name);

/* monitor_is_done(monitor): with is_once: every node's round is over, and
 * nothing is being discovered. */
bool monitor_is_done(const struct monitor *monitor);

/* A node as it stands now. Valid until the next turn, or until a node is added
 * or removed. */
struct monitor_view {
  const char *name;
  const char *cluster;
  const char *url_key;
  const struct node_settings *settings;
  bool is_discovered; /* of monitor_add() */
  enum node_state state;
  bool is_up;              /* it answered the last time */
  const struct error *why; /* of the last round */
  const struct identity *identity;
  const struct scrape_counts *counts;
  const struct left_out *over_queues; /* of the last round that had them */
  const struct left_out *over_addresses;
  const struct left_out *over_mbeans[TIER_COUNT];
  const struct left_out *taken_mbeans[TIER_COUNT]; /* another has their name */
  const struct node_stats *stats;
  int64_t scrape_ns;           /* how long the last fast round took */
  int64_t certificate_left_ns; /* CLOCK_NEVER: unknown, or not https */
  uint64_t rounds;             /* fast rounds that ended */
  uint64_t skipped;            /* ticks that found the last round running */
  uint64_t stretched; /* ticks put off for what the scrape itself costs */
  struct member_view bonds;
  int64_t affords_ns; /* how often the ceiling affords a fast round */
};
/* monitor_view(monitor, i, ret): ${i} < monitor_n_nodes(). Those of the first
 * settings in their order, until one is removed. */
size_t monitor_n_nodes(const struct monitor *monitor);
void monitor_view(const struct monitor *monitor, size_t i,
                  struct monitor_view *ret);

/* monitor_discovery(monitor): for its views; NULL without want_discovery. */
struct discovery;
const struct discovery *monitor_discovery(const struct monitor *monitor);

#endif
