/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "base/log.h"
#include "base/num.h"
#include "base/version.h"
#include "ctl/ctl.h"
#include "ctl/duration.h"
#include "ctl/exit_code.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
  OPT_HELP = 256,
  OPT_VERSION,
  OPT_CONFIG,
  OPT_JSON,
  OPT_OFFLINE,
  OPT_TIMEOUT,
  OPT_INTERVAL,
  OPT_TYPES_DB,
  OPT_UNSHARED,
  OPT_WATCH,
  OPT_FOR
};

/* Which commands an option is for. */
enum {
  FOR_POLL = 1,
  FOR_CHECK = 2,
  FOR_EXEC = 4,
  FOR_LIMITS = 8,
  FOR_HOLD = 16,
  FOR_RELEASE = 32,
  FOR_SENDING = FOR_POLL | FOR_CHECK | FOR_EXEC,
  FOR_ALL = 63
};

enum target { NO_TARGET, MAY_HAVE_TARGET, NEEDS_TARGET };

#define HOLD_NS (1800 * CLOCK_NS_PER_S)
/* What a record takes: RECORD_OPERATOR_HOLD_MAX_NS. */
#define HOLD_MAX_NS (31 * 86400 * CLOCK_NS_PER_S)

static const struct {
  struct option option;
  unsigned commands;
  const char *help;
} options[] = {
    {{"config", required_argument, NULL, OPT_CONFIG},
     FOR_ALL,
     "--config FILE       a collectd.conf, a part of one, or a cluster file\n"
     "                      [/etc/collectd/collectd.conf]"},
    {{"json", no_argument, NULL, OPT_JSON},
     FOR_ALL & ~(unsigned)FOR_EXEC,
     "--json              one JSON object a line"},
    {{"timeout", required_argument, NULL, OPT_TIMEOUT},
     FOR_POLL | FOR_CHECK,
     "--timeout SECONDS   for all of it; what has not answered by then has\n"
     "                      failed [the settings' own timeouts]"},
    {{"offline", no_argument, NULL, OPT_OFFLINE},
     FOR_CHECK,
     "--offline           checks the settings, sends nothing"},
    {{"interval", required_argument, NULL, OPT_INTERVAL},
     FOR_EXEC,
     "--interval SECONDS  [COLLECTD_INTERVAL, or 10]"},
    {{"types-db", required_argument, NULL, OPT_TYPES_DB},
     FOR_EXEC,
     "--types-db FILE     collectd's [/usr/share/collectd/types.db]"},
    {{"watch", no_argument, NULL, OPT_WATCH},
     FOR_LIMITS,
     "--watch             again every second, until Ctrl-C"},
    {{"for", required_argument, NULL, OPT_FOR},
     FOR_HOLD,
     "--for TIME          30s, 30m, 2h, 7d; at most 31d [30m]"},
    {{"unshared", no_argument, NULL, OPT_UNSHARED},
     FOR_SENDING,
     "--unshared          changes go out, too, where the ceiling cannot be\n"
     "                      shared with the host's other programs (StateDir)"},
    {{"help", no_argument, NULL, OPT_HELP},
     FOR_ALL,
     "--help              this, or about a command"},
    {{"version", no_argument, NULL, OPT_VERSION},
     FOR_ALL,
     "--version           prints the version"},
};
#define OPTIONS_N (sizeof(options) / sizeof(*options))

