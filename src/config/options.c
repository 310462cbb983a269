/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/options.h"

#include "base/nearest.h"
#include "config/options_parts.h"

#include <string.h>
#include <strings.h>

static const struct options_part *const parts[] = {
    &options_plugin,  &options_cluster,  &options_node, &options_ceiling,
    &options_objects, &options_operator, &options_mbean};

enum { N_PARTS = sizeof parts / sizeof parts[0] };

const struct option *option_at(size_t number) {
  for (size_t i = 0; i < N_PARTS; number -= parts[i++]->n)
    if (number < parts[i]->n)
      return &parts[i]->list[number];
  return NULL;
}

size_t option_number(const struct option *option) {
  size_t number = 0;
  for (size_t i = 0; i < N_PARTS; i++)
    for (size_t k = 0; k < parts[i]->n; k++, number++)
      if (&parts[i]->list[k] == option)
        return number;
  return number;
}

const struct option *option_find(const char *name, enum option_place place) {
  const struct option *option;
  for (size_t i = 0; (option = option_at(i)); i++)
    if ((option->places & place) && strcasecmp(option->name, name) == 0)
      return option;
  return NULL;
}

const struct option *option_nearest(const char *name, enum option_place place) {
  size_t best = nearest_far(name);
  const struct option *nearest = NULL;
  const struct option *option;
  for (size_t i = 0; (option = option_at(i)); i++) {
    if (!(option->places & place))
      continue;
    size_t here = nearest_distance(name, option->name);
    if (here < best) {
      best = here;
      nearest = option;
    }
  }
  return nearest;
}

const char *option_place_name(enum option_place place) {
  switch (place) {
  case IN_CLUSTER:
    return "<Cluster>";
  case IN_NODE:
    return "<Node>";
  case IN_CEILING:
    return "<Ceiling>";
  case IN_QUEUES:
    return "<Queues>";
  case IN_ADDRESSES:
    return "<Addresses>";
  case IN_OPERATOR:
    return "<Operator>";
  case IN_SET:
    return "<Set>";
  case IN_MBEAN:
    return "<MBean>";
  case IN_ATTRIBUTE:
    return "<Attribute>";
  case IN_PLUGIN:
  case IN_ALL:
  default:
    return "<Plugin jolokia>";
  }
}

bool option_is_text(const struct option *option) {
  return option->type == OPTION_TEXT || option->type == OPTION_FOLDER ||
         option->type == OPTION_PASSWORD ||
         option->type == OPTION_PASSWORD_FILE;
}
