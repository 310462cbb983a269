/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/operator.h"

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[] = "node", cluster[] = "cluster", monitor[] = "monitor",
            seen[] = "seen", keeper[] = "keeper", kept[] = "kept";

static struct node_settings node(void) {
  return (struct node_settings){
      .name = name, .cluster = cluster, .username = monitor, .password = seen};
}

static const struct operator nobody = {0};

START_TEST(a_change_needs_an_operator) {
  struct node_settings settings = node();
  struct login login = {"untouched", "untouched"};
  struct error error;
  ck_assert_int_eq(operator_login(&nobody, &settings, true, &login, &error),
                   STATUS_AUTH);
  ck_assert_str_eq(login.username, "untouched");
  ck_assert_ptr_nonnull(strstr(error.text, "cluster/node"));
  ck_assert_ptr_nonnull(strstr(error.text, "--user"));
  ck_assert_ptr_nonnull(strstr(error.text, "<Operator>"));
  ck_assert_ptr_nonnull(strstr(error.text, "Login \"same\""));
  ck_assert_ptr_null(strstr(error.text, seen));
}
END_TEST

START_TEST(reading_may_be_the_monitors) {
  struct node_settings settings = node();
  struct login login;
  ck_assert_int_eq(operator_login(&nobody, &settings, false, &login, NULL),
                   STATUS_OK);
  ck_assert_str_eq(login.username, monitor);
  ck_assert_str_eq(login.password, seen);
}
END_TEST

START_TEST(the_block_is_taken) {
  struct node_settings settings = node();
  struct login login;
  settings.operator.username = keeper;
  settings.operator.password = kept;
  for (int is_change = 0; is_change < 2; is_change++) {
    ck_assert_int_eq(
        operator_login(&nobody, &settings, is_change, &login, NULL), STATUS_OK);
    ck_assert_str_eq(login.username, keeper);
    ck_assert_str_eq(login.password, kept);
  }
}
END_TEST

START_TEST(same_is_the_monitors) {
  struct node_settings settings = node();
  struct login login;
  settings.operator.is_monitor = true;
  ck_assert_int_eq(operator_login(&nobody, &settings, true, &login, NULL),
                   STATUS_OK);
  ck_assert_str_eq(login.username, monitor);
}
END_TEST

START_TEST(the_command_line_comes_first) {
  struct node_settings settings = node();
  struct operator operator= {keeper, kept};
  struct login login;
  settings.operator.username = monitor;
  settings.operator.is_monitor = true;
  ck_assert_int_eq(operator_login(&operator, & settings, true, &login, NULL),
                   STATUS_OK);
  ck_assert_str_eq(login.username, keeper);
  ck_assert_str_eq(login.password, kept);
}
END_TEST

/* What is on standard input, and what comes of it. */
static enum status open_with(const char *input, const struct ctl *ctl,
                             struct operator* ret, struct error *error) {
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  size_t len = strlen(input);
  ck_assert_int_eq(write(ends[1], input, len), (ssize_t)len);
  close(ends[1]);
  ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
  close(ends[0]);
  return operator_open(ctl, ret, error);
}

static const struct {
  const char *input;
  const char *password; /* NULL: refused */
} inputs[] = {
    {"secret\n", "secret"},
    {"secret", "secret"},
    {"two words \nand more\n", "two words "},
    {"", NULL},
    {"\n", NULL},
    {"tab\there\n", NULL},
};

START_TEST(standard_input) {
  const struct ctl ctl = {.user = keeper, .password_file = "-"};
  struct operator operator;
  struct error error;
  enum status status = open_with(inputs[_i].input, &ctl, &operator, & error);
  if (inputs[_i].password) {
    ck_assert_int_eq(status, STATUS_OK);
    ck_assert_str_eq(operator.username, keeper);
    ck_assert_str_eq(operator.password, inputs[_i].password);
  } else {
    ck_assert_int_eq(status, STATUS_INVALID);
    ck_assert_ptr_null(operator.username);
    ck_assert_ptr_null(operator.password);
  }
  operator_close(&operator);
  ck_assert_ptr_null(operator.password);
}
END_TEST

START_TEST(a_long_line) {
  static char line[5001];
  const struct ctl ctl = {.user = keeper, .password_file = "-"};
  struct operator operator;
  struct error error;
  memset(line, 'x', sizeof(line) - 1);
  ck_assert_int_eq(open_with(line, &ctl, &operator, & error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "longer than 4096"));
}
END_TEST

START_TEST(a_file) {
  char path[] = "/tmp/check_operator.XXXXXX";
  struct ctl ctl = {.user = keeper, .password_file = path};
  struct operator operator;
  struct error error;
  int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, "secret\n", 7), 7);
  close(fd);
  ck_assert_int_eq(operator_open(&ctl, &operator, & error), STATUS_OK);
  ck_assert_str_eq(operator.password, "secret");
  operator_close(&operator);
  chmod(path, 0666);
  ck_assert_int_eq(operator_open(&ctl, &operator, & error), STATUS_INVALID);
  unlink(path);
  ck_assert_int_eq(operator_open(&ctl, &operator, & error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, path));
}
END_TEST

START_TEST(half_a_login) {
  const struct ctl ctl = {.password_file = "-"};
  const struct ctl none = {.password_file = NULL};
  struct operator operator;
  struct error error;
  ck_assert_int_eq(operator_open(&ctl, &operator, & error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "--user"));
  ck_assert_int_eq(operator_open(&none, &operator, & error), STATUS_OK);
  ck_assert_ptr_null(operator.username);
}
END_TEST

/* Without a terminal of its own nobody can be asked. */
START_TEST(no_terminal) {
  const struct ctl ctl = {.user = keeper};
  struct operator operator;
  struct error error;
  int fd = open("/dev/tty", O_RDWR);
  if (fd >= 0)
    ck_assert_int_eq(ioctl(fd, TIOCNOTTY), 0);
  ck_assert_int_eq(operator_open(&ctl, &operator, & error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "--password-file"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("operator");
  TCase *tcase = tcase_create("operator");
  tcase_add_test(tcase, a_change_needs_an_operator);
  tcase_add_test(tcase, reading_may_be_the_monitors);
  tcase_add_test(tcase, the_block_is_taken);
  tcase_add_test(tcase, same_is_the_monitors);
  tcase_add_test(tcase, the_command_line_comes_first);
  tcase_add_loop_test(tcase, standard_input, 0,
                      sizeof(inputs) / sizeof(*inputs));
  tcase_add_test(tcase, a_long_line);
  tcase_add_test(tcase, a_file);
  tcase_add_test(tcase, half_a_login);
  tcase_add_test(tcase, no_terminal);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
