/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_PLAN_H
#define ARTEMIS_PLAN_H

/* One bulk request of a scrape: its operations, how their replies are read, and
 * which column is which attribute. Cheap reads alone (DESIGN, "Reading a node
 * cheaply"): named attributes, one item per object name. */

#include "artemis/aside.h"
#include "artemis/attributes.h"
#include "artemis/identity.h"

enum plan_role {
  PLAN_ACTIVE_BEFORE, /* Active, read before the queues */
  PLAN_BROKER,        /* broker attributes */
  PLAN_LISTING,       /* queues by listQueues */
  PLAN_QUEUES,        /* queues by pattern */
  PLAN_ADDRESSES,     /* addresses by pattern */
  PLAN_ACTIVE_AFTER   /* Active, read once more behind them */
};

#define PLAN_ITEMS 8
#define PLAN_LEAD_MAX 4 /* columns in front of the attributes' */
#define PLAN_COLUMNS (PLAN_LEAD_MAX + ATTRIBUTES_MAX)
#define PLAN_NAME_MAX 640

/* The leading columns. */
enum { LISTING_NAME, LISTING_TEMPORARY, LISTING_INTERNAL, LISTING_ADDRESS };
enum { QUEUES_TEMPORARY, QUEUES_INTERNAL };

struct plan_item {
  enum plan_role role;
  enum aside_key key;
  bool is_again; /* its objects were counted with an earlier item's */
  size_t n_lead;
  size_t n; /* columns, the leading ones too */
  const char *names[PLAN_COLUMNS];
  const struct attribute *attributes[PLAN_COLUMNS]; /* from n_lead on */
};

struct plan {
  char broker[PLAN_NAME_MAX]; /* object name; the items point to these three */
  char queues[PLAN_NAME_MAX];
  char addresses[PLAN_NAME_MAX];
  unsigned sets;
  unsigned version;
  const struct aside *aside;
  bool has_address; /* LISTING_ADDRESS is asked for; plan_begin(): it is not */
  size_t n;
  struct plan_item items[PLAN_ITEMS];
  struct operation operations[PLAN_ITEMS];
  struct item_spec specs[PLAN_ITEMS];
};

/* plan_begin(plan, identity, sets, aside): an empty plan for that broker and
 * version, and the attributes of ${sets}; copies what it needs of them;
 * ${aside} stays until the plan is made. The functions below add items in the
 * order of their calls, but those that are set aside; not more than PLAN_ITEMS.
 * ${plan} must not move afterwards. */
void plan_begin(struct plan *plan, const struct identity *identity,
                unsigned sets, const struct aside *aside);

/* plan_add_active(plan, role): reads Active. plan_add_active_uptime(plan):
 * Active, and UptimeMillis behind it, as PLAN_ACTIVE_BEFORE. */
void plan_add_active(struct plan *plan, enum plan_role role);
void plan_add_active_uptime(struct plan *plan);

/* plan_add_broker(plan, tier): the broker's attributes of that tier, and those
 * that are read alone in an item each. */
void plan_add_broker(struct plan *plan, enum tier tier);

/* plan_add_listing(plan): listQueues of everything, in one page, by id: numbers
 * only grow, so what is created meanwhile comes last. */
void plan_add_listing(struct plan *plan);

/* plan_add_queues(plan, tier), plan_add_addresses(plan, tier): a pattern read
 * of that tier's attributes; of queues one more for those that are read alone.
 * Each once in a plan. */
void plan_add_queues(struct plan *plan, enum tier tier);
void plan_add_addresses(struct plan *plan, enum tier tier);

/* plan_add_names(plan, object): the plain names of all queues or addresses, by
 * listQueues or listAddresses: one column, in a PLAN_LISTING or PLAN_ADDRESSES
 * item. */
void plan_add_names(struct plan *plan, enum object object);

#endif
