/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "limit/turn.h"

#include "../support/prng.h"

#include <check.h>
#include <string.h>

/* Numbers behind "row" are those of public limiter bugs, each named with what
 * went wrong there, that the test at hand would have caught. */

#define SCHEDULES 12000
#define STEPS 100
#define ALL ((1U << OWNER_COUNT) - 1)

static const int64_t weights[OWNER_COUNT] = {4, 2, 1, 4, 2};

/* The rule in its plain words, with arrays: an owner that comes, or becomes
 * eligible, starts at the present virtual time, and that is written down. */
struct oracle {
  struct waiter *queue[OWNER_COUNT][STEPS];
  int len[OWNER_COUNT];
  int64_t tag[OWNER_COUNT]; /* in quarters of a permit by weight */
  int64_t now;
  unsigned was_eligible;
};

/* How much more, per weight, one owner got than another while both waited and
 * were eligible without a break. */
struct race {
  bool is_on;
  int64_t lead, least, most;
};

struct run {
  struct prng prng;
  uint64_t schedule;
  int step;
  struct turn turn;
  struct oracle oracle;
  struct waiter waiters[STEPS];
  unsigned mask;
  bool gives_back;
  uint64_t max_cost;
  struct race races[OWNER_COUNT][OWNER_COUNT];
};

#define HOLDS(condition) REQUIRE(condition, run->schedule, run->step)

static void restart(struct oracle *oracle, int owner) {
  if (oracle->tag[owner] < oracle->now)
    oracle->tag[owner] = oracle->now;
}

static void oracle_remove(struct oracle *oracle, int owner, int at) {
  oracle->len[owner]--;
  for (int i = at; i < oracle->len[owner]; i++)
    oracle->queue[owner][i] = oracle->queue[owner][i + 1];
}

static int oracle_next(struct oracle *oracle, unsigned mask) {
  int next = -1;
  for (int i = 0; i < OWNER_COUNT; i++) {
    if (mask & ~oracle->was_eligible & 1U << i)
      restart(oracle, i);
    if (oracle->len[i] == 0 || !(mask & 1U << i))
      continue;
    if (next < 0 || oracle->tag[i] < oracle->tag[next] ||
        (oracle->tag[i] == oracle->tag[next] &&
         oracle->queue[i][0]->since_ns < oracle->queue[next][0]->since_ns))
      next = i;
  }
  oracle->was_eligible = mask;
  return next;
}

static void end_races(struct run *run, int owner) {
  for (int i = 0; i < OWNER_COUNT; i++)
    run->races[owner][i].is_on = run->races[i][owner].is_on = false;
}

static void start_races(struct run *run) {
  for (int i = 0; i < OWNER_COUNT; i++)
    for (int j = 0; j < OWNER_COUNT; j++) {
      bool both = run->oracle.len[i] > 0 && run->oracle.len[j] > 0 &&
                  (run->mask & 1U << i) && (run->mask & 1U << j);
      if (both && !run->races[i][j].is_on)
        run->races[i][j] = (struct race){.is_on = true};
      run->races[i][j].is_on &= both;
    }
}

/* I5: over any interval the lead changes by no more than one largest request of
 * each, per weight. */
static void note_race(struct run *run, int winner, int64_t price) {
  for (int i = 0; i < OWNER_COUNT; i++) {
    struct race *race = &run->races[winner][i];
    if (i == winner || !race->is_on)
      continue;
    race->lead += price;
    run->races[i][winner].lead -= price;
    race->most = race->lead > race->most ? race->lead : race->most;
    struct race *other = &run->races[i][winner];
    other->least = other->lead < other->least ? other->lead : other->least;
    int64_t bound = (int64_t)run->max_cost *
                    (TURN_SCALE / weights[winner] + TURN_SCALE / weights[i]);
    HOLDS(race->most - race->least <= bound);
  }
}

static void enter(struct run *run) {
  struct waiter *waiter = &run->waiters[run->step];
  int owner = (int)prng_below(&run->prng, OWNER_COUNT);
  *waiter = (struct waiter){
      .owner = (enum owner)owner,
      .cost = (uint32_t)(1 + prng_below(&run->prng, run->max_cost)),
      .since_ns = run->step,
      .deadline_ns = run->step + (int64_t)prng_below(&run->prng, 60),
  };
  if (prng_one_in(&run->prng, 10))
    waiter->deadline_ns = CLOCK_NEVER;
  if (run->oracle.len[owner] == 0)
    restart(&run->oracle, owner);
  run->oracle.queue[owner][run->oracle.len[owner]++] = waiter;
  turn_enter(&run->turn, waiter);
}

