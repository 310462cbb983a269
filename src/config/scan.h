/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_SCAN_H
#define CONFIG_SCAN_H

/* The words of collectd's configuration grammar, cut as its own scanner (5.12)
 * cuts them: the longest match, and of two that are as long the first of
 * boolean, address, number, word. So 1e3 is a word, 1.5e+3 and 010 (ten) are
 * numbers, 10.0.0.1:80 and ::1 are words. */

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
  TOKEN_END,
  TOKEN_EOL,
  TOKEN_OPEN,  /* < */
  TOKEN_CLOSE, /* > */
  TOKEN_SLASH,
  TOKEN_WORD,
  TOKEN_STRING,
  TOKEN_NUMBER,
  TOKEN_BOOL,
  TOKEN_STRAY,    /* a byte that may stand within quotes alone */
  TOKEN_UNCLOSED, /* a string without its closing quote */
  TOKEN_NO_MEMORY
};

struct token {
  enum token_kind kind;
  int line;          /* where it begins */
  size_t at;         /* its offset in the text */
  size_t len;        /* its length there */
  char *text;        /* of a string: unescaped, to be freed; else NULL */
  double number;     /* of a number; infinite where it passes a double */
  bool is_true;      /* of a boolean */
  bool spans_breaks; /* a string with bare line breaks in it */
};

struct scanner {
  const char *text;
  size_t len;
  size_t at;
  int line;
  bool is_unclosed; /* no closing quote is left: look no further than a line */
};

/* scan_token(scanner, ret): the next token; white space and comments skipped,
 * lines joined at backslash and line break. */
void scan_token(struct scanner *scanner, struct token *ret);

/* scan_skip_line(scanner): moves past the end of the line, joined ones too. */
void scan_skip_line(struct scanner *scanner);

#endif
