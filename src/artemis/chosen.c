/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/chosen.h"

#include <stdlib.h>

#define FIRST_SIZE 64

void chosen_init(struct chosen *chosen, size_t max) {
  *chosen = (struct chosen){.max = max};
}

void chosen_fini(struct chosen *chosen) {
  free(chosen->names);
  free(chosen->slots);
  chosen_init(chosen, chosen->max);
}

/* So many names in so many slots. */
static size_t room_of(size_t size) { return size / 4 * 3; }

/* The name's slot, or the empty one where it belongs. */
static uint32_t *slot_of(const struct chosen *chosen, uint64_t hash) {
  size_t i = (size_t)(hash ^ hash >> 32) & (chosen->size - 1);
  while (chosen->slots[i] != 0 &&
         chosen->names[chosen->slots[i] - 1].hash != hash)
    i = (i + 1) & (chosen->size - 1);
  return &chosen->slots[i];
}

static bool is_stale(const struct chosen *chosen,
                     const struct chosen_name *name) {
  return chosen->round - name->round > CHOSEN_ROUNDS;
}

static void add(struct chosen *chosen, const struct chosen_name *name) {
  chosen->names[chosen->n++] = *name;
  *slot_of(chosen, name->hash) = (uint32_t)chosen->n;
}

/* Moves the names that are not stale to where ${size} slots are. */
static bool rebuild(struct chosen *chosen, size_t size) {
  struct chosen old = *chosen;
  struct chosen_name *names = calloc(room_of(size), sizeof *names);
  uint32_t *slots = calloc(size, sizeof *slots);
  if (names == NULL || slots == NULL) {
    free(names);
    free(slots);
    return false;
  }
  chosen->names = names;
  chosen->slots = slots;
  chosen->size = size;
  chosen->n = 0;
  chosen->next = 0;
  for (size_t i = 0; i < old.n; i++)
    if (!is_stale(chosen, &old.names[i]))
      add(chosen, &old.names[i]);
  free(old.names);
  free(old.slots);
  return true;
}

static bool find(struct chosen *chosen, uint64_t hash) {
  if (chosen->next < chosen->n && chosen->names[chosen->next].hash == hash)
    return true;
  uint32_t place = chosen->size > 0 ? *slot_of(chosen, hash) : 0;
  if (place == 0)
    return false;
  chosen->next = place - 1;
  return true;
}

bool chosen_take(struct chosen *chosen, uint64_t hash) {
  if (find(chosen, hash)) {
    chosen->names[chosen->next++].round = chosen->round;
    return true;
  }
  if (chosen->n >= chosen->max)
    return false;
  if (chosen->n == room_of(chosen->size) &&
      !rebuild(chosen, chosen->size > 0 ? chosen->size * 2 : FIRST_SIZE))
    return false;
  add(chosen, &(struct chosen_name){.hash = hash, .round = chosen->round});
  chosen->next = chosen->n;
  return true;
}

void chosen_round_over(struct chosen *chosen) {
  bool has_stale = false;
  chosen->round++;
  chosen->next = 0;
  for (size_t i = 0; i < chosen->n && !has_stale; i++)
    has_stale = is_stale(chosen, &chosen->names[i]);
  if (has_stale)
    (void)rebuild(chosen, chosen->size); /* else at the next round */
}
