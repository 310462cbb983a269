/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_TYPES_H
#define CTL_TYPES_H

/* collectd's types.db: the types whose data sources are of one kind. A line
 * that names another type is refused by the daemon, with one of its own in the
 * log. */

#include "base/status.h"

struct types;

/* types_read(path, ret, error): STATUS_INVALID: the file cannot be read (the
 * text says what then happens). STATUS_NO_MEMORY. */
enum status types_read(const char *path, struct types **ret,
                       struct error *error);

/* types_parse(text, ret): the same for the file's text. */
enum status types_parse(const char *text, struct types **ret);
void types_free(struct types *types); /* NULL is fine */

/* types_find(types, type, is_derive, n): the type to be used for a sample of
 * ${type} with ${n} values: itself, "gauge" for a "bool" that is not there
 * (collectd before 5.9), or NULL: it is not there, or is of another kind or
 * number. Without types (NULL) "gauge" for "bool", and every other type itself.
 */
const char *types_find(const struct types *types, const char *type,
                       bool is_derive, size_t n);

#endif
