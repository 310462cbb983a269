/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef SUPPORT_PRNG_H
#define SUPPORT_PRNG_H

/* Random schedules that are the same in every run: xorshift64* (Vigna, "An
 * experimental exploration of Marsaglia's xorshift generators, scrambled"). */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct prng {
  uint64_t state; /* not 0 */
};

static inline struct prng prng_seeded(uint64_t seed) {
  return (struct prng){seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
}

static inline uint64_t prng_next(struct prng *prng) {
  prng->state ^= prng->state >> 12;
  prng->state ^= prng->state << 25;
  prng->state ^= prng->state >> 27;
  return prng->state * UINT64_C(0x2545f4914f6cdd1d);
}

/* 0 .. n - 1 */
static inline uint64_t prng_below(struct prng *prng, uint64_t n) {
  return (prng_next(prng) >> 11) % n;
}

static inline bool prng_one_in(struct prng *prng, uint64_t n) {
  return prng_below(prng, n) == 0;
}

/* 1 .. max, every number of binary digits alike. */
static inline uint64_t prng_scaled(struct prng *prng, uint64_t max) {
  uint64_t digits = 0;
  while (digits < 63 && max >> digits > 1)
    digits++;
  uint64_t value =
      1 + prng_below(prng, UINT64_C(1) << prng_below(prng, digits + 1));
  return value < max ? value : max;
}

/* For properties that are checked millions of times: libcheck notes every
 * assertion that holds, which takes longer than the property itself. */
#define REQUIRE(condition, schedule, step)                                     \
  do {                                                                         \
    if (!(condition))                                                          \
      ck_abort_msg("schedule %llu, step %d: %s",                               \
                   (unsigned long long)(schedule), (int)(step), #condition);   \
  } while (0)

#endif
