/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include "base/num.h"
#include "config/fields.h"
#include "config/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MBEANS_MAX 256    /* of one node */
#define ATTRIBUTES_MAX 64 /* of one block: what an item of a reply may have */
#define SOURCES_MAX 4     /* of one type */
#define MAP_MAX 64

/* A text that stands in a value's place on a line of its own. */
static const char *text_at(struct loader *loader,
                           const struct config_item *item, size_t i,
                           size_t max) {
  const struct config_value *value = &item->values[i];
  const char *reason = value->type == CONFIG_TEXT
                           ? value_text_error(value->text, max)
                           : "is no text; put it in quotes";
  if (reason)
    load_refuse(loader, item, "%s: value %zu %s", item->key, i + 1, reason);
  return reason ? NULL : value->text;
}

static bool keep(struct loader *loader, enum status status) {
  if (status)
    loader->status = status;
  return !status;
}

/* ---- a value ---- */

static void add_path(struct loader *loader, const struct config_item *item,
                     size_t i, struct value_settings *value) {
  struct error error;
  const char *text = text_at(loader, item, i, 1024);
  if (!text)
    return;
  enum status status = loader->rules->check_path(text, &error);
  if (status == STATUS_NO_MEMORY)
    loader->status = status;
  else if (status)
    load_refuse(loader, item, "Attribute: \"%.200s\" %s", text, error.text);
  if (strchr(text, '*') && item->n_values > 1 && item->n_children > 0)
    load_refuse(loader, item,
                "Attribute: a '*' stands for several values, each of one data "
                "source; write one name");
  if (strcmp(text, "ProducedRate") == 0)
    load_warn(loader, item,
              "Attribute: reading ProducedRate changes what the broker decides "
              "on slow consumers; remove it");
  keep(loader, value_settings_add_path(value, text));
}

/* Attribute "NAME" ["TYPE-INSTANCE" ["TYPE"]] */
static void load_line(struct loader *loader, const struct config_item *item,
                      struct value_settings *value) {
  if (item->n_values == 0 || item->n_values > 3) {
    load_refuse(loader, item,
                "Attribute: needs a name; write Attribute \"NAME\", or "
                "Attribute \"NAME\" \"TYPE-INSTANCE\" \"TYPE\"");
    return;
  }
  add_path(loader, item, 0, value);
  for (size_t i = 1; i < item->n_values && !loader->status; i++) {
    const char *text = text_at(loader, item, i, 100);
    if (text)
      keep(loader,
           text_set(i == 1 ? &value->type_instance : &value->type, text));
  }
}

static void load_map(struct loader *loader, const struct config_item *item,
                     struct value_settings *value) {
  double number = (double)NAN;
  if (item->n_values == 2 && item->n_children == 0 &&
      item->values[0].type == CONFIG_TEXT) {
    const struct config_value *second = &item->values[1];
    if (second->type == CONFIG_NUMBER)
      number = second->number;
    else if (second->type == CONFIG_TEXT &&
             !num_real(second->text, strlen(second->text), &number))
      number = (double)NAN;
  }
  if (!isfinite(number))
    load_refuse(loader, item,
                "Map: needs a text and the number that stands for it; write "
                "Map \"STARTED\" 1");
  else if (value->n_map == MAP_MAX)
    load_refuse(loader, item, "Map: more than %d texts; leave some out",
                MAP_MAX);
  else
    keep(loader, value_settings_add_text(value, item->values[0].text, number));
}

static void load_option(struct loader *loader, const struct config_item *item,
                        const struct option *option, void *base) {
  struct error error;
  enum status status =
      value_apply(option, item, base, option->type != OPTION_PATTERNS, &error);
  if (status == STATUS_NO_MEMORY)
    loader->status = status;
  else if (status)
    load_refuse(loader, item, "%s: %s", option->name, error.text);
}

/* <Attribute "NAME" ...>: a name for each data source of the type. */
static void load_block(struct loader *loader, const struct config_item *item,
                       struct value_settings *value) {
  if (item->n_values == 0 || item->n_values > SOURCES_MAX)
    load_refuse(loader, item,
                "Attribute: needs a name, or up to %d for a type with several "
                "data sources; write <Attribute \"NAME\">",
                SOURCES_MAX);
  for (size_t i = 0; i < item->n_values && i < SOURCES_MAX; i++)
    add_path(loader, item, i, value);
  for (size_t i = 0; i < item->n_children && !loader->status; i++) {
    const struct config_item *child = &item->children[i];
    const struct option *option = option_find(child->key, IN_ATTRIBUTE);
    if (!option)
      load_refuse_unknown(loader, child, IN_ATTRIBUTE);
    else if (option->type == OPTION_MAP)
      load_map(loader, child, value);
    else
      load_option(loader, child, option, value);
  }
}

