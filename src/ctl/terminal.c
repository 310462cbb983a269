/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/terminal.h"

#include "ctl/output.h"
#include "ctl/session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define QUESTION_MAX_BYTES 65536

bool terminal_is_there(void) {
  return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

/* The signals are let in while it waits alone, so that none comes between the
 * look and the wait. */
bool terminal_wait(int fd) {
  struct pollfd in = {.fd = fd, .events = POLLIN};
  sigset_t stops;
  sigset_t before;
  int n = -1;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGHUP);
  sigprocmask(SIG_BLOCK, &stops, &before);
  while (n < 0 && !session_is_stopped()) {
    n = ppoll(&in, 1, NULL, &before);
    if (n < 0 && errno != EINTR)
      break; /* who reads is told */
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  return !session_is_stopped();
}

/* Names in it are the brokers' and their clients'. */
static void ask(const char *question, const char *mark) {
  struct buf text;
  buf_init(&text, QUESTION_MAX_BYTES);
  buf_printf(&text, "%s%s ", question, mark);
  output_clean(&text);
  fputs(buf_text(&text), stderr);
  fflush(stderr);
  buf_fini(&text);
}

bool terminal_ask(const char *question, const char *mark, char *dst,
                  size_t size) {
  ask(question, mark);
  if (!terminal_wait(STDIN_FILENO) || !fgets(dst, (int)size, stdin) ||
      session_is_stopped())
    return false;
  size_t len = strlen(dst);
  if (len == 0 || dst[len - 1] != '\n')
    return false;
  dst[len - 1] = '\0';
  return true;
}
