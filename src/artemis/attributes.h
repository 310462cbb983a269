/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_ATTRIBUTES_H
#define ARTEMIS_ATTRIBUTES_H

/* What the ready-made sets read, of a broker, an address, a queue, and of other
 * MBeans: one const table, a row a value. The manual's and the README's lists
 * are made from it. */

#include <stdbool.h>
#include <stddef.h>

/* A bit each. */
enum set {
  SET_ARTEMIS = 1, /* the default */
  SET_DETAIL = 2,  /* sizes and ages of queues and addresses */
  SET_JVM = 4,
  SET_CLASSIC = 8 /* ActiveMQ Classic */
};

enum object {
  OBJECT_BROKER,
  OBJECT_ADDRESS,
  OBJECT_QUEUE,
  OBJECT_MBEAN,
  OBJECT_COUNT
};

/* Of OBJECT_MBEAN: where it is, and what its values are called. */
struct attribute_mbean {
  const char *pattern;
  const char *plugin;
  const char *prefix;     /* of the plugin instance; NULL: none */
  const char *instance;   /* as of an MBean block; NULL: none */
  const char *filter_key; /* its value is a queue's name, for Include, Exclude,
                             Keep and MaxQueues; NULL: none */
};

/* A part of a scrape with its own interval. */
enum tier {
  TIER_FAST,    /* broker and queues, every Interval */
  TIER_ADDRESS, /* addresses, every AddressInterval */
  TIER_SLOW,    /* what seldom changes, every SlowInterval */
  TIER_COUNT
};

#define ATTRIBUTES_MAX 32 /* of one object and tier */

struct attribute {
  enum set set;
  enum object object;
  enum tier tier;
  const char *name;  /* the MBean attribute; of OBJECT_MBEAN a path */
  const char *label; /* the type instance; NULL: the name */
  const struct attribute_mbean *mbean; /* of OBJECT_MBEAN */
  const char *listing; /* its column in listQueues ("messagesAcked"), or NULL */
  const char *type;    /* of the stock types.db */
  bool is_derive;
  bool is_bool;  /* true and false become 1 and 0 */
  bool is_alone; /* a double: read in an item of its own (jolokia#934) */
  bool is_sum;   /* made of other objects' values: no attribute of its MBean */
  bool is_unknown_below_0; /* the broker's -1 for "unknown": absent */
  bool is_failed_below_0;  /* its -1 where it failed to find out: an error */
  double scale; /* multiplies a gauge: 100 for a fraction shown in percent */
  const char *unit;   /* for people: "messages", "bytes", "%", ... */
  unsigned since;     /* first version: 1000 x major + minor, 2.6 = 2006: of
                         Artemis; SET_JVM: of Java; SET_CLASSIC: of ActiveMQ */
  const char *cost;   /* to the broker, for people; NULL: a field is read */
  const char *source; /* where this row's facts come from */
};

/* attributes(ret_n): the table, grouped by object and tier, static storage. */
const struct attribute *attributes(size_t *ret_n);

/* attributes_of(object, tier, sets, version, ret): fills ${ret}, which has room
 * for ATTRIBUTES_MAX, with the rows of those sets, that object and tier that a
 * broker of ${version} (as ${since}; 0, unknown: any) has. Returns their
 * number.
 */
size_t attributes_of(enum object object, enum tier tier, unsigned sets,
                     unsigned version, const struct attribute **ret);

/* attribute_label(attribute): its type instance. */
const char *attribute_label(const struct attribute *attribute);

/* set_find(name): the bits of the set of that name; 0: there is none.
 * "artemis-detail" has that of "artemis", too. set_names: for people.
 * set_name(set): of one bit. */
unsigned set_find(const char *name);
extern const char set_names[];
const char *set_name(enum set set);

/* object_name(object): "broker", "address", "queue" begin the plugin instance.
 * Static storage. */
const char *object_name(enum object object);

#endif
