/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/mbean.h"

#include "artemis/aside.h"
#include "artemis/chosen.h"
#include "artemis/collectd_type.h"
#include "artemis/names.h"

#include <stdlib.h>
#include <string.h>

#define SCRATCH_MAX (16u << 20) /* the largest MaxObjectBytes */

enum status mbeans_init(struct mbeans *mbeans, size_t max,
                        struct filter *filter, enum names_alphabet alphabet) {
  *mbeans = (struct mbeans){.filter = filter, .alphabet = alphabet};
  buf_init(&mbeans->scratch, SCRATCH_MAX);
  buf_init(&mbeans->room, SCRATCH_MAX);
  mbeans->chosen = calloc(TIER_COUNT, sizeof *mbeans->chosen);
  if (!mbeans->chosen)
    return STATUS_NO_MEMORY;
  for (size_t tier = 0; tier < TIER_COUNT; tier++)
    chosen_init(&mbeans->chosen[tier], max);
  claims_init(&mbeans->claims);
  return STATUS_OK;
}

static void reading_fini(struct mbean_reading *reading) {
  for (size_t i = 0; i < reading->n_paths; i++)
    value_path_fini(&reading->paths[i]);
  for (size_t i = 0; i < reading->n_map; i++)
    free(reading->map[i].text);
  free(reading->map);
  free(reading->type_instance);
}

static void item_fini(struct mbean_item *item) {
  for (size_t i = 0; i < item->n_readings; i++)
    reading_fini(&item->readings[i]);
  for (size_t i = 0; i < item->n_namings; i++) {
    free(item->namings[i].prefix);
    free(item->namings[i].instance);
    free(item->namings[i].filter_key);
    for (size_t k = 0; k < item->namings[i].n_keys; k++) {
      filter_fini(&item->namings[i].keys[k].filter);
      free(item->namings[i].keys[k].key);
    }
    free(item->namings[i].keys);
  }
  free(item->readings);
  free(item->namings);
  free(item->names);
  free(item->pattern);
}

void mbeans_fini(struct mbeans *mbeans) {
  for (size_t i = 0; i < mbeans->n; i++)
    item_fini(&mbeans->items[i]);
  for (size_t tier = 0; tier < TIER_COUNT; tier++) {
    free(mbeans->rounds[tier].operations);
    free(mbeans->rounds[tier].specs);
    free(mbeans->rounds[tier].slots);
    if (mbeans->chosen)
      chosen_fini(&mbeans->chosen[tier]);
  }
  free(mbeans->items);
  free(mbeans->chosen);
  claims_fini(&mbeans->claims);
  buf_fini(&mbeans->scratch);
  buf_fini(&mbeans->room);
}

/* One more element at the end of an array, all zero bytes; NULL without memory:
 * nothing has changed. */
static void *grow(void *array, size_t n, size_t size) {
  char *grown = reallocarray(array, n + 1, size);
  if (grown)
    memset(grown + n * size, 0, size);
  return grown;
}

static bool copy(char **dst, const char *text) {
  *dst = text ? strdup(text) : NULL;
  return *dst || !text;
}

static bool is_same(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static struct mbean_item *new_item(struct mbeans *mbeans,
                                   const struct mbean_block *block,
                                   struct error *error) {
  struct objectname name;
  if (objectname_parse(block->pattern, strlen(block->pattern), &name, error))
    return NULL;
  if (mbeans->n == MBEAN_ITEMS_MAX) {
    error_set(error, STATUS_INVALID,
              "more than %d MBeans are to be read; ask for fewer",
              MBEAN_ITEMS_MAX);
    return NULL;
  }
  error_set(error, STATUS_NO_MEMORY, "no memory for an MBean");
  struct mbean_item *items = grow(mbeans->items, mbeans->n, sizeof *items);
  if (!items)
    return NULL;
  mbeans->items = items;
  struct mbean_item *item = &items[mbeans->n];
  if (!copy(&item->pattern, block->pattern))
    return NULL;
  mbeans->n++;
  item->is_pattern = name.is_pattern;
  item->tier = block->tier;
  return item;
}

/* The item that the block's values come in: one that it shares, if it can. */
static struct mbean_item *item_of(struct mbeans *mbeans,
                                  const struct mbean_block *block,
                                  const struct mbean_value *value,
                                  struct error *error) {
  bool is_alone = !value || value->is_alone;
  for (size_t i = 0; i < mbeans->n && !is_alone; i++) {
    struct mbean_item *item = &mbeans->items[i];
    if (!item->is_alone && item->tier == block->tier &&
        item->n_names + value->n_paths <= REPLY_MAX_COLUMNS &&
        strcmp(item->pattern, block->pattern) == 0)
      return item;
  }
  struct mbean_item *item = new_item(mbeans, block, error);
  if (item)
    item->is_alone = is_alone;
  return item;
}

static bool has_key(const char *text, const char *key, size_t len) {
  return strncmp(text, key, len) == 0 && text[len] == '=';
}

/* Appends what the lines of that key have behind it. */
static size_t patterns_of(const char *const *texts, size_t n, const char *key,
                          const char **ret) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++)
    if (has_key(texts[i], key, strlen(key)))
      ret[found++] = texts[i] + strlen(key) + 1;
  return found;
}

