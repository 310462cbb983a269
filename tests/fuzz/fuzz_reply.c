/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* A reply tells the same however it is cut and wherever row() stops it, and a
 * row is read as json-c reads it; an object's members are read to their end.
 * The first byte chooses the forms of the
 * items, the second the cuts; the rest is the reply, and a row. */
#include "../support/oracle.h"
#include "fuzz.h"
#include "jolokia/members.h"
#include "jolokia/row.h"

#include <stdlib.h>
#include <string.h>

#define MAX_OBJECT 512
#define MAX_ROW 8192

static const char *const columns[] = {"name", "a", "messageCount"};
#define N_COLUMNS 3

static void check_cut(const struct item_spec *specs, size_t n, const char *text,
                      size_t len, struct cut cut,
                      const struct record *expected) {
  struct record record;
  record_reply(&record, specs, n, MAX_OBJECT, text, len, cut);
  FUZZ_CHECK(record.text.len == expected->text.len);
  FUZZ_CHECK(strcmp(buf_text(&record.text), buf_text(&expected->text)) == 0);
  buf_fini(&record.text);
}

static void check_reply(unsigned forms, unsigned seed, const char *text,
                        size_t len) {
  struct item_spec specs[3];
  size_t n = 1 + forms % 3;
  for (size_t i = 0; i < n; i++) {
    unsigned form = (forms / 3 + (unsigned)i * 7) % 5;
    specs[i] = (struct item_spec){(enum item_form)form, columns, N_COLUMNS};
  }
  struct record whole;
  record_reply(&whole, specs, n, MAX_OBJECT, text, len,
               (struct cut){.first = len, .rest = 1});
  check_cut(specs, n, text, len, (struct cut){.first = 1, .rest = 1}, &whole);
  check_cut(specs, n, text, len,
            (struct cut){.rest = 1 + seed, .random = seed + 1}, &whole);
  check_cut(specs, n, text, len, (struct cut){.first = seed, .rest = len + 1},
            &whole);
  check_cut(specs, n, text, len,
            (struct cut){.rest = 64, .random = seed + 1, .stop_each = 1},
            &whole);
  buf_fini(&whole.text);
}

/* What the oracle does not know: integers beyond 64 bits, and which objects are
 * faults. */
static bool is_beyond_oracle(const struct row_scanner *scanner) {
  for (size_t i = 0; i < scanner->n_columns; i++) {
    const struct value *value = &scanner->values[i];
    if (value->type == VALUE_OTHER || value->type == VALUE_FAULT ||
        (value->type == VALUE_REAL && !value->was_text &&
         (value->real > 9e18 || value->real < -9e18)))
      return true;
  }
  return false;
}

static enum scan read_row(struct row_scanner *scanner, struct record *record,
                          const char *text, size_t len, bool is_inside) {
  struct row row = {"", 0, scanner->values, N_COLUMNS};
  buf_clear(&record->text);
  enum scan scan = row_read_object(scanner, text, len, is_inside);
  if (scan == SCAN_OK)
    record_row(record, 0, &row);
  return scan;
}

/* The same row in a string tells the same. */
static void check_inside(struct row_scanner *scanner,
                         const struct record *plain, enum scan plain_scan,
                         const char *text, size_t len) {
  char escaped[2 * MAX_ROW];
  struct record record = {.rows = 0};
  size_t n = 0;
  for (size_t i = 0; i < len; i++) {
    if (text[i] == '"' || text[i] == '\\')
      escaped[n++] = '\\';
    escaped[n++] = text[i];
  }
  buf_init(&record.text, 1 << 20);
  FUZZ_CHECK(read_row(scanner, &record, escaped, n, true) == plain_scan);
  FUZZ_CHECK(strcmp(buf_text(&record.text), buf_text(&plain->text)) == 0);
  buf_fini(&record.text);
}

static void check_row(const char *text, size_t len) {
  static const struct item_spec spec = {FORM_MBEAN, columns, N_COLUMNS};
  static struct row_scanner scanner;
  struct record ours = {.rows = 0};
  struct record oracle = {.rows = 0};
  row_init(&scanner, 2 * MAX_ROW);
  row_expect(&scanner, &spec, REPLY_MAX_DEPTH);
  buf_init(&ours.text, 1 << 20);
  buf_init(&oracle.text, 1 << 20);
  enum scan scan = read_row(&scanner, &ours, text, len, false);
  if (scan == SCAN_OK && !is_beyond_oracle(&scanner) &&
      oracle_row(&oracle, &spec, text, len))
    FUZZ_CHECK(strcmp(buf_text(&ours.text), buf_text(&oracle.text)) == 0);
  if (len > 0)
    check_inside(&scanner, &ours, scan, text, len);
  buf_fini(&ours.text);
  buf_fini(&oracle.text);
  row_fini(&scanner);
}

/* The members of what may be an object: the room suffices. */
static void check_members(const char *text, size_t len) {
  struct value object = {.type = VALUE_OTHER, .text = text, .text_len = len};
  char *room = malloc(len);
  struct members members;
  size_t told = 0;
  members_begin(&members, &object, room);
  while (members_next(&members))
    told += members.key_len + members.value.text_len;
  FUZZ_CHECK(told <= len);
  free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2 || size > MAX_ROW)
    return 0;
  const char *text = (const char *)data + 2;
  check_reply(data[0], data[1], text, size - 2);
  check_row(text, size - 2);
  if (size > 2)
    check_members(text, size - 2);
  return 0;
}
