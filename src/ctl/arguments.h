/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_ARGUMENTS_H
#define CTL_ARGUMENTS_H

/* The options of the command line: a table, from which they are read and
 * explained. */

#include "ctl/ctl.h"

/* Which commands an option is for. */
enum {
  FOR_POLL = 1 << 0,
  FOR_CHECK = 1 << 1,
  FOR_EXEC = 1 << 2,
  FOR_LIMITS = 1 << 3,
  FOR_HOLD = 1 << 4,
  FOR_RELEASE = 1 << 5,
  FOR_QUEUE_DELETE = 1 << 6,
  FOR_CAPTURE_INSTALL = 1 << 7,
  FOR_CAPTURE_REMOVE = 1 << 8,
  FOR_CAPTURE_LIST = 1 << 9,
  FOR_NAMES = 1 << 10,
  FOR_REGISTER = 1 << 11,
  FOR_NODES = 1 << 12,
  FOR_MESSAGES_LIST = 1 << 16,
  FOR_MESSAGES_REMOVE = 1 << 17,
  FOR_MESSAGES_MOVE = 1 << 18,
  FOR_MESSAGES_EXPIRE = 1 << 19,
  FOR_MESSAGES_RETRY = 1 << 20,
  FOR_MESSAGES_DEAD_LETTER = 1 << 21,
  FOR_ALL = (1 << 22) - 1,
  FOR_MESSAGES = FOR_MESSAGES_REMOVE | FOR_MESSAGES_MOVE | FOR_MESSAGES_EXPIRE |
                 FOR_MESSAGES_RETRY | FOR_MESSAGES_DEAD_LETTER,
  /* that change something */
  FOR_CHANGES = FOR_QUEUE_DELETE | FOR_CAPTURE_INSTALL | FOR_CAPTURE_REMOVE |
                FOR_MESSAGES,
  /* that ask nodes with an operator's login */
  FOR_OPERATORS = FOR_CHANGES | FOR_CAPTURE_LIST | FOR_MESSAGES_LIST,
  FOR_SENDING =
      FOR_POLL | FOR_CHECK | FOR_EXEC | FOR_NAMES | FOR_NODES | FOR_OPERATORS
};

struct arguments {
  struct ctl ctl; /* but for target and args */
  bool is_help;
  bool is_version;
  uint64_t given; /* the options, by their places */
};

/* arguments_parse(argc, argv, ret): the options, wherever they stand; ${argv}
 * is sorted, the words from optind on. false where one is wrong, which was told
 * on standard error. The strings are those of ${argv}. */
bool arguments_parse(int argc, char **argv, struct arguments *ret);

/* arguments_odd(arguments, command): an option given that is not for this one;
 * NULL: none. */
const char *arguments_odd(const struct arguments *arguments, unsigned command);

/* arguments_help(commands): prints the options that are for one of
 * ${commands}. */
void arguments_help(unsigned commands);

#endif