static bool fill_key(struct mbean_key *key, const struct filter_texts *texts) {
  const char **include = calloc(texts->n_include + 1, sizeof *include);
  const char **exclude = calloc(texts->n_exclude + 1, sizeof *exclude);
  bool is_well = include && exclude;
  if (is_well) {
    const struct filter_texts own = {
        .include = include,
        .n_include =
            patterns_of(texts->include, texts->n_include, key->key, include),
        .exclude = exclude,
        .n_exclude =
            patterns_of(texts->exclude, texts->n_exclude, key->key, exclude)};
    is_well = filter_init(&key->filter, &own) == STATUS_OK;
    key->filter.takes_own = true;
  }
  free(include);
  free(exclude);
  return is_well;
}

/* The key that the text begins with, if it is a new one. */
static bool add_key(struct mbean_naming *naming, const char *text) {
  size_t len = strcspn(text, "=");
  for (size_t i = 0; i < naming->n_keys; i++)
    if (has_key(text, naming->keys[i].key, strlen(naming->keys[i].key)))
      return true;
  struct mbean_key *keys = grow(naming->keys, naming->n_keys, sizeof *keys);
  if (!keys)
    return false;
  naming->keys = keys;
  keys[naming->n_keys].key = strndup(text, len);
  return keys[naming->n_keys].key &&
         fill_key(&keys[naming->n_keys++], &naming->texts);
}

static bool add_keys(struct mbean_naming *naming,
                     const struct filter_texts *texts) {
  bool is_well = true;
  naming->texts = *texts;
  for (size_t i = 0; i < texts->n_include && is_well; i++)
    is_well = add_key(naming, texts->include[i]);
  for (size_t i = 0; i < texts->n_exclude && is_well; i++)
    is_well = add_key(naming, texts->exclude[i]);
  return is_well;
}

static bool naming_of(struct mbean_item *item, const struct mbean_block *block,
                      size_t *ret) {
  for (size_t i = 0; i < item->n_namings; i++) {
    const struct mbean_naming *naming = &item->namings[i];
    *ret = i;
    if (naming->plugin == block->plugin &&
        is_same(naming->prefix, block->prefix) &&
        is_same(naming->instance, block->instance) &&
        is_same(naming->filter_key, block->filter_key) &&
        naming->texts.include == block->keys.include &&
        naming->texts.exclude == block->keys.exclude)
      return true;
  }
  struct mbean_naming *namings =
      grow(item->namings, item->n_namings, sizeof *namings);
  if (!namings)
    return false;
  item->namings = namings;
  *ret = item->n_namings++;
  namings[*ret].plugin = block->plugin;
  return copy(&namings[*ret].prefix, block->prefix) &&
         copy(&namings[*ret].instance, block->instance) &&
         copy(&namings[*ret].filter_key, block->filter_key) &&
         add_keys(&namings[*ret], &block->keys);
}

