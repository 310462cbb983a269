/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/log.h"
#include "base/version.h"
#include "ctl/arguments.h"
#include "ctl/commands.h"
#include "ctl/exit_code.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

/* ${command}: whose help tells more; NULL: that of all. */
static int usage(const struct command *command) {
  fprintf(stderr, "jolokiactl: see `jolokiactl %s%s--help`\n",
          command ? command->name : "", command ? " " : "");
  return EXIT_CODE_USAGE;
}

static int run_command(const struct command *command,
                       struct arguments *arguments, const char *const *words,
                       size_t n) {
  const char *odd = arguments_odd(arguments, command->bit);
  if (odd) {
    fprintf(stderr, "jolokiactl: %s takes no --%s\n", command->name, odd);
    return usage(command);
  }
  if (!commands_check(command, words, n))
    return usage(command);
  if (n > 0) {
    arguments->ctl.target = words[0];
    arguments->ctl.args = words + 1;
    arguments->ctl.n_args = n - 1;
  }
  return command->run(&arguments->ctl);
}

/* No news: collectd writes what exec says on standard error as an error. */
static void write_log(void *cookie, enum log_level level, const char *line) {
  (void)cookie;
  if (level <= LOG_LEVEL_WARNING)
    fprintf(stderr, "jolokiactl: %s\n", line);
}

/* One that is closed would be given to a socket, and written into. These give
 * EBADF where they are used. */
static void open_standard_files(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Whether what was printed has left. */
static int printed(void) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return EXIT_CODE_DONE;
  perror("jolokiactl: standard output");
  return EXIT_CODE_SOME;
}

int main(int argc, char **argv) {
  struct arguments arguments;
  open_standard_files();
  if (!arguments_parse(argc, argv, &arguments))
    return usage(NULL);
  const char *const *words = (const char *const *)argv + optind;
  size_t n = (size_t)(argc - optind);
  size_t n_used;
  if (arguments.is_version) {
    printf("jolokiactl %s\n", version_text());
    return printed();
  }
  if (arguments.is_help)
    return commands_help(words, n) ? printed() : usage(NULL);
  if (n == 0) {
    fputs("jolokiactl: no command is named\n", stderr);
    return usage(NULL);
  }
  const struct command *command = commands_find(words, n, &n_used);
  if (!command)
    return usage(NULL);
  log_set_sink(write_log, NULL);
  return run_command(command, &arguments, words + n_used, n - n_used);
}
