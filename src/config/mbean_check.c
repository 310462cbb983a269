/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include <stdio.h>
#include <string.h>

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

/* Whether both blocks give the same plugin instances, as far as their lines
 * tell: two with filters may choose different MBeans. */
static bool have_same_instances(const struct mbean_settings *a,
                                const struct mbean_settings *b) {
  bool has_filters =
      a->include.n + a->exclude.n + b->include.n + b->exclude.n > 0;
  if (has_filters || !is_same(a->prefix, b->prefix) ||
      !is_same(a->instance, b->instance))
    return false;
  if (strcmp(a->pattern, b->pattern) == 0)
    return true;
  return a->prefix && !a->instance && !strpbrk(a->pattern, "*?") &&
         !strpbrk(b->pattern, "*?");
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

/* The first one of ${a} that ${b} has, too. */
static const struct value_settings *
find_common(const struct mbean_settings *a, const struct mbean_settings *b) {
  const struct value_settings *found = NULL;
  if (!have_same_instances(a, b))
    return NULL;
  for (size_t i = 0; i < a->n_values && !found; i++)
    found = find_series(b, &a->values[i]);
  return found;
}

void check_mbean_series(struct loader *loader, const struct config_item *item,
                        const struct mbean_list *list) {
  for (size_t i = 0; i < list->n; i++)
    for (size_t k = i + 1; k < list->n; k++) {
      const struct mbean_settings *mbean = &list->mbean[k];
      const struct value_settings *value = find_common(&list->mbean[i], mbean);
      if (!value || loader->clusters[loader->cluster].is_bad)
        continue;
      load_refuse(loader, item,
                  "MBean: two blocks, of %.200s and %.200s, have one series "
                  "for %.100s; leave one out, or give it a Prefix of its own",
                  list->mbean[i].pattern, mbean->pattern, value->paths[0]);
      return;
    }
}
