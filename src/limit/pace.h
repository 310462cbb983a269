/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_PACE_H
#define LIMIT_PACE_H

/* How long a node takes over one kind of request, as it went lately: a running
 * mean in four bytes, of fixed width, so that a record has room for one of
 * every kind. For people who ask what is slow; no grant depends on it. Pure. */

#include <stdint.h>

/* What is older says nothing of now. The slowest tier comes every 300 s: it is
 * missed twice before it is forgotten. */
#define PACE_RECENT_NS (INT64_C(900) * 1000000000)

struct pace { /* zeros: nothing was seen */
  uint16_t mean_ms;
  uint16_t seen; /* a stamp (stamp.h) */
};

/* pace_add(pace, handling_ns, now_ns): one request more took so long. Each
 * weighs a quarter; the first after PACE_RECENT_NS all. At most 65 s count. */
void pace_add(struct pace *pace, int64_t handling_ns, int64_t now_ns);

/* pace_ns(pace, now_ns): the mean; -1 where nothing recent was seen. */
int64_t pace_ns(const struct pace *pace, int64_t now_ns);

#endif
