/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/ceiling.h"

#include "limit/ceiling_parts.h"

#define MIB (UINT64_C(1) << 20)
#define ALL_OWNERS ((1U << OWNER_COUNT) - 1)

static int64_t add_ns(int64_t instant_ns, int64_t duration_ns) {
  int64_t sum;
  return __builtin_add_overflow(instant_ns, duration_ns, &sum) ? CLOCK_NEVER
                                                               : sum;
}

struct ceiling_settings ceiling_settings_default(int64_t interval_ns) {
  int64_t half = num_min(interval_ns / 2, 5 * CLOCK_NS_PER_S);
  return (struct ceiling_settings){
      .rates = {.unit = {[UNIT_REQUESTS] = bucket_rate_of(20000, 1),
                         [UNIT_CHANGES] = bucket_rate_of(50000, 50),
                         [UNIT_BYTES] = bucket_rate_of_bytes(2 * MIB, 8 * MIB),
                         [UNIT_HANDLING] = bucket_rate_of_handling(
                             250000, 2 * CLOCK_NS_PER_S)}},
      .max_in_flight = 2,
      .max_waiting = 64,
      .permit_timeout_ns =
          {
              [OWNER_SCRAPE] = half,
              [OWNER_SLOW] = half + CEILING_DEBT_MAX_NS,
              [OWNER_DISCOVERY] = half + CEILING_DEBT_MAX_NS,
              [OWNER_COMMAND] = 15 * CLOCK_NS_PER_S,
              [OWNER_BULK] = 90 * CLOCK_NS_PER_S,
          },
  };
}

static uint32_t clamp_cost(size_t cost) {
  return cost < 1                  ? 1
         : cost > BUCKET_BURST_MAX ? (uint32_t)BUCKET_BURST_MAX
                                   : (uint32_t)cost;
}

uint32_t ceiling_cost(size_t operations) {
  size_t whole = operations / CEILING_OPERATIONS_PER_PERMIT;
  return clamp_cost(whole + (operations % CEILING_OPERATIONS_PER_PERMIT > 0));
}

uint32_t ceiling_batch(const struct ceiling_settings *settings) {
  int64_t burst = settings->rates.unit[UNIT_CHANGES].cap / BUCKET_PERMIT;
  return (uint32_t)num_min(burst, CEILING_OPERATIONS_PER_PERMIT);
}

void ceiling_settings_slow(struct ceiling_settings *settings,
                           const struct ceiling_settings *other) {
  for (int unit = 0; unit < UNIT_BUCKETS; unit++) {
    struct bucket_rate *rate = &settings->rates.unit[unit];
    const struct bucket_rate *others = &other->rates.unit[unit];
    if (others->rate < rate->rate)
      rate->rate = others->rate;
    rate->cap = num_min(rate->cap, others->cap);
  }
  if (other->max_in_flight < settings->max_in_flight)
    settings->max_in_flight = other->max_in_flight;
  if (other->max_waiting < settings->max_waiting)
    settings->max_waiting = other->max_waiting;
  for (int owner = 0; owner < OWNER_COUNT; owner++)
    if (other->permit_timeout_ns[owner] > settings->permit_timeout_ns[owner])
      settings->permit_timeout_ns[owner] = other->permit_timeout_ns[owner];
}

void ceiling_init(struct ceiling *ceiling,
                  const struct ceiling_settings *settings, int64_t now_ns) {
  *ceiling = (struct ceiling){.settings = *settings};
  levels_init(&ceiling->levels, &settings->rates, now_ns);
  turn_init(&ceiling->turn);
}

static void accrue(struct ceiling *ceiling, int64_t now_ns) {
  levels_accrue(&ceiling->levels, &ceiling->settings.rates, now_ns);
}

/* Without the grants in flight a bucket would be fuller, but never above its
 * cap: bounds what each of them may still give back by the room that is left at
 * the level's peaks, which are right before a take. */
static void note_peak(struct ceiling *ceiling) {
  for (int unit = 0; unit < UNIT_PREPAID; unit++) {
    int64_t room = ceiling->settings.rates.unit[unit].cap -
                   ceiling->levels.bucket[unit].level;
    for (struct waiter *w = ceiling->flight; w; w = w->next)
      w->room[unit] = num_min(w->room[unit], room);
  }
}

