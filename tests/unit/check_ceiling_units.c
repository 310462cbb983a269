/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/ceiling.h"
#include "operator_hold.h"

#include <check.h>
#include <string.h>

/* The units beside requests, one by one; check_ceiling_random has them all at
 * once. Numbers behind "row" are those of public limiter bugs. */

#define S CLOCK_NS_PER_S
#define MS CLOCK_NS_PER_MS
#define MIB (UINT64_C(1) << 20)

static struct ceiling ceiling;
static struct waiter waiters[100];

static void start(void) {
  struct ceiling_settings settings = ceiling_settings_default(10 * S);
  settings.max_in_flight = 64;
  for (int i = 0; i < OWNER_COUNT; i++)
    settings.permit_timeout_ns[i] = 1000 * S;
  ceiling_init(&ceiling, &settings, 0);
}

static enum status enter(int i, enum owner owner, uint32_t changes,
                         int64_t now_ns) {
  return ceiling_enter(&ceiling, &waiters[i], owner, 1, changes, CLOCK_NEVER,
                       now_ns);
}

static struct waiter *granted(int64_t now_ns) {
  enum status status = STATUS_OK;
  struct waiter *waiter = ceiling_next(&ceiling, now_ns, &status);
  ck_assert_int_eq(status, STATUS_OK);
  return waiter;
}

/* A request of ${owner}, granted and over at ${now_ns}, that used so much. */
static void use(enum owner owner, uint64_t bytes, int64_t handling_ns,
                int64_t now_ns) {
  ck_assert_int_eq(enter(99, owner, 0, now_ns), STATUS_OK);
  ck_assert_ptr_eq(granted(now_ns), &waiters[99]);
  ceiling_charge(&ceiling, &waiters[99], bytes, handling_ns, now_ns);
  ceiling_release(&ceiling, &waiters[99]);
}

/* DESIGN: a thousand ids are twenty requests and about twenty seconds: the
 * changes ceiling gives the seconds. From a fresh bucket the first batch is
 * free: 19 s to the last grant. */
START_TEST(a_thousand_changes_take_nineteen_seconds) {
  start();
  for (int i = 0; i < 20; i++)
    ck_assert_int_eq(enter(i, OWNER_BULK, 50, 0), STATUS_OK);
  for (int i = 0; i < 20; i++) {
    ck_assert_int_eq(ceiling_wake_ns(&ceiling, 0), i * S);
    if (i > 0)
      ck_assert_ptr_null(granted(i * S - 1));
    ck_assert_ptr_eq(granted(i * S), &waiters[i]);
    ceiling_release(&ceiling, &waiters[i]);
  }
}
END_TEST

/* A bulk head short of changes that kept the turn held the scrape for 830 ms.
 * Row 66: nor is a permit spent while the changes are not there. */
START_TEST(who_lacks_changes_takes_no_turn) {
  start();
  enter(0, OWNER_BULK, 50, 0);
  ck_assert_ptr_eq(granted(0), &waiters[0]);
  ceiling_release(&ceiling, &waiters[0]);
  enter(1, OWNER_BULK, 50, 0);
  for (int i = 2; i < 12; i++)
    enter(i, OWNER_SCRAPE, 0, 0);
  for (int i = 2; i < 12; i++)
    ck_assert_ptr_eq(granted((i - 1) * 50 * MS), &waiters[i]);
  ck_assert_ptr_null(granted(S - 1));
  ck_assert_ptr_eq(granted(S), &waiters[1]);
}
END_TEST

/* One by-id batch at a time, whatever MaxInFlight says; bulk reads and other
 * owners' changes go beside it. */
