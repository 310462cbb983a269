/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/resume.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct resume_about about = {
    .node = "orders/broker-a",
    .url = "http://127.0.0.1:8161/console/jolokia",
    .node_id = "a-b-c",
    .queue_id = 4711,
    .queue = "a b%,\"c\"\n",
    .operation = "remove",
    .target = ""};

static struct resume resume, again;
static struct error error;
static char *bytes;
static size_t n_bytes;

static void make(size_t n) {
  struct ids ids;
  ids_init(&ids);
  for (size_t i = 0; i < n; i++)
    ck_assert_int_eq(ids_add(&ids, (int64_t)(10 * i), &error), STATUS_OK);
  ck_assert_int_eq(ids_finish(&ids, &error), STATUS_OK);
  enum status status = resume_create(&resume, ".", &about, &ids, &error);
  ck_assert_msg(status == STATUS_OK, "%s", error.text);
  ids_fini(&ids);
}

/* The process ends: what was committed is what is there. */
static void end(void) {
  unlink(resume.path);
  resume_fini(&resume);
}

static enum status reopen(const struct resume_about *of) {
  close(resume.fd);
  resume.fd = -1;
  return resume_open(&again, resume.path, of, &error);
}

static void read_bytes(void) {
  struct stat info;
  int fd = open(resume.path, O_RDONLY);
  ck_assert_int_eq(fstat(fd, &info), 0);
  n_bytes = (size_t)info.st_size;
  bytes = malloc(n_bytes + 1);
  ck_assert_int_eq(read(fd, bytes, n_bytes), (ssize_t)n_bytes);
  close(fd);
}

static void write_bytes(size_t n) {
  int fd = open(resume.path, O_WRONLY | O_TRUNC);
  ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
  close(fd);
}

START_TEST(what_was_committed_is_there_again) {
  make(100);
  for (size_t i = 0; i < 50; i++)
    resume_mark(&resume, i, ID_IN_FLIGHT, "");
  resume_mark_seen(&resume, 60);
  ck_assert_int_eq(resume_commit(&resume, &error), STATUS_OK);
  for (size_t i = 0; i < 48; i++)
    resume_mark(&resume, i, ID_DONE, "");
  resume_mark(&resume, 47, ID_ABSENT, "");
  resume_mark(&resume, 48, ID_FAILED, "no: it # said so");
  ck_assert_int_eq(resume_commit(&resume, &error), STATUS_OK);
  ck_assert_msg(reopen(&about) == STATUS_OK, "%s", error.text);
  ck_assert_uint_eq(again.ids.n, 100);
  ck_assert_uint_eq(again.counts[ID_DONE], 47);
  ck_assert_uint_eq(again.counts[ID_ABSENT], 1);
  ck_assert_uint_eq(again.counts[ID_FAILED], 1);
  ck_assert_uint_eq(again.counts[ID_UNKNOWN], 1);
  ck_assert_uint_eq(again.counts[ID_TODO], 50);
  ck_assert_int_eq(resume_state(&again, 47), ID_ABSENT);
  ck_assert_int_eq(resume_state(&again, 49), ID_UNKNOWN);
  ck_assert_str_eq(resume_reason(&again, 48), "no: it # said so");
  ck_assert(resume_is_seen(&again, 60) && !resume_is_seen(&again, 61));
  ck_assert(resume_may_be_done(&again, 49) && !resume_may_be_done(&again, 48));
  resume_mark(&again, 49, ID_TODO, "");
  ck_assert(resume_may_be_done(&again, 49));
  ck_assert_int_eq(resume_state(&again, 49), ID_TODO);
  ck_assert_str_eq(again.node_id, "a-b-c");
  ck_assert_int_eq(again.queue_id, 4711);
  resume_fini(&again);
  end();
}
END_TEST

START_TEST(what_is_not_committed_is_not_there) {
  make(10);
  resume_mark(&resume, 3, ID_DONE, "");
  ck_assert_int_eq(reopen(&about), STATUS_OK);
  ck_assert_uint_eq(again.counts[ID_TODO], 10);
  resume_fini(&again);
  end();
}
END_TEST

/* At every length: refused, or what it was before the last commit. */
START_TEST(a_truncated_file_is_refused) {
  make(20);
  resume_mark(&resume, 3, ID_IN_FLIGHT, "");
  ck_assert_int_eq(resume_commit(&resume, &error), STATUS_OK);
  read_bytes();
  for (size_t n = 0; n < n_bytes; n++) {
    write_bytes(n);
    ck_assert_msg(reopen(&about) == STATUS_INVALID, "%zu of %zu bytes", n,
                  n_bytes);
    resume_fini(&again);
  }
  write_bytes(n_bytes);
  ck_assert_int_eq(reopen(&about), STATUS_OK);
  resume_fini(&again);
  free(bytes);
  end();
}
END_TEST

START_TEST(an_edited_file_is_refused) {
  make(20);
  for (size_t i = 0; i < 5; i++)
    resume_mark(&resume, i, i == 2 ? ID_ABSENT : ID_DONE, "");
  ck_assert_int_eq(resume_commit(&resume, &error), STATUS_OK);
  read_bytes();
  for (size_t i = 0; i < n_bytes; i++) {
    char was = bytes[i];
    bytes[i] = was == '1' ? '2' : '1';
    write_bytes(n_bytes);
    bytes[i] = was;
    ck_assert_msg(reopen(&about) == STATUS_INVALID, "byte %zu", i);
    resume_fini(&again);
  }
  free(bytes);
  end();
}
END_TEST

