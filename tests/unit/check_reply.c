/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "../support/record.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OBJECT 4096
#define MAX_CASES 400
#define MAX_ITEMS 3

/* A case of tests/fixtures/replies.txt. */
struct reply_case {
  const char *name;
  struct item_spec specs[MAX_ITEMS];
  size_t n_specs;
  const char *reply;
  size_t reply_len;
  const char *expected; /* the beginning of what is told */
};

static struct reply_case cases[MAX_CASES];
static int n_cases;

static const char *const ab[] = {"a", "b"};
static const char *const queue[] = {"name", "messageCount", "durable"};
static const struct item_spec value_spec = {FORM_VALUE, NULL, 0};
static const struct item_spec mbean_spec = {FORM_MBEAN, ab, 2};
static const struct item_spec pattern_spec = {FORM_PATTERN, ab, 2};
static const struct item_spec names_spec = {FORM_NAMES, NULL, 0};
static const struct item_spec listing_spec = {FORM_LISTING, queue, 3};
static const struct item_spec rows_spec = {FORM_ROWS, ab, 2};

static void parse_specs(struct reply_case *c, char *line) {
  char *rest = line;
  for (char *word = strtok_r(line, " ", &rest); word;
       word = strtok_r(NULL, " ", &rest)) {
    struct item_spec *spec = &c->specs[c->n_specs++];
    if (strcmp(word, "VALUE") == 0)
      *spec = value_spec;
    else if (strcmp(word, "MBEAN") == 0)
      *spec = mbean_spec;
    else if (strcmp(word, "PATTERN") == 0)
      *spec = pattern_spec;
    else if (strcmp(word, "ROWS") == 0)
      *spec = rows_spec;
    else if (strcmp(word, "NAMES") == 0)
      *spec = names_spec;
    else
      *spec = listing_spec;
  }
}

/* Cuts "name\nforms\nreply\n--\nexpected" where the parts end. */
static void parse_case(struct reply_case *c, char *text) {
  char *forms = strchr(text, '\n') + 1;
  char *reply = strchr(forms, '\n') + 1;
  char *end = strstr(reply, "\n--\n");
  c->name = text;
  forms[-1] = 0;
  reply[-1] = 0;
  *end = 0;
  c->reply = reply;
  c->reply_len = (size_t)(end - reply);
  c->expected = end + 4;
  parse_specs(c, forms);
}

static void load_cases(void) {
  static char text[1 << 17];
  char path[4096];
  const char *top = getenv("top_srcdir");
  snprintf(path, sizeof(path), "%s/tests/fixtures/replies.txt",
           top ? top : ".");
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  text[fread(text, 1, sizeof(text) - 1, file)] = 0;
  fclose(file);
  for (char *at = strstr(text, "\n== "); at && n_cases < MAX_CASES;) {
    char *next = strstr(at + 4, "\n\n== ");
    if (next)
      *next++ = 0;
    else
      at[strlen(at) - 1] = 0; /* the last line's end */
    parse_case(&cases[n_cases++], at + 4);
    at = next;
  }
}

static void expect(const struct item_spec *specs, size_t n, const char *bytes,
                   size_t len, struct cut cut, const char *expected) {
  struct record record;
  record_reply(&record, specs, n, MAX_OBJECT, bytes, len, cut);
  const char *text = buf_text(&record.text);
  if (strncmp(text, expected, strlen(expected)) != 0)
    ck_abort_msg("cut at %zu, then %zu, stop %llu\ngot:      %s\nexpected: %s",
                 cut.first, cut.rest, (unsigned long long)cut.stop_each, text,
                 expected);
  buf_fini(&record.text);
}

/* Whole, cut in two at every byte, in pieces of 1 to 9 bytes, and stopped after
 * every row or every few. */
static void expect_however_cut(const struct item_spec *specs, size_t n,
                               const char *bytes, size_t len,
                               const char *expected) {
  size_t all = len ? len : 1;
  expect(specs, n, bytes, len, (struct cut){.first = all, .rest = 1}, expected);
  for (size_t at = 0; at < len; at++)
    expect(specs, n, bytes, len, (struct cut){.first = at, .rest = all},
           expected);
  for (size_t size = 1; size < 10; size++)
    expect(specs, n, bytes, len, (struct cut){.first = size, .rest = size},
           expected);
  for (size_t stop = 1; stop < 4; stop++)
    for (size_t size = all; size > 0; size /= 8)
      expect(specs, n, bytes, len,
             (struct cut){.first = size, .rest = size, .stop_each = stop},
             expected);
}