/* The place of ${name} in ${names}, added there if it is new. */
static size_t place_of(const char **names, size_t *n, const char *name) {
  for (size_t i = 0; i < *n; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  names[*n] = name;
  return (*n)++;
}

static bool add_columns(struct mbean_item *item,
                        struct mbean_reading *reading) {
  const char **names = reallocarray(
      item->names, item->n_names + reading->n_paths, sizeof *names);
  if (!names)
    return false;
  item->names = names;
  for (size_t i = 0; i < reading->n_paths; i++) {
    const char *attribute = reading->paths[i].attribute;
    reading->columns[i] = place_of(names, &item->n_names, attribute);
    reading->own_columns[i] =
        place_of(reading->own, &reading->n_own, attribute);
  }
  return true;
}

/* "HeapMemoryUsage/used" is told as "HeapMemoryUsage-used". */
static bool default_type_instance(struct mbean_reading *reading,
                                  enum names_alphabet alphabet) {
  const struct value_path *path = &reading->paths[0];
  char name[SAMPLE_NAME_MAX];
  struct buf text;
  buf_init(&text, 2 * VALUE_PATH_MAX);
  buf_add_text(&text, path->attribute);
  for (size_t i = 0; i < path->n_keys; i++)
    if (i != path->star) {
      buf_add_text(&text, "-");
      buf_add_text(&text, path->keys[i]);
    }
  names_instance(name, sizeof name, alphabet, "", buf_text(&text), text.len);
  bool is_well = !text.status && copy(&reading->type_instance, name);
  buf_fini(&text);
  return is_well;
}

static bool copy_map(struct mbean_reading *reading,
                     const struct mbean_value *value) {
  if (value->n_map == 0)
    return true;
  reading->map = calloc(value->n_map, sizeof *reading->map);
  if (!reading->map)
    return false;
  for (; reading->n_map < value->n_map; reading->n_map++) {
    struct mbean_text *text = &reading->map[reading->n_map];
    text->number = value->map[reading->n_map].number;
    if (!copy(&text->text, value->map[reading->n_map].text))
      return false;
  }
  return true;
}

static enum status fill_reading(struct mbean_reading *reading,
                                enum names_alphabet alphabet,
                                const struct mbean_value *value,
                                struct error *error) {
  struct collectd_type type;
  enum status status = collectd_type_check(value->type, value->n_paths, error);
  for (; !status && reading->n_paths < value->n_paths; reading->n_paths++) {
    status = value_path_parse(value->paths[reading->n_paths],
                              &reading->paths[reading->n_paths], error);
    if (status)
      return status;
  }
  if (value->n_paths > 1 && reading->paths[0].star < reading->paths[0].n_keys)
    return error_set(error, STATUS_INVALID,
                     "a '*' stands for values of one data source each");
  if (status || !collectd_type_find(value->type, &type))
    return STATUS_INVALID;
  reading->type = type.name;
  reading->is_derive = type.is_derive;
  reading->scale = value->scale;
  reading->is_scaled = value->scale < 1 || value->scale > 1;
  reading->is_unknown_below_0 = value->is_unknown_below_0;
  reading->attribute = value->attribute;
  bool is_well = value->type_instance
                     ? copy(&reading->type_instance, value->type_instance)
                     : default_type_instance(reading, alphabet);
  return is_well && copy_map(reading, value) ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status add_reading(struct mbean_item *item, size_t naming,
                               const struct mbean_value *value,
                               enum names_alphabet alphabet,
                               struct error *error) {
  struct mbean_reading *readings =
      grow(item->readings, item->n_readings, sizeof *readings);
  if (!readings)
    return STATUS_NO_MEMORY;
  item->readings = readings;
  struct mbean_reading *reading = &readings[item->n_readings++];
  reading->naming = naming;
  enum status status = fill_reading(reading, alphabet, value, error);
  if (!status && !add_columns(item, reading))
    status = STATUS_NO_MEMORY;
  return status;
}

static enum status set_all(struct mbean_item *item, const char *name,
                           struct error *error) {
  struct collectd_type type;
  enum status status = collectd_type_check(name, 1, error);
  if (status || !collectd_type_find(name, &type))
    return STATUS_INVALID;
  item->all_type = type.name;
  item->all_is_derive = type.is_derive;
  return STATUS_OK;
}

enum status mbeans_add(struct mbeans *mbeans, const struct mbean_block *block,
                       const struct mbean_value *value, struct error *error) {
  size_t naming;
  error_set(error, STATUS_NO_MEMORY, "no memory for an MBean");
  struct mbean_item *item = item_of(mbeans, block, value, error);
  if (!item)
    return error->kind;
  enum status status = STATUS_NO_MEMORY;
  if (naming_of(item, block, &naming))
    status = value ? add_reading(item, naming, value, mbeans->alphabet, error)
                   : set_all(item, block->all_type, error);
  if (status == STATUS_NO_MEMORY)
    error_set(error, status, "no memory for an MBean");
  return status;
}

static enum status add_row(struct mbeans *mbeans,
                           const struct attribute *attribute,
                           struct error *error) {
  const struct attribute_mbean *mbean = attribute->mbean;
  const struct mbean_block block = {.plugin = mbean->plugin,
                                    .pattern = mbean->pattern,
                                    .prefix = mbean->prefix,
                                    .instance = mbean->instance,
                                    .tier = attribute->tier,
                                    .filter_key = mbean->filter_key};
  const struct mbean_value value = {.paths = &attribute->name,
                                    .n_paths = 1,
                                    .type = attribute->type,
                                    .type_instance = attribute_label(attribute),
                                    .scale = attribute->scale,
                                    .is_alone = attribute->is_alone,
                                    .is_unknown_below_0 =
                                        attribute->is_unknown_below_0,
                                    .attribute = attribute};
  return mbeans_add(mbeans, &block, &value, error);
}

enum status mbeans_add_sets(struct mbeans *mbeans, unsigned sets,
                            struct error *error) {
  size_t n;
  const struct attribute *table = attributes(&n);
  enum status status = STATUS_OK;
  for (size_t i = 0; i < n && !status; i++)
    if (table[i].object == OBJECT_MBEAN && (table[i].set & sets) != 0)
      status = add_row(mbeans, &table[i], error);
  return status;
}

bool mbeans_has(const struct mbeans *mbeans, enum tier tier) {
  for (size_t i = 0; i < mbeans->n; i++)
    if (mbeans->items[i].tier == tier)
      return true;
  return false;
}

size_t mbeans_aside(const struct mbeans *mbeans) {
  size_t n = 0;
  for (size_t i = 0; i < mbeans->n; i++)
    n += mbeans->items[i].aside > 0;
  return n;
}

/* -- A round -- */

/* Room for the most operations that the tier's items may make. */
static bool make_round(const struct mbeans *mbeans, enum tier tier,
                       struct mbean_round *round) {
  if (round->slots)
    return true;
  for (size_t i = 0; i < mbeans->n; i++)
    if (mbeans->items[i].tier == tier)
      round->max += 1 + mbeans->items[i].n_readings;
  if (round->max == 0)
    return true;
  round->operations = calloc(round->max, sizeof *round->operations);
  round->specs = calloc(round->max, sizeof *round->specs);
  round->slots = calloc(round->max, sizeof *round->slots);
  return round->operations && round->specs && round->slots;
}

static void add_operation(struct mbean_round *round, struct mbean_item *item,
                          size_t reading) {
  const char *const *names = item->names;
  size_t n = item->n_names;
  if (reading < item->n_readings) {
    names = item->readings[reading].own;
    n = item->readings[reading].n_own;
  }
  round->slots[round->n] = (struct mbean_slot){item, reading};
  round->operations[round->n] =
      (struct operation){.type = OPERATION_READ,
                         .mbean = item->pattern,
                         .attributes = names,
                         .n_attributes = n,
                         .is_all = item->all_type != NULL};
  enum item_form form = item->is_pattern ? FORM_PATTERN : FORM_MBEAN;
  if (item->all_type)
    form = FORM_VALUE;
  round->specs[round->n++] = (struct item_spec){form, names, n};
}

const struct mbean_round *mbeans_plan(struct mbeans *mbeans, enum tier tier) {
  struct mbean_round *round = &mbeans->rounds[tier];
  round->n = 0;
  round->has_failed = false;
  mbeans->left_out[tier].over.n = 0;
  mbeans->left_out[tier].taken.n = 0;
  if (!make_round(mbeans, tier, round))
    return NULL;
  for (size_t i = 0; i < mbeans->n; i++) {
    struct mbean_item *item = &mbeans->items[i];
    if (item->tier != tier)
      continue;
    if (item->aside > 0 && --item->aside > 0) {
      round->has_failed = true;
      continue;
    }
    if (item->split > 0)
      item->split--;
    if (item->split == 0)
      add_operation(round, item, item->n_readings);
    for (size_t k = 0; item->split > 0 && k < item->n_readings; k++)
      add_operation(round, item, k);
  }
  return round;
}

void mbeans_done(struct mbeans *mbeans, enum tier tier, bool has_failed) {
  struct mbean_round *round = &mbeans->rounds[tier];
  if (has_failed)
    return;
  if (!round->has_failed)
    round->bad_rounds = 0;
  else if (round->bad_rounds < ASIDE_ROUNDS) {
    round->bad_rounds++;
    return;
  }
  chosen_round_over(&mbeans->chosen[tier]);
  claims_round_over(&mbeans->claims, tier);
}