START_TEST(one_batch_at_a_time) {
  start();
  for (int i = 0; i < 3; i++)
    enter(i, OWNER_BULK, 1, 0);
  ck_assert_ptr_eq(granted(0), &waiters[0]);
  enter(3, OWNER_COMMAND, 1, 0);
  ck_assert_ptr_eq(granted(S), &waiters[3]);
  ck_assert_ptr_null(granted(2 * S));
  ck_assert_int_eq(ceiling_blocks(&ceiling, OWNER_BULK, 2 * S), UNIT_IN_FLIGHT);
  ceiling_release(&ceiling, &waiters[0]);
  ck_assert_ptr_eq(granted(2 * S), &waiters[1]);
  ceiling_leave(&ceiling, &waiters[2]);
  enter(4, OWNER_BULK, 0, 3 * S);
  ck_assert_ptr_eq(granted(3 * S), &waiters[4]);
}
END_TEST

/* The one that becomes eligible later may have the earlier turn: the wake is
 * the instant of whichever comes first. */
START_TEST(the_wake_is_that_of_who_comes_first) {
  start();
  struct ceiling_settings settings = ceiling.settings;
  settings.rates.unit[UNIT_REQUESTS] = bucket_rate_of(1000, 10);
  ceiling_reconfigure(&ceiling, &settings, 0);
  enter(0, OWNER_BULK, 50, 0);
  ck_assert_ptr_eq(granted(0), &waiters[0]);
  ceiling_release(&ceiling, &waiters[0]);
  ck_assert_int_eq(
      ceiling_enter(&ceiling, &waiters[1], OWNER_SLOW, 8, 0, CLOCK_NEVER, 0),
      STATUS_OK);
  enter(2, OWNER_BULK, 1, 0); /* 20 ms for the change, 1 s for the permit */
  waiters[1].since_ns = 1;
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 0), 8 * S);
  ceiling.turn.queue[OWNER_SLOW].virtual_time = 100000;
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 0), S);
  ck_assert_ptr_eq(granted(S), &waiters[2]);
}
END_TEST

static const struct {
  uint64_t bytes;
  int64_t handling_ns;
  int64_t ready_ns; /* for the others, from a fresh ceiling at second 100 */
  uint64_t forgiven;
} debts[] = {
    {8 * MIB, 0, 0, 0},
    {8 * MIB + 1, 0, 477, 0}, /* 10^9 / 2^21, up */
    {10 * MIB, 0, S, 0},
    {0, 2 * S, 0, 0},
    {0, 3 * S, 4 * S, 0},
    {10 * MIB, 3 * S, 4 * S, 0},
    {28 * MIB, 0, 10 * S, 0},
    {28 * MIB + 1, 0, 10 * S, 1},
    {0, 40 * S, 10 * S, 1}, /* a timed-out request at a share of 0.25 */
    {UINT64_C(1) << 40, 3600 * S, 10 * S, 2},
};

/* Row 40: debt is bounded, and so is the silence after it. Row 24: bytes to
 * 2^40, and none delayed after idling. */
START_TEST(debt_delays_all_but_the_scrape) {
  int64_t now_ns = 100 * S;
  for (int i = 0; i < OWNER_COUNT; i++) {
    start();
    use(OWNER_BULK, debts[_i].bytes, debts[_i].handling_ns, now_ns);
    ck_assert_uint_eq(ceiling.forgiven, debts[_i].forgiven);
    enter(0, (enum owner)i, 0, now_ns);
    int64_t ready_ns = now_ns + 50 * MS; /* of the permit */
    if (i != OWNER_SCRAPE && debts[_i].ready_ns > 50 * MS)
      ready_ns = now_ns + debts[_i].ready_ns;
    ck_assert_int_eq(ceiling_wake_ns(&ceiling, now_ns), ready_ns);
    ck_assert_ptr_null(granted(ready_ns - 1));
    ck_assert_ptr_eq(granted(ready_ns), &waiters[0]);
  }
}
END_TEST

