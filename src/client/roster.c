/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/roster.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 16 /* a power of two, as every later number of slots */

static struct roster_entry **slot_of(const struct roster *roster,
                                     uint64_t hash) {
  return &roster->slots[(hash ^ hash >> 32) & (roster->n_slots - 1)];
}

static void put(struct roster *roster, struct roster_entry *entry) {
  struct roster_entry **slot = slot_of(roster, entry->hash);
  entry->next = *slot;
  *slot = entry;
}

/* As many slots as places. */
static enum status grow(struct roster *roster) {
  size_t n = roster->n_slots ? 2 * roster->n_slots : SLOTS_FIRST;
  struct roster_entry **slots = calloc(n, sizeof(struct roster_entry *));
  struct roster_entry **entries =
      reallocarray(roster->entries, n, sizeof(struct roster_entry *));
  if (entries)
    roster->entries = entries;
  if (!slots || !entries) {
    free(slots);
    return STATUS_NO_MEMORY;
  }
  free(roster->slots);
  roster->slots = slots;
  roster->n_slots = n;
  for (size_t i = 0; i < roster->n; i++)
    put(roster, roster->entries[i]);
  return STATUS_OK;
}

void roster_fini(struct roster *roster) {
  free(roster->slots);
  free(roster->entries);
  *roster = (struct roster){.n = 0};
}

enum status roster_add(struct roster *roster, struct roster_entry *entry,
                       const char *name) {
  if (roster->n == roster->n_slots && grow(roster) != STATUS_OK)
    return STATUS_NO_MEMORY;
  entry->name = name;
  entry->hash = hash_text(name);
  entry->index = roster->n;
  roster->entries[roster->n++] = entry;
  put(roster, entry);
  return STATUS_OK;
}

void roster_remove(struct roster *roster, struct roster_entry *entry) {
  struct roster_entry **link = slot_of(roster, entry->hash);
  while (*link != entry)
    link = &(*link)->next;
  *link = entry->next;
  struct roster_entry *last = roster->entries[--roster->n];
  roster->entries[entry->index] = last;
  last->index = entry->index;
}

struct roster_entry *roster_find(const struct roster *roster,
                                 const char *name) {
  if (roster->n == 0)
    return NULL;
  uint64_t hash = hash_text(name);
  struct roster_entry *entry = *slot_of(roster, hash);
  while (entry && (entry->hash != hash || strcmp(entry->name, name) != 0))
    entry = entry->next;
  return entry;
}
