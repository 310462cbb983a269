/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/objects.h"

#include "artemis/names.h"
#include "base/hash.h"
#include "jolokia/objectname.h"

#define OBJECT_NAME_MAX (16u << 20) /* the largest MaxObjectBytes */

enum status objects_init(struct objects *objects,
                         const struct scrape_settings *settings) {
  enum status queues, addresses;
  buf_init(&objects->name, OBJECT_NAME_MAX);
  objects->alphabet = settings->names;
  chosen_init(&objects->queues.chosen, settings->max_queues);
  chosen_init(&objects->addresses.chosen, settings->max_addresses);
  queues = filter_init(&objects->queues.filter, &settings->queues);
  addresses = filter_init(&objects->addresses.filter, &settings->addresses);
  return queues != STATUS_OK ? queues : addresses;
}

static void choice_fini(struct objects_choice *choice) {
  filter_fini(&choice->filter);
  chosen_fini(&choice->chosen);
}

void objects_fini(struct objects *objects) {
  choice_fini(&objects->queues);
  choice_fini(&objects->addresses);
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
  if (item->role == PLAN_ADDRESSES)
    return false;
  if (item->role == PLAN_LISTING)
    return is_true(&columns[LISTING_TEMPORARY]) ||
           is_true(&columns[LISTING_INTERNAL]);
  return is_true(&columns[QUEUES_TEMPORARY]) ||
         (item->n_lead > QUEUES_INTERNAL && is_true(&columns[QUEUES_INTERNAL]));
}

static struct objects_choice *choice_of(struct objects *objects,
                                        enum plan_role role) {
  return role == PLAN_ADDRESSES ? &objects->addresses : &objects->queues;
}

/* Where an object that is known by name is counted. */
static uint64_t *place_of(struct objects *objects, const struct plan_item *item,
                          const struct row *row,
                          const struct objectname_slice *name,
                          struct scrape_counts *counts) {
  struct objects_choice *choice = choice_of(objects, item->role);
  struct filter_judgement judgement =
      filter_judge(&choice->filter, name->text, name->len,
                   is_brokers_own(item, row->columns));
  if (judgement.verdict == FILTER_OUT)
    return &counts->excluded;
  if (judgement.verdict == FILTER_IN &&
      !chosen_take(&choice->chosen, hash_bytes(name->text, name->len)))
    return &counts->over_cap;
  return &counts->dispatched;
}

static uint64_t *dispatch(const struct objects *objects,
                          const struct plan_item *item, const struct row *row,
                          const struct objectname_slice *name,
                          struct values *values, struct scrape_counts *counts) {
  enum object object =
      item->role == PLAN_ADDRESSES ? OBJECT_ADDRESS : OBJECT_QUEUE;
  char instance[SAMPLE_NAME_MAX];
  names_instance(instance, sizeof instance, objects->alphabet,
                 object_name(object), name->text, name->len);
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
    place = dispatch(objects, item, row, &name, values, counts);
  (*place)++;
  return place == &counts->dispatched;
}

void objects_all_came(struct objects *objects, enum plan_role role) {
  chosen_round_over(&choice_of(objects, role)->chosen);
}
