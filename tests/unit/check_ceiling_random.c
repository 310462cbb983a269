/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/ceiling.h"

#include "../support/ceiling_oracle.h"
#include "../support/prng.h"
#include "operator_hold.h"

#include <check.h>
#include <string.h>

/* Random schedules beside the oracle; check_ceiling has the single rules.
 * Numbers behind "row" are those of public limiter bugs, each named with what
 * went wrong there, that the test at hand would have caught. */

#define S CLOCK_NS_PER_S
#define SCHEDULES 10000
#define STEPS 80

/* What happened to the buckets, to be played again without the grants that were
 * given back. */
enum event_kind { EVENT_TAKE, EVENT_USE, EVENT_RATE };

struct event {
  enum event_kind kind;
  int64_t now_ns; /* of the buckets: the latest seen */
  int id;         /* of the waiter */
  wide amount[UNIT_BUCKETS];
  wide accrued[UNIT_BUCKETS];
  struct levels_rates rates;
};

struct run {
  struct prng prng;
  uint64_t schedule;
  int step;
  int64_t start_ns, now_ns;
  bool has_reloads; /* then every cost is 1 */
  uint32_t max_cost;
  uint32_t most_in_flight;
  struct levels_rates first_rates;
  struct ceiling ceiling;
  struct oracle oracle;
  struct waiter waiters[STEPS];
  bool is_given_back[STEPS];
  int flight[STEPS];
  int n_flight;
  int last_granted[OWNER_COUNT];
  struct event events[3 * STEPS];
  int n_events;
};

#define HOLDS(condition) REQUIRE(condition, run->schedule, run->step)

static int64_t later(int64_t now_ns, uint64_t by_ns) {
  return by_ns < (uint64_t)(INT64_MAX - now_ns) ? now_ns + (int64_t)by_ns
                                                : CLOCK_NEVER;
}

static int64_t random_start(struct prng *prng) {
  static const int64_t starts[] = {
      0, (INT64_C(1) << 31) - 10, (INT64_C(1) << 32) - 10,
      (INT64_C(1) << 32) * 1000000 - 10 * S, INT64_MAX - 100 * S};
  return starts[prng_below(prng, sizeof(starts) / sizeof(starts[0]))];
}

static uint64_t random_rate(struct prng *prng, uint64_t max) {
  static const uint64_t rates[] = {1, 1000, 20000, UINT64_MAX};
  return prng_one_in(prng, 2) ? rates[prng_below(prng, 4)]
                              : prng_scaled(prng, max);
}

static uint64_t random_burst(struct prng *prng, uint64_t max) {
  return prng_one_in(prng, 3) ? 1 : prng_scaled(prng, max);
}

static struct ceiling_settings random_settings(struct prng *prng) {
  struct ceiling_settings settings = ceiling_settings_default(10 * S);
  struct bucket_rate *unit = settings.rates.unit;
  unit[UNIT_REQUESTS] = bucket_rate_of(random_rate(prng, BUCKET_RATE_MAX),
                                       random_burst(prng, 1 << 12));
  unit[UNIT_CHANGES] = bucket_rate_of(random_rate(prng, BUCKET_RATE_MAX),
                                      random_burst(prng, 1 << 12));
  unit[UNIT_BYTES] =
      bucket_rate_of_bytes(random_rate(prng, BUCKET_BYTES_RATE_MAX),
                           random_burst(prng, BUCKET_BYTES_BURST_MAX));
  unit[UNIT_HANDLING] = bucket_rate_of_handling(
      random_rate(prng, BUCKET_SHARE_MAX),
      (int64_t)random_burst(prng, BUCKET_HANDLING_BURST_MAX));
  settings.max_in_flight = (uint32_t)prng_scaled(prng, 64);
  settings.max_waiting = (uint32_t)prng_scaled(prng, ORACLE_WAITERS);
  for (int i = 0; i < OWNER_COUNT; i++)
    settings.permit_timeout_ns[i] =
        prng_one_in(prng, 8) ? 0
                             : (int64_t)prng_scaled(prng, 1000 * (uint64_t)S);
  return settings;
}

