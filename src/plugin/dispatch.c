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

/* What is dispatched under ${*type}, which may change. */
static const data_set_t *find_data_set(const char **type) {
  const data_set_t *set = plugin_get_ds(*type);
  if (set || strcmp(*type, "bool") != 0)
    return set;
  *type = "gauge";
  return plugin_get_ds(*type);
}

static void set_name(char dst[DATA_MAX_NAME_LEN], const char *src) {
  if (strcmp(dst, src) == 0)
    return;
  size_t len = strnlen(src, DATA_MAX_NAME_LEN - 1);
  memcpy(dst, src, len);
  dst[len] = '\0';
}

static cdtime_t cdtime_of(int64_t ns) {
  return NS_TO_CDTIME_T((uint64_t)(ns > 0 ? ns : 0));
}

static void set_times(struct dispatcher *dispatcher,
                      const struct sample *sample) {
  if (dispatcher->time_ns != sample->time_ns)
    dispatcher->list.time = cdtime_of(sample->time_ns);
  if (dispatcher->interval_ns != sample->interval_ns)
    dispatcher->list.interval = cdtime_of(sample->interval_ns);
  dispatcher->time_ns = sample->time_ns;
  dispatcher->interval_ns = sample->interval_ns;
}

void dispatch_sample(void *cookie, const struct sample *sample) {
  struct dispatcher *dispatcher = cookie;
  const char *type = sample->type;
  const data_set_t *set = find_data_set(&type);
  if (!set) {
    refuse(dispatcher, sample,
           "the type is not in types.db; add collectd's own to TypesDB");
    return;
  }
  int kind = sample->is_derive ? DS_TYPE_DERIVE : DS_TYPE_GAUGE;
  if (set->ds_num != 1 || set->ds[0].type != kind) {
    refuse(dispatcher, sample,
           "types.db has changed the type; use collectd's own");
    return;
  }
  value_t value;
  if (sample->is_derive)
    value.derive = sample->derive;
  else
    value.gauge = sample->gauge;
  value_list_t *list = &dispatcher->list;
  list->values = &value;
  list->values_len = 1;
  set_times(dispatcher, sample);
  set_name(list->host, sample->host);
  set_name(list->plugin, sample->plugin);
  set_name(list->plugin_instance, sample->plugin_instance);
  set_name(list->type, type);
  set_name(list->type_instance, sample->type_instance);
  if (plugin_dispatch_values(list) != 0)
    refuse(dispatcher, sample, "collectd did not take it");
  list->values = NULL;
}