START_TEST(reads_however_cut) {
  const struct reply_case *c = &cases[_i];
  expect_however_cut(c->specs, c->n_specs, c->reply, c->reply_len, c->expected);
}
END_TEST

/* Cut off at every byte: never well before the last one. */
START_TEST(breaks_off_anywhere) {
  const struct reply_case *c = &cases[_i];
  if (!strstr(c->expected, "end ok"))
    return;
  for (size_t keep = 0; keep < c->reply_len; keep++) {
    struct record record;
    enum status status =
        record_reply(&record, c->specs, c->n_specs, MAX_OBJECT, c->reply, keep,
                     (struct cut){.first = keep, .rest = 1});
    ck_assert_msg(keep == 0 ? status == STATUS_NOT_JOLOKIA
                            : status == STATUS_MALFORMED_REPLY,
                  "%s: cut at %zu: %s", c->name, keep, buf_text(&record.text));
    buf_fini(&record.text);
  }
}
END_TEST

/* What a text file cannot hold. */
static const struct {
  const char *reply;
  size_t len;
  const struct item_spec *spec;
  const char *expected;
} raw_cases[] = {
#define RAW(reply) reply, sizeof(reply) - 1
    {RAW(" \r\n\t"), &value_spec, "end not_jolokia items 0 the reply is empty"},
    {RAW("\r\n\t [ {\t\"status\":\r\n200,\"value\":\t7\n} \t]\r\n \t"),
     &value_spec, "row 0 <> 7\nitem 0 ok 200 rows 1\nend ok items 1"},
    {RAW("\0[{\"value\":1,\"status\":200}]"), &value_spec,
     "end not_jolokia items 0 the reply cannot be read"},
    {RAW("  \0"), &value_spec, "end not_jolokia items 0 the reply cannot be"},
    {RAW("[{\"value\":1,\"status\":200}\0]"), &value_spec,
     "row 0 <> 1\nitem 0 ok 200 rows 1\nend malformed_reply items 1"},
    {RAW("[{\"value\":[\"a\",\"b\0\"],\"status\":200}]"), &names_spec,
     "row 0 <a>\nend malformed_reply items 0"},
    {RAW("[{\"value\":1,\"status\":200}]\0"), &value_spec,
     "row 0 <> 1\nitem 0 ok 200 rows 1\nend malformed_reply items 1"},
    {RAW("[{\"value\":[\"a\",\"\xff\",\"\xc0\xaf\",\"\xed\xa0\x80\",\"\xc3\","
         "\"\xf4\x90\x80\x80\",\"b\"],\"status\":200}]"),
     &names_spec,
     "row 0 <a>\nrow 0 <b>\nitem 0 ok 200 rows 2 invalid 5\nend ok items 1"},
    {RAW("[{\"value\":{\"n\\\"\xff\":{\"a\":1},\"m\":{\"a\":2,\"\xff\":\"\xff\""
         "},\"k\":{\"a\":\"\xff\"}},\"status\":200}]"),
     &pattern_spec,
     "row 0 <m> 2 .\nitem 0 ok 200 rows 1 invalid 2\nend ok items 1"},
    {RAW("[{\"value\":\"{\\\"data\\\":[{\\\"name\\\":\\\"a\xe9\\\"},"
         "{\\\"name\\\":\\\"b\\\"}],\\\"count\\\":2}\",\"status\":200}]"),
     &listing_spec,
     "row 0 <> 'b' . .\nitem 0 ok 200 rows 1 invalid 1 count 2\nend ok items "
     "1"},
    {RAW("[{\"error\":\"a\\q\xff\x01 and so it goes on\",\"status\":500}]"),
     &value_spec,
     "item 0 item_error 500 rows 0 error a?q?  and so it goes on\nend ok"},
    {RAW("\xef\xbb\xbf[]"), &value_spec, "end not_jolokia items 0"},
#undef RAW
};