static const struct command {
  const char *name;
  unsigned bit;
  enum target target;
  const char *summary;
  const char *about;
  int (*run)(const struct ctl *ctl);
} commands[] = {
    {"poll", FOR_POLL, MAY_HAVE_TARGET, "reads every value once and shows it",
     "One round of all intervals, as collectd would run it, under the\n"
     "nodes' own ceilings. Each node's values, then how it went.",
     poll_main},
    {"check", FOR_CHECK, MAY_HAVE_TARGET,
     "checks the settings and probes the nodes",
     "Every mistake in the settings with its place, reason and remedy; then\n"
     "one round of each node: does it answer, as what, what does it refuse,\n"
     "what does a round cost, which interval does the node afford.",
     check_main},
    {"exec", FOR_EXEC, NO_TARGET, "prints values for collectd's exec plugin",
     "Runs for ever and prints PUTVAL lines with the module's own "
     "identifiers.\n"
     "  <Plugin exec>\n"
     "    Exec \"USER\" \"/usr/bin/jolokiactl\" \"--config\" \"FILE\" "
     "\"exec\"\n"
     "  </Plugin>",
     exec_main},
    {"limits", FOR_LIMITS, MAY_HAVE_TARGET,
     "shows the ceilings, who waits and why",
     "Of each node, over all processes of this host that share its ceiling:\n"
     "how full each ceiling is and what is used of it, who waits for what and\n"
     "since when, what each owner has asked, how long the broker takes, and a\n"
     "verdict: our ceiling, or a slow broker. Looks twice, a second apart.\n"
     "Sends nothing.",
     limits_main},
    {"hold", FOR_HOLD, NEEDS_TARGET, "lets nothing be asked of nodes",
     "No process of this host that shares the nodes' ceilings, collectd\n"
     "included, sends them anything until the time is over or they are\n"
     "released. Meanwhile they are held, and not told to be down. What was\n"
     "sent before goes on.",
     hold_main},
    {"release", FOR_RELEASE, NEEDS_TARGET, "ends a hold",
     "Ends what `jolokiactl hold` began.", release_main},
};
#define COMMANDS_N (sizeof(commands) / sizeof(*commands))

static void help_options(unsigned bit) {
  puts("\nOptions:");
  for (size_t i = 0; i < OPTIONS_N; i++)
    if (options[i].commands & bit)
      printf("  %s\n", options[i].help);
}

static void help(const struct command *command) {
  static const char *const targets[] = {[NO_TARGET] = "",
                                        [MAY_HAVE_TARGET] = " [CLUSTER[/NODE]]",
                                        [NEEDS_TARGET] = " CLUSTER[/NODE]"};
  if (command) {
    printf("usage: jolokiactl %s [OPTION ...]%s\n\n%s\n", command->name,
           targets[command->target], command->about);
    help_options(command->bit);
    return;
  }
  puts("usage: jolokiactl COMMAND [OPTION ...] [CLUSTER[/NODE]]\n\nCommands:");
  for (size_t i = 0; i < COMMANDS_N; i++)
    printf("  %-8s %s\n", commands[i].name, commands[i].summary);
  help_options(FOR_ALL);
  puts("\nExit codes: 0 done, 1 some failed or absent, 2 usage or settings,\n"
       "3 unknown outcome, 4 no permit, 5 connection, 6 refused, 7 unsafe\n"
       "without an option, 130 interrupted.");
}

static bool read_seconds(const char *name, const char *text, int64_t *ret) {
  uint64_t ms;
  if (num_milli(text, strlen(text), &ms) && ms >= 1 && ms <= 86400000) {
    *ret = (int64_t)ms * CLOCK_NS_PER_MS;
    return true;
  }
  fprintf(stderr,
          "jolokiactl: --%s \"%.32s\" is no number of seconds from 0.001 to "
          "86400\n",
          name, text);
  return false;
}

static bool read_hold(const char *text, int64_t *ret) {
  if (duration_read(text, HOLD_MAX_NS, ret))
    return true;
  fprintf(stderr,
          "jolokiactl: --for \"%.32s\" is no time from 1s to 31d: write 30s, "
          "30m, 2h or 7d\n",
          text);
  return false;
}

struct parsed {
  struct ctl ctl;
  bool is_help;
  bool is_version;
  unsigned commands; /* for which all the options are */
  const char *odd;   /* the last option that is not for all */
};

