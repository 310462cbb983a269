/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* The only place that reads a clock. Everything else takes an instant as an
 * argument, read immediately before the call, and never stores another's. */

#include <stdint.h>

#define CLOCK_NS_PER_S INT64_C(1000000000)
#define CLOCK_NS_PER_MS INT64_C(1000000)
#define CLOCK_NEVER INT64_MAX

/* clock_mono_ns(): CLOCK_MONOTONIC in ns; every deadline and bucket uses it. */
int64_t clock_mono_ns(void);

/* clock_wall_ns(): CLOCK_REALTIME in ns since 1970; for time stamps alone. */
int64_t clock_wall_ns(void);

#endif
