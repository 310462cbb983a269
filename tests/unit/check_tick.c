/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/tick.h"

#include <check.h>
#include <stdio.h>

#define S INT64_C(1000000000)

START_TEST(offsets_are_stable_and_inside_the_interval) {
  static const struct {
    const char *name;
    enum tier tier;
    int64_t interval_ns;
  } cases[] = {
      {"broker-a", TIER_FAST, 10 * S},
      {"broker-a", TIER_SLOW, 300 * S},
      {"", TIER_FAST, 1},
      {"b", TIER_ADDRESS, 60 * S},
      {"\xc3\xbc", TIER_FAST, 10 * S},
  };
  int64_t offset =
      tick_offset_ns(cases[_i].name, cases[_i].tier, cases[_i].interval_ns);
  ck_assert_int_ge(offset, 0);
  ck_assert_int_lt(offset, cases[_i].interval_ns);
  ck_assert_int_eq(offset, tick_offset_ns(cases[_i].name, cases[_i].tier,
                                          cases[_i].interval_ns));
}
END_TEST

/* The offset of one name is part of what people see: it stays over versions. */
START_TEST(the_offset_is_the_same_in_every_version) {
  ck_assert_int_eq(tick_offset_ns("broker-a", TIER_FAST, 10 * S),
                   INT64_C(2126948967));
}
END_TEST

/* Names of one cluster often differ in their last digit alone. */
START_TEST(alike_names_are_spread) {
  enum { PARTS = 10, NODES = 200 };
  int count[PARTS] = {0};
  for (int i = 0; i < NODES; i++) {
    char name[32];
    snprintf(name, sizeof(name), "broker-%d", i);
    count[tick_offset_ns(name, TIER_FAST, PARTS * S) / S]++;
  }
  for (int i = 0; i < PARTS; i++) {
    ck_assert_int_ge(count[i], NODES / PARTS / 3);
    ck_assert_int_le(count[i], NODES / PARTS * 3);
  }
}
END_TEST

START_TEST(advance_stays_on_the_grid) {
  static const struct {
    int64_t now_ns;
    int64_t next_ns;
    uint64_t missed;
  } cases[] = {
      {102 * S, 103 * S, 0},     /* not due */
      {103 * S, 113 * S, 0},     /* on time */
      {103 * S + 1, 113 * S, 0}, /* late */
      {113 * S - 1, 113 * S, 0}, /* nearly an interval late */
      {113 * S, 123 * S, 1},     /* a whole one */
      {158 * S, 163 * S, 5},     /* stopped for a while */
  };
  struct tick tick;
  tick_start(&tick, 100 * S, 3 * S, 10 * S);
  ck_assert_uint_eq(tick_advance(&tick, cases[_i].now_ns), cases[_i].missed);
  ck_assert_int_eq(tick.next_ns, cases[_i].next_ns);
}
END_TEST

START_TEST(a_late_start_leaves_half_an_interval) {
  static const struct {
    int64_t now_ns;
    int64_t next_ns;
  } cases[] = {
      {100 * S, 110 * S},
      {105 * S, 110 * S},
      {105 * S + 1, 120 * S},
      {109 * S, 120 * S},
  };
  struct tick tick;
  tick_start(&tick, 110 * S, 0, 10 * S);
  tick_started_late(&tick, cases[_i].now_ns);
  ck_assert_int_eq(tick.next_ns, cases[_i].next_ns);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("tick");
  TCase *t = tcase_create("tick");
  tcase_add_loop_test(t, offsets_are_stable_and_inside_the_interval, 0, 5);
  tcase_add_test(t, the_offset_is_the_same_in_every_version);
  tcase_add_test(t, alike_names_are_spread);
  tcase_add_loop_test(t, advance_stays_on_the_grid, 0, 6);
  tcase_add_loop_test(t, a_late_start_leaves_half_an_interval, 0, 4);
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
