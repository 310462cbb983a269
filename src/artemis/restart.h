/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_RESTART_H
#define ARTEMIS_RESTART_H

/* Counters that begin anew. After a restart or a failover a queue's
 * MessagesAdded is the number of messages that were loaded, not 0 (seen on
 * 2.28.0 and 2.40.0): beside the last value of before it would be a rate that
 * never was. So counters are held back until collectd has forgotten that value.
 * Gauges flow at once. Pure; time is that of the rounds. */

#include "artemis/attributes.h"

#include <stdint.h>

/* collectd forgets what is older than Timeout (2) intervals, where it looks
 * once an interval; RRD files have a heartbeat of 2 steps. */
#define RESTART_INTERVALS 3

/* All zero: nothing was dispatched. */
struct restart {
  int64_t last_ns; /* when a counter was last dispatched; 0: none was */
  bool is_held;
};

/* restart_seen(restart): its counters begin anew. */
void restart_seen(struct restart *restart);

/* restart_holds(restart, now_ns, interval_ns): a round of that interval, at
 * ${now_ns}: whether its counters are held back. */
bool restart_holds(const struct restart *restart, int64_t now_ns,
                   int64_t interval_ns);

/* restart_dispatched(restart, now_ns): a round at ${now_ns} handed one over. */
void restart_dispatched(struct restart *restart, int64_t now_ns);

#endif
