/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSTANCE_SIZE 128 /* collectd's own limit of a name, and a 0 */

/* ---- filters ---- */

/* A filter that would filter nothing, or leave out everything. */
static const char *filter_error(struct loader *loader,
                                const struct mbean_settings *mbean,
                                const char *text, bool is_pattern,
                                struct error *error) {
  char key[512];
  int len = (int)strcspn(text, "=");
  if (!is_pattern)
    return "the MBean is no pattern, so that there is nothing to choose; "
           "remove it";
  snprintf(key, sizeof key, "%%{%.*s}", len < 500 ? len : 500, text);
  return loader->rules->check_instance(mbean->pattern, key, error) ? error->text
                                                                   : NULL;
}

void check_mbean_filters(struct loader *loader, const struct config_item *item,
                         const struct mbean_settings *mbean, bool is_pattern) {
  const struct pattern_list *lists[] = {&mbean->include, &mbean->exclude};
  struct error error;
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < lists[i]->n; k++) {
      const char *reason =
          filter_error(loader, mbean, lists[i]->pattern[k], is_pattern, &error);
      if (reason)
        load_refuse(loader, item, "%s: %s", i ? "Exclude" : "Include", reason);
    }
}

/* ---- series ---- */

bool load_is_series_of(const struct value_settings *a,
                       const struct value_settings *b) {
  const char *left = a->type_instance ? a->type_instance : a->paths[0];
  const char *right = b->type_instance ? b->type_instance : b->paths[0];
  return strcmp(a->type, b->type) == 0 && strcmp(left, right) == 0;
}

static bool is_same(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* A block, and the plugin instance of its one MBean; "" of a pattern. */
struct named {
  const struct mbean_settings *mbean;
  char instance[INSTANCE_SIZE];
};

/* Whether both blocks give the same plugin instances, as far as their lines
 * tell: two with filters may choose different MBeans. */
static bool have_same_instances(const struct named *one,
                                const struct named *other) {
  const struct mbean_settings *a = one->mbean;
  const struct mbean_settings *b = other->mbean;
  if (*one->instance || *other->instance)
    return strcmp(one->instance, other->instance) == 0;
  return a->include.n + a->exclude.n + b->include.n + b->exclude.n == 0 &&
         is_same(a->prefix, b->prefix) && is_same(a->instance, b->instance) &&
         strcmp(a->pattern, b->pattern) == 0;
}

static const struct value_settings *
find_series(const struct mbean_settings *mbean,
            const struct value_settings *value) {
  for (size_t i = 0; i < mbean->n_values; i++)
    if (mbean->values[i].n_paths > 0 && value->n_paths > 0 &&
        load_is_series_of(&mbean->values[i], value))
      return &mbean->values[i];
  return NULL;
}

/* The first value of ${a} that ${b} has, too; NULL: none. */
static const char *find_common(const struct mbean_settings *a,
                               const struct mbean_settings *b) {
  for (size_t i = 0; i < a->n_values; i++)
    if (find_series(b, &a->values[i]))
      return a->values[i].paths[0];
  return NULL;
}

/* The first value of ${b} that may be among all attributes of ${a}, too. */
static const char *find_among_all(const struct mbean_settings *a,
                                  const struct mbean_settings *b) {
  if (b->all_attributes)
    return strcmp(a->type, b->type) == 0 ? "each attribute" : NULL;
  for (size_t i = 0; i < b->n_values; i++) {
    const struct value_settings *value = &b->values[i];
    if (value->n_paths > 0 && !value->type_instance &&
        !strchr(value->paths[0], '/') && strcmp(a->type, value->type) == 0)
      return value->paths[0];
  }
  return NULL;
}

/* Told once a cluster. Without the attributes' names, and of two MBeans, it is
 * not known whether they have one twice. */
static void check_pair(struct loader *loader, const struct config_item *item,
                       const struct named *one, const struct named *other) {
  const struct mbean_settings *a = one->mbean;
  const struct mbean_settings *b = other->mbean;
  bool is_of_all = a->all_attributes || b->all_attributes;
  if (!have_same_instances(one, other))
    return;
  const char *value = !is_of_all          ? find_common(a, b)
                      : a->all_attributes ? find_among_all(a, b)
                                          : find_among_all(b, a);
  if (!value)
    return;
  if (!is_of_all || (a->all_attributes && b->all_attributes &&
                     strcmp(a->pattern, b->pattern) == 0))
    load_refuse(loader, item,
                "MBean: two blocks, of %.200s and %.200s, have one series "
                "for %.100s; leave one out, or give it a Prefix of its own",
                a->pattern, b->pattern, value);
  else if (load_once(loader, ONCE_SERIES))
    load_warn(loader, item,
              "MBean: two blocks, of %.200s and %.200s, may have one series "
              "for %.100s; leave one out, or give it a Prefix of its own",
              a->pattern, b->pattern, value);
}

void check_mbean_series(struct loader *loader, const struct config_item *item,
                        const struct mbean_list *list) {
  const bool *is_bad = &loader->clusters[loader->cluster].is_bad;
  struct named *named = calloc(list->n + 1, sizeof *named);
  if (!named)
    loader->status = STATUS_NO_MEMORY;
  for (size_t i = 0; i < list->n && !loader->status; i++) {
    const struct mbean_settings *mbean = &list->mbean[i];
    named[i].mbean = mbean;
    loader->status = loader->rules->write_instance(
        mbean->pattern, mbean->prefix, mbean->instance, named[i].instance,
        sizeof named[i].instance);
    for (size_t k = 0; k < i && !loader->status && !*is_bad; k++)
      check_pair(loader, item, &named[k], &named[i]);
  }
  free(named);
}