/* The scrape's own use is a debt of all the others'. */
START_TEST(the_scrapes_use_counts) {
  start();
  use(OWNER_SCRAPE, 0, 3 * S, 100 * S);
  enter(0, OWNER_COMMAND, 0, 100 * S);
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 100 * S), 104 * S);
  ck_assert_int_eq(ceiling_debt_ns(&ceiling, UNIT_HANDLING, 101 * S), 3 * S);
  ck_assert_int_eq(ceiling_debt_ns(&ceiling, UNIT_HANDLING, 104 * S), 0);
  ck_assert_int_eq(ceiling_debt_ns(&ceiling, UNIT_BYTES, 100 * S), 0);
}
END_TEST

/* The instant at which what waits is granted, or it is ${end_ns}. */
static int64_t serve_until(int64_t now_ns, int64_t end_ns) {
  enum status status = STATUS_OK;
  int64_t at_ns = ceiling_wake_ns(&ceiling, now_ns);
  if (at_ns >= end_ns)
    return end_ns;
  struct waiter *waiter = ceiling_next(&ceiling, at_ns, &status);
  ck_assert_int_eq(status, STATUS_OK);
  ceiling_release(&ceiling, waiter);
  return at_ns;
}

/* A scrape that uses up the whole share, 5 s every 20 s, and a slow round that
 * comes at any phase of it: it is granted within its own permit timeout. With
 * the scrape's timeout, some phases would never have been. */
START_TEST(the_slow_tier_outlasts_the_scrapes_debt) {
  for (int64_t phase_ns = 0; phase_ns < 20 * S; phase_ns += S / 2) {
    start();
    ceiling.settings = ceiling_settings_default(10 * S);
    for (int64_t now_ns = 0; now_ns < 1000 * S; now_ns += 20 * S) {
      int64_t over_ns = now_ns + 5 * S, slow_ns = now_ns + phase_ns;
      bool has_slow = now_ns >= 500 * S;
      ck_assert_int_eq(enter(0, OWNER_SCRAPE, 0, now_ns), STATUS_OK);
      ck_assert_ptr_eq(granted(now_ns), &waiters[0]);
      if (has_slow && slow_ns < over_ns) {
        ck_assert_int_eq(enter(1, OWNER_SLOW, 0, slow_ns), STATUS_OK);
        (void)serve_until(slow_ns, over_ns);
      }
      ceiling_charge(&ceiling, &waiters[0], 0, 5 * S, over_ns);
      ceiling_release(&ceiling, &waiters[0]);
      if (has_slow && slow_ns >= over_ns)
        ck_assert_int_eq(enter(1, OWNER_SLOW, 0, slow_ns), STATUS_OK);
      if (waiters[1].is_waiting)
        (void)serve_until(slow_ns > over_ns ? slow_ns : over_ns, CLOCK_NEVER);
    }
  }
}
END_TEST

/* At a share of 0.25 a batch of 50 ids at 20 ms each is a second of handling:
 * from second 10 on one in 4 s, 0.25 of the time. */
START_TEST(a_slow_broker_is_asked_within_its_share) {
  int64_t handling_ns = 0;
  int n = 0;
  start();
  for (int64_t now_ns = 0; now_ns < 70 * S;) {
    if (!waiters[0].is_waiting)
      ck_assert_int_eq(enter(0, OWNER_BULK, 50, now_ns), STATUS_OK);
    now_ns = ceiling_wake_ns(&ceiling, now_ns);
    ck_assert_ptr_eq(granted(now_ns), &waiters[0]);
    now_ns += S; /* it answers */
    ceiling_charge(&ceiling, &waiters[0], 1000, S, now_ns);
    ceiling_release(&ceiling, &waiters[0]);
    if (now_ns >= 10 * S && now_ns < 70 * S)
      handling_ns += S;
    n++;
  }
  ck_assert_int_ge(handling_ns, 60 * S / 4 * 9 / 10);
  ck_assert_int_le(handling_ns, 60 * S / 4 * 11 / 10);
  ck_assert_int_lt(n, 25);
}
END_TEST

