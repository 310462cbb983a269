/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_FILTER_H
#define ARTEMIS_FILTER_H

/* What is wanted, by names: the operator's patterns, and what nobody chose (the
 * broker's own, temporary ones). */

#include "base/buf.h"
#include "base/pattern.h"

struct filter_list {
  struct pattern *patterns;
  size_t n;
};

struct filter {
  struct filter_list include; /* none: all */
  struct filter_list exclude;
  struct filter_list keep; /* never left out */
  bool takes_own; /* names that nobody chose are like others: not for queues */
  struct buf scratch; /* a name with its 0 */
};

enum filter_verdict { FILTER_OUT, FILTER_IN, FILTER_KEEP };

/* What decided. */
enum filter_rule {
  FILTER_BY_NOTHING, /* in: there was nothing against it */
  FILTER_BY_KEEP,
  FILTER_BY_BROKER, /* out: internal or temporary, the broker says so */
  FILTER_BY_NAME,   /* out: filter_is_own() */
  FILTER_BY_EXCLUDE,
  FILTER_BY_INCLUDE,         /* in by a pattern of it; out, as none matched */
  FILTER_BY_EXCLUDE_ADDRESS, /* the same on a queue's address */
  FILTER_BY_INCLUDE_ADDRESS,
  FILTER_BY_KEYS /* out: of an MBean block, on key properties */
};

struct filter_judgement {
  enum filter_verdict verdict;
  enum filter_rule rule;
  size_t pattern; /* its place in the rule's list, where one matched */
};

/* The patterns of one filter, as the settings have them: pattern_error() has
 * nothing to say of any. */
struct filter_texts {
  const char *const *include;
  size_t n_include;
  const char *const *exclude;
  size_t n_exclude;
  const char *const *keep;
  size_t n_keep;
};

/* filter_init(filter, texts): copies. STATUS_NO_MEMORY: ends with
 * filter_fini(), too. */
enum status filter_init(struct filter *filter,
                        const struct filter_texts *texts);
void filter_fini(struct filter *filter);

/* filter_is_own(name, len): a name that nobody chose: it begins with
 * "$.artemis.internal." (the default internal-naming-prefix), "$sys." or
 * "ActiveMQ.Advisory." (of ActiveMQ Classic), is a
 * UUID (reply queues), bare or behind "jms.tempqueue." or "jms.temptopic."
 * (those of clients that want the prefixes of 1.x), or "notif." and a UUID
 * (Core notifications). */
bool filter_is_own(const char *name, size_t len);

/* filter_judge(filter, name, len, is_own): FILTER_KEEP where a keep pattern
 * matches; else FILTER_OUT where ${is_own} (internal or temporary, the broker
 * says so) or filter_is_own(), where an exclude pattern matches, or where there
 * are include patterns and none does. Patterns match as pattern_matches() has
 * it; a name with a NUL matches none. */
struct filter_judgement filter_judge(struct filter *filter, const char *name,
                                     size_t len, bool is_own);

#endif
