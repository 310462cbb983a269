/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_COMMANDS_H
#define CTL_COMMANDS_H

/* The commands: a table. */

#include "ctl/ctl.h"

enum target { NO_TARGET, MAY_HAVE_TARGET, NEEDS_TARGET, NEEDS_NODE, NEEDS_URL };

struct command {
  const char *name; /* one word, or two: "queue delete" */
  unsigned bit;     /* of its options: FOR_... */
  enum target target;
  const char *words; /* that follow the target, as usage has it */
  size_t min_words;
  size_t max_words;
  const char *summary;
  const char *about;
  int (*run)(const struct ctl *ctl);
};

/* commands_find(words, n, ret_used): the command that the first of ${n} words
 * name, and how many of them; NULL, and told on standard error, where there is
 * none. */
const struct command *commands_find(const char *const *words, size_t n,
                                    size_t *ret_used);

/* commands_help(words, n): prints what there is to be known of the command that
 * the words name, of those that begin with them, or of all; false, and told,
 * where there is none. */
bool commands_help(const char *const *words, size_t n);

/* commands_check(command, words, n): whether the ${n} words behind the
 * command's name are what it takes; false, and told, if not. */
bool commands_check(const struct command *command, const char *const *words,
                    size_t n);

#endif