/* About as long as a permit takes, a change, a debt of 10 s, or the longest
 * wait. */
static uint64_t random_span(struct run *run) {
  const struct bucket_rate *unit = run->ceiling.settings.rates.unit;
  uint64_t permit_ns = UINT64_C(4000000000000) / unit[UNIT_REQUESTS].rate + 1;
  uint64_t change_ns = UINT64_C(4000000000000) / unit[UNIT_CHANGES].rate + 1;
  const uint64_t spans[] = {permit_ns, permit_ns, change_ns, 20 * (uint64_t)S};
  return prng_scaled(&run->prng, spans[prng_below(&run->prng, 4)]);
}

static void check_levels(struct run *run) {
  for (int u = 0; u < UNIT_BUCKETS; u++) {
    HOLDS(run->ceiling.levels.bucket[u].level == run->oracle.level[u]);
    HOLDS(run->ceiling.levels.bucket[u].last_ns == run->oracle.now);
  }
}

/* From where its next turn starts. */
static void check_tags(const struct run *run) {
  const struct turn *turn = &run->ceiling.turn;
  const struct oracle *oracle = &run->oracle;
  HOLDS(turn->virtual_time == oracle->virtual_time);
  for (int i = 0; i < OWNER_COUNT; i++)
    HOLDS(oracle_most(turn->queue[i].virtual_time, turn->virtual_time) ==
          oracle_most(oracle_tag(oracle, i), oracle->virtual_time));
}

static void check_state(struct run *run) {
  const struct ceiling *ceiling = &run->ceiling;
  const struct oracle *oracle = &run->oracle;
  uint32_t others = oracle_flying(oracle) - oracle->in_flight[OWNER_SCRAPE];
  HOLDS(ceiling->in_flight == oracle_flying(oracle));
  HOLDS(ceiling->in_flight_others == others);
  HOLDS(ceiling->in_flight_batches == oracle->batches);
  HOLDS(oracle->batches <= 1);
  HOLDS(ceiling->turn.len == (uint32_t)oracle->n_waiters);
  check_tags(run);
}

/* The wake instant is the first at which something happens. */
static void check_wake(struct run *run) {
  struct ceiling before = run->ceiling;
  int64_t wake_ns = ceiling_wake_ns(&run->ceiling, run->now_ns);
  HOLDS(memcmp(&before, &run->ceiling, sizeof(before)) == 0);
  HOLDS(wake_ns >= run->now_ns);
  if (wake_ns < CLOCK_NEVER)
    HOLDS(oracle_has_next(&run->oracle, wake_ns));
  if (wake_ns > run->now_ns)
    HOLDS(!oracle_has_next(&run->oracle, wake_ns - 1));
}

static enum status expected(struct run *run, enum owner owner, uint32_t cost,
                            uint32_t changes, int64_t deadline_ns) {
  struct oracle at = run->oracle;
  oracle_advance(&at, run->now_ns);
  if (at.is_closing)
    return STATUS_CLOSING;
  if (at.now < at.operator_hold_until)
    return STATUS_HELD;
  if ((uint32_t)at.n_waiters >= at.settings.max_waiting)
    return STATUS_PERMIT_QUEUE_FULL;
  if (run->now_ns > deadline_ns)
    return STATUS_PERMIT_TIMEOUT;
  if (deadline_ns == CLOCK_NEVER)
    return STATUS_OK;
  oracle_advance(&at, deadline_ns);
  return oracle_units(&at, owner, changes) &&
                 oracle_there(&at, UNIT_REQUESTS, cost)
             ? STATUS_OK
             : STATUS_PERMIT_TIMEOUT;
}

