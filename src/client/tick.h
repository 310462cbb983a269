/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_TICK_H
#define CLIENT_TICK_H

/* When a tier's rounds begin: on the grid start + offset + k x interval, so
 * that nothing drifts and nodes are not asked all at once. Pure. */

#include "artemis/attributes.h"

#include <stdint.h>

struct tick {
  int64_t base_ns;     /* CLOCK_MONOTONIC of k = 0: start + offset */
  int64_t interval_ns; /* > 0 */
  int64_t next_ns;     /* the next instant of the grid */
};

/* tick_offset_ns(name, tier, interval_ns): 0 .. ${interval_ns} - 1; the same
 * for the same name in every run, and independent of the other nodes. */
int64_t tick_offset_ns(const char *name, enum tier tier, int64_t interval_ns);

/* tick_start(tick, start_ns, offset_ns, interval_ns): the first instant is
 * ${start_ns} + ${offset_ns}. */
void tick_start(struct tick *tick, int64_t start_ns, int64_t offset_ns,
                int64_t interval_ns);

/* tick_advance(tick, now_ns): moves ${next_ns} to the first instant of the grid
 * after ${now_ns} and returns how many instants were passed over on the way,
 * the one that is due not counted. */
uint64_t tick_advance(struct tick *tick, int64_t now_ns);

/* tick_started_late(tick, now_ns): a round that had to wait for its node begins
 * now; where the next instant is less than half an interval away it is left
 * out, as its values would be held back for being too close. */
void tick_started_late(struct tick *tick, int64_t now_ns);

#endif
