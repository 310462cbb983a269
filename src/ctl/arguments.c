/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/arguments.h"

#include "base/clock.h"
#include "base/num.h"
#include "ctl/duration.h"
#include "ctl/messages.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  OPT_HELP = 256,
  OPT_VERSION,
  OPT_CONFIG,
  OPT_JSON,
  OPT_OFFLINE,
  OPT_WHY,
  OPT_TIMEOUT,
  OPT_INTERVAL,
  OPT_TYPES_DB,
  OPT_UNSHARED,
  OPT_WATCH,
  OPT_FOR,
  OPT_USER,
  OPT_PASSWORD_FILE,
  OPT_YES,
  OPT_DRY_RUN,
  OPT_CONSUMERS,
  OPT_MESSAGES,
  OPT_NAME,
  OPT_RING,
  OPT_MAX_BYTES,
  OPT_FILTER,
  OPT_ROLE,
  OPT_WRITE,
  OPT_ALLOW_HOST,
  OPT_IDS_FILE,
  OPT_TO,
  OPT_MAX,
  OPT_BROWSE_LIMIT,
  OPT_RESUME
};

#define HOLD_NS (1800 * CLOCK_NS_PER_S)
/* What a record takes: RECORD_OPERATOR_HOLD_MAX_NS. */
#define HOLD_MAX_NS (31 * 86400 * CLOCK_NS_PER_S)

#define RING_DEFAULT 1000
#define RING_MAX 1000000
#define MAX_BYTES_DEFAULT (16 * 1024 * 1024)
#define MAX_BYTES_MIN (64 * 1024)
#define MAX_BYTES_MAX (1024 * 1024 * 1024)

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
     FOR_POLL | FOR_CHECK | FOR_REGISTER | FOR_NODES | FOR_NAMES |
         FOR_OPERATORS,
     "--timeout SECONDS   for all of it; what has not answered by then has\n"
     "                      failed [the settings' own timeouts]"},
    {{"offline", no_argument, NULL, OPT_OFFLINE},
     FOR_CHECK | FOR_NAMES,
     "--offline           sends nothing"},
    {{"why", required_argument, NULL, OPT_WHY},
     FOR_CHECK | FOR_NAMES,
     "--why SERIES        why collectd does not have it: a series, as\n"
     "                      HOST/artemis-queue-ORDERS/gauge-MessageCount or a\n"
     "                      part of that, or an object name"},
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
    {{"user", required_argument, NULL, OPT_USER},
     FOR_OPERATORS | FOR_REGISTER,
     "--user NAME         who asks for it; the password is asked for on the\n"
     "                      terminal [for a change: the settings' <Operator> "
     "block]"},
    {{"password-file", required_argument, NULL, OPT_PASSWORD_FILE},
     FOR_OPERATORS | FOR_REGISTER,
     "--password-file FILE\n"
     "                      the password of --user; -: standard input"},
    {{"yes", no_argument, NULL, OPT_YES},
     FOR_CHANGES,
     "--yes               does not ask before it changes something"},
    {{"dry-run", no_argument, NULL, OPT_DRY_RUN},
     FOR_CHANGES,
     "--dry-run           looks, and says what it would change"},
    {{"consumers", no_argument, NULL, OPT_CONSUMERS},
     FOR_QUEUE_DELETE,
     "--consumers         closes the queue's consumers"},
    {{"messages", no_argument, NULL, OPT_MESSAGES},
     FOR_QUEUE_DELETE,
     "--messages          the queue's messages are lost"},
    {{"name", required_argument, NULL, OPT_NAME},
     FOR_CAPTURE_INSTALL | FOR_REGISTER,
     "--name NAME         of the capture [the address]; of the cluster"},
    {{"write", required_argument, NULL, OPT_WRITE},
     FOR_REGISTER,
     "--write FILE        a new file, never over one [standard output]"},
    {{"allow-host", required_argument, NULL, OPT_ALLOW_HOST},
     FOR_REGISTER,
     "--allow-host PATTERN\n"
     "                      hosts beside the URL's own that get the login"},
    {{"ring", required_argument, NULL, OPT_RING},
     FOR_CAPTURE_INSTALL,
     "--ring N            keeps the last N messages [1000]"},
    {{"max-bytes", required_argument, NULL, OPT_MAX_BYTES},
     FOR_CAPTURE_INSTALL,
     "--max-bytes N       drops what would take more of the broker's memory\n"
     "                      [16777216]"},
    {{"filter", required_argument, NULL, OPT_FILTER},
     FOR_CAPTURE_INSTALL | FOR_MESSAGES | FOR_MESSAGES_LIST,
     "--filter EXPR       only messages that it selects; texts in single "
     "quotes:\n"
     "                      \"color = 'red'\""},
    {{"ids-file", required_argument, NULL, OPT_IDS_FILE},
     FOR_MESSAGES,
     "--ids-file FILE     message ids, one a line; -: standard input"},
    {{"to", required_argument, NULL, OPT_TO},
     FOR_MESSAGES_MOVE,
     "--to QUEUE          where they are moved to"},
    {{"max", required_argument, NULL, OPT_MAX},
     FOR_MESSAGES,
     "--max N             ids that a run may have; at most 1000000 [1000]"},
    {{"browse-limit", required_argument, NULL, OPT_BROWSE_LIMIT},
     FOR_MESSAGES | FOR_MESSAGES_LIST,
     "--browse-limit N    messages that may be looked at; at most 1000000\n"
     "                      [10000]"},
    {{"resume", required_argument, NULL, OPT_RESUME},
     FOR_MESSAGES,
     "--resume FILE       goes on with the run that made FILE"},
    {{"role", required_argument, NULL, OPT_ROLE},
     FOR_CAPTURE_INSTALL,
     "--role ROLE         who may consume and browse the copies over the\n"
     "                      messaging protocols [nobody]"},
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