/* I2: a refusal leaves the state as it was, to the bit. */
static void enter(struct run *run) {
  struct waiter *waiter = &run->waiters[run->step];
  enum owner owner = (enum owner)prng_below(&run->prng, OWNER_COUNT);
  uint32_t cost = 1 + (uint32_t)prng_below(&run->prng, run->max_cost);
  uint32_t changes = 1 + (uint32_t)prng_below(&run->prng, run->max_cost);
  changes = prng_one_in(&run->prng, 2) ? 0 : changes;
  int64_t deadline_ns = later(run->now_ns, 3 * random_span(run));
  if (prng_one_in(&run->prng, 4))
    deadline_ns = prng_one_in(&run->prng, 2) ? CLOCK_NEVER : run->now_ns - 1;
  int64_t until_ns = later(
      run->now_ns, (uint64_t)run->ceiling.settings.permit_timeout_ns[owner]);
  until_ns = deadline_ns < until_ns ? deadline_ns : until_ns;
  struct ceiling before = run->ceiling;
  enum status status = ceiling_enter(&run->ceiling, waiter, owner, cost,
                                     changes, deadline_ns, run->now_ns);
  HOLDS(status == expected(run, owner, cost, changes, until_ns));
  if (status) {
    HOLDS(memcmp(&before, &run->ceiling, sizeof(before)) == 0);
    return;
  }
  HOLDS(waiter->deadline_ns == until_ns && waiter->since_ns == run->now_ns);
  oracle_enter(&run->oracle, (struct oracle_waiter){.id = run->step,
                                                    .owner = owner,
                                                    .cost = cost,
                                                    .changes = changes,
                                                    .since_ns = run->now_ns,
                                                    .deadline_ns = until_ns});
}

static void check_nothing_consumed(struct run *run,
                                   const struct ceiling *before) {
  const struct ceiling *after = &run->ceiling;
  HOLDS(memcmp(&before->levels, &after->levels, sizeof(after->levels)) == 0);
  HOLDS(before->in_flight == after->in_flight);
  HOLDS(before->turn.virtual_time == after->turn.virtual_time);
  for (int i = 0; i < OWNER_COUNT; i++)
    HOLDS(before->turn.queue[i].virtual_time ==
          after->turn.queue[i].virtual_time);
}

static void leave(struct run *run) {
  if (run->oracle.n_waiters == 0)
    return;
  uint64_t n = (uint64_t)run->oracle.n_waiters;
  int id = run->oracle.waiters[prng_below(&run->prng, n)].id;
  struct ceiling before = run->ceiling;
  ceiling_leave(&run->ceiling, &run->waiters[id]);
  check_nothing_consumed(run, &before);
  oracle_remove(&run->oracle, id);
}

static struct event *note(struct run *run, enum event_kind kind, int id) {
  struct event *event = &run->events[run->n_events++];
  *event = (struct event){.now_ns = (int64_t)run->oracle.now,
                          .id = id,
                          .rates = run->oracle.settings.rates};
  event->kind = kind;
  memcpy(event->accrued, run->oracle.accrued, sizeof(event->accrued));
  return event;
}

static void check_granted(struct run *run, int id) {
  struct oracle_waiter granted;
  HOLDS(!oracle_expired(&run->oracle, run->now_ns));
  HOLDS(oracle_grant(&run->oracle, run->now_ns, &granted));
  HOLDS(granted.id == id);
  check_levels(run);
  HOLDS(id > run->last_granted[granted.owner]); /* I4 */
  run->last_granted[granted.owner] = id;
  uint32_t max = run->ceiling.settings.max_in_flight;
  HOLDS(run->ceiling.in_flight <= max);
  HOLDS(max == 1 || granted.owner == OWNER_SCRAPE ||
        run->ceiling.in_flight_others < max);
  struct event *event = note(run, EVENT_TAKE, id);
  event->amount[UNIT_REQUESTS] = (wide)granted.cost * BUCKET_PERMIT;
  event->amount[UNIT_CHANGES] = (wide)granted.changes * BUCKET_PERMIT;
  run->flight[run->n_flight++] = id;
}

/* A refusal may have taken note of the time, no more. */
static void see_clock(struct run *run) {
  int64_t seen_ns = run->ceiling.levels.bucket[UNIT_REQUESTS].last_ns;
  HOLDS(seen_ns == run->oracle.now || seen_ns == run->now_ns);
  oracle_advance(&run->oracle, seen_ns);
  check_levels(run);
}

