/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/fields.h"

#include <stdlib.h>
#include <string.h>

static bool copy(char **dst, const char *text) {
  *dst = text ? strdup(text) : NULL;
  return *dst || !text;
}

static bool is_same(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_number(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

/* ---- values ---- */

static void value_settings_fini(struct value_settings *value) {
  for (size_t i = 0; i < value->n_paths; i++)
    free(value->paths[i]);
  for (size_t i = 0; i < value->n_map; i++)
    free(value->map[i].text);
  free(value->paths);
  free(value->map);
  free(value->type_instance);
  free(value->type);
  *value = (struct value_settings){0};
}

enum status value_settings_add_path(struct value_settings *value,
                                    const char *text) {
  char **paths = reallocarray(value->paths, value->n_paths + 1, sizeof *paths);
  if (!paths)
    return STATUS_NO_MEMORY;
  value->paths = paths;
  if (!copy(&paths[value->n_paths], text))
    return STATUS_NO_MEMORY;
  value->n_paths++;
  return STATUS_OK;
}

enum status value_settings_add_text(struct value_settings *value,
                                    const char *text, double number) {
  struct text_number *map =
      reallocarray(value->map, value->n_map + 1, sizeof *map);
  if (!map)
    return STATUS_NO_MEMORY;
  value->map = map;
  map[value->n_map].number = number;
  if (!copy(&map[value->n_map].text, text))
    return STATUS_NO_MEMORY;
  value->n_map++;
  return STATUS_OK;
}

static enum status value_copy(struct value_settings *dst,
                              const struct value_settings *src) {
  enum status status = STATUS_OK;
  *dst = (struct value_settings){.scale = src->scale};
  if (!copy(&dst->type_instance, src->type_instance) ||
      !copy(&dst->type, src->type))
    return STATUS_NO_MEMORY;
  for (size_t i = 0; i < src->n_paths && !status; i++)
    status = value_settings_add_path(dst, src->paths[i]);
  for (size_t i = 0; i < src->n_map && !status; i++)
    status = value_settings_add_text(dst, src->map[i].text, src->map[i].number);
  return status;
}

static bool values_are_same(const struct value_settings *a,
                            const struct value_settings *b) {
  bool is_alike = a->n_paths == b->n_paths && a->n_map == b->n_map &&
                  is_same(a->type_instance, b->type_instance) &&
                  is_same(a->type, b->type) &&
                  is_same_number(a->scale, b->scale);
  for (size_t i = 0; i < a->n_paths && is_alike; i++)
    is_alike = is_same(a->paths[i], b->paths[i]);
  for (size_t i = 0; i < a->n_map && is_alike; i++)
    is_alike = is_same(a->map[i].text, b->map[i].text) &&
               is_same_number(a->map[i].number, b->map[i].number);
  return is_alike;
}

/* ---- MBeans ---- */

static void mbean_settings_fini(struct mbean_settings *mbean) {
  for (size_t i = 0; i < mbean->n_values; i++)
    value_settings_fini(&mbean->values[i]);
  free(mbean->values);
  free(mbean->pattern);
  free(mbean->prefix);
  free(mbean->instance);
  free(mbean->type);
  patterns_fini(&mbean->include);
  patterns_fini(&mbean->exclude);
  *mbean = (struct mbean_settings){0};
}

struct value_settings *mbean_settings_add(struct mbean_settings *mbean) {
  struct value_settings *values =
      reallocarray(mbean->values, mbean->n_values + 1, sizeof *values);
  if (!values)
    return NULL;
  mbean->values = values;
  values[mbean->n_values] = (struct value_settings){.scale = 1};
  return &values[mbean->n_values++];
}

static enum status mbean_copy(struct mbean_settings *dst,
                              const struct mbean_settings *src) {
  enum status status = STATUS_OK;
  *dst = (struct mbean_settings){.tier = src->tier,
                                 .all_attributes = src->all_attributes};
  if (!copy(&dst->pattern, src->pattern) || !copy(&dst->prefix, src->prefix) ||
      !copy(&dst->instance, src->instance) || !copy(&dst->type, src->type) ||
      patterns_copy(&dst->include, &src->include) ||
      patterns_copy(&dst->exclude, &src->exclude))
    return STATUS_NO_MEMORY;
  for (size_t i = 0; i < src->n_values && !status; i++) {
    struct value_settings *value = mbean_settings_add(dst);
    status = value ? value_copy(value, &src->values[i]) : STATUS_NO_MEMORY;
  }
  return status;
}

static bool mbean_is_same(const struct mbean_settings *a,
                          const struct mbean_settings *b) {
  bool is_alike =
      a->n_values == b->n_values && a->tier == b->tier &&
      a->all_attributes == b->all_attributes &&
      patterns_are_same(&a->include, &b->include) &&
      patterns_are_same(&a->exclude, &b->exclude) &&
      is_same(a->pattern, b->pattern) && is_same(a->prefix, b->prefix) &&
      is_same(a->instance, b->instance) && is_same(a->type, b->type);
  for (size_t i = 0; i < a->n_values && is_alike; i++)
    is_alike = values_are_same(&a->values[i], &b->values[i]);
  return is_alike;
}

struct mbean_settings *mbean_list_add(struct mbean_list *list) {
  struct mbean_settings *mbeans =
      reallocarray(list->mbean, list->n + 1, sizeof *mbeans);
  if (!mbeans)
    return NULL;
  list->mbean = mbeans;
  mbeans[list->n] = (struct mbean_settings){0};
  return &mbeans[list->n++];
}

enum status mbean_list_append(struct mbean_list *dst,
                              const struct mbean_list *src) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < src->n && !status; i++) {
    struct mbean_settings *mbean = mbean_list_add(dst);
    status = mbean ? mbean_copy(mbean, &src->mbean[i]) : STATUS_NO_MEMORY;
  }
  return status;
}

void mbean_list_cut(struct mbean_list *list, size_t n) {
  while (list->n > n)
    mbean_settings_fini(&list->mbean[--list->n]);
}

void mbean_list_fini(struct mbean_list *list) {
  mbean_list_cut(list, 0);
  free(list->mbean);
  *list = (struct mbean_list){0};
}

bool mbean_lists_are_same(const struct mbean_list *a,
                          const struct mbean_list *b) {
  bool is_alike = a->n == b->n;
  for (size_t i = 0; i < a->n && is_alike; i++)
    is_alike = mbean_is_same(&a->mbean[i], &b->mbean[i]);
  return is_alike;
}