void ceiling_reconfigure(struct ceiling *ceiling,
                         const struct ceiling_settings *settings,
                         int64_t now_ns) {
  accrue(ceiling, now_ns);
  note_peak(ceiling);
  ceiling->settings = *settings;
  accrue(ceiling, now_ns);
}

/* One slot is kept for the scrape: two bulk batches of ten seconds each would
 * blind the monitor. */
static bool lacks_slot(const struct ceiling *ceiling,
                       const struct waiter *waiter) {
  uint32_t max = ceiling->settings.max_in_flight;
  uint32_t max_others = max > 1 ? max - 1 : 1;
  if (ceiling_is_batch(waiter) &&
      (ceiling->in_flight_batches > 0 || ceiling->is_batch_elsewhere))
    return true;
  return ceiling->in_flight >= max || (waiter->owner != OWNER_SCRAPE &&
                                       ceiling->in_flight_others >= max_others);
}

bool ceiling_is_batch(const struct waiter *waiter) {
  return waiter->owner == OWNER_BULK && waiter->changes > 0;
}

static uint64_t amount_of(const struct waiter *waiter, enum unit unit) {
  uint32_t n = unit == UNIT_REQUESTS  ? waiter->cost
               : unit == UNIT_CHANGES ? waiter->changes
                                      : 0; /* paid afterwards: no debt */
  return bucket_amount(n, BUCKET_PERMIT);
}

int64_t ceiling_bucket_ns(const struct ceiling *ceiling,
                          const struct waiter *waiter, enum unit unit,
                          int64_t now_ns) {
  const struct bucket *bucket = &ceiling->levels.bucket[unit];
  uint64_t amount = amount_of(waiter, unit);
  if (unit == UNIT_CHANGES && waiter->changes == 0)
    return now_ns;
  if (bucket->level >= 0 && (uint64_t)bucket->level >= amount)
    return now_ns; /* whatever has come in since: most often */
  return bucket_ready_ns(bucket, &ceiling->settings.rates.unit[unit], amount,
                         now_ns);
}

/* When ${unit} lets ${waiter} through, without another call in between. A debt
 * of bytes or handling does not delay the scrape: the monitor would be blind
 * exactly when it is needed. */
static int64_t ready_ns(const struct ceiling *ceiling,
                        const struct waiter *waiter, enum unit unit,
                        int64_t now_ns) {
  const struct levels *levels = &ceiling->levels;
  switch (unit) {
  case UNIT_IN_FLIGHT:
    return lacks_slot(ceiling, waiter) ? CLOCK_NEVER : now_ns;
  case UNIT_HOLD:
    return levels_now_ns(levels, now_ns) < levels->hold_until_ns
               ? levels->hold_until_ns
               : now_ns;
  case UNIT_BYTES:
  case UNIT_HANDLING:
    if (waiter->owner == OWNER_SCRAPE)
      return now_ns;
    break;
  case UNIT_REQUESTS:
    if (ceiling->is_shared)
      return reservation_ns(ceiling, waiter, now_ns);
    break;
  case UNIT_CHANGES:
    if (reservation_covers(ceiling, waiter))
      return now_ns;
    break;
  case UNIT_SHARED:
    return ceiling->reservation.is_held && !reservation_covers(ceiling, waiter)
               ? CLOCK_NEVER
               : now_ns;
  case UNIT_COUNT:
    return now_ns;
  }
  return ceiling_bucket_ns(ceiling, waiter, unit, now_ns);
}

/* From when on its owner may take a turn: all units but requests are there. The
 * unit that is last, in *${ret_unit}; UNIT_COUNT where all are there now. */
static int64_t eligible_ns(const struct ceiling *ceiling,
                           const struct waiter *waiter, int64_t now_ns,
                           enum unit *ret_unit) {
  int64_t last_ns = now_ns;
  *ret_unit = UNIT_COUNT;
  for (enum unit unit = UNIT_CHANGES; unit < UNIT_COUNT; unit++) {
    int64_t at_ns = ready_ns(ceiling, waiter, unit, now_ns);
    if (at_ns <= last_ns)
      continue;
    last_ns = at_ns;
    *ret_unit = unit;
  }
  return last_ns;
}

