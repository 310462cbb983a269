/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/tick.h"

#include "base/hash.h"

int64_t tick_offset_ns(const char *name, enum tier tier, int64_t interval_ns) {
  uint64_t hash = hash_mix(hash_text(name) + (uint64_t)tier);
  return (int64_t)(hash % (uint64_t)interval_ns);
}

void tick_start(struct tick *tick, int64_t start_ns, int64_t offset_ns,
                int64_t interval_ns) {
  tick->base_ns = start_ns + offset_ns;
  tick->interval_ns = interval_ns;
  tick->next_ns = tick->base_ns;
}

uint64_t tick_advance(struct tick *tick, int64_t now_ns) {
  if (now_ns < tick->next_ns)
    return 0;
  int64_t passed = (now_ns - tick->next_ns) / tick->interval_ns;
  tick->next_ns += (passed + 1) * tick->interval_ns;
  return (uint64_t)passed;
}

void tick_started_late(struct tick *tick, int64_t now_ns) {
  if (tick->next_ns - now_ns < tick->interval_ns / 2)
    tick->next_ns += tick->interval_ns;
}
