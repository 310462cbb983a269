/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/certificate.h"

#include <check.h>

START_TEST(instants_are_read) {
  static const struct {
    const char *text;
    int64_t seconds; /* by date -u +%s */
  } cases[] = {
      {"Jan  1 00:00:00 1970 GMT", 0},
      {"Nov 30 13:49:03 2026 GMT", 1796046543},
      {"Feb 29 12:00:00 2024 GMT", 1709208000},
      {"Mar  1 00:00:00 2100 GMT", 4107542400},
      {"Dec 31 23:59:59 9999 GMT", 253402300799},
      {"Jul  9 08:09:00 2031 GMT", 1941350940},
  };
  int64_t seconds = -1;
  ck_assert(certificate_time(cases[_i].text, &seconds));
  ck_assert_int_eq(seconds, cases[_i].seconds);
}
END_TEST

START_TEST(what_is_no_instant_is_refused) {
  static const char *const cases[] = {
      "",
      "Nov 30 13:49:03 2026",
      "Nov 30 13:49:03 2026 UTC",
      "Nov 30 13:49:03 2026 GMT ",
      "Nov 00 13:49:03 2026 GMT",
      "Nov 32 13:49:03 2026 GMT",
      "Nov 30 24:49:03 2026 GMT",
      "Nov 30 13:60:03 2026 GMT",
      "Nov 30 13-49-03 2026 GMT",
      "nov 30 13:49:03 2026 GMT",
      "Mai 30 13:49:03 2026 GMT",
      "Nov -1 13:49:03 2026 GMT",
      "Nov 30 13:49:03 1969 GMT",
  };
  int64_t seconds = -1;
  ck_assert(!certificate_time(cases[_i], &seconds));
  ck_assert_int_eq(seconds, -1);
}
END_TEST

START_TEST(what_is_left_never_overflows) {
  static const struct {
    int64_t end_s, wall_ns, left_ns;
  } cases[] = {
      {100, 40000000000, 60000000000},
      {40, 100000000000, -60000000000},
      {253402300799, 1796046543000000000, 7427325493000000000},
      {9223372037, 0, 9223372036000000000},
      {0, INT64_MAX, -INT64_MAX},
  };
  ck_assert_int_eq(certificate_left_ns(cases[_i].end_s, cases[_i].wall_ns),
                   cases[_i].left_ns);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("certificate");
  TCase *tcase = tcase_create("time");
  tcase_add_loop_test(tcase, instants_are_read, 0, 6);
  tcase_add_loop_test(tcase, what_is_no_instant_is_refused, 0, 13);
  tcase_add_loop_test(tcase, what_is_left_never_overflows, 0, 5);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
