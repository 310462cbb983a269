/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/duration.h"

#include "base/clock.h"
#include "base/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MINUTE INT64_C(60)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

static const struct {
  char letter;
  int64_t seconds;
} units[] = {{'s', 1}, {'m', MINUTE}, {'h', HOUR}, {'d', DAY}};
#define UNITS_N (sizeof(units) / sizeof(*units))

bool duration_read(const char *text, int64_t max_ns, int64_t *ret) {
  size_t len = strlen(text);
  int64_t n, ns;
  if (len < 2 || !num_int64(text, len - 1, &n) || n < 1)
    return false;
  for (size_t i = 0; i < UNITS_N; i++) {
    if (units[i].letter != text[len - 1])
      continue;
    if (__builtin_mul_overflow(n, units[i].seconds * CLOCK_NS_PER_S, &ns) ||
        ns > max_ns)
      return false;
    *ret = ns;
    return true;
  }
  return false;
}

void duration_text(char *dst, int64_t ns) {
  int64_t seconds = ns / CLOCK_NS_PER_S;
  if (seconds < MINUTE) {
    int64_t tenths = ns / (CLOCK_NS_PER_S / 10);
    snprintf(dst, DURATION_TEXT_SIZE, "%" PRId64 ".%" PRId64 " s", tenths / 10,
             tenths % 10);
    return;
  }
  size_t large = seconds < HOUR ? 1 : seconds < DAY ? 2 : 3;
  int64_t rest = seconds % units[large].seconds;
  snprintf(dst, DURATION_TEXT_SIZE, "%" PRId64 "%c %" PRId64 "%c",
           seconds / units[large].seconds, units[large].letter,
           rest / units[large - 1].seconds, units[large - 1].letter);
}
