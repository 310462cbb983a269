/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct text *text, size_t len) {
  size_t size = text->size > 0 ? text->size : 256;
  char *bytes;

  if (text->len + len + 1 <= text->size)
    return;
  while (size < text->len + len + 1)
    size *= 2;
  bytes = realloc(text->bytes, size);
  if (bytes == NULL) {
    fputs("simnode: out of memory\n", stderr);
    exit(1);
  }
  text->bytes = bytes;
  text->size = size;
}

void text_add(struct text *text, const void *bytes, size_t len) {
  reserve(text, len);
  if (len > 0)
    memcpy(text->bytes + text->len, bytes, len);
  text->len += len;
  text->bytes[text->len] = '\0';
}

void text_addz(struct text *text, const char *string) {
  text_add(text, string, strlen(string));
}

void text_number(struct text *text, int64_t number) {
  char digits[24];
  size_t at = sizeof digits;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

  do {
    digits[--at] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  if (number < 0)
    digits[--at] = '-';
  text_add(text, digits + at, sizeof digits - at);
}

void text_json(struct text *text, const char *bytes, size_t len, bool slashes) {
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)bytes[i];
    char escaped[8];

    if (c == '"' || c == '\\' || (c == '/' && slashes)) {
      escaped[0] = '\\';
      escaped[1] = (char)c;
      text_add(text, escaped, 2);
    } else if (c == '\n') {
      text_add(text, "\\n", 2);
    } else if (c == '\t') {
      text_add(text, "\\t", 2);
    } else if (c < 0x20) {
      snprintf(escaped, sizeof escaped, "\\u%04x", c);
      text_add(text, escaped, 6);
    } else {
      text_add(text, &bytes[i], 1);
    }
  }
}

void text_quote(struct text *text, const char *string, bool slashes) {
  text_add(text, "\"", 1);
  text_json(text, string, strlen(string), slashes);
  text_add(text, "\"", 1);
}

void text_free(struct text *text) {
  free(text->bytes);
  *text = (struct text){0};
}