START_TEST(reads_raw_bytes) {
  expect_however_cut(raw_cases[_i].spec, 1, raw_cases[_i].reply,
                     raw_cases[_i].len, raw_cases[_i].expected);
}
END_TEST

/* ${n} times ${unit}, between two texts. */
static void make_long(struct buf *out, const char *before, const char *unit,
                      size_t n, const char *after) {
  buf_init(out, 1 << 20);
  buf_add_text(out, before);
  for (size_t i = 0; i < n; i++)
    buf_add_text(out, unit);
  ck_assert_int_eq(buf_add_text(out, after), STATUS_OK);
}

/* A row longer than the maximum costs itself alone, however it is cut; one of
 * just that length is read. */
static const struct {
  const struct item_spec *spec;
  const char *before;
  const char *after;
  size_t fixed; /* bytes of the row beside the units */
  const char *fits;
  const char *too_long;
} long_cases[] = {
    {&pattern_spec, "[{\"value\":{\"m\":{\"a\":1},\"n\":{\"c\":\"",
     "\"},\"o\":{\"a\":3}},\"status\":200}]", 12,
     "row 0 <m> 1 .\nrow 0 <n> . .\nrow 0 <o> 3 .\nitem 0 ok 200 rows 3\n",
     "row 0 <m> 1 .\nrow 0 <o> 3 .\nitem 0 ok 200 rows 2 invalid 1\n"},
    {&listing_spec,
     "[{\"value\":\"{\\\"data\\\":[{\\\"name\\\":\\\"m\\\"},{\\\"x\\\":\\\"",
     "\\\"},{\\\"name\\\":\\\"o\\\"}]}\",\"status\":200}]", 12,
     "row 0 <> 'm' . .\nrow 0 <> . . .\nrow 0 <> 'o' . .\nitem 0 ok 200 rows "
     "3\n",
     "row 0 <> 'm' . .\nrow 0 <> 'o' . .\nitem 0 ok 200 rows 2 invalid 1\n"},
    {&names_spec, "[{\"value\":[\"m\",\"/", "\",\"o\"],\"status\":200}]", 3,
     "row 0 <m>\nrow 0 </",
     "row 0 <m>\nrow 0 <o>\nitem 0 ok 200 rows 2 invali"},
    {&mbean_spec, "[{\"value\":{\"c\":\"", "\"},\"status\":200}]", 8,
     "row 0 <> . .\nitem 0 ok 200 rows 1\n",
     "item 0 reply_too_large 200 rows 0 error its value is longer than "
     "MaxObjectBytes\nend ok items 1"},
    {&value_spec, "[{\"value\":\"/", "\",\"status\":200}]", 3, "row 0 <> '/",
     "item 0 reply_too_large 200 rows 0 error its value is longer than "
     "MaxObjectBytes\nend ok items 1"},
};

START_TEST(bounds_a_row) {
  for (size_t over = 0; over < 2; over++) {
    struct buf text;
    size_t n = MAX_OBJECT - long_cases[_i].fixed + over;
    make_long(&text, long_cases[_i].before, "x", n, long_cases[_i].after);
    const char *expected = over ? long_cases[_i].too_long : long_cases[_i].fits;
    for (size_t size = 1; size < 2 * text.len; size *= 3)
      expect(long_cases[_i].spec, 1, text.data, text.len,
             (struct cut){.first = size, .rest = size}, expected);
    for (size_t at = text.len - 40; at < text.len; at++)
      expect(long_cases[_i].spec, 1, text.data, text.len,
             (struct cut){.first = at, .rest = at}, expected);
    buf_fini(&text);
  }
}
END_TEST

/* An odd row (quotes in it, so it is unescaped) at the maximum. */
START_TEST(bounds_an_odd_row) {
  struct buf text;
  make_long(&text, "[{\"value\":\"{\\\"data\\\":[{\\\"name\\\":\\\"",
            "\\\\\\\"", (MAX_OBJECT - 15) / 4, "\\\"}]}\",\"status\":200}]");
  for (size_t size = 1; size < 2 * text.len; size *= 3)
    expect(&listing_spec, 1, text.data, text.len,
           (struct cut){.first = size, .rest = size}, "row 0 <> '\"\"\"\"\"");
  buf_fini(&text);
}
END_TEST

