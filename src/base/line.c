/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/line.h"

#include <stdio.h>

/* The length of ${text} without a UTF-8 character that a cut left incomplete at
 * its end. Bytes that are no UTF-8 stay. */
static size_t whole_len(const char *text, size_t len) {
  size_t tail = 0;
  while (tail < len && tail < 3 &&
         ((unsigned char)text[len - 1 - tail] & 0xC0) == 0x80)
    tail++;
  if (tail == len)
    return len;
  unsigned char lead = (unsigned char)text[len - 1 - tail];
  size_t need = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  return need > tail ? len - 1 - tail : len;
}

size_t line_format(char *dst, size_t size, const char *format, va_list args) {
  int wanted = vsnprintf(dst, size, format, args);
  if (wanted < 0) {
    dst[0] = 0;
    return 0;
  }
  size_t len = (size_t)wanted;
  if (len >= size) {
    len = whole_len(dst, size - 1);
    dst[len] = 0;
  }
  for (size_t i = 0; i < len; i++)
    if ((unsigned char)dst[i] < 32 || dst[i] == 127)
      dst[i] = '?';
  return len;
}
