/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/ceiling.h"

#include "base/clock.h"

#define ALL_OWNERS ((1U << OWNER_COUNT) - 1)

static int64_t min_64(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t add_ns(int64_t instant_ns, int64_t duration_ns) {
  int64_t sum;
  return __builtin_add_overflow(instant_ns, duration_ns, &sum) ? CLOCK_NEVER
                                                               : sum;
}

struct ceiling_settings ceiling_settings_default(int64_t interval_ns) {
  int64_t half = min_64(interval_ns / 2, 5 * CLOCK_NS_PER_S);
  return (struct ceiling_settings){
      .requests = bucket_rate_of(20000, 1),
      .max_in_flight = 2,
      .max_waiting = 64,
      .permit_timeout_ns =
          {
              [OWNER_SCRAPE] = half,
              [OWNER_SLOW] = half,
              [OWNER_DISCOVERY] = half,
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

void ceiling_init(struct ceiling *ceiling,
                  const struct ceiling_settings *settings, int64_t now_ns) {
  *ceiling = (struct ceiling){.settings = *settings};
  bucket_init(&ceiling->requests, now_ns);
  turn_init(&ceiling->turn);
}

/* Without the grants in flight the bucket would be fuller, but never above its
 * cap: bounds what each of them may still give back by the room that is left at
 * the level's peaks, which are right before a take. */
static void note_peak(struct ceiling *ceiling) {
  int64_t room = ceiling->settings.requests.cap - ceiling->requests.level;
  for (struct waiter *w = ceiling->flight; w; w = w->next)
    w->room = min_64(w->room, room);
}

void ceiling_reconfigure(struct ceiling *ceiling,
                         const struct ceiling_settings *settings,
                         int64_t now_ns) {
  bucket_accrue(&ceiling->requests, &ceiling->settings.requests, now_ns);
  note_peak(ceiling);
  ceiling->settings = *settings;
  bucket_accrue(&ceiling->requests, &ceiling->settings.requests, now_ns);
}

enum status ceiling_enter(struct ceiling *ceiling, struct waiter *waiter,
                          enum owner owner, uint32_t cost, int64_t deadline_ns,
                          int64_t now_ns) {
  const struct ceiling_settings *settings = &ceiling->settings;
  if (ceiling->is_closing)
    return STATUS_CLOSING;
  if (ceiling->turn.len >= settings->max_waiting)
    return STATUS_PERMIT_QUEUE_FULL;
  cost = clamp_cost(cost);
  deadline_ns =
      min_64(deadline_ns, add_ns(now_ns, settings->permit_timeout_ns[owner]));
  if (bucket_ready_ns(&ceiling->requests, &settings->requests, cost, now_ns) >
      deadline_ns)
    return STATUS_PERMIT_TIMEOUT;
  *waiter = (struct waiter){.owner = owner,
                            .cost = cost,
                            .since_ns = now_ns,
                            .deadline_ns = deadline_ns};
  turn_enter(&ceiling->turn, waiter);
  return STATUS_OK;
}

void ceiling_leave(struct ceiling *ceiling, struct waiter *waiter) {
  turn_leave(&ceiling->turn, waiter);
}

/* One slot is kept for the scrape: two bulk batches of ten seconds each would
 * blind the monitor. */
static bool lacks_slot(const struct ceiling *ceiling, enum owner owner) {
  uint32_t max = ceiling->settings.max_in_flight;
  uint32_t max_others = max > 1 ? max - 1 : 1;
  return ceiling->in_flight >= max ||
         (owner != OWNER_SCRAPE && ceiling->in_flight_others >= max_others);
}

/* The owners whose head lacks no unit but permits. These are no condition here:
 * the head whose turn it is waits for them, or a stream of small requests would
 * keep a large one waiting for ever. */
static unsigned eligible(const struct ceiling *ceiling) {
  unsigned mask = 0;
  for (unsigned i = 0; i < OWNER_COUNT; i++)
    if (ceiling->turn.queue[i].head && !lacks_slot(ceiling, (enum owner)i))
      mask |= 1U << i;
  return mask;
}

static struct waiter *hand_out(struct ceiling *ceiling, struct waiter *waiter,
                               enum status status, enum status *ret_status) {
  turn_leave(&ceiling->turn, waiter);
  *ret_status = status;
  return waiter;
}

static void take_off(struct ceiling *ceiling, struct waiter *waiter) {
  waiter->room = INT64_MAX;
  waiter->is_in_flight = true;
  waiter->next = ceiling->flight;
  if (ceiling->flight)
    ceiling->flight->prev = waiter;
  ceiling->flight = waiter;
  ceiling->in_flight++;
  ceiling->in_flight_others += waiter->owner != OWNER_SCRAPE;
}

static bool grant(struct ceiling *ceiling, struct waiter *waiter,
                  int64_t now_ns) {
  const struct bucket_rate *rate = &ceiling->settings.requests;
  bucket_accrue(&ceiling->requests, rate, now_ns);
  note_peak(ceiling);
  if (!bucket_take(&ceiling->requests, rate, waiter->cost, now_ns))
    return false;
  turn_grant(&ceiling->turn, waiter);
  take_off(ceiling, waiter);
  return true;
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
  waiter = turn_next(turn, eligible(ceiling));
  if (!waiter || !grant(ceiling, waiter, now_ns))
    return NULL;
  *ret_status = STATUS_OK;
  return waiter;
}

int64_t ceiling_wake_ns(const struct ceiling *ceiling, int64_t now_ns) {
  const struct turn *turn = &ceiling->turn;
  if (turn->len == 0)
    return CLOCK_NEVER;
  if (ceiling->is_closing)
    return now_ns;
  int64_t wake_ns = add_ns(turn_deadline_ns(turn), 1);
  struct waiter *head = turn_next(turn, eligible(ceiling));
  if (head)
    wake_ns = min_64(wake_ns, bucket_ready_ns(&ceiling->requests,
                                              &ceiling->settings.requests,
                                              head->cost, now_ns));
  return wake_ns > now_ns ? wake_ns : now_ns;
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
}

void ceiling_give_back(struct ceiling *ceiling, struct waiter *waiter) {
  if (!waiter->is_in_flight)
    return;
  int64_t back = min_64((int64_t)waiter->cost * BUCKET_PERMIT, waiter->room);
  bucket_give_back(&ceiling->requests, &ceiling->settings.requests, back);
  for (struct waiter *w = ceiling->flight; w; w = w->next)
    w->room -= min_64(w->room, back);
  turn_give_back(&ceiling->turn, waiter->owner, waiter->cost);
}

void ceiling_close(struct ceiling *ceiling) { ceiling->is_closing = true; }

bool ceiling_is_idle(const struct ceiling *ceiling, int64_t now_ns) {
  return ceiling->turn.len == 0 && ceiling->in_flight == 0 &&
         bucket_is_full(&ceiling->requests, &ceiling->settings.requests,
                        now_ns);
}
