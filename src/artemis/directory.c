/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/directory.h"

#include "artemis/objects.h"

#include <stdlib.h>

enum { QUEUES, ADDRESSES, ITEMS };

struct directory {
  enum names_alphabet alphabet;
  struct buf patterns[ITEMS];
  struct operation operations[ITEMS];
  struct item_spec specs[ITEMS];
  struct buf name;
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

struct directory *directory_new(const struct scrape_settings *settings) {
  struct directory *directory = calloc(1, sizeof *directory);
  if (directory == NULL)
    return NULL;
  directory->alphabet = settings->names;
  buf_init(&directory->name, OBJECT_NAME_MAX);
  if (add_search(directory, QUEUES, settings->jmx_domain,
                 ":broker=*,component=addresses,address=*,subcomponent=queues,"
                 "routing-type=*,queue=*") != STATUS_OK ||
      add_search(directory, ADDRESSES, settings->jmx_domain,
                 ":broker=*,component=addresses,address=*") != STATUS_OK) {
    directory_free(directory);
    return NULL;
  }
  return directory;
}

void directory_free(struct directory *directory) {
  if (directory == NULL)
    return;
  for (size_t i = 0; i < ITEMS; i++)
    buf_fini(&directory->patterns[i]);
  buf_fini(&directory->name);
  free(directory);
}

void directory_request(struct directory *directory,
                       struct scrape_request *ret) {
  for (size_t i = 0; i < ITEMS; i++)
    directory->operations[i].mbean = buf_text(&directory->patterns[i]);
  *ret = (struct scrape_request){.kind = KIND_LISTING,
                                 .operations = directory->operations,
                                 .specs = directory->specs,
                                 .n = ITEMS};
}

bool directory_row(struct directory *directory, size_t item,
                   const struct row *row, struct directory_entry *ret) {
  struct objectname_slice name;
  ret->object = item == QUEUES ? OBJECT_QUEUE : OBJECT_ADDRESS;
  if (!objects_mbean_name(&directory->name, ret->object, row, &name))
    return false;
  ret->name = name.text;
  ret->name_len = name.len;
  names_instance(ret->instance, sizeof ret->instance, directory->alphabet,
                 object_name(ret->object), name.text, name.len);
  return true;
}
