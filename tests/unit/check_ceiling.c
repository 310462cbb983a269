/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "limit/ceiling.h"

#include "../support/prng.h"

#include <check.h>
#include <string.h>

/* The rules one by one; check_ceiling_random has them all at once. Numbers
 * behind "row" are those of public limiter bugs, each named with what went
 * wrong there, that the test at hand would have caught. */

#define S CLOCK_NS_PER_S
#define MS CLOCK_NS_PER_MS
#define SLOT (50 * MS) /* of one permit at the default 20/s */
#define N(table) (int)(sizeof(table) / sizeof((table)[0]))

static struct ceiling ceiling;
static struct waiter waiters[2000];

static void start(uint32_t max_in_flight, uint32_t max_waiting) {
  struct ceiling_settings settings = ceiling_settings_default(10 * S);
  settings.max_in_flight = max_in_flight;
  settings.max_waiting = max_waiting;
  for (int i = 0; i < OWNER_COUNT; i++)
    settings.permit_timeout_ns[i] = 1000 * S;
  ceiling_init(&ceiling, &settings, 0);
}

static void fill_up(void) {
  for (int i = 0; i < UNIT_BUCKETS; i++)
    ceiling.levels.bucket[i].level = ceiling.settings.rates.unit[i].cap;
}

static enum status enter(int i, enum owner owner, int64_t now_ns) {
  return ceiling_enter(&ceiling, &waiters[i], owner, 1, 0, CLOCK_NEVER, now_ns);
}

static struct waiter *granted(int64_t now_ns) {
  enum status status;
  struct waiter *waiter = ceiling_next(&ceiling, now_ns, &status);
  if (waiter)
    ck_assert_int_eq(status, STATUS_OK);
  return waiter;
}

/* A request that is over as soon as it is sent. */
static struct waiter *granted_and_over(int64_t now_ns) {
  struct waiter *waiter = granted(now_ns);
  if (waiter)
    ceiling_release(&ceiling, waiter);
  return waiter;
}

START_TEST(defaults) {
  struct ceiling_settings settings = ceiling_settings_default(60 * S);
  ck_assert_uint_eq(settings.rates.unit[UNIT_REQUESTS].rate, 20000);
  ck_assert_int_eq(settings.rates.unit[UNIT_REQUESTS].cap, BUCKET_PERMIT);
  ck_assert_uint_eq(settings.max_in_flight, 2);
  ck_assert_uint_eq(settings.max_waiting, 64);
  ck_assert_int_eq(settings.permit_timeout_ns[OWNER_SCRAPE], 5 * S);
  ck_assert_int_eq(settings.permit_timeout_ns[OWNER_SLOW], 15 * S);
  ck_assert_int_eq(settings.permit_timeout_ns[OWNER_DISCOVERY], 15 * S);
  ck_assert_int_eq(settings.permit_timeout_ns[OWNER_COMMAND], 15 * S);
  ck_assert_int_eq(settings.permit_timeout_ns[OWNER_BULK], 90 * S);
  settings = ceiling_settings_default(4 * S);
  ck_assert_int_eq(settings.permit_timeout_ns[OWNER_SCRAPE], 2 * S);
}
END_TEST

static const struct {
  size_t operations;
  uint32_t cost;
} costs[] = {
    {0, 1},   {1, 1},   {50, 1},    {51, 2},    {99, 2},
    {100, 2}, {101, 3}, {1000, 20}, {1001, 21}, {SIZE_MAX, 1000000},
};

START_TEST(one_permit_pays_for_fifty_operations) {
  ck_assert_uint_eq(ceiling_cost(costs[_i].operations), costs[_i].cost);
}
END_TEST

/* The figures of the decision: the ten requests of a capture install take about
 * half a second, the twenty of a thousand ids about one, at 20/s. */
