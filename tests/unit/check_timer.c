/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/timer.h"

#include "../support/prng.h"
#include "base/clock.h"

#include <check.h>

#define N 500

static void nothing(void *cookie, int64_t now_ns) {
  (void)cookie;
  (void)now_ns;
}

static struct timer_heap heap;
static struct timer timers[N];

static void setup(void) {
  timer_heap_init(&heap);
  ck_assert(timer_heap_reserve(&heap, N));
  for (size_t i = 0; i < N; i++)
    timers[i] = (struct timer){.fire = nothing};
}

static void teardown(void) { timer_heap_fini(&heap); }

START_TEST(an_empty_heap_has_nothing_due) {
  ck_assert_int_eq(timer_next_ns(&heap), CLOCK_NEVER);
  ck_assert_ptr_null(timer_pop_due(&heap, INT64_MAX));
}
END_TEST

START_TEST(a_timer_is_due_from_its_instant_on) {
  ck_assert(timer_set(&heap, &timers[0], 100));
  ck_assert_int_eq(timer_next_ns(&heap), 100);
  ck_assert_ptr_null(timer_pop_due(&heap, 99));
  ck_assert_ptr_eq(timer_pop_due(&heap, 100), &timers[0]);
  ck_assert_ptr_null(timer_pop_due(&heap, 100));
}
END_TEST

START_TEST(setting_again_moves) {
  ck_assert(timer_set(&heap, &timers[0], 100));
  ck_assert(timer_set(&heap, &timers[1], 200));
  ck_assert(timer_set(&heap, &timers[0], 300));
  ck_assert_int_eq(timer_next_ns(&heap), 200);
  ck_assert(timer_set(&heap, &timers[0], 50));
  ck_assert_int_eq(timer_next_ns(&heap), 50);
  ck_assert_uint_eq(heap.n, 2);
}
END_TEST

START_TEST(clearing_is_idempotent) {
  timer_clear(&heap, &timers[0]);
  ck_assert(timer_set(&heap, &timers[0], 1));
  timer_clear(&heap, &timers[0]);
  timer_clear(&heap, &timers[0]);
  ck_assert_uint_eq(heap.n, 0);
}
END_TEST

START_TEST(past_the_room_nothing_is_set) {
  struct timer_heap small;
  timer_heap_init(&small);
  ck_assert(timer_heap_reserve(&small, 1));
  size_t room = small.capacity;
  ck_assert_uint_lt(room, N);
  for (size_t i = 0; i < room; i++)
    ck_assert(timer_set(&small, &timers[i], 1));
  ck_assert(!timer_set(&small, &timers[room], 1));
  ck_assert_uint_eq(timers[room].index, 0);
  ck_assert(timer_set(&small, &timers[0], 2));
  timer_heap_fini(&small);
  ck_assert_uint_eq(timers[0].index, 0);
}
END_TEST

/* Against the plain way: a walk over all of them. */
START_TEST(the_earliest_comes_first_whatever_was_done_before) {
  struct prng prng = prng_seeded(1);
  for (int step = 0; step < 20000; step++) {
    struct timer *timer = &timers[prng_below(&prng, N)];
    if (prng_one_in(&prng, 3))
      timer_clear(&heap, timer);
    else
      REQUIRE(timer_set(&heap, timer, (int64_t)prng_below(&prng, 1000)), 1,
              step);
    int64_t earliest = CLOCK_NEVER;
    size_t n = 0;
    for (size_t i = 0; i < N; i++) {
      if (timers[i].index == 0)
        continue;
      n++;
      REQUIRE(heap.slot[timers[i].index] == &timers[i], 1, step);
      if (timers[i].at_ns < earliest)
        earliest = timers[i].at_ns;
    }
    REQUIRE(heap.n == n, 1, step);
    REQUIRE(timer_next_ns(&heap) == earliest, 1, step);
  }
  int64_t last = INT64_MIN;
  struct timer *timer;
  while ((timer = timer_pop_due(&heap, 1000))) {
    ck_assert_int_ge(timer->at_ns, last);
    last = timer->at_ns;
  }
  ck_assert_uint_eq(heap.n, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("timer");
  TCase *tcase = tcase_create("heap");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, an_empty_heap_has_nothing_due);
  tcase_add_test(tcase, a_timer_is_due_from_its_instant_on);
  tcase_add_test(tcase, setting_again_moves);
  tcase_add_test(tcase, clearing_is_idempotent);
  tcase_add_test(tcase, past_the_room_nothing_is_set);
  tcase_add_test(tcase, the_earliest_comes_first_whatever_was_done_before);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
