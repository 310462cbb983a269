/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_MBEAN_H
#define ARTEMIS_MBEAN_H

/* MBeans of any JVM: which read items the blocks of the configuration and the
 * ready-made sets make, and the values of their rows.
 *
 * Named attributes alone, and one item for all blocks of one pattern and tier.
 * Where such an item fails as a whole (Jolokia 2.4.0 to 2.4.3 do that for one
 * NaN), each of its values is read in an item of its own, until for
 * SPLIT_ROUNDS rounds none of them has failed. */

#include "artemis/attributes.h"
#include "artemis/claims.h"
#include "artemis/filter.h"
#include "artemis/left_out.h"
#include "artemis/names.h"
#include "artemis/value_path.h"
#include "artemis/values.h"
#include "base/log.h"
#include "jolokia/objectname.h"
#include "jolokia/request.h"

/* Of one node: more than its at most 256 blocks of 64 values can come to. */
#define MBEAN_ITEMS_MAX 1400
#define SPLIT_ROUNDS 30
#define MBEAN_KEYS_MAX 1000 /* read of one map */
#define MBEAN_SOURCES_MAX (1 + SAMPLE_MORE_MAX)

/* A block, and a value of it, as they are configured. All is copied. */
struct mbean_block {
  const char *plugin;       /* of its samples; a constant */
  const char *pattern;      /* an object name or a pattern; it parses */
  const char *prefix;       /* of the plugin instance; NULL: none */
  const char *instance;     /* mbean_instance.h; NULL: made from the name */
  enum tier tier;           /* TIER_FAST or TIER_SLOW */
  const char *all_type;     /* not NULL: all attributes, as this type */
  const char *filter_key;   /* the key whose value is a queue's name, for the
                               filter; NULL: none */
  struct filter_texts keys; /* "KEY=PATTERN" each: which MBeans of a pattern are
                               wanted; must stay until all its values are in */
};

struct mbean_text {
  char *text;
  double number;
};

struct mbean_value {
  const char *const *paths; /* one for each data source */
  size_t n_paths;
  const char *type;
  const char *type_instance; /* NULL: made from the first path */
  double scale;
  const struct mbean_text *map;
  size_t n_map;
  bool is_alone;                     /* in an item of its own from the start */
  bool is_unknown_below_0;           /* a negative number is absent */
  const struct attribute *attribute; /* its row of the table; NULL: none */
};

/* -- What becomes of them -- */

struct mbean_reading {
  size_t naming; /* its block */
  struct value_path paths[MBEAN_SOURCES_MAX];
  size_t n_paths;
  size_t columns[MBEAN_SOURCES_MAX]; /* of the item */
  const char
      *own[MBEAN_SOURCES_MAX]; /* attributes, each once: of its own item */
  size_t n_own;
  size_t own_columns[MBEAN_SOURCES_MAX];
  const char *type; /* static */
  bool is_derive;
  char *type_instance;
  double scale;
  bool is_scaled; /* by another number than 1 */
  struct mbean_text *map;
  size_t n_map;
  bool is_unknown_below_0;
  const struct attribute *attribute;
};

/* Each must let an MBean in. */
struct mbean_key {
  char *key;
  struct filter filter; /* on its plain value; "" where there is none */
};

struct mbean_naming {
  const char *plugin;
  char *prefix;
  char *instance;
  char *filter_key;
  struct filter_texts texts; /* the block's, to know it again */
  struct mbean_key *keys;
  size_t n_keys;
  bool is_taken_told; /* the log has named one whose name is another's */
};

struct mbean_item {
  char *pattern;
  bool is_pattern;
  bool is_alone; /* takes no other block */
  enum tier tier;
  const char *all_type; /* static */
  bool all_is_derive;
  const char **names; /* attributes, each once */
  size_t n_names;
  struct mbean_naming *namings;
  size_t n_namings;
  struct mbean_reading *readings;
  size_t n_readings;
  unsigned split;   /* rounds that it is a reading an item */
  unsigned aside;   /* rounds that it is left out */
  bool is_bad_told; /* the log says that it fails */
  struct log_repeat repeat;
};

/* An operation of a round. */
struct mbean_slot {
  struct mbean_item *item;
  size_t reading; /* the one that it is of; ${n_readings}: all */
};

