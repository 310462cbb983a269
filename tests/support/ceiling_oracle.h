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
  int64_t since_ns;
  int64_t deadline_ns;
};

struct oracle {
  struct ceiling_settings settings;
  wide level;
  wide now;     /* the latest instant seen */
  wide accrued; /* all that ever did, the cap aside */
  struct oracle_waiter waiters[ORACLE_WAITERS]; /* as they came */
  int n_waiters;
  wide tag[OWNER_COUNT];
  wide virtual_time;
  bool was_eligible[OWNER_COUNT];
  uint32_t in_flight[OWNER_COUNT];
  bool is_closing;
};

static const wide oracle_weights[OWNER_COUNT] = {4, 2, 1, 4, 2};

static inline void oracle_advance(struct oracle *o, int64_t now_ns) {
  if (now_ns > o->now) {
    wide accrued =
        (now_ns - o->now) * (wide)o->settings.rates.unit[UNIT_REQUESTS].rate;
    o->level += accrued;
    o->accrued += accrued;
    o->now = now_ns;
  }
  if (o->level > o->settings.rates.unit[UNIT_REQUESTS].cap)
    o->level = o->settings.rates.unit[UNIT_REQUESTS].cap;
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
  if (o->tag[owner] < o->virtual_time)
    o->tag[owner] = o->virtual_time;
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

static inline struct oracle_waiter *oracle_turn(struct oracle *o) {
  struct oracle_waiter *next = NULL;
  for (int i = 0; i < OWNER_COUNT; i++) {
    bool is_eligible = oracle_has_slot(o, i);
    if (is_eligible && !o->was_eligible[i])
      oracle_restart(o, i);
    o->was_eligible[i] = is_eligible;
    struct oracle_waiter *head = is_eligible ? oracle_head(o, i) : NULL;
    if (head &&
        (!next || o->tag[i] < o->tag[next->owner] ||
         (o->tag[i] == o->tag[next->owner] && head->since_ns < next->since_ns)))
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

static inline wide oracle_need(const struct oracle *o, uint32_t cost) {
  wide wanted = (wide)cost * BUCKET_PERMIT;
  return wanted < o->settings.rates.unit[UNIT_REQUESTS].cap
             ? wanted
             : o->settings.rates.unit[UNIT_REQUESTS].cap;
}

/* The one that is granted at ${now_ns} if nobody's deadline has passed. */
static inline bool oracle_grant(struct oracle *o, int64_t now_ns,
                                struct oracle_waiter *ret) {
  oracle_advance(o, now_ns);
  const struct oracle_waiter *next = oracle_turn(o);
  if (!next || o->level < oracle_need(o, next->cost))
    return false;
  *ret = *next;
  o->level -= (wide)ret->cost * BUCKET_PERMIT;
  o->virtual_time = o->tag[ret->owner];
  o->tag[ret->owner] +=
      (wide)ret->cost * TURN_SCALE / oracle_weights[ret->owner];
  o->in_flight[ret->owner]++;
  oracle_remove(o, ret->id);
  return true;
}

/* Would anything be handed out at that instant? */
static inline bool oracle_has_next(const struct oracle *o, int64_t now_ns) {
  struct oracle copy = *o;
  struct oracle_waiter granted;
  if (copy.n_waiters == 0)
    return false;
  return copy.is_closing || oracle_expired(&copy, now_ns) ||
         oracle_grant(&copy, now_ns, &granted);
}

#endif
