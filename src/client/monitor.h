/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_MONITOR_H
#define CLIENT_MONITOR_H

/* The ticks: when each node's tiers are scraped, what a node's state is, and
 * the values about ourselves. On one client; what comes out are samples. Used
 * by the module, by `jolokiactl exec` and by `jolokiactl poll` alike. */

#include "client/cluster.h"
#include "config/settings.h"

struct monitor_options {
  const struct settings *settings; /* must stay */
  struct sample_sink sink;
  struct notice_sink notices;
  int64_t default_interval_ns; /* for nodes whose interval is 0 */
  bool is_once; /* one round of every tier at once, then idle (poll, -T) */
  bool want_self_metrics;
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

/* monitor_is_done(monitor): with is_once: every node's round is over. */
bool monitor_is_done(const struct monitor *monitor);

/* A node as it stands now. Valid until the next turn. */
struct monitor_view {
  const char *name;
  const char *cluster;
  const char *url_key;
  enum node_state state;
  bool is_up;              /* it answered the last time */
  const struct error *why; /* of the last round */
  const struct identity *identity;
  const struct scrape_counts *counts;
  const struct node_stats *stats;
  int64_t scrape_ns;  /* how long the last fast round took */
  uint64_t rounds;    /* fast rounds that ended */
  uint64_t skipped;   /* ticks that found the last round running */
  uint64_t stretched; /* ticks put off for what the scrape itself costs */
  struct member_view bonds;
  int64_t affords_ns; /* how often the ceiling affords a fast round */
};
size_t monitor_n_nodes(const struct monitor *monitor);
void monitor_view(const struct monitor *monitor, size_t i,
                  struct monitor_view *ret);

#endif
