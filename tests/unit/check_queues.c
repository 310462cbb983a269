/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/queues.h"

#include "base/log.h"

#include <check.h>
#include <stdlib.h>

static struct queues queues;
static unsigned lines;

static void count_line(void *cookie, enum log_level level, const char *line) {
  (void)cookie;
  (void)level;
  (void)line;
  lines++;
}
static void setup(void) {
  queues = (struct queues){.source = SCRAPE_AUTO};
  lines = 0;
  log_set_sink(count_line, NULL);
}
static void teardown(void) { log_set_sink(NULL, NULL); }

static enum queues_way listed(enum status status, uint64_t rows) {
  return queues_listed(&queues, status, rows, "node-a", "why");
}

START_TEST(lists) {
  for (int tick = 0; tick < 20; tick++) {
    ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
    ck_assert_int_eq(listed(STATUS_OK, 5), QUEUES_NONE);
  }
  ck_assert_uint_eq(lines, 0);
}
END_TEST

/* Once more, then by pattern; said once. */
START_TEST(fails_twice) {
  for (int tick = 0; tick < 3; tick++) {
    ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
    ck_assert_int_eq(listed(STATUS_ITEM_ERROR, 0), QUEUES_LIST);
    ck_assert_int_eq(listed(STATUS_ITEM_ERROR, 0), QUEUES_READ);
    ck_assert_uint_eq(lines, 1);
  }
}
END_TEST

START_TEST(fails_once) {
  for (int tick = 0; tick < 20; tick++) {
    ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
    ck_assert_int_eq(listed(STATUS_ITEM_ERROR, 0), QUEUES_LIST);
    ck_assert_int_eq(listed(STATUS_OK, 5), QUEUES_NONE);
  }
  ck_assert_uint_eq(lines, 0);
}
END_TEST

static void bad_tick(void) {
  ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
  ck_assert_int_eq(listed(STATUS_ITEM_ERROR, 0), QUEUES_LIST);
  ck_assert_int_eq(listed(STATUS_ITEM_ERROR, 0), QUEUES_READ);
}

START_TEST(every_tenth) {
  for (int tick = 0; tick < QUEUES_BAD_TICKS; tick++)
    bad_tick();
  for (int turn = 0; turn < 3; turn++) {
    for (int tick = 0; tick < QUEUES_LIST_EVERY - 1; tick++)
      ck_assert_int_eq(queues_tick(&queues, false), QUEUES_READ);
    bad_tick();
  }
  for (int tick = 0; tick < QUEUES_LIST_EVERY - 1; tick++)
    ck_assert_int_eq(queues_tick(&queues, false), QUEUES_READ);
  ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
  ck_assert_int_eq(listed(STATUS_OK, 1), QUEUES_NONE);
  ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST); /* well again */
}
END_TEST

/* Two bad ticks with a good one between are not three. */
START_TEST(good_tick_between) {
  for (int turn = 0; turn < 5; turn++) {
    bad_tick();
    bad_tick();
    ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
    ck_assert_int_eq(listed(STATUS_OK, 0), QUEUES_NONE);
  }
}
END_TEST

START_TEST(denied) {
  ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
  ck_assert_int_eq(listed(STATUS_ITEM_DENIED, 0), QUEUES_READ);
  for (int tick = 0; tick < 40; tick++)
    ck_assert_int_eq(queues_tick(&queues, false), QUEUES_READ);
  queues_identity_read(&queues);
  ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
  ck_assert_int_eq(listed(STATUS_ITEM_DENIED, 0), QUEUES_READ);
  ck_assert_uint_eq(lines, 1);
}
END_TEST

/* Rows have left: a second answer would repeat their time stamp. */
START_TEST(rows_have_left) {
  ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
  ck_assert_int_eq(listed(STATUS_MALFORMED_REPLY, 1), QUEUES_NONE);
}
END_TEST

/* What was too large is not asked for again unchanged. */
START_TEST(too_large) {
  ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
  ck_assert_int_eq(listed(STATUS_REPLY_TOO_LARGE, 0), QUEUES_READ);
  ck_assert_int_eq(queues_tick(&queues, true), QUEUES_READ);
  queues.source = SCRAPE_LIST;
  ck_assert_int_eq(queues_tick(&queues, true), QUEUES_NONE);
}
END_TEST

START_TEST(source_read) {
  queues.source = SCRAPE_READ;
  ck_assert_int_eq(queues_tick(&queues, false), QUEUES_READ);
}
END_TEST

/* "list" means it: it is tried each tick, and never replaced. */
START_TEST(source_list) {
  queues.source = SCRAPE_LIST;
  for (int tick = 0; tick < 20; tick++) {
    ck_assert_int_eq(queues_tick(&queues, false), QUEUES_LIST);
    if (tick % 2 == 0) {
      ck_assert_int_eq(listed(STATUS_ITEM_ERROR, 0), QUEUES_LIST);
      ck_assert_int_eq(listed(STATUS_ITEM_ERROR, 0), QUEUES_NONE);
    } else {
      ck_assert_int_eq(listed(STATUS_ITEM_DENIED, 0), QUEUES_NONE);
    }
  }
  ck_assert_uint_eq(lines, 2);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("queues");
  TCase *tcase = tcase_create("queues");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, lists);
  tcase_add_test(tcase, fails_twice);
  tcase_add_test(tcase, fails_once);
  tcase_add_test(tcase, every_tenth);
  tcase_add_test(tcase, good_tick_between);
  tcase_add_test(tcase, denied);
  tcase_add_test(tcase, rows_have_left);
  tcase_add_test(tcase, too_large);
  tcase_add_test(tcase, source_read);
  tcase_add_test(tcase, source_list);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