/* I2: who leaves has changed nothing. */
static void leave(struct run *run) {
  int owner = (int)prng_below(&run->prng, OWNER_COUNT);
  int n = run->oracle.len[owner];
  if (n == 0)
    return;
  int at = (int)prng_below(&run->prng, (uint64_t)n);
  struct waiter *waiter = run->oracle.queue[owner][at];
  struct turn before = run->turn;
  turn_leave(&run->turn, waiter);
  HOLDS(before.virtual_time == run->turn.virtual_time);
  for (int i = 0; i < OWNER_COUNT; i++)
    HOLDS(before.queue[i].virtual_time == run->turn.queue[i].virtual_time);
  HOLDS(!waiter->is_waiting && !waiter->next && !waiter->prev);
  oracle_remove(&run->oracle, owner, at);
  if (run->oracle.len[owner] == 0)
    end_races(run, owner);
}

static void give_back(struct run *run, int owner, uint32_t cost) {
  turn_give_back(&run->turn, (enum owner)owner, cost);
  run->oracle.tag[owner] -= (int64_t)cost * TURN_SCALE / weights[owner];
  if (run->oracle.len[owner] > 0)
    restart(&run->oracle, owner);
  end_races(run, owner);
}

static void grant(struct run *run, struct waiter *waiter) {
  int owner = (int)waiter->owner;
  int64_t price = (int64_t)waiter->cost * TURN_SCALE / weights[owner];
  turn_grant(&run->turn, waiter);
  run->oracle.now = run->oracle.tag[owner];
  run->oracle.tag[owner] += price;
  oracle_remove(&run->oracle, owner, 0);
  note_race(run, owner, price);
  if (run->oracle.len[owner] == 0)
    end_races(run, owner);
  if (run->gives_back && prng_one_in(&run->prng, 4))
    give_back(run, owner, waiter->cost);
}

static void next(struct run *run) {
  struct turn before = run->turn;
  struct waiter *waiter = turn_next(&run->turn, run->mask);
  HOLDS(memcmp(&before, &run->turn, sizeof(before)) == 0);
  int owner = oracle_next(&run->oracle, run->mask);
  HOLDS(waiter == (owner < 0 ? NULL : run->oracle.queue[owner][0]));
  if (waiter && !prng_one_in(&run->prng, 5))
    grant(run, waiter);
}

static void check_queues(const struct run *run) {
  int64_t earliest = CLOCK_NEVER;
  uint32_t len = 0;
  for (int i = 0; i < OWNER_COUNT; i++) {
    const struct waiter *w = run->turn.queue[i].head;
    for (int at = 0; at < run->oracle.len[i]; at++, w = w->next, len++) {
      HOLDS(w == run->oracle.queue[i][at] && w->is_waiting);
      earliest = w->deadline_ns < earliest ? w->deadline_ns : earliest;
    }
    HOLDS(!w && run->turn.queue[i].len == (uint32_t)run->oracle.len[i]);
  }
  HOLDS(run->turn.len == len);
  HOLDS(turn_deadline_ns(&run->turn) == earliest);
  const struct waiter *expired = turn_expired(&run->turn, run->step);
  HOLDS((expired != NULL) == (earliest < run->step));
  HOLDS(!expired || expired->deadline_ns == earliest);
}

static void run_schedule(struct run *run) {
  turn_init(&run->turn);
  run->mask = ALL;
  run->oracle.was_eligible = ALL;
  run->max_cost = 1 + prng_below(&run->prng, 20);
  for (run->step = 0; run->step < STEPS; run->step++) {
    start_races(run);
    uint64_t what = prng_below(&run->prng, 10);
    if (what < 5)
      enter(run);
    else if (what < 9)
      next(run);
    else if (prng_one_in(&run->prng, 2))
      leave(run);
    else
      run->mask = (unsigned)prng_below(&run->prng, ALL + 1) |
                  (prng_one_in(&run->prng, 2) ? ALL : 0);
    check_queues(run);
  }
}

/* Row 59 a later small request overtakes an earlier large one for ever; 62 an
 * idle owner banks credit; 63 fairness in requests instead of in cost. */
START_TEST(turns_are_fair_and_first_in_first_out) {
  static struct run run;
  for (uint64_t i = 0; i < SCHEDULES; i++) {
    memset(&run, 0, sizeof(run));
    run.prng = prng_seeded(i);
    run.schedule = i;
    run.gives_back = i % 4 == 0;
    run_schedule(&run);
  }
}
END_TEST

