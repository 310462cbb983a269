/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"

#include <time.h>

static int64_t read_ns(clockid_t id) {
  struct timespec ts;
  if (clock_gettime(id, &ts) != 0)
    return 0;
  return (int64_t)ts.tv_sec * CLOCK_NS_PER_S + ts.tv_nsec;
}

int64_t clock_mono_ns(void) { return read_ns(CLOCK_MONOTONIC); }

int64_t clock_wall_ns(void) { return read_ns(CLOCK_REALTIME); }