static bool next(struct run *run) {
  enum status status = STATUS_COUNT;
  struct ceiling before = run->ceiling;
  struct waiter *waiter = ceiling_next(&run->ceiling, run->now_ns, &status);
  if (!waiter) {
    HOLDS(!oracle_has_next(&run->oracle, run->now_ns));
    HOLDS(status == STATUS_COUNT);
    see_clock(run);
    return false;
  }
  int id = (int)(waiter - run->waiters);
  HOLDS(!waiter->is_waiting);
  if (status == STATUS_OK) {
    check_granted(run, id);
    return true;
  }
  check_nothing_consumed(run, &before);
  if (run->oracle.is_closing)
    HOLDS(status == STATUS_CLOSING);
  else if (oracle_expired(&run->oracle, run->now_ns))
    HOLDS(status == STATUS_PERMIT_TIMEOUT && waiter->deadline_ns < run->now_ns);
  else
    HOLDS(status == STATUS_HELD && oracle_most(run->now_ns, run->oracle.now) <
                                       run->oracle.operator_hold_until);
  oracle_remove(&run->oracle, id);
  return true;
}

/* The level that the bucket would have had if the grants that were given back
 * had never been. */
static wide level_without(const struct run *run, int unit, int64_t end_ns) {
  struct event end = {.kind = EVENT_RATE, .now_ns = end_ns};
  struct bucket_rate rate = run->first_rates.unit[unit];
  wide level = oracle_least(oracle_first[unit], rate.cap), now = run->start_ns;
  for (int i = 0; i <= run->n_events; i++) {
    const struct event *event = i < run->n_events ? &run->events[i] : &end;
    wide elapsed = oracle_most(event->now_ns, now) - now;
    level = oracle_least(level + elapsed * (wide)rate.rate, rate.cap);
    now += elapsed;
    if (event->kind == EVENT_TAKE && !run->is_given_back[event->id])
      level -= event->amount[unit];
    rate = i < run->n_events ? event->rates.unit[unit] : rate;
    level = oracle_least(level, rate.cap);
  }
  return level;
}

/* What is given back never lifts a level above that of a run without the grant;
 * the first that is given back lifts it to exactly that. */
static void give_back(struct run *run, int id) {
  struct waiter *waiter = &run->waiters[id];
  bool is_first = true;
  for (int i = 0; i < STEPS; i++)
    is_first &= !run->is_given_back[i];
  ceiling_give_back(&run->ceiling, waiter);
  run->is_given_back[id] = true;
  run->oracle.finish[waiter->owner] -=
      (wide)waiter->cost * TURN_SCALE / oracle_weights[waiter->owner];
  if (oracle_head(&run->oracle, (int)waiter->owner))
    oracle_restart(&run->oracle, (int)waiter->owner);
  for (int u = 0; u < UNIT_PREPAID; u++) {
    struct bucket now = run->ceiling.levels.bucket[u];
    bucket_accrue(&now, &run->ceiling.settings.rates.unit[u], run->now_ns);
    wide without = level_without(run, u, now.last_ns);
    HOLDS(now.level <= without);
    HOLDS(!is_first || now.level == without);
    run->oracle.level[u] = run->ceiling.levels.bucket[u].level;
  }
}

static void use(struct run *run, int id) {
  const struct waiter *waiter = &run->waiters[id];
  uint64_t bytes = prng_scaled(&run->prng, UINT64_C(1) << 40) - 1;
  int64_t handling_ns =
      (int64_t)prng_scaled(&run->prng, 3600 * (uint64_t)S) - 1;
  uint64_t forgiven = run->ceiling.forgiven;
  ceiling_charge(&run->ceiling, &run->waiters[id], bytes, handling_ns,
                 run->now_ns);
  oracle_advance(&run->oracle, run->now_ns);
  struct event *event = note(run, EVENT_USE, id);
  const wide amounts[UNIT_BUCKETS] = {[UNIT_BYTES] = (wide)bytes * BUCKET_BYTE,
                                      [UNIT_HANDLING] = (wide)handling_ns *
                                                        BUCKET_HANDLING_NS};
  for (int u = UNIT_PREPAID; u < UNIT_BUCKETS; u++) {
    wide fallen = oracle_fall(&run->oracle, u, amounts[u]);
    forgiven += fallen < amounts[u];
    event->amount[u] = waiter->owner == OWNER_SCRAPE ? 0 : fallen;
  }
  oracle_charge_turn(&run->oracle, waiter->owner, waiter->cost, (wide)bytes,
                     (wide)handling_ns);
  HOLDS(run->ceiling.forgiven == forgiven);
  check_levels(run);
}

