/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/levels.h"

#include "base/clock.h"

static const char *const names[UNIT_COUNT] = {
    [UNIT_REQUESTS] = "requests",   [UNIT_CHANGES] = "changes",
    [UNIT_BYTES] = "bytes",         [UNIT_HANDLING] = "handling",
    [UNIT_IN_FLIGHT] = "in_flight", [UNIT_HOLD] = "hold",
    [UNIT_SHARED] = "shared",
};

const char *unit_name(enum unit unit) { return names[unit]; }

void levels_init(struct levels *levels, const struct levels_rates *rates,
                 int64_t now_ns) {
  static const int64_t first[UNIT_BUCKETS] = {
      [UNIT_REQUESTS] = BUCKET_PERMIT,
      [UNIT_CHANGES] = LEVELS_FIRST_CHANGES * BUCKET_PERMIT,
  };
  *levels = (struct levels){0};
  for (int i = 0; i < UNIT_BUCKETS; i++) {
    int64_t cap = rates->unit[i].cap;
    levels->bucket[i].level = first[i] < cap ? first[i] : cap;
    levels->bucket[i].last_ns = now_ns;
  }
}

void levels_accrue(struct levels *levels, const struct levels_rates *rates,
                   int64_t now_ns) {
  for (int i = 0; i < UNIT_BUCKETS; i++)
    bucket_accrue(&levels->bucket[i], &rates->unit[i], now_ns);
}

void levels_rates_divide(struct levels_rates *rates, uint64_t n) {
  for (int i = 0; i < UNIT_BUCKETS; i++) {
    struct bucket_rate *rate = &rates->unit[i];
    int64_t least = i < UNIT_PREPAID ? BUCKET_PERMIT : 1;
    rate->rate = rate->rate > n ? rate->rate / n : 1;
    rate->cap = rate->cap / (int64_t)n > least ? rate->cap / (int64_t)n : least;
  }
}

static int64_t worth_ns(const struct bucket_rate *rate, uint64_t amount) {
  uint64_t ns = amount / rate->rate;
  return ns < CLOCK_NEVER ? (int64_t)ns : CLOCK_NEVER;
}

int64_t levels_worth_ns(const struct levels_rates *rates, uint64_t bytes,
                        int64_t handling_ns) {
  uint64_t handling = handling_ns > 0 ? (uint64_t)handling_ns : 0;
  int64_t bytes_ns =
      worth_ns(&rates->unit[UNIT_BYTES], bucket_amount(bytes, BUCKET_BYTE));
  int64_t work_ns = worth_ns(&rates->unit[UNIT_HANDLING],
                             bucket_amount(handling, BUCKET_HANDLING_NS));
  return bytes_ns > work_ns ? bytes_ns : work_ns;
}

int64_t levels_now_ns(const struct levels *levels, int64_t now_ns) {
  int64_t seen_ns = levels->bucket[UNIT_REQUESTS].last_ns;
  return now_ns > seen_ns ? now_ns : seen_ns;
}

bool levels_are_full(const struct levels *levels,
                     const struct levels_rates *rates, int64_t now_ns) {
  int64_t at_ns = levels_now_ns(levels, now_ns);
  if (at_ns < levels->hold_until_ns || at_ns < levels->operator_hold_until_ns)
    return false;
  for (int i = 0; i < UNIT_BUCKETS; i++)
    if (!bucket_is_full(&levels->bucket[i], &rates->unit[i], now_ns))
      return false;
  return true;
}
