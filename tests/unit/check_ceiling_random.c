/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/ceiling.h"

#include "../support/ceiling_oracle.h"
#include "../support/prng.h"

#include <check.h>
#include <string.h>

/* Random schedules beside the oracle; check_ceiling has the single rules.
 * Numbers behind "row" are those of public limiter bugs, each named with what
 * went wrong there, that the test at hand would have caught. */

#define S CLOCK_NS_PER_S
#define SCHEDULES 10000
#define STEPS 80

/* What happened to the bucket, to be played again without the grants that were
 * given back. */
struct event {
  enum { EVENT_TAKE, EVENT_RATE } kind;
  int64_t now_ns; /* of the bucket: the latest seen */
  int id;         /* of the waiter */
  wide cost;
  struct bucket_rate rate;
  wide accrued;
};

struct run {
  struct prng prng;
  uint64_t schedule;
  int step;
  int64_t start_ns, now_ns;
  bool has_reloads; /* then every cost is 1 */
  uint32_t max_cost;
  struct bucket_rate first_rate;
  struct ceiling ceiling;
  struct oracle oracle;
  struct waiter waiters[STEPS];
  bool is_given_back[STEPS];
  int flight[STEPS];
  int n_flight;
  int last_granted[OWNER_COUNT];
  struct event events[2 * STEPS];
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

static struct ceiling_settings random_settings(struct prng *prng) {
  static const uint64_t rates[] = {1, 1000, 20000, 1000000000};
  struct ceiling_settings settings = ceiling_settings_default(10 * S);
  uint64_t rate = prng_one_in(prng, 2) ? rates[prng_below(prng, 4)]
                                       : prng_scaled(prng, BUCKET_RATE_MAX);
  settings.rates.unit[UNIT_REQUESTS] = bucket_rate_of(
      rate, prng_one_in(prng, 3) ? 1 : prng_scaled(prng, 1 << 12));
  settings.max_in_flight = (uint32_t)prng_scaled(prng, 64);
  settings.max_waiting = (uint32_t)prng_scaled(prng, ORACLE_WAITERS);
  for (int i = 0; i < OWNER_COUNT; i++)
    settings.permit_timeout_ns[i] =
        prng_one_in(prng, 8) ? 0
                             : (int64_t)prng_scaled(prng, 1000 * (uint64_t)S);
  return settings;
}

/* About as long as a permit takes, or as the longest wait. */
static uint64_t random_span(struct run *run) {
  uint64_t permit_ns =
      UINT64_C(4000000000000) /
          run->ceiling.settings.rates.unit[UNIT_REQUESTS].rate +
      1;
  return prng_scaled(&run->prng, permit_ns);
}

static void check_state(struct run *run) {
  const struct ceiling *ceiling = &run->ceiling;
  const struct oracle *oracle = &run->oracle;
  uint32_t others = oracle_flying(oracle) - oracle->in_flight[OWNER_SCRAPE];
  HOLDS(ceiling->in_flight == oracle_flying(oracle));
  HOLDS(ceiling->in_flight_others == others);
  HOLDS(ceiling->turn.len == (uint32_t)oracle->n_waiters);
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

static enum status expected(struct run *run, uint32_t cost,
                            int64_t deadline_ns) {
  struct oracle at = run->oracle;
  oracle_advance(&at, run->now_ns);
  if (at.is_closing)
    return STATUS_CLOSING;
  if ((uint32_t)at.n_waiters >= at.settings.max_waiting)
    return STATUS_PERMIT_QUEUE_FULL;
  if (run->now_ns > deadline_ns)
    return STATUS_PERMIT_TIMEOUT;
  if (deadline_ns == CLOCK_NEVER)
    return STATUS_OK;
  if (at.level < oracle_need(&at, cost))
    oracle_advance(&at, deadline_ns);
  return at.level < oracle_need(&at, cost) ? STATUS_PERMIT_TIMEOUT : STATUS_OK;
}

/* I2: a refusal leaves the state as it was, to the bit. */
static void enter(struct run *run) {
  struct waiter *waiter = &run->waiters[run->step];
  enum owner owner = (enum owner)prng_below(&run->prng, OWNER_COUNT);
  uint32_t cost = 1 + (uint32_t)prng_below(&run->prng, run->max_cost);
  int64_t deadline_ns = later(run->now_ns, 3 * random_span(run));
  if (prng_one_in(&run->prng, 4))
    deadline_ns = prng_one_in(&run->prng, 2) ? CLOCK_NEVER : run->now_ns - 1;
  int64_t until_ns = later(
      run->now_ns, (uint64_t)run->ceiling.settings.permit_timeout_ns[owner]);
  until_ns = deadline_ns < until_ns ? deadline_ns : until_ns;
  struct ceiling before = run->ceiling;
  enum status status = ceiling_enter(&run->ceiling, waiter, owner, cost, 0,
                                     deadline_ns, run->now_ns);
  HOLDS(status == expected(run, cost, until_ns));
  if (status) {
    HOLDS(memcmp(&before, &run->ceiling, sizeof(before)) == 0);
    return;
  }
  HOLDS(waiter->deadline_ns == until_ns && waiter->since_ns == run->now_ns);
  oracle_enter(&run->oracle, (struct oracle_waiter){.id = run->step,
                                                    .owner = owner,
                                                    .cost = cost,
                                                    .since_ns = run->now_ns,
                                                    .deadline_ns = until_ns});
}

static void check_nothing_consumed(struct run *run,
                                   const struct ceiling *before) {
  const struct ceiling *after = &run->ceiling;
  HOLDS(memcmp(&before->levels.bucket[UNIT_REQUESTS],
               &after->levels.bucket[UNIT_REQUESTS],
               sizeof(after->levels.bucket[UNIT_REQUESTS])) == 0);
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

static void note(struct run *run, struct event event) {
  event.now_ns = run->ceiling.levels.bucket[UNIT_REQUESTS].last_ns;
  event.rate = run->oracle.settings.rates.unit[UNIT_REQUESTS];
  event.accrued = run->oracle.accrued;
  run->events[run->n_events++] = event;
}

static void check_granted(struct run *run, int id) {
  struct oracle_waiter granted;
  HOLDS(!oracle_expired(&run->oracle, run->now_ns));
  HOLDS(oracle_grant(&run->oracle, run->now_ns, &granted));
  HOLDS(granted.id == id);
  HOLDS(run->ceiling.levels.bucket[UNIT_REQUESTS].level == run->oracle.level);
  HOLDS(run->ceiling.levels.bucket[UNIT_REQUESTS].last_ns == run->oracle.now);
  HOLDS(id > run->last_granted[granted.owner]); /* I4 */
  run->last_granted[granted.owner] = id;
  uint32_t max = run->ceiling.settings.max_in_flight;
  HOLDS(run->ceiling.in_flight <= max);
  HOLDS(max == 1 || granted.owner == OWNER_SCRAPE ||
        run->ceiling.in_flight_others < max);
  note(run, (struct event){.kind = EVENT_TAKE,
                           .id = id,
                           .cost = (wide)granted.cost * BUCKET_PERMIT});
  run->flight[run->n_flight++] = id;
}

/* A refusal may have taken note of the time, no more. */
static void see_clock(struct run *run) {
  int64_t seen_ns = run->ceiling.levels.bucket[UNIT_REQUESTS].last_ns;
  HOLDS(seen_ns == run->oracle.now || seen_ns == run->now_ns);
  oracle_advance(&run->oracle, seen_ns);
  HOLDS(run->ceiling.levels.bucket[UNIT_REQUESTS].level == run->oracle.level);
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
  else
    HOLDS(status == STATUS_PERMIT_TIMEOUT && waiter->deadline_ns < run->now_ns);
  oracle_remove(&run->oracle, id);
  return true;
}

/* The level that the bucket would have had if the grants that were given back
 * had never been. */
static wide level_without(const struct run *run, int64_t end_ns) {
  struct event end = {.kind = EVENT_RATE, .now_ns = end_ns};
  struct bucket_rate rate = run->first_rate;
  wide level = BUCKET_PERMIT, now = run->start_ns;
  for (int i = 0; i <= run->n_events; i++) {
    const struct event *event = i < run->n_events ? &run->events[i] : &end;
    wide elapsed = event->now_ns > now ? event->now_ns - now : 0;
    level += elapsed * (wide)rate.rate;
    level = level < rate.cap ? level : rate.cap;
    now += elapsed;
    if (event->kind == EVENT_TAKE && !run->is_given_back[event->id])
      level -= event->cost;
    rate = i < run->n_events ? event->rate : rate;
    level = level < rate.cap ? level : rate.cap;
  }
  return level;
}

/* What is given back never lifts the level above that of a run without the
 * grant; the first that is given back lifts it to exactly that. */
static void give_back(struct run *run, int id) {
  struct waiter *waiter = &run->waiters[id];
  bool is_first = true;
  for (int i = 0; i < STEPS; i++)
    is_first &= !run->is_given_back[i];
  ceiling_give_back(&run->ceiling, waiter);
  run->is_given_back[id] = true;
  run->oracle.tag[waiter->owner] -=
      (wide)waiter->cost * TURN_SCALE / oracle_weights[waiter->owner];
  if (oracle_head(&run->oracle, (int)waiter->owner))
    oracle_restart(&run->oracle, (int)waiter->owner);
  struct bucket now = run->ceiling.levels.bucket[UNIT_REQUESTS];
  bucket_accrue(&now, &run->ceiling.settings.rates.unit[UNIT_REQUESTS],
                run->now_ns);
  wide without = level_without(run, now.last_ns);
  HOLDS(now.level <= without);
  HOLDS(!is_first || now.level == without);
  run->oracle.level = run->ceiling.levels.bucket[UNIT_REQUESTS].level;
}

static void release(struct run *run, bool gives_back) {
  if (run->n_flight == 0)
    return;
  int at = (int)prng_below(&run->prng, (uint64_t)run->n_flight);
  int id = run->flight[at];
  run->flight[at] = run->flight[--run->n_flight];
  if (gives_back)
    give_back(run, id);
  ceiling_release(&run->ceiling, &run->waiters[id]);
  ceiling_release(&run->ceiling, &run->waiters[id]); /* harmless */
  run->oracle.in_flight[run->waiters[id].owner]--;
}

static void reconfigure(struct run *run) {
  struct ceiling_settings settings = random_settings(&run->prng);
  oracle_advance(&run->oracle, run->now_ns);
  wide level = run->oracle.level;
  run->oracle.settings = settings;
  oracle_advance(&run->oracle, run->now_ns);
  ceiling_reconfigure(&run->ceiling, &settings, run->now_ns);
  HOLDS(run->ceiling.levels.bucket[UNIT_REQUESTS].level == run->oracle.level);
  HOLDS(run->ceiling.levels.bucket[UNIT_REQUESTS].level <= level); /* I9 */
  note(run, (struct event){.kind = EVENT_RATE});
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
static void check_intervals(const struct run *run) {
  for (int i = 0; i < run->n_events; i++) {
    wide sum = 0, limit = 0;
    for (int j = i; j < run->n_events; j++) {
      const struct event *event = &run->events[j];
      limit = limit > event->rate.cap ? limit : event->rate.cap;
      if (event->kind != EVENT_TAKE || run->is_given_back[event->id])
        continue;
      sum += event->cost;
      limit = limit > event->cost ? limit : event->cost;
      HOLDS(sum <= limit + event->accrued - run->events[i].accrued);
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

/* Row 44: at quiescence nothing is in flight and the bucket is full. */
static void check_quiescence(struct run *run) {
  HOLDS(run->ceiling.flight == NULL);
  struct bucket_rate rate = run->ceiling.settings.rates.unit[UNIT_REQUESTS];
  struct oracle at = run->oracle;
  oracle_advance(&at, run->now_ns);
  struct levels *levels = &run->ceiling.levels;
  for (int unit = UNIT_CHANGES; unit < UNIT_BUCKETS; unit++)
    levels->bucket[unit].level = run->ceiling.settings.rates.unit[unit].cap;
  HOLDS(ceiling_is_idle(&run->ceiling, run->now_ns) == (at.level == rate.cap));
}

static void run_schedule(struct run *run) {
  struct ceiling_settings settings = random_settings(&run->prng);
  run->now_ns = run->start_ns = random_start(&run->prng);
  run->first_rate = settings.rates.unit[UNIT_REQUESTS];
  run->max_cost =
      run->has_reloads ? 1 : (uint32_t)prng_scaled(&run->prng, 1 << 13);
  ceiling_init(&run->ceiling, &settings, run->now_ns);
  run->oracle = (struct oracle){
      .settings = settings, .level = BUCKET_PERMIT, .now = run->now_ns};
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
  check_intervals(run);
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
