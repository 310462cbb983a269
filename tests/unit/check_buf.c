/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/buf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* One test asks for more memory than there is, which AddressSanitizer would
 * take for a fault of the caller. */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *
__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

static struct buf buf;

START_TEST(empty) {
  buf_init(&buf, 10);
  ck_assert_ptr_null(buf.data);
  ck_assert_str_eq(buf_text(&buf), "");
  ck_assert_int_eq(buf_add(&buf, NULL, 0), STATUS_OK);
  ck_assert_str_eq(buf_text(&buf), "");
  buf_fini(&buf);
}
END_TEST

START_TEST(appends) {
  buf_init(&buf, 100);
  ck_assert_int_eq(buf_add(&buf, "ab\0c", 4), STATUS_OK);
  ck_assert_int_eq(buf_add_text(&buf, "de"), STATUS_OK);
  ck_assert_int_eq(buf_printf(&buf, "%d-%s", 12, "x"), STATUS_OK);
  ck_assert_uint_eq(buf.len, 10);
  ck_assert_int_eq(memcmp(buf.data, "ab\0cde12-x", 11), 0);
  buf_fini(&buf);
}
END_TEST

/* The maximum is reached to the byte and never passed, by any kind of append.
 */
START_TEST(maximum_is_exact) {
  buf_init(&buf, 5);
  ck_assert_int_eq(buf_add_text(&buf, "12345"), STATUS_OK);
  ck_assert_str_eq(buf_text(&buf), "12345");
  ck_assert_uint_le(buf.capacity, 6);
  enum status status = _i == 0   ? buf_add(&buf, "6", 1)
                       : _i == 1 ? buf_add_text(&buf, "6")
                                 : buf_printf(&buf, "%d", 6);
  ck_assert_int_eq(status, STATUS_REQUEST_TOO_LARGE);
  ck_assert_int_eq(buf.status, STATUS_REQUEST_TOO_LARGE);
  ck_assert_str_eq(buf_text(&buf), "12345");
  ck_assert_uint_eq(buf.len, 5);
  buf_fini(&buf);
}
END_TEST

START_TEST(a_failure_is_remembered) {
  buf_init(&buf, 3);
  buf_add_text(&buf, "1234");
  ck_assert_int_eq(buf_add_text(&buf, "1"), STATUS_REQUEST_TOO_LARGE);
  ck_assert_int_eq(buf_printf(&buf, "1"), STATUS_REQUEST_TOO_LARGE);
  ck_assert_uint_eq(buf.len, 0);
  buf_clear(&buf);
  ck_assert_int_eq(buf.status, STATUS_OK);
  ck_assert_int_eq(buf_add_text(&buf, "1"), STATUS_OK);
  buf_fini(&buf);
}
END_TEST

START_TEST(lengths_near_the_top_of_size_t) {
  buf_init(&buf, SIZE_MAX);
  ck_assert_int_eq(buf_add_text(&buf, "x"), STATUS_OK);
  ck_assert_int_eq(buf_add(&buf, "y", SIZE_MAX - 1), STATUS_REQUEST_TOO_LARGE);
  ck_assert_str_eq(buf_text(&buf), "x");
  buf_clear(&buf);
  ck_assert_int_eq(buf_add(&buf, "y", SIZE_MAX - 1), STATUS_NO_MEMORY);
  ck_assert_int_eq(buf.status, STATUS_NO_MEMORY);
  ck_assert_str_eq(buf_text(&buf), "");
  buf_fini(&buf);
}
END_TEST

START_TEST(grows_by_single_bytes) {
  enum { N = 100000 };
  buf_init(&buf, N);
  for (int i = 0; i < N; i++)
    ck_assert_int_eq(buf_add(&buf, &"0123456789"[i % 10], 1), STATUS_OK);
  ck_assert_uint_eq(buf.len, N);
  for (size_t i = 0; i < N; i++)
    ck_assert_int_eq(buf.data[i], (char)('0' + i % 10));
  ck_assert_int_eq(buf.data[N], 0);
  buf_fini(&buf);
}
END_TEST

START_TEST(clear_keeps_the_allocation) {
  buf_init(&buf, 100);
  buf_add_text(&buf, "abc");
  char *data = buf.data;
  buf_clear(&buf);
  ck_assert_str_eq(buf_text(&buf), "");
  buf_add_text(&buf, "de");
  ck_assert_ptr_eq(buf.data, data);
  ck_assert_str_eq(buf_text(&buf), "de");
  buf_fini(&buf);
}
END_TEST

START_TEST(fini_and_wipe_keep_the_maximum) {
  buf_init(&buf, 3);
  buf_add_text(&buf, "abc");
  if (_i == 0)
    buf_fini(&buf);
  else
    buf_wipe(&buf);
  ck_assert_ptr_null(buf.data);
  ck_assert_uint_eq(buf.len, 0);
  ck_assert_uint_eq(buf.max, 3);
  ck_assert_int_eq(buf_add_text(&buf, "abcd"), STATUS_REQUEST_TOO_LARGE);
  buf_fini(&buf);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("buf");
  TCase *t = tcase_create("buf");
  tcase_add_test(t, empty);
  tcase_add_test(t, appends);
  tcase_add_loop_test(t, maximum_is_exact, 0, 3);
  tcase_add_test(t, a_failure_is_remembered);
  tcase_add_test(t, lengths_near_the_top_of_size_t);
  tcase_add_test(t, grows_by_single_bytes);
  tcase_add_test(t, clear_keeps_the_allocation);
  tcase_add_loop_test(t, fini_and_wipe_keep_the_maximum, 0, 2);
  suite_add_tcase(s, t);
  return s;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
