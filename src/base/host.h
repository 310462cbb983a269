/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_HOST_H
#define BASE_HOST_H

/* Which hosts may be sent a login. Pure. */

#include <stdbool.h>
#include <stddef.h>

/* host_matches(patterns, n, host): whether one of the shell patterns is the
 * whole of ${host}, in any case, whether or not either ends in a dot. "*"
 * matches dots, too. */
bool host_matches(const char *const *patterns, size_t n, const char *host);

#endif
