/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/scrapers.h"

#include <check.h>

#define OWN 5

static struct limits limits;
static struct scrapers scrapers;
static struct buf text;

static void set_up(void) {
  limits = (struct limits){0};
  scrapers = (struct scrapers){0};
  buf_init(&text, 1024);
}

static void tear_down(void) { buf_fini(&text); }

static void waits(pid_t pid, enum owner owner) {
  limits.waiters[limits.n_waiters++] =
      (struct limits_waiter){.pid = pid, .owner = owner};
}

static const char *as_text(void) {
  buf_clear(&text);
  scrapers_text(&text, &scrapers);
  return buf_text(&text);
}

static const char *as_json(void) {
  buf_clear(&text);
  scrapers_json(&text, &scrapers);
  return buf_text(&text);
}

START_TEST(counts_each_scraper_once) {
  waits(7, OWNER_SCRAPE);
  waits(8, OWNER_COMMAND);
  waits(OWN, OWNER_SCRAPE);
  scrapers_see(&scrapers, &limits, OWN);
  ck_assert_str_eq(as_text(), "");
  ck_assert_str_eq(as_json(), ",\"scrapers\":[7]");
  limits.n_waiters = 0;
  waits(9, OWNER_SCRAPE);
  waits(7, OWNER_SCRAPE);
  scrapers_see(&scrapers, &limits, OWN);
  ck_assert_str_eq(as_json(), ",\"scrapers\":[7,9]");
  ck_assert_str_eq(as_text(),
                   "  scraped by 2 processes of this host: 7, 9; they share "
                   "its ceiling, let one alone scrape it\n");
}
END_TEST

START_TEST(sees_none) {
  scrapers_see(&scrapers, &limits, OWN);
  ck_assert_str_eq(as_text(), "");
  ck_assert_str_eq(as_json(), ",\"scrapers\":[]");
}
END_TEST

START_TEST(is_bounded) {
  for (int look = 0; look < 3; look++) {
    limits.n_waiters = 0;
    for (int i = 0; i < RECORD_HEADS; i++)
      waits(100 + look * RECORD_HEADS + i, OWNER_SCRAPE);
    scrapers_see(&scrapers, &limits, OWN);
  }
  ck_assert_uint_eq(scrapers.n, SCRAPERS_MAX);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("scrapers");
  TCase *tcase = tcase_create("scrapers");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_test(tcase, counts_each_scraper_once);
  tcase_add_test(tcase, sees_none);
  tcase_add_test(tcase, is_bounded);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
