/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/plan.h"

#include <string.h>

#define LISTING_ARGUMENTS 3

/* Understood alike from 2.18.0 to 2.40.0: empty options and page -1 are not;
 * sortField is ignored before 2.38. */
static const struct argument listing_arguments[LISTING_ARGUMENTS] = {
    {ARGUMENT_TEXT,
     "{\"field\":\"\",\"operation\":\"\",\"value\":\"\",\"sortColumn\":\"id\","
     "\"sortOrder\":\"asc\"}",
     0},
    {ARGUMENT_INT, NULL, 1},
    {ARGUMENT_INT, NULL, INT32_MAX},
};

void plan_begin(struct plan *plan, const struct identity *identity,
                unsigned sets, const struct aside *aside) {
  _Static_assert(sizeof identity->broker_mbean <= sizeof plan->broker,
                 "the name fits");
  memcpy(plan->broker, identity->broker_mbean, sizeof identity->broker_mbean);
  plan->sets = sets;
  plan->version = identity->version_number;
  plan->aside = aside;
  plan->has_address = false;
  plan->n = 0;
}

static struct plan_item *add_item(struct plan *plan, enum plan_role role,
                                  enum aside_key key) {
  struct plan_item *item = &plan->items[plan->n];
  item->role = role;
  item->key = key;
  item->is_again = false;
  item->n_lead = 0;
  item->n = 0;
  return item;
}

static void add_lead(struct plan_item *item, const char *name) {
  item->names[item->n++] = name;
  item->n_lead = item->n;
}

static void add_attribute(struct plan_item *item,
                          const struct attribute *attribute) {
  item->names[item->n] =
      item->role == PLAN_LISTING ? attribute->listing : attribute->name;
  item->attributes[item->n++] = attribute;
}

static void add_attributes(const struct plan *plan, struct plan_item *item,
                           enum object object, enum tier tier, bool is_alone) {
  const struct attribute *found[ATTRIBUTES_MAX];
  size_t n = attributes_of(object, tier, plan->sets, plan->version, found);
  for (size_t i = 0; i < n; i++)
    if (found[i]->is_alone == is_alone)
      add_attribute(item, found[i]);
}

/* Ends an item that reads ${mbean}; it stands in the plan from now on, unless
 * it is set aside. */
static void end_read(struct plan *plan, const struct plan_item *item,
                     const char *mbean, enum item_form form) {
  if (item->n == 0 || aside_has(plan->aside, item->key))
    return;
  plan->operations[plan->n] = (struct operation){
      .type = OPERATION_READ,
      .mbean = mbean,
      .attributes = item->names,
      .n_attributes = item->n,
  };
  plan->specs[plan->n++] = (struct item_spec){form, item->names, item->n};
}

void plan_add_active(struct plan *plan, enum plan_role role) {
  struct plan_item *item = add_item(plan, role, ASIDE_NEVER);
  add_lead(item, "Active");
  end_read(plan, item, plan->broker, FORM_MBEAN);
}

void plan_add_active_uptime(struct plan *plan) {
  struct plan_item *item = add_item(plan, PLAN_ACTIVE_BEFORE, ASIDE_NEVER);
  add_lead(item, "Active");
  add_lead(item, "UptimeMillis");
  end_read(plan, item, plan->broker, FORM_MBEAN);
}

void plan_add_broker(struct plan *plan, enum tier tier) {
  const struct attribute *found[ATTRIBUTES_MAX];
  size_t n =
      attributes_of(OBJECT_BROKER, tier, plan->sets, plan->version, found);
  struct plan_item *item = add_item(plan, PLAN_BROKER, ASIDE_BROKER);
  for (size_t i = 0; i < n; i++)
    if (!found[i]->is_alone)
      add_attribute(item, found[i]);
  end_read(plan, item, plan->broker, FORM_MBEAN);
  for (size_t i = 0; i < n; i++) {
    if (!found[i]->is_alone)
      continue;
    item = add_item(plan, PLAN_BROKER, ASIDE_ALONE);
    add_attribute(item, found[i]);
    end_read(plan, item, plan->broker, FORM_MBEAN);
  }
}

/* Ends an item that lists all of a kind. */
static void end_listing(struct plan *plan, const struct plan_item *item,
                        const char *operation) {
  if (aside_has(plan->aside, item->key))
    return;
  plan->operations[plan->n] = (struct operation){
      .type = OPERATION_EXEC,
      .mbean = plan->broker,
      .name = operation,
      .arguments = listing_arguments,
      .n_arguments = LISTING_ARGUMENTS,
  };
  plan->specs[plan->n++] =
      (struct item_spec){FORM_LISTING, item->names, item->n};
}

void plan_add_listing(struct plan *plan) {
  struct plan_item *item = add_item(plan, PLAN_LISTING, ASIDE_LISTING);
  add_lead(item, "name");
  add_lead(item, "temporary");
  add_lead(item, "internalQueue");
  if (plan->has_address)
    add_lead(item, "address");
  add_attributes(plan, item, OBJECT_QUEUE, TIER_FAST, false);
  end_listing(plan, item, "listQueues(java.lang.String,int,int)");
}

void plan_add_names(struct plan *plan, enum object object) {
  bool is_queue = object == OBJECT_QUEUE;
  struct plan_item *item =
      add_item(plan, is_queue ? PLAN_LISTING : PLAN_ADDRESSES, ASIDE_NEVER);
  add_lead(item, "name");
  end_listing(plan, item,
              is_queue ? "listQueues(java.lang.String,int,int)"
                       : "listAddresses(java.lang.String,int,int)");
}

#define KEYS_MAX 128

/* The broker's name with ${keys}, of less than KEYS_MAX bytes, behind it. */
static const char *pattern(const struct plan *plan, char dst[PLAN_NAME_MAX],
                           const char *keys) {
  size_t len = strlen(plan->broker);
  _Static_assert(sizeof((struct identity *)0)->broker_mbean + KEYS_MAX <=
                     PLAN_NAME_MAX,
                 "the longest name and the keys fit");
  memcpy(dst, plan->broker, len);
  memcpy(dst + len, keys, strlen(keys) + 1);
  return dst;
}

static void add_queues(struct plan *plan, enum tier tier, bool is_alone) {
  struct plan_item *item =
      add_item(plan, PLAN_QUEUES, is_alone ? ASIDE_ALONE : ASIDE_QUEUES);
  item->is_again = is_alone;
  add_lead(item, "Temporary");
  if (plan->version == 0 || plan->version >= 2034) /* InternalQueue's first */
    add_lead(item, "InternalQueue");
  add_attributes(plan, item, OBJECT_QUEUE, tier, is_alone);
  if (item->n > item->n_lead)
    end_read(plan, item,
             pattern(plan, plan->queues,
                     ",component=addresses,address=*,subcomponent=queues,"
                     "routing-type=*,queue=*"),
             FORM_PATTERN);
}

void plan_add_queues(struct plan *plan, enum tier tier) {
  add_queues(plan, tier, false);
  add_queues(plan, tier, true);
}

void plan_add_addresses(struct plan *plan, enum tier tier) {
  struct plan_item *item = add_item(plan, PLAN_ADDRESSES, ASIDE_ADDRESSES);
  add_attributes(plan, item, OBJECT_ADDRESS, tier, false);
  end_read(plan, item,
           pattern(plan, plan->addresses, ",component=addresses,address=*"),
           FORM_PATTERN);
}
