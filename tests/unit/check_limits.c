/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/limits.h"

#include "base/clock.h"

#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define S CLOCK_NS_PER_S
#define URL "https://broker-a.example.net:8161/console/jolokia"

static char root[64];
static char path[128];
static char url[] = URL;
static struct node_settings node;
static struct settings settings;

static void set_up(void) {
  snprintf(root, sizeof(root), "/tmp/check_limits.XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(root));
  snprintf(path, sizeof(path), "%s/state", root);
  node = (struct node_settings){.url = url,
                                .url_key = url,
                                .timeout_ns = 10 * S,
                                .ceiling = {.requests_per_second_milli = 20000,
                                            .burst = 1,
                                            .changes_per_second_milli = 50000,
                                            .bytes_per_second = 2 << 20,
                                            .handling_share_milli = 250,
                                            .max_in_flight = 2,
                                            .max_waiting = 64}};
  settings = (struct settings){.state_dir = path, .instances = 1};
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof(command), "rm -rf '%s'", root);
  ck_assert_int_eq(system(command), 0);
}

static const struct levels_rates *rates(void) {
  static struct levels_rates all;
  all.unit[UNIT_REQUESTS] = bucket_rate_of(20000, 1);
  all.unit[UNIT_CHANGES] = bucket_rate_of(50000, 50);
  all.unit[UNIT_BYTES] = bucket_rate_of_bytes(2 << 20, 8 << 20);
  all.unit[UNIT_HANDLING] = bucket_rate_of_handling(250000, 2 * S);
  return &all;
}

/* The record, opened as another process has it. */
static struct record_folder *folder;
static struct record record;

static struct record_content lock(int64_t now_ns) {
  struct record_content content;
  enum record_state state;
  ck_assert_int_eq(record_folder_open(path, &folder, NULL), STATUS_OK);
  record_init(&record, folder, url);
  ck_assert_int_eq(
      record_lock(&record, rates(), now_ns, &content, &state, NULL),
      RECORD_LOCKED);
  return content;
}

static void unlock(const struct record_content *content) {
  if (content)
    ck_assert_int_eq(record_write(&record, content, NULL), STATUS_OK);
  record_unlock(&record);
  record_folder_close(folder);
}

static void look(int64_t now_ns, struct limits *ret) {
  client_limits(&settings, &node, 10 * S, now_ns, ret);
}

START_TEST(without_a_record_a_new_one_is_told_and_none_is_made) {
  struct limits limits;
  look(100 * S, &limits);
  ck_assert_int_eq(limits.record.kind, STATUS_NOT_FOUND);
  ck_assert_ptr_nonnull(strstr(limits.record.text, path));
  ck_assert_int_ne(access(path, F_OK), 0);
  ck_assert_double_eq_tol(limits.unit[UNIT_REQUESTS].level, 1, 1e-9);
  ck_assert_double_eq_tol(limits.unit[UNIT_CHANGES].level, 50, 1e-9);
  ck_assert_double_eq_tol(limits.unit[UNIT_BYTES].per_second, 2 << 20, 1e-9);
  ck_assert_double_eq_tol(limits.unit[UNIT_BYTES].burst, 8 << 20, 1e-9);
  ck_assert_double_eq_tol(limits.unit[UNIT_HANDLING].per_second, 0.25, 1e-9);
  ck_assert_double_eq_tol(limits.unit[UNIT_HANDLING].burst, 2, 1e-9);
  ck_assert_uint_eq(limits.n_waiters, 0);
  ck_assert_int_eq(limits.pace_ns[KIND_LISTING], -1);
  ck_assert_uint_eq(limits.max_in_flight, 2);
  ck_assert_int_eq(limits.permit_timeout_ns[OWNER_BULK], 90 * S);
  ck_assert_int_eq(mkdir(path, 0750), 0);
  look(100 * S, &limits);
  ck_assert_int_eq(limits.record.kind, STATUS_NOT_FOUND);
  ck_assert_int_eq(rmdir(path), 0); /* it is empty */
}
END_TEST

