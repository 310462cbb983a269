/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/fields.h"

#include "config/pem.h"

#include <stdlib.h>
#include <string.h>

void *option_field(const struct option *option, void *base) {
  return (char *)base + option->offset;
}

static const void *field_of(const struct option *option, const void *base) {
  return (const char *)base + option->offset;
}

static void text_free(char *text) {
  if (text)
    explicit_bzero(text, strlen(text));
  free(text);
}

enum status text_set(char **text_field, const char *text) {
  char *copy = text ? strdup(text) : NULL;
  if (text && !copy)
    return STATUS_NO_MEMORY;
  text_free(*text_field);
  *text_field = copy;
  return STATUS_OK;
}

void patterns_fini(struct pattern_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    free(list->pattern[i]);
    free(list->place[i]);
  }
  free(list->pattern);
  free(list->place);
  *list = (struct pattern_list){0};
}

enum status patterns_add(struct pattern_list *list, const char *text,
                         const char *place) {
  char **pattern = reallocarray(list->pattern, list->n + 1, sizeof *pattern);
  if (pattern)
    list->pattern = pattern;
  char **places = reallocarray(list->place, list->n + 1, sizeof *places);
  if (places)
    list->place = places;
  if (!pattern || !places)
    return STATUS_NO_MEMORY;
  pattern[list->n] = strdup(text);
  places[list->n] = place ? strdup(place) : NULL;
  if (!pattern[list->n] || (place && !places[list->n])) {
    free(pattern[list->n]);
    free(places[list->n]);
    return STATUS_NO_MEMORY;
  }
  list->n++;
  return STATUS_OK;
}

enum status patterns_copy(struct pattern_list *dst,
                          const struct pattern_list *src) {
  for (size_t i = 0; i < src->n; i++)
    if (patterns_add(dst, src->pattern[i], src->place[i]))
      return STATUS_NO_MEMORY;
  return STATUS_OK;
}

/* Where they stand is no part of it. */
bool patterns_are_same(const struct pattern_list *a,
                       const struct pattern_list *b) {
  bool is_same = a->n == b->n;
  for (size_t i = 0; i < a->n && is_same; i++)
    is_same = strcmp(a->pattern[i], b->pattern[i]) == 0;
  return is_same;
}

/* ---- by the table ---- */

static void fields_fini(enum option_home home, void *base) {
  const struct option *option;
  for (size_t i = 0; (option = option_at(i)); i++) {
    if (option->home != home)
      continue;
    void *field = option_field(option, base);
    if (option_is_text(option))
      text_free(*(char **)field);
    else if (option->type == OPTION_PATTERNS)
      patterns_fini(field);
    else if (option->type == OPTION_PEM)
      pem_put(*(struct pem **)field);
  }
}

/* ${dst} is a plain copy of ${src}: each of its fields becomes its own, or
 * empty. */
static enum status fields_own(enum option_home home, void *dst,
                              const void *src) {
  enum status status = STATUS_OK;
  const struct option *option;
  for (size_t i = 0; (option = option_at(i)); i++) {
    if (option->home != home)
      continue;
    void *to = option_field(option, dst);
    const void *from = field_of(option, src);
    if (option_is_text(option)) {
      *(char **)to = NULL;
      if (!status)
        status = text_set(to, *(char *const *)from);
    } else if (option->type == OPTION_PATTERNS) {
      *(struct pattern_list *)to = (struct pattern_list){0};
      if (!status)
        status = patterns_copy(to, from);
    } else if (option->type == OPTION_PEM) {
      *(struct pem **)to = pem_share(*(struct pem *const *)from);
    }
  }
  return status;
}

