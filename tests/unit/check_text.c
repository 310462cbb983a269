/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define FFFD "\xef\xbf\xbd"

static const struct {
  const char *text;
  size_t len;
  size_t good; /* bytes of whole characters at the beginning */
  const char *json;
} cases[] = {
    {"", 0, 0, "\"\""},
    {"plain/</", 8, 8, "\"plain/</\""},
    {"a\"b\\c", 5, 5, "\"a\\\"b\\\\c\""},
    {"\b\f\n\r\t", 5, 5, "\"\\b\\f\\n\\r\\t\""},
    {"\0\1\x1f\x7f", 4, 4, "\"\\u0000\\u0001\\u001f\\u007f\""},
    {"\xc2\x80\xdf\xbf", 4, 4, "\"\xc2\x80\xdf\xbf\""},
    {"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf", 12, 12,
     "\"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\""},
    {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8, 8,
     "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""},
    {"a\x80"
     "b",
     3, 1, "\"a" FFFD "b\""},
    {"\xc0\x80", 2, 0, "\"" FFFD FFFD "\""},          /* overlong */
    {"\xc1\xbf", 2, 0, "\"" FFFD FFFD "\""},          /* overlong */
    {"\xe0\x9f\xbf", 3, 0, "\"" FFFD FFFD FFFD "\""}, /* overlong */
    {"\xf0\x8f\xbf\xbf", 4, 0, "\"" FFFD FFFD FFFD FFFD "\""},
    {"\xed\xa0\x80", 3, 0, "\"" FFFD FFFD FFFD "\""},          /* a surrogate */
    {"\xf4\x90\x80\x80", 4, 0, "\"" FFFD FFFD FFFD FFFD "\""}, /* too high */
    {"\xf5\x80\x80\x80", 4, 0, "\"" FFFD FFFD FFFD FFFD "\""},
    {"\xff", 1, 0, "\"" FFFD "\""},
    {"x\xc3", 2, 1, "\"x" FFFD "\""},          /* cut */
    {"x\xe2\x82", 3, 1, "\"x" FFFD FFFD "\""}, /* cut */
    {"\xe2\x28\xa1", 3, 0, "\"" FFFD "(" FFFD "\""},
    {"\xf0\x9f\x28\x80", 4, 0, "\"" FFFD FFFD "(" FFFD "\""},
};

START_TEST(knows_utf8) {
  ck_assert_uint_eq(text_utf8_length(cases[_i].text, cases[_i].len),
                    cases[_i].good);
}
END_TEST

START_TEST(writes_json) {
  struct buf buf;
  buf_init(&buf, 1024);
  ck_assert_int_eq(text_add_json(&buf, cases[_i].text, cases[_i].len),
                   STATUS_OK);
  ck_assert_str_eq(buf_text(&buf), cases[_i].json);
  ck_assert_uint_eq(text_utf8_length(buf_text(&buf), buf.len), buf.len);
  buf_fini(&buf);
}
END_TEST

START_TEST(stops_at_the_maximum) {
  struct buf buf;
  buf_init(&buf, 6);
  ck_assert_int_eq(text_add_json(&buf, "abcd", 4), STATUS_OK);
  buf_clear(&buf);
  ck_assert_int_eq(text_add_json(&buf, "abc\n", 4), STATUS_REQUEST_TOO_LARGE);
  buf_fini(&buf);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("text");
  TCase *tcase = tcase_create("text");
  tcase_add_loop_test(tcase, knows_utf8, 0, sizeof(cases) / sizeof(*cases));
  tcase_add_loop_test(tcase, writes_json, 0, sizeof(cases) / sizeof(*cases));
  tcase_add_test(tcase, stops_at_the_maximum);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
