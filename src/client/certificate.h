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

/* certificate_left_ns(end_s, wall_ns): from ${wall_ns} (since 1970, >= 0) to
 * ${end_s}; below 0 where that is past. An end behind 2262, where 64 bits of ns
 * end, counts as then: certificates that shall never expire say 9999 (RFC 5280,
 * 4.1.2.5). */
int64_t certificate_left_ns(int64_t end_s, int64_t wall_ns);

#endif