START_TEST(what_the_record_says_is_told_as_of_now) {
  struct limits limits;
  struct record_content content = lock(100 * S);
  content.levels.bucket[UNIT_REQUESTS].level = -BUCKET_PERMIT;
  content.levels.bucket[UNIT_HANDLING].level = -S * BUCKET_HANDLING_NS;
  content.levels.hold_until_ns = 130 * S;
  content.levels.operator_hold_until_ns = 160 * S;
  content.totals[OWNER_BULK] = (struct record_totals){20, 1000, 5, 6, 7};
  content.changes = 1000;
  content.handling_ns = 33;
  content.refused[REFUSED_QUEUE_FULL] = 3;
  pace_add(&content.paces[KIND_CHANGE], S / 4, 100 * S);
  content.rounds[1] = stamp_at(60 * S);
  struct record_head first = {
      .pid = 8, .owner = OWNER_SLOW, UNIT_BYTES, .since_ns = 99 * S};
  struct record_head second = {
      .pid = 7, .owner = OWNER_BULK, UNIT_CHANGES, .since_ns = 90 * S};
  record_set_head(&content, &first, 100 * S);
  record_set_head(&content, &second, 100 * S);
  unlock(&content);
  look(100 * S + S / 40, &limits);
  ck_assert_int_eq(limits.record.kind, STATUS_OK);
  ck_assert_double_eq_tol(limits.unit[UNIT_REQUESTS].level, -0.5, 1e-9);
  ck_assert_int_eq(limits.unit[UNIT_REQUESTS].debt_ns, S / 40);
  ck_assert_int_eq(limits.unit[UNIT_CHANGES].debt_ns, 0);
  ck_assert(fabs(limits.unit[UNIT_HANDLING].level + 0.99375) < 1e-9);
  ck_assert_int_eq(limits.unit[UNIT_HANDLING].debt_ns, 4 * S - S / 40);
  ck_assert_int_eq(limits.retry_after_ns, 30 * S - S / 40);
  ck_assert_int_eq(limits.operator_hold_ns, 60 * S - S / 40);
  ck_assert_uint_eq(limits.totals[OWNER_BULK].operations, 1000);
  ck_assert_uint_eq(limits.changes, 1000);
  ck_assert_uint_eq(limits.handling_ns, 33);
  ck_assert_uint_eq(limits.refused[REFUSED_QUEUE_FULL], 3);
  ck_assert_int_eq(limits.pace_ns[KIND_CHANGE], S / 4);
  ck_assert_int_eq(limits.pace_ns[KIND_LISTING], -1);
  ck_assert_int_eq(limits.round_ago_ns[TIER_FAST], -1);
  ck_assert_int_eq(limits.round_ago_ns[TIER_ADDRESS], -1);
  ck_assert_int_eq(limits.round_ago_ns[TIER_SLOW], 3 * STAMP_STEP_NS);
  ck_assert_uint_eq(limits.n_waiters, 2);
  ck_assert_int_eq(limits.waiters[0].pid, 7);
  ck_assert_int_eq(limits.waiters[0].owner, OWNER_BULK);
  ck_assert_int_eq(limits.waiters[0].unit, UNIT_CHANGES);
  ck_assert_int_eq(limits.waiters[0].waited_ns, 10 * S + S / 40);
  ck_assert_int_eq(limits.waiters[1].pid, 8);
}
END_TEST

/* The clock was read before the record was. */
START_TEST(a_round_that_ends_during_the_look_has_just_ended) {
  struct limits limits;
  struct record_content content = lock(95 * S);
  content.rounds[1] = stamp_at(96 * S); /* the next 16 s */
  unlock(&content);
  look(95 * S, &limits);
  ck_assert_int_eq(limits.round_ago_ns[TIER_SLOW], 0);
}
END_TEST

/* A process that waits comes each second. */
START_TEST(who_has_not_come_for_long_waits_no_longer) {
  struct limits limits;
  struct record_content content = lock(100 * S);
  struct record_head head = {
      .pid = 7, .owner = OWNER_BULK, UNIT_CHANGES, .since_ns = 90 * S};
  record_set_head(&content, &head, 100 * S);
  unlock(&content);
  look(105 * S, &limits);
  ck_assert_uint_eq(limits.n_waiters, 1);
  look(106 * S, &limits);
  ck_assert_uint_eq(limits.n_waiters, 0);
}
END_TEST

/* Those of this machine that have ended, and those late elsewhere, are not
 * there. */
START_TEST(who_scrapes_is_told) {
  struct limits limits;
  struct record_process self;
  record_process_self(&self);
  struct record_scraper here = {.process = self, true, .stay_s = 35};
  struct record_scraper ended = {.process = self, true, .stay_s = 35};
  struct record_scraper there = {.process = {.pid = 8}, .stay_s = 20};
  ended.process.pid = 1; /* another one has this pid now */
  there.process.pids = (uint16_t)(self.pids + 1);
  struct record_content content = lock(100 * S);
  record_set_scraper(&content, &here, 100 * S);
  record_set_scraper(&content, &ended, 100 * S);
  record_set_scraper(&content, &there, 100 * S);
  unlock(&content);
  look(120 * S, &limits);
  ck_assert_uint_eq(limits.n_scrapers, 2);
  ck_assert_int_eq(limits.scrapers[0].pid, self.pid);
  ck_assert(limits.scrapers[0].is_daemon && !limits.scrapers[0].is_elsewhere);
  ck_assert_int_eq(limits.scrapers[1].pid, 8);
  ck_assert(!limits.scrapers[1].is_daemon && limits.scrapers[1].is_elsewhere);
  look(121 * S, &limits);
  ck_assert_uint_eq(limits.n_scrapers, 1);
  ck_assert_int_eq(limits.scrapers[0].pid, self.pid);
  look(136 * S, &limits);
  ck_assert_uint_eq(limits.n_scrapers, 0);
}
END_TEST

