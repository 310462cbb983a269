/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/operator.h"

#include "config/login.h"
#include "ctl/session.h"
#include "ctl/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* -- A line of a descriptor -- */

/* Up to a line feed or the end, byte by byte: what follows is not ours.
 * ${size} - 1 bytes at most. */
static enum status read_line(int fd, char *dst, size_t size,
                             struct error *error) {
  size_t len = 0;
  for (;;) {
    char c = 0;
    bool is_there = terminal_wait(fd);
    ssize_t n = is_there ? read(fd, &c, 1) : 0;
    if (!is_there || session_is_stopped())
      return error_set(error, STATUS_CANCELLED,
                       "interrupted while the password was read");
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return error_set(error, STATUS_INVALID, "the password cannot be read");
    if (n == 0 || c == '\n')
      break;
    if (len + 1 >= size)
      return error_set(error, STATUS_INVALID,
                       "the password is longer than %zu bytes", size - 1);
    dst[len++] = c;
  }
  dst[len] = '\0';
  return STATUS_OK;
}

static enum status check(const char *password, struct error *error) {
  if (!*password)
    return error_set(error, STATUS_INVALID, "the password is empty");
  for (const char *p = password; *p; p++)
    if ((unsigned char)*p < 0x20 || *p == 0x7f)
      return error_set(error, STATUS_INVALID,
                       "the password has a control character");
  return STATUS_OK;
}

static enum status read_password(int fd, char **ret, struct error *error) {
  char line[LOGIN_FILE_MAX + 1];
  enum status status = read_line(fd, line, sizeof(line), error);
  if (!status)
    status = check(line, error);
  char *password = status ? NULL : strdup(line);
  explicit_bzero(line, sizeof(line));
  if (status)
    return status;
  if (!password)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the password");
  *ret = password;
  return STATUS_OK;
}

/* -- The terminal -- */

static enum status ask(const char *username, char **ret, struct error *error) {
  struct termios before, silent;
  int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (fd < 0 || tcgetattr(fd, &before) != 0) {
    if (fd >= 0)
      close(fd);
    return error_set(error, STATUS_INVALID,
                     "--user needs a password, and there is no terminal to ask "
                     "for it: give --password-file FILE, or - for standard "
                     "input");
  }
  silent = before;
  silent.c_lflag &= ~(tcflag_t)ECHO;
  silent.c_lflag |= ECHONL;
  /* First, since what was typed before it is lost. */
  tcsetattr(fd, TCSAFLUSH, &silent);
  dprintf(fd, "Password of %s: ", username);
  enum status status = read_password(fd, ret, error);
  tcsetattr(fd, TCSAFLUSH, &before);
  close(fd);
  return status;
}

/* -- All of it -- */

static enum status password_of(const struct ctl *ctl, char **ret,
                               struct error *error) {
  bool is_open = false;
  struct error cause;
  if (!ctl->password_file)
    return ask(ctl->user, ret, error);
  if (strcmp(ctl->password_file, "-") == 0)
    return read_password(STDIN_FILENO, ret, error);
  enum status status =
      login_read(NULL, ctl->password_file, ret, &is_open, &cause);
  if (status)
    return error_set(error, status, "--password-file %.128s: %s",
                     ctl->password_file, cause.text);
  if (is_open)
    fprintf(stderr,
            "jolokiactl: warning: everybody may read %.128s; chmod o-r it\n",
            ctl->password_file);
  return STATUS_OK;
}

enum status operator_open(const struct ctl *ctl, struct operator* ret,
                          struct error *error) {
  struct operator operator= {0};
  *ret = operator;
  session_catch_signals(NULL);
  if (!ctl->user && ctl->password_file)
    return error_set(error, STATUS_INVALID,
                     "--password-file is the password of --user, which is "
                     "missing: give both");
  if (!ctl->user)
    return STATUS_OK;
  enum status status = password_of(ctl, &operator.password, error);
  if (status)
    return status;
  operator.username = strdup(ctl->user);
  if (!operator.username) {
    operator_close(&operator);
    return error_set(error, STATUS_NO_MEMORY, "no memory for the login");
  }
  *ret = operator;
  return STATUS_OK;
}

void operator_close(struct operator* operator) {
  if (operator->password)
    explicit_bzero(operator->password, strlen(operator->password));
  free(operator->password);
  free(operator->username);
  *operator=(struct operator){0};
}

enum status operator_login(const struct operator* operator,
                           const struct node_settings * node, bool is_change,
                           struct login *ret, struct error *error) {
  const struct operator_settings *settings = &node->operator;
  if (operator->username)
    *ret = (struct login){operator->username, operator->password };
  else if (settings->username)
    *ret = (struct login){settings->username, settings->password};
  else if (settings->is_monitor || !is_change)
    *ret = (struct login){node->username, node->password};
  else
    return error_set(error, STATUS_AUTH,
                     "%.64s/%.64s: nobody is named who may change things: give "
                     "--user NAME, with --password-file FILE or at a terminal, "
                     "or an <Operator> block with Username and PasswordFile, "
                     "or with Login \"same\", in the settings",
                     node->cluster, node->name);
  return STATUS_OK;
}
