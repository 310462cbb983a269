/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/buf.h"
#include "jolokia/reply.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OBJECT 4096

/* What a reply told, as text: a line a row, a line an item, a line at the end.
 * Values: . absent, null, true, 5, r1.5 (real), 'text', !fault, ~object; what
 * came as text has it behind. */
struct record {
  struct buf text;
  size_t stop_after; /* rows; 0: never */
  size_t rows;
};

static void add_value(struct buf *text, const struct value *value) {
  int len = (int)value->text_len;
  switch (value->type) {
  case VALUE_ABSENT:
    buf_add_text(text, " .");
    break;
  case VALUE_NULL:
    buf_add_text(text, " null");
    break;
  case VALUE_BOOL:
    buf_add_text(text, value->integer ? " true" : " false");
    break;
  case VALUE_INT:
    buf_printf(text, " %lld", (long long)value->integer);
    break;
  case VALUE_REAL:
    buf_printf(text, " r%.17g", value->real);
    break;
  case VALUE_TEXT:
    buf_printf(text, " '%.*s'", len, value->text);
    break;
  case VALUE_FAULT:
    buf_printf(text, " !%.*s", len, value->text);
    break;
  case VALUE_OTHER:
    buf_printf(text, " ~%.*s", len, value->text);
    break;
  default:
    ck_abort_msg("value type %d", value->type);
  }
  if (value->was_text)
    buf_printf(text, "\"%.*s\"", len, value->text);
}

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct record *record = cookie;
  buf_printf(&record->text, "row %zu <%.*s>", item, (int)row->name_len,
             row->name);
  for (size_t i = 0; i < row->n_columns; i++)
    add_value(&record->text, &row->columns[i]);
  buf_add_text(&record->text, "\n");
  record->rows++;
  return record->stop_after == 0 || record->rows % record->stop_after != 0;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct record *record = cookie;
  struct buf *text = &record->text;
  buf_printf(text, "item %zu %s %d rows %llu", item,
             status_name(result->status), result->code,
             (unsigned long long)result->rows);
  if (result->rows_invalid)
    buf_printf(text, " invalid %llu", (unsigned long long)result->rows_invalid);
  if (result->has_count)
    buf_printf(text, " count %lld", (long long)result->count);
  if (*result->error_type)
    buf_printf(text, " type %s", result->error_type);
  if (*result->error)
    buf_printf(text, " error %s", result->error);
  buf_add_text(text, "\n");
}

/* How the bytes are cut: pieces of ${first}, then of ${rest} bytes. */
struct cut {
  size_t first;
  size_t rest;
  size_t stop_after;
};

static void play(struct record *record, const struct item_spec *specs,
                 size_t n_specs, size_t max_object, const char *bytes,
                 size_t len, struct cut cut) {
  struct reply_sink sink = {on_row, on_item, record};
  struct reply *reply = reply_new(specs, n_specs, max_object, &sink);
  struct error error = {0};
  ck_assert_ptr_nonnull(reply);
  buf_init(&record->text, 1 << 20);
  record->rows = 0;
  record->stop_after = cut.stop_after;
  size_t at = 0;
  size_t piece = cut.first;
  enum status status = STATUS_OK;
  while (at < len && status == STATUS_OK) {
    if (piece > len - at)
      piece = len - at;
    /* a copy of its own, so that a sanitizer sees a read past its end */
    char *copy = malloc(piece + 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes + at, piece);
    size_t consumed = 0;
    status = reply_feed(reply, copy, piece, &consumed);
    ck_assert_uint_le(consumed, piece);
    if (cut.stop_after == 0 && status == STATUS_OK)
      ck_assert_uint_eq(consumed, piece);
    at += consumed;
    free(copy);
    if (consumed == piece)
      piece = cut.rest;
    else
      piece -= consumed;
  }
  enum status end = reply_end(reply, &error);
  if (status)
    ck_assert_int_eq(status, end);
  if (end)
    ck_assert_int_eq(error.kind, end);
  ck_assert_uint_eq(reply_rows(reply), record->rows);
  buf_printf(&record->text, "end %s items %zu", status_name(end),
             reply_items_done(reply));
  if (end)
    buf_printf(&record->text, " %s", error.text);
  reply_free(reply);
}