START_TEST(requests_are_spaced_not_bunched) {
  int n = _i == 0 ? 10 : 20;
  start(2, 64);
  for (int i = 0; i < n; i++)
    ck_assert_int_eq(enter(i, OWNER_COMMAND, 0), STATUS_OK);
  for (int i = 0; i < n; i++) {
    ck_assert_int_eq(ceiling_wake_ns(&ceiling, 0), i * SLOT);
    if (i > 0)
      ck_assert_ptr_null(granted(i * SLOT - 1));
    ck_assert_ptr_eq(granted_and_over(i * SLOT), &waiters[i]);
  }
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 0), CLOCK_NEVER);
}
END_TEST

START_TEST(the_last_slot_is_the_scrapes) {
  start(2, 64);
  enter(0, OWNER_BULK, 0);
  enter(1, OWNER_COMMAND, 0);
  ck_assert_ptr_eq(granted(S), &waiters[1]);
  ck_assert_ptr_null(granted(2 * S));
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 2 * S), 1000 * S + 1);
  enter(2, OWNER_SCRAPE, 2 * S);
  enter(3, OWNER_SCRAPE, 2 * S);
  ck_assert_ptr_eq(granted(2 * S), &waiters[2]);
  ck_assert_ptr_null(granted(3 * S));
  ceiling_release(&ceiling, &waiters[2]);
  ck_assert_ptr_eq(granted(3 * S), &waiters[3]);
  ceiling_release(&ceiling, &waiters[1]);
  ck_assert_ptr_eq(granted(4 * S), &waiters[0]);
}
END_TEST

START_TEST(a_single_slot_is_for_all) {
  start(1, 64);
  for (int i = 0; i < OWNER_COUNT; i++) {
    enter(i, (enum owner)i, 0);
    ck_assert_ptr_eq(granted(i * S), &waiters[i]);
    enter(100, OWNER_SCRAPE, i * S);
    ck_assert_ptr_null(granted(i * S + S / 2));
    ceiling_leave(&ceiling, &waiters[100]);
    ceiling_release(&ceiling, &waiters[i]);
  }
}
END_TEST

/* Row 66: refused for want of a slot, and the permit is spent all the same. */
START_TEST(without_a_slot_no_permit_is_spent) {
  start(1, 64);
  enter(0, OWNER_BULK, 0);
  enter(1, OWNER_BULK, 0);
  ck_assert_ptr_nonnull(granted(0));
  for (int i = 0; i < 100; i++)
    ck_assert_ptr_null(granted(S));
  ceiling_release(&ceiling, &waiters[0]);
  ck_assert_ptr_eq(granted(S), &waiters[1]);
}
END_TEST

/* Row 57: no maximum of waiters. Row 45: the cancelled still count. */
START_TEST(the_room_is_bounded) {
  start(2, 3);
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(enter(i, OWNER_BULK, 0), STATUS_OK);
  ck_assert_int_eq(enter(3, OWNER_SCRAPE, 0), STATUS_PERMIT_QUEUE_FULL);
  ceiling_leave(&ceiling, &waiters[1]);
  ck_assert_int_eq(enter(3, OWNER_SCRAPE, 0), STATUS_OK);
}
END_TEST

/* Row 51: sleeps its whole timeout although the failure is known. */
START_TEST(a_hopeless_wait_is_refused_at_once) {
  struct waiter *w = &waiters[0];
  start(2, 64);
  enter(1, OWNER_BULK, 0);
  granted_and_over(0);
  struct ceiling before = ceiling;
  ck_assert_int_eq(ceiling_enter(&ceiling, w, OWNER_BULK, 1, 0, SLOT - 1, 0),
                   STATUS_PERMIT_TIMEOUT);
  ck_assert_int_eq(memcmp(&before, &ceiling, sizeof(before)), 0);
  ck_assert_int_eq(ceiling_enter(&ceiling, w, OWNER_BULK, 1, 0, SLOT, 0),
                   STATUS_OK);
  ck_assert_ptr_eq(granted(SLOT), w);
}
END_TEST

