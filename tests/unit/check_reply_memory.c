/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* Every allocation fails in turn: what was told until then is the beginning of
 * what is told with memory, and the verdict is STATUS_NO_MEMORY. And how much
 * is allocated. The linker puts the __wrap_ functions in the place of the real
 * ones (Makefile.am). */

#include "../support/record.h"

#include <check.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OBJECT 4096

void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
struct json_tokener *__real_json_tokener_new_ex(int depth);
struct json_object *__real_json_tokener_parse_ex(struct json_tokener *tokener,
                                                 const char *text, int len);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
struct json_tokener *__wrap_json_tokener_new_ex(int depth);
struct json_object *__wrap_json_tokener_parse_ex(struct json_tokener *tokener,
                                                 const char *text, int len);

static bool is_armed; /* in the reader, not in the test */
static long n_until_failure;
static bool has_failed;
/* What is allocated, until the next reset. */
static struct {
  void *block;
  size_t size;
} blocks[8];
static size_t peak;

static bool fails(void) {
  if (!is_armed)
    return false;
  has_failed = has_failed || n_until_failure == 0;
  return n_until_failure-- == 0;
}

static void *note(void *old, void *block, size_t size) {
  size_t all = 0;
  size_t i = 0;
  while (is_armed && old && blocks[i].block != old)
    i++;
  while (is_armed && !old && blocks[i].block)
    i++;
  blocks[i].block = block;
  blocks[i].size = size;
  for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
    all += blocks[i].size;
  peak = all > peak ? all : peak;
  return block;
}

void *__wrap_calloc(size_t n, size_t size) {
  if (!is_armed)
    return __real_calloc(n, size);
  return fails() ? NULL : note(NULL, __real_calloc(n, size), n * size);
}

void *__wrap_realloc(void *old, size_t size) {
  if (!is_armed)
    return __real_realloc(old, size);
  return fails() ? NULL : note(old, __real_realloc(old, size), size);
}

struct json_tokener *__wrap_json_tokener_new_ex(int depth) {
  return fails() ? NULL : __real_json_tokener_new_ex(depth);
}

/* As json-c does: errno tells, and the tree may lack members. */
struct json_object *__wrap_json_tokener_parse_ex(struct json_tokener *tokener,
                                                 const char *text, int len) {
  struct json_object *object = __real_json_tokener_parse_ex(tokener, text, len);
  if (fails())
    errno = ENOMEM;
  return object;
}

static const char *const columns[] = {"name", "a"};
static const struct item_spec listing = {FORM_LISTING, columns, 2};
static const struct item_spec mbean = {FORM_MBEAN, columns, 2};
static const struct item_spec pattern = {FORM_PATTERN, columns, 2};
static const struct item_spec names = {FORM_NAMES, NULL, 0};

static const struct {
  const struct item_spec *spec;
  const char *reply;
} replies[] = {
    {&listing, "[{\"value\":\"{\\\"data\\\":[{\\\"name\\\":\\\"a\\\"},"
               "{\\\"name\\\":\\\"b\\\\\\\"\\\"},{\\\"name\\\":\\\"c\\\"}],"
               "\\\"count\\\":3}\",\"status\":200}]"},
    {&listing, "[{\"value\":\"{\\\"data\\\":[{\\\"name\\\":\\\"a\\/b\\\"}]}\","
               "\"status\":200}]"},
    {&mbean, "[{\"value\":{\"a\":{\".error\":true,\"error\":\"x\"},\"name\":"
             "\"a\\nb\"},\"status\":200}]"},
    {&pattern, "[{\"value\":{\"d:q=\\\"a\\\"\":{\"a\":1},\"d:q=b\":{\"a\":"
               "{\".error\":true,\"error\":\"x\"}}},\"status\":200}]"},
    {&names, "[{\"value\":[\"d:q=\\\"a\\\"\",\"d:q=b\"],\"status\":200}]"},
    {&mbean, "[{\"error\":\"something\",\"error_type\":\"x\",\"status\":500}]"},
};

