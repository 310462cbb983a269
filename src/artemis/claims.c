/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/claims.h"

#include <stdlib.h>

#define FIRST_SIZE 64

void claims_init(struct claims *claims) { *claims = (struct claims){.n = 0}; }

void claims_fini(struct claims *claims) {
  free(claims->slots);
  claims_init(claims);
}

/* The slot of the series, or the empty one where it belongs. */
static struct claim *slot_of(const struct claims *claims, uint64_t series) {
  size_t i = (size_t)(series ^ series >> 32) & (claims->size - 1);
  while (claims->slots[i].series != 0 && claims->slots[i].series != series)
    i = (i + 1) & (claims->size - 1);
  return &claims->slots[i];
}

static bool is_stale(const struct claims *claims, const struct claim *claim) {
  return claims->rounds[claim->tier] - claim->round > CLAIMS_ROUNDS;
}

/* Moves those that are not stale to ${size} slots. */
static bool rebuild(struct claims *claims, size_t size) {
  struct claims old = *claims;
  struct claim *slots = calloc(size, sizeof *slots);
  if (!slots)
    return false;
  claims->slots = slots;
  claims->size = size;
  claims->n = 0;
  for (size_t i = 0; i < old.size; i++) {
    const struct claim *claim = &old.slots[i];
    if (claim->series == 0 || is_stale(claims, claim))
      continue;
    *slot_of(claims, claim->series) = *claim;
    claims->n++;
  }
  free(old.slots);
  return true;
}

static bool has_room(struct claims *claims) {
  if (claims->n < claims->size / 4 * 3)
    return true;
  return claims->size < CLAIMS_MAX &&
         rebuild(claims, claims->size > 0 ? claims->size * 2 : FIRST_SIZE);
}

bool claims_take(struct claims *claims, enum tier tier, uint64_t series,
                 uint64_t object) {
  struct claim *slot;
  series += series == 0;
  if (!has_room(claims))
    return true;
  slot = slot_of(claims, series);
  if (slot->series == series && slot->object != object &&
      !is_stale(claims, slot))
    return false;
  claims->n += slot->series == 0;
  *slot = (struct claim){series, object, claims->rounds[tier], tier};
  return true;
}

void claims_round_over(struct claims *claims, enum tier tier) {
  bool has_stale = false;
  claims->rounds[tier]++;
  for (size_t i = 0; i < claims->size && !has_stale; i++)
    has_stale =
        claims->slots[i].series != 0 && is_stale(claims, &claims->slots[i]);
  if (has_stale)
    (void)rebuild(claims, claims->size); /* else at the next round */
}
