/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/escape.h"

#include <check.h>
#include <stdlib.h>

/* NULL: refused. */
static const struct {
  const char *escaped;
  const char *plain;
} undone[] = {
    {"", ""},
    {"abc", "abc"},
    {"a longer text, without any", "a longer text, without any"},
    {"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t"},
    {"eight888\\\"eight888\\\\", "eight888\"eight888\\"},
    {"\\u0041\\u00e9\\u20AC", "A\xc3\xa9\xe2\x82\xac"},
    {"\\uD83D\\ude00", "\xf0\x9f\x98\x80"},
    {"\\ud83d", "\xef\xbf\xbd"},
    {"\\ud83dx", "\xef\xbf\xbdx"},
    {"\\ude00\\ud83d", "\xef\xbf\xbd\xef\xbf\xbd"},
    {"\\ud83d\\ud83d\\ude00", "\xef\xbf\xbd\xf0\x9f\x98\x80"},
    {"\\ud83d\\n", "\xef\xbf\xbd\n"},
    {"\\ud83d\\u0041", "\xef\xbf\xbd"
                       "A"},
    {"\\uffff\\uFFFD", "\xef\xbf\xbf\xef\xbf\xbd"},
    {"\\", NULL},
    {"a\\", NULL},
    {"\\q", NULL},
    {"\\U0041", NULL},
    {"\\u", NULL},
    {"\\u004", NULL},
    {"\\u00g1", NULL},
    {"\\u-001", NULL},
    {"\"", NULL},
    {"a\"b", NULL},
};

START_TEST(undoes_escapes) {
  char text[64];
  char other[64];
  size_t len = strlen(undone[_i].escaped);
  size_t n = 99;
  memcpy(text, undone[_i].escaped, len);
  bool is_good = escape_undo(other, text, len, &n);
  ck_assert_int_eq(is_good, undone[_i].plain != NULL);
  if (!is_good)
    return;
  ck_assert_uint_eq(n, strlen(undone[_i].plain));
  ck_assert_mem_eq(other, undone[_i].plain, n);
  ck_assert(escape_undo(text, text, len, &n)); /* over itself */
  ck_assert_uint_eq(n, strlen(undone[_i].plain));
  ck_assert_mem_eq(text, undone[_i].plain, n);
}
END_TEST

START_TEST(finds_the_first) {
  for (size_t len = 0; len < 40; len++) {
    char *text = malloc(len + 1);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < len; i++)
      text[i] = "!#[]\xa2\xdc"[i % 6];
    ck_assert_ptr_eq(escape_span(text, text + len), text + len);
    for (size_t at = len; at-- > 0;) {
      text[at] = at % 2 ? '"' : '\\';
      ck_assert_ptr_eq(escape_span(text, text + len), text + at);
    }
    free(text);
  }
}
END_TEST

static const struct {
  const char *escaped;
  size_t size;
  const char *line;
} lines[] = {
    {"plain", 64, "plain"},
    {"plain", 6, "plain"},
    {"plain", 5, "plai"},
    {"plain", 1, ""},
    {"a\\nb\\tc\\u0007d\\\"e\\/", 64, "a b c d\"e/"},
    {"raw \x01\x7f\n bytes, and more", 64, "raw     bytes, and more"},
    {"\\u00fc\\ud83d\\ude00", 64, "\xc3\xbc\xf0\x9f\x98\x80"},
    {"ab\\u00fc", 4, "ab"},
    {"ab\xc3\xbc", 4, "ab"},
    {"ab\xc3\xbc", 5, "ab\xc3\xbc"},
    {"bad \\q and \xff, and more of it", 64, "bad ?q and ?, and more of it"},
    {"cut in an escape \\u00", 64, "cut in an escape "},
    {"cut in an escape \\", 64, "cut in an escape "},
    {"cut in a character \xe2\x82", 64, "cut in a character "},
};

START_TEST(writes_a_line) {
  char line[64];
  memset(line, 'z', sizeof(line));
  escape_line(line, lines[_i].size, lines[_i].escaped,
              strlen(lines[_i].escaped));
  ck_assert_str_eq(line, lines[_i].line);
}
END_TEST

static Suite *escape_suite(void) {
  Suite *suite = suite_create("escape");
  TCase *tcase = tcase_create("escape");
  tcase_add_loop_test(tcase, undoes_escapes, 0,
                      (int)(sizeof(undone) / sizeof(undone[0])));
  tcase_add_test(tcase, finds_the_first);
  tcase_add_loop_test(tcase, writes_a_line, 0,
                      (int)(sizeof(lines) / sizeof(lines[0])));
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(escape_suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
