/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_STRETCH_H
#define CLIENT_STRETCH_H

/* What the fast scrape owes for itself. No debt keeps it from its permits, so
 * its own keeps it from its next round: that begins no sooner than the round's
 * bytes and handling take to come back, counted from where the round began.
 * Pure but for the log: time is an argument. */

#include "base/log.h"
#include "limit/levels.h"

struct stretch {
  uint64_t bytes; /* of the round that runs, or the last */
  int64_t handling_ns;
  int64_t started_ns;
  int64_t cost_ns; /* what the last round that was well takes to come back */
  int64_t not_before_ns;
  uint64_t n; /* ticks put off */
  struct log_repeat repeat;
};

void stretch_begin(struct stretch *stretch, int64_t now_ns);

/* stretch_add(stretch, bytes, handling_ns): a request of the round is over. */
void stretch_add(struct stretch *stretch, uint64_t bytes, int64_t handling_ns);

/* stretch_end(stretch, rates, is_well): the round is over. One that failed puts
 * nothing off: the next asks for the node's identity alone, and a node that
 * comes back is to be seen within two intervals. */
void stretch_end(struct stretch *stretch, const struct levels_rates *rates,
                 bool is_well);

/* stretch_puts_off(stretch, node, interval_ns, now_ns): whether the tick of
 * ${now_ns} comes too soon; counts it, and says so now and then. */
bool stretch_puts_off(struct stretch *stretch, const char *node,
                      int64_t interval_ns, int64_t now_ns);

#endif
