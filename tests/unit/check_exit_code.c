/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/exit_code.h"

#include <check.h>
#include <stdlib.h>

static const struct {
  enum status kind;
  enum exit_code code;
} cases[] = {
    {STATUS_OK, EXIT_CODE_DONE},
    {STATUS_PERMIT_TIMEOUT, EXIT_CODE_NO_PERMIT},
    {STATUS_PERMIT_QUEUE_FULL, EXIT_CODE_NO_PERMIT},
    {STATUS_HELD, EXIT_CODE_NO_PERMIT},
    {STATUS_CONNECT, EXIT_CODE_CONNECTION},
    {STATUS_TLS, EXIT_CODE_CONNECTION},
    {STATUS_TIMEOUT, EXIT_CODE_CONNECTION},
    {STATUS_RESET, EXIT_CODE_CONNECTION},
    {STATUS_CANCELLED, EXIT_CODE_INTERRUPTED},
    {STATUS_CLOSING, EXIT_CODE_INTERRUPTED},
    {STATUS_AUTH, EXIT_CODE_REFUSED},
    {STATUS_DENIED, EXIT_CODE_REFUSED},
    {STATUS_THROTTLED, EXIT_CODE_REFUSED},
    {STATUS_ITEM_DENIED, EXIT_CODE_REFUSED},
    {STATUS_NOT_JOLOKIA, EXIT_CODE_SOME},
    {STATUS_HTTP_STATUS, EXIT_CODE_SOME},
    {STATUS_MALFORMED_REPLY, EXIT_CODE_SOME},
    {STATUS_NOT_FOUND, EXIT_CODE_SOME},
    {STATUS_INVALID, EXIT_CODE_USAGE},
    {STATUS_COUNT, EXIT_CODE_SOME},
};

START_TEST(gives_each_kind_its_code) {
  ck_assert_int_eq(exit_code_of(cases[_i].kind), cases[_i].code);
}
END_TEST

START_TEST(gives_no_failure_the_code_of_success) {
  for (unsigned kind = STATUS_OK + 1; kind < STATUS_COUNT; kind++)
    ck_assert_msg(exit_code_of((enum status)kind) != EXIT_CODE_DONE, "%s",
                  status_name((enum status)kind));
}
END_TEST

static const struct {
  enum exit_code codes[3];
  size_t n;
  enum exit_code all;
} sums[] = {
    {{0}, 0, EXIT_CODE_DONE},       {{0, 0, 0}, 3, EXIT_CODE_DONE},
    {{5}, 1, EXIT_CODE_CONNECTION}, {{5, 5, 5}, 3, EXIT_CODE_CONNECTION},
    {{0, 5}, 2, EXIT_CODE_SOME},    {{5, 0}, 2, EXIT_CODE_SOME},
    {{5, 6}, 2, EXIT_CODE_SOME},    {{6, 5, 6}, 3, EXIT_CODE_SOME},
    {{1, 0}, 2, EXIT_CODE_SOME},
};

START_TEST(sums_up) {
  struct exit_codes codes = {0};
  for (size_t i = 0; i < sums[_i].n; i++)
    exit_codes_add(&codes, sums[_i].codes[i]);
  ck_assert_int_eq(exit_codes_all(&codes), sums[_i].all);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("exit_code");
  TCase *tcase = tcase_create("exit_code");
  tcase_add_loop_test(tcase, gives_each_kind_its_code, 0,
                      sizeof(cases) / sizeof(*cases));
  tcase_add_test(tcase, gives_no_failure_the_code_of_success);
  tcase_add_loop_test(tcase, sums_up, 0, sizeof(sums) / sizeof(*sums));

  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