/* What is skipped has no maximum and is not kept. */
START_TEST(skips_what_is_long) {
  struct buf text;
  make_long(&text, "[{\"request\":{\"x\":[\"", "\\\"y{[", 20000,
            "\"]},\"value\":3,\"status\":200}]");
  for (size_t size = 1; size < 2 * text.len; size *= 5)
    expect(&value_spec, 1, text.data, text.len,
           (struct cut){.first = size, .rest = size},
           "row 0 <> 3\nitem 0 ok 200 rows 1\nend ok items 1");
  buf_fini(&text);
}
END_TEST

static bool refuse_row(void *cookie, size_t item, const struct row *row) {
  (void)cookie;
  (void)item;
  (void)row;
  return false;
}

static void ignore_item(void *cookie, size_t item,
                        const struct item_result *result) {
  (void)cookie;
  (void)item;
  (void)result;
}

START_TEST(stops_right_behind_a_row) {
  static const char text[] = "[{\"value\":[\"a\" , \"b\"],\"status\":200}]";
  struct reply_sink sink = {refuse_row, ignore_item, NULL};
  struct reply *reply = reply_new(&names_spec, 1, MAX_OBJECT, &sink);
  size_t consumed = 0;
  ck_assert_int_eq(reply_feed(reply, text, sizeof(text) - 1, &consumed),
                   STATUS_OK);
  ck_assert_uint_eq(consumed, strlen("[{\"value\":[\"a\""));
  ck_assert_uint_eq(reply_rows(reply), 1);
  reply_free(reply);
}
END_TEST

START_TEST(stays_failed) {
  struct reply_sink sink = {refuse_row, ignore_item, NULL};
  struct reply *reply = reply_new(&names_spec, 1, MAX_OBJECT, &sink);
  size_t consumed = 9;
  ck_assert_int_eq(reply_feed(reply, "<", 1, &consumed), STATUS_NOT_JOLOKIA);
  ck_assert_int_eq(reply_feed(reply, "[]", 2, &consumed), STATUS_NOT_JOLOKIA);
  ck_assert_uint_eq(consumed, 0);
  ck_assert_int_eq(reply_end(reply, NULL), STATUS_NOT_JOLOKIA);
  reply_free(reply);
  reply_free(NULL);
}
END_TEST

START_TEST(reads_no_bytes) {
  struct reply_sink sink = {refuse_row, ignore_item, NULL};
  struct reply *reply = reply_new(NULL, 0, MAX_OBJECT, &sink);
  size_t consumed = 9;
  ck_assert_int_eq(reply_feed(reply, NULL, 0, &consumed), STATUS_OK);
  ck_assert_uint_eq(consumed, 0);
  ck_assert_int_eq(reply_feed(reply, "[]", 2, &consumed), STATUS_OK);
  ck_assert_int_eq(reply_end(reply, NULL), STATUS_OK);
  reply_free(reply);
}
END_TEST

static Suite *reply_suite(void) {
  Suite *suite = suite_create("reply");
  TCase *shapes = tcase_create("shapes");
  tcase_set_timeout(shapes, 60);
  tcase_add_loop_test(shapes, reads_however_cut, 0, n_cases);
  tcase_add_loop_test(shapes, breaks_off_anywhere, 0, n_cases);
  tcase_add_loop_test(shapes, reads_raw_bytes, 0,
                      (int)(sizeof(raw_cases) / sizeof(raw_cases[0])));
  suite_add_tcase(suite, shapes);
  TCase *bounds = tcase_create("bounds");
  tcase_set_timeout(bounds, 60);
  tcase_add_loop_test(bounds, bounds_a_row, 0,
                      (int)(sizeof(long_cases) / sizeof(long_cases[0])));
  tcase_add_test(bounds, bounds_an_odd_row);
  tcase_add_test(bounds, skips_what_is_long);
  tcase_add_test(bounds, stops_right_behind_a_row);
  tcase_add_test(bounds, stays_failed);
  tcase_add_test(bounds, reads_no_bytes);
  suite_add_tcase(suite, bounds);
  return suite;
}

int main(void) {
  load_cases();
  SRunner *runner = srunner_create(reply_suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_cases > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