struct mbean_round {
  struct operation *operations;
  struct item_spec *specs;
  struct mbean_slot *slots;
  size_t n;
  size_t max;
  bool has_failed;     /* an item did */
  unsigned bad_rounds; /* one after the other in which one did */
};

struct chosen;

struct mbeans {
  struct mbean_item *items;
  size_t n;
  struct mbean_round rounds[TIER_COUNT];
  struct chosen *chosen;   /* of each tier: MBeans of patterns */
  struct claims claims;    /* of the series of all tiers */
  struct {                 /* of the present round, or of the last */
    struct left_out over;  /* the cap */
    struct left_out taken; /* a name that is another MBean's */
  } left_out[TIER_COUNT];
  struct filter *filter;
  enum names_alphabet alphabet;
  struct buf scratch; /* a name */
  struct buf room;    /* texts with escapes */
};

/* mbeans_init(mbeans, max, filter, alphabet): none; at most ${max} MBeans of
 * patterns in each tier. STATUS_NO_MEMORY: ends with mbeans_fini(), too. */
enum status mbeans_init(struct mbeans *mbeans, size_t max,
                        struct filter *filter, enum names_alphabet alphabet);
void mbeans_fini(struct mbeans *mbeans);

/* mbeans_add(mbeans, block, value, error): one value of a block (all_type:
 * ${value} is NULL). Before the first round. STATUS_INVALID: a name, path or
 * type that does not pass (mbean_check.h says so before); more items than
 * MBEAN_ITEMS_MAX. STATUS_NO_MEMORY. */
enum status mbeans_add(struct mbeans *mbeans, const struct mbean_block *block,
                       const struct mbean_value *value, struct error *error);

/* mbeans_add_sets(mbeans, sets, error): those of the ready-made sets. */
enum status mbeans_add_sets(struct mbeans *mbeans, unsigned sets,
                            struct error *error);

/* mbeans_has(mbeans, tier): whether that tier has any. */
bool mbeans_has(const struct mbeans *mbeans, enum tier tier);

/* mbeans_plan(mbeans, tier): the round's request; without what is set aside.
 * Its ${n} may be 0. NULL without memory. */
const struct mbean_round *mbeans_plan(struct mbeans *mbeans, enum tier tier);

/* mbeans_aside(mbeans): items that are set aside now. */
size_t mbeans_aside(const struct mbeans *mbeans);

struct scrape_counts;

/* mbeans_row(mbeans, tier, index, row, is_held_back, values, counts): a row of
 * operation ${index}. Counts its MBean as objects_row() does. True if a value
 * was dispatched of it.
 *
 * null is absence. Errors of a value: text that its map does not have and that
 * is no number, a fault, an object; a derive that is negative or no integer
 * (5.0 is one, as JVMs have counters that are doubles; what is scaled is
 * rounded). A map of more keys than MBEAN_KEYS_MAX: one; a value whose series
 * is another MBean's (claims.h): it is not dispatched, the MBean told once for
 * each block, and invalid where nothing else came of it. */
bool mbeans_row(struct mbeans *mbeans, enum tier tier, size_t index,
                const struct row *row, bool is_held_back, struct values *values,
                struct scrape_counts *counts);

/* mbeans_judge(mbeans, naming, name): whether the object that the MBean stands
 * for is wanted. */
struct filter_judgement mbeans_judge(struct mbeans *mbeans,
                                     const struct mbean_naming *naming,
                                     const struct objectname *name);

/* mbeans_item(mbeans, tier, index, result, host, now_ns, counts): how the
 * operation ended; a failure is counted as an error of a value and told, for
 * ${host}, when it begins. */
void mbeans_item(struct mbeans *mbeans, enum tier tier, size_t index,
                 const struct item_result *result, const char *host,
                 int64_t now_ns, struct scrape_counts *counts);

/* mbeans_done(mbeans, tier, has_failed): the request ended. While an item fails
 * no name makes room for another, as with its rows names may be missing; but
 * not for more than ASIDE_ROUNDS: one that always fails is not waited for. */
void mbeans_done(struct mbeans *mbeans, enum tier tier, bool has_failed);

#endif