static void release(struct run *run, bool gives_back) {
  if (run->n_flight == 0)
    return;
  int at = (int)prng_below(&run->prng, (uint64_t)run->n_flight);
  int id = run->flight[at];
  run->flight[at] = run->flight[--run->n_flight];
  if (gives_back)
    give_back(run, id);
  else if (!prng_one_in(&run->prng, 3))
    use(run, id);
  ceiling_release(&run->ceiling, &run->waiters[id]);
  ceiling_release(&run->ceiling, &run->waiters[id]); /* harmless */
  run->oracle.in_flight[run->waiters[id].owner]--;
  run->oracle.batches -=
      oracle_is_batch(run->waiters[id].owner, run->waiters[id].changes);
}

static void reconfigure(struct run *run) {
  struct ceiling_settings settings = random_settings(&run->prng);
  oracle_advance(&run->oracle, run->now_ns);
  struct oracle before = run->oracle;
  run->oracle.settings = settings;
  oracle_advance(&run->oracle, run->now_ns);
  ceiling_reconfigure(&run->ceiling, &settings, run->now_ns);
  check_levels(run);
  for (int u = 0; u < UNIT_BUCKETS; u++)
    HOLDS(run->oracle.level[u] <= before.level[u]); /* I9 */
  if (settings.max_in_flight > run->most_in_flight)
    run->most_in_flight = settings.max_in_flight;
  (void)note(run, EVENT_RATE, 0);
}

/* Retry-After never gets shorter; the operator may end his hold. */
static void hold(struct run *run) {
  int64_t until_ns = later(run->now_ns, random_span(run));
  struct oracle *oracle = &run->oracle;
  if (prng_one_in(&run->prng, 3)) {
    ceiling_hold(&run->ceiling, until_ns);
    oracle->hold_until = oracle_most(oracle->hold_until, until_ns);
    return;
  }
  until_ns = prng_one_in(&run->prng, 3) ? until_ns : 0;
  ceiling_hold_by_operator(&run->ceiling, until_ns);
  oracle->operator_hold_until = until_ns;
}

static void move_clock(struct run *run) {
  int64_t wake_ns = ceiling_wake_ns(&run->ceiling, run->now_ns);
  switch (prng_below(&run->prng, 8)) {
  case 0:
    if (wake_ns < CLOCK_NEVER)
      run->now_ns = wake_ns;
    break;
  case 1:
    if (wake_ns > run->now_ns && wake_ns < CLOCK_NEVER)
      run->now_ns = wake_ns - 1;
    break;
  case 2:
    run->now_ns -= (int64_t)prng_below(&run->prng, 1 + (uint64_t)run->now_ns);
    break;
  case 3:
    run->now_ns = later(run->now_ns, INT64_C(3652) * 86400 * S);
    break;
  default:
    run->now_ns = later(run->now_ns, random_span(run));
  }
  if (run->now_ns == CLOCK_NEVER)
    run->now_ns--;
}

/* I1, over every pair of grants that were not given back. */
static void check_prepaid(const struct run *run, int unit) {
  for (int i = 0; i < run->n_events; i++) {
    wide sum = 0, limit = 0;
    for (int j = i; j < run->n_events; j++) {
      const struct event *event = &run->events[j];
      limit = oracle_most(limit, event->rates.unit[unit].cap);
      if (event->kind != EVENT_TAKE || run->is_given_back[event->id])
        continue;
      sum += event->amount[unit];
      limit = oracle_most(limit, event->amount[unit]);
      HOLDS(sum <= limit + event->accrued[unit] - run->events[i].accrued[unit]);
    }
  }
}

/* I10: what the owners but scrape used, less what was forgiven, is the burst,
 * the rate x time, and what may be in flight when the level gets below 0. */
