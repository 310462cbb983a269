/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

/* A pattern that an operator wrote: a shell pattern, which is about the whole
 * text, or, between slashes, a POSIX extended regular expression, which is
 * found anywhere in it. */

#include "base/status.h"

#include <regex.h>

enum pattern_form {
  PATTERN_PLAIN, /* no *, ?, [ or backslash in it: compared, not matched */
  PATTERN_SHELL,
  PATTERN_REGEX
};

struct pattern {
  enum pattern_form form;
  char *text; /* as written */
  size_t len;
  regex_t regex; /* of PATTERN_REGEX */
};

/* pattern_error(text): what is wrong with it, and what to do; static storage;
 * NULL if nothing is. Besides what regcomp() refuses: back-references (their
 * time has no bound) and counts that multiply to more than 1,000 (nor has their
 * memory). */
const char *pattern_error(const char *text);

/* pattern_init(pattern, text): copies. STATUS_INVALID where pattern_error() has
 * something to say, STATUS_NO_MEMORY: nothing is to be freed. */
enum status pattern_init(struct pattern *pattern, const char *text);
void pattern_fini(struct pattern *pattern);

/* pattern_matches(pattern, text, len): ${text}[${len}] is 0, and the only one;
 * of PATTERN_PLAIN it need not be there.
 * Shell patterns are fnmatch's without FNM_PATHNAME: * matches '/' and '.' too.
 */
bool pattern_matches(const struct pattern *pattern, const char *text,
                     size_t len);

#endif
