/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef SUPPORT_CEILING_ORACLE_H
#define SUPPORT_CEILING_ORACLE_H

/* The rules of a node's ceiling once more, slow and plain: arrays that are
 * searched, 128 bits, tags that are written down. Can be copied, to ask it what
 * would be at another instant. */

#include "base/clock.h"
#include "limit/ceiling.h"

#include <string.h>

#define ORACLE_WAITERS 64

__extension__ typedef __int128 wide;

struct oracle_waiter {
  int id;
  enum owner owner;
  uint32_t cost;
  uint32_t changes;
  int64_t since_ns;
  int64_t deadline_ns;
};

struct oracle {
  struct ceiling_settings settings;
  wide level[UNIT_BUCKETS];
  wide accrued[UNIT_BUCKETS]; /* all that ever did, the cap aside */
  wide now;                   /* the latest instant seen */
  wide hold_until, operator_hold_until;
  struct oracle_waiter waiters[ORACLE_WAITERS]; /* as they came */
  int n_waiters;
  wide finish[OWNER_COUNT]; /* up to which it has been served */
  wide floor[OWNER_COUNT];  /* the time at which it last came, or became
                               eligible */
  wide virtual_time;
  bool was_eligible[OWNER_COUNT];
  uint32_t in_flight[OWNER_COUNT];
  uint32_t batches; /* in flight: bulk, with changes */
  bool is_closing;
};

static const wide oracle_weights[OWNER_COUNT] = {4, 2, 1, 4, 2};
static const wide oracle_first[UNIT_BUCKETS] = {BUCKET_PERMIT,
                                                50 * (wide)BUCKET_PERMIT, 0, 0};

static inline wide oracle_least(wide a, wide b) { return a < b ? a : b; }
static inline wide oracle_most(wide a, wide b) { return a > b ? a : b; }

static inline const struct bucket_rate *oracle_rate(const struct oracle *o,
                                                    int unit) {
  return &o->settings.rates.unit[unit];
}

static inline void oracle_init(struct oracle *o,
                               const struct ceiling_settings *settings,
                               int64_t now_ns) {
  *o = (struct oracle){.settings = *settings, .now = now_ns};
  for (int u = 0; u < UNIT_BUCKETS; u++)
    o->level[u] = oracle_least(oracle_first[u], oracle_rate(o, u)->cap);
}

static inline void oracle_advance(struct oracle *o, int64_t now_ns) {
  wide elapsed = oracle_most(now_ns, o->now) - o->now;
  o->now += elapsed;
  for (int u = 0; u < UNIT_BUCKETS; u++) {
    wide accrued = elapsed * (wide)oracle_rate(o, u)->rate;
    o->accrued[u] += accrued;
    o->level[u] = oracle_least(o->level[u] + accrued, oracle_rate(o, u)->cap);
  }
}

static inline uint32_t oracle_flying(const struct oracle *o) {
  uint32_t sum = 0;
  for (int i = 0; i < OWNER_COUNT; i++)
    sum += o->in_flight[i];
  return sum;
}

static inline struct oracle_waiter *oracle_head(struct oracle *o, int owner) {
  for (int i = 0; i < o->n_waiters; i++)
    if ((int)o->waiters[i].owner == owner)
      return &o->waiters[i];
  return NULL;
}

static inline void oracle_restart(struct oracle *o, int owner) {
  o->floor[owner] = o->virtual_time;
}

/* Where its next turn starts. */
static inline wide oracle_tag(const struct oracle *o, int owner) {
  return oracle_most(o->finish[owner], o->floor[owner]);
}

static inline void oracle_enter(struct oracle *o, struct oracle_waiter waiter) {
  if (!oracle_head(o, (int)waiter.owner))
    oracle_restart(o, (int)waiter.owner);
  o->waiters[o->n_waiters++] = waiter;
}

static inline void oracle_remove(struct oracle *o, int id) {
  int to = 0;
  for (int i = 0; i < o->n_waiters; i++)
    if (o->waiters[i].id != id)
      o->waiters[to++] = o->waiters[i];
  o->n_waiters = to;
}

static inline bool oracle_has_slot(const struct oracle *o, int owner) {
  uint32_t all = oracle_flying(o);
  uint32_t others = all - o->in_flight[OWNER_SCRAPE];
  uint32_t max = o->settings.max_in_flight;
  return all < max && (owner == OWNER_SCRAPE || max == 1 || others + 1 < max);
}

/* Is so much there, or the whole burst where it is more? */
static inline bool oracle_there(const struct oracle *o, int unit, uint32_t n) {
  wide wanted =
      oracle_least((wide)n * BUCKET_PERMIT, oracle_rate(o, unit)->cap);
  return o->level[unit] >= wanted;
}

/* One batch at a time. */
static inline bool oracle_is_batch(enum owner owner, uint32_t changes) {
  return owner == OWNER_BULK && changes > 0;
}

