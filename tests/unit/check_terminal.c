/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/terminal.h"

#include "ctl/session.h"

#include <check.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A wait for a person that Ctrl-C ends, whenever it is pressed. Whoever hangs
 * here has missed it: the test's own timeout tells. */

static volatile sig_atomic_t is_stopping;
static int raised; /* by ppoll(), just before it waits; 0: none */
static int ends[2];

bool session_is_stopped(void) { return is_stopping != 0; }

static void on_signal(int number) {
  (void)number;
  is_stopping = 1;
}

/* The kernel's, as the C library has it: struct timespec and all. */
int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
          const sigset_t *mask) {
  if (raised)
    (void)raise(raised);
  return (int)syscall(SYS_ppoll, fds, n, timeout, mask, _NSIG / 8);
}

static void set_up(void) {
  struct sigaction action = {.sa_handler = on_signal};
  sigemptyset(&action.sa_mask);
  ck_assert_int_eq(sigaction(SIGINT, &action, NULL), 0);
  ck_assert_int_eq(sigaction(SIGTERM, &action, NULL), 0);
  ck_assert_int_eq(sigaction(SIGHUP, &action, NULL), 0);
  ck_assert_int_eq(pipe(ends), 0);
  is_stopping = raised = 0;
}

static bool are_let_in(void) {
  sigset_t mask;
  ck_assert_int_eq(sigprocmask(SIG_SETMASK, NULL, &mask), 0);
  return !sigismember(&mask, SIGINT) && !sigismember(&mask, SIGTERM) &&
         !sigismember(&mask, SIGHUP);
}

START_TEST(what_is_there_is_read) {
  ck_assert_int_eq(write(ends[1], "x", 1), 1);
  ck_assert(terminal_wait(ends[0]));
  ck_assert(are_let_in());
}
END_TEST

START_TEST(the_end_is_read) {
  close(ends[1]);
  ck_assert(terminal_wait(ends[0]));
}
END_TEST

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

START_TEST(a_signal_before_it) {
  ck_assert_int_eq(raise(numbers[_i]), 0);
  ck_assert(!terminal_wait(ends[0]));
  ck_assert(are_let_in());
}
END_TEST

START_TEST(a_signal_just_before_it_waits) {
  raised = numbers[_i];
  ck_assert(!terminal_wait(ends[0]));
  ck_assert(are_let_in());
}
END_TEST

int main(void) {
  Suite *suite = suite_create("terminal");
  TCase *tcase = tcase_create("terminal");
  tcase_add_checked_fixture(tcase, set_up, NULL);
  tcase_add_test(tcase, what_is_there_is_read);
  tcase_add_test(tcase, the_end_is_read);
  tcase_add_loop_test(tcase, a_signal_before_it, 0, 3);
  tcase_add_loop_test(tcase, a_signal_just_before_it_waits, 0, 3);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
