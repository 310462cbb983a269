/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/ceiling_parts.h"

bool reservation_covers(const struct ceiling *ceiling,
                        const struct waiter *waiter) {
  const struct reservation *held = &ceiling->reservation;
  return held->is_held && waiter->cost <= held->cost &&
         waiter->changes <= held->changes;
}

int64_t reservation_ns(const struct ceiling *ceiling,
                       const struct waiter *waiter, int64_t now_ns) {
  int64_t due_ns = ceiling->reservation.due_ns;
  if (!reservation_covers(ceiling, waiter) || now_ns - CEILING_LATE_NS > due_ns)
    return CLOCK_NEVER;
  return num_max(due_ns, now_ns);
}

void reservation_bring_back(struct ceiling *ceiling, uint64_t sequence,
                            uint32_t cost, uint32_t changes) {
  /* Only the latest taking can be undone. */
  if (ceiling->is_shared && sequence >= ceiling->returned.sequence)
    ceiling->returned = (struct reservation){.is_held = true,
                                             .cost = cost,
                                             .changes = changes,
                                             .sequence = sequence};
}

void reservation_use(struct ceiling *ceiling, struct waiter *waiter) {
  struct reservation *held = &ceiling->reservation;
  held->is_held = false;
  if (held->cost > waiter->cost || held->changes > waiter->changes)
    reservation_bring_back(ceiling, held->sequence, held->cost - waiter->cost,
                           held->changes - waiter->changes);
  else
    waiter->sequence = held->sequence;
}

void reservation_owe(struct ceiling *ceiling,
                     const uint64_t amounts[UNIT_BUCKETS]) {
  if (!ceiling->is_shared)
    return;
  for (int unit = UNIT_PREPAID; unit < UNIT_BUCKETS; unit++)
    if (__builtin_add_overflow(ceiling->owed[unit], amounts[unit],
                               &ceiling->owed[unit]))
      ceiling->owed[unit] = UINT64_MAX;
}

static int64_t whole_level(uint64_t amount) {
  return amount < (uint64_t)BUCKET_LEVEL_MAX ? (int64_t)amount
                                             : BUCKET_LEVEL_MAX;
}

static void give_back(struct ceiling *ceiling, uint64_t sequence) {
  const struct reservation *returned = &ceiling->returned;
  const struct bucket_rate *rate = ceiling->settings.rates.unit;
  struct bucket *bucket = ceiling->levels.bucket;
  if (returned->sequence != sequence)
    return;
  bucket_give_back(&bucket[UNIT_REQUESTS], &rate[UNIT_REQUESTS],
                   whole_level(bucket_amount(returned->cost, BUCKET_PERMIT)));
  bucket_give_back(
      &bucket[UNIT_CHANGES], &rate[UNIT_CHANGES],
      whole_level(bucket_amount(returned->changes, BUCKET_PERMIT)));
  bucket_give_back(&bucket[UNIT_CHANGES], &rate[UNIT_CHANGES],
                   whole_level(returned->spilt_changes));
}

void ceiling_share(struct ceiling *ceiling, const struct levels *levels,
                   uint64_t sequence, bool is_lower, int64_t now_ns) {
  const struct levels_rates *rates = &ceiling->settings.rates;
  struct levels own = ceiling->levels;
  levels_accrue(&own, rates, now_ns);
  ceiling->levels = *levels;
  levels_accrue(&ceiling->levels, rates, now_ns);
  struct bucket *bucket = ceiling->levels.bucket;
  for (int i = UNIT_PREPAID; i < UNIT_BUCKETS; i++)
    (void)bucket_charge(&bucket[i], &rates->unit[i], ceiling->owed[i],
                        CEILING_DEBT_MAX_NS, now_ns);
  /* Our own are charged already. */
  for (int i = 0; i < UNIT_BUCKETS && is_lower; i++)
    bucket[i].level = num_min(bucket[i].level, own.bucket[i].level);
  if (ceiling->returned.is_held)
    give_back(ceiling, sequence);
  /* Another's Retry-After counts as well as ours; what the operator says last
   * counts alone. */
  ceiling->levels.hold_until_ns =
      num_max(levels->hold_until_ns, own.hold_until_ns);
  if (ceiling->has_new_hold)
    ceiling->levels.operator_hold_until_ns = own.operator_hold_until_ns;
  ceiling->has_new_hold = false;
  ceiling->returned = (struct reservation){0};
  for (int i = 0; i < UNIT_BUCKETS; i++)
    ceiling->owed[i] = 0;
  ceiling->is_shared = true;
}

void ceiling_unshare(struct ceiling *ceiling) {
  ceiling->is_shared = false;
  ceiling->reservation = (struct reservation){0};
  ceiling->returned = (struct reservation){0};
  ceiling->is_batch_elsewhere = false;
}

bool ceiling_has_news(const struct ceiling *ceiling) {
  return ceiling->returned.is_held || ceiling->has_new_hold ||
         ceiling->owed[UNIT_BYTES] > 0 || ceiling->owed[UNIT_HANDLING] > 0;
}

