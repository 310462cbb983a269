/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* The login that changes things. */
#include "config/options_parts.h"

static const char *const login_words[] = {"own", "same", NULL};

static const struct option list[] = {
    {.name = "Operator",
     .places = IN_ALL,
     .type = OPTION_SECTION,
     .help = "a block: the login that jolokiactl changes things with",
     .inside = IN_OPERATOR},
    {.name = "Username",
     .places = IN_OPERATOR,
     .type = OPTION_TEXT,
     .max = 255,
     .example = "\"operator\"",
     .unit = "name",
     .help = "the operator's login",
     .check = options_check_username,
     NODE(operator.username)},
    {.name = "PasswordFile",
     .places = IN_OPERATOR,
     .type = OPTION_PASSWORD_FILE,
     .max = 1024,
     .example = "\"/etc/collectd/orders-operator.password\"",
     .unit = "file",
     .help = "its password: the first and only line",
     NODE(operator.password_file)},
    {.name = "Password",
     .places = IN_OPERATOR,
     .type = OPTION_PASSWORD,
     .max = 4096,
     .example = "\"...\"",
     .unit = "text",
     .help = "its password; PasswordFile keeps it out of here",
     NODE(operator.password)},
    {.name = "Login",
     .places = IN_OPERATOR,
     .type = OPTION_CHOICE,
     .fallback = "\"own\"",
     .unit = "\"own\" or \"same\"",
     .help = "\"same\": changes are made with the monitor's login",
     .choices = login_words,
     NODE(operator.is_monitor)},
};

const struct options_part options_operator = {list,
                                              sizeof list / sizeof list[0]};
