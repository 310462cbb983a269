/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/types.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* 63 bytes, the longest name; and what makes 20 bytes a line of 255. */
#define TEN "0123456789"
#define LONG TEN TEN TEN TEN TEN TEN "abc"
#define BLANKS10 "          "
#define BLANKS50 BLANKS10 BLANKS10 BLANKS10 BLANKS10 BLANKS10
#define BLANKS                                                                 \
  BLANKS50 BLANKS50 BLANKS50 BLANKS50 BLANKS10 BLANKS10 BLANKS10 "     "

static const char types_db[] =
    "#comment value:GAUGE:0:U\n"
    " indented value:GAUGE:0:U\n" LONG "x value:GAUGE:0:U\n" LONG
    " value:GAUGE:0:U\n"
    "wide value:GAUGE:0:U" BLANKS "\n"
    "wider value:GAUGE:0:U" BLANKS "\n"
    "absolute                value:ABSOLUTE:0:U\n"
    "gauge\t\t\tvalue:GAUGE:U:U\r\n"
    "bool                    value:GAUGE:0:1\n"
    "derive                  value:DERIVE:0:U\n"
    "if_octets               rx:DERIVE:0:U, tx:DERIVE:0:U\n"
    "mixed                   a:GAUGE:0:U, b:DERIVE:0:U\n"
    "\n"
    "lonely\n"
    "total_requests          value:DERIVE:0:U";

static const struct {
  const char *type;
  bool is_derive;
  const char *found;
  size_t n;
} cases[] = {
    {"gauge", false, "gauge", 1}, {"gauge", true, NULL, 1},
    {"bool", false, "bool", 1},   {"derive", true, "derive", 1},
    {"derive", false, NULL, 1},   {"total_requests", true, "total_requests", 1},
    {"absolute", false, NULL, 1}, {"if_octets", true, NULL, 1},
    {"lonely", false, NULL, 1},   {"#comment", false, NULL, 1},
    {"", false, NULL, 1},         {"indented", false, NULL, 1},
    {LONG, false, LONG, 1},       {LONG "x", false, NULL, 1},
    {LONG "y", false, NULL, 1},   {"wide", false, "wide", 1},
    {"wider", false, NULL, 1},    {"gaug", false, NULL, 1},
    {"gauges", false, NULL, 1},   {"if_octets", true, "if_octets", 2},
    {"if_octets", true, NULL, 3}, {"if_octets", false, NULL, 2},
    {"mixed", false, NULL, 2},    {"gauge", false, NULL, 2},
};

START_TEST(finds_types_of_one_kind) {
  struct types *types = NULL;
  ck_assert_int_eq(types_parse(types_db, &types), STATUS_OK);
  const char *found =
      types_find(types, cases[_i].type, cases[_i].is_derive, cases[_i].n);
  if (cases[_i].found)
    ck_assert_str_eq(found, cases[_i].found);
  else
    ck_assert_ptr_null(found);
  types_free(types);
}
END_TEST

START_TEST(takes_gauge_where_bool_is_not_known) {
  struct types *types = NULL;
  ck_assert_int_eq(types_parse("gauge value:GAUGE:U:U\n", &types), STATUS_OK);
  ck_assert_str_eq(types_find(types, "bool", false, 1), "gauge");
  ck_assert_str_eq(types_find(NULL, "bool", false, 1), "gauge");
  ck_assert_str_eq(types_find(NULL, "total_requests", true, 1),
                   "total_requests");
  types_free(types);
}
END_TEST

START_TEST(reads_no_types) {
  struct types *types = NULL;
  struct error error;
  ck_assert_int_eq(types_parse("", &types), STATUS_OK);
  ck_assert_ptr_null(types_find(types, "gauge", false, 1));
  types_free(types);
  ck_assert_int_eq(types_read("/nonexistent/types.db", &types, &error),
                   STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "/nonexistent/types.db"));
  ck_assert_ptr_nonnull(strstr(error.text, "--types-db"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("types");
  TCase *tcase = tcase_create("types");
  tcase_add_loop_test(tcase, finds_types_of_one_kind, 0,
                      sizeof(cases) / sizeof(*cases));
  tcase_add_test(tcase, takes_gauge_where_bool_is_not_known);
  tcase_add_test(tcase, reads_no_types);

  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
