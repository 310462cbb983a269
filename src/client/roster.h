/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_ROSTER_H
#define CLIENT_ROSTER_H

/* What comes and goes and has a name: found by it in expected constant time,
 * and counted through. Embedded in what it holds. Pure. */

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct roster_entry {
  const char *name; /* must stay while it is in */
  uint64_t hash;
  struct roster_entry *next; /* in its slot */
  size_t index;
};

/* All zero: empty. */
struct roster {
  struct roster_entry **slots;
  size_t n_slots;
  struct roster_entry **entries; /* [0, n) */
  size_t n;
};

/* roster_fini(roster): frees its own tables; what is in it is the caller's. */
void roster_fini(struct roster *roster);

/* roster_add(roster, entry, name): ${name} must not be in it. It is the last in
 * order. STATUS_NO_MEMORY, and nothing changed. */
enum status roster_add(struct roster *roster, struct roster_entry *entry,
                       const char *name);

/* roster_remove(roster, entry): the last one takes its place in the order. */
void roster_remove(struct roster *roster, struct roster_entry *entry);

/* roster_find(roster, name): NULL if there is none. */
struct roster_entry *roster_find(const struct roster *roster, const char *name);

#endif