static void check_postpaid(const struct run *run, int unit) {
  for (int i = 0; i < run->n_events; i++) {
    wide sum = 0, cap = 0, largest = 0;
    for (int j = i; j < run->n_events; j++) {
      const struct event *event = &run->events[j];
      cap = oracle_most(cap, event->rates.unit[unit].cap);
      if (event->kind != EVENT_USE)
        continue;
      sum += event->amount[unit];
      largest = oracle_most(largest, event->amount[unit]);
      HOLDS(sum <= cap + event->accrued[unit] - run->events[i].accrued[unit] +
                       run->most_in_flight * largest);
    }
  }
}

static void act(struct run *run) {
  uint64_t what = prng_below(&run->prng, 100);
  if (what < 45)
    enter(run);
  else if (what < 70)
    release(run, what < 52);
  else if (what < 75)
    leave(run);
  else if (what < 79 && run->has_reloads)
    reconfigure(run);
  else if (what < 81)
    hold(run);
  else
    move_clock(run);
}

static void close_and_drain(struct run *run) {
  ceiling_close(&run->ceiling);
  run->oracle.is_closing = true;
  check_wake(run);
  while (next(run))
    ;
  HOLDS(run->ceiling.turn.len == 0);
  while (run->n_flight > 0)
    release(run, false);
  check_state(run);
}

/* Row 44: at quiescence nothing is in flight and the buckets are full. */
static void check_quiescence(struct run *run) {
  HOLDS(run->ceiling.flight == NULL);
  struct oracle at = run->oracle;
  oracle_advance(&at, run->now_ns);
  bool is_idle = at.now >= at.hold_until && at.now >= at.operator_hold_until;
  for (int u = 0; u < UNIT_BUCKETS; u++)
    is_idle &= at.level[u] == oracle_rate(&at, u)->cap;
  HOLDS(ceiling_is_idle(&run->ceiling, run->now_ns) == is_idle);
}

static void run_schedule(struct run *run) {
  struct ceiling_settings settings = random_settings(&run->prng);
  run->now_ns = run->start_ns = random_start(&run->prng);
  run->first_rates = settings.rates;
  run->most_in_flight = settings.max_in_flight;
  run->max_cost =
      run->has_reloads ? 1 : (uint32_t)prng_scaled(&run->prng, 1 << 13);
  ceiling_init(&run->ceiling, &settings, run->now_ns);
  oracle_init(&run->oracle, &settings, run->now_ns);
  for (int i = 0; i < OWNER_COUNT; i++)
    run->last_granted[i] = -1;
  for (run->step = 0; run->step < STEPS; run->step++) {
    act(run);
    check_wake(run);
    if (!prng_one_in(&run->prng, 4))
      while (next(run))
        ;
    check_state(run);
  }
  run->step--;
  for (int u = 0; u < UNIT_PREPAID; u++)
    check_prepaid(run, u);
  for (int u = UNIT_PREPAID; u < UNIT_BUCKETS; u++)
    check_postpaid(run, u);
  close_and_drain(run);
  check_quiescence(run);
}

static void run_schedules(bool has_reloads) {
  static struct run run;
  for (uint64_t i = 0; i < SCHEDULES; i++) {
    memset(&run, 0, sizeof(run));
    run.prng = prng_seeded(i);
    run.schedule = i;
    run.has_reloads = has_reloads;
    run_schedule(&run);
  }
}

/* Row 4, 5, 10, 22, 25 more than the rate; 13 to 16, 19 clocks; 30 a wait that
 * is too short; 38, 50 a refusal that drains; 44, 47, 48 a permit lost or
 * minted where a wait ends; 45 the dead still queue; 49 a cancelled caller is
 * granted; 59 overtaking; 66 one unit spent where another refuses. */
START_TEST(does_as_the_oracle) { run_schedules(false); }
END_TEST

/* Row 41, 60, 71, 72: reloads that stall, refill, or are not seen. */
START_TEST(does_as_the_oracle_through_reloads) { run_schedules(true); }
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("ceiling, random");
  TCase *t = tcase_create("random schedules");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, does_as_the_oracle);
  tcase_add_test(t, does_as_the_oracle_through_reloads);
  suite_add_tcase(s, t);
  return s;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
