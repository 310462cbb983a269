/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/objects.h"

#include "artemis/names.h"
#include "base/hash.h"
#include "jolokia/objectname.h"

#include <string.h>

enum status objects_init(struct objects *objects,
                         const struct scrape_settings *settings) {
  enum status queues, addresses, queue_addresses;
  buf_init(&objects->name, OBJECT_NAME_MAX);
  buf_init(&objects->address, OBJECT_NAME_MAX);
  objects->alphabet = settings->names;
  chosen_init(&objects->queues.chosen, settings->max_queues);
  chosen_init(&objects->addresses.chosen, settings->max_addresses);
  queues = filter_init(&objects->queues.filter, &settings->queues);
  addresses = filter_init(&objects->addresses.filter, &settings->addresses);
  queue_addresses =
      filter_init(&objects->queue_addresses, &settings->queue_addresses);
  objects->queue_addresses.takes_own = true;
  if (queues != STATUS_OK)
    return queues;
  return addresses != STATUS_OK ? addresses : queue_addresses;
}

static void choice_fini(struct objects_choice *choice) {
  filter_fini(&choice->filter);
  chosen_fini(&choice->chosen);
}

void objects_fini(struct objects *objects) {
  choice_fini(&objects->queues);
  choice_fini(&objects->addresses);
  filter_fini(&objects->queue_addresses);
  buf_fini(&objects->name);
  buf_fini(&objects->address);
}

