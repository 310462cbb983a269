/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/ids.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ids ids;
static struct error error;
static char path[] = "check_ids.XXXXXX";

static void begin(void) {
  ids_init(&ids);
  strcpy(path, "check_ids.XXXXXX");
  int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  close(fd);
}
static void end(void) {
  ids_fini(&ids);
  unlink(path);
}

static void write_file(const char *text, size_t len) {
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(text, 1, len, file), len);
  fclose(file);
}

START_TEST(a_file_gives_them_in_order_each_once) {
  static const char text[] = "# of the DLQ\n30\n\n 7\t# the first\r\n"
                             "9223372036854775807\n30\n0";
  write_file(text, strlen(text));
  ck_assert_int_eq(ids_read(&ids, path, &error), STATUS_OK);
  ck_assert_int_eq(ids_add_argument(&ids, "7", &error), STATUS_OK);
  ck_assert_int_eq(ids_finish(&ids, &error), STATUS_OK);
  ck_assert_uint_eq(ids.n, 4);
  ck_assert_uint_eq(ids.n_duplicates, 2);
  ck_assert_int_eq(ids.list[0], 0);
  ck_assert_int_eq(ids.list[1], 7);
  ck_assert_int_eq(ids.list[2], 30);
  ck_assert_int_eq(ids.list[3], INT64_MAX);
  ck_assert_uint_eq(ids_find(&ids, 30), 2);
  ck_assert_uint_eq(ids_find(&ids, 31), SIZE_MAX);
}
END_TEST

static const char *const wrong[] = {
    "x",   "-1",  "9223372036854775808", "1.5", "1e3", "007", "+1", "1 2",
    "0x1", "ID:1"};

START_TEST(what_is_no_id_is_told_with_its_line) {
  char text[64], place[64];
  int len = snprintf(text, sizeof(text), "1\n%s\n3\n", wrong[_i]);
  write_file(text, (size_t)len);
  ck_assert_int_eq(ids_read(&ids, path, &error), STATUS_OK);
  ck_assert_int_eq(ids_add_argument(&ids, wrong[_i], &error), STATUS_OK);
  ck_assert_int_eq(ids_finish(&ids, &error), STATUS_INVALID);
  ck_assert_uint_eq(ids.n_wrong, 2);
  snprintf(place, sizeof(place), "%s:2: \"%s\"", path, wrong[_i]);
  ck_assert_msg(strstr(buf_text(&ids.wrong), place) == buf_text(&ids.wrong),
                "%s", buf_text(&ids.wrong));
  ck_assert_ptr_nonnull(strstr(buf_text(&ids.wrong), "argument: "));
}
END_TEST

START_TEST(of_many_wrong_ones_some_are_told) {
  for (int i = 0; i < 100; i++)
    ck_assert_int_eq(ids_add_argument(&ids, "x", &error), STATUS_OK);
  ck_assert_uint_eq(ids.n_wrong, 100);
  size_t n = 0;
  for (const char *p = buf_text(&ids.wrong); (p = strchr(p, '\n')); p++)
    n++;
  ck_assert_uint_eq(n, IDS_WRONG_TOLD);
}
END_TEST

START_TEST(binary_and_long_lines_end_it) {
  static const char binary[] = "1\n2\n\0\1\2";
  char line[3000];
  write_file(binary, sizeof(binary) - 1);
  ck_assert_int_eq(ids_read(&ids, path, &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, ":3: it is binary"));
  memset(line, '1', sizeof(line));
  write_file(line, sizeof(line));
  ck_assert_int_eq(ids_read(&ids, path, &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, ":1: the line is too long"));
}
END_TEST

START_TEST(a_file_of_1_gb_is_not_read) {
  ck_assert_int_eq(truncate(path, INT64_C(1) << 30), 0);
  ck_assert_int_eq(ids_read(&ids, path, &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "longer than 64 MiB"));
  ck_assert_uint_eq(ids.size, 0);
}
END_TEST

START_TEST(no_file_no_ids) {
  ck_assert_int_eq(ids_read(&ids, "/nowhere/ids", &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "/nowhere/ids"));
  ck_assert_int_eq(ids_read(&ids, ".", &error), STATUS_INVALID);
  write_file("# none\n", 7);
  ck_assert_int_eq(ids_read(&ids, path, &error), STATUS_OK);
  ck_assert_int_eq(ids_finish(&ids, &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "there is no message id"));
}
END_TEST

START_TEST(no_list_grows_without_end) {
  enum status status = STATUS_OK;
  size_t n = 0;
  while (!status && n <= IDS_GIVEN_MAX) {
    status = ids_add(&ids, (int64_t)(n % 1000), &error);
    n += !status;
  }
  ck_assert_int_eq(status, STATUS_INVALID);
  ck_assert_uint_eq(n, IDS_GIVEN_MAX);
  ck_assert_int_eq(ids_finish(&ids, &error), STATUS_OK);
  ck_assert_uint_eq(ids.n, 1000);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ids");
  TCase *tcase = tcase_create("ids");
  tcase_add_checked_fixture(tcase, begin, end);
  tcase_add_test(tcase, a_file_gives_them_in_order_each_once);
  tcase_add_loop_test(tcase, what_is_no_id_is_told_with_its_line, 0,
                      sizeof(wrong) / sizeof(*wrong));
  tcase_add_test(tcase, of_many_wrong_ones_some_are_told);
  tcase_add_test(tcase, binary_and_long_lines_end_it);
  tcase_add_test(tcase, a_file_of_1_gb_is_not_read);
  tcase_add_test(tcase, no_file_no_ids);
  tcase_add_test(tcase, no_list_grows_without_end);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