/* With an empty room, whatever is in flight. */
static int64_t soonest_ns(const struct ceiling *ceiling,
                          const struct waiter *waiter, int64_t now_ns) {
  int64_t at_ns = now_ns;
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_COUNT; unit++)
    if (unit < UNIT_PREPAID)
      at_ns = num_max(at_ns, ceiling_bucket_ns(ceiling, waiter, unit, now_ns));
    else if (unit != UNIT_IN_FLIGHT && unit != UNIT_SHARED)
      at_ns = num_max(at_ns, ready_ns(ceiling, waiter, unit, now_ns));
  return at_ns;
}

enum status ceiling_enter(struct ceiling *ceiling, struct waiter *waiter,
                          enum owner owner, uint32_t cost, uint32_t changes,
                          int64_t deadline_ns, int64_t now_ns) {
  const struct ceiling_settings *settings = &ceiling->settings;
  if (ceiling->is_closing)
    return STATUS_CLOSING;
  if (ceiling_is_held_by_operator(ceiling, now_ns))
    return STATUS_HELD;
  if (ceiling->turn.len >= settings->max_waiting)
    return STATUS_PERMIT_QUEUE_FULL;
  deadline_ns =
      num_min(deadline_ns, add_ns(now_ns, settings->permit_timeout_ns[owner]));
  struct waiter entering = {.owner = owner,
                            .cost = clamp_cost(cost),
                            .changes = changes < BUCKET_BURST_MAX
                                           ? changes
                                           : (uint32_t)BUCKET_BURST_MAX,
                            .since_ns = now_ns,
                            .deadline_ns = deadline_ns};
  if (soonest_ns(ceiling, &entering, now_ns) > deadline_ns)
    return STATUS_PERMIT_TIMEOUT;
  *waiter = entering;
  turn_enter(&ceiling->turn, waiter);
  return STATUS_OK;
}

void ceiling_leave(struct ceiling *ceiling, struct waiter *waiter) {
  turn_leave(&ceiling->turn, waiter);
}

/* The one whose turn it is among those that are eligible at ${at_ns}, and when
 * the next owner becomes eligible. */
struct waiter *ceiling_head_at(const struct turn *turn,
                               const int64_t from_ns[OWNER_COUNT],
                               int64_t at_ns, int64_t *ret_next_ns) {
  unsigned eligible = 0;
  *ret_next_ns = CLOCK_NEVER;
  for (int i = 0; i < OWNER_COUNT; i++)
    if (from_ns[i] <= at_ns)
      eligible |= 1U << i;
    else
      *ret_next_ns = num_min(*ret_next_ns, from_ns[i]);
  return turn_next(turn, eligible);
}

/* From when on each owner's first is eligible. */
void ceiling_find_eligible(const struct ceiling *ceiling, int64_t now_ns,
                           int64_t ret_from_ns[OWNER_COUNT],
                           enum unit ret_unit[OWNER_COUNT]) {
  for (int i = 0; i < OWNER_COUNT; i++) {
    const struct waiter *head = ceiling->turn.queue[i].head;
    ret_unit[i] = UNIT_COUNT;
    ret_from_ns[i] =
        head ? eligible_ns(ceiling, head, now_ns, &ret_unit[i]) : CLOCK_NEVER;
  }
}

static struct waiter *hand_out(struct ceiling *ceiling, struct waiter *waiter,
                               enum status status, enum status *ret_status) {
  turn_leave(&ceiling->turn, waiter);
  *ret_status = status;
  return waiter;
}

static void take_off(struct ceiling *ceiling, struct waiter *waiter) {
  for (int unit = 0; unit < UNIT_PREPAID; unit++)
    waiter->room[unit] = INT64_MAX;
  waiter->is_in_flight = true;
  waiter->sequence = 0;
  waiter->next = ceiling->flight;
  if (ceiling->flight)
    ceiling->flight->prev = waiter;
  ceiling->flight = waiter;
  ceiling->in_flight++;
  ceiling->in_flight_others += waiter->owner != OWNER_SCRAPE;
  ceiling->in_flight_batches += ceiling_is_batch(waiter);
}

