/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_OBJECTNAME_H
#define JOLOKIA_OBJECTNAME_H

/* JMX ObjectNames: DOMAIN:key=value,key="quoted value". The parse keeps slices
 * of the text; nothing is copied or allocated. Keys come in any order
 * (Jolokia 2.5 stopped sorting them): compare with objectname_equal(), never as
 * text. Rules: javax.management.ObjectName and its quote(), Java 17. */

#include "base/buf.h"

#include <stdint.h>

#define OBJECTNAME_MAX_KEYS 32

struct objectname_slice {
  const char *text;
  size_t len;
};

struct objectname_property {
  struct objectname_slice key;
  struct objectname_slice value; /* as written: a quoted one with its quotes */
  bool is_quoted;
  bool is_pattern; /* an unescaped * or ? in it */
};

struct objectname {
  struct objectname_slice domain;
  struct objectname_property properties[OBJECTNAME_MAX_KEYS];
  size_t n_properties;
  bool is_pattern;      /* in the domain, in a value, or a property list ",*" */
  bool is_list_pattern; /* "," + "*" or "*" alone among the properties */
};

/* objectname_parse(text, len, ret, error): slices into ${text}, which must
 * stay. STATUS_INVALID (${ret} untouched) with the reason and the remedy
 * ("quote this value") for: no ':', no property, an empty key, a key twice, one
 * of : = , " * ? or a line feed where it may not stand, a broken quotation, an
 * '@' in the domain (Jolokia 2 reads it as a provider's name), a NUL, more than
 * OBJECTNAME_MAX_KEYS keys. Empty domains and values are well, as in Java. */
enum status objectname_parse(const char *text, size_t len,
                             struct objectname *ret, struct error *error);

/* objectname_get(name, key): the property's value as written, or NULL. */
const struct objectname_property *objectname_get(const struct objectname *name,
                                                 const char *key);

/* objectname_quote(out, text, len): appends the quoted form: " before and
 * after; inside \" \* \? \\ and \n for a line feed. */
enum status objectname_quote(struct buf *out, const char *text, size_t len);

/* objectname_unquote(property, dst, size, ret_len): the plain value of a
 * property that is no pattern; at most ${size} - 1 bytes and a 0.
 * STATUS_INVALID, with nothing written, where it does not fit or is a pattern.
 * Unquoted values are copied. */
enum status objectname_unquote(const struct objectname_property *property,
                               char *dst, size_t size, size_t *ret_len);

/* objectname_equal(a, b): same domain and the same set of properties, text for
 * text, in any order. */
bool objectname_equal(const struct objectname *a, const struct objectname *b);

/* objectname_hash(name): the same of names that are equal; never 0. */
uint64_t objectname_hash(const struct objectname *name);

/* objectname_matches(pattern, name): whether ${name}, which is no pattern, is
 * among what ${pattern} selects (as MBeanServer.queryNames has it): wildcards
 * work on the text as written, so the '*' of an unquoted a\*b is one; a '?'
 * matches one UTF-16 unit. */
bool objectname_matches(const struct objectname *pattern,
                        const struct objectname *name);

#endif
