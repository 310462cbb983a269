/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/terminal.h"

#include "ctl/session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool terminal_is_there(void) {
  return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

bool terminal_ask(const char *question, const char *mark, char *dst,
                  size_t size) {
  fprintf(stderr, "%s%s ", question, mark);
  fflush(stderr);
  if (!fgets(dst, (int)size, stdin) || session_is_stopped())
    return false;
  size_t len = strlen(dst);
  if (len == 0 || dst[len - 1] != '\n')
    return false;
  dst[len - 1] = '\0';
  return true;
}