/* Beyond its price, in permits: 4 s of share at 20/s are 80, less the one that
 * was paid; what costs less than its price costs no more. */
static const struct {
  enum owner owner;
  uint64_t bytes;
  int64_t handling_ns;
  uint64_t quarters_milli; /* of a permit at weight 4 */
} worths[] = {
    {OWNER_COMMAND, 0, S, 80000},     {OWNER_BULK, 0, S, 160000},
    {OWNER_DISCOVERY, 0, S, 320000},  {OWNER_BULK, 2 * MIB, S / 4, 40000},
    {OWNER_BULK, 4 * MIB, 1, 80000},  {OWNER_BULK, 0, 12500000, 2000},
    {OWNER_BULK, 0, 12600000, 2016},  {OWNER_BULK, 0, 0, 2000},
    {OWNER_BULK, 0, 100 * S, 400000}, {OWNER_SCRAPE, 0, S, 80000},
    {OWNER_BULK, 0, -S, 2000},
};

START_TEST(what_was_used_is_charged_to_the_turn) {
  start();
  use(worths[_i].owner, worths[_i].bytes, worths[_i].handling_ns, 0);
  ck_assert_uint_eq(ceiling.turn.queue[worths[_i].owner].virtual_time,
                    worths[_i].quarters_milli);
}
END_TEST

/* I5, I6 with what is paid afterwards: of two that wait all the time the one
 * that works the broker eight times as long gets so many fewer turns. */
START_TEST(turns_go_by_what_was_used) {
  int n[2] = {0};
  start();
  struct ceiling_settings settings = ceiling.settings;
  settings.rates.unit[UNIT_HANDLING] = bucket_rate_of_handling(1000000, 10 * S);
  ceiling_reconfigure(&ceiling, &settings, 0);
  int64_t now_ns = 0;
  while (n[0] + n[1] < 900) {
    for (int i = 0; i < 2; i++)
      if (!waiters[i].is_waiting)
        enter(i, i == 0 ? OWNER_BULK : OWNER_SLOW, 0, now_ns);
    now_ns = ceiling_wake_ns(&ceiling, now_ns);
    struct waiter *waiter = granted(now_ns);
    ceiling_charge(&ceiling, waiter, 0,
                   waiter == &waiters[0] ? 800 * MS : 100 * MS, now_ns);
    ceiling_release(&ceiling, waiter);
    n[waiter == &waiters[1]]++;
  }
  ck_assert_int_ge(n[0], 98);
  ck_assert_int_le(n[0], 102);
}
END_TEST

/* Row 11: errors are not asked again at full speed. */
START_TEST(retry_after_holds_everyone) {
  for (int i = 0; i < OWNER_COUNT; i++) {
    start();
    ceiling_hold(&ceiling, 7 * S);
    ceiling_hold(&ceiling, 5 * S); /* a shorter one ends nothing */
    enter(0, (enum owner)i, 0, 0);
    ck_assert_int_eq(ceiling_wake_ns(&ceiling, 0), 7 * S);
    ck_assert_ptr_null(granted(7 * S - 1));
    ck_assert_ptr_eq(granted(7 * S), &waiters[0]);
  }
}
END_TEST

START_TEST(a_clock_that_goes_back_prolongs_no_hold) {
  start();
  enter(0, OWNER_BULK, 0, 10 * S);
  ceiling_hold(&ceiling, 10 * S);
  ck_assert_ptr_eq(granted(10 * S), &waiters[0]);
  enter(1, OWNER_SCRAPE, 0, 2 * S);
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 2 * S), 10 * S + 50 * MS);
  ck_assert_int_eq(ceiling_blocks(&ceiling, OWNER_SCRAPE, 2 * S),
                   UNIT_REQUESTS);
}
END_TEST

