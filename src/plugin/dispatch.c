/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/dispatch.h"

#include "base/clock.h"

static void refuse(struct dispatcher *dispatcher, const struct sample *sample,
                   const char *why) {
  dispatcher->n_refused++;
  if (log_repeat_due(&dispatcher->repeat, clock_mono_ns()))
    log_write(LOG_LEVEL_ERROR,
              "value %s/%s/%s-%s not handed over: %s (%" PRIu64 " so far)",
              sample->host, sample->plugin, sample->type, sample->type_instance,
              why, dispatcher->n_refused);
}

static int kind_of(const data_set_t *set) {
  for (size_t i = 1; i < set->ds_num; i++)
    if (set->ds[i].type != set->ds[0].type)
      return -1;
  return set->ds_num > 0 ? set->ds[0].type : -1;
}

/* Types are told by their address: the type's place in the table, or, where it
 * is not there, the one that it gets: an empty one, or another's. */
static struct dispatch_type *place_of(struct dispatcher *dispatcher,
                                      const char *type) {
  size_t home = (uintptr_t)type % DISPATCH_TYPES;
  for (size_t i = 0; i < DISPATCH_TYPES; i++) {
    struct dispatch_type *place =
        &dispatcher->types[(home + i) % DISPATCH_TYPES];
    if (place->type == type || !place->type)
      return place;
  }
  return &dispatcher->types[home];
}

/* collectd looks a type up in a tree of 300 names, so each is asked for once.
 * A type that is missing is asked for again. */
static bool ask_for_type(struct dispatcher *dispatcher, const char *type,
                         struct dispatch_type *ret) {
  const char *name = type;
  const data_set_t *set = plugin_get_ds(type);
  if (!set && strcmp(type, "bool") == 0) {
    name = "gauge";
    set = plugin_get_ds(name);
  }
  if (!set)
    return false;
  if (dispatcher->last == ret)
    dispatcher->last = NULL;
  *ret =
      (struct dispatch_type){.type = type,
                             .name = name,
                             .name_len = strnlen(name, DATA_MAX_NAME_LEN - 1),
                             .kind = kind_of(set),
                             .n = set->ds_num};
  return true;
}

static const struct dispatch_type *find_type(struct dispatcher *dispatcher,
                                             const char *type) {
  if (dispatcher->last && dispatcher->last->type == type)
    return dispatcher->last;
  struct dispatch_type *place = place_of(dispatcher, type);
  bool is_known = place->type == type || ask_for_type(dispatcher, type, place);
  return is_known ? place : NULL;
}

static void set_text(char dst[DATA_MAX_NAME_LEN], const char *src, size_t len) {
  memcpy(dst, src, len);
  dst[len] = '\0';
}

static void set_name(char dst[DATA_MAX_NAME_LEN], const char *src) {
  set_text(dst, src, strnlen(src, DATA_MAX_NAME_LEN - 1));
}

static cdtime_t cdtime_of(int64_t ns) {
  return NS_TO_CDTIME_T((uint64_t)(ns > 0 ? ns : 0));
}

/* What all samples of one object have in common. */
static void set_object(value_list_t *list, const struct sample *sample) {
  list->time = cdtime_of(sample->time_ns);
  list->interval = cdtime_of(sample->interval_ns);
  set_name(list->host, sample->host);
  set_name(list->plugin, sample->plugin);
  set_name(list->plugin_instance, sample->plugin_instance);
}

static void set_type(struct dispatcher *dispatcher,
                     const struct dispatch_type *type) {
  if (dispatcher->last == type)
    return;
  set_text(dispatcher->list.type, type->name, type->name_len);
  dispatcher->last = type;
}

static void set_values(value_t values[1 + SAMPLE_MORE_MAX],
                       const struct sample *sample) {
  if (sample->is_derive)
    values[0].derive = sample->derive;
  else
    values[0].gauge = sample->gauge;
  for (size_t i = 0; i < sample->n_more; i++)
    if (sample->is_derive)
      values[1 + i].derive = sample->more_derive[i];
    else
      values[1 + i].gauge = sample->more_gauge[i];
}

void dispatch_sample(void *cookie, const struct sample *sample) {
  struct dispatcher *dispatcher = cookie;
  value_list_t *list = &dispatcher->list;
  if (!sample->is_of_last)
    set_object(list, sample);
  const struct dispatch_type *type = find_type(dispatcher, sample->type);
  if (!type) {
    refuse(dispatcher, sample,
           "the type is not in types.db; add collectd's own to TypesDB");
    return;
  }
  int kind = sample->is_derive ? DS_TYPE_DERIVE : DS_TYPE_GAUGE;
  if (type->n != 1 + sample->n_more || type->kind != kind) {
    refuse(dispatcher, sample,
           "types.db has changed the type; use collectd's own");
    return;
  }
  value_t values[1 + SAMPLE_MORE_MAX];
  set_values(values, sample);
  list->values = values;
  list->values_len = type->n;
  set_type(dispatcher, type);
  set_name(list->type_instance, sample->type_instance);
  if (plugin_dispatch_values(list) != 0)
    refuse(dispatcher, sample, "collectd did not take it");
  list->values = NULL;
}
