/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

/* Foreign text: whether it is UTF-8, and how it stands in JSON. */

#include "base/buf.h"

/* text_utf8_length(text, len): how many bytes at the beginning are whole UTF-8
 * characters (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF);
 * ${len} where all are. */
size_t text_utf8_length(const char *text, size_t len);

/* text_add_json(out, text, len): appends a JSON string with its quotes; control
 * bytes and DEL as \b \f \n \r \t or \u00XX, all else as it is. Of what is no
 * UTF-8, each byte becomes U+FFFD: who may not send that asks
 * text_utf8_length() first. As buf_add(). */
enum status text_add_json(struct buf *out, const char *text, size_t len);

#endif
