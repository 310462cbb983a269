/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/budget.h"

#include <check.h>

START_TEST(five_hundred_then_spent) {
  struct budget budget;
  budget_init(&budget);
  ck_assert(budget_is_full(&budget));
  for (int i = 0; i < 500; i++) {
    ck_assert(!budget_is_spent(&budget));
    budget_spend(&budget);
    ck_assert(!budget_is_full(&budget));
  }
  ck_assert(budget_is_spent(&budget));
  budget_refill(&budget);
  ck_assert(budget_is_full(&budget));
}
END_TEST

/* A row that passes the end is paid by the next windows: over any time the
 * total is at most that of the windows begun, and one row. */
START_TEST(what_was_overdrawn_is_paid_back) {
  enum { ROW = 700, WINDOWS = 1000 };
  struct budget budget;
  budget_init(&budget);
  long total = 0;
  for (int window = 1; window <= WINDOWS; window++) {
    while (!budget_is_spent(&budget))
      for (int i = 0; i < ROW; i++, total++)
        budget_spend(&budget);
    ck_assert_int_lt(total, (long)window * BUDGET_SAMPLES + ROW);
    budget_refill(&budget);
  }
  ck_assert_int_gt(total, (long)(WINDOWS - 2) * BUDGET_SAMPLES);
}
END_TEST

/* What is not used is not saved: a window never has more than 500. */
START_TEST(nothing_is_saved_up) {
  struct budget budget;
  budget_init(&budget);
  for (int i = 0; i < 10; i++)
    budget_refill(&budget);
  int n = 0;
  for (; !budget_is_spent(&budget); n++)
    budget_spend(&budget);
  ck_assert_int_eq(n, 500);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("budget");
  TCase *t = tcase_create("budget");
  tcase_add_test(t, five_hundred_then_spent);
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