/* Row 48: permits for who has given up already. Row 56: endless waits. */
START_TEST(a_wait_ends_at_the_earlier_deadline) {
  static const struct {
    int64_t deadline_ns, timeout_ns, end_ns;
  } cases[] = {{3 * S, 2 * S, 2 * S},
               {2 * S, 3 * S, 2 * S},
               {CLOCK_NEVER, 2 * S, 2 * S},
               {CLOCK_NEVER, INT64_MAX, CLOCK_NEVER}};
  enum status status;
  start(1, 64);
  ceiling.settings.permit_timeout_ns[OWNER_BULK] = cases[_i].timeout_ns;
  enter(0, OWNER_SCRAPE, 0);
  ck_assert_ptr_nonnull(granted(0));
  ceiling_enter(&ceiling, &waiters[1], OWNER_BULK, 1, 0, cases[_i].deadline_ns,
                0);
  int64_t end_ns = cases[_i].end_ns;
  int64_t wake_ns = end_ns < CLOCK_NEVER ? end_ns + 1 : CLOCK_NEVER;
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 0), wake_ns);
  ck_assert_ptr_null(ceiling_next(&ceiling, end_ns - 1, &status));
  if (end_ns < CLOCK_NEVER) {
    ck_assert_ptr_null(ceiling_next(&ceiling, end_ns, &status));
    ceiling_release(&ceiling, &waiters[0]);
    ck_assert_ptr_eq(ceiling_next(&ceiling, end_ns + 1, &status), &waiters[1]);
    ck_assert_int_eq(status, STATUS_PERMIT_TIMEOUT);
  }
}
END_TEST

START_TEST(a_later_waiter_may_expire_earlier) {
  enum status status;
  start(1, 64);
  enter(0, OWNER_BULK, 0);
  ck_assert_ptr_nonnull(granted(0));
  for (int i = 1; i < 10; i++)
    ceiling_enter(&ceiling, &waiters[i], OWNER_BULK, 1, 0, (100 - i) * S, 0);
  for (int i = 9; i > 0; i--) {
    int64_t end_ns = (100 - i) * S;
    ck_assert_int_eq(ceiling_wake_ns(&ceiling, 0), end_ns + 1);
    ck_assert_ptr_eq(ceiling_next(&ceiling, end_ns + 1, &status), &waiters[i]);
    ck_assert_int_eq(status, STATUS_PERMIT_TIMEOUT);
  }
}
END_TEST

/* Row 50: 0.001 % let through, since the refused keep the bucket empty. */
START_TEST(hammering_without_patience_gets_the_whole_rate) {
  int n = 0;
  start(2, 64);
  for (int64_t now_ns = 0; now_ns < 60 * S; now_ns += MS) {
    if (ceiling_enter(&ceiling, &waiters[0], OWNER_COMMAND, 1, 0, now_ns,
                      now_ns))
      continue;
    ck_assert_ptr_nonnull(granted_and_over(now_ns));
    n++;
  }
  ck_assert_int_eq(n, 60 * 20);
}
END_TEST

/* Row 41: the limit is raised, and the waiting go on by the old plan. */
START_TEST(a_raised_ceiling_is_felt_at_once) {
  start(2, 64);
  struct ceiling_settings settings = ceiling.settings;
  settings.rates.unit[UNIT_REQUESTS] = bucket_rate_of(1, 1);
  ceiling_reconfigure(&ceiling, &settings, 0);
  enter(0, OWNER_COMMAND, 0);
  enter(1, OWNER_COMMAND, 0);
  ck_assert_ptr_nonnull(granted_and_over(0));
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 0), 1000 * S);
  settings.rates.unit[UNIT_REQUESTS] = bucket_rate_of(1000000, 1);
  ceiling_reconfigure(&ceiling, &settings, 500 * S);
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 500 * S), 500 * S + S / 2 / 1000);
}
END_TEST