/* Those whose permit would be due in time. */
static void find_willing(const struct ceiling *ceiling, int64_t now_ns,
                         int64_t ret_from_ns[OWNER_COUNT]) {
  enum unit unit[OWNER_COUNT];
  ceiling_find_eligible(ceiling, now_ns, ret_from_ns, unit);
  for (int i = 0; i < OWNER_COUNT; i++) {
    const struct waiter *head = ceiling->turn.queue[i].head;
    if (head && ceiling_bucket_ns(ceiling, head, UNIT_REQUESTS, now_ns) >
                    head->deadline_ns)
      ret_from_ns[i] = CLOCK_NEVER;
  }
}

int64_t ceiling_want_ns(const struct ceiling *ceiling, int64_t now_ns) {
  if (ceiling->turn.len == 0 || ceiling->reservation.is_held ||
      ceiling->is_closing || ceiling_is_held_by_operator(ceiling, now_ns))
    return CLOCK_NEVER;
  int64_t from_ns[OWNER_COUNT], want_ns = CLOCK_NEVER;
  find_willing(ceiling, now_ns, from_ns);
  for (int i = 0; i < OWNER_COUNT; i++)
    want_ns = num_min(want_ns, from_ns[i]);
  return want_ns;
}

/* Taken as if it were when it is due: of what accrues later, too, and less what
 * a full bucket would not have taken in until then, which is returned. (Changes
 * that are there now and go out with a permit in 50 ms would else make room for
 * what comes in meanwhile.) */
static uint64_t take_ahead(struct ceiling *ceiling, enum unit unit, uint32_t n,
                           int64_t due_ns, int64_t now_ns) {
  struct bucket *bucket = &ceiling->levels.bucket[unit];
  const struct bucket_rate *rate = &ceiling->settings.rates.unit[unit];
  if (n == 0)
    return 0;
  bucket_accrue(bucket, rate, now_ns);
  struct bucket when_due = *bucket;
  bucket_accrue(&when_due, rate, due_ns);
  uint64_t comes_in = (uint64_t)when_due.level - (uint64_t)bucket->level;
  uint64_t wait_ns = (uint64_t)when_due.last_ns - (uint64_t)bucket->last_ns;
  uint64_t spilt = bucket_amount(wait_ns, (int64_t)rate->rate) - comes_in;
  (void)bucket_charge(bucket, rate, bucket_amount(n, BUCKET_PERMIT),
                      CLOCK_NEVER, now_ns);
  (void)bucket_charge(bucket, rate, spilt, CLOCK_NEVER, now_ns);
  return spilt;
}

bool ceiling_reserve(struct ceiling *ceiling, uint64_t sequence,
                     int64_t now_ns) {
  if (ceiling_want_ns(ceiling, now_ns) > now_ns)
    return false;
  int64_t from_ns[OWNER_COUNT], next_ns;
  find_willing(ceiling, now_ns, from_ns);
  const struct waiter *head =
      ceiling_head_at(&ceiling->turn, from_ns, now_ns, &next_ns);
  if (!head)
    return false;
  int64_t due_ns = ceiling_bucket_ns(ceiling, head, UNIT_REQUESTS, now_ns);
  ceiling->reservation = (struct reservation){.is_held = true,
                                              .owner = head->owner,
                                              .cost = head->cost,
                                              .changes = head->changes,
                                              .due_ns = due_ns,
                                              .sequence = sequence};
  (void)take_ahead(ceiling, UNIT_REQUESTS, head->cost, due_ns, now_ns);
  ceiling->reservation.spilt_changes =
      take_ahead(ceiling, UNIT_CHANGES, head->changes, due_ns, now_ns);
  return true;
}

void ceiling_drop(struct ceiling *ceiling) {
  struct reservation *held = &ceiling->reservation;
  if (!held->is_held)
    return;
  held->is_held = false;
  reservation_bring_back(ceiling, held->sequence, held->cost, held->changes);
  if (ceiling->returned.sequence == held->sequence)
    ceiling->returned.spilt_changes = held->spilt_changes;
}

void ceiling_drop_useless(struct ceiling *ceiling, int64_t now_ns) {
  int64_t from_ns[OWNER_COUNT], first_ns = CLOCK_NEVER;
  enum unit unit[OWNER_COUNT];
  if (!ceiling->reservation.is_held)
    return;
  ceiling_find_eligible(ceiling, now_ns, from_ns, unit);
  for (int i = 0; i < OWNER_COUNT; i++)
    first_ns = num_min(first_ns, from_ns[i]);
  int64_t due_ns = ceiling->reservation.due_ns;
  if (first_ns > num_max(due_ns, now_ns) || now_ns - CEILING_LATE_NS > due_ns ||
      ceiling_is_held_by_operator(ceiling, now_ns))
    ceiling_drop(ceiling);
}

void ceiling_note_busy(struct ceiling *ceiling) {
  for (int i = 0; i < OWNER_COUNT; i++) {
    struct waiter *head = ceiling->turn.queue[i].head;
    if (!head || (head->blocked & 1U << UNIT_SHARED))
      continue;
    head->blocked |= 1U << UNIT_SHARED;
    ceiling->blocked[UNIT_SHARED]++;
  }
}
