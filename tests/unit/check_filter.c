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
    {"notif." UUID ".ActiveMQServerImpl_name", true},
    {"notif." UUID, true},
    {"notif.mine", false},
    {"notif.123e4567-e89b", false},
    {"", false},
};
START_TEST(own) {
  ck_assert_int_eq(filter_is_own(owns[_i].name, strlen(owns[_i].name)),
                   owns[_i].is_own);
}
END_TEST

static struct filter filter;
static void setup(void) { filter_init(&filter); }
static void teardown(void) { filter_fini(&filter); }

static void add(struct filter_list *list, const char *a, const char *b) {
  const char *const texts[] = {a, b};
  ck_assert_int_eq(filter_add(list, texts, b == NULL ? 1 : 2), STATUS_OK);
}

static const struct {
  const char *name;
  size_t len; /* 0: strlen */
  bool is_own;
  enum filter_verdict verdict;
} queues[] = {
    {"in.1", 0, false, FILTER_IN},
    {"in/a.b", 0, false, FILTER_IN}, /* no FNM_PATHNAME, no FNM_PERIOD */
    {"other", 0, false, FILTER_OUT},
    {"plain", 0, false, FILTER_IN},
    {"plain2", 0, false, FILTER_OUT},
    {"pla", 0, false, FILTER_OUT},
    {"in.batch", 0, false, FILTER_OUT},
    {"in.x", 0, false, FILTER_OUT}, /* excluded by its plain name */
    {"in.1", 0, true, FILTER_OUT},
    {"DLQ", 0, false, FILTER_KEEP},
    {"DLQ", 0, true, FILTER_KEEP},
    {"DLQ.orders", 0, false, FILTER_KEEP},
    {"DLQ.batch", 0, false, FILTER_KEEP}, /* never excluded */
    {UUID, 0, false, FILTER_OUT},
    {"in.1\0DLQ", 8, false, FILTER_OUT}, /* a NUL matches nothing */
    {"DLQ\0x", 5, false, FILTER_OUT},
};
START_TEST(verdicts) {
  size_t len = queues[_i].len > 0 ? queues[_i].len : strlen(queues[_i].name);
  add(&filter.include, "in?*", "plain");
  add(&filter.exclude, "*batch", "in.x");
  add(&filter.keep, "DLQ", "DLQ.*");
  ck_assert_int_eq(
      filter_queue(&filter, queues[_i].name, len, queues[_i].is_own),
      queues[_i].verdict);
}
END_TEST

START_TEST(no_patterns) {
  ck_assert_int_eq(filter_queue(&filter, "a", 1, false), FILTER_IN);
  ck_assert_int_eq(filter_queue(&filter, "a", 1, true), FILTER_OUT);
}
END_TEST

/* The name is no C string: what follows it is not looked at. */
START_TEST(name_is_a_slice) {
  add(&filter.exclude, "abc*", NULL);
  ck_assert_int_eq(filter_queue(&filter, "abcd", 2, false), FILTER_IN);
  ck_assert_int_eq(filter_queue(&filter, "abcd", 3, false), FILTER_OUT);
}
END_TEST

START_TEST(addresses) {
  add(&filter.include, "in*", NULL);
  add(&filter.exclude, "x*", NULL);
  add(&filter.keep, UUID, NULL);
  ck_assert_int_eq(filter_address(&filter, "x1", 2), FILTER_IN);
  ck_assert_int_eq(filter_address(&filter, "$sys.x", 6), FILTER_OUT);
  ck_assert_int_eq(filter_address(&filter, UUID, 36), FILTER_KEEP);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("filter");
  TCase *tcase = tcase_create("filter");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_loop_test(tcase, own, 0, N(owns));
  tcase_add_loop_test(tcase, verdicts, 0, N(queues));
  tcase_add_test(tcase, no_patterns);
  tcase_add_test(tcase, name_is_a_slice);
  tcase_add_test(tcase, addresses);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
