/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* Random rows, written in random ways, read by the scanner: plain, in the
 * escaped text of a listing, attempted at every cut. json-c is the oracle. */

#include "../support/oracle.h"
#include "../support/prng.h"
#include "../support/record.h"
#include "jolokia/row.h"

#include <check.h>
#include <string.h>

#define ROUNDS 3000
#define MAX_ROW 65536
#define MAX_DEPTH 20

static const char *const columns[] = {"name", "a", "b\"", "c", "\xc3\xa9", "/"};
static const char *const others[] = {"", "x", "aa", "nam", "A"};
#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const struct item_spec mbean = {FORM_MBEAN, columns, N_COLUMNS};
static const struct item_spec listing = {FORM_LISTING, columns, N_COLUMNS};

/* How text may be written, for a JSON string that stands in one, too. */
enum style { STYLE_PLAIN, STYLE_SLASH, STYLE_ASCII, STYLE_MIXED, STYLE_COUNT };

static void add_unit(struct buf *out, unsigned unit) {
  buf_printf(out, unit & 1 ? "\\u%04x" : "\\u%04X", unit);
}

static void add_written(struct buf *out, uint32_t c) {
  if (c < 0x10000) {
    add_unit(out, c);
    return;
  }
  add_unit(out, 0xd800 + ((c - 0x10000) >> 10));
  add_unit(out, 0xdc00 + ((c - 0x10000) & 0x3ff));
}

/* The character at ${text}, which is valid UTF-8. */
static size_t decode(const char *text, uint32_t *ret) {
  const unsigned char *p = (const unsigned char *)text;
  if (p[0] < 0x80) {
    *ret = p[0];
    return 1;
  }
  size_t n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
  uint32_t c = p[0] & (0xffU >> (n + 1));
  for (size_t i = 1; i < n; i++)
    c = c << 6 | (p[i] & 0x3fU);
  *ret = c;
  return n;
}

/* As the inside of a JSON string. */
static void add_escaped(struct buf *out, const char *text, size_t len,
                        enum style style, struct prng *prng) {
  static const char shorts[] = "\b\f\n\r\t";
  for (size_t at = 0; at < len;) {
    uint32_t c;
    size_t n = decode(text + at, &c);
    const char *found = c && c < 0x20 ? strchr(shorts, (int)c) : NULL;
    if (style == STYLE_MIXED && prng_one_in(prng, 6))
      add_written(out, c);
    else if (c == '"' || c == '\\' || (c == '/' && style != STYLE_PLAIN))
      buf_printf(out, "\\%c", (int)c);
    else if (found)
      buf_printf(out, "\\%c", "bfnrt"[found - shorts]);
    else if (c < 0x20 || (c > 0x7e && style == STYLE_ASCII))
      add_written(out, c);
    else
      buf_add(out, text + at, n);
    at += n;
  }
}

static enum style random_style(struct prng *prng) {
  return (enum style)prng_below(prng, STYLE_COUNT);
}

static void add_text(struct buf *out, const char *text, struct prng *prng) {
  buf_add_text(out, "\"");
  add_escaped(out, text, strlen(text), random_style(prng), prng);
  buf_add_text(out, "\"");
}

static void add_space(struct buf *out, struct prng *prng) {
  static const char *const spaces[] = {" ", "\n", "\t", "  ", "\r\n"};
  if (prng_one_in(prng, 12))
    buf_add_text(out, spaces[prng_below(prng, 5)]);
}

static void add_random_text(struct buf *out, struct prng *prng) {
  static const char *const words[] = {"a",
                                      "queue",
                                      "\"",
                                      "\\",
                                      "/",
                                      "\n",
                                      "\x01",
                                      " ",
                                      ",",
                                      "=",
                                      "*?",
                                      "{",
                                      "}]",
                                      "\xc3\xbc",
                                      "12",
                                      "-",
                                      "\xe2\x82\xac",
                                      "true",
                                      ".",
                                      "0",
                                      "e5",
                                      "null",
                                      "ERROR: ",
                                      "\xf0\x9f\x98\x80",
                                      "\\u",
                                      "\\\"",
                                      "01234567"};
  struct buf text;
  buf_init(&text, MAX_ROW);
  uint64_t n = prng_one_in(prng, 40) ? 300 : prng_below(prng, 5);
  for (uint64_t i = 0; i < n; i++)
    buf_add_text(&text,
                 words[prng_below(prng, sizeof(words) / sizeof(*words))]);
  add_text(out, buf_text(&text), prng);
  buf_fini(&text);
}

