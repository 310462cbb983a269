/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/pattern.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *pattern;
  enum pattern_form form;
  const char *text;
  bool matches;
} cases[] = {
    {"ORDERS", PATTERN_PLAIN, "ORDERS", true},
    {"ORDERS", PATTERN_PLAIN, "ORDERS2", false},
    {"a.b", PATTERN_PLAIN, "a.b", true},
    {"a.b", PATTERN_PLAIN, "axb", false},
    {"orders.*", PATTERN_SHELL, "orders.a/b.c", true},
    {"*", PATTERN_SHELL, ".hidden", true},
    {"orders.*", PATTERN_SHELL, "my.orders.x", false},
    {"a?[bc]", PATTERN_SHELL, "axc", true},
    {"a\\*", PATTERN_SHELL, "a*", true},
    {"a\\*", PATTERN_SHELL, "ab", false},
    {"/", PATTERN_PLAIN, "/", true},
    {"//", PATTERN_PLAIN, "//", true},
    {"/a", PATTERN_PLAIN, "/a", true},
    {"[/]a/", PATTERN_SHELL, "/a/", true}, /* a name between slashes */
    {"/a/", PATTERN_REGEX, "/a/", true},
    {"/a/", PATTERN_REGEX, "bab", true}, /* found anywhere */
    {"/^a$/", PATTERN_REGEX, "ab", false},
    {"/^(eu|us)[.][0-9]{2,3}$/", PATTERN_REGEX, "eu.123", true},
    {"/^(eu|us)[.][0-9]{2,3}$/", PATTERN_REGEX, "eu.1", false},
    {"/a/b/", PATTERN_REGEX, "xa/by", true},
    {"/\\.x/", PATTERN_REGEX, "a.x", true},
    {"/\\.x/", PATTERN_REGEX, "abx", false},
};

START_TEST(patterns) {
  struct pattern pattern;
  ck_assert_ptr_null(pattern_error(cases[_i].pattern));
  ck_assert_int_eq(pattern_init(&pattern, cases[_i].pattern), STATUS_OK);
  ck_assert_int_eq(pattern.form, cases[_i].form);
  ck_assert_int_eq(
      pattern_matches(&pattern, cases[_i].text, strlen(cases[_i].text)),
      cases[_i].matches);
  pattern_fini(&pattern);
}
END_TEST

static const struct {
  const char *pattern;
  const char *error; /* a part of it */
} refused[] = {
    {"/(/", "no extended regular expression"},
    {"/[a/", "no extended regular expression"},
    {"/a{2,1}/", "no extended regular expression"},
    {"/(a)\\1/", "back-reference"},
    {"/((a{1,100}){1,100}){100}/", "counts further than 1000"},
    {"/a{1001}/", "counts further than 1000"},
    {"/a{4294967296}/", "counts further than 1000"},
    {"/(a{2000}){2}/", "counts further than 1000"},
};

START_TEST(refuses) {
  struct pattern pattern;
  const char *error = pattern_error(refused[_i].pattern);
  ck_assert_ptr_nonnull(error);
  ck_assert_msg(strstr(error, refused[_i].error) != NULL, "%s", error);
  ck_assert_int_eq(pattern_init(&pattern, refused[_i].pattern), STATUS_INVALID);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("pattern");
  TCase *tcase = tcase_create("pattern");
  tcase_add_loop_test(tcase, patterns, 0, N(cases));
  tcase_add_loop_test(tcase, refuses, 0, N(refused));
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
