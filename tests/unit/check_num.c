/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/num.h"

#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* To the bit but for the sign of 0; without the == that compilers warn of. */
#define ck_assert_same(a, b) ck_assert(!((a) < (b)) && !((a) > (b)))

/* What no function takes: JSON's grammar knows none of it. */
static const char *const never[] = {
    "",      " 1",   "1 ",      "+1",    "010", "00",       "-",    "-01",
    "0x10",  "1.",   ".5",      "1e",    "1e+", "1e1.0",    "nan",  "NaN",
    "inf",   "-inf", "1_000",   "1,000", "1,5", "1\n",      "--1",  "1f",
    "1.e1",  "1-",   "0b1",     "1e 1",  "-.1", "Infinity", "true", "1.2.3",
    "1e2e3", "-e1",  "\xd9\xa1" /* an Arabic one */
};

START_TEST(nothing_but_json) {
  const char *text = never[_i];
  size_t len = strlen(text);
  int64_t i64 = 7;
  uint64_t u64 = 7;
  double real = 7;
  ck_assert(!num_int64(text, len, &i64));
  ck_assert(!num_uint64(text, len, &u64));
  ck_assert(!num_milli(text, len, &u64));
  ck_assert(!num_real(text, len, &real));
  ck_assert_int_eq(i64, 7);
  ck_assert_uint_eq(u64, 7);
  ck_assert_same(real, 7);
}
END_TEST

static const struct {
  const char *text;
  bool is_int64, is_uint64;
  int64_t int64;
  uint64_t uint64;
} integers[] = {
    {"0", true, true, 0, 0},
    {"-0", true, false, 0, 0},
    {"-1", true, false, -1, 0},
    {"42", true, true, 42, 42},
    {"9223372036854775807", true, true, INT64_MAX, INT64_MAX},
    {"9223372036854775808", false, true, 0, (uint64_t)INT64_MAX + 1},
    {"-9223372036854775808", true, false, INT64_MIN, 0},
    {"-9223372036854775809", false, false, 0, 0},
    {"18446744073709551615", false, true, 0, UINT64_MAX},
    {"18446744073709551616", false, false, 0, 0},
    {"99999999999999999999", false, false, 0, 0},
    {"100000000000000000000", false, false, 0, 0},
    {"1.0", false, false, 0, 0},
    {"1e0", false, false, 0, 0},
};

START_TEST(integers_keep_all_64_bits) {
  const char *text = integers[_i].text;
  int64_t i64 = 7;
  uint64_t u64 = 7;
  ck_assert_int_eq(num_int64(text, strlen(text), &i64), integers[_i].is_int64);
  ck_assert_int_eq(i64, integers[_i].is_int64 ? integers[_i].int64 : 7);
  ck_assert_int_eq(num_uint64(text, strlen(text), &u64),
                   integers[_i].is_uint64);
  ck_assert_uint_eq(u64, integers[_i].is_uint64 ? integers[_i].uint64 : 7);
}
END_TEST

START_TEST(the_length_ends_the_text) {
  int64_t i64;
  double real;
  ck_assert(num_int64("123456", 3, &i64));
  ck_assert_int_eq(i64, 123);
  ck_assert(num_real("1.25e9", 4, &real));
  ck_assert_same(real, 1.25);
  ck_assert(!num_int64("1\0002", 3, &i64));
}
END_TEST

static const struct {
  const char *text;
  double value;
} real_cases[] = {
    {"0", 0},
    {"-0", -0.0},
    {"1", 1},
    {"-1.5", -1.5},
    {"0.1", 0.1},
    {"1e3", 1000},
    {"1E-3", 0.001},
    {"2.5e+1", 25},
    {"1.7976931348623157e308", 1.7976931348623157e308},
    {"5e-324", 5e-324},
    {"1e-999", 0},
    {"9007199254740993", 9007199254740992.0},
    {"123456789.123456789", 123456789.123456789},
};

START_TEST(reals) {
  double value = 7;
  ck_assert(num_real(real_cases[_i].text, strlen(real_cases[_i].text), &value));
  ck_assert_same(value, real_cases[_i].value);
  ck_assert_int_eq(signbit(value) != 0, signbit(real_cases[_i].value) != 0);
}
END_TEST

START_TEST(reals_out_of_range) {
  char text[NUM_REAL_MAX + 2];
  double value = 7;
  ck_assert(!num_real("1e309", 5, &value));
  ck_assert(!num_real("-1e999999999999", 15, &value));
  memset(text, '0', sizeof(text));
  memcpy(text, "0.", 2);
  ck_assert(!num_real(text, NUM_REAL_MAX + 1, &value));
  ck_assert_same(value, 7);
  ck_assert(num_real(text, NUM_REAL_MAX, &value));
  ck_assert_same(value, 0);
}
END_TEST

