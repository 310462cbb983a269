/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/scan.h"

#include "base/num.h"
#include "config/word.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* collectd takes a backspace for white space. */
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\b'; }

/* The length of a backslash and a line break at ${at}; 0 if there is none. */
static size_t joint_at(const struct scanner *scanner, size_t at) {
  const char *text = scanner->text + at;
  size_t left = scanner->len - at;
  if (left >= 2 && text[0] == '\\' && text[1] == '\n')
    return 2;
  if (left >= 3 && text[0] == '\\' && text[1] == '\r' && text[2] == '\n')
    return 3;
  return 0;
}

static void skip_blanks(struct scanner *scanner) {
  while (scanner->at < scanner->len) {
    size_t joint = joint_at(scanner, scanner->at);
    if (joint) {
      scanner->at += joint;
      scanner->line++;
    } else if (is_space(scanner->text[scanner->at])) {
      scanner->at++;
    } else if (scanner->text[scanner->at] == '#') {
      const char *start = scanner->text + scanner->at;
      const char *end = memchr(start, '\n', scanner->len - scanner->at);
      scanner->at = end ? (size_t)(end - scanner->text) : scanner->len;
    } else {
      break;
    }
  }
}

void scan_skip_line(struct scanner *scanner) {
  while (scanner->at < scanner->len) {
    size_t joint = joint_at(scanner, scanner->at);
    scanner->at += joint ? joint : 1;
    bool is_break = scanner->text[scanner->at - 1] == '\n';
    scanner->line += is_break;
    if (is_break && !joint)
      break;
  }
}

static size_t after_joint(const struct scanner *scanner, size_t at) {
  at += 2;
  while (at < scanner->len && is_space(scanner->text[at]))
    at++;
  return at;
}

/* The offset behind the closing quote of the string at ${at}; 0 if it has none.
 * A carriage return counts as an escaped byte, and the first byte of a
 * continued line always as content, even a quote: collectd's scanner has it so.
 */
static size_t string_end(const struct scanner *scanner, size_t at) {
  const char *text = scanner->text;
  size_t end = scanner->len;
  if (scanner->is_unclosed) {
    const char *eol = memchr(text + at, '\n', scanner->len - at);
    end = eol ? (size_t)(eol - text) : scanner->len;
  }
  for (at++; at < end; at++) {
    if (text[at] == '"')
      return at + 1;
    if (text[at] != '\\')
      continue;
    if (at + 1 < end && text[at + 1] == '\n')
      at = after_joint(scanner, at);
    else
      at++;
  }
  return 0;
}

/* Takes each backslash away and keeps what follows it. */
static void unescape(char *text) {
  char *to = text;
  for (const char *from = text; *from; from++) {
    if (*from == '\\' && !*++from)
      break;
    *to++ = *from;
  }
  *to = 0;
}

static void copy_string(const struct scanner *scanner, struct token *token) {
  const char *text = scanner->text;
  size_t end = token->at + token->len - 1;
  size_t len = 0;
  size_t at = token->at + 1;
  while (at < end) {
    if (text[at] == '\\' && text[at + 1] == '\n') {
      at = after_joint(scanner, at);
    } else if (text[at] == '\\') {
      token->text[len++] = text[at++];
    } else {
      token->spans_breaks |= text[at] == '\n';
    }
    if (at < end)
      token->text[len++] = text[at++];
  }
  token->text[len] = 0;
  unescape(token->text);
}

static void scan_string(struct scanner *scanner, struct token *token) {
  size_t end = string_end(scanner, token->at);
  if (end == 0) {
    scanner->is_unclosed = true;
    token->kind = TOKEN_UNCLOSED;
    return;
  }
  token->kind = TOKEN_STRING;
  token->len = end - token->at;
  token->text = malloc(token->len);
  if (!token->text) {
    token->kind = TOKEN_NO_MEMORY;
    return;
  }
  copy_string(scanner, token);
  for (size_t at = token->at; at < end; at++)
    scanner->line += scanner->text[at] == '\n';
}

static bool is_boolean(const char *text, size_t len, bool *ret_is_true) {
  static const struct {
    const char *word;
    bool is_true;
  } words[] = {{"true", true},   {"yes", true}, {"on", true},
               {"false", false}, {"no", false}, {"off", false}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strlen(words[i].word) == len && memcmp(text, words[i].word, len) == 0) {
      *ret_is_true = words[i].is_true;
      return true;
    }
  return false;
}

static double hexadecimal(const char *text, size_t len) {
  double value = 0;
  for (size_t i = 0; i < len; i++) {
    char c = text[i];
    int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value * 16 + digit;
  }
  return value;
}

enum { NUMBER_MAX = 400 };

/* Rewrites collectd's form ("+5", "007", ".5") in the strict one. */
static double number_of(const char *text, size_t len) {
  bool is_negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') {
    text++;
    len--;
  }
  if (len > 2 && (text[1] == 'x' || text[1] == 'X'))
    return hexadecimal(text + 2, len - 2);
  while (len > 1 && text[0] == '0' && text[1] != '.') {
    text++;
    len--;
  }
  char strict[NUMBER_MAX + 2] = "0";
  size_t offset = text[0] == '.' ? 1 : 0;
  memcpy(strict + offset, text, len);
  double value = HUGE_VAL;
  num_real(strict, len + offset, &value);
  return is_negative ? -value : value;
}

/* The longest of what may begin here; the first of two that are as long. */
static void scan_word(struct scanner *scanner, struct token *token) {
  const char *text = scanner->text + token->at;
  size_t left = scanner->len - token->at;
  size_t word = word_plain(text, left);
  size_t number = word_number(text, left);
  size_t address = word_address(text, left);
  if (address > 0 && address >= number && address >= word) {
    token->kind = TOKEN_WORD;
    token->len = address;
  } else if (number > NUMBER_MAX && number >= word) {
    token->kind = TOKEN_STRAY;
  } else if (number > 0 && number >= word) {
    token->kind = TOKEN_NUMBER;
    token->len = number;
    token->number = number_of(text, number);
  } else if (word > 0) {
    token->kind =
        is_boolean(text, word, &token->is_true) ? TOKEN_BOOL : TOKEN_WORD;
    token->len = word;
  }
}

void scan_token(struct scanner *scanner, struct token *ret) {
  skip_blanks(scanner);
  *ret = (struct token){
      .kind = TOKEN_END, .line = scanner->line, .at = scanner->at};
  size_t left = scanner->len - scanner->at;
  if (left == 0)
    return;
  const char *text = scanner->text + scanner->at;
  ret->kind = TOKEN_STRAY;
  ret->len = 1;
  if (text[0] == '"')
    scan_string(scanner, ret);
  else if (text[0] == '\n' || (left > 1 && text[0] == '\r' && text[1] == '\n'))
    ret->kind = TOKEN_EOL;
  else if (text[0] == '<')
    ret->kind = TOKEN_OPEN;
  else if (text[0] == '>')
    ret->kind = TOKEN_CLOSE;
  else if (text[0] == '/')
    ret->kind = TOKEN_SLASH;
  else
    scan_word(scanner, ret);
  if (ret->kind == TOKEN_EOL) {
    ret->len = text[0] == '\r' ? 2 : 1;
    scanner->line++;
  }
  scanner->at += ret->len;
}
