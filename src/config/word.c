/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/word.h"

#include <stdbool.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static size_t digits(const char *text, size_t len) {
  size_t n = 0;
  while (n < len && is_digit(text[n]))
    n++;
  return n;
}

size_t word_plain(const char *text, size_t len) {
  size_t n = 0;
  while (n < len && (is_digit(text[n]) || (text[n] >= 'a' && text[n] <= 'z') ||
                     (text[n] >= 'A' && text[n] <= 'Z') || text[n] == '_'))
    n++;
  return n;
}

static size_t exponent(const char *text, size_t len) {
  if (len < 3 || (text[0] != 'e' && text[0] != 'E') ||
      (text[1] != '+' && text[1] != '-'))
    return 0;
  size_t n = digits(text + 2, len - 2);
  return n ? 2 + n : 0;
}

static size_t hexadecimal(const char *text, size_t len) {
  if (len < 3 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
    return 0;
  size_t n = 2;
  while (n < len && is_hex(text[n]))
    n++;
  return n > 2 ? n : 0;
}

size_t word_number(const char *text, size_t len) {
  size_t hex = hexadecimal(text, len);
  if (hex)
    return hex;
  size_t sign = len > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  size_t whole = digits(text + sign, len - sign);
  size_t at = sign + whole;
  size_t fraction =
      at + 1 < len && text[at] == '.' ? digits(text + at + 1, len - at - 1) : 0;
  if (fraction == 0)
    return whole ? at : 0;
  at += 1 + fraction;
  return at + exponent(text + at, len - at);
}

/* The longest decimal of at most ${max} without a leading zero. */
static size_t decimal_up_to(const char *text, size_t len, unsigned max) {
  if (len > 0 && text[0] == '0')
    return 1;
  unsigned value = 0;
  size_t n = 0;
  for (; n < len && is_digit(text[n]); n++) {
    value = value * 10 + (unsigned)(text[n] - '0');
    if (value > max)
      break;
  }
  return n;
}

static size_t port(const char *text, size_t len) {
  if (len < 2 || text[0] != ':' || text[1] == '0')
    return 0;
  size_t n = decimal_up_to(text + 1, len - 1, 65535);
  return n ? 1 + n : 0;
}

static size_t ipv4(const char *text, size_t len) {
  size_t at = 0;
  for (int i = 0; i < 3; i++) {
    size_t n = decimal_up_to(text + at, len - at, 255);
    at += n;
    if (n == 0 || at == len || text[at] != '.')
      return 0;
    at++;
  }
  size_t n = decimal_up_to(text + at, len - at, 255);
  if (n == 0)
    return 0;
  at += n;
  return at + port(text + at, len - at);
}

/* The groups of one side of "::", or of an address without it: their number, an
 * IPv4 address as the last counting two; -1 where it is not of that form. */
static int groups(const char *text, size_t len, bool may_end_ipv4) {
  int n = 0;
  size_t at = 0;
  while (at < len) {
    if (may_end_ipv4 && ipv4(text + at, len - at) == len - at)
      return n + 2;
    size_t digits_here = 0;
    while (at + digits_here < len && is_hex(text[at + digits_here]))
      digits_here++;
    at += digits_here;
    if (digits_here == 0 || digits_here > 4)
      return -1;
    n++;
    if (at == len)
      return n;
    if (text[at] != ':' || at + 1 == len)
      return -1;
    at++;
  }
  return n;
}

static bool is_ipv6(const char *text, size_t len) {
  for (size_t i = 0; i + 1 < len; i++) {
    if (text[i] != ':' || text[i + 1] != ':')
      continue;
    int left = groups(text, i, false);
    int right = groups(text + i + 2, len - i - 2, true);
    return left >= 0 && right >= 0 && left + right <= 7;
  }
  return groups(text, len, true) == 8;
}

/* Seven groups, an IPv4 address with its port. */
enum { IPV6_MAX = 7 * 5 + 21 };

static size_t ipv6(const char *text, size_t len) {
  size_t n = 0;
  size_t colons = 0;
  while (n < len && n < IPV6_MAX &&
         (is_hex(text[n]) || text[n] == ':' || text[n] == '.'))
    colons += text[n++] == ':';
  if (colons < 2)
    return 0;
  while (n > 1 && !is_ipv6(text, n))
    n--;
  return n > 1 ? n : 0;
}

size_t word_address(const char *text, size_t len) {
  if (len > 0 && text[0] == '[') {
    size_t n = ipv6(text + 1, len - 1);
    while (n > 1 &&
           (1 + n >= len || text[1 + n] != ']' || !is_ipv6(text + 1, n)))
      n--;
    return n > 1 ? n + 2 + port(text + n + 2, len - n - 2) : 0;
  }
  size_t v6 = ipv6(text, len);
  size_t v4 = ipv4(text, len);
  return v6 > v4 ? v6 : v4;
}