static void add_number(struct buf *out, struct prng *prng) {
  static const char *const odd[] = {"9223372036854775807",
                                    "-9223372036854775808",
                                    "9223372036854775808",
                                    "18446744073709551615",
                                    "0.709",
                                    "-0.5",
                                    "1e3",
                                    "2.5E-3",
                                    "1E+2",
                                    "0"};
  if (prng_one_in(prng, 3))
    buf_add_text(out, odd[prng_below(prng, 10)]);
  else
    buf_printf(out, "%lld",
               (long long)prng_scaled(prng, INT64_MAX) *
                   (prng_one_in(prng, 4) ? -1 : 1));
}

static void add_random_value(struct buf *out, struct prng *prng) {
  static const char *const plain[] = {"null", "true", "false",
                                      "{\".error\":true,\"error\":\"d\\\"x\"}",
                                      "{\"error_type\":\"T\",\".error\":true}"};
  switch (prng_below(prng, 6)) {
  case 0:
    add_number(out, prng);
    break;
  case 1: /* a number as text */
    buf_add_text(out, "\"");
    add_number(out, prng);
    buf_add_text(out, "\"");
    break;
  case 2:
    buf_add_text(out, plain[prng_below(prng, 5)]);
    break;
  default:
    add_random_text(out, prng);
    break;
  }
}

static void make_row(struct buf *out, struct prng *prng) {
  uint64_t n = prng_below(prng, 12);
  buf_add_text(out, "{");
  for (uint64_t i = 0; i < n; i++) {
    const char *key = prng_one_in(prng, 3)
                          ? others[prng_below(prng, 5)]
                          : columns[prng_below(prng, N_COLUMNS)];
    buf_add_text(out, i ? "," : "");
    add_space(out, prng);
    add_text(out, key, prng);
    add_space(out, prng);
    buf_add_text(out, ":");
    add_space(out, prng);
    add_random_value(out, prng);
    add_space(out, prng);
  }
  ck_assert_int_eq(buf_add_text(out, "}"), STATUS_OK);
}

/* A row of the same keys, in the same style, as others of ${shape}; some of its
 * values differ. */
static void make_like_row(struct buf *out, uint64_t shape, struct prng *prng) {
  struct prng common = prng_seeded(shape);
  struct buf value;
  buf_init(&value, MAX_ROW);
  uint64_t n = 1 + prng_below(&common, 12);
  for (uint64_t i = 0; i < n; i++) {
    bool is_other = prng_one_in(&common, 3);
    buf_add_text(out, i ? "," : "{");
    add_space(out, &common);
    add_text(out,
             is_other ? others[prng_below(&common, 5)]
                      : columns[prng_below(&common, N_COLUMNS)],
             &common);
    buf_add_text(out, ":");
    buf_clear(&value);
    add_random_value(&value, &common);
    add_space(&value, &common);
    if (prng_one_in(prng, 12))
      add_random_value(out, prng);
    else
      buf_add(out, value.data, value.len);
    add_space(out, prng);
  }
  ck_assert_int_eq(buf_add_text(out, "}"), STATUS_OK);
  buf_fini(&value);
}

static void add_scanned_row(struct record *record,
                            const struct row_scanner *scanner) {
  struct row row = {scanner->name, scanner->name_len, scanner->values,
                    scanner->n_columns};
  record_row(record, 0, &row);
}

static void expect_same(struct record *expected, struct record *got,
                        uint64_t round, const char *how,
                        const struct buf *text) {
  if (strcmp(buf_text(&expected->text), buf_text(&got->text)) != 0)
    ck_abort_msg("round %llu, %s\ngot:      %sexpected: %sof:       %s",
                 (unsigned long long)round, how, buf_text(&got->text),
                 buf_text(&expected->text), buf_text(text));
  buf_clear(&got->text);
}

/* A framed text, in memory of its size. */
static enum scan read_exact(struct row_scanner *scanner, const struct buf *text,
                            bool is_inside, struct record *record) {
  char *copy = malloc(text->len);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, text->data, text->len);
  enum scan scan = row_read_object(scanner, copy, text->len, is_inside);
  if (scan == SCAN_OK)
    add_scanned_row(record, scanner);
  free(copy);
  return scan;
}

