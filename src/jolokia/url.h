/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_URL_H
#define JOLOKIA_URL_H

/* A Jolokia URL: checked once, and its canonical form, which is the key of its
 * ceiling. */

#include "base/status.h"

#include <stdint.h>

#define URL_MAX 2048 /* bytes of a URL with its final 0 */

struct url {
  char text[URL_MAX];   /* as it is sent: as given, but for dot segments,
                           escapes' case and a host in lower case */
  char key[URL_MAX];    /* canonical; see below */
  char origin[URL_MAX]; /* "<scheme>://<host>", the default Origin */
  char host[256];       /* lower case, IPv6 without brackets, no final dot */
  uint16_t port;        /* explicit or the scheme's default */
  bool is_https;
  bool is_address;  /* the host is an IPv4 or IPv6 address, not a name */
  bool is_loopback; /* "localhost" or below it, 127.0.0.0/8, ::1 */
};

/* url_parse(text, ret, error): ${text} must be http:// or https:// with a host
 * and a path. The key has: scheme and host in lower case, no final dot of the
 * host, IPv6 compressed in brackets, the port always, percent escapes in upper
 * case and unreserved ones decoded, dot segments removed, exactly one trailing
 * slash removed.
 * STATUS_INVALID (${ret} untouched; the text shown never contains a user name,
 * a password or a query) for: another scheme, user or password (says: use
 * Username and PasswordFile), a query or fragment, an empty host or path, a
 * port out of 1 .. 65535 or not a number, a broken escape, %00, a control byte,
 * a space or a byte above 126, one of "<>\^`{|}, a host that resolvers would
 * read in more than one spelling (127.1, 0x7f000001, an empty label), more than
 * URL_MAX - 1 bytes. No I/O: names are not resolved.
 */
enum status url_parse(const char *text, struct url *ret, struct error *error);

#endif
