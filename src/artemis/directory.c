/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/directory.h"

#include "artemis/mbean_instance.h"
#include "artemis/objects.h"

#include <stdlib.h>
#include <string.h>

/* What is read of a broker. */
static const struct {
  enum object object;
  const char *keys;
} owns[] = {
    {OBJECT_BROKER, ":broker=*"},
    {OBJECT_QUEUE, ":broker=*,component=addresses,address=*,subcomponent="
                   "queues,routing-type=*,queue=*"},
    {OBJECT_ADDRESS, ":broker=*,component=addresses,address=*"},
};
#define OWNS (sizeof owns / sizeof *owns)

/* What names the MBeans of a pattern. */
struct directory_block {
  const char *pattern;
  const struct mbean_naming *naming;
};

struct directory {
  enum names_alphabet alphabet;
  const char *jmx_domain;
  struct buf patterns[OWNS];
  size_t n_owns;                /* OWNS, or 0: none are read */
  struct operation *operations; /* ${n_owns}, and one of each block */
  struct item_spec *specs;
  struct directory_block *blocks;
  size_t n_blocks;
  struct buf name;
  struct buf scratch;
};

#define PATTERN_MAX 1024 /* a JMXDomain has at most 255 bytes */

static enum status add_search(struct directory *directory, size_t item,
                              const char *domain, const char *keys) {
  struct buf *pattern = &directory->patterns[item];
  buf_init(pattern, PATTERN_MAX);
  buf_add_text(pattern, domain);
  directory->operations[item] = (struct operation){.type = OPERATION_SEARCH};
  directory->specs[item] = (struct item_spec){.form = FORM_NAMES};
  return buf_add_text(pattern, keys);
}

static enum status add_owns(struct directory *directory,
                            const char *jmx_domain) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < directory->n_owns && status == STATUS_OK; i++)
    status = add_search(directory, i, jmx_domain, owns[i].keys);
  return status;
}