/* Every unit but requests and slots. */
static inline bool oracle_units(const struct oracle *o, enum owner owner,
                                uint32_t changes) {
  return o->now >= o->hold_until &&
         (changes == 0 || oracle_there(o, UNIT_CHANGES, changes)) &&
         (owner == OWNER_SCRAPE ||
          (o->level[UNIT_BYTES] >= 0 && o->level[UNIT_HANDLING] >= 0));
}

static inline struct oracle_waiter *oracle_turn(struct oracle *o) {
  struct oracle_waiter *next = NULL;
  for (int i = 0; i < OWNER_COUNT; i++) {
    struct oracle_waiter *head = oracle_head(o, i);
    bool is_eligible = oracle_has_slot(o, i) &&
                       (!head || oracle_units(o, head->owner, head->changes)) &&
                       (!head || o->batches == 0 ||
                        !oracle_is_batch(head->owner, head->changes));
    if (is_eligible && !o->was_eligible[i])
      oracle_restart(o, i);
    o->was_eligible[i] = is_eligible;
    if (head && is_eligible &&
        (!next || oracle_tag(o, i) < oracle_tag(o, (int)next->owner) ||
         (oracle_tag(o, i) == oracle_tag(o, (int)next->owner) &&
          head->since_ns < next->since_ns)))
      next = head;
  }
  return next;
}

static inline const struct oracle_waiter *oracle_expired(struct oracle *o,
                                                         int64_t now_ns) {
  for (int i = 0; i < o->n_waiters; i++)
    if (o->waiters[i].deadline_ns < now_ns)
      return &o->waiters[i];
  return NULL;
}

/* The one that is granted at ${now_ns} if nobody's deadline has passed. */
static inline bool oracle_grant(struct oracle *o, int64_t now_ns,
                                struct oracle_waiter *ret) {
  oracle_advance(o, now_ns);
  const struct oracle_waiter *next = oracle_turn(o);
  if (!next || !oracle_there(o, UNIT_REQUESTS, next->cost))
    return false;
  *ret = *next;
  o->level[UNIT_REQUESTS] -= (wide)ret->cost * BUCKET_PERMIT;
  o->level[UNIT_CHANGES] -= (wide)ret->changes * BUCKET_PERMIT;
  o->virtual_time = oracle_tag(o, (int)ret->owner);
  o->finish[ret->owner] = o->virtual_time + (wide)ret->cost * TURN_SCALE /
                                                oracle_weights[ret->owner];
  o->in_flight[ret->owner]++;
  o->batches += oracle_is_batch(ret->owner, ret->changes);
  oracle_remove(o, ret->id);
  return true;
}

/* Used already: into debt, of 10 s at most; returns by how much the level
 * fell. */
static inline wide oracle_fall(struct oracle *o, int unit, wide amount) {
  wide before = o->level[unit];
  wide bottom = -oracle_least(
      (wide)oracle_rate(o, unit)->rate * 10 * CLOCK_NS_PER_S, BUCKET_LEVEL_MAX);
  bottom = oracle_least(bottom, before);
  o->level[unit] = oracle_most(before - amount, bottom);
  return before - o->level[unit];
}

/* And its owner's next turn comes later by what it is worth in permits, beyond
 * those paid. */
static inline void oracle_charge_turn(struct oracle *o, enum owner owner,
                                      uint32_t cost, wide bytes,
                                      wide handling_ns) {
  /* In level units no more than 64 bits hold: 17 GB, five hours. */
  wide bytes_ns = oracle_least(bytes * BUCKET_BYTE, UINT64_MAX) /
                  (wide)oracle_rate(o, UNIT_BYTES)->rate;
  wide work_ns = oracle_least(handling_ns * BUCKET_HANDLING_NS, UINT64_MAX) /
                 (wide)oracle_rate(o, UNIT_HANDLING)->rate;
  wide ns = oracle_least(oracle_most(bytes_ns, work_ns), 10 * CLOCK_NS_PER_S);
  wide milli = ns * (wide)oracle_rate(o, UNIT_REQUESTS)->rate / CLOCK_NS_PER_S;
  wide excess = oracle_most(milli - 1000 * (wide)cost, 0);
  o->finish[owner] += excess * TURN_SCALE / 1000 / oracle_weights[owner];
}

/* Would anything be handed out at that instant? */
static inline bool oracle_has_next(const struct oracle *o, int64_t now_ns) {
  struct oracle copy = *o;
  struct oracle_waiter granted;
  if (copy.n_waiters == 0)
    return false;
  if (copy.is_closing || oracle_expired(&copy, now_ns))
    return true;
  oracle_advance(&copy, now_ns);
  return copy.now < copy.operator_hold_until ||
         oracle_grant(&copy, now_ns, &granted);
}

#endif
