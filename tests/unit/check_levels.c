/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "limit/levels.h"

#include <check.h>
#include <string.h>

#define S CLOCK_NS_PER_S

static struct levels_rates rates_of(uint64_t changes_burst) {
  return (struct levels_rates){
      .unit = {[UNIT_REQUESTS] = bucket_rate_of(20000, 5),
               [UNIT_CHANGES] = bucket_rate_of(50000, changes_burst),
               [UNIT_BYTES] = bucket_rate_of_bytes(1000, 4000),
               [UNIT_HANDLING] = bucket_rate_of_handling(250000, 2 * S)}};
}

/* Row 8: a bucket that starts full bursts when every client reconnects. */
START_TEST(new_levels_are_worth_one_batch) {
  static const struct {
    uint64_t burst;
    int64_t changes;
  } cases[] = {{1000, 50}, {50, 50}, {12, 12}, {1, 1}};
  struct levels_rates rates = rates_of(cases[_i].burst);
  struct levels levels;
  memset(&levels, 0xff, sizeof(levels));
  levels_init(&levels, &rates, 42);
  ck_assert_int_eq(levels.bucket[UNIT_REQUESTS].level, BUCKET_PERMIT);
  ck_assert_int_eq(levels.bucket[UNIT_CHANGES].level,
                   cases[_i].changes * BUCKET_PERMIT);
  ck_assert_int_eq(levels.bucket[UNIT_BYTES].level, 0);
  ck_assert_int_eq(levels.bucket[UNIT_HANDLING].level, 0);
  for (int i = 0; i < UNIT_BUCKETS; i++)
    ck_assert_int_eq(levels.bucket[i].last_ns, 42);
  ck_assert_int_eq(levels.hold_until_ns, 0);
  ck_assert_int_eq(levels.operator_hold_until_ns, 0);
}
END_TEST

START_TEST(full_is_every_bucket_and_no_hold) {
  struct levels_rates rates = rates_of(50);
  struct levels levels;
  levels_init(&levels, &rates, 0);
  ck_assert(!levels_are_full(&levels, &rates, 8 * S - 1)); /* handling */
  ck_assert(levels_are_full(&levels, &rates, 8 * S));
  for (int i = 0; i < UNIT_BUCKETS; i++) {
    levels_accrue(&levels, &rates, 100 * S);
    ck_assert(levels_are_full(&levels, &rates, 100 * S));
    levels.bucket[i].level--;
    ck_assert(!levels_are_full(&levels, &rates, 100 * S));
    levels.bucket[i].level++;
  }
  levels.hold_until_ns = 101 * S;
  ck_assert(!levels_are_full(&levels, &rates, 101 * S - 1));
  ck_assert(levels_are_full(&levels, &rates, 101 * S));
  levels.operator_hold_until_ns = 102 * S;
  ck_assert(!levels_are_full(&levels, &rates, 102 * S - 1));
  ck_assert(levels_are_full(&levels, &rates, 102 * S));
}
END_TEST

START_TEST(time_does_not_go_back) {
  struct levels_rates rates = rates_of(50);
  struct levels levels;
  levels_init(&levels, &rates, 10 * S);
  ck_assert_int_eq(levels_now_ns(&levels, 2 * S), 10 * S);
  ck_assert_int_eq(levels_now_ns(&levels, 11 * S), 11 * S);
  struct levels before = levels;
  levels_accrue(&levels, &rates, 2 * S);
  ck_assert_int_eq(memcmp(&before, &levels, sizeof(levels)), 0);
}
END_TEST

START_TEST(units_have_names) {
  static const char *const names[UNIT_COUNT] = {
      "requests",  "changes", "bytes", "handling",
      "in_flight", "hold",    "shared"};
  for (int i = 0; i < UNIT_COUNT; i++)
    ck_assert_str_eq(unit_name((enum unit)i), names[i]);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("levels");
  TCase *t = tcase_create("levels");
  tcase_add_loop_test(t, new_levels_are_worth_one_batch, 0, 4);
  tcase_add_test(t, full_is_every_bucket_and_no_hold);
  tcase_add_test(t, time_does_not_go_back);
  tcase_add_test(t, units_have_names);
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