/* Whole rows only are taken, and then wholly. */
static void try_everywhere(struct row_scanner *scanner, const struct buf *text,
                           bool is_inside, struct record *expected,
                           uint64_t round) {
  struct record got = {.rows = 0};
  buf_init(&got.text, MAX_ROW * 4);
  for (size_t keep = 0; keep <= text->len; keep++) {
    char *copy = malloc(keep ? keep : 1);
    const char *end = NULL;
    memcpy(copy, text->data, keep);
    enum scan scan =
        row_try_object(scanner, copy, copy + keep, is_inside, &end);
    if (scan == SCAN_OK) {
      ck_assert_uint_eq(keep, text->len);
      ck_assert_ptr_eq(end, copy + keep);
      add_scanned_row(&got, scanner);
      expect_same(expected, &got, round, "attempt", text);
    } else if (!is_inside) {
      ck_assert_int_eq(scan, SCAN_MORE);
      ck_assert_uint_lt(keep, text->len);
    }
    free(copy);
  }
  buf_fini(&got.text);
}

static void check_round(struct row_scanner *scanner, uint64_t round,
                        bool is_listing) {
  struct prng prng = prng_seeded(round + 1);
  struct buf text;
  struct buf inside;
  struct record expected = {.rows = 0};
  struct record got = {.rows = 0};
  buf_init(&text, MAX_ROW);
  buf_init(&inside, MAX_ROW);
  buf_init(&expected.text, MAX_ROW * 4);
  buf_init(&got.text, MAX_ROW * 4);
  make_row(&text, &prng);
  ck_assert_msg(oracle_row(&expected, is_listing ? &listing : &mbean, text.data,
                           text.len),
                "json-c does not read %s", buf_text(&text));
  enum scan scan = read_exact(scanner, &text, false, &got);
  ck_assert_msg(scan == SCAN_OK, "round %llu: %d of %s",
                (unsigned long long)round, scan, buf_text(&text));
  expect_same(&expected, &got, round, "plain", &text);
  if (text.len < 500)
    try_everywhere(scanner, &text, false, &expected, round);
  if (is_listing) {
    add_escaped(&inside, text.data, text.len, random_style(&prng), &prng);
    /* the first byte of a row is never written as \u, nor the last */
    if (inside.data[0] == '{') {
      scan = read_exact(scanner, &inside, true, &got);
      ck_assert_msg(scan == SCAN_OK, "round %llu: %d of %s",
                    (unsigned long long)round, scan, buf_text(&inside));
      expect_same(&expected, &got, round, "inside", &inside);
      if (inside.len < 500)
        try_everywhere(scanner, &inside, true, &expected, round);
    }
  }
  buf_fini(&text);
  buf_fini(&inside);
  buf_fini(&expected.text);
  buf_fini(&got.text);
}

/* What a scanner has read before changes nothing. */
static void check_like_rows(const struct item_spec *spec) {
  struct row_scanner scanner;
  bool is_inside = spec->form == FORM_LISTING;
  row_init(&scanner, MAX_ROW);
  row_expect(&scanner, spec, MAX_DEPTH);
  for (uint64_t round = 0; round < 10 * ROUNDS; round++) {
    struct prng prng = prng_seeded(round + 1);
    struct prng style = prng_seeded(1);
    struct buf text;
    struct buf inside;
    struct record expected = {.rows = 0};
    struct record got = {.rows = 0};
    buf_init(&text, MAX_ROW);
    buf_init(&inside, MAX_ROW);
    buf_init(&expected.text, MAX_ROW * 4);
    buf_init(&got.text, MAX_ROW * 4);
    make_like_row(&text, 1 + round / 100, &prng);
    ck_assert(oracle_row(&expected, spec, text.data, text.len));
    add_escaped(&inside, text.data, text.len, STYLE_PLAIN, &style);
    const struct buf *row = is_inside ? &inside : &text;
    ck_assert_int_eq(read_exact(&scanner, row, is_inside, &got), SCAN_OK);
    expect_same(&expected, &got, round, "like the last one", row);
    buf_fini(&text);
    buf_fini(&inside);
    buf_fini(&expected.text);
    buf_fini(&got.text);
  }
  row_fini(&scanner);
}

