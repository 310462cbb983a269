/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_VALUE_PATH_H
#define ARTEMIS_VALUE_PATH_H

/* Where a value is in an MBean: "HeapMemoryUsage/used" is what the attribute
 * HeapMemoryUsage has under the key used. "*" stands for each key of one map or
 * table. Written as Jolokia writes paths: "!/" is a slash in a name, "!*" a
 * star, "!!" an exclamation mark; dots and all else stand for themselves. */

#include "jolokia/reply.h"

#define VALUE_PATH_KEYS 8
#define VALUE_PATH_MAX 1024 /* bytes as written */

struct value_path {
  char *attribute; /* owns the text of all */
  const char *keys[VALUE_PATH_KEYS];
  size_t n_keys;
  size_t star; /* the key that stands for each; ${n_keys}: none */
};

/* value_path_parse(text, ret, error): STATUS_INVALID for: an empty name, more
 * keys than VALUE_PATH_KEYS, more than one "*" or one in place of the
 * attribute, a "!" before another character, what is no UTF-8, too long a text.
 * STATUS_NO_MEMORY. ${ret} is to be freed where it is STATUS_OK. */
enum status value_path_parse(const char *text, struct value_path *ret,
                             struct error *error);
void value_path_fini(struct value_path *path);

/* value_path_step(path, from, to, room, value): what ${value} has under the
 * keys number ${from} to ${to} - 1: goes into ${value}; VALUE_ABSENT where
 * there is none; VALUE_NULL, VALUE_FAULT where that stands on the way;
 * VALUE_OTHER where something else than a map does. ${room} as of
 * members_begin(). */
void value_path_step(const struct value_path *path, size_t from, size_t to,
                     char *room, struct value *value);

#endif
