/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/bucket.h"

#include "base/clock.h"

static uint64_t clamp(uint64_t value, uint64_t min, uint64_t max) {
  return value < min ? min : value > max ? max : value;
}

struct bucket_rate bucket_rate_of(uint64_t rate_milli, uint64_t burst) {
  return (struct bucket_rate){
      .rate = clamp(rate_milli, BUCKET_RATE_MIN, BUCKET_RATE_MAX),
      .cap = (int64_t)clamp(burst, 1, BUCKET_BURST_MAX) * BUCKET_PERMIT};
}

struct bucket_rate bucket_rate_of_bytes(uint64_t rate, uint64_t burst) {
  return (struct bucket_rate){
      .rate = clamp(rate, 1, BUCKET_BYTES_RATE_MAX),
      .cap = (int64_t)clamp(burst, 1, BUCKET_BYTES_BURST_MAX) * BUCKET_BYTE};
}

struct bucket_rate bucket_rate_of_handling(uint64_t share_micro,
                                           int64_t burst_ns) {
  uint64_t burst = burst_ns > 0 ? (uint64_t)burst_ns : 1;
  return (struct bucket_rate){
      .rate = clamp(share_micro, 1, BUCKET_SHARE_MAX),
      .cap = (int64_t)clamp(burst, 1, BUCKET_HANDLING_BURST_MAX) *
             BUCKET_HANDLING_NS};
}

uint64_t bucket_amount(uint64_t n, int64_t unit) {
  uint64_t amount;
  return __builtin_mul_overflow(n, (uint64_t)unit, &amount) ? UINT64_MAX
                                                            : amount;
}

/* From ${low} up to ${high}, which may be 1.7 x 10^19 away. */
static uint64_t distance(int64_t low, int64_t high) {
  return (uint64_t)high - (uint64_t)low;
}

static int64_t need(const struct bucket_rate *rate, uint64_t amount) {
  return amount < (uint64_t)rate->cap ? (int64_t)amount : rate->cap;
}

static void lower(struct bucket *bucket, uint64_t amount, int64_t bottom) {
  if (bucket->level <= bottom)
    return;
  if (amount >= distance(bottom, bucket->level))
    bucket->level = bottom;
  else
    bucket->level = (int64_t)((uint64_t)bucket->level - amount);
}

void bucket_accrue(struct bucket *bucket, const struct bucket_rate *rate,
                   int64_t now_ns) {
  if (bucket->level > rate->cap)
    bucket->level = rate->cap;
  if (now_ns <= bucket->last_ns)
    return;
  uint64_t accrued;
  if (__builtin_mul_overflow(distance(bucket->last_ns, now_ns), rate->rate,
                             &accrued) ||
      accrued >= distance(bucket->level, rate->cap))
    bucket->level = rate->cap;
  else
    bucket->level = (int64_t)((uint64_t)bucket->level + accrued);
  bucket->last_ns = now_ns;
}

int64_t bucket_ready_ns(const struct bucket *bucket,
                        const struct bucket_rate *rate, uint64_t amount,
                        int64_t now_ns) {
  struct bucket at_now = *bucket;
  bucket_accrue(&at_now, rate, now_ns);
  if (at_now.level >= need(rate, amount))
    return now_ns;
  uint64_t deficit = distance(at_now.level, need(rate, amount));
  uint64_t wait_ns = (deficit - 1) / rate->rate + 1;
  int64_t ready_ns;
  return __builtin_add_overflow(at_now.last_ns, wait_ns, &ready_ns)
             ? CLOCK_NEVER
             : ready_ns;
}

bool bucket_take(struct bucket *bucket, const struct bucket_rate *rate,
                 uint64_t amount, int64_t now_ns) {
  bucket_accrue(bucket, rate, now_ns);
  if (bucket->level < need(rate, amount))
    return false;
  lower(bucket, amount, -BUCKET_LEVEL_MAX);
  return true;
}

bool bucket_charge(struct bucket *bucket, const struct bucket_rate *rate,
                   uint64_t amount, int64_t debt_max_ns, int64_t now_ns) {
  uint64_t deepest = bucket_amount(rate->rate, debt_max_ns);
  int64_t bottom = deepest < (uint64_t)BUCKET_LEVEL_MAX ? -(int64_t)deepest
                                                        : -BUCKET_LEVEL_MAX;
  bucket_accrue(bucket, rate, now_ns);
  bool is_whole = bucket->level >= bottom
                      ? amount <= distance(bottom, bucket->level)
                      : amount == 0;
  lower(bucket, amount, bottom);
  return is_whole;
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
