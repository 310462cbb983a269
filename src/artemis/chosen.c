/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/chosen.h"

#include <stdlib.h>

#define FIRST_SIZE 64

void chosen_init(struct chosen *chosen, size_t max) {
  *chosen = (struct chosen){.max = max};
}

void chosen_fini(struct chosen *chosen) {
  free(chosen->table);
  chosen_init(chosen, chosen->max);
}

/* The name's slot, or the empty one where it belongs. */
static struct chosen_name *slot_of(struct chosen_name *table, size_t size,
                                   uint64_t hash) {
  size_t i = (size_t)(hash ^ hash >> 32) & (size - 1);
  while (table[i].hash != 0 && table[i].hash != hash)
    i = (i + 1) & (size - 1);
  return &table[i];
}

static bool is_stale(const struct chosen *chosen,
                     const struct chosen_name *name) {
  return chosen->round - name->round > CHOSEN_ROUNDS;
}

/* Moves the names that are not stale into a table of ${size} slots. */
static bool rebuild(struct chosen *chosen, size_t size) {
  struct chosen_name *table = calloc(size, sizeof *table);
  size_t n = 0;
  if (table == NULL)
    return false;
  for (size_t i = 0; i < chosen->size; i++) {
    const struct chosen_name *name = &chosen->table[i];
    if (name->hash == 0 || is_stale(chosen, name))
      continue;
    *slot_of(table, size, name->hash) = *name;
    n++;
  }
  free(chosen->table);
  chosen->table = table;
  chosen->size = size;
  chosen->n = n;
  return true;
}

bool chosen_take(struct chosen *chosen, uint64_t hash) {
  struct chosen_name *name;
  if (hash == 0)
    hash = 1;
  if (chosen->size == 0 && !rebuild(chosen, FIRST_SIZE))
    return false;
  name = slot_of(chosen->table, chosen->size, hash);
  if (name->hash == 0) {
    if (chosen->n >= chosen->max)
      return false;
    if (chosen->n + 1 > chosen->size / 4 * 3) {
      if (!rebuild(chosen, chosen->size * 2))
        return false;
      name = slot_of(chosen->table, chosen->size, hash);
    }
    chosen->n++;
    name->hash = hash;
  }
  name->round = chosen->round;
  return true;
}

void chosen_round_over(struct chosen *chosen) {
  bool has_stale = false;
  chosen->round++;
  for (size_t i = 0; i < chosen->size && !has_stale; i++)
    has_stale =
        chosen->table[i].hash != 0 && is_stale(chosen, &chosen->table[i]);
  if (has_stale)
    rebuild(chosen, chosen->size); /* without memory: at the next round */
}
