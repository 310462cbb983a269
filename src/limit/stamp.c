/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/stamp.h"

#define STEPS INT64_C(65535)
#define AHEAD_STEPS 4 /* a minute */

static int64_t step_of(int64_t now_ns) {
  return now_ns / STAMP_STEP_NS % STEPS;
}

uint16_t stamp_at(int64_t now_ns) { return (uint16_t)(1 + step_of(now_ns)); }

int64_t stamp_age_ns(uint16_t stamp, int64_t now_ns) {
  if (stamp == 0)
    return -1;
  int64_t steps = (step_of(now_ns) - (stamp - 1) + STEPS) % STEPS;
  return steps < STEPS - AHEAD_STEPS ? steps * STAMP_STEP_NS : 0;
}