static bool texts_are_same(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool field_is_same(const struct option *option, const void *a,
                          const void *b) {
  if (option_is_text(option))
    return texts_are_same(*(char *const *)a, *(char *const *)b);
  if (option->type == OPTION_PATTERNS)
    return patterns_are_same(a, b);
  if (option->type == OPTION_PEM)
    return pem_is_same(*(struct pem *const *)a, *(struct pem *const *)b);
  return memcmp(a, b, option->size) == 0;
}

/* ---- nodes and clusters ---- */

void node_fini(struct node_settings *node) {
  fields_fini(HOME_NODE, node);
  mbean_list_fini(&node->mbeans);
  free(node->name);
  free(node->cluster);
  free(node->url);
  free(node->url_key);
  *node = (struct node_settings){0};
}

enum status node_copy(struct node_settings *dst,
                      const struct node_settings *src) {
  *dst = *src;
  dst->name = dst->cluster = dst->url = dst->url_key = NULL;
  dst->mbeans = (struct mbean_list){0};
  enum status status = fields_own(HOME_NODE, dst, src);
  if (!status)
    status = mbean_list_append(&dst->mbeans, &src->mbeans);
  if (!status)
    status = text_set(&dst->cluster, src->cluster);
  return status;
}

void cluster_fini(struct cluster_settings *cluster) {
  fields_fini(HOME_CLUSTER, cluster);
  for (size_t i = 0; i < cluster->n_node_urls; i++) {
    free(cluster->node_urls[i].core);
    free(cluster->node_urls[i].url);
  }
  free(cluster->node_urls);
  free(cluster->name);
  node_fini(&cluster->member);
  *cluster = (struct cluster_settings){0};
}

enum status cluster_copy(struct cluster_settings *dst,
                         const struct cluster_settings *src) {
  *dst = *src;
  dst->name = NULL;
  dst->node_urls = NULL;
  dst->n_node_urls = 0;
  dst->member = (struct node_settings){0};
  return fields_own(HOME_CLUSTER, dst, src);
}

void operator_fini(struct operator_settings *login) {
  text_free(login->username);
  text_free(login->password);
  text_free(login->password_file);
  *login = (struct operator_settings){0};
}

/* The login's options are those of a cluster and a node, and not of the plugin.
 */
static enum node_change change_of(const struct option *option) {
  if (option->places == IN_CEILING)
    return CHANGED_CEILING;
  if (option->places == IN_QUEUES || option->places == IN_ADDRESSES)
    return CHANGED_FILTERS;
  if (option->places == IN_OPERATOR)
    return CHANGED_OPERATOR;
  if (option->type == OPTION_SECONDS)
    return CHANGED_TIMES;
  return option->places == (IN_CLUSTER | IN_NODE) ? CHANGED_LOGIN
                                                  : CHANGED_OTHER;
}

unsigned settings_node_changes(const struct node_settings *a,
                               const struct node_settings *b) {
  unsigned changes = 0;
  const struct option *option;
  for (size_t i = 0; (option = option_at(i)); i++)
    if (option->home == HOME_NODE &&
        !field_is_same(option, field_of(option, a), field_of(option, b)))
      changes |= change_of(option);
  if (!mbean_lists_are_same(&a->mbeans, &b->mbeans))
    changes |= CHANGED_OTHER;
  if (!texts_are_same(a->url, b->url))
    changes |= CHANGED_URL;
  return changes;
}

static bool node_urls_are_same(const struct cluster_settings *a,
                               const struct cluster_settings *b) {
  if (a->n_node_urls != b->n_node_urls)
    return false;
  for (size_t i = 0; i < a->n_node_urls; i++)
    if (strcmp(a->node_urls[i].core, b->node_urls[i].core) != 0 ||
        strcmp(a->node_urls[i].url, b->node_urls[i].url) != 0)
      return false;
  return true;
}

bool settings_discovery_is_same(const struct cluster_settings *a,
                                const struct cluster_settings *b) {
  const struct option *option;
  for (size_t i = 0; (option = option_at(i)); i++)
    if (option->home == HOME_CLUSTER &&
        !field_is_same(option, field_of(option, a), field_of(option, b)))
      return false;
  return node_urls_are_same(a, b) &&
         settings_node_changes(&a->member, &b->member) == 0;
}
