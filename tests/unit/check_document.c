/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/document.h"

#include <check.h>
#include <string.h>

static const char *const columns[] = {"a", "b"};
static const struct item_spec object = {FORM_MBEAN, columns, 2};
static const struct item_spec rows = {FORM_ROWS, columns, 2};

static size_t n_rows;
static int64_t sum;

static bool on_row(void *cookie, size_t item, const struct row *row) {
  (void)cookie;
  ck_assert_uint_eq(item, 0);
  n_rows++;
  if (row->columns[0].type == VALUE_INT)
    sum += row->columns[0].integer;
  return false;
}

static const struct {
  const char *text;
  const struct item_spec *spec;
  enum status status;
  size_t n_rows;
  int64_t sum;
} cases[] = {
    {"{\"a\":7,\"b\":\"x\"}", &object, STATUS_OK, 1, 7},
    {" {\"c\":{},\"a\":\"5\"} ", &object, STATUS_OK, 1, 5},
    {"[{\"a\":1},{\"a\":2},{}]", &rows, STATUS_OK, 3, 3},
    {"[]", &rows, STATUS_OK, 0, 0},
    {"", &object, STATUS_MALFORMED_REPLY, 0, 0},
    {"{\"a\":7", &object, STATUS_MALFORMED_REPLY, 1, 7},
    {"[{\"a\":7}]", &object, STATUS_MALFORMED_REPLY, 0, 0},
    {"{\"a\":7}", &rows, STATUS_MALFORMED_REPLY, 0, 0},
    {"7", &object, STATUS_MALFORMED_REPLY, 0, 0},
    {"hello", &object, STATUS_MALFORMED_REPLY, 0, 0},
    {"{\"a\":7},\"value\":{\"a\":8}", &object, STATUS_MALFORMED_REPLY, 1, 7},
};

START_TEST(reads) {
  const struct reply_sink sink = {.row = on_row};
  struct error error;
  n_rows = 0;
  sum = 0;
  enum status status = document_read(cases[_i].text, strlen(cases[_i].text),
                                     cases[_i].spec, &sink, &error);
  ck_assert_msg(status == cases[_i].status, "%s: %s", cases[_i].text,
                status_name(status));
  ck_assert_uint_eq(n_rows, cases[_i].n_rows);
  ck_assert_int_eq(sum, cases[_i].sum);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("document");
  TCase *tcase = tcase_create("document");
  tcase_add_loop_test(tcase, reads, 0, sizeof(cases) / sizeof(*cases));
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
