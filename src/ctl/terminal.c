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

/* false: a signal to stop. ${mask} lets them in while it waits alone, so that
 * none comes between a look and the wait. */
static bool wait_for_line(const sigset_t *mask) {
  struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
  while (!session_is_stopped()) {
    int n = ppoll(&in, 1, NULL, mask);
    if (n >= 0 || errno != EINTR)
      return true;
  }
  return false;
}

bool terminal_ask(const char *question, const char *mark, char *dst,
                  size_t size) {
  sigset_t stops;
  sigset_t before;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGHUP);
  sigprocmask(SIG_BLOCK, &stops, &before);
  fprintf(stderr, "%s%s ", question, mark);
  fflush(stderr);
  bool is_there = wait_for_line(&before);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (!is_there || !fgets(dst, (int)size, stdin) || session_is_stopped())
    return false;
  size_t len = strlen(dst);
  if (len == 0 || dst[len - 1] != '\n')
    return false;
  dst[len - 1] = '\0';
  return true;
}
