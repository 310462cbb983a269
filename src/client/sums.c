/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/sums.h"

#include "artemis/attributes.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* Names of one node's queues: as much as MaxResponseBytes may be by default. */
#define NAMES_MAX (64u << 20)
#define FIRST_ROOM 64

/* -- The gauges -- */

static size_t gauges_of(const struct attribute *ret[SUMS_GAUGES]) {
  const struct attribute *all[ATTRIBUTES_MAX];
  size_t n_all = attributes_of(OBJECT_QUEUE, TIER_FAST, SET_ARTEMIS, 0, all);
  size_t n = 0;
  for (size_t i = 0; i < n_all && n < SUMS_GAUGES; i++)
    if (!all[i]->is_derive && !all[i]->is_bool)
      ret[n++] = all[i];
  return n;
}

/* Its place among them, or -1. */
static int place_of(const struct attribute *attribute) {
  const struct attribute *gauges[SUMS_GAUGES];
  size_t n = gauges_of(gauges);
  for (size_t i = 0; i < n; i++)
    if (gauges[i] == attribute)
      return (int)i;
  return -1;
}

/* -- Lists -- */

static void list_init(struct sums_list *list) {
  *list = (struct sums_list){.entries = NULL};
  buf_init(&list->names, NAMES_MAX);
}

static void list_fini(struct sums_list *list) {
  free(list->entries);
  buf_fini(&list->names);
}

static void list_clear(struct sums_list *list) {
  list->n = 0;
  buf_clear(&list->names);
}

static struct sums_entry *list_add(struct sums_list *list, uint64_t hash,
                                   const char *name) {
  if (list->n == list->room) {
    size_t room = list->room > 0 ? 2 * list->room : FIRST_ROOM;
    struct sums_entry *entries =
        realloc(list->entries, room * sizeof(*entries));
    if (!entries)
      return NULL;
    list->entries = entries;
    list->room = room;
  }
  size_t at = list->names.len;
  if (buf_add(&list->names, name, strlen(name) + 1))
    return NULL;
  struct sums_entry *entry = &list->entries[list->n++];
  *entry = (struct sums_entry){.hash = hash, .name = at};
  return entry;
}

/* -- A node's part -- */

void sums_part_init(struct sums_part *part, size_t max) {
  *part = (struct sums_part){.max = max};
  list_init(&part->now);
  list_init(&part->whole);
}

void sums_part_fini(struct sums_part *part) {
  list_fini(&part->now);
  list_fini(&part->whole);
}

static void begin_queue(struct sums_part *part, const char *name) {
  if (part->now.n == part->max ||
      !list_add(&part->now, hash_bytes(name, strlen(name)), name))
    part->is_broken = true;
}

void sums_part_sample(struct sums_part *part, const struct sample *sample) {
  const struct attribute *attribute = sample->attribute;
  if (!part->is_on || part->is_broken || !attribute ||
      attribute->object != OBJECT_QUEUE)
    return;
  if (!sample->is_of_last)
    begin_queue(part, sample->plugin_instance);
  int place = place_of(attribute);
  if (place < 0 || part->is_broken || part->now.n == 0)
    return;
  struct sums_entry *entry = &part->now.entries[part->now.n - 1];
  entry->values[place] = sample->gauge;
  entry->has |= 1u << place;
}

void sums_part_end(struct sums_part *part, bool is_whole, int64_t at_ns,
                   bool is_on) {
  if (is_whole && part->is_on && !part->is_broken) {
    struct sums_list last = part->whole;
    part->whole = part->now;
    part->now = last;
    part->has_whole = true;
    part->at_ns = at_ns;
  }
  list_clear(&part->now);
  part->is_broken = false;
  part->is_on = is_on;
}

/* -- The sums -- */

void sums_init(struct sums *sums) {
  *sums = (struct sums){.slots = NULL};
  list_init(&sums->list);
}

void sums_fini(struct sums *sums) {
  list_fini(&sums->list);
  free(sums->slots);
}

void sums_begin(struct sums *sums) {
  list_clear(&sums->list);
  if (sums->size > 0)
    memset(sums->slots, 0, sums->size * sizeof(*sums->slots));
  sums->n_added = 0;
  sums->next = 0;
}

/* The entry's slot, or the empty one where it belongs. */
static uint32_t *slot_of(const struct sums *sums, uint64_t hash) {
  size_t i = (size_t)(hash ^ hash >> 32) & (sums->size - 1);
  while (sums->slots[i] != 0 &&
         sums->list.entries[sums->slots[i] - 1].hash != hash)
    i = (i + 1) & (sums->size - 1);
  return &sums->slots[i];
}

static bool make_room(struct sums *sums) {
  if (sums->list.n < sums->size / 4 * 3)
    return true;
  size_t size = sums->size > 0 ? 2 * sums->size : FIRST_ROOM;
  uint32_t *slots = calloc(size, sizeof(*slots));
  if (!slots)
    return false;
  free(sums->slots);
  sums->slots = slots;
  sums->size = size;
  for (size_t i = 0; i < sums->list.n; i++)
    *slot_of(sums, sums->list.entries[i].hash) = (uint32_t)(i + 1);
  return true;
}

static bool add_entry(struct sums *sums, const struct sums_list *from,
                      const struct sums_entry *entry) {
  if (!make_room(sums))
    return false;
  uint32_t *slot = slot_of(sums, entry->hash);
  if (*slot == 0) {
    if (!list_add(&sums->list, entry->hash, from->names.data + entry->name))
      return false;
    *slot = (uint32_t)sums->list.n;
  }
  struct sums_entry *sum = &sums->list.entries[*slot - 1];
  for (size_t i = 0; i < SUMS_GAUGES; i++)
    sum->values[i] += entry->values[i];
  sum->has |= entry->has;
  return true;
}

bool sums_add(struct sums *sums, const struct sums_part *part) {
  const struct sums_list *from = &part->whole;
  sums->n_added += from->n;
  if (sums->n_added > SUMS_ENTRIES_MAX)
    return false;
  for (size_t i = 0; i < from->n; i++)
    if (!add_entry(sums, from, &from->entries[i]))
      return false;
  return true;
}

bool sums_send(struct sums *sums, struct sample *sample,
               const struct sample_sink *sink, size_t max) {
  const struct attribute *gauges[SUMS_GAUGES];
  size_t n_gauges = gauges_of(gauges);
  size_t n_sent = 0;
  for (; sums->next < sums->list.n && n_sent < max; sums->next++) {
    const struct sums_entry *sum = &sums->list.entries[sums->next];
    sample->plugin_instance = sums->list.names.data + sum->name;
    sample->is_of_last = false;
    for (size_t i = 0; i < n_gauges; i++) {
      if (!(sum->has & 1u << i))
        continue;
      sample->type = gauges[i]->type;
      sample->type_instance = gauges[i]->name;
      sample->gauge = sum->values[i];
      sink->dispatch(sink->cookie, sample);
      sample->is_of_last = true;
      n_sent++;
    }
  }
  return sums->next < sums->list.n;
}
