/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_CONFIRM_H
#define CTL_CONFIRM_H

/* The question before a change. */

#include "ctl/ctl.h"
#include "ctl/exit_code.h"

/* confirm(ctl, question): EXIT_CODE_DONE: go on: --yes was given, or a person
 * at the terminal has answered "y" or "yes" to ${question} (without its " [y/N]
 * "). EXIT_CODE_UNSAFE, and told on standard error: there is no terminal, or
 * the answer was no. EXIT_CODE_INTERRUPTED: Ctrl-C. */
enum exit_code confirm(const struct ctl *ctl, const char *question);

#endif
