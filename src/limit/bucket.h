/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_BUCKET_H
#define LIMIT_BUCKET_H

/* A token bucket in exact integers; pure, time is an argument.
 *
 * Levels are in 10^-12 permits and rates in 10^-3 permits a second, so that
 * what accrues is elapsed_ns x rate_milli: no division, no remainder, no drift
 * at any decimal rate from 0.001/s.
 *
 * Example: 20/s is rate_milli 20,000; one permit (10^12) accrues in
 * 10^12 / 20,000 = 50,000,000 ns. With burst 1 the grants are 50 ms apart.
 *
 * The promise (I1 of the limiter's invariants): over any [a,b] the cost taken
 * is at most max(burst, largest cost) + rate x (b - a). */

#include <stdbool.h>
#include <stdint.h>

#define BUCKET_PERMIT INT64_C(1000000000000) /* one permit, in level units */
#define BUCKET_RATE_MIN UINT64_C(1)          /* 0.001 permits a second */
#define BUCKET_RATE_MAX UINT64_C(1000000000) /* 1,000,000 permits a second */
#define BUCKET_BURST_MAX UINT64_C(1000000)   /* permits: 10^18 < 2^63 */

/* What a bucket is held to: may be shared and replaced at any time. */
struct bucket_rate {
  uint64_t rate_milli; /* BUCKET_RATE_MIN .. BUCKET_RATE_MAX */
  int64_t cap;         /* burst, in level units; >= BUCKET_PERMIT */
};

struct bucket {
  int64_t level;   /* -10^18 .. cap; below 0 is debt */
  int64_t last_ns; /* CLOCK_MONOTONIC of the last accrual; never goes back */
};

/* bucket_rate_of(rate_milli, burst): both clamped to the ranges above. */
struct bucket_rate bucket_rate_of(uint64_t rate_milli, uint64_t burst);

/* bucket_init(bucket, now_ns): a new bucket holds one permit, whatever its
 * burst: no re-registration grants more. */
void bucket_init(struct bucket *bucket, int64_t now_ns);

/* bucket_accrue(bucket, rate, now_ns): brings ${level} up to ${now_ns}. An
 * instant before ${last_ns} accrues nothing and moves nothing. A level above a
 * cap that was lowered falls to the cap. */
void bucket_accrue(struct bucket *bucket, const struct bucket_rate *rate,
                   int64_t now_ns);

/* bucket_ready_ns(bucket, rate, cost, now_ns): the first instant, not before
 * ${now_ns}, at which bucket_take() will take ${cost} permits; CLOCK_NEVER
 * where that lies past 2^63 ns. A cost above the burst waits for a full bucket.
 * Changes nothing. */
int64_t bucket_ready_ns(const struct bucket *bucket,
                        const struct bucket_rate *rate, uint64_t cost,
                        int64_t now_ns);

/* bucket_take(bucket, rate, cost, now_ns): takes ${cost} (1 ..
 * BUCKET_BURST_MAX; more counts as that) permits if min(cost, burst) are there,
 * going into debt for the rest; false, and nothing but the accrual changed,
 * otherwise. */
bool bucket_take(struct bucket *bucket, const struct bucket_rate *rate,
                 uint64_t cost, int64_t now_ns);

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
