/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_STAMP_H
#define LIMIT_STAMP_H

/* An instant in two bytes: 1 + the STAMP_STEP_NS that it was in, modulo 65,535:
 * unique for 12 days. 0: none. No grant depends on one. Pure. */

#include <stdint.h>

#define STAMP_STEP_NS (INT64_C(16) * 1000000000)

uint16_t stamp_at(int64_t now_ns);

/* stamp_age_ns(stamp, now_ns): how long it is past, to STAMP_STEP_NS; 0 where
 * it lies up to a minute ahead, as of a clock that was read before; -1: there
 * is none. */
int64_t stamp_age_ns(uint16_t stamp, int64_t now_ns);

#endif
