/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/pace.h"

#include <check.h>

#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

START_TEST(begins_with_the_first) {
  struct pace pace = {0};
  ck_assert_int_eq(pace_ns(&pace, 5 * S), -1);
  pace_add(&pace, 120 * MS, 5 * S);
  ck_assert_int_eq(pace_ns(&pace, 5 * S), 120 * MS);
}
END_TEST

START_TEST(follows_and_arrives) {
  static const int64_t aims[] = {0, 1 * MS, 1000 * MS, 7 * MS, 65535 * MS};
  struct pace pace = {0};
  int64_t now_ns = 100 * S;
  for (size_t i = 0; i < sizeof(aims) / sizeof(aims[0]); i++) {
    for (int n = 0; n < 60; n++)
      pace_add(&pace, aims[i], now_ns += S);
    ck_assert_int_eq(pace_ns(&pace, now_ns), aims[i]);
  }
}
END_TEST

START_TEST(one_weighs_a_quarter) {
  struct pace pace = {0};
  pace_add(&pace, 100 * MS, S);
  pace_add(&pace, 500 * MS, 2 * S);
  ck_assert_int_eq(pace_ns(&pace, 2 * S), 200 * MS);
  pace_add(&pace, 0, 3 * S);
  ck_assert_int_eq(pace_ns(&pace, 3 * S), 150 * MS);
}
END_TEST

START_TEST(grows_old) {
  /* also where the count of steps begins anew, after 12 days */
  static const int64_t starts[] = {0, 16 * S, 65534 * 16 * S, 65535 * 16 * S};
  for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
    struct pace pace = {0};
    pace_add(&pace, 100 * MS, starts[i]);
    ck_assert_int_eq(pace_ns(&pace, starts[i] + PACE_RECENT_NS), 100 * MS);
    ck_assert_int_eq(pace_ns(&pace, starts[i] + PACE_RECENT_NS + 32 * S), -1);
    pace_add(&pace, 4 * MS, starts[i] + PACE_RECENT_NS + 32 * S);
    ck_assert_int_eq(pace_ns(&pace, starts[i] + PACE_RECENT_NS + 32 * S),
                     4 * MS);
  }
}
END_TEST

START_TEST(saturates) {
  static const struct {
    int64_t ns, told;
  } cases[] = {{-1, 0},
               {499999, 0},
               {500000, 1 * MS},
               {INT64_MAX, 65535 * MS},
               {INT64_MIN, 0}};
  struct pace pace = {0};
  pace_add(&pace, cases[_i].ns, S);
  ck_assert_int_eq(pace_ns(&pace, S), cases[_i].told);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("pace");
  TCase *tcase = tcase_create("pace");
  tcase_add_test(tcase, begins_with_the_first);
  tcase_add_test(tcase, follows_and_arrives);
  tcase_add_test(tcase, one_weighs_a_quarter);
  tcase_add_test(tcase, grows_old);
  tcase_add_loop_test(tcase, saturates, 0, 5);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