static void check_value(struct loader *loader, const struct config_item *item,
                        const struct mbean_settings *mbean) {
  const struct value_settings *value = &mbean->values[mbean->n_values - 1];
  struct error error;
  if (value->n_paths == 0)
    return;
  if (loader->rules->check_type(value->type, value->n_paths, &error))
    load_refuse(loader, item, "Attribute: %s", error.text);
  if (value->type_instance && strchr(value->type_instance, '/'))
    load_refuse(
        loader, item,
        "Attribute: its type instance has a '/'; use another character");
  for (size_t i = 0; i + 1 < mbean->n_values; i++)
    if (mbean->values[i].n_paths > 0 &&
        load_is_series_of(&mbean->values[i], value))
      load_refuse(loader, item,
                  "Attribute: another one here has this type and type "
                  "instance; give one of them a TypeInstance of its own");
}

static void load_attribute(struct loader *loader,
                           const struct config_item *item,
                           struct mbean_settings *mbean) {
  if (mbean->n_values == ATTRIBUTES_MAX) {
    load_refuse(loader, item,
                "Attribute: more than %d in one block; begin another",
                ATTRIBUTES_MAX);
    return;
  }
  struct value_settings *value = mbean_settings_add(mbean);
  if (!value || text_set(&value->type, mbean->type)) {
    loader->status = STATUS_NO_MEMORY;
    return;
  }
  if (item->n_children > 0)
    load_block(loader, item, value);
  else
    load_line(loader, item, value);
  if (!loader->status)
    check_value(loader, item, mbean);
}

/* ---- a block ---- */

/* The block's own options come first, wherever they stand: Type is the default
 * of its attributes. */
static void load_options(struct loader *loader, const struct config_item *item,
                         struct mbean_settings *mbean) {
  for (size_t i = 0; i < item->n_children && !loader->status; i++) {
    const struct config_item *child = &item->children[i];
    const struct option *option = option_find(child->key, IN_MBEAN);
    if (!option)
      load_refuse_unknown(loader, child, IN_MBEAN);
    else if (option->type != OPTION_ATTRIBUTE)
      load_option(loader, child, option, mbean);
  }
  for (size_t i = 0; i < item->n_children && !loader->status; i++)
    if (config_key_is(&item->children[i], "Attribute"))
      load_attribute(loader, &item->children[i], mbean);
}

static void check_all(struct loader *loader, const struct config_item *item,
                      const struct mbean_settings *mbean, bool is_pattern) {
  struct error error;
  if (!mbean->all_attributes && mbean->n_values == 0 && !item->is_broken)
    load_refuse(loader, item,
                "MBean: names no attribute; write Attribute \"NAME\" in it");
  if (!mbean->all_attributes)
    return;
  if (is_pattern)
    load_refuse(loader, item,
                "AllAttributes: the MBean is a pattern, and all attributes of "
                "all of them would cost the JVM too much; name the attributes, "
                "or one MBean");
  if (mbean->n_values > 0)
    load_refuse(loader, item,
                "AllAttributes: attributes are named, too; remove one or the "
                "other");
  if (loader->rules->check_type(mbean->type, 1, &error))
    load_refuse(loader, item, "Type: %s", error.text);
}

static void check_names(struct loader *loader, const struct config_item *item,
                        const struct mbean_settings *mbean) {
  struct error error;
  const char *instance = mbean->instance;
  const char *reason = mbean->prefix && strchr(mbean->prefix, '/')
                           ? "has a '/'; use another character"
                           : NULL;
  if (reason)
    load_refuse(loader, item, "Prefix: %s", reason);
  if (!instance)
    return;
  if (loader->rules->check_instance(mbean->pattern, instance, &error))
    load_refuse(loader, item, "Instance: %s", error.text);
  else if (loader->rules->check_apart(mbean->pattern, instance, &error))
    load_warn(loader, item, "Instance: %s", error.text);
}

