/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* What wakes who watches folders. Whatever happens is there before it is waited
 * for: nothing here depends on how fast this runs. */
#include "config/watch.h"

#include "base/clock.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/check_watch.XXXXXX";
static struct watch *watch;

static void add(const char *path) {
  watch_begin(watch);
  ck_assert_int_eq(watch_add(watch, path), STATUS_OK);
  ck_assert_int_eq(watch_add(watch, path), STATUS_OK);
  watch_end(watch);
}

static void run(const char *command) { ck_assert_int_eq(system(command), 0); }

/* What has happened until now. */
static enum watch_outcome happened(void) { return watch_wait(watch, true, 0); }

static void set_up(void) {
  struct error error;
  memcpy(strchr(folder, '.') + 1, "XXXXXX", 6);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
  run("mkdir d && echo one >d/file && echo one >file");
  ck_assert_int_eq(watch_new(&watch, &error), STATUS_OK);
}

static void tear_down(void) {
  watch_free(watch);
  run("rm -r -- *");
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

static const struct {
  const char *command;
  bool is_told;
} cases[] = {
    {"true", false},
    {"cat d/file >/dev/null", false},
    {"echo two >d/file", true},
    {"echo two >>d/file", true},
    {"chmod 0 d/file", true},
    {"rm d/file", true},
    {"echo two >d/new", true},
    {"mv file d/file", true},
    {"mv d/file file", true},
    {"ln -s file d/link", true},
    {"mv d e", true},
    {"echo two >file", false},
};

START_TEST(what_happens_in_a_folder) {
  add("d");
  ck_assert_int_eq(happened(), WATCH_TIME);
  run(cases[_i].command);
  ck_assert_int_eq(happened(), cases[_i].is_told ? WATCH_EVENT : WATCH_TIME);
  ck_assert_int_eq(happened(), WATCH_TIME);
}
END_TEST

/* A line of a log file is no news; that it was closed is. */
START_TEST(a_file_that_is_open) {
  add("d");
  int fd = open("d/file", O_WRONLY | O_APPEND | O_CLOEXEC);
  ck_assert_int_eq((int)write(fd, "x", 1), 1);
  ck_assert_int_eq(happened(), WATCH_TIME);
  close(fd);
  ck_assert_int_eq(happened(), WATCH_EVENT);
}
END_TEST

START_TEST(a_folder_that_is_watched_no_more) {
  add("d");
  add(".");
  happened(); /* the kernel tells that it watches no more */
  run("echo two >d/file");
  ck_assert_int_eq(happened(), WATCH_TIME);
  run("echo two >file");
  ck_assert_int_eq(happened(), WATCH_EVENT);
}
END_TEST

/* Another folder has its name now. */
START_TEST(a_folder_that_is_made_anew) {
  add("d");
  run("mv d e && mkdir d");
  ck_assert_int_eq(happened(), WATCH_EVENT);
  add("d");
  happened();
  run("echo two >e/file");
  ck_assert_int_eq(happened(), WATCH_TIME);
  run("echo two >d/file");
  ck_assert_int_eq(happened(), WATCH_EVENT);
}
END_TEST

START_TEST(a_folder_that_comes_later) {
  add("late");
  run("mkdir late && echo one >late/file");
  ck_assert_int_eq(happened(), WATCH_TIME);
  add("late");
  run("echo two >late/file");
  ck_assert_int_eq(happened(), WATCH_EVENT);
}
END_TEST

/* Two names of one folder: it is watched while either is wanted. */
START_TEST(two_names_of_one_folder) {
  run("ln -s d e");
  watch_begin(watch);
  ck_assert_int_eq(watch_add(watch, "d"), STATUS_OK);
  ck_assert_int_eq(watch_add(watch, "e/."), STATUS_OK);
  watch_end(watch);
  add("d");
  run("echo two >d/file");
  ck_assert_int_eq(happened(), WATCH_EVENT);
}
END_TEST

START_TEST(more_folders_than_are_watched) {
  char name[32];
  watch_begin(watch);
  for (int i = 0; i <= WATCH_FOLDERS_MAX; i++) {
    snprintf(name, sizeof name, "%d", i);
    ck_assert_int_eq(mkdir(name, 0700), 0);
    ck_assert_int_eq(watch_add(watch, name), STATUS_OK);
  }
  watch_end(watch);
  happened();
  snprintf(name, sizeof name, "%d/file", WATCH_FOLDERS_MAX);
  close(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ck_assert_int_eq(happened(), WATCH_TIME);
  snprintf(name, sizeof name, "%d/file", WATCH_FOLDERS_MAX - 1);
  close(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ck_assert_int_eq(happened(), WATCH_EVENT);
}
END_TEST

/* For good, and before anything else. */
START_TEST(it_is_woken) {
  add("d");
  run("echo two >d/file");
  watch_wake(watch);
  ck_assert_int_eq(watch_wait(watch, true, CLOCK_NEVER), WATCH_WOKEN);
  ck_assert_int_eq(watch_wait(watch, false, CLOCK_NEVER), WATCH_WOKEN);
}
END_TEST

START_TEST(events_that_are_not_asked_for) {
  add("d");
  run("echo two >d/file");
  ck_assert_int_eq(watch_wait(watch, false, 0), WATCH_TIME);
  ck_assert_int_eq(happened(), WATCH_EVENT);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("watch");
  TCase *tcase = tcase_create("watch");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_loop_test(tcase, what_happens_in_a_folder, 0,
                      sizeof cases / sizeof cases[0]);
  tcase_add_test(tcase, a_file_that_is_open);
  tcase_add_test(tcase, a_folder_that_is_watched_no_more);
  tcase_add_test(tcase, a_folder_that_is_made_anew);
  tcase_add_test(tcase, a_folder_that_comes_later);
  tcase_add_test(tcase, two_names_of_one_folder);
  tcase_add_test(tcase, more_folders_than_are_watched);
  tcase_add_test(tcase, it_is_woken);
  tcase_add_test(tcase, events_that_are_not_asked_for);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