/* Killed while it wrote: the file is longer than it is known to be. */
START_TEST(half_a_line_at_the_end_is_cut_off) {
  make(20);
  read_bytes();
  size_t before = n_bytes;
  bytes = realloc(bytes, n_bytes + 6);
  memcpy(bytes + n_bytes, "f 0 4", 5);
  write_bytes(n_bytes + 5);
  ck_assert_int_eq(reopen(&about), STATUS_OK);
  ck_assert_uint_eq(again.counts[ID_TODO], 20);
  resume_mark(&again, 0, ID_DONE, "");
  ck_assert_int_eq(resume_commit(&again, &error), STATUS_OK);
  resume_fini(&again);
  ck_assert_int_eq(reopen(&about), STATUS_OK);
  ck_assert_uint_eq(again.counts[ID_DONE], 1);
  ck_assert_uint_gt(again.len, before);
  resume_fini(&again);
  free(bytes);
  end();
}
END_TEST

START_TEST(of_another_run_it_is_refused) {
  struct resume_about other = about;
  make(5);
  if (_i == 0)
    other.queue = "a";
  else if (_i == 1)
    other.operation = "expire";
  else
    other.target = "x";
  ck_assert_int_eq(reopen(&other), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "of another run"));
  resume_fini(&again);
  end();
}
END_TEST

/* Who serves it is for the caller to judge. */
START_TEST(of_another_node_it_is_opened) {
  struct resume_about other = about;
  make(5);
  other.node = "orders/broker-b";
  other.url = other.node_id = "x";
  other.queue_id = 1;
  ck_assert_msg(reopen(&other) == STATUS_OK, "%s", error.text);
  ck_assert_str_eq(again.node, "orders/broker-a");
  ck_assert_str_eq(again.node_id, "a-b-c");
  ck_assert_int_eq(again.queue_id, 4711);
  resume_fini(&again);
  end();
}
END_TEST

START_TEST(it_is_one_process_s) {
  make(5);
  ck_assert_int_eq(resume_open(&again, resume.path, &about, &error),
                   STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "in use"));
  resume_fini(&again);
  end();
}
END_TEST

START_TEST(where_it_cannot_be_written_it_says_so) {
  struct ids ids;
  ids_init(&ids);
  ck_assert_int_eq(ids_add(&ids, 1, &error), STATUS_OK);
  ck_assert_int_eq(ids_finish(&ids, &error), STATUS_OK);
  ck_assert_int_eq(resume_create(&resume, "/nowhere", &about, &ids, &error),
                   STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "/nowhere/jolokiactl-remove-"));
  ids_fini(&ids);
  resume_fini(&resume);
}
END_TEST

/* The disk is full: as this process sees it. */
START_TEST(a_full_disk_stops_it) {
  make(100);
  struct rlimit limit = {.rlim_cur = resume.len + 20,
                         .rlim_max = RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  resume_mark(&resume, 0, ID_IN_FLIGHT, "");
  ck_assert_int_eq(resume_commit(&resume, &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "cannot be written"));
  resume_mark(&resume, 0, ID_TODO, "");
  ck_assert_int_eq(resume_commit(&resume, &error), STATUS_INVALID);
  ck_assert_int_eq(reopen(&about), STATUS_OK);
  ck_assert_uint_eq(again.counts[ID_TODO], 100);
  resume_fini(&again);
  end();
}
END_TEST

#define MANY 200000

/* Room comes again: nothing that was marked meanwhile is lost. */
START_TEST(after_a_full_disk_it_goes_on) {
  make(100);
  struct rlimit limit = {.rlim_cur = resume.len + 20,
                         .rlim_max = RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  resume_mark(&resume, 0, ID_DONE, "");
  ck_assert_int_eq(resume_commit(&resume, &error), STATUS_INVALID);
  resume_mark(&resume, 1, ID_ABSENT, "");
  limit.rlim_cur = RLIM_INFINITY;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  ck_assert_int_eq(resume_commit(&resume, &error), STATUS_OK);
  ck_assert_int_eq(reopen(&about), STATUS_OK);
  ck_assert_uint_eq(again.counts[ID_DONE], 1);
  ck_assert_uint_eq(again.counts[ID_ABSENT], 1);
  resume_fini(&again);
  end();
}
END_TEST

START_TEST(many_ids) {
  make(MANY);
  for (size_t i = 0; i < MANY; i += 2)
    resume_mark(&resume, i, ID_FAILED, "a reason");
  ck_assert_int_eq(resume_commit(&resume, &error), STATUS_OK);
  ck_assert_int_eq(reopen(&about), STATUS_OK);
  ck_assert_uint_eq(again.counts[ID_FAILED], MANY / 2);
  resume_fini(&again);
  end();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("resume");
  TCase *tcase = tcase_create("resume");
  tcase_add_test(tcase, what_was_committed_is_there_again);
  tcase_add_test(tcase, what_is_not_committed_is_not_there);
  tcase_add_test(tcase, a_truncated_file_is_refused);
  tcase_add_test(tcase, an_edited_file_is_refused);
  tcase_add_test(tcase, half_a_line_at_the_end_is_cut_off);
  tcase_add_loop_test(tcase, of_another_run_it_is_refused, 0, 3);
  tcase_add_test(tcase, of_another_node_it_is_opened);
  tcase_add_test(tcase, it_is_one_process_s);
  tcase_add_test(tcase, where_it_cannot_be_written_it_says_so);
  tcase_add_test(tcase, a_full_disk_stops_it);
  tcase_add_test(tcase, after_a_full_disk_it_goes_on);
  tcase_add_test(tcase, many_ids);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
