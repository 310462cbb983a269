/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_ESCAPE_H
#define JOLOKIA_ESCAPE_H

/* What stands between the quotes of a JSON string. Private to the reader of
 * replies. */

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* escape_find_bytes(word, byte): the high bit of each byte of ${word} that is
 * ${byte}; exact for the lowest such byte, which is all that is asked of it. */
static inline uint64_t escape_find_bytes(uint64_t word, unsigned char byte) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  uint64_t zeros = word ^ (ones * byte);
  return (zeros - ones) & ~zeros & (ones << 7);
}

/* escape_span(p, end): the first " or \ from ${p} on, or ${end}. Eight bytes at
 * a time: most values of a listing are shorter, and a call to memchr costs more
 * than the search. */
static inline const char *escape_span(const char *p, const char *end) {
  for (; end - p >= 8; p += 8) {
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    word = le64toh(word);
    uint64_t hits =
        escape_find_bytes(word, '"') | escape_find_bytes(word, '\\');
    if (hits)
      return p + __builtin_ctzll(hits) / 8;
  }
  while (p < end && *p != '"' && *p != '\\')
    p++;
  return p;
}

/* escape_undo(dst, src, len, ret_len): writes at most ${len} bytes; ${dst}
 * may be ${src}. Half of a surrogate pair becomes U+FFFD, as json-c has it.
 * false for a broken escape or a bare quote: ${dst} is then spoilt. */
bool escape_undo(char *dst, const char *src, size_t len, size_t *ret_len);

/* escape_line(dst, size, src, len): the same for people: one line of at most
 * ${size} - 1 bytes and a 0, control characters as spaces, what is broken as
 * '?'. */
void escape_line(char *dst, size_t size, const char *src, size_t len);

#endif
