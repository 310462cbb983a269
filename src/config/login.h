/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_LOGIN_H
#define CONFIG_LOGIN_H

/* Password files. */

#include "config/kept.h"

#define LOGIN_FILE_MAX 4096

/* login_read(kept, path, ret_password, ret_is_open, error): the content of a
 * password file, without one final line break, in memory that the caller wipes
 * and frees. ${ret_is_open}: everybody may read it. STATUS_INVALID with the
 * reason and the remedy: not readable, not a regular file, empty, too long,
 * control bytes, writable by everybody. STATUS_OK with that in ${error}: what
 * ${kept} (NULL: nothing is kept) has of it. STATUS_NO_MEMORY. */
enum status login_read(struct kept *kept, const char *path, char **ret_password,
                       bool *ret_is_open, struct error *error);

#endif