/* Of an eligible one: all units are taken, or none. */
static bool grant(struct ceiling *ceiling, struct waiter *waiter,
                  int64_t now_ns) {
  struct bucket *bucket = ceiling->levels.bucket;
  const struct bucket_rate *rate = ceiling->settings.rates.unit;
  if (ready_ns(ceiling, waiter, UNIT_REQUESTS, now_ns) > now_ns)
    return false;
  turn_grant(&ceiling->turn, waiter);
  if (ceiling->is_shared) {
    take_off(ceiling, waiter);
    reservation_use(ceiling, waiter);
    return true;
  }
  note_peak(ceiling);
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_PREPAID; unit++)
    if (amount_of(waiter, unit) > 0)
      (void)bucket_take(&bucket[unit], &rate[unit], amount_of(waiter, unit),
                        now_ns);
  take_off(ceiling, waiter);
  return true;
}

static void note_blocked(struct ceiling *ceiling, struct waiter *waiter,
                         enum unit unit) {
  if (!waiter || unit == UNIT_COUNT || (waiter->blocked & 1U << unit))
    return;
  waiter->blocked |= 1U << unit;
  ceiling->blocked[unit]++;
}

struct waiter *ceiling_next(struct ceiling *ceiling, int64_t now_ns,
                            enum status *ret_status) {
  struct turn *turn = &ceiling->turn;
  if (turn->len == 0)
    return NULL;
  if (ceiling->is_closing)
    return hand_out(ceiling, turn_next(turn, ALL_OWNERS), STATUS_CLOSING,
                    ret_status);
  struct waiter *waiter = turn_expired(turn, now_ns);
  if (waiter)
    return hand_out(ceiling, waiter, STATUS_PERMIT_TIMEOUT, ret_status);
  if (ceiling_is_held_by_operator(ceiling, now_ns))
    return hand_out(ceiling, turn_next(turn, ALL_OWNERS), STATUS_HELD,
                    ret_status);
  int64_t from_ns[OWNER_COUNT], next_ns;
  enum unit unit[OWNER_COUNT];
  accrue(ceiling, now_ns);
  ceiling_find_eligible(ceiling, now_ns, from_ns, unit);
  waiter = ceiling_head_at(turn, from_ns, now_ns, &next_ns);
  if (waiter && grant(ceiling, waiter, now_ns)) {
    *ret_status = STATUS_OK;
    return waiter;
  }
  note_blocked(ceiling, waiter, UNIT_REQUESTS);
  for (int i = 0; i < OWNER_COUNT; i++)
    if (unit[i] != UNIT_SHARED)
      note_blocked(ceiling, turn->queue[i].head, unit[i]);
  return NULL;
}

/* An owner that becomes eligible may take the turn of the one that waits for
 * its permits: looked at from one such instant to the next. */
static int64_t grant_ns(const struct ceiling *ceiling, int64_t now_ns) {
  int64_t from_ns[OWNER_COUNT], next_ns;
  enum unit unit[OWNER_COUNT];
  ceiling_find_eligible(ceiling, now_ns, from_ns, unit);
  for (int64_t at_ns = now_ns;; at_ns = next_ns) {
    const struct waiter *head =
        ceiling_head_at(&ceiling->turn, from_ns, at_ns, &next_ns);
    int64_t permit_ns =
        head ? num_max(at_ns, ready_ns(ceiling, head, UNIT_REQUESTS, now_ns))
             : CLOCK_NEVER;
    if (permit_ns < next_ns || next_ns == CLOCK_NEVER)
      return permit_ns;
  }
}

int64_t ceiling_wake_ns(const struct ceiling *ceiling, int64_t now_ns) {
  const struct turn *turn = &ceiling->turn;
  if (turn->len == 0)
    return CLOCK_NEVER;
  if (ceiling->is_closing || ceiling_is_held_by_operator(ceiling, now_ns))
    return now_ns;
  int64_t wake_ns =
      num_min(add_ns(turn_deadline_ns(turn), 1), grant_ns(ceiling, now_ns));
  return num_max(wake_ns, now_ns);
}

enum unit ceiling_blocks(const struct ceiling *ceiling, enum owner owner,
                         int64_t now_ns) {
  int64_t from_ns[OWNER_COUNT], next_ns;
  enum unit unit[OWNER_COUNT];
  ceiling_find_eligible(ceiling, now_ns, from_ns, unit);
  const struct waiter *head =
      ceiling_head_at(&ceiling->turn, from_ns, now_ns, &next_ns);
  if (head && head->owner == owner &&
      ready_ns(ceiling, head, UNIT_REQUESTS, now_ns) > now_ns)
    return UNIT_REQUESTS;
  return unit[owner];
}

