/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_BUCKET_H
#define LIMIT_BUCKET_H

/* A token bucket in exact integers; pure, time is an argument.
 *
 * What accrues is elapsed_ns x rate: no division, no remainder, no drift. What
 * a level unit is depends on what the bucket holds, so that this is so at every
 * rate that may be set:
 *
 *   permits    10^-12 of one    rate in 10^-3 permits a second
 *   bytes      10^-9 of one     rate in bytes a second
 *   handling   10^-15 s         rate in 10^-6 s a second
 *
 * (Bytes in 10^-12 would overflow at 9.2 MB; a share in 10^-3 could not be
 * divided by 1,000 instances.)
 *
 * Example: 20 permits/s is rate 20,000; one permit (10^12) accrues in
 * 10^12 / 20,000 = 50,000,000 ns. With burst 1 the grants are 50 ms apart.
 *
 * The promise (I1 of the limiter's invariants): over any [a,b] the amount taken
 * is at most max(burst, largest amount) + rate x (b - a). What is charged after
 * the fact (I10) is on top of that. */

#include <stdbool.h>
#include <stdint.h>

#define BUCKET_PERMIT INT64_C(1000000000000) /* one permit, in level units */
#define BUCKET_BYTE INT64_C(1000000000)
#define BUCKET_HANDLING_NS INT64_C(1000000) /* one ns of handling */

#define BUCKET_RATE_MIN UINT64_C(1)          /* 0.001 permits a second */
#define BUCKET_RATE_MAX UINT64_C(1000000000) /* 1,000,000 permits a second */
#define BUCKET_BURST_MAX UINT64_C(1000000)   /* permits: 10^18 < 2^63 */
#define BUCKET_BYTES_RATE_MAX (UINT64_C(1) << 40)
#define BUCKET_BYTES_BURST_MAX (UINT64_C(1) << 33)
#define BUCKET_SHARE_MAX UINT64_C(64000000)              /* 64 s a second */
#define BUCKET_HANDLING_BURST_MAX INT64_C(3600000000000) /* an hour, in ns */

/* Levels are -BUCKET_LEVEL_MAX .. BUCKET_LEVEL_MAX: 2^33 bytes, and debt as
 * deep, saturate there. */
#define BUCKET_LEVEL_MAX                                                       \
  ((int64_t)BUCKET_BYTES_BURST_MAX * BUCKET_BYTE) /* 8.6 x 10^18 < 2^63 */

/* What a bucket is held to: may be shared and replaced at any time. */
struct bucket_rate {
  uint64_t rate; /* level units a ns; >= 1 */
  int64_t cap;   /* burst, in level units; >= 1 */
};

struct bucket {
  int64_t level;   /* at most the cap; below 0 is debt */
  int64_t last_ns; /* CLOCK_MONOTONIC of the last accrual; never goes back */
};

/* bucket_rate_of(rate_milli, burst): of permits. bucket_rate_of_bytes(rate,
 * burst), bucket_rate_of_handling(share_micro, burst_ns): of the others. All
 * clamped to the ranges above, a burst to at least one permit, byte or ns. */
struct bucket_rate bucket_rate_of(uint64_t rate_milli, uint64_t burst);
struct bucket_rate bucket_rate_of_bytes(uint64_t rate, uint64_t burst);
struct bucket_rate bucket_rate_of_handling(uint64_t share_micro,
                                           int64_t burst_ns);

/* bucket_amount(n, unit): ${n} permits, bytes or ns in level units (${unit} is
 * BUCKET_PERMIT, ...), at most 2^64 - 1. */
uint64_t bucket_amount(uint64_t n, int64_t unit);

/* bucket_accrue(bucket, rate, now_ns): brings ${level} up to ${now_ns}. An
 * instant before ${last_ns} accrues nothing and moves nothing. A level above a
 * cap that was lowered falls to the cap. */
void bucket_accrue(struct bucket *bucket, const struct bucket_rate *rate,
                   int64_t now_ns);

/* bucket_ready_ns(bucket, rate, amount, now_ns): the first instant, not before
 * ${now_ns}, at which bucket_take() will take ${amount} level units;
 * CLOCK_NEVER where that lies past 2^63 ns. An amount above the burst waits for
 * a full bucket, an amount of 0 until there is no debt. Changes nothing. */
int64_t bucket_ready_ns(const struct bucket *bucket,
                        const struct bucket_rate *rate, uint64_t amount,
                        int64_t now_ns);

/* bucket_take(bucket, rate, amount, now_ns): takes ${amount} level units if
 * min(amount, burst) are there, going into debt for the rest; false, and
 * nothing but the accrual changed, otherwise. */
bool bucket_take(struct bucket *bucket, const struct bucket_rate *rate,
                 uint64_t amount, int64_t now_ns);

/* bucket_charge(bucket, rate, amount, debt_max_ns, now_ns): takes ${amount}
 * that was used already, into debt as far as need be, but never so far that
 * paying it back lasts longer than ${debt_max_ns}: the rest is forgiven, and
 * false returned. A debt that is deeper already (its rate was lowered) stays as
 * it is. */
bool bucket_charge(struct bucket *bucket, const struct bucket_rate *rate,
                   uint64_t amount, int64_t debt_max_ns, int64_t now_ns);

/* bucket_give_back(bucket, rate, amount): puts ${amount} level units (>= 0)
 * back; the level never passes the cap. All of a take may be put back while it
 * is the latest. Later takes may have lived on what accrued only because of it:
 * see ceiling_give_back(). */
void bucket_give_back(struct bucket *bucket, const struct bucket_rate *rate,
                      int64_t amount);

/* bucket_is_full(bucket, rate, now_ns): only a full bucket may be forgotten.
 * Changes nothing. */
bool bucket_is_full(const struct bucket *bucket, const struct bucket_rate *rate,
                    int64_t now_ns);

#endif
