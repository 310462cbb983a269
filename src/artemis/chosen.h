/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_CHOSEN_H
#define ARTEMIS_CHOSEN_H

/* The names that are reported where there are more than may be: a choice that
 * sticks. A name once chosen stays while it exists, so that series neither
 * flicker nor swap with the order of a reply. Names stand as 64-bit hashes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHOSEN_ROUNDS 3 /* unseen for so many whole rounds: dropped */

struct chosen_name {
  uint64_t hash;
  uint32_t round; /* it was last seen in */
};

/* A reply names them in the order of the last one: the next in ${names} is
 * looked at first, which keeps a scrape of many queues in the caches. */
struct chosen {
  struct chosen_name *names; /* as they came; NULL while there is none */
  uint32_t *slots;           /* by hash: the name's place in ${names}, from 1 */
  size_t size;               /* slots, a power of two, or 0 */
  size_t n;                  /* names */
  size_t max;                /* ${n} never passes it */
  size_t next;               /* behind the last one taken */
  uint32_t round;
};

/* chosen_init(chosen, max): no name yet; allocates nothing. */
void chosen_init(struct chosen *chosen, size_t max);
void chosen_fini(struct chosen *chosen);

/* chosen_take(chosen, hash): whether the name is, or now becomes, one of the
 * chosen; false where ${max} others are, or without memory. */
bool chosen_take(struct chosen *chosen, uint64_t hash);

/* chosen_round_over(chosen): every name that exists was taken: what was not
 * seen for CHOSEN_ROUNDS rounds makes room. Not to be called after a round that
 * failed. */
void chosen_round_over(struct chosen *chosen);

#endif
