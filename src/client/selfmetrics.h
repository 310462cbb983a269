/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_SELFMETRICS_H
#define CLIENT_SELFMETRICS_H

/* The values about ourselves, per node: host = the node, plugin "jolokia",
 * plugin_instance = the cluster. Pure. The whole set goes out each time, zeros
 * too, whatever the node does. */

#include "client/monitor.h"

/* The units of which the use is told: those with a rate, and in flight. */
#define SELF_UNITS (UNIT_IN_FLIGHT + 1)

/* What was last told, so that use over the interval can be worked out. */
struct self_last {
  double used[SELF_UNITS];
  int64_t mono_ns; /* 0: nothing was told yet */
  int64_t wall_ns;
  uint64_t clock_step; /* sets that were not told */
};

struct self_now {
  const char *node;
  const char *cluster;
  enum self_metrics level;
  int64_t mono_ns;
  int64_t wall_ns;
  int64_t interval_ns;
  const struct node_stats *stats;
  const struct host_totals *host;
  const struct scrape_counts *counts;
  const struct ceiling_settings *ceiling;
  enum node_state state;
  bool is_known; /* a round has ended: bool-up is sent */
  bool is_up;
  int64_t
      scrape_ns; /* of a good round that ended since; CLOCK_NEVER: none did */
  uint64_t skipped;
  uint64_t stretched;
  uint64_t set_aside;
  int64_t certificate_left_ns; /* CLOCK_NEVER: unknown, not sent */
};

/* selfmetrics_send(last, now, sink): false, and nothing sent, where the wall
 * clock went back or this comes less than half an interval after the last:
 * collectd would refuse each value with a line in its log. */
bool selfmetrics_send(struct self_last *last, const struct self_now *now,
                      const struct sample_sink *sink);

/* The values about this process, as collectd's module and `jolokiactl exec`
 * send them: host "" (collectd's own), plugin "jolokia". */
struct self_own {
  bool is_config_current; /* no mistake in the settings */
  uint64_t n_rejected;    /* changes of files that had one */
  size_t n_nodes;
  bool is_engine_well; /* it loops */
  int64_t lag_ns;      /* the engine's worst since the last set */
  int64_t wall_ns;
  int64_t interval_ns;
};

/* selfmetrics_send_own(own, sink): all of them. */
void selfmetrics_send_own(const struct self_own *own,
                          const struct sample_sink *sink);

#endif
