/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/duration.h"

#include <check.h>

#define S INT64_C(1000000000)
#define MAX (31 * 86400 * S)

static const struct {
  const char *text;
  int64_t ns; /* 0: refused */
} readings[] = {
    {"30s", 30 * S},
    {"30m", 1800 * S},
    {"2h", 7200 * S},
    {"7d", 7 * 86400 * S},
    {"31d", MAX},
    {"744h", MAX},
    {"1s", S},
    {"32d", 0},
    {"2678401s", 0},
    {"0s", 0},
    {"-1s", 0},
    {"+1s", 0},
    {"30", 0},
    {"s", 0},
    {"", 0},
    {"1.5h", 0},
    {"1e3s", 0},
    {" 1s", 0},
    {"1 s", 0},
    {"1S", 0},
    {"1w", 0},
    {"1ms", 0},
    {"007s", 0},
    {"9223372036854775807d", 0},
    {"99999999999999999999s", 0},
};

START_TEST(reads) {
  int64_t ns = 0;
  bool is_well = duration_read(readings[_i].text, MAX, &ns);
  ck_assert_msg(is_well == (readings[_i].ns != 0), "%s", readings[_i].text);
  ck_assert_int_eq(ns, readings[_i].ns);
}
END_TEST

static const struct {
  int64_t ns;
  const char *text;
} writings[] = {
    {0, "0.0 s"},
    {S / 10 - 1, "0.0 s"},
    {4 * S / 10, "0.4 s"},
    {60 * S - 1, "59.9 s"},
    {60 * S, "1m 0s"},
    {725 * S, "12m 5s"},
    {3600 * S - 1, "59m 59s"},
    {3600 * S, "1h 0m"},
    {86400 * S - 1, "23h 59m"},
    {30 * 86400 * S + 7200 * S, "30d 2h"},
    {INT64_MAX, "106751d 23h"},
};

START_TEST(writes) {
  char text[DURATION_TEXT_SIZE];
  duration_text(text, writings[_i].ns);
  ck_assert_str_eq(text, writings[_i].text);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("duration");
  TCase *tcase = tcase_create("duration");
  tcase_add_loop_test(tcase, reads, 0, sizeof(readings) / sizeof(*readings));
  tcase_add_loop_test(tcase, writes, 0, sizeof(writings) / sizeof(*writings));
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
