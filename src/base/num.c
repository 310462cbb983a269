/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/num.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MILLI_MAX (UINT64_C(1) << 53)

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* JSON's number, taken apart; the pointers lead into the text. */
struct parts {
  bool is_negative;
  const char *whole; /* "0" or digits without a leading 0 */
  size_t whole_len;
  const char *fraction; /* the digits behind the point */
  size_t fraction_len;
  bool has_exponent;
  long exponent; /* clamped to +-1,000,000,000 */
};

static size_t digits(const char *text, size_t len) {
  size_t n = 0;
  while (n < len && is_digit(text[n]))
    n++;
  return n;
}

/* "e" and what follows; false where it is not to the letter. */
static bool split_exponent(const char *text, size_t len, struct parts *parts) {
  size_t at = 1;
  bool is_negative = at < len && text[at] == '-';
  if (at < len && (text[at] == '-' || text[at] == '+'))
    at++;
  if (at == len || digits(text + at, len - at) != len - at)
    return false;
  long value = 0;
  for (; at < len; at++)
    value = value < 100000000 ? value * 10 + (text[at] - '0') : 1000000000;
  parts->has_exponent = true;
  parts->exponent = is_negative ? -value : value;
  return true;
}

static bool split(const char *text, size_t len, struct parts *parts) {
  *parts = (struct parts){0};
  if (len == 0)
    return false;
  size_t at = text[0] == '-';
  parts->is_negative = at == 1;
  parts->whole = text + at;
  parts->whole_len = digits(text + at, len - at);
  if (parts->whole_len == 0 || (parts->whole[0] == '0' && parts->whole_len > 1))
    return false;
  at += parts->whole_len;
  if (at < len && text[at] == '.') {
    at++;
    parts->fraction = text + at;
    parts->fraction_len = digits(text + at, len - at);
    if (parts->fraction_len == 0)
      return false;
    at += parts->fraction_len;
  }
  if (at < len && (text[at] == 'e' || text[at] == 'E'))
    return split_exponent(text + at, len - at, parts);
  return at == len;
}

/* The magnitude of an integer without fraction or exponent. */
static bool magnitude(const struct parts *parts, uint64_t *ret) {
  if (parts->fraction_len > 0 || parts->has_exponent || parts->whole_len > 20)
    return false;
  uint64_t value = 0;
  for (size_t i = 0; i < parts->whole_len; i++) {
    uint64_t digit = (uint64_t)(parts->whole[i] - '0');
    if (value > (UINT64_MAX - digit) / 10)
      return false;
    value = value * 10 + digit;
  }
  *ret = value;
  return true;
}

bool num_int64(const char *text, size_t len, int64_t *ret) {
  struct parts parts;
  uint64_t value;
  if (!split(text, len, &parts) || !magnitude(&parts, &value))
    return false;
  if (value > (uint64_t)INT64_MAX + parts.is_negative)
    return false;
  if (!parts.is_negative)
    *ret = (int64_t)value;
  else /* -2^63 has no positive counterpart */
    *ret = value == 0 ? 0 : -(int64_t)(value - 1) - 1;
  return true;
}

bool num_uint64(const char *text, size_t len, uint64_t *ret) {
  struct parts parts;
  return split(text, len, &parts) && !parts.is_negative &&
         magnitude(&parts, ret);
}

/* glibc keeps one object for the C locale: this allocates nothing. */
static bool read_real(const char *text, double *ret) {
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c_locale)
    return false;
  *ret = strtod_l(text, NULL, c_locale);
  freelocale(c_locale);
  return true;
}

bool num_real(const char *text, size_t len, double *ret) {
  struct parts parts;
  char copy[NUM_REAL_MAX + 1];
  double value;
  if (len > NUM_REAL_MAX || !split(text, len, &parts))
    return false;
  memcpy(copy, text, len);
  copy[len] = 0;
  if (!read_real(copy, &value) || !isfinite(value))
    return false;
  *ret = value;
  return true;
}

/* All digits but the zeros at both ends, as value x 10^scale. */
static bool significant(const struct parts *parts, uint64_t *ret_value,
                        long *ret_scale) {
  uint64_t value = 0;
  long zeros = 0;
  size_t len = parts->whole_len + parts->fraction_len;
  for (size_t i = 0; i < len; i++) {
    char c = i < parts->whole_len ? parts->whole[i]
                                  : parts->fraction[i - parts->whole_len];
    if (c == '0') {
      zeros += value > 0;
      continue;
    }
    for (; zeros >= 0; zeros--) {
      if (value > MILLI_MAX / 10)
        return false;
      value *= 10;
    }
    zeros = 0;
    value += (uint64_t)(c - '0');
  }
  *ret_value = value;
  *ret_scale = zeros - (long)parts->fraction_len + parts->exponent;
  return true;
}

bool num_milli(const char *text, size_t len, uint64_t *ret) {
  struct parts parts;
  uint64_t value;
  long scale;
  if (!split(text, len, &parts) || parts.is_negative ||
      !significant(&parts, &value, &scale))
    return false;
  if (value == 0) {
    *ret = 0;
    return true;
  }
  scale += 3;
  if (scale < 0)
    return false;
  for (; scale > 0 && value <= MILLI_MAX; scale--)
    value *= 10;
  if (value > MILLI_MAX)
    return false;
  *ret = value;
  return true;
}

/* Whatever the locale has between the digits becomes one point. */
static size_t mend_point(char *text) {
  size_t to = 0;
  for (size_t from = 0; text[from]; from++) {
    if (is_digit(text[from]) || strchr("e+-", text[from]))
      text[to++] = text[from];
    else if (to > 0 && text[to - 1] != '.')
      text[to++] = '.';
  }
  text[to] = 0;
  return to;
}

size_t num_format_real(char *dst, size_t size, double value) {
  char text[64] = "nan";
  size_t len = 3;
  for (int precision = 15; isfinite(value) && precision <= 17; precision++) {
    double back;
    snprintf(text, sizeof(text), "%.*g", precision, value);
    len = mend_point(text);
    if (read_real(text, &back) && !(back < value) && !(back > value))
      break;
  }
  if (size > 0)
    snprintf(dst, size, "%s", text);
  return len;
}
