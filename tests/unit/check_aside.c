/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/aside.h"

#include "base/log.h"

#include <check.h>
#include <stdlib.h>

static struct aside aside;
static unsigned lines;
static void count_line(void *cookie, enum log_level level, const char *line) {
  (void)cookie;
  (void)level;
  (void)line;
  lines++;
}
static void setup(void) {
  aside = (struct aside){.rounds = {0}};
  lines = 0;
  log_set_sink(count_line, NULL);
}
static void teardown(void) { log_set_sink(NULL, NULL); }

/* Left out of the next ten rounds, not of the eleventh. */
START_TEST(ten_rounds) {
  aside_put(&aside, ASIDE_LISTING, "node-a", "too large");
  for (int round = 0; round < ASIDE_ROUNDS; round++) {
    aside_round(&aside);
    ck_assert(aside_has(&aside, ASIDE_LISTING));
    ck_assert(!aside_has(&aside, ASIDE_QUEUES));
    ck_assert_uint_eq(aside_count(&aside), 1);
  }
  aside_round(&aside);
  ck_assert(!aside_has(&aside, ASIDE_LISTING));
  ck_assert_uint_eq(aside_count(&aside), 0);
}
END_TEST

START_TEST(said_once) {
  for (int time = 0; time < 5; time++)
    aside_put(&aside, ASIDE_LISTING, "node-a", "too large");
  ck_assert_uint_eq(lines, 1);
  aside_put(&aside, ASIDE_QUEUES, "node-a", "too large");
  ck_assert_uint_eq(lines, 2);
}
END_TEST

START_TEST(never) {
  aside_put(&aside, ASIDE_NEVER, "node-a", "too large");
  ck_assert(!aside_has(&aside, ASIDE_NEVER));
  ck_assert_uint_eq(lines, 0);
}
END_TEST

START_TEST(which_statuses) {
  ck_assert(aside_is_for(STATUS_REPLY_TOO_LARGE));
  ck_assert(aside_is_for(STATUS_REQUEST_TOO_LARGE));
  ck_assert(aside_is_for(STATUS_HTTP_STATUS));
  ck_assert(!aside_is_for(STATUS_OK));
  ck_assert(!aside_is_for(STATUS_ITEM_ERROR));
  ck_assert(!aside_is_for(STATUS_MALFORMED_REPLY));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("aside");
  TCase *tcase = tcase_create("aside");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, ten_rounds);
  tcase_add_test(tcase, said_once);
  tcase_add_test(tcase, never);
  tcase_add_test(tcase, which_statuses);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
