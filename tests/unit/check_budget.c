/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/budget.h"

#include "base/clock.h"

#include <check.h>

#define MS INT64_C(1000000)

static struct budget budget;

static void setup(void) { budget_init(&budget); }

static void spend(int n) {
  if (budget_is_idle(&budget))
    budget_begin(&budget, 0);
  while (n-- > 0)
    budget_spend(&budget);
}

START_TEST(a_thousand_in_a_turn) {
  ck_assert(budget_is_idle(&budget));
  ck_assert_int_eq(budget_next_ns(&budget, false, 0), CLOCK_NEVER);
  spend(999);
  ck_assert(!budget_is_spent(&budget));
  spend(1);
  ck_assert(budget_is_spent(&budget));
  ck_assert_int_eq(budget_next_ns(&budget, true, 3), 4);
  budget_refill(&budget, 4);
  ck_assert(!budget_is_spent(&budget));
  ck_assert(!budget_is_idle(&budget));
}
END_TEST

START_TEST(another_turn_has_its_own) {
  for (uint64_t turn = 1; turn <= 5; turn++) {
    budget_turn(&budget, turn);
    ck_assert(!budget_is_spent(&budget));
    spend(999);
    budget_turn(&budget, turn);
    ck_assert(!budget_is_spent(&budget));
    spend(1);
    budget_turn(&budget, turn);
    ck_assert(budget_is_spent(&budget));
  }
  budget_turn(&budget, 6);
  spend(2200);
  budget_turn(&budget, 7);
  ck_assert(budget_is_spent(&budget));
  budget_turn(&budget, 8);
  ck_assert(!budget_is_spent(&budget));
}
END_TEST

START_TEST(so_many_in_a_window) {
  for (int turn = 0; turn < 25; turn++) {
    ck_assert(!budget_is_spent(&budget));
    spend(500);
    budget_refill(&budget, turn);
  }
  ck_assert(budget_is_spent(&budget));
  ck_assert_int_eq(budget_next_ns(&budget, true, 25), 250 * MS);
  budget_refill(&budget, 250 * MS - 1);
  ck_assert(budget_is_spent(&budget));
  budget_refill(&budget, 250 * MS);
  ck_assert(!budget_is_spent(&budget));
}
END_TEST

START_TEST(it_is_idle_after_a_window) {
  spend(1);
  ck_assert_int_eq(budget_next_ns(&budget, false, 5), 250 * MS);
  budget_refill(&budget, 250 * MS);
  ck_assert(budget_is_idle(&budget));
  ck_assert_int_eq(budget_next_ns(&budget, false, 250 * MS), CLOCK_NEVER);
}
END_TEST

/* A row that passes the end is paid by the next windows: over any time the
 * total is at most that of the windows begun, and one row. */
START_TEST(what_was_overdrawn_is_paid_back) {
  enum { ROW = 700, WINDOWS = 1000 };
  long total = 0;
  for (int window = 1; window <= WINDOWS; window++) {
    int64_t now_ns = window * BUDGET_WINDOW_NS;
    if (budget_is_idle(&budget))
      budget_begin(&budget, now_ns);
    for (int turn = 0; turn < 50; turn++, budget_refill(&budget, now_ns))
      for (; !budget_is_spent(&budget); total += ROW)
        for (int i = 0; i < ROW; i++)
          budget_spend(&budget);
    ck_assert_int_lt(total, (long)window * BUDGET_WINDOW + ROW);
    budget_refill(&budget, now_ns + BUDGET_WINDOW_NS);
  }
  ck_assert_int_gt(total, (long)(WINDOWS - 2) * BUDGET_WINDOW);
}
END_TEST

/* What is not used is not saved: a turn never has more than 1,000. */
START_TEST(nothing_is_saved_up) {
  for (int i = 0; i < 10; i++)
    budget_refill(&budget, i * BUDGET_WINDOW_NS);
  int n = 0;
  for (; !budget_is_spent(&budget); n++)
    spend(1);
  ck_assert_int_eq(n, 1000);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("budget");
  TCase *t = tcase_create("budget");
  tcase_add_checked_fixture(t, setup, NULL);
  tcase_add_test(t, a_thousand_in_a_turn);
  tcase_add_test(t, another_turn_has_its_own);
  tcase_add_test(t, so_many_in_a_window);
  tcase_add_test(t, it_is_idle_after_a_window);
  tcase_add_test(t, what_was_overdrawn_is_paid_back);
  tcase_add_test(t, nothing_is_saved_up);
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
