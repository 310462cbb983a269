/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/confirm.h"

#include "ctl/session.h"

#include <stdio.h>
#include <strings.h>
#include <unistd.h>

enum exit_code confirm(const struct ctl *ctl, const char *question) {
  char line[16] = "";
  if (ctl->is_yes)
    return EXIT_CODE_DONE;
  if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) {
    fputs("jolokiactl: nothing was changed: there is no terminal to ask on; "
          "--yes does not ask\n",
          stderr);
    return EXIT_CODE_UNSAFE;
  }
  fprintf(stderr, "%s [y/N] ", question);
  fflush(stderr);
  bool is_read = fgets(line, sizeof(line), stdin) != NULL;
  if (session_is_stopped())
    return EXIT_CODE_INTERRUPTED;
  if (is_read &&
      (strcasecmp(line, "y\n") == 0 || strcasecmp(line, "yes\n") == 0))
    return EXIT_CODE_DONE;
  fputs("jolokiactl: nothing was changed\n", stderr);
  return EXIT_CODE_UNSAFE;
}