static struct waiter some[OWNER_COUNT][400];

static void fill(struct turn *turn, enum owner owner, int n) {
  for (int i = 0; i < n; i++) {
    some[owner][i] =
        (struct waiter){.owner = owner, .cost = 1, .deadline_ns = CLOCK_NEVER};
    turn_enter(turn, &some[owner][i]);
  }
}

static enum owner grant_next(struct turn *turn) {
  struct waiter *waiter = turn_next(turn, ALL);
  turn_grant(turn, waiter);
  return waiter->owner;
}

START_TEST(shares_are_the_weights) {
  struct turn turn;
  int64_t got[OWNER_COUNT] = {0};
  turn_init(&turn);
  for (int i = 0; i < OWNER_COUNT; i++)
    fill(&turn, (enum owner)i, 400);
  for (int i = 0; i < 13 * 50; i++)
    got[grant_next(&turn)]++;
  for (int i = 0; i < OWNER_COUNT; i++)
    ck_assert_int_eq(got[i], 50 * weights[i]);
}
END_TEST

/* Row 61: vital calls share one queue with a bulk. Row 62: and the one that
 * comes late does not lock the other out with credit of its idle time. */
START_TEST(who_comes_late_starts_now) {
  struct turn turn;
  turn_init(&turn);
  fill(&turn, OWNER_BULK, 400);
  for (int i = 0; i < 200; i++)
    grant_next(&turn);
  fill(&turn, OWNER_SCRAPE, 100);
  int scrapes = 0, bulks = 0;
  while (scrapes < 100) {
    if (grant_next(&turn) == OWNER_SCRAPE)
      scrapes++;
    else
      bulks++;
    ck_assert_int_ge(bulks, scrapes / 2 - 1);
    ck_assert_int_le(bulks, scrapes / 2 + 1);
  }
}
END_TEST

START_TEST(who_was_not_eligible_starts_now) {
  struct turn turn;
  turn_init(&turn);
  fill(&turn, OWNER_SCRAPE, 200);
  fill(&turn, OWNER_BULK, 100);
  for (int i = 0; i < 100; i++)
    turn_grant(&turn, turn_next(&turn, 1U << OWNER_SCRAPE));
  int in_a_row = 0;
  while (grant_next(&turn) == OWNER_BULK)
    in_a_row++;
  ck_assert_int_le(in_a_row, 1);
}
END_TEST

START_TEST(a_turn_given_back_is_had_again) {
  struct turn turn;
  turn_init(&turn);
  fill(&turn, OWNER_DISCOVERY, 2);
  fill(&turn, OWNER_SCRAPE, 2);
  some[OWNER_SCRAPE][0].since_ns = some[OWNER_SCRAPE][1].since_ns = 1;
  ck_assert_int_eq(grant_next(&turn), OWNER_DISCOVERY);
  if (_i == 0) {
    ck_assert_int_eq(turn_next(&turn, ALL)->owner, OWNER_SCRAPE);
  } else {
    turn_give_back(&turn, OWNER_DISCOVERY, 1);
    ck_assert_int_eq(turn_next(&turn, ALL)->owner, OWNER_DISCOVERY);
  }
}
END_TEST

/* Row 45: who has left still counts. Leaving twice is harmless. */
START_TEST(who_left_is_gone_at_once) {
  struct turn turn;
  turn_init(&turn);
  fill(&turn, OWNER_COMMAND, 2);
  turn_leave(&turn, &some[OWNER_COMMAND][0]);
  turn_leave(&turn, &some[OWNER_COMMAND][0]);
  ck_assert_uint_eq(turn.len, 1);
  ck_assert_ptr_eq(turn_next(&turn, ALL), &some[OWNER_COMMAND][1]);
}
END_TEST

START_TEST(owners_have_stable_names) {
  static const char *const names[] = {"scrape", "slow", "discovery", "command",
                                      "bulk"};
  for (int i = 0; i < OWNER_COUNT; i++)
    ck_assert_str_eq(owner_name((enum owner)i), names[i]);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("turn");
  TCase *t = tcase_create("turn");
  tcase_add_test(t, shares_are_the_weights);
  tcase_add_test(t, who_comes_late_starts_now);
  tcase_add_test(t, who_was_not_eligible_starts_now);
  tcase_add_loop_test(t, a_turn_given_back_is_had_again, 0, 2);
  tcase_add_test(t, who_left_is_gone_at_once);
  tcase_add_test(t, owners_have_stable_names);
  suite_add_tcase(s, t);
  t = tcase_create("random schedules");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, turns_are_fair_and_first_in_first_out);
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
