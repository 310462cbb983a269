/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/pattern.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define COUNTS_MAX 1000

static enum pattern_form form_of(const char *text) {
  size_t len = strlen(text);
  if (len > 2 && text[0] == '/' && text[len - 1] == '/')
    return PATTERN_REGEX;
  return strpbrk(text, "*?[\\") ? PATTERN_SHELL : PATTERN_PLAIN;
}

/* The greatest number up to the closing brace, at least 1, and no more than
 * tells that it is too much. */
static unsigned count_at(const char *text) {
  unsigned most = 1, number = 0;
  for (; *text && *text != '}'; text++) {
    bool is_digit = *text >= '0' && *text <= '9';
    number = is_digit ? 10 * number + (unsigned)(*text - '0') : 0;
    if (number > COUNTS_MAX)
      return COUNTS_MAX + 1;
    most = number > most ? number : most;
  }
  return most;
}

static const char *cost_error(const char *text) {
  unsigned counts = 1;
  for (const char *at = text; *at; at++) {
    if (*at == '\\' && at[1] >= '1' && at[1] <= '9')
      return "has a back-reference, which may take for ever; write it without";
    if (*at == '\\' && at[1])
      at++;
    else if (*at == '{')
      counts *= count_at(at + 1);
    if (counts > COUNTS_MAX)
      return "counts further than 1000, all {} multiplied; lower them";
  }
  return NULL;
}

/* What stands between the slashes. */
static enum status compile(const char *text, regex_t *ret) {
  char *inner = strndup(text + 1, strlen(text) - 2);
  if (!inner)
    return STATUS_NO_MEMORY;
  int code = regcomp(ret, inner, REG_EXTENDED | REG_NOSUB);
  free(inner);
  if (code == REG_ESPACE)
    return STATUS_NO_MEMORY;
  return code ? STATUS_INVALID : STATUS_OK;
}

const char *pattern_error(const char *text) {
  regex_t regex;
  if (form_of(text) != PATTERN_REGEX)
    return NULL;
  const char *error = cost_error(text);
  if (error)
    return error;
  if (compile(text, &regex))
    return "stands between slashes and is no extended regular expression; mend "
           "it, or begin a name with [/]";
  regfree(&regex);
  return NULL;
}

enum status pattern_init(struct pattern *pattern, const char *text) {
  struct pattern made = {.form = form_of(text), .len = strlen(text)};
  if (made.form == PATTERN_REGEX) {
    enum status status =
        cost_error(text) ? STATUS_INVALID : compile(text, &made.regex);
    if (status)
      return status;
  }
  made.text = strdup(text);
  if (!made.text) {
    if (made.form == PATTERN_REGEX)
      regfree(&made.regex);
    return STATUS_NO_MEMORY;
  }
  *pattern = made;
  return STATUS_OK;
}

void pattern_fini(struct pattern *pattern) {
  if (pattern->text && pattern->form == PATTERN_REGEX)
    regfree(&pattern->regex);
  free(pattern->text);
  *pattern = (struct pattern){.text = NULL};
}

bool pattern_matches(const struct pattern *pattern, const char *text,
                     size_t len) {
  switch (pattern->form) {
  case PATTERN_PLAIN:
    return pattern->len == len && memcmp(pattern->text, text, len) == 0;
  case PATTERN_SHELL:
    return fnmatch(pattern->text, text, 0) == 0;
  case PATTERN_REGEX:
    return regexec(&pattern->regex, text, 0, NULL, 0) == 0;
  }
  return false;
}
