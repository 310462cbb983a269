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
    "\n"
    "lonely\n"
    "total_requests          value:DERIVE:0:U";

static const struct {
  const char *type;
  bool is_derive;
  const char *found;
} cases[] = {
    {"gauge", false, "gauge"}, {"gauge", true, NULL},
    {"bool", false, "bool"},   {"derive", true, "derive"},
    {"derive", false, NULL},   {"total_requests", true, "total_requests"},
    {"absolute", false, NULL}, {"if_octets", true, NULL},
    {"lonely", false, NULL},   {"#comment", false, NULL},
    {"", false, NULL},         {"indented", false, NULL},
    {LONG, false, LONG},       {LONG "x", false, NULL},
    {LONG "y", false, NULL},   {"wide", false, "wide"},
    {"wider", false, NULL},

    {"gaug", false, NULL},     {"gauges", false, NULL},
};

START_TEST(finds_types_of_one_source) {
  struct types *types = NULL;
  ck_assert_int_eq(types_parse(types_db, &types), STATUS_OK);
  const char *found = types_find(types, cases[_i].type, cases[_i].is_derive);
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
  ck_assert_str_eq(types_find(types, "bool", false), "gauge");
  ck_assert_str_eq(types_find(NULL, "bool", false), "gauge");
  ck_assert_str_eq(types_find(NULL, "total_requests", true), "total_requests");
  types_free(types);
}
END_TEST

START_TEST(reads_no_types) {
  struct types *types = NULL;
  struct error error;
  ck_assert_int_eq(types_parse("", &types), STATUS_OK);
  ck_assert_ptr_null(types_find(types, "gauge", false));
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
  tcase_add_loop_test(tcase, finds_types_of_one_source, 0,
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
