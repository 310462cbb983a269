/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/filter.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define UUID "123e4567-e89b-12d3-a456-426614174000"

static const struct {
  const char *name;
  bool is_own;
} owns[] = {
    {"ORDERS", false},
    {UUID, true},
    {"123E4567-E89B-12D3-A456-426614174000", true},
    {UUID "x", false},
    {"x" UUID, false},
    {"123e4567-e89b-12d3-a456-42661417400g", false},
    {"123e4567xe89b-12d3-a456-426614174000", false},
    {"$.artemis.internal.sf.my-cluster." UUID, true},
    {"$.artemis.internal", false},
    {"$sys.mqtt.sessions", true},
    {"$sys", false},
    {"ActiveMQ.Advisory.Connection", true},
    {"ActiveMQ.Advisory", false},
    {"notif." UUID ".ActiveMQServerImpl_name", true},
    {"notif." UUID, true},
    {"notif.mine", false},
    {"jms.tempqueue." UUID, true},
    {"jms.temptopic." UUID, true},
    {"jms.queue." UUID, false},
    {"jms.tempqueue.mine", false},
    {"notif.123e4567-e89b", false},
    {"", false},
};
START_TEST(own) {
  ck_assert_int_eq(filter_is_own(owns[_i].name, strlen(owns[_i].name)),
                   owns[_i].is_own);
}
END_TEST

static struct filter filter;
static void teardown(void) { filter_fini(&filter); }

static const char *const include[] = {"in?*", "plain", "/^re[0-9]+$/"};
static const char *const exclude[] = {"*batch", "in.x", "/[.](tmp|bak)[.]/"};
static const char *const keep[] = {"DLQ", "DLQ.*"};
static const struct filter_texts texts = {.include = include,
                                          .n_include = 3,
                                          .exclude = exclude,
                                          .n_exclude = 3,
                                          .keep = keep,
                                          .n_keep = 2};
static const struct filter_texts none = {0};

static const struct {
  const char *name;
  size_t len; /* 0: strlen */
  bool is_own;
  enum filter_verdict verdict;
  enum filter_rule rule;
  size_t pattern;
} queues[] = {
    {"in.1", 0, false, FILTER_IN, FILTER_BY_INCLUDE, 0},
    /* no FNM_PATHNAME, no FNM_PERIOD */
    {"in/a.b", 0, false, FILTER_IN, FILTER_BY_INCLUDE, 0},
    {"other", 0, false, FILTER_OUT, FILTER_BY_INCLUDE, 0},
    {"plain", 0, false, FILTER_IN, FILTER_BY_INCLUDE, 1},
    {"plain2", 0, false, FILTER_OUT, FILTER_BY_INCLUDE, 0},
    {"pla", 0, false, FILTER_OUT, FILTER_BY_INCLUDE, 0},
    {"re12", 0, false, FILTER_IN, FILTER_BY_INCLUDE, 2},
    {"re12x", 0, false, FILTER_OUT, FILTER_BY_INCLUDE, 0},
    {"in.batch", 0, false, FILTER_OUT, FILTER_BY_EXCLUDE, 0},
    /* excluded by its plain name */
    {"in.x", 0, false, FILTER_OUT, FILTER_BY_EXCLUDE, 1},
    {"in.tmp.1", 0, false, FILTER_OUT, FILTER_BY_EXCLUDE, 2},
    {"in.tmp", 0, false, FILTER_IN, FILTER_BY_INCLUDE, 0},
    {"in.1", 0, true, FILTER_OUT, FILTER_BY_BROKER, 0},
    {"$sys.in", 0, false, FILTER_OUT, FILTER_BY_NAME, 0},
    {"DLQ", 0, false, FILTER_KEEP, FILTER_BY_KEEP, 0},
    {"DLQ", 0, true, FILTER_KEEP, FILTER_BY_KEEP, 0},
    {"DLQ.orders", 0, false, FILTER_KEEP, FILTER_BY_KEEP, 1},
    /* never excluded */
    {"DLQ.batch", 0, false, FILTER_KEEP, FILTER_BY_KEEP, 1},
    /* a NUL matches nothing */
    {"in.1\0DLQ", 8, false, FILTER_OUT, FILTER_BY_INCLUDE, 0},
    {"DLQ\0x", 5, false, FILTER_OUT, FILTER_BY_INCLUDE, 0},
};
START_TEST(verdicts) {
  size_t len = queues[_i].len > 0 ? queues[_i].len : strlen(queues[_i].name);
  ck_assert_int_eq(filter_init(&filter, &texts), STATUS_OK);
  struct filter_judgement got =
      filter_judge(&filter, queues[_i].name, len, queues[_i].is_own);
  ck_assert_int_eq(got.verdict, queues[_i].verdict);
  ck_assert_int_eq(got.rule, queues[_i].rule);
  ck_assert_uint_eq(got.pattern, queues[_i].pattern);
}
END_TEST

START_TEST(no_patterns) {
  ck_assert_int_eq(filter_init(&filter, &none), STATUS_OK);
  ck_assert_int_eq(filter_judge(&filter, "a", 1, false).verdict, FILTER_IN);
  ck_assert_int_eq(filter_judge(&filter, "a", 1, true).verdict, FILTER_OUT);
  ck_assert_int_eq(filter_judge(&filter, UUID, 36, false).verdict, FILTER_OUT);
  filter.takes_own = true;
  ck_assert_int_eq(filter_judge(&filter, UUID, 36, false).verdict, FILTER_IN);
}
END_TEST

/* The name is no C string: what follows it is not looked at. */
START_TEST(name_is_a_slice) {
  static const char *const patterns[] = {"abc*", "/c/"};
  ck_assert_int_eq(
      filter_init(&filter,
                  &(struct filter_texts){.exclude = patterns, .n_exclude = 2}),
      STATUS_OK);
  ck_assert_int_eq(filter_judge(&filter, "abcd", 2, false).verdict, FILTER_IN);
  ck_assert_int_eq(filter_judge(&filter, "abcd", 3, false).verdict, FILTER_OUT);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("filter");
  TCase *tcase = tcase_create("filter");
  tcase_add_checked_fixture(tcase, NULL, teardown);
  tcase_add_loop_test(tcase, own, 0, N(owns));
  tcase_add_loop_test(tcase, verdicts, 0, N(queues));
  tcase_add_test(tcase, no_patterns);
  tcase_add_test(tcase, name_is_a_slice);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
