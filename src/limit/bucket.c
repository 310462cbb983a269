/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/bucket.h"

#include "base/clock.h"

static int64_t amount(uint64_t cost) {
  return cost < BUCKET_BURST_MAX ? (int64_t)cost * BUCKET_PERMIT
                                 : (int64_t)BUCKET_BURST_MAX * BUCKET_PERMIT;
}

static int64_t need(const struct bucket_rate *rate, uint64_t cost) {
  int64_t wanted = amount(cost);
  return wanted < rate->cap ? wanted : rate->cap;
}

struct bucket_rate bucket_rate_of(uint64_t rate_milli, uint64_t burst) {
  if (rate_milli < BUCKET_RATE_MIN)
    rate_milli = BUCKET_RATE_MIN;
  if (rate_milli > BUCKET_RATE_MAX)
    rate_milli = BUCKET_RATE_MAX;
  return (struct bucket_rate){.rate_milli = rate_milli,
                              .cap = amount(burst > 0 ? burst : 1)};
}

void bucket_init(struct bucket *bucket, int64_t now_ns) {
  *bucket = (struct bucket){.level = BUCKET_PERMIT, .last_ns = now_ns};
}

void bucket_accrue(struct bucket *bucket, const struct bucket_rate *rate,
                   int64_t now_ns) {
  if (bucket->level > rate->cap)
    bucket->level = rate->cap;
  if (now_ns <= bucket->last_ns)
    return;
  uint64_t elapsed = (uint64_t)now_ns - (uint64_t)bucket->last_ns;
  uint64_t missing = (uint64_t)rate->cap - (uint64_t)bucket->level;
  uint64_t accrued;
  if (__builtin_mul_overflow(elapsed, rate->rate_milli, &accrued) ||
      accrued >= missing)
    bucket->level = rate->cap;
  else
    bucket->level += (int64_t)accrued;
  bucket->last_ns = now_ns;
}

int64_t bucket_ready_ns(const struct bucket *bucket,
                        const struct bucket_rate *rate, uint64_t cost,
                        int64_t now_ns) {
  struct bucket at_now = *bucket;
  bucket_accrue(&at_now, rate, now_ns);
  if (at_now.level >= need(rate, cost))
    return now_ns;
  uint64_t deficit = (uint64_t)need(rate, cost) - (uint64_t)at_now.level;
  int64_t wait_ns = (int64_t)((deficit - 1) / rate->rate_milli + 1);
  int64_t ready_ns;
  return __builtin_add_overflow(at_now.last_ns, wait_ns, &ready_ns)
             ? CLOCK_NEVER
             : ready_ns;
}

bool bucket_take(struct bucket *bucket, const struct bucket_rate *rate,
                 uint64_t cost, int64_t now_ns) {
  bucket_accrue(bucket, rate, now_ns);
  if (bucket->level < need(rate, cost))
    return false;
  bucket->level -= amount(cost);
  return true;
}

void bucket_give_back(struct bucket *bucket, const struct bucket_rate *rate,
                      int64_t amount_back) {
  if (__builtin_add_overflow(bucket->level, amount_back, &bucket->level) ||
      bucket->level > rate->cap)
    bucket->level = rate->cap;
}

bool bucket_is_full(const struct bucket *bucket, const struct bucket_rate *rate,
                    int64_t now_ns) {
  struct bucket at_now = *bucket;
  bucket_accrue(&at_now, rate, now_ns);
  return at_now.level == rate->cap;
}