/* The record's own buffer may allocate as it likes. */
static bool on_row(void *cookie, size_t item, const struct row *row) {
  is_armed = false;
  record_row(cookie, item, row);
  is_armed = true;
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct record *record = cookie;
  is_armed = false;
  buf_printf(&record->text, "item %zu %s\n", item, status_name(result->status));
  is_armed = true;
}

static enum status read_all(struct record *record, const struct item_spec *spec,
                            const char *bytes, size_t len, size_t piece) {
  struct reply_sink sink = {on_row, on_item, record};
  buf_init(&record->text, 1 << 20);
  memset(blocks, 0, sizeof(blocks));
  is_armed = true;
  has_failed = false;
  peak = 0;
  struct reply *reply = reply_new(spec, 1, MAX_OBJECT, &sink);
  enum status status = reply ? STATUS_OK : STATUS_NO_MEMORY;
  for (size_t at = 0; at < len && !status; at += piece) {
    size_t consumed;
    status = reply_feed(reply, bytes + at, piece < len - at ? piece : len - at,
                        &consumed);
  }
  if (reply)
    status = reply_end(reply, NULL);
  reply_free(reply);
  is_armed = false;
  return status;
}

START_TEST(survives_every_failure) {
  const struct item_spec *spec = replies[_i].spec;
  const char *text = replies[_i].reply;
  size_t len = strlen(text);
  long n_failures = 0;
  for (size_t piece = 1; piece <= len; piece += piece < 8 ? 1 : len / 3) {
    struct record with;
    n_until_failure = -1;
    ck_assert_int_eq(read_all(&with, spec, text, len, piece), STATUS_OK);
    for (long n = 0;; n++) {
      struct record without;
      n_until_failure = n;
      enum status status = read_all(&without, spec, text, len, piece);
      const char *told = buf_text(&without.text);
      ck_assert_int_eq(strncmp(buf_text(&with.text), told, strlen(told)), 0);
      ck_assert_int_eq(status, has_failed ? STATUS_NO_MEMORY : STATUS_OK);
      buf_fini(&without.text);
      if (!has_failed)
        break;
      n_failures++;
    }
    buf_fini(&with.text);
  }
  ck_assert_int_gt(n_failures, (long)len / 16);
}
END_TEST

/* Twice the maximum and 16 KiB, whatever the reply holds. */
START_TEST(allocates_little) {
  struct buf text;
  struct record record;
  buf_init(&text, 1 << 24);
  buf_add_text(&text, "[{\"value\":\"{\\\"data\\\":[");
  for (int i = 0; i < 3000; i++) {
    buf_printf(&text, "%s{\\\"name\\\":\\\"a\\\\\\\"%d\\\",\\\"a\\\":\\\"",
               i ? "," : "", i);
    for (int k = 0; k < i % 700; k++)
      buf_add_text(&text, "x\\\\\\\"");
    buf_add_text(&text, "\\\"}");
  }
  ck_assert_int_eq(buf_add_text(&text, "]}\",\"status\":200}]"), STATUS_OK);
  n_until_failure = -1;
  ck_assert_int_eq(read_all(&record, &listing, text.data, text.len, 16384),
                   STATUS_OK);
  ck_assert_uint_le(peak, 2 * MAX_OBJECT + 16384);
  ck_assert_uint_ge(peak, 2 * 2800 + 4096);
  buf_fini(&record.text);
  buf_fini(&text);
}
END_TEST

static Suite *memory_suite(void) {
  Suite *suite = suite_create("reply_memory");
  TCase *tcase = tcase_create("memory");
  tcase_set_timeout(tcase, 60);
  tcase_add_loop_test(tcase, survives_every_failure, 0,
                      (int)(sizeof(replies) / sizeof(replies[0])));
  tcase_add_test(tcase, allocates_little);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(memory_suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
