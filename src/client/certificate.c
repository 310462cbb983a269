/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/certificate.h"

#include "base/clock.h"
#include "base/num.h"

#include <string.h>

static bool number(const char *text, size_t len, int64_t least, int64_t most,
                   int64_t *ret) {
  while (len > 1 && (*text == ' ' || *text == '0')) {
    text++;
    len--;
  }
  int64_t value;
  if (!num_int64(text, len, &value) || value < least || value > most)
    return false;
  *ret = value;
  return true;
}

static bool month_of(const char *text, int64_t *ret) {
  static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  for (int64_t i = 0; i < 12; i++) {
    if (memcmp(text, names + 3 * i, 3) == 0) {
      *ret = i + 1;
      return true;
    }
  }
  return false;
}

/* Days since 1970-01-01 in the Gregorian calendar, with years that begin in
 * March, so that the leap day is the last of its year. */
static int64_t days_of(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2;
  int64_t since_march = (month + 9) % 12;
  int64_t day_of_year = (153 * since_march + 2) / 5 + day - 1;
  int64_t days = 365 * year + year / 4 - year / 100 + year / 400 + day_of_year;
  return days - 719468; /* of 1970-01-01 by the same count */
}

bool certificate_time(const char *text, int64_t *ret_s) {
  /* "Nov 30 13:49:03 2026 GMT" */
  static const char shape[] = "... .. ..:..:.. .... GMT";
  if (strlen(text) != sizeof(shape) - 1)
    return false;
  for (size_t i = 0; shape[i]; i++) {
    if (shape[i] != '.' && shape[i] != text[i])
      return false;
  }
  int64_t month, day, hour, minute, second, year;
  if (!month_of(text, &month) || !number(text + 4, 2, 1, 31, &day) ||
      !number(text + 7, 2, 0, 23, &hour) ||
      !number(text + 10, 2, 0, 59, &minute) ||
      !number(text + 13, 2, 0, 60, &second) ||
      !number(text + 16, 4, 1970, 9999, &year))
    return false;
  *ret_s =
      ((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
  return true;
}

int64_t certificate_left_ns(int64_t end_s, int64_t wall_ns) {
  static const int64_t last_s = INT64_MAX / CLOCK_NS_PER_S;
  return (end_s < last_s ? end_s : last_s) * CLOCK_NS_PER_S - wall_ns;
}
