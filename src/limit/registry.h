/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_REGISTRY_H
#define LIMIT_REGISTRY_H

/* The ceilings of this process, by the canonical Jolokia URL. Who asks for the
 * same URL gets the same ceiling, whatever the name or cluster. */

#include "limit/ceiling.h"

struct registry;

struct registry_entry {
  struct ceiling ceiling; /* the caller's to use while it holds a reference */
  uint32_t references;
  void *holder; /* the caller's; NULL in a new one */
  /* the key follows in the same allocation; see registry_key() */
};

/* registry_new(): an empty registry, or NULL without memory.
 * registry_free(registry): frees all entries, referenced or not; NULL is fine.
 */
struct registry *registry_new(void);
void registry_free(struct registry *registry);

/* registry_get(registry, key, settings, now_ns): the entry of ${key} (copied),
 * made with one permit if it is new, with its reference count raised. An entry
 * that exists keeps its levels. Its settings are replaced where nobody
 * references it, and it is open again if it was closed; else the slower of both
 * hold (ceiling_settings_slow()): one more reference never makes it faster, and
 * who holds them says, by ceiling_reconfigure(), when the slowest is gone. NULL
 * without memory, and nothing changed. Expected constant time. */
struct registry_entry *registry_get(struct registry *registry, const char *key,
                                    const struct ceiling_settings *settings,
                                    int64_t now_ns);

/* registry_key(entry): its canonical URL, valid as long as the entry. */
const char *registry_key(const struct registry_entry *entry);

/* registry_put(registry, entry): gives a reference back. The entry stays until
 * it is full: a bucket in debt is not forgotten. */
void registry_put(struct registry *registry, struct registry_entry *entry);

/* registry_sweep(registry, now_ns): forgets the entries that nobody references
 * and whose ceilings are idle; returns how many are left unreferenced, so that
 * the caller knows whether to come again. */
size_t registry_sweep(struct registry *registry, int64_t now_ns);

/* registry_count(registry): entries, referenced or not. */
size_t registry_count(const struct registry *registry);

#endif
