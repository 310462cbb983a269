/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/pace.h"

#include "limit/stamp.h"

#define NS_PER_MS INT64_C(1000000)

int64_t pace_ns(const struct pace *pace, int64_t now_ns) {
  int64_t age_ns = stamp_age_ns(pace->seen, now_ns);
  if (age_ns < 0 || age_ns > PACE_RECENT_NS)
    return -1;
  return pace->mean_ms * NS_PER_MS;
}

static int64_t to_ms(int64_t ns) {
  int64_t ms = ns / NS_PER_MS + (ns % NS_PER_MS >= NS_PER_MS / 2);
  return ms < 0 ? 0 : ms > UINT16_MAX ? UINT16_MAX : ms;
}

void pace_add(struct pace *pace, int64_t handling_ns, int64_t now_ns) {
  int64_t ms = to_ms(handling_ns);
  int64_t off = ms - pace->mean_ms;
  /* Away from zero: a mean in whole milliseconds arrives all the same. */
  int64_t quarter = (off + (off > 0 ? 3 : off < 0 ? -3 : 0)) / 4;
  if (pace_ns(pace, now_ns) >= 0)
    ms = pace->mean_ms + quarter;
  pace->mean_ms = (uint16_t)ms;
  pace->seen = stamp_at(now_ns);
}
