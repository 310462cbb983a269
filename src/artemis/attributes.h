/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_ATTRIBUTES_H
#define ARTEMIS_ATTRIBUTES_H

/* What is read of a broker, an address and a queue: one const table, a row an
 * attribute. The manual's and the README's lists are made from it. */

#include <stdbool.h>
#include <stddef.h>

enum object { OBJECT_BROKER, OBJECT_ADDRESS, OBJECT_QUEUE, OBJECT_COUNT };

/* A part of a scrape with its own interval. */
enum tier {
  TIER_FAST,    /* broker and queues, every Interval */
  TIER_ADDRESS, /* addresses, every AddressInterval */
  TIER_SLOW,    /* what seldom changes, every SlowInterval */
  TIER_COUNT
};

#define ATTRIBUTES_MAX 32 /* of one object and tier */

struct attribute {
  enum object object;
  enum tier tier;
  const char *name;    /* the MBean attribute; also the type instance */
  const char *listing; /* its column in listQueues ("messagesAcked"), or NULL */
  const char *type;    /* of the stock types.db */
  bool is_derive;
  bool is_bool;  /* true and false become 1 and 0 */
  bool is_alone; /* a double: read in an item of its own (jolokia#934) */
  bool is_unknown_below_0; /* the broker's -1 for "unknown": absent */
  double scale; /* multiplies a gauge: 100 for a fraction shown in percent */
  const char *unit; /* for people: "messages", "bytes", "%", ... */
  unsigned since; /* first Artemis version: 1000 x major + minor; 2.6 = 2006 */
  const char *source; /* where this row's facts come from */
};

/* attributes(ret_n): the table, grouped by object and tier, static storage. */
const struct attribute *attributes(size_t *ret_n);

/* attributes_of(object, tier, version, ret): fills ${ret}, which has room for
 * ATTRIBUTES_MAX, with the rows of that object and tier that a broker of
 * ${version} (as ${since}; 0, unknown: any) has. Returns their number. */
size_t attributes_of(enum object object, enum tier tier, unsigned version,
                     const struct attribute **ret);

/* object_name(object), tier_name(tier): "broker", "address", "queue" begin the
 * plugin instance; "fast", "address", "slow". Static storage. */
const char *object_name(enum object object);
const char *tier_name(enum tier tier);

#endif
