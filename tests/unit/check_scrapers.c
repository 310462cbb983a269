/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/scrapers.h"

#include <check.h>
#include <string.h>

static struct limits limits;
static struct buf text;

static void set_up(void) {
  limits = (struct limits){0};
  buf_init(&text, 1024);
}

static void tear_down(void) { buf_fini(&text); }

static void scrapes(pid_t pid, bool is_daemon, bool is_elsewhere) {
  limits.scrapers[limits.n_scrapers++] =
      (struct limits_scraper){pid, is_daemon, is_elsewhere};
}

static const char *as_text(void) {
  buf_clear(&text);
  scrapers_text(&text, &limits);
  return buf_text(&text);
}

static const char *as_json(void) {
  buf_clear(&text);
  scrapers_json(&text, &limits);
  return buf_text(&text);
}

START_TEST(none_or_one_is_well) {
  ck_assert_str_eq(as_text(), "");
  ck_assert_str_eq(as_json(), ",\"scrapers\":[]");
  scrapes(7, true, false);
  ck_assert_str_eq(as_text(), "");
  ck_assert_str_eq(as_json(), ",\"scrapers\":[{\"process\":7,\"program\":"
                              "\"collectd\",\"elsewhere\":false}]");
}
END_TEST

START_TEST(two_are_told_with_the_remedy) {
  scrapes(7, true, false);
  scrapes(1, false, true);
  ck_assert_str_eq(
      as_text(),
      "scraped by 2 processes of this host: collectd 7, exec 1 (in another "
      "container); each asks the broker for everything and they share one "
      "ceiling: leave the node in the settings of one alone");
  ck_assert_str_eq(as_json(),
                   ",\"scrapers\":[{\"process\":7,\"program\":\"collectd\","
                   "\"elsewhere\":false},{\"process\":1,\"program\":\"exec\","
                   "\"elsewhere\":true}]");
}
END_TEST

/* The record has no place for more. */
START_TEST(many_may_be_more) {
  for (int i = 0; i < RECORD_SCRAPERS; i++)
    scrapes(10 + i, true, false);
  ck_assert_ptr_nonnull(strstr(as_text(), "scraped by 3 or more processes"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("scrapers");
  TCase *tcase = tcase_create("scrapers");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_test(tcase, none_or_one_is_well);
  tcase_add_test(tcase, two_are_told_with_the_remedy);
  tcase_add_test(tcase, many_may_be_more);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