/* A wait that is hopeless for want of any unit is refused at once. */
START_TEST(no_hopeless_wait_of_any_unit) {
  static const enum status expected[] = {STATUS_PERMIT_TIMEOUT, STATUS_OK};
  for (int by = 0; by < 2; by++) {
    start();
    ceiling.settings.permit_timeout_ns[OWNER_BULK] = 4 * S - 1 + by;
    uint32_t changes = 0;
    if (_i == 0) {
      enter(1, OWNER_BULK, 50, 0);
      ck_assert_ptr_nonnull(granted(0));
      ceiling.levels.bucket[UNIT_CHANGES].level -= 150 * BUCKET_PERMIT;
      changes = 50;
    } else if (_i == 1)
      use(OWNER_BULK, 8 * MIB, 0, 0);
    else if (_i == 2)
      use(OWNER_BULK, 0, S, 0);
    else
      ceiling_hold(&ceiling, 4 * S);
    struct ceiling before = ceiling;
    enum status status = enter(0, OWNER_BULK, changes, 0);
    ck_assert_int_eq(status, expected[by]);
    if (status)
      ck_assert_int_eq(memcmp(&before, &ceiling, sizeof(before)), 0);
  }
}
END_TEST

START_TEST(the_operators_hold_sends_everyone_home) {
  enum status status;
  start();
  enter(0, OWNER_BULK, 0, 0);
  enter(1, OWNER_SCRAPE, 0, 0);
  ceiling_hold_by_operator(&ceiling, 60 * S);
  ck_assert(ceiling_is_held_by_operator(&ceiling, 60 * S - 1));
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, S), S);
  for (int i = 0; i < 2; i++) {
    ck_assert_ptr_nonnull(ceiling_next(&ceiling, S, &status));
    ck_assert_int_eq(status, STATUS_HELD);
  }
  ck_assert_int_eq(enter(0, OWNER_COMMAND, 0, 60 * S - 1), STATUS_HELD);
  ck_assert_int_eq(enter(0, OWNER_COMMAND, 0, 60 * S), STATUS_OK);
  ck_assert_ptr_eq(granted(60 * S), &waiters[0]);
  ceiling_hold_by_operator(&ceiling, 100 * S);
  ceiling_hold_by_operator(&ceiling, 0);
  ck_assert_int_eq(enter(1, OWNER_COMMAND, 0, 61 * S), STATUS_OK);
}
END_TEST

/* Once a wait and unit, however often it is asked. */
START_TEST(what_held_the_first_is_counted_once) {
  start();
  enter(0, OWNER_BULK, 50, 0);
  ck_assert_ptr_nonnull(granted(0));
  ceiling_release(&ceiling, &waiters[0]);
  enter(1, OWNER_BULK, 50, 0);
  enter(2, OWNER_BULK, 50, 0); /* not the first: not counted */
  enter(3, OWNER_SCRAPE, 0, 0);
  for (int i = 0; i < 3; i++)
    ck_assert_ptr_null(granted(1));
  ck_assert_uint_eq(ceiling.blocked[UNIT_CHANGES], 1);
  ck_assert_uint_eq(ceiling.blocked[UNIT_REQUESTS], 1);
  ck_assert_int_eq(ceiling_blocks(&ceiling, OWNER_BULK, 1), UNIT_CHANGES);
  ck_assert_int_eq(ceiling_blocks(&ceiling, OWNER_SCRAPE, 1), UNIT_REQUESTS);
  ck_assert_int_eq(ceiling_blocks(&ceiling, OWNER_SLOW, 1), UNIT_COUNT);
  ceiling_hold(&ceiling, 2 * S);
  for (int i = 0; i < 3; i++)
    ck_assert_ptr_null(granted(2));
  ck_assert_uint_eq(ceiling.blocked[UNIT_HOLD], 2);
  ck_assert_uint_eq(ceiling.blocked[UNIT_CHANGES], 1);
}
END_TEST

