/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_CERTIFICATE_H
#define CLIENT_CERTIFICATE_H

/* When a server's certificate ends, as libcurl over OpenSSL writes it. */

#include <stdbool.h>
#include <stdint.h>

/* certificate_time(text, ret_s): "Nov 30 13:49:03 2026 GMT", a day below 10
 * with two spaces in front; seconds since 1970, UTC. In every locale. False,
 * and ${ret_s} untouched, on anything else. */
bool certificate_time(const char *text, int64_t *ret_s);

#endif