static bool take_option(struct parsed *parsed, int value) {
  for (size_t i = 0; i < OPTIONS_N; i++)
    if (options[i].option.val == value && options[i].commands != FOR_ALL) {
      parsed->commands &= options[i].commands;
      parsed->odd = options[i].option.name;
    }
  switch (value) {
  case OPT_HELP:
    parsed->is_help = true;
    return true;
  case OPT_VERSION:
    parsed->is_version = true;
    return true;
  case OPT_CONFIG:
    parsed->ctl.config = optarg;
    return true;
  case OPT_JSON:
    parsed->ctl.is_json = true;
    return true;
  case OPT_OFFLINE:
    parsed->ctl.is_offline = true;
    return true;
  case OPT_WATCH:
    parsed->ctl.is_watch = true;
    return true;
  case OPT_FOR:
    return read_hold(optarg, &parsed->ctl.hold_ns);
  case OPT_UNSHARED:
    parsed->ctl.is_unshared = true;
    return true;
  case OPT_TIMEOUT:
    return read_seconds("timeout", optarg, &parsed->ctl.timeout_ns);
  case OPT_INTERVAL:
    return read_seconds("interval", optarg, &parsed->ctl.interval_ns);
  case OPT_TYPES_DB:
    parsed->ctl.types_db = optarg;
    return true;
  default:
    return false; /* getopt has said why */
  }
}

static bool parse(int argc, char **argv, struct parsed *ret) {
  struct option longs[OPTIONS_N + 1] = {0};
  struct parsed parsed = {.ctl = {.config = "/etc/collectd/collectd.conf",
                                  .types_db = "/usr/share/collectd/types.db",
                                  .hold_ns = HOLD_NS},
                          .commands = FOR_ALL};
  for (size_t i = 0; i < OPTIONS_N; i++)
    longs[i] = options[i].option;
  for (int value; (value = getopt_long(argc, argv, "", longs, NULL)) != -1;)
    if (!take_option(&parsed, value))
      return false;
  *ret = parsed;
  return true;
}

static int usage(void) {
  fputs("jolokiactl: see `jolokiactl --help`\n", stderr);
  return EXIT_CODE_USAGE;
}

static const struct command *find_command(const char *name) {
  for (size_t i = 0; i < COMMANDS_N; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static int run_command(const struct command *command, struct parsed *parsed,
                       int n_words, char **words) {
  if (!(parsed->commands & command->bit)) {
    fprintf(stderr, "jolokiactl: %s takes no --%s\n", command->name,
            parsed->odd);
    return usage();
  }
  if (n_words == 0 && command->target == NEEDS_TARGET) {
    fprintf(stderr, "jolokiactl: %s: of what? Name CLUSTER or CLUSTER/NODE\n",
            command->name);
    return usage();
  }
  if (n_words > (command->target == NO_TARGET ? 0 : 1)) {
    fprintf(stderr, "jolokiactl: %s: \"%.64s\" is a word too many\n",
            command->name, words[n_words - 1]);
    return usage();
  }
  parsed->ctl.target = n_words > 0 ? words[0] : NULL;
  return command->run(&parsed->ctl);
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
  struct parsed parsed;
  open_standard_files();
  if (!parse(argc, argv, &parsed))
    return usage();
  const char *name = optind < argc ? argv[optind] : NULL;
  const struct command *command = name ? find_command(name) : NULL;
  if (parsed.is_version) {
    printf("jolokiactl %s\n", version_text());
    return printed();
  }
  if (name && !command) {
    fprintf(stderr, "jolokiactl: there is no command \"%.64s\"\n", name);
    return usage();
  }
  if (parsed.is_help) {
    help(command);
    return printed();
  }
  if (!command) {
    fputs("jolokiactl: no command is named\n", stderr);
    return usage();
  }
  log_set_sink(write_log, NULL);
  return run_command(command, &parsed, argc - optind - 1, argv + optind + 1);
}
