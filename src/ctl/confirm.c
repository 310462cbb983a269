/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/confirm.h"

#include "ctl/session.h"
#include "ctl/terminal.h"

#include <stdio.h>
#include <strings.h>

enum exit_code confirm(const struct ctl *ctl, const char *question) {
  char line[16] = "";
  if (ctl->is_yes)
    return EXIT_CODE_DONE;
  if (!terminal_is_there()) {
    fputs("jolokiactl: nothing was changed: there is no terminal to ask on; "
          "--yes does not ask\n",
          stderr);
    return EXIT_CODE_UNSAFE;
  }
  bool is_read = terminal_ask(question, " [y/N]", line, sizeof(line));
  if (session_is_stopped())
    return EXIT_CODE_INTERRUPTED;
  if (is_read && (strcasecmp(line, "y") == 0 || strcasecmp(line, "yes") == 0))
    return EXIT_CODE_DONE;
  fputs("jolokiactl: nothing was changed\n", stderr);
  return EXIT_CODE_UNSAFE;
}