static enum object object_of(enum plan_role role) {
  return role == PLAN_ADDRESSES ? OBJECT_ADDRESS : OBJECT_QUEUE;
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

static bool is_slice(const struct objectname_slice *slice, const char *text) {
  return slice->len == strlen(text) &&
         memcmp(slice->text, text, slice->len) == 0;
}

bool objects_mbean_name(struct buf *scratch, enum object object,
                        const struct row *row, struct objectname_slice *ret) {
  const struct objectname_property *property;
  struct objectname name;
  struct error error;
  buf_clear(scratch);
  if (buf_add(scratch, row->name, row->name_len) != STATUS_OK ||
      objectname_parse(row->name, row->name_len, &name, &error) != STATUS_OK)
    return false;
  property = objectname_get(&name, object_name(object));
  ret->text = scratch->data; /* the plain form is never longer */
  return property != NULL &&
         objectname_unquote(property, scratch->data, scratch->len + 1,
                            &ret->len) == STATUS_OK;
}

bool objects_of_mbean(const struct objectname *name, const char *jmx_domain,
                      enum object *ret) {
  static const size_t keys[] = {
      [OBJECT_BROKER] = 1, [OBJECT_ADDRESS] = 3, [OBJECT_QUEUE] = 6};
  const struct objectname_property *component =
      objectname_get(name, "component");
  *ret = objectname_get(name, "queue") != NULL     ? OBJECT_QUEUE
         : objectname_get(name, "address") != NULL ? OBJECT_ADDRESS
                                                   : OBJECT_BROKER;
  return name->n_properties == keys[*ret] &&
         (jmx_domain == NULL || is_slice(&name->domain, jmx_domain)) &&
         objectname_get(name, "broker") != NULL &&
         (*ret == OBJECT_BROKER ||
          (component != NULL && is_slice(&component->value, "addresses")));
}

bool objects_name(struct objects *objects, enum plan_role role,
                  const struct row *row, struct objectname_slice *ret) {
  bool is_known =
      role == PLAN_LISTING
          ? name_of_value(&row->columns[LISTING_NAME], ret)
          : objects_mbean_name(&objects->name, object_of(role), row, ret);
  return is_known && ret->len > 0;
}

bool objects_is_own(const struct plan_item *item, const struct value *columns) {
  if (item->role == PLAN_ADDRESSES)
    return false;
  if (item->role == PLAN_LISTING)
    return value_is_true(&columns[LISTING_TEMPORARY]) ||
           value_is_true(&columns[LISTING_INTERNAL]);
  return value_is_true(&columns[QUEUES_TEMPORARY]) ||
         (item->n_lead > QUEUES_INTERNAL &&
          value_is_true(&columns[QUEUES_INTERNAL]));
}

struct objects_choice *objects_choice(struct objects *objects,
                                      enum plan_role role) {
  return role == PLAN_ADDRESSES ? &objects->addresses : &objects->queues;
}

void objects_begin(struct objects *objects, enum plan_role role) {
  objects_choice(objects, role)->over.n = 0;
  if (role != PLAN_ADDRESSES)
    objects->kept = (struct kept_sums){.has = {false}};
}

static void instance_of(const struct objects *objects, enum plan_role role,
                        const struct objectname_slice *name,
                        char dst[SAMPLE_NAME_MAX]) {
  names_instance(dst, SAMPLE_NAME_MAX, objects->alphabet,
                 object_name(object_of(role)), name->text, name->len);
}

/* Rounds of the slow tier look at the same objects once more. */
static uint64_t *put_over(struct objects *objects, const struct plan_item *item,
                          const struct objectname_slice *name,
                          struct scrape_counts *counts) {
  enum plan_role role = item->role;
  char *place;
  if (item->n > item->n_lead &&
      item->attributes[item->n_lead]->tier == TIER_SLOW)
    return &counts->over_cap;
  place = left_out_add(&objects_choice(objects, role)->over);
  if (place)
    instance_of(objects, role, name, place);
  return &counts->over_cap;
}

bool objects_has_address(const struct objects *objects) {
  const struct filter *filter = &objects->queue_addresses;
  return filter->include.n > 0 || filter->exclude.n > 0;
}

/* An address that cannot be read is "". */
static struct filter_judgement judge_address(struct objects *objects,
                                             const struct plan_item *item,
                                             const struct row *row) {
  struct objectname_slice address = {"", 0};
  struct filter_judgement judgement;
  if (item->role == PLAN_QUEUES)
    (void)objects_mbean_name(&objects->address, OBJECT_ADDRESS, row, &address);
  else if (item->n_lead > LISTING_ADDRESS)
    (void)name_of_value(&row->columns[LISTING_ADDRESS], &address);
  judgement =
      filter_judge(&objects->queue_addresses, address.text, address.len, false);
  judgement.rule = judgement.rule == FILTER_BY_EXCLUDE
                       ? FILTER_BY_EXCLUDE_ADDRESS
                       : FILTER_BY_INCLUDE_ADDRESS;
  return judgement;
}

struct filter_judgement objects_judge(struct objects *objects,
                                      const struct plan_item *item,
                                      const struct row *row,
                                      const struct objectname_slice *name) {
  struct objects_choice *choice = objects_choice(objects, item->role);
  struct filter_judgement judgement =
      filter_judge(&choice->filter, name->text, name->len,
                   objects_is_own(item, row->columns));
  if (judgement.verdict != FILTER_IN || item->role == PLAN_ADDRESSES ||
      !objects_has_address(objects))
    return judgement;
  struct filter_judgement address = judge_address(objects, item, row);
  return address.verdict == FILTER_OUT ? address : judgement;
}

/* Where an object that is known by name is counted. */
static uint64_t *place_of(struct objects *objects, const struct plan_item *item,
                          const struct row *row,
                          const struct objectname_slice *name,
                          struct scrape_counts *counts) {
  struct objects_choice *choice = objects_choice(objects, item->role);
  struct filter_judgement judgement = objects_judge(objects, item, row, name);
  if (judgement.verdict == FILTER_OUT)
    return &counts->excluded;
  if (judgement.verdict == FILTER_IN &&
      !chosen_take(&choice->chosen, hash_bytes(name->text, name->len)))
    return put_over(objects, item, name, counts);
  if (judgement.verdict == FILTER_KEEP && item->role != PLAN_ADDRESSES)
    kept_sums_add(&objects->kept, name->text, name->len, item, row);
  return &counts->dispatched;
}

static uint64_t *dispatch(const struct objects *objects,
                          const struct plan_item *item, const struct row *row,
                          const struct objectname_slice *name,
                          struct values *values, struct scrape_counts *counts) {
  char instance[SAMPLE_NAME_MAX];
  instance_of(objects, item->role, name, instance);
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
  if (objects_name(objects, item->role, row, &name))
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
  chosen_round_over(&objects_choice(objects, role)->chosen);
}
