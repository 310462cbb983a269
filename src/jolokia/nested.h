/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_NESTED_H
#define JOLOKIA_NESTED_H

/* Values that are objects: json-c reads them. Private to the reader of replies.
 *
 * From Jolokia 2.4.2 on {".error":true,"error":...,"error_type":...} stands in
 * the place of an attribute that could not be read. */

#include "jolokia/reply.h"

/* nested_may_be_fault(text, len): cheap, before a tree is built of it: at most
 * 8 KiB, for json-c takes about 120 bytes for each byte of "[[],[],...". */
bool nested_may_be_fault(const char *text, size_t len);

/* nested_read_fault(text, len, room, value): makes ${value} a VALUE_FAULT if
 * ${text} is one, its text in ${room} (${len} bytes; may be ${text}); else
 * leaves it. false without memory. */
bool nested_read_fault(const char *text, size_t len, char *room,
                       struct value *value);

#endif