START_TEST(a_locked_record_is_read_and_not_held) {
  struct limits limits;
  struct error error;
  struct record_content content = lock(100 * S);
  ck_assert_int_eq(record_write(&record, &content, NULL), STATUS_OK);
  look(100 * S, &limits);
  ck_assert_int_eq(limits.record.kind, STATUS_OK);
  ck_assert_int_eq(client_hold(&settings, &node, 130 * S, 100 * S, &error),
                   STATUS_BUSY);
  unlock(NULL);
  look(100 * S, &limits);
  ck_assert_int_eq(limits.operator_hold_ns, 0);
}
END_TEST

START_TEST(a_hold_is_written_and_ended_and_nothing_else_changed) {
  struct limits limits;
  struct error error;
  struct record_content content = lock(100 * S);
  content.changes = 5;
  unlock(&content);
  ck_assert_int_eq(client_hold(&settings, &node, 130 * S, 100 * S, &error),
                   STATUS_OK);
  look(110 * S, &limits);
  ck_assert_int_eq(limits.operator_hold_ns, 20 * S);
  ck_assert_uint_eq(limits.changes, 5);
  ck_assert_int_eq(client_hold(&settings, &node, 0, 100 * S, &error),
                   STATUS_OK);
  look(110 * S, &limits);
  ck_assert_int_eq(limits.operator_hold_ns, 0);
  ck_assert_uint_eq(limits.changes, 5);
}
END_TEST

/* The longest hold is no time that a record refuses. */
START_TEST(the_longest_hold_is_kept) {
  struct limits limits;
  struct error error;
  int64_t until_ns = 100 * S + RECORD_OPERATOR_HOLD_MAX_NS;
  ck_assert_int_eq(client_hold(&settings, &node, until_ns, 100 * S, &error),
                   STATUS_OK);
  look(100 * S, &limits);
  ck_assert_int_eq(limits.operator_hold_ns, RECORD_OPERATOR_HOLD_MAX_NS);
}
END_TEST

/* Another process writes as fast as it can: what is read is whole each time. */
START_TEST(a_record_that_is_being_written_is_whole) {
  struct limits limits;
  int status;
  struct record_content content = lock(100 * S);
  unlock(&content);
  pid_t pid = fork();
  if (pid == 0) {
    for (uint64_t i = 1; i <= 2000; i++) {
      content = lock(100 * S);
      content.changes = content.handling_ns = i;
      unlock(&content);
    }
    _exit(0);
  }
  do {
    look(100 * S, &limits);
    ck_assert_int_eq(limits.record.kind, STATUS_OK);
    ck_assert_uint_eq(limits.changes, limits.handling_ns);
  } while (waitpid(pid, &status, WNOHANG) == 0);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  look(100 * S, &limits);
  ck_assert_uint_eq(limits.changes, 2000);
}
END_TEST

static void write_file(const char *bytes, size_t len) {
  char name[256];
  unlock(NULL);
  snprintf(name, sizeof(name), "%s/%s", path, record.name);
  int fd = open(name, O_WRONLY | O_TRUNC | O_CLOEXEC);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, bytes, len), (ssize_t)len);
  close(fd);
}

START_TEST(a_damaged_record_is_none) {
  static const size_t lengths[] = {0, 1, 511, 512, 513};
  char bytes[RECORD_SIZE + 1];
  struct limits limits;
  memset(bytes, 'x', sizeof(bytes));
  (void)lock(100 * S);
  write_file(bytes, lengths[_i]);
  look(100 * S, &limits);
  ck_assert_int_eq(limits.record.kind, STATUS_NOT_FOUND);
  ck_assert_int_eq(strstr(limits.record.text, "damaged") != NULL,
                   lengths[_i] > 0);
  ck_assert_double_eq_tol(limits.unit[UNIT_REQUESTS].level, 1, 1e-9);
}
END_TEST

START_TEST(a_folder_that_is_none_is_told) {
  struct limits limits;
  struct error error;
  int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ck_assert_int_ge(fd, 0);
  close(fd);
  look(100 * S, &limits);
  ck_assert_int_eq(limits.record.kind, STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(limits.record.text, "not a folder"));
  ck_assert_int_eq(client_hold(&settings, &node, 130 * S, 100 * S, &error),
                   STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "not a folder"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("limits");
  TCase *tcase = tcase_create("limits");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_test(tcase, without_a_record_a_new_one_is_told_and_none_is_made);
  tcase_add_test(tcase, what_the_record_says_is_told_as_of_now);
  tcase_add_test(tcase, a_round_that_ends_during_the_look_has_just_ended);
  tcase_add_test(tcase, who_has_not_come_for_long_waits_no_longer);
  tcase_add_test(tcase, who_scrapes_is_told);
  tcase_add_test(tcase, a_locked_record_is_read_and_not_held);
  tcase_add_test(tcase, a_hold_is_written_and_ended_and_nothing_else_changed);
  tcase_add_test(tcase, the_longest_hold_is_kept);
  tcase_add_test(tcase, a_record_that_is_being_written_is_whole);
  tcase_add_loop_test(tcase, a_damaged_record_is_none, 0, 5);
  tcase_add_test(tcase, a_folder_that_is_none_is_told);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
