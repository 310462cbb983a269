/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "base/log.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MINUTE (60 * CLOCK_NS_PER_S)

static struct {
  int calls;
  enum log_level level;
  char line[2048];
} seen;

static void keep(void *cookie, enum log_level level, const char *line) {
  ck_assert_ptr_eq(cookie, &seen);
  seen.calls++;
  seen.level = level;
  memccpy(seen.line, line, 0, sizeof(seen.line));
  errno = EIO;
}

START_TEST(one_line_to_the_sink) {
  log_set_sink(keep, &seen);
  errno = ENOENT;
  log_write(LOG_LEVEL_WARNING, "%s\n%d\x1b", "a", 5);
  ck_assert_int_eq(errno, ENOENT);
  ck_assert_int_eq(seen.calls, 1);
  ck_assert_int_eq(seen.level, LOG_LEVEL_WARNING);
  ck_assert_str_eq(seen.line, "a?5?");
}
END_TEST

START_TEST(no_sink_discards) {
  log_set_sink(NULL, NULL);
  log_write(LOG_LEVEL_ERROR, "x");
  ck_assert_int_eq(seen.calls, 0);
}
END_TEST

START_TEST(long_lines_are_cut) {
  char text[3000];
  memset(text, 'x', sizeof(text));
  memcpy(text + 999, "\xe2\x82\xac", 3);
  text[sizeof(text) - 1] = 0;
  log_set_sink(keep, &seen);
  log_write(LOG_LEVEL_INFO, "%s", text);
  ck_assert_uint_eq(strlen(seen.line), 999);
  memset(text, 'y', 1003);
  log_write(LOG_LEVEL_INFO, "%s", text);
  ck_assert_uint_eq(strlen(seen.line), 1000);
}
END_TEST

START_TEST(repeats_double_up_to_an_hour) {
  static const int64_t minutes[] = {0, 1, 2, 4, 8, 16, 32, 60, 60, 60};
  struct log_repeat repeat = {0};
  int64_t now = 12345;
  for (size_t i = 0; i < sizeof(minutes) / sizeof(minutes[0]); i++) {
    now += minutes[i] * MINUTE;
    if (i > 0) {
      ck_assert(!log_repeat_due(&repeat, now - 2));
      ck_assert(!log_repeat_due(&repeat, now - 1));
    }
    ck_assert(log_repeat_due(&repeat, now));
    ck_assert_uint_eq(repeat.held_back, i > 0 ? 2 : 0);
  }
  ck_assert(!log_repeat_due(&repeat, now + 1));
  ck_assert_uint_eq(repeat.held_back, 1);
}
END_TEST

START_TEST(first_passes_at_any_instant) {
  static const int64_t cases[] = {0, 1, INT64_C(1) << 31, INT64_C(1) << 62};
  struct log_repeat repeat = {0};
  ck_assert(log_repeat_due(&repeat, cases[_i]));
  ck_assert(!log_repeat_due(&repeat, cases[_i]));
}
END_TEST

START_TEST(the_end_is_told_once) {
  struct log_repeat repeat = {0};
  ck_assert(!log_repeat_clear(&repeat));
  ck_assert(log_repeat_due(&repeat, 5));
  ck_assert(!log_repeat_due(&repeat, 6));
  ck_assert(log_repeat_clear(&repeat));
  ck_assert(!log_repeat_clear(&repeat));
  ck_assert(log_repeat_due(&repeat, 7));
  ck_assert_uint_eq(repeat.held_back, 0);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("log");
  TCase *t = tcase_create("log");
  tcase_add_test(t, one_line_to_the_sink);
  tcase_add_test(t, no_sink_discards);
  tcase_add_test(t, long_lines_are_cut);
  tcase_add_test(t, repeats_double_up_to_an_hour);
  tcase_add_loop_test(t, first_passes_at_any_instant, 0, 4);
  tcase_add_test(t, the_end_is_told_once);
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
