/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture_list.h"

#include "artemis/object_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN_MAX_BYTES 1024

enum { ITEM_DIVERTS, ITEM_QUEUES, ITEM_ADDRESSES, N_ITEMS };
enum { FROM, FILTER, N_DIVERT };
enum { MESSAGES, CONSUMERS, RING, N_QUEUE };

enum status capture_list_init(struct capture_list *list, const char *jmx_domain,
                              struct error *error) {
  *list = (struct capture_list){.n = 0};
  for (size_t i = 0; i < N_ITEMS; i++)
    buf_init(&list->patterns[i], PATTERN_MAX_BYTES);
  list->entries = calloc(CAPTURE_LIST_MAX, sizeof(*list->entries));
  list->domain = object_name_brokers(jmx_domain);
  if (list->entries && list->domain)
    return STATUS_OK;
  return error_set(error, STATUS_NO_MEMORY, "no memory for the captures");
}

void capture_list_fini(struct capture_list *list) {
  for (size_t i = 0; i < N_ITEMS; i++)
    buf_fini(&list->patterns[i]);
  for (size_t i = 0; i < list->n; i++) {
    free(list->entries[i].source);
    free(list->entries[i].filter);
  }
  free(list->entries);
  free(list->domain);
}

bool capture_entry_is_whole(const struct capture_entry *entry) {
  return entry->has_address && entry->has_queue && entry->has_divert;
}

/* -- The request -- */

static enum status build(void *state, const struct identity *identity,
                         struct step_request *ret, struct error *error) {
  static const char *const divert[N_DIVERT] = {
      [FROM] = "Address", [FILTER] = "Filter"};
  static const char *const queue[N_QUEUE] = {[MESSAGES] = "MessageCount",
                                             [CONSUMERS] = "ConsumerCount",
                                             [RING] = "RingSize"};
  static const char *const address[] = {"RoutingTypes"};
  struct capture_list *list = state;
  (void)identity;
  for (size_t i = 0; i < N_ITEMS; i++)
    buf_clear(&list->patterns[i]);
  buf_printf(&list->patterns[ITEM_DIVERTS],
             "%s,component=addresses,address=*,subcomponent=diverts,"
             "divert=\"" CAPTURE_DIVERT_PREFIX "*\"",
             list->domain);
  buf_printf(&list->patterns[ITEM_QUEUES],
             "%s,component=addresses,address=*,subcomponent=queues,"
             "routing-type=*,queue=\"" CAPTURE_QUEUE_PREFIX "*\"",
             list->domain);
  buf_printf(&list->patterns[ITEM_ADDRESSES],
             "%s,component=addresses,address=\"" CAPTURE_QUEUE_PREFIX "*\"",
             list->domain);
  for (size_t i = 0; i < N_ITEMS; i++)
    if (list->patterns[i].status)
      return error_set(error, STATUS_INVALID, "the JMX domain is too long");
  step_read(ret, buf_text(&list->patterns[ITEM_DIVERTS]),
            (struct item_spec){FORM_PATTERN, divert, N_DIVERT});
  step_read(ret, buf_text(&list->patterns[ITEM_QUEUES]),
            (struct item_spec){FORM_PATTERN, queue, N_QUEUE});
  step_read(ret, buf_text(&list->patterns[ITEM_ADDRESSES]),
            (struct item_spec){FORM_PATTERN, address, 1});
  return STATUS_OK;
}

/* -- Rows -- */

/* The entry of that name, made where there is none; NULL: there is no room. */
static struct capture_entry *entry_of(struct capture_list *list,
                                      const char *name) {
  for (size_t i = 0; i < list->n; i++)
    if (strcmp(list->entries[i].name, name) == 0)
      return &list->entries[i];
  if (list->n == CAPTURE_LIST_MAX) {
    list->n_left_out++;
    return NULL;
  }
  struct capture_entry *entry = &list->entries[list->n++];
  snprintf(entry->name, sizeof(entry->name), "%s", name);
  entry->ring = -1;
  return entry;
}

static char *copy(const struct value *value) {
  bool has_text = value_has_text(value);
  return has_text && value->text_len > 0 ? strndup(value->text, value->text_len)
                                         : NULL;
}

static void take(struct capture_entry *entry, size_t item,
                 const struct value *values) {
  if (item == ITEM_DIVERTS && !entry->has_divert) {
    entry->has_divert = true;
    entry->source = copy(&values[FROM]);
    entry->filter = copy(&values[FILTER]);
  } else if (item == ITEM_QUEUES) {
    entry->has_queue = true;
    entry->ring = value_int(&values[RING], 0);
    entry->n_messages = value_int(&values[MESSAGES], 0);
    entry->n_consumers = value_int(&values[CONSUMERS], 0);
  } else if (item == ITEM_ADDRESSES) {
    entry->has_address = true;
  }
}

static void on_row(void *state, size_t item, const struct row *row) {
  static const struct {
    const char *key;
    const char *prefix;
  } kinds[N_ITEMS] = {
      [ITEM_DIVERTS] = {"divert", CAPTURE_DIVERT_PREFIX},
      [ITEM_QUEUES] = {"queue", CAPTURE_QUEUE_PREFIX},
      [ITEM_ADDRESSES] = {"address", CAPTURE_QUEUE_PREFIX},
  };
  struct capture_list *list = state;
  char *part = object_name_key(row->name, row->name_len, kinds[item].key);
  size_t len = strlen(kinds[item].prefix);
  if (part && strncmp(part, kinds[item].prefix, len) == 0 &&
      capture_is_name(part + len)) {
    struct capture_entry *entry = entry_of(list, part + len);
    if (entry)
      take(entry, item, row->columns);
  }
  free(part);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct capture_entry *)a)->name,
                ((const struct capture_entry *)b)->name);
}

static enum status check(void *state, const struct error *items,
                         struct error *error) {
  struct capture_list *list = state;
  for (size_t i = 0; i < N_ITEMS; i++)
    if (items[i].kind != STATUS_NOT_FOUND &&
        step_first_failure(&items[i], 1, error))
      return items[i].kind;
  qsort(list->entries, list->n, sizeof(*list->entries), by_name);
  return STATUS_OK;
}

static const struct step steps[] = {
    {.name = "list", .build = build, .row = on_row, .check = check}};

const struct step_table capture_list_table = {steps, 1, NULL};