static void expect(const struct item_spec *specs, size_t n_specs,
                   size_t max_object, const char *bytes, size_t len,
                   struct cut cut, const char *expected) {
  struct record record;
  play(&record, specs, n_specs, max_object, bytes, len, cut);
  const char *text = buf_text(&record.text);
  if (strncmp(text, expected, strlen(expected)) != 0)
    ck_abort_msg("cut at %zu, then %zu, stop %zu\ngot:      %s\nexpected: %s",
                 cut.first, cut.rest, cut.stop_after, text, expected);
  buf_fini(&record.text);
}

/* Whole, cut in two at every byte, and in pieces of 1 to 9 bytes. */
static void expect_however_cut(const struct item_spec *specs, size_t n_specs,
                               size_t max_object, const char *bytes, size_t len,
                               const char *expected) {
  expect(specs, n_specs, max_object, bytes, len, (struct cut){len, len, 0},
         expected);
  for (size_t at = 1; at < len; at++)
    expect(specs, n_specs, max_object, bytes, len, (struct cut){at, len, 0},
           expected);
  for (size_t size = 1; size < 10; size++)
    expect(specs, n_specs, max_object, bytes, len, (struct cut){size, size, 0},
           expected);
  for (size_t stop = 1; stop < 4; stop++)
    expect(specs, n_specs, max_object, bytes, len, (struct cut){len, len, stop},
           expected);
}

static const char *const ab[] = {"a", "b"};
static const char *const queue[] = {"name", "messageCount", "durable"};

#define VALUE                                                                  \
  { FORM_VALUE, NULL, 0 }
#define MBEAN                                                                  \
  { FORM_MBEAN, ab, 2 }
#define PATTERN                                                                \
  { FORM_PATTERN, ab, 2 }
#define NAMES                                                                  \
  { FORM_NAMES, NULL, 0 }
#define LISTING                                                                \
  { FORM_LISTING, queue, 3 }

struct reply_case {
  const char *name;
  struct item_spec specs[3];
  size_t n_specs;
  const char *reply;
  const char *expected; /* the beginning of what is recorded */
};

#include "reply_cases.h"

#define N_CASES ((int)(sizeof(cases) / sizeof(cases[0])))

START_TEST(reads_however_cut) {
  const struct reply_case *c = &cases[_i];
  expect_however_cut(c->specs, c->n_specs, MAX_OBJECT, c->reply,
                     strlen(c->reply), c->expected);
}
END_TEST

/* Cut off at every byte: never STATUS_OK before the last one. */
START_TEST(breaks_off_anywhere) {
  const struct reply_case *c = &cases[_i];
  size_t len = strlen(c->reply);
  for (size_t keep = 0; keep < len; keep++) {
    struct record record;
    play(&record, c->specs, c->n_specs, MAX_OBJECT, c->reply, keep,
         (struct cut){keep, keep, 0});
    bool is_ok = strstr(buf_text(&record.text), "end ok") != NULL;
    bool is_space_left = strspn(c->reply + keep, " \n\r\t") == len - keep;
    ck_assert_msg(!is_ok || is_space_left, "%s: cut at %zu: %s", c->name, keep,
                  buf_text(&record.text));
    buf_fini(&record.text);
  }
}
END_TEST

static Suite *reply_suite(void) {
  Suite *suite = suite_create("reply");
  TCase *shapes = tcase_create("shapes");
  tcase_set_timeout(shapes, 60);
  tcase_add_loop_test(shapes, reads_however_cut, 0, N_CASES);
  tcase_add_loop_test(shapes, breaks_off_anywhere, 0, N_CASES);
  suite_add_tcase(suite, shapes);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(reply_suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
