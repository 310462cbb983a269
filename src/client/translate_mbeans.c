/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/translate.h"

#include "artemis/collectd_type.h"
#include "artemis/mbean.h"
#include "artemis/mbean_instance.h"
#include "artemis/value_path.h"

#include <stdlib.h>
#include <string.h>

#define SCRATCH_MAX (64u << 10)

/* The plugin of what MBean blocks read. */
static const char plugin[] = "jmx";

static enum status check_pattern(const char *text, bool *ret_is_pattern,
                                 struct error *error) {
  struct objectname name;
  enum status status = objectname_parse(text, strlen(text), &name, error);
  if (!status)
    *ret_is_pattern = name.is_pattern;
  return status;
}

static enum status write_instance(const char *pattern, const char *prefix,
                                  const char *text, char *dst, size_t size) {
  struct objectname name;
  struct error error;
  struct buf scratch;
  *dst = '\0';
  if (objectname_parse(pattern, strlen(pattern), &name, &error) ||
      name.is_pattern)
    return STATUS_OK;
  buf_init(&scratch, SCRATCH_MAX);
  if (!instance_write(&name, NAMES_PLAIN, prefix, text, &name, &scratch, dst,
                      size))
    *dst = '\0';
  bool is_well = scratch.status != STATUS_NO_MEMORY;
  buf_fini(&scratch);
  return is_well ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status check_path(const char *text, struct error *error) {
  struct value_path path;
  enum status status = value_path_parse(text, &path, error);
  if (!status)
    value_path_fini(&path);
  return status;
}

const struct settings_rules translate_rules = {
    .check_url = translate_check_url,
    .find_set = set_find,
    .set_names = set_names,
    .check_pattern = check_pattern,
    .check_instance = instance_check,
    .check_apart = instance_check_apart,
    .write_instance = write_instance,
    .check_path = check_path,
    .check_type = collectd_type_check};

static enum status add_all(struct scrape *scrape, struct mbean_block *block,
                           const struct mbean_settings *mbean,
                           struct error *error) {
  block->all_type = mbean->type;
  return scrape_add_mbean(scrape, block, NULL, error);
}

static enum status add_value(struct scrape *scrape,
                             const struct mbean_block *block,
                             const struct value_settings *settings,
                             struct error *error) {
  struct mbean_value value = {.paths = (const char *const *)settings->paths,
                              .n_paths = settings->n_paths,
                              .type = settings->type,
                              .type_instance = settings->type_instance,
                              .scale = settings->scale,
                              .n_map = settings->n_map};
  struct mbean_text *map = calloc(settings->n_map + 1, sizeof *map);
  if (!map)
    return error_set(error, STATUS_NO_MEMORY, "no memory for an MBean");
  for (size_t i = 0; i < settings->n_map; i++)
    map[i] =
        (struct mbean_text){settings->map[i].text, settings->map[i].number};
  value.map = map;
  enum status status = scrape_add_mbean(scrape, block, &value, error);
  free(map);
  return status;
}

enum status translate_mbeans(const struct node_settings *node,
                             struct scrape *scrape, struct error *error) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < node->mbeans.n && !status; i++) {
    const struct mbean_settings *mbean = &node->mbeans.mbean[i];
    struct mbean_block block = {
        .plugin = plugin,
        .pattern = mbean->pattern,
        .prefix = mbean->prefix,
        .instance = mbean->instance,
        .tier = mbean->tier == MBEAN_SLOW ? TIER_SLOW : TIER_FAST,
        .keys = {.include = (const char *const *)mbean->include.pattern,
                 .n_include = mbean->include.n,
                 .exclude = (const char *const *)mbean->exclude.pattern,
                 .n_exclude = mbean->exclude.n}};
    if (mbean->all_attributes)
      status = add_all(scrape, &block, mbean, error);
    for (size_t k = 0; k < mbean->n_values && !status; k++)
      status = add_value(scrape, &block, &mbean->values[k], error);
  }
  return status;
}