/* Each number the lower of the two, in whatever order; timeouts the longer. */
START_TEST(the_slower_settings_allow_no_more_than_either) {
  struct prng prng = prng_seeded((uint64_t)_i);
  struct ceiling_settings both[2], slow;
  for (int i = 0; i < 2; i++) {
    both[i] = ceiling_settings_default(10 * S);
    for (int unit = 0; unit < UNIT_BUCKETS; unit++)
      both[i].rates.unit[unit] =
          (struct bucket_rate){.rate = 1 + prng_below(&prng, 9),
                               .cap = 1 + (int64_t)prng_below(&prng, 9)};
    both[i].max_in_flight = 1 + (uint32_t)prng_below(&prng, 9);
    both[i].max_waiting = 1 + (uint32_t)prng_below(&prng, 9);
    for (int owner = 0; owner < OWNER_COUNT; owner++)
      both[i].permit_timeout_ns[owner] = (int64_t)prng_below(&prng, 9);
  }
  slow = both[0];
  ceiling_settings_slow(&slow, &both[1]);
  for (int unit = 0; unit < UNIT_BUCKETS; unit++) {
    const struct bucket_rate *a = &both[0].rates.unit[unit];
    const struct bucket_rate *b = &both[1].rates.unit[unit];
    const struct bucket_rate *s = &slow.rates.unit[unit];
    ck_assert_uint_eq(s->rate, a->rate < b->rate ? a->rate : b->rate);
    ck_assert_int_eq(s->cap, a->cap < b->cap ? a->cap : b->cap);
  }
  for (int i = 0; i < 2; i++) {
    ck_assert_uint_le(slow.max_in_flight, both[i].max_in_flight);
    ck_assert_uint_le(slow.max_waiting, both[i].max_waiting);
    for (int owner = 0; owner < OWNER_COUNT; owner++)
      ck_assert_int_ge(slow.permit_timeout_ns[owner],
                       both[i].permit_timeout_ns[owner]);
  }
}
END_TEST

START_TEST(a_lowered_in_flight_is_kept) {
  start(64, 64);
  for (int i = 0; i < 4; i++) {
    enter(i, OWNER_SCRAPE, i * S);
    ck_assert_ptr_nonnull(granted(i * S));
  }
  struct ceiling_settings settings = ceiling.settings;
  settings.max_in_flight = 2;
  ceiling_reconfigure(&ceiling, &settings, 5 * S);
  enter(4, OWNER_SCRAPE, 5 * S);
  for (int i = 0; i < 3; i++) {
    ck_assert_ptr_null(granted(6 * S));
    ceiling_release(&ceiling, &waiters[i]);
  }
  ck_assert_ptr_eq(granted(6 * S), &waiters[4]);
}
END_TEST

/* Given back after a later grant: that one's permit accrued only because the
 * first was gone. Two more at one instant would pass the ceiling. */
START_TEST(what_is_given_back_late_bunches_nothing) {
  start(3, 64);
  for (int i = 0; i < 3; i++)
    enter(i, OWNER_SCRAPE, 0);
  ck_assert_ptr_eq(granted(0), &waiters[0]);
  ck_assert_ptr_eq(granted(SLOT), &waiters[1]);
  ceiling_give_back(&ceiling, &waiters[0]);
  ceiling_release(&ceiling, &waiters[0]);
  ck_assert_ptr_null(granted(2 * SLOT - 1));
  ck_assert_ptr_eq(granted(2 * SLOT), &waiters[2]);
}
END_TEST

START_TEST(what_is_given_back_soon_is_there_again) {
  start(2, 64);
  enter(0, OWNER_SCRAPE, 0);
  enter(1, OWNER_SCRAPE, 0);
  ck_assert_ptr_eq(granted(0), &waiters[0]);
  ck_assert_ptr_null(granted(1));
  ceiling_give_back(&ceiling, &waiters[0]);
  ceiling_release(&ceiling, &waiters[0]);
  ck_assert_ptr_eq(granted(1), &waiters[1]);
}
END_TEST

