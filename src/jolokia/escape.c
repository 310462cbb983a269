/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/escape.h"

#include "base/text.h"

#define ESCAPE_MAX 12 /* bytes: a surrogate pair */

static bool hex4(const char *p, const char *end, uint32_t *ret) {
  uint32_t value = 0;
  if (end - p < 4)
    return false;
  for (int i = 0; i < 4; i++) {
    char c = p[i];
    uint32_t digit;
    if (c >= '0' && c <= '9')
      digit = (uint32_t)(c - '0');
    else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
      digit = (uint32_t)((c | 0x20) - 'a' + 10);
    else
      return false;
    value = value << 4 | digit;
  }
  *ret = value;
  return true;
}

static size_t encode(char *dst, uint32_t c) {
  if (c < 0x80) {
    dst[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    dst[0] = (char)(0xc0 | c >> 6);
    dst[1] = (char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c < 0x10000) {
    dst[0] = (char)(0xe0 | c >> 12);
    dst[1] = (char)(0x80 | (c >> 6 & 0x3f));
    dst[2] = (char)(0x80 | (c & 0x3f));
    return 3;
  }
  dst[0] = (char)(0xf0 | c >> 18);
  dst[1] = (char)(0x80 | (c >> 12 & 0x3f));
  dst[2] = (char)(0x80 | (c >> 6 & 0x3f));
  dst[3] = (char)(0x80 | (c & 0x3f));
  return 4;
}

/* \uXXXX or a pair of them; ${p} stands behind the u. */
static size_t unicode_escape(const char *p, const char *end, char *dst,
                             size_t *ret_len) {
  uint32_t unit;
  uint32_t low;
  if (!hex4(p, end, &unit))
    return 0;
  if (unit >= 0xd800 && unit <= 0xdbff && end - p >= 10 && p[4] == '\\' &&
      p[5] == 'u' && hex4(p + 6, end, &low) && low >= 0xdc00 && low <= 0xdfff) {
    *ret_len = encode(dst, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
    return ESCAPE_MAX;
  }
  *ret_len = encode(dst, unit >= 0xd800 && unit <= 0xdfff ? 0xfffd : unit);
  return 6;
}

/* The escape whose backslash is at ${p}: the bytes it takes, 0 if broken. It
 * never becomes longer than it was. */
static size_t one_escape(const char *p, const char *end, char dst[4],
                         size_t *ret_len) {
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  if (end - p < 2)
    return 0;
  if (p[1] == 'u')
    return unicode_escape(p + 2, end, dst, ret_len);
  const char *found = memchr(from, p[1], sizeof(from) - 1);
  if (!found)
    return 0;
  dst[0] = to[found - from];
  *ret_len = 1;
  return 2;
}

bool escape_undo(char *dst, const char *src, size_t len, size_t *ret_len) {
  const char *end = src + len;
  char *out = dst;
  for (;;) {
    const char *stop = escape_span(src, end);
    memmove(out, src, (size_t)(stop - src));
    out += stop - src;
    if (stop == end)
      break;
    char bytes[4];
    size_t n = 0;
    size_t taken = *stop == '\\' ? one_escape(stop, end, bytes, &n) : 0;
    if (taken == 0)
      return false;
    memcpy(out, bytes, n);
    out += n;
    src = stop + taken;
  }
  *ret_len = (size_t)(out - dst);
  return true;
}

/* The character at ${src}, which has no escape: its bytes, 0 if broken. */
static size_t character(const char *src, size_t left, char dst[4]) {
  unsigned char first = (unsigned char)src[0];
  size_t n = 1;
  if (first >= 0xc0)
    n = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (n > left || text_utf8_length(src, n) != n)
    return 0;
  memcpy(dst, src, n);
  return n;
}

void escape_line(char *dst, size_t size, const char *src, size_t len) {
  const char *end = src + len;
  size_t used = 0;
  while (src < end) {
    char bytes[4];
    size_t left = (size_t)(end - src);
    size_t n = 0;
    size_t taken = *src == '\\' ? one_escape(src, end, bytes, &n)
                                : character(src, left, bytes);
    if (*src != '\\')
      n = taken;
    if (taken == 0 && left < ESCAPE_MAX)
      break; /* cut off within a character or an escape */
    if (taken == 0)
      bytes[0] = '?';
    n = taken ? n : 1;
    if (n == 1 && ((unsigned char)bytes[0] < 0x20 || bytes[0] == 0x7f))
      bytes[0] = ' ';
    if (used + n >= size)
      break;
    memcpy(dst + used, bytes, n);
    used += n;
    src += taken ? taken : 1;
  }
  dst[used] = 0;
}