START_TEST(each_unit_is_named) {
  static const struct {
    enum unit unit;
    uint64_t bytes;
    int64_t handling_ns;
    uint32_t max_in_flight;
  } cases[] = {{UNIT_BYTES, 4 * MIB, 0, 64},
               {UNIT_HANDLING, 0, S, 64},
               {UNIT_HANDLING, 4 * MIB, S, 64}, /* the one that is last */
               {UNIT_IN_FLIGHT, 0, S, 1}};
  start();
  ceiling.settings.max_in_flight = cases[_i].max_in_flight;
  use(OWNER_BULK, cases[_i].bytes, cases[_i].handling_ns, 0);
  if (cases[_i].max_in_flight == 1) {
    enter(1, OWNER_SCRAPE, 0, S);
    ck_assert_ptr_nonnull(granted(S));
  }
  enter(0, OWNER_COMMAND, 0, S);
  ck_assert_ptr_null(granted(S));
  ck_assert_int_eq(ceiling_blocks(&ceiling, OWNER_COMMAND, S), cases[_i].unit);
  ck_assert_uint_eq(ceiling.blocked[cases[_i].unit], 1);
}
END_TEST

START_TEST(a_batch_is_fifty_or_the_burst_of_changes) {
  static const struct {
    uint64_t burst;
    uint32_t batch;
  } cases[] = {{1, 1}, {16, 16}, {50, 50}, {1000, 50}};
  struct ceiling_settings settings = ceiling_settings_default(S);
  settings.rates.unit[UNIT_CHANGES] = bucket_rate_of(50000, cases[_i].burst);
  ck_assert_uint_eq(ceiling_batch(&settings), cases[_i].batch);
}
END_TEST

/* Changes come back with the permits; a count past all bounds is bounded. */
START_TEST(changes_are_given_back) {
  start();
  enter(0, OWNER_BULK, 50, 0);
  ck_assert_ptr_eq(granted(0), &waiters[0]);
  ceiling_give_back(&ceiling, &waiters[0]);
  ceiling_release(&ceiling, &waiters[0]);
  enter(1, OWNER_BULK, 50, 0);
  ck_assert_ptr_eq(granted(0), &waiters[1]);
  ceiling.settings.permit_timeout_ns[OWNER_BULK] = INT64_MAX;
  enter(2, OWNER_BULK, UINT32_MAX, 0);
  ck_assert_uint_eq(waiters[2].changes, BUCKET_BURST_MAX);
}
END_TEST

#define N(table) (int)(sizeof(table) / sizeof((table)[0]))

static Suite *suite(void) {
  Suite *s = suite_create("ceiling, units");
  TCase *t = tcase_create("units");
  tcase_add_test(t, a_thousand_changes_take_nineteen_seconds);
  tcase_add_test(t, who_lacks_changes_takes_no_turn);
  tcase_add_test(t, one_batch_at_a_time);
  tcase_add_test(t, the_wake_is_that_of_who_comes_first);
  tcase_add_loop_test(t, debt_delays_all_but_the_scrape, 0, N(debts));
  tcase_add_test(t, the_scrapes_use_counts);
  tcase_add_test(t, the_slow_tier_outlasts_the_scrapes_debt);
  tcase_add_test(t, a_slow_broker_is_asked_within_its_share);
  tcase_add_loop_test(t, what_was_used_is_charged_to_the_turn, 0, N(worths));
  tcase_add_test(t, turns_go_by_what_was_used);
  tcase_add_test(t, retry_after_holds_everyone);
  tcase_add_test(t, a_clock_that_goes_back_prolongs_no_hold);
  tcase_add_loop_test(t, no_hopeless_wait_of_any_unit, 0, 4);
  tcase_add_test(t, the_operators_hold_sends_everyone_home);
  tcase_add_test(t, what_held_the_first_is_counted_once);
  tcase_add_loop_test(t, each_unit_is_named, 0, 4);
  tcase_add_loop_test(t, a_batch_is_fifty_or_the_burst_of_changes, 0, 4);
  tcase_add_test(t, changes_are_given_back);
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