/* Row 54, 55: nobody closes the limiter, or it takes half an hour. */
START_TEST(closing_ends_every_wait_at_once) {
  enum status status;
  start(2, 64);
  for (int i = 0; i < 20; i++)
    enter(i, (enum owner)(i % OWNER_COUNT), 0);
  ck_assert_ptr_nonnull(granted(0));
  ceiling_close(&ceiling);
  ck_assert_int_eq(enter(30, OWNER_SCRAPE, 0), STATUS_CLOSING);
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, 7), 7);
  for (int i = 0; i < 19; i++) {
    ck_assert_ptr_nonnull(ceiling_next(&ceiling, S, &status));
    ck_assert_int_eq(status, STATUS_CLOSING);
  }
  ck_assert_ptr_null(ceiling_next(&ceiling, S, &status));
  ck_assert_int_eq(ceiling_wake_ns(&ceiling, S), CLOCK_NEVER);
}
END_TEST

START_TEST(costs_out_of_range_are_the_nearest) {
  start(2, 64);
  ceiling_enter(&ceiling, &waiters[0], OWNER_BULK, 0, 0, CLOCK_NEVER, 0);
  ck_assert_uint_eq(waiters[0].cost, 1);
  ceiling_enter(&ceiling, &waiters[1], OWNER_BULK, UINT32_MAX, 0, CLOCK_NEVER,
                0);
  ck_assert_uint_eq(waiters[1].cost, BUCKET_BURST_MAX);
}
END_TEST

/* Row 61, 64: the first request of an owner that was idle waits for one of each
 * other owner that waits, and itself: (others + 1) / rate. */
START_TEST(an_idle_owner_is_served_within_one_round) {
  for (uint64_t seed = 0; seed < 2000; seed++) {
    struct prng prng = prng_seeded(seed);
    enum owner idle = (enum owner)prng_below(&prng, OWNER_COUNT);
    unsigned others = (unsigned)prng_below(&prng, 1U << OWNER_COUNT);
    int64_t n_others = 0, now_ns = 0;
    int n = 0;
    start(64, 1500);
    for (unsigned i = 0; i < OWNER_COUNT; i++)
      if (i != idle && (others & 1U << i)) {
        n_others++;
        while (n < 200 * n_others)
          enter(n++, (enum owner)i, 0);
      }
    for (uint64_t i = prng_below(&prng, 100); i > 0; i--, now_ns += SLOT)
      granted_and_over(now_ns);
    now_ns += (int64_t)prng_below(&prng, SLOT);
    REQUIRE(enter(n, idle, now_ns) == STATUS_OK, seed, n);
    const struct waiter *waiter = NULL;
    int64_t at_ns = now_ns;
    while (waiter != &waiters[n]) {
      at_ns = ceiling_wake_ns(&ceiling, at_ns);
      waiter = granted_and_over(at_ns);
    }
    REQUIRE(at_ns - now_ns <= (n_others + 1) * SLOT, seed, n);
  }
}
END_TEST

/* Row 61: a tick of k requests, one after the other, beside a thousand of each
 * other owner: k x (1 + the sum of (their weight / ours + 1)) / rate. */
START_TEST(a_round_ends_beside_any_backlog) {
  static const int64_t weights[OWNER_COUNT] = {4, 2, 1, 4, 2};
  enum owner mine = (enum owner)_i;
  int64_t quarters = 4; /* of the bound for one request */
  int n = 0;
  start(64, 2000);
  for (int i = 0; i < OWNER_COUNT; i++)
    if (i != (int)mine) {
      quarters += 4 * weights[i] / weights[mine] + 4;
      for (int j = 0; j < 400; j++)
        enter(n++, (enum owner)i, 0);
    }
  int64_t now_ns = 0;
  for (int k = 0; k < 8; k++) {
    struct waiter *waiter = NULL;
    enter(n, mine, now_ns);
    while (waiter != &waiters[n]) {
      now_ns = ceiling_wake_ns(&ceiling, now_ns);
      waiter = granted_and_over(now_ns);
    }
    ck_assert_int_le(now_ns, (k + 1) * quarters * SLOT / 4);
  }
}
END_TEST

