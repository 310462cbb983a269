/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/terminal.h"

#include "ctl/session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

bool terminal_ask(const char *question, const char *mark, char *dst,
                  size_t size) {
  fprintf(stderr, "%s%s ", question, mark);
  fflush(stderr);
  if (!terminal_wait(STDIN_FILENO) || !fgets(dst, (int)size, stdin) ||
      session_is_stopped())
    return false;
  size_t len = strlen(dst);
  if (len == 0 || dst[len - 1] != '\n')
    return false;
  dst[len - 1] = '\0';
  return true;
}
