/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/members.h"

#include "../support/prng.h"
#include "../support/record.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct value object_of(const char *text) {
  return (struct value){
      .type = VALUE_OTHER, .text = text, .text_len = strlen(text)};
}

/* "key=value" for each member, as record.c writes values; "!" where it broke.
 */
static char *list(const char *text) {
  struct value object = object_of(text);
  struct members members;
  struct record record = {.rows = 0};
  char *room = malloc(object.text_len + 1);
  buf_init(&record.text, 1 << 16);
  members_begin(&members, &object, room);
  while (members_next(&members)) {
    struct row row = {members.key, members.key_len, &members.value, 1};
    record_row(&record, 0, &row);
  }
  if (members.is_broken)
    buf_add_text(&record.text, "broken\n");
  char *ret = strdup(record.text.len ? buf_text(&record.text) : "");
  buf_fini(&record.text);
  free(room);
  return ret;
}

START_TEST(reads_members) {
  static const struct {
    const char *text;
    const char *members;
  } cases[] = {
      {"{}", ""},
      {" {", "broken\n"},
      {"{ }", ""},
      {"[1]", "broken\n"},
      {"{\"a\":1}", "row 0 <a> 1\n"},
      {"{ \"a\" : 1 , \"b\" : -2.5 }", "row 0 <a> 1\nrow 0 <b> r-2.5\n"},
      {"{\"a\":\"x\",\"b\":\"12\"}", "row 0 <a> 'x'\nrow 0 <b> 12\"12\"\n"},
      {"{\"\":null}", "row 0 <> null\n"},
      {"{\"a\":true,\"b\":NaN}", "row 0 <a> true\nrow 0 <b> null\n"},
      {"{\"G1 \\u00dc\\/\":{\"used\":[1,\"}\"]}}",
       "row 0 <G1 \xc3\x9c/> ~{\"used\":[1,\"}\"]}\n"},
      {"{\"a\":\"q\\\"t\",\"\\\\\":\"\\n\"}",
       "row 0 <a> 'q\"t'\nrow 0 <\\> '\n'\n"},
      {"{\"a\":\"ERROR: no (class x)\"}", "row 0 <a> !no (class x)\n"},
      {"{\"a\":{\".error\":true,\"error\":\"n\\\"o\"},\"b\":1}",
       "row 0 <a> !n\"o\nrow 0 <b> 1\n"},
      {"{\"a\":1,}", "row 0 <a> 1\nbroken\n"},
      {"{\"a\":}", "broken\n"},
      {"{\"a\" 1}", "broken\n"},
      {"{\"a\":1 2}", "broken\n"},
      {"{\"a\":{]}", "broken\n"},
      {"{\"a\":\"\\x\"}", "broken\n"},
      {"{\"a\":tru}", "broken\n"},
      {"{\"a\":010}", "row 0 <a> ~010\n"},
  };
  char *got = list(cases[_i].text);
  ck_assert_str_eq(got, cases[_i].members);
  free(got);
}
END_TEST

START_TEST(finds_one) {
  struct value object = object_of(
      "{\"a\\/b\":1,\"x\":\"o\\\\ne\",\"y\":{\"z\":3},\"x\":\"t\\tw\"}");
  char room[100];
  struct value value;
  ck_assert(members_find(&object, "a/b", 3, room, &value));
  ck_assert_int_eq(value.integer, 1);
  ck_assert(members_find(&object, "x", 1, room, &value));
  ck_assert_uint_eq(value.text_len, 3);
  ck_assert_mem_eq(value.text, "t\tw", 3);
  ck_assert(members_find(&object, "y", 1, room, &value));
  struct value inner = value;
  ck_assert(members_find(&inner, "z", 1, room, &value));
  ck_assert_int_eq(value.integer, 3);
  ck_assert(!members_find(&object, "a", 1, room, &value));
  ck_assert_int_eq(value.type, VALUE_ABSENT);
  ck_assert(!members_find(&value, "a", 1, room, &value));
}
END_TEST

/* Whatever bytes: the end is found, nothing outside is touched, and the room
 * suffices (under a sanitizer). */
START_TEST(needs_room) {
  struct value object = object_of("{\"a\\n\":\"\\n\"}");
  struct members members;
  struct value value;
  ck_assert(!members_begin(&members, &object, NULL));
  ck_assert(!members_next(&members));
  ck_assert(!members_find(&object, "a\n", 2, NULL, &value));
  ck_assert_int_eq(value.type, VALUE_ABSENT);
}
END_TEST

START_TEST(any_bytes) {
  static const char bytes[] = "{}[]\",:\\\\u0e1tn \"\"{}\"\":\".error\"";
  struct prng prng = prng_seeded(7);
  for (int round = 0; round < 20000; round++) {
    size_t len = 2 + prng_below(&prng, 40);
    char *text = malloc(len);
    char *room = malloc(len);
    text[0] = '{';
    for (size_t i = 1; i < len; i++)
      text[i] = bytes[prng_below(&prng, sizeof bytes - 1)];
    struct value object = {.type = VALUE_OTHER, .text = text, .text_len = len};
    struct members members;
    size_t n = 0;
    members_begin(&members, &object, room);
    while (members_next(&members))
      n += members.key_len + members.value.text_len + 1;
    ck_assert_uint_le(n, 2 * len);
    free(text);
    free(room);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("members");
  TCase *tcase = tcase_create("members");
  tcase_add_loop_test(tcase, reads_members, 0, 21);
  tcase_add_test(tcase, finds_one);
  tcase_add_test(tcase, needs_room);
  tcase_add_test(tcase, any_bytes);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed != 0;
}