/* Slots, not permits, are short: a scrape that keeps both busy leaves the bulk
 * its turns, and two long batches leave the scrape its slot. */
START_TEST(slots_go_by_turns_too) {
  int scrapes = 0, bulks = 0, n = 0;
  int flight[2], n_flight = 0;
  start(2, 1500);
  for (; n < 1400; n++)
    enter(n, n % 2 ? OWNER_SCRAPE : OWNER_BULK, 0);
  for (int64_t now_ns = 0; scrapes + bulks < 300; now_ns += S) {
    struct waiter *waiter;
    while ((waiter = granted(now_ns))) {
      ck_assert_int_lt(n_flight, 2);
      flight[n_flight++] = (int)(waiter - waiters);
      *(waiter->owner == OWNER_SCRAPE ? &scrapes : &bulks) += 1;
    }
    ceiling_release(&ceiling, &waiters[flight[0]]);
    flight[0] = flight[--n_flight];
  }
  ck_assert_int_ge(bulks, 90);
  ck_assert_int_ge(scrapes, 190);
}
END_TEST

START_TEST(idle_is_empty_over_and_full) {
  start(2, 64);
  ck_assert(!ceiling_is_idle(&ceiling, 8 * S - 1)); /* of handling */
  ck_assert(ceiling_is_idle(&ceiling, 8 * S));
  fill_up();
  ck_assert(ceiling_is_idle(&ceiling, 0));
  enter(0, OWNER_SCRAPE, 0);
  ck_assert(!ceiling_is_idle(&ceiling, 0));
  ck_assert_ptr_nonnull(granted(0));
  ck_assert(!ceiling_is_idle(&ceiling, S));
  ceiling_release(&ceiling, &waiters[0]);
  ck_assert(!ceiling_is_idle(&ceiling, SLOT - 1));
  ck_assert(ceiling_is_idle(&ceiling, SLOT));
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("ceiling");
  TCase *t = tcase_create("ceiling");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, defaults);
  tcase_add_loop_test(t, one_permit_pays_for_fifty_operations, 0, N(costs));
  tcase_add_loop_test(t, requests_are_spaced_not_bunched, 0, 2);
  tcase_add_test(t, the_last_slot_is_the_scrapes);
  tcase_add_test(t, a_single_slot_is_for_all);
  tcase_add_test(t, without_a_slot_no_permit_is_spent);
  tcase_add_test(t, the_room_is_bounded);
  tcase_add_test(t, a_hopeless_wait_is_refused_at_once);
  tcase_add_loop_test(t, a_wait_ends_at_the_earlier_deadline, 0, 4);
  tcase_add_test(t, a_later_waiter_may_expire_earlier);
  tcase_add_test(t, hammering_without_patience_gets_the_whole_rate);
  tcase_add_test(t, a_raised_ceiling_is_felt_at_once);
  tcase_add_loop_test(t, the_slower_settings_allow_no_more_than_either, 0, 50);
  tcase_add_test(t, a_lowered_in_flight_is_kept);
  tcase_add_test(t, what_is_given_back_late_bunches_nothing);
  tcase_add_test(t, what_is_given_back_soon_is_there_again);
  tcase_add_test(t, closing_ends_every_wait_at_once);
  tcase_add_test(t, costs_out_of_range_are_the_nearest);
  tcase_add_test(t, an_idle_owner_is_served_within_one_round);
  tcase_add_loop_test(t, a_round_ends_beside_any_backlog, 0, OWNER_COUNT);
  tcase_add_test(t, slots_go_by_turns_too);
  tcase_add_test(t, idle_is_empty_over_and_full);
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