int64_t ceiling_debt_ns(const struct ceiling *ceiling, enum unit unit,
                        int64_t now_ns) {
  return bucket_ready_ns(&ceiling->levels.bucket[unit],
                         &ceiling->settings.rates.unit[unit], 0, now_ns) -
         now_ns;
}

void ceiling_charge(struct ceiling *ceiling, struct waiter *waiter,
                    uint64_t bytes, int64_t handling_ns, int64_t now_ns) {
  const struct bucket_rate *rate = ceiling->settings.rates.unit;
  const uint64_t amounts[UNIT_BUCKETS] = {
      [UNIT_BYTES] = bucket_amount(bytes, BUCKET_BYTE),
      [UNIT_HANDLING] = bucket_amount(
          handling_ns > 0 ? (uint64_t)handling_ns : 0, BUCKET_HANDLING_NS)};
  accrue(ceiling, now_ns);
  reservation_owe(ceiling, amounts);
  for (int unit = UNIT_PREPAID; unit < UNIT_BUCKETS; unit++)
    if (!bucket_charge(&ceiling->levels.bucket[unit], &rate[unit],
                       amounts[unit], CEILING_DEBT_MAX_NS, now_ns))
      ceiling->forgiven++;
  int64_t worth_ns =
      num_min(levels_worth_ns(&ceiling->settings.rates, bytes, handling_ns),
              CEILING_DEBT_MAX_NS);
  uint64_t permits_milli =
      (uint64_t)worth_ns * rate[UNIT_REQUESTS].rate / (uint64_t)CLOCK_NS_PER_S;
  uint64_t paid_milli = (uint64_t)waiter->cost * 1000;
  if (permits_milli > paid_milli)
    turn_charge(&ceiling->turn, waiter->owner, permits_milli - paid_milli);
}

void ceiling_release(struct ceiling *ceiling, struct waiter *waiter) {
  if (!waiter->is_in_flight)
    return;
  *(waiter->prev ? &waiter->prev->next : &ceiling->flight) = waiter->next;
  if (waiter->next)
    waiter->next->prev = waiter->prev;
  waiter->next = waiter->prev = NULL;
  waiter->is_in_flight = false;
  ceiling->in_flight--;
  ceiling->in_flight_others -= waiter->owner != OWNER_SCRAPE;
  ceiling->in_flight_batches -= ceiling_is_batch(waiter);
}

void ceiling_give_back(struct ceiling *ceiling, struct waiter *waiter) {
  if (!waiter->is_in_flight)
    return;
  turn_give_back(&ceiling->turn, waiter->owner, waiter->cost);
  if (waiter->sequence > 0)
    reservation_bring_back(ceiling, waiter->sequence, waiter->cost,
                           waiter->changes);
  if (waiter->sequence > 0 || ceiling->is_shared)
    return;
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_PREPAID; unit++) {
    int64_t back =
        num_min((int64_t)amount_of(waiter, unit), waiter->room[unit]);
    bucket_give_back(&ceiling->levels.bucket[unit],
                     &ceiling->settings.rates.unit[unit], back);
    for (struct waiter *w = ceiling->flight; w; w = w->next)
      w->room[unit] -= num_min(w->room[unit], back);
  }
}

void ceiling_hold(struct ceiling *ceiling, int64_t until_ns) {
  ceiling->levels.hold_until_ns =
      num_max(ceiling->levels.hold_until_ns, until_ns);
}

bool ceiling_is_held_by_operator(const struct ceiling *ceiling,
                                 int64_t now_ns) {
  return levels_now_ns(&ceiling->levels, now_ns) <
         ceiling->levels.operator_hold_until_ns;
}

void ceiling_close(struct ceiling *ceiling) { ceiling->is_closing = true; }

bool ceiling_is_idle(const struct ceiling *ceiling, int64_t now_ns) {
  return ceiling->turn.len == 0 && ceiling->in_flight == 0 &&
         levels_are_full(&ceiling->levels, &ceiling->settings.rates, now_ns);
}