START_TEST(reads_what_is_like_the_last_row) {
  check_like_rows(_i ? &listing : &mbean);
}
END_TEST

static void check_rounds(const struct item_spec *spec) {
  struct row_scanner scanner;
  row_init(&scanner, MAX_ROW);
  row_expect(&scanner, spec, MAX_DEPTH);
  for (uint64_t round = 0; round < ROUNDS; round++)
    check_round(&scanner, round, spec->form == FORM_LISTING);
  row_fini(&scanner);
}

START_TEST(reads_as_json_c_does) { check_rounds(&mbean); }
END_TEST

START_TEST(reads_a_listing_as_json_c_does) { check_rounds(&listing); }
END_TEST

/* What json-c refuses is refused, and what it takes in this list is read. */
static const struct {
  const char *text;
  bool is_taken;
} broken_rows[] = {
    {"{}", true},
    {"{\"a\":1}", true},
    {"{\"a\":1,}", false},
    {"{,}", false},
    {"{\"a\"}", false},
    {"{\"a\":}", false},
    {"{\"a\":1 \"b\":2}", false},
    {"{a:1}", false},
    {"{'a':1}", false},
    {"{\"a\":'1'}", false},
    {"{\"a\":tru}", false},
    {"{\"a\":TRUE}", false},
    {"{\"a\":1}}", false},
    {"{\"a\":1", false},
    {"{\"a\":\"x}", false},
    {"{\"a\":\"\\q\"}", false},
    {"{\"a\":\"\\u12g4\"}", false},
    {"{\"a\":\"\\u12\"}", false},
    {"[\"a\"]", false},
    {"", false},
    {" {}", false},
};

START_TEST(refuses_broken_rows) {
  struct row_scanner scanner;
  const char *text = broken_rows[_i].text;
  size_t len = strlen(text);
  char escaped[64];
  size_t escaped_len = 0;
  for (size_t i = 0; i < len; i++) {
    if (text[i] == '"' || text[i] == '\\')
      escaped[escaped_len++] = '\\';
    escaped[escaped_len++] = text[i];
  }
  row_init(&scanner, MAX_ROW);
  row_expect(&scanner, &listing, MAX_DEPTH);
  enum scan expected = broken_rows[_i].is_taken ? SCAN_OK : SCAN_REFUSED;
  ck_assert_int_eq(row_read_object(&scanner, text, len, false), expected);
  ck_assert_int_eq(row_read_object(&scanner, escaped, escaped_len, true),
                   expected);
  row_fini(&scanner);
}
END_TEST

/* More members, and longer keys, than the template has room for. */
START_TEST(reads_rows_of_many_members) {
  struct row_scanner scanner;
  struct buf text;
  row_init(&scanner, MAX_ROW);
  row_expect(&scanner, &mbean, MAX_DEPTH);
  buf_init(&text, MAX_ROW);
  buf_add_text(&text, "{\"");
  for (int i = 0; i < 1500 * _i; i++)
    buf_add_text(&text, "k");
  buf_add_text(&text, "\":1");
  for (int i = 0; i < 200; i++)
    buf_printf(&text, ",\"key%d\":%d,\"c\":%d", i, i, i);
  buf_add_text(&text, ",\"a\":7}");
  for (int round = 0; round < 3; round++) {
    ck_assert_int_eq(row_read_object(&scanner, text.data, text.len, false),
                     SCAN_OK);
    ck_assert_int_eq(scanner.values[1].integer, 7);
    ck_assert_int_eq(scanner.values[3].integer, 199);
    ck_assert_uint_le(scanner.template.n, TEMPLATE_MEMBERS);
  }
  buf_fini(&text);
  row_fini(&scanner);
}
END_TEST

static Suite *row_suite(void) {
  Suite *suite = suite_create("row");
  TCase *tcase = tcase_create("row");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, reads_as_json_c_does);
  tcase_add_test(tcase, reads_a_listing_as_json_c_does);
  tcase_add_loop_test(tcase, reads_what_is_like_the_last_row, 0, 2);
  tcase_add_loop_test(tcase, refuses_broken_rows, 0,
                      (int)(sizeof(broken_rows) / sizeof(broken_rows[0])));
  tcase_add_loop_test(tcase, reads_rows_of_many_members, 0, 3);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(row_suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