static const struct {
  const char *text;
  bool ok;
  uint64_t milli;
} millis[] = {
    {"0", true, 0},
    {"-0", false, 0},
    {"-1", false, 0},
    {"20", true, 20000},
    {"0.001", true, 1},
    {"0.0001", false, 0},
    {"0.0010", true, 1},
    {"6.666", true, 6666},
    {"6.6666", false, 0},
    {"1e3", true, 1000000},
    {"1.2345e3", true, 1234500},
    {"1500e-3", true, 1500},
    {"1e-3", true, 1},
    {"1e-4", false, 0},
    {"0e99999999999", true, 0},
    {"1e99999999999", false, 0},
    {"1e-99999999999", false, 0},
    {"9007199254740.992", true, UINT64_C(1) << 53},
    {"9007199254740.993", false, 0},
    {"9007199254740993e-3", false, 0},
    {"90071992547409920", false, 0},
    {"100000000000000000000000000000", false, 0},
    {"100000000000000000000000000000e-29", true, 1000},
    {"0.00000000000000000000000000001e29", true, 1000},
};

START_TEST(thousandths_are_exact) {
  uint64_t value = 7;
  const char *text = millis[_i].text;
  ck_assert_int_eq(num_milli(text, strlen(text), &value), millis[_i].ok);
  ck_assert_uint_eq(value, millis[_i].ok ? millis[_i].milli : 7);
}
END_TEST

static const struct {
  double value;
  const char *text;
} formats[] = {
    {0, "0"},
    {-0.0, "-0"},
    {1, "1"},
    {0.1, "0.1"},
    {1.5, "1.5"},
    {-2.25, "-2.25"},
    {1e21, "1e+21"},
    {0.30000000000000004, "0.30000000000000004"},
    {1.0 / 3, "0.3333333333333333"},
    {9007199254740993.0, "9007199254740992"},
    {5e-324, "4.94065645841247e-324"},
    {-1.7976931348623157e308, "-1.7976931348623157e+308"},
    {(double)NAN, "nan"},
    {(double)INFINITY, "nan"},
    {-(double)INFINITY, "nan"},
};

START_TEST(formats_the_shortest_that_reads_back) {
  char text[32];
  size_t len = num_format_real(text, sizeof(text), formats[_i].value);
  ck_assert_str_eq(text, formats[_i].text);
  ck_assert_uint_eq(len, strlen(text));
  if (strcmp(text, "nan") != 0) {
    double back;
    ck_assert(num_real(text, len, &back));
    ck_assert_same(back, formats[_i].value);
  }
}
END_TEST

START_TEST(a_small_buffer_is_not_overrun) {
  char text[4] = {'x', 'x', 'x', 'x'};
  ck_assert_uint_eq(num_format_real(text, 3, 12345), 5);
  ck_assert_int_eq(memcmp(text, "12\0x", 4), 0);
  ck_assert_uint_eq(num_format_real(text, 0, 12345), 5);
}
END_TEST

/* All of it once more under a locale whose decimal point is a comma. */
static bool has_comma(locale_t locale) {
  char text[16];
  locale_t before = uselocale(locale);
  snprintf(text, sizeof(text), "%.1f", 1.5);
  uselocale(before);
  return strcmp(text, "1,5") == 0;
}

static locale_t comma_locale(void) {
  static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8",
                                      "es_ES.UTF-8", "nl_NL.UTF-8",
                                      "pl_PL.UTF-8", "ru_RU.UTF-8"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    locale_t locale = newlocale(LC_ALL_MASK, names[i], (locale_t)0);
    if (locale && has_comma(locale))
      return locale;
    if (locale)
      freelocale(locale);
  }
  return (locale_t)0;
}

static locale_t comma;

static void use_comma(void) { uselocale(comma); }

static void use_own(void) { uselocale(LC_GLOBAL_LOCALE); }

#define N(table) (int)(sizeof(table) / sizeof((table)[0]))

static void add_tests(TCase *t) {
  tcase_add_loop_test(t, nothing_but_json, 0, N(never));
  tcase_add_loop_test(t, integers_keep_all_64_bits, 0, N(integers));
  tcase_add_test(t, the_length_ends_the_text);
  tcase_add_loop_test(t, reals, 0, N(real_cases));
  tcase_add_test(t, reals_out_of_range);
  tcase_add_loop_test(t, thousandths_are_exact, 0, N(millis));
  tcase_add_loop_test(t, formats_the_shortest_that_reads_back, 0, N(formats));
  tcase_add_test(t, a_small_buffer_is_not_overrun);
}

static Suite *suite(void) {
  Suite *s = suite_create("num");
  TCase *plain = tcase_create("num");
  add_tests(plain);
  suite_add_tcase(s, plain);
  comma = comma_locale();
  if (comma) {
    TCase *t = tcase_create("num, decimal comma");
    tcase_add_checked_fixture(t, use_comma, use_own);
    add_tests(t);
    suite_add_tcase(s, t);
  } else
    printf("no locale with a decimal comma here: not tested under one\n");
  return s;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  if (comma)
    freelocale(comma);
  return failed != 0;
}
