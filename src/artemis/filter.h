/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_FILTER_H
#define ARTEMIS_FILTER_H

/* Which queues and addresses are wanted, by their names: shell patterns of the
 * operator, and what nobody chose (the broker's own, temporary ones). */

#include "base/buf.h"

struct filter_pattern {
  char *text;
  size_t len;
  bool is_plain; /* no *, ?, [ or backslash in it: compared, not matched */
};

struct filter_list {
  struct filter_pattern *patterns;
  size_t n;
};

struct filter {
  struct filter_list include; /* none: all */
  struct filter_list exclude;
  struct filter_list keep; /* never left out */
  struct buf scratch;      /* a name with its 0 */
};

enum filter_verdict { FILTER_OUT, FILTER_IN, FILTER_KEEP };

/* filter_add(list, texts, n): copies the patterns. STATUS_NO_MEMORY: ends with
 * filter_fini(). A filter begins as all zero bytes and filter_init(). */
void filter_init(struct filter *filter);
enum status filter_add(struct filter_list *list, const char *const *texts,
                       size_t n);
void filter_fini(struct filter *filter);

/* filter_is_own(name, len): a name that nobody chose: it begins with
 * "$.artemis.internal." (the default internal-naming-prefix) or "$sys.", is a
 * UUID (reply queues), or "notif." and a UUID (Core notifications). */
bool filter_is_own(const char *name, size_t len);

/* filter_queue(filter, name, len, is_own): FILTER_KEEP where a keep pattern
 * matches; else FILTER_OUT where ${is_own} (internal or temporary, the broker
 * says so) or filter_is_own(), where an exclude pattern matches, or where there
 * are include patterns and none does. Patterns are fnmatch's without
 * FNM_PATHNAME: * matches '/' and '.' too. A name with a NUL matches none. */
enum filter_verdict filter_queue(struct filter *filter, const char *name,
                                 size_t len, bool is_own);

/* filter_address(filter, name, len): as filter_queue(), but Include and Exclude
 * are about queues and are not looked at. */
enum filter_verdict filter_address(struct filter *filter, const char *name,
                                   size_t len);

#endif
