/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_EXIT_CODE_H
#define CTL_EXIT_CODE_H

/* The program's exit codes, and which failure has which. */

#include "base/status.h"

enum exit_code {
  EXIT_CODE_DONE = 0,
  EXIT_CODE_SOME = 1, /* some failed or were absent */
  EXIT_CODE_USAGE = 2,
  EXIT_CODE_UNKNOWN = 3, /* a change was sent, and its outcome is unknown */
  EXIT_CODE_NO_PERMIT = 4,
  EXIT_CODE_CONNECTION = 5,
  EXIT_CODE_REFUSED = 6,
  EXIT_CODE_UNSAFE = 7, /* not done without an option that says so */
  EXIT_CODE_INTERRUPTED = 130
};

/* exit_code_of(kind): of one failure, or of STATUS_OK. */
enum exit_code exit_code_of(enum status kind);

/* Over many nodes. Zeros to begin with. */
struct exit_codes {
  size_t n;
  size_t n_failed;
  enum exit_code first; /* of those that failed */
  bool is_mixed;        /* they failed in different ways */
};

void exit_codes_add(struct exit_codes *codes, enum exit_code code);

/* exit_codes_all(codes): EXIT_CODE_DONE where none failed; where all did, and
 * in one way, that way's; else EXIT_CODE_SOME. */
enum exit_code exit_codes_all(const struct exit_codes *codes);

#endif
