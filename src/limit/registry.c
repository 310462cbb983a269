/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/registry.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 16 /* a power of two, as every later number of slots */

struct item {
  struct registry_entry entry; /* first: an entry's address is its item's */
  struct item *next;           /* in its slot */
  uint64_t hash;
  char key[];
};

struct registry {
  struct item **slots;
  size_t n_slots;
  size_t n_items;
  size_t n_unreferenced;
};

static struct item **slot_of(const struct registry *registry, uint64_t hash) {
  return &registry->slots[(hash ^ hash >> 32) & (registry->n_slots - 1)];
}

struct registry *registry_new(void) {
  struct registry *registry = calloc(1, sizeof(*registry));
  if (!registry)
    return NULL;
  registry->n_slots = SLOTS_FIRST;
  registry->slots = calloc(SLOTS_FIRST, sizeof(*registry->slots));
  if (!registry->slots) {
    free(registry);
    return NULL;
  }
  return registry;
}

void registry_free(struct registry *registry) {
  if (!registry)
    return;
  for (size_t i = 0; i < registry->n_slots; i++)
    while (registry->slots[i]) {
      struct item *item = registry->slots[i];
      registry->slots[i] = item->next;
      free(item);
    }
  free(registry->slots);
  free(registry);
}

static void insert(struct registry *registry, struct item *item) {
  struct item **slot = slot_of(registry, item->hash);
  item->next = *slot;
  *slot = item;
}

/* Without memory the chains get longer, and all stays right. */
static void grow(struct registry *registry) {
  struct registry old = *registry;
  struct item **slots = calloc(old.n_slots * 2, sizeof(*slots));
  if (!slots)
    return;
  registry->slots = slots;
  registry->n_slots = old.n_slots * 2;
  for (size_t i = 0; i < old.n_slots; i++)
    while (old.slots[i]) {
      struct item *item = old.slots[i];
      old.slots[i] = item->next;
      insert(registry, item);
    }
  free(old.slots);
}

static struct item *find(const struct registry *registry, const char *key,
                         uint64_t hash) {
  struct item *item = *slot_of(registry, hash);
  while (item && (item->hash != hash || strcmp(item->key, key) != 0))
    item = item->next;
  return item;
}

static struct item *add(struct registry *registry, const char *key,
                        uint64_t hash, const struct ceiling_settings *settings,
                        int64_t now_ns) {
  size_t size = strlen(key) + 1;
  struct item *item = malloc(sizeof(*item) + size);
  if (!item)
    return NULL;
  ceiling_init(&item->entry.ceiling, settings, now_ns);
  item->entry.references = 0;
  item->entry.holder = NULL;
  item->hash = hash;
  memcpy(item->key, key, size);
  if (registry->n_items == registry->n_slots)
    grow(registry);
  insert(registry, item);
  registry->n_items++;
  registry->n_unreferenced++;
  return item;
}

static void join(struct registry_entry *entry,
                 const struct ceiling_settings *settings, int64_t now_ns) {
  struct ceiling_settings slowest = *settings;
  if (entry->references > 0)
    ceiling_settings_slow(&slowest, &entry->ceiling.settings);
  ceiling_reconfigure(&entry->ceiling, &slowest, now_ns);
}

struct registry_entry *registry_get(struct registry *registry, const char *key,
                                    const struct ceiling_settings *settings,
                                    int64_t now_ns) {
  uint64_t hash = hash_text(key);
  struct item *item = find(registry, key, hash);
  if (item)
    join(&item->entry, settings, now_ns);
  else
    item = add(registry, key, hash, settings, now_ns);
  if (!item)
    return NULL;
  if (item->entry.references++ == 0) {
    registry->n_unreferenced--;
    item->entry.ceiling.is_closing = false;
  }
  return &item->entry;
}

const char *registry_key(const struct registry_entry *entry) {
  return ((const struct item *)entry)->key;
}

void registry_put(struct registry *registry, struct registry_entry *entry) {
  if (entry->references > 0 && --entry->references == 0)
    registry->n_unreferenced++;
}

static void sweep_slot(struct registry *registry, struct item **link,
                       int64_t now_ns) {
  while (*link) {
    struct item *item = *link;
    if (item->entry.references > 0 ||
        !ceiling_is_idle(&item->entry.ceiling, now_ns)) {
      link = &item->next;
      continue;
    }
    *link = item->next;
    free(item);
    registry->n_items--;
    registry->n_unreferenced--;
  }
}

size_t registry_sweep(struct registry *registry, int64_t now_ns) {
  for (size_t i = 0; i < registry->n_slots && registry->n_unreferenced > 0; i++)
    sweep_slot(registry, &registry->slots[i], now_ns);
  return registry->n_unreferenced;
}

size_t registry_count(const struct registry *registry) {
  return registry->n_items;
}