void load_mbean(struct loader *loader, const struct config_item *item,
                struct mbean_list *list) {
  bool is_pattern = false;
  struct error error;
  const char *pattern =
      value_text(item, 4096, "\"java.lang:type=Memory\"", &error);
  if (!pattern) {
    load_refuse(loader, item, "MBean: %s", error.text);
    return;
  }
  if (loader->rules->check_pattern(pattern, &is_pattern, &error)) {
    load_refuse(loader, item, "MBean: %s", error.text);
    return;
  }
  struct mbean_settings *mbean = mbean_list_add(list);
  if (!mbean || text_set(&mbean->pattern, pattern)) {
    loader->status = STATUS_NO_MEMORY;
    return;
  }
  load_mbean_defaults(loader, mbean);
  load_options(loader, item, mbean);
  if (loader->status)
    return;
  check_all(loader, item, mbean, is_pattern);
  check_names(loader, item, mbean);
  check_mbean_filters(loader, item, mbean, is_pattern);
}

/* ---- sets ---- */

static bool is_block(const struct config_item *item) {
  return item->n_children > 0;
}

static const struct set_settings *find_set(const struct settings *settings,
                                           const char *name) {
  for (size_t i = 0; i < settings->n_sets; i++)
    if (strcmp(settings->sets[i].name, name) == 0)
      return &settings->sets[i];
  return NULL;
}

/* No cluster is left out for a mistake in it, so the block is. */
static void load_mbean_of_set(struct loader *loader,
                              const struct config_item *item,
                              struct mbean_list *list) {
  size_t n_errors = loader->problems->n_errors;
  size_t n = list->n;
  load_mbean(loader, item, list);
  if (loader->problems->n_errors > n_errors)
    mbean_list_cut(list, n);
}

static void load_set(struct loader *loader, const struct config_item *item) {
  struct settings *settings = loader->settings;
  struct error error;
  const char *name = value_text(item, 127, "\"billing\"", &error);
  if (!name) {
    load_refuse(loader, item, "Set: %s", error.text);
    return;
  }
  if (loader->rules->find_set(name) || find_set(settings, name)) {
    load_refuse(loader, item,
                "Set: there is another of the name %.100s; give it one of its "
                "own",
                name);
    return;
  }
  struct set_settings *sets =
      reallocarray(settings->sets, settings->n_sets + 1, sizeof *sets);
  if (!sets) {
    loader->status = STATUS_NO_MEMORY;
    return;
  }
  settings->sets = sets;
  struct set_settings *set = &sets[settings->n_sets++];
  *set = (struct set_settings){.name = NULL};
  keep(loader, text_set(&set->name, name));
  for (size_t i = 0; i < item->n_children && !loader->status; i++)
    if (config_key_is(&item->children[i], "MBean"))
      load_mbean_of_set(loader, &item->children[i], &set->mbeans);
    else
      load_refuse_unknown(loader, &item->children[i], IN_SET);
}

void load_sets(struct loader *loader, const struct config_item *scope) {
  for (size_t i = 0; i < scope->n_children && !loader->status; i++)
    if (config_key_is(&scope->children[i], "Set") &&
        is_block(&scope->children[i]))
      load_set(loader, &scope->children[i]);
}

void check_set_names(struct loader *loader, const struct config_item *item) {
  for (size_t i = 0; i < item->n_values; i++) {
    const char *name = item->values[i].text;
    if (!loader->rules->find_set(name) && !find_set(loader->settings, name))
      load_refuse(
          loader, item,
          "Set: there is no set %.100s; write %s, or a <Set \"%.100s\"> "
          "with MBean blocks in <Plugin jolokia>",
          name, loader->rules->set_names, name);
  }
}

void resolve_sets(struct loader *loader, const struct config_item *item,
                  struct node_settings *node) {
  for (size_t i = 0; i < node->sets.n && !loader->status; i++) {
    const char *name = node->sets.pattern[i];
    const struct set_settings *set = find_set(loader->settings, name);
    node->ready_sets |= loader->rules->find_set(name);
    if (set)
      keep(loader, mbean_list_append(&node->mbeans, &set->mbeans));
  }
  if (node->mbeans.n > MBEANS_MAX)
    load_refuse(loader, item,
                "MBean: %zu blocks for one node, more than %d; leave some out",
                node->mbeans.n, MBEANS_MAX);
  else if (!loader->status)
    check_mbean_series(loader, item, &node->mbeans);
}