static bool is_same(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* An item's tier and attributes make no other series' names. */
static bool has_block(const struct directory *directory,
                      const struct mbean_item *item,
                      const struct mbean_naming *naming) {
  for (size_t i = 0; i < directory->n_blocks; i++) {
    const struct directory_block *block = &directory->blocks[i];
    if (strcmp(block->pattern, item->pattern) == 0 &&
        strcmp(block->naming->plugin, naming->plugin) == 0 &&
        is_same(block->naming->prefix, naming->prefix) &&
        is_same(block->naming->instance, naming->instance))
      return true;
  }
  return false;
}

static bool add_blocks(struct directory *directory,
                       const struct mbeans *mbeans) {
  size_t max = 0;
  for (size_t i = 0; i < mbeans->n; i++)
    max += mbeans->items[i].n_namings;
  directory->blocks = calloc(max + 1, sizeof *directory->blocks);
  directory->operations = calloc(OWNS + max, sizeof *directory->operations);
  directory->specs = calloc(OWNS + max, sizeof *directory->specs);
  if (!directory->blocks || !directory->operations || !directory->specs)
    return false;
  for (size_t i = 0; i < mbeans->n; i++)
    for (size_t k = 0; k < mbeans->items[i].n_namings; k++) {
      const struct mbean_item *item = &mbeans->items[i];
      size_t at = directory->n_blocks;
      if (has_block(directory, item, &item->namings[k]))
        continue;
      directory->blocks[at] =
          (struct directory_block){item->pattern, &item->namings[k]};
      directory->operations[directory->n_owns + at] =
          (struct operation){.type = OPERATION_SEARCH, .mbean = item->pattern};
      directory->specs[directory->n_owns + at] =
          (struct item_spec){.form = FORM_NAMES};
      directory->n_blocks++;
    }
  return true;
}

struct directory *directory_new(const struct scrape_settings *settings,
                                struct mbeans *mbeans) {
  struct directory *directory = calloc(1, sizeof *directory);
  if (directory == NULL)
    return NULL;
  directory->alphabet = settings->names;
  directory->jmx_domain = settings->jmx_domain;
  directory->n_owns =
      (settings->sets & (SET_ARTEMIS | SET_DETAIL)) != 0 ? OWNS : 0;
  buf_init(&directory->name, OBJECT_NAME_MAX);
  buf_init(&directory->scratch, OBJECT_NAME_MAX);
  if (!add_blocks(directory, mbeans) ||
      add_owns(directory, settings->jmx_domain) != STATUS_OK) {
    directory_free(directory);
    return NULL;
  }
  return directory;
}

void directory_free(struct directory *directory) {
  if (directory == NULL)
    return;
  for (size_t i = 0; i < directory->n_owns; i++)
    buf_fini(&directory->patterns[i]);
  buf_fini(&directory->name);
  buf_fini(&directory->scratch);
  free(directory->blocks);
  free(directory->operations);
  free(directory->specs);
  free(directory);
}

void directory_request(struct directory *directory,
                       struct scrape_request *ret) {
  for (size_t i = 0; i < directory->n_owns; i++)
    directory->operations[i].mbean = buf_text(&directory->patterns[i]);
  *ret = (struct scrape_request){.kind = KIND_LISTING,
                                 .operations = directory->operations,
                                 .specs = directory->specs,
                                 .n = directory->n_owns + directory->n_blocks};
}

size_t directory_mbeans(const struct directory *directory) {
  return directory->n_blocks;
}

bool directory_mbean(struct directory *directory, size_t i, const char *text,
                     struct directory_entry *ret) {
  const struct directory_block *block = &directory->blocks[i];
  size_t len = strlen(text);
  struct objectname pattern;
  struct objectname name;
  struct error error;
  *ret = (struct directory_entry){.object = OBJECT_MBEAN,
                                  .name = text,
                                  .name_len = len,
                                  .mbean = text,
                                  .mbean_len = len,
                                  .plugin = block->naming->plugin};
  return objectname_parse(block->pattern, strlen(block->pattern), &pattern,
                          &error) == STATUS_OK &&
         objectname_parse(text, len, &name, &error) == STATUS_OK &&
         !name.is_pattern && objectname_matches(&pattern, &name) &&
         instance_write(&pattern, directory->alphabet, block->naming->prefix,
                        block->naming->instance, &name, &directory->scratch,
                        ret->instance, sizeof ret->instance);
}

bool directory_has_objects(const struct directory *directory) {
  return directory->n_owns > 0;
}

static bool own_row(struct directory *directory, enum object object,
                    const struct row *row, struct directory_entry *ret) {
  struct objectname_slice name;
  *ret = (struct directory_entry){.object = object,
                                  .mbean = row->name,
                                  .mbean_len = row->name_len,
                                  .plugin = "artemis"};
  if (!objects_mbean_name(&directory->name, object, row, &name))
    return false;
  ret->name = name.text;
  ret->name_len = name.len;
  if (object == OBJECT_BROKER)
    memcpy(ret->instance, "broker", sizeof "broker");
  else
    names_instance(ret->instance, sizeof ret->instance, directory->alphabet,
                   object_name(object), name.text, name.len);
  return true;
}

bool directory_object(struct directory *directory, const char *text,
                      struct directory_entry *ret) {
  const struct row row = {.name = text, .name_len = strlen(text)};
  struct objectname name;
  struct error error;
  enum object object;
  return directory->n_owns > 0 &&
         objectname_parse(text, row.name_len, &name, &error) == STATUS_OK &&
         !name.is_pattern &&
         objects_of_mbean(&name, directory->jmx_domain, &object) &&
         own_row(directory, object, &row, ret);
}

bool directory_row(struct directory *directory, size_t item,
                   const struct row *row, struct directory_entry *ret) {
  if (item < directory->n_owns)
    return own_row(directory, owns[item].object, row, ret);
  buf_clear(&directory->name);
  return buf_add(&directory->name, row->name, row->name_len) == STATUS_OK &&
         directory_mbean(directory, item - directory->n_owns,
                         buf_text(&directory->name), ret);
}