void arguments_help(unsigned commands) {
  puts("\nOptions:");
  for (size_t i = 0; i < OPTIONS_N; i++)
    if (options[i].commands & commands)
      printf("  %s\n", options[i].help);
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

static bool read_count(const char *name, const char *text, uint64_t min,
                       uint64_t max, uint64_t *ret) {
  uint64_t count;
  if (num_uint64(text, strlen(text), &count) && count >= min && count <= max) {
    *ret = count;
    return true;
  }
  fprintf(stderr,
          "jolokiactl: --%s \"%.32s\" is no whole number from %" PRIu64
          " to %" PRIu64 "\n",
          name, text, min, max);
  return false;
}

static bool read_text(const char *name, const char *text, const char **ret) {
  if (text[strspn(text, " \t\r\n")]) { /* a blank filter selects all */
    *ret = text;
    return true;
  }
  fprintf(stderr, "jolokiactl: --%s is empty\n", name);
  return false;
}

/* Options that are but present or not. */
static bool take_flag(struct arguments *arguments, int value) {
  switch (value) {
  case OPT_HELP:
    return arguments->is_help = true;
  case OPT_VERSION:
    return arguments->is_version = true;
  case OPT_JSON:
    return arguments->ctl.is_json = true;
  case OPT_OFFLINE:
    return arguments->ctl.is_offline = true;
  case OPT_WATCH:
    return arguments->ctl.is_watch = true;
  case OPT_UNSHARED:
    return arguments->ctl.is_unshared = true;
  case OPT_YES:
    return arguments->ctl.is_yes = true;
  case OPT_DRY_RUN:
    return arguments->ctl.is_dry_run = true;
  case OPT_CONSUMERS:
    return arguments->ctl.with_consumers = true;
  case OPT_MESSAGES:
    return arguments->ctl.with_messages = true;
  default:
    return false; /* getopt has said why */
  }
}

static bool take_option(struct arguments *arguments, int value) {
  struct ctl *ctl = &arguments->ctl;
  switch (value) {
  case OPT_CONFIG:
    return read_text("config", optarg, &ctl->config);
  case OPT_FOR:
    return read_hold(optarg, &ctl->hold_ns);
  case OPT_TIMEOUT:
    return read_seconds("timeout", optarg, &ctl->timeout_ns);
  case OPT_INTERVAL:
    return read_seconds("interval", optarg, &ctl->interval_ns);
  case OPT_WHY:
    return read_text("why", optarg, &ctl->why);
  case OPT_TYPES_DB:
    return read_text("types-db", optarg, &ctl->types_db);
  case OPT_USER:
    return read_text("user", optarg, &ctl->user);
  case OPT_PASSWORD_FILE:
    return read_text("password-file", optarg, &ctl->password_file);
  case OPT_NAME:
    return read_text("name", optarg, &ctl->name);
  case OPT_WRITE:
    return read_text("write", optarg, &ctl->write);
  case OPT_ALLOW_HOST:
    return read_text("allow-host", optarg, &ctl->allow_host);
  case OPT_RING:
    return read_count("ring", optarg, 1, RING_MAX, &ctl->ring);
  case OPT_MAX_BYTES:
    return read_count("max-bytes", optarg, MAX_BYTES_MIN, MAX_BYTES_MAX,
                      &ctl->max_bytes);
  case OPT_FILTER:
    return read_text("filter", optarg, &ctl->filter);
  case OPT_ROLE:
    return read_text("role", optarg, &ctl->role);
  case OPT_IDS_FILE:
    return read_text("ids-file", optarg, &ctl->ids_file);
  case OPT_TO:
    return read_text("to", optarg, &ctl->to);
  case OPT_MAX:
    return read_count("max", optarg, 1, IDS_MAX, &ctl->max_ids);
  case OPT_BROWSE_LIMIT:
    return read_count("browse-limit", optarg, 1, BROWSE_LIMIT_MAX,
                      &ctl->browse_limit);
  case OPT_RESUME:
    return read_text("resume", optarg, &ctl->resume);
  default:
    return take_flag(arguments, value);
  }
}

_Static_assert(OPTIONS_N <= 64, "a bit each");

static void note_option(struct arguments *arguments, int value) {
  for (size_t i = 0; i < OPTIONS_N; i++)
    if (options[i].option.val == value)
      arguments->given |= UINT64_C(1) << i;
}

const char *arguments_odd(const struct arguments *arguments, unsigned command) {
  for (size_t i = 0; i < OPTIONS_N; i++)
    if (arguments->given >> i & 1 && !(options[i].commands & command))
      return options[i].option.name;
  return NULL;
}

bool arguments_parse(int argc, char **argv, struct arguments *ret) {
  struct option longs[OPTIONS_N + 1] = {0};
  struct arguments arguments = {
      .ctl = {.config = "/etc/collectd/collectd.conf",
              .types_db = "/usr/share/collectd/types.db",
              .hold_ns = HOLD_NS,
              .ring = RING_DEFAULT,
              .max_bytes = MAX_BYTES_DEFAULT,
              .max_ids = MESSAGES_MAX_DEFAULT,
              .browse_limit = BROWSE_LIMIT_DEFAULT}};
  for (size_t i = 0; i < OPTIONS_N; i++)
    longs[i] = options[i].option;
  for (int value; (value = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
    note_option(&arguments, value);
    if (!take_option(&arguments, value))
      return false;
  }
  *ret = arguments;
  return true;
}
