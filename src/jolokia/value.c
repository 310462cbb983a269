/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/value.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>

#define FAULT_MARK "ERROR: "

bool value_is_valid_text(const char *text, size_t len) {
  return !memchr(text, 0, len) && text_utf8_length(text, len) == len;
}

static bool is_word(const char *text, size_t len, const char *word) {
  return len == strlen(word) && memcmp(text, word, len) == 0;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The type of a string that reads as something else. */
static enum value_type type_of_text(struct value *value, const char *text,
                                    size_t len) {
  if (is_digit(text[0]) || text[0] == '-') {
    if (num_int64(text, len, &value->integer))
      return VALUE_INT;
    if (num_real(text, len, &value->real))
      return VALUE_REAL;
  }
  value->integer = is_word(text, len, "true");
  if (value->integer || is_word(text, len, "false"))
    return VALUE_BOOL;
  return VALUE_TEXT;
}

bool value_of_text(struct value *value, const char *text, size_t len,
                   bool knows_faults) {
  size_t mark = sizeof(FAULT_MARK) - 1;
  *value = (struct value){.type = VALUE_TEXT, .text = text, .text_len = len};
  if (len == 0)
    return true;
  value->type = type_of_text(value, text, len);
  value->was_text = value->type != VALUE_TEXT;
  if (value->was_text)
    return true;
  if (knows_faults && len >= mark && memcmp(text, FAULT_MARK, mark) == 0) {
    value->type = VALUE_FAULT;
    value->text += mark;
    value->text_len -= mark;
  }
  return value_is_valid_text(text, len);
}

static void value_of_number(struct value *value, const char *text, size_t len) {
  *value = (struct value){.type = VALUE_INT};
  if (num_int64(text, len, &value->integer))
    return;
  value->type = VALUE_REAL;
  if (!num_real(text, len, &value->real))
    value_of_nested(value, text, len);
}

static bool value_of_word(struct value *value, const char *text, size_t len) {
  static const struct {
    const char *word;
    struct value value;
  } words[] = {{"null", {.type = VALUE_NULL}},
               {"true", {.type = VALUE_BOOL, .integer = 1}},
               {"false", {.type = VALUE_BOOL}},
               {"NaN", {.type = VALUE_NULL}},
               {"Infinity", {.type = VALUE_NULL}},
               {"-Infinity", {.type = VALUE_NULL}}};
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    if (!is_word(text, len, words[i].word))
      continue;
    *value = words[i].value;
    return true;
  }
  return false;
}

bool value_of_scalar(struct value *value, const char *text, size_t len) {
  size_t sign = len > 0 && text[0] == '-';
  if (len <= sign || !is_digit(text[sign]))
    return value_of_word(value, text, len);
  value_of_number(value, text, len);
  return true;
}

void value_of_nested(struct value *value, const char *text, size_t len) {
  *value = (struct value){.type = VALUE_OTHER, .text = text, .text_len = len};
}
