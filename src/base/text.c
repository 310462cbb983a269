/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/text.h"

#include <stdint.h>
#include <string.h>

#define DEL 0x7f

/* Of the character that begins here; 0: none does. */
static size_t character_length(const unsigned char *text, size_t len) {
  static const struct {
    unsigned char first, last; /* lead bytes */
    size_t len;
    unsigned char low, high; /* of the second byte */
  } forms[] = {
      {0x00, 0x7f, 1, 0, 0},       {0xc2, 0xdf, 2, 0x80, 0xbf},
      {0xe0, 0xe0, 3, 0xa0, 0xbf}, {0xe1, 0xec, 3, 0x80, 0xbf},
      {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
      {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf},
      {0xf4, 0xf4, 4, 0x80, 0x8f},
  };
  for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
    if (text[0] < forms[i].first || text[0] > forms[i].last)
      continue;
    if (forms[i].len > len)
      return 0;
    if (forms[i].len > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
      return 0;
    for (size_t k = 2; k < forms[i].len; k++)
      if ((text[k] & 0xc0) != 0x80)
        return 0;
    return forms[i].len;
  }
  return 0;
}

size_t text_utf8_length(const char *text, size_t len) {
  size_t at = 0;
  while (at < len) {
    /* most names are ASCII: eight bytes at a time */
    uint64_t word = UINT64_MAX;
    if (len - at >= sizeof(word))
      memcpy(&word, text + at, sizeof(word));
    if (!(word & UINT64_C(0x8080808080808080))) {
      at += sizeof(word);
      continue;
    }
    if (!(text[at] & '\x80')) {
      at++;
      continue;
    }
    size_t step = character_length((const unsigned char *)text + at, len - at);
    if (step == 0)
      break;
    at += step;
  }
  return at;
}

static void add_control(struct buf *out, unsigned char c) {
  static const char from[] = "\b\f\n\r\t";
  static const char to[] = "bfnrt";
  const char *found = memchr(from, c, sizeof(from) - 1);
  if (found)
    buf_printf(out, "\\%c", to[found - from]);
  else
    buf_printf(out, "\\u%04x", c);
}

enum status text_add_json(struct buf *out, const char *text, size_t len) {
  buf_add(out, "\"", 1);
  size_t begin = 0; /* of what is not appended yet */
  for (size_t i = 0; i < len;) {
    const unsigned char *at = (const unsigned char *)text + i;
    size_t step = character_length(at, len - i);
    if (step > 0 && *at >= ' ' && *at != '"' && *at != '\\' && *at != DEL) {
      i += step;
      continue;
    }
    buf_add(out, text + begin, i - begin);
    begin = ++i;
    if (step == 0)
      buf_add_text(out, "\xef\xbf\xbd");
    else if (*at < ' ' || *at == DEL)
      add_control(out, *at);
    else
      buf_printf(out, "\\%c", *at);
  }
  buf_add(out, text + begin, len - begin);
  return buf_add(out, "\"", 1);
}
