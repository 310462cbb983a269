/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/objects.h"

#include "artemis/names.h"
#include "base/hash.h"
#include "jolokia/objectname.h"

#define OBJECT_NAME_MAX (16u << 20) /* the largest MaxObjectBytes */

enum status objects_init(struct objects *objects,
                         const struct scrape_settings *settings) {
  struct filter *filter = &objects->filter;
  filter_init(filter);
  buf_init(&objects->name, OBJECT_NAME_MAX);
  chosen_init(&objects->queues, settings->max_queues);
  chosen_init(&objects->addresses, settings->max_queues);
  if (filter_add(&filter->include, settings->include, settings->n_include) ||
      filter_add(&filter->exclude, settings->exclude, settings->n_exclude) ||
      filter_add(&filter->keep, settings->keep, settings->n_keep))
    return STATUS_NO_MEMORY;
  return STATUS_OK;
}

void objects_fini(struct objects *objects) {
  filter_fini(&objects->filter);
  chosen_fini(&objects->queues);
  chosen_fini(&objects->addresses);
  buf_fini(&objects->name);
}

/* A name that looks like a number or a truth value is a name too. */
static bool name_of_value(const struct value *value,
                          struct objectname_slice *ret) {
  if (value->type != VALUE_TEXT && !value->was_text)
    return false;
  ret->text = value->text;
  ret->len = value->text_len;
  return true;
}

static bool name_of_mbean(struct buf *scratch, const struct row *row,
                          const char *key, struct objectname_slice *ret) {
  const struct objectname_property *property;
  struct objectname name;
  struct error error;
  buf_clear(scratch);
  if (buf_add(scratch, row->name, row->name_len) != STATUS_OK ||
      objectname_parse(row->name, row->name_len, &name, &error) != STATUS_OK)
    return false;
  property = objectname_get(&name, key);
  ret->text = scratch->data; /* the plain form is never longer */
  return property != NULL &&
         objectname_unquote(property, scratch->data, scratch->len + 1,
                            &ret->len) == STATUS_OK;
}

static bool name_of_row(struct objects *objects, enum plan_role role,
                        const struct row *row, struct objectname_slice *ret) {
  if (role == PLAN_LISTING)
    return name_of_value(&row->columns[LISTING_NAME], ret);
  return name_of_mbean(&objects->name, row,
                       role == PLAN_QUEUES ? "queue" : "address", ret);
}

static bool is_true(const struct value *value) {
  return value->type == VALUE_BOOL && value->integer != 0;
}

/* Whether the broker calls the queue temporary or internal. */
static bool is_brokers_own(const struct plan_item *item,
                           const struct value *columns) {
  if (item->role == PLAN_LISTING)
    return is_true(&columns[LISTING_TEMPORARY]) ||
           is_true(&columns[LISTING_INTERNAL]);
  return is_true(&columns[QUEUES_TEMPORARY]) ||
         (item->n_lead > QUEUES_INTERNAL && is_true(&columns[QUEUES_INTERNAL]));
}

/* Where an object that is known by name is counted. */
static uint64_t *place_of(struct objects *objects, const struct plan_item *item,
                          const struct row *row,
                          const struct objectname_slice *name,
                          struct scrape_counts *counts) {
  bool is_address = item->role == PLAN_ADDRESSES;
  enum filter_verdict verdict =
      is_address ? filter_address(&objects->filter, name->text, name->len)
                 : filter_queue(&objects->filter, name->text, name->len,
                                is_brokers_own(item, row->columns));
  if (verdict == FILTER_OUT)
    return &counts->excluded;
  if (verdict == FILTER_IN &&
      !chosen_take(is_address ? &objects->addresses : &objects->queues,
                   hash_bytes(name->text, name->len)))
    return &counts->over_cap;
  return &counts->dispatched;
}

static uint64_t *dispatch(const struct plan_item *item, const struct row *row,
                          const struct objectname_slice *name,
                          struct values *values, struct scrape_counts *counts) {
  enum object object =
      item->role == PLAN_ADDRESSES ? OBJECT_ADDRESS : OBJECT_QUEUE;
  char instance[SAMPLE_NAME_MAX];
  names_instance(instance, sizeof instance, object_name(object), name->text,
                 name->len);
  if (values_dispatch(values, instance, item->attributes + item->n_lead,
                      row->columns + item->n_lead, item->n - item->n_lead) == 0)
    return &counts->invalid;
  return &counts->dispatched;
}

bool objects_row(struct objects *objects, const struct plan_item *item,
                 const struct row *row, bool is_active, bool is_held_back,
                 struct values *values, struct scrape_counts *counts) {
  struct objectname_slice name;
  uint64_t *place = &counts->invalid;
  counts->received++;
  if (name_of_row(objects, item->role, row, &name) && name.len > 0)
    place = is_active ? place_of(objects, item, row, &name, counts)
                      : &counts->excluded;
  if (place == &counts->dispatched && is_held_back) {
    counts->clock_step++;
    place = &counts->excluded;
  }
  if (place == &counts->dispatched)
    place = dispatch(item, row, &name, values, counts);
  (*place)++;
  return place == &counts->dispatched;
}

void objects_all_came(struct objects *objects, enum plan_role role) {
  chosen_round_over(role == PLAN_ADDRESSES ? &objects->addresses
                                           : &objects->queues);
}
