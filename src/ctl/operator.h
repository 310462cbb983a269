/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_OPERATOR_H
#define CTL_OPERATOR_H

/* Who may change things. A change goes out under the login that the command
 * line gives (--user), else that of the node's <Operator> block; under the
 * monitor's only where that block says Login "same". */

#include "config/settings.h"
#include "ctl/ctl.h"

struct operator{
  char *username; /* of --user; NULL: none was given */
  char *password; /* wiped by operator_close() */
};

/* A login: borrowed from the operator or from the settings. Both NULL: the node
 * is asked without one. */
struct login {
  const char *username;
  const char *password;
};

/* operator_open(ctl, ret, error): the login of the command line, if there is
 * one: the password from --password-file ("-": the first line of standard
 * input), or asked for on the terminal, without an echo. May wait for a person;
 * signals are caught from then on (session_catch_signals()). STATUS_INVALID: no
 * such file, no terminal, a --password-file without --user; STATUS_CANCELLED:
 * Ctrl-C; STATUS_NO_MEMORY. ${ret} is then empty. */
enum status operator_open(const struct ctl *ctl, struct operator* ret,
                          struct error *error);
void operator_close(struct operator* operator);

/* operator_login(operator, node, is_change, ret, error): what ${node} is asked
 * with; where ${is_change} is false and nobody else is named, the monitor's.
 * STATUS_AUTH: nobody may change things there; the text shows the ways. */
enum status operator_login(const struct operator* operator,
                           const struct node_settings * node, bool is_change,
                           struct login *ret, struct error *error);

#endif
