/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/commands.h"

#include "ctl/arguments.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* As many as the system takes. */
#define WORDS_MAX SIZE_MAX

#define MESSAGES_ABOUT                                                         \
  "Messages of one queue, by their ids: from the command line, from a file, "  \
  "or\nthose that a filter selects. Fifty a request, under the node's "        \
  "ceilings. Looks\nfirst whether it is safe, asks, and says of each id: "     \
  "done, absent, failed or\nunknown. A resume file in the folder where it "    \
  "runs says the same, from which\n--resume goes on. The first Ctrl-C ends "   \
  "it "                                                                        \
  "after the request that is under way."

static const struct command commands[] = {
    {"poll", FOR_POLL, MAY_HAVE_TARGET, "", 0, 0,
     "reads every value once and shows it",
     "One round of all intervals, as collectd would run it, under the\n"
     "nodes' own ceilings. Each node's values, then how it went.",
     poll_main},
    {"check", FOR_CHECK, MAY_HAVE_TARGET, "", 0, 0,
     "checks the settings and probes the nodes",
     "Every mistake in the settings with its place, reason and remedy; then\n"
     "one round of each node: does it answer, as what, what does it refuse,\n"
     "what does a round cost, which interval does the node afford.",
     check_main},
    {"exec", FOR_EXEC, NO_TARGET, "", 0, 0,
     "prints values for collectd's exec plugin",
     "Runs for ever and prints PUTVAL lines with the module's own "
     "identifiers.\n"
     "  <Plugin exec>\n"
     "    Exec \"USER\" \"/usr/bin/jolokiactl\" \"--config\" \"FILE\" "
     "\"exec\"\n"
     "  </Plugin>",
     exec_main},
    {"limits", FOR_LIMITS, MAY_HAVE_TARGET, "", 0, 0,
     "shows the ceilings, who waits and why",
     "Of each node, over all processes of this host that share its ceiling:\n"
     "how full each ceiling is and what is used of it, who waits for what and\n"
     "since when, what each owner has asked, how long the broker takes, and a\n"
     "verdict: our ceiling, or a slow broker. Looks twice, a second apart.\n"
     "Sends nothing.",
     limits_main},
    {"hold", FOR_HOLD, NEEDS_TARGET, "", 0, 0, "lets nothing be asked of nodes",
     "No process of this host that shares the nodes' ceilings, collectd\n"
     "included, sends them anything until the time is over or they are\n"
     "released. Meanwhile they are held, and not told to be down. What was\n"
     "sent before goes on.",
     hold_main},
    {"release", FOR_RELEASE, NEEDS_TARGET, "", 0, 0, "ends a hold",
     "Ends what `jolokiactl hold` began.", release_main},
    {"names", FOR_NAMES, NEEDS_TARGET, "[NAME ...]", 0, WORDS_MAX,
     "tells which object a series is of, and the other way",
     "Of each queue and address its name and its series; of all, or of those\n"
     "whose name or series is given. Asks the nodes for their names: a series\n"
     "with a hash in it leads back to its object only so. --offline makes\n"
     "series of names, and asks nobody.",
     names_main},
    {"nodes", FOR_NODES, MAY_HAVE_TARGET, "", 0, 0,
     "shows the nodes of clusters, and who else is in them",
     "One round of each node: in which state and role it is, which belong\n"
     "together, and why one is down. Where a cluster discovers its members,\n"
     "those that are found, and those that may not or cannot be watched.",
     nodes_main},
    {"register", FOR_REGISTER, NEEDS_URL, "", 0, 0,
     "proposes a cluster file for the broker at a URL",
     "Probes the URL (usually https://HOST:8161/console/jolokia), asks the\n"
     "broker for the other members of its cluster, and proposes a cluster\n"
     "file. Asks on a terminal for what it cannot find out. The login is sent\n"
     "to no host but the URL's own, those of --allow-host, and those that a\n"
     "person has said yes to. All under the ceilings of the URLs.",
     register_main},
    {"queue delete", FOR_QUEUE_DELETE, NEEDS_NODE, "QUEUE", 1, 1,
     "deletes a queue",
     "Says what is on the queue and what feeds it, asks, deletes it, and\n"
     "looks whether it is gone. A queue with consumers or messages is left\n"
     "unless the options say so. QUEUE is a name, or ADDRESS::QUEUE where\n"
     "several addresses have one of that name.",
     queue_delete_main},
    {"messages list", FOR_MESSAGES_LIST, NEEDS_TARGET, "QUEUE", 1, 1,
     "shows the messages of a queue",
     "From the front of the queue on: ids, when they were sent, and of dead\n"
     "letters which queue they come from. QUEUE is a name, or ADDRESS::QUEUE.",
     messages_list_main},
    {"messages remove", FOR_MESSAGES_REMOVE, NEEDS_NODE, "QUEUE [ID ...]", 1,
     WORDS_MAX, "removes messages by their ids", MESSAGES_ABOUT,
     messages_remove_main},
    {"messages move", FOR_MESSAGES_MOVE, NEEDS_NODE, "QUEUE [ID ...]", 1,
     WORDS_MAX, "moves messages by their ids to another queue", MESSAGES_ABOUT,
     messages_move_main},
    {"messages expire", FOR_MESSAGES_EXPIRE, NEEDS_NODE, "QUEUE [ID ...]", 1,
     WORDS_MAX, "sends messages by their ids to the expiry address",
     MESSAGES_ABOUT, messages_expire_main},
    {"messages retry", FOR_MESSAGES_RETRY, NEEDS_NODE, "QUEUE [ID ...]", 1,
     WORDS_MAX, "sends dead letters by their ids back where they come from",
     MESSAGES_ABOUT, messages_retry_main},
    {"messages dead-letter", FOR_MESSAGES_DEAD_LETTER, NEEDS_NODE,
     "QUEUE [ID ...]", 1, WORDS_MAX,
     "sends messages by their ids to the dead-letter address", MESSAGES_ABOUT,
     messages_dead_letter_main},
    {"capture install", FOR_CAPTURE_INSTALL, NEEDS_TARGET, "ADDRESS", 1, 1,
     "copies an address' messages into a bounded queue",
     "Consumers still get all of theirs. The copies are in the queue\n"
     "jolokia.capture.NAME, which keeps the last ones only, and is lost when\n"
     "the broker restarts. What fails is undone. Where it is there already,\n"
     "nothing is done.",
     capture_install_main},
    {"capture remove", FOR_CAPTURE_REMOVE, NEEDS_TARGET, "NAME|ADDRESS", 1, 1,
     "ends a capture, or what is left of one",
     "Removes the divert, the queue with the copies, the address and its\n"
     "settings, and looks whether they are gone.",
     capture_remove_main},
    {"capture list", FOR_CAPTURE_LIST, NEEDS_TARGET, "", 0, 0,
     "shows the captures",
     "What is captured from where, how many copies there are, and what is\n"
     "left of captures that are not whole.",
     capture_list_main},
};
#define COMMANDS_N (sizeof(commands) / sizeof(*commands))

/* How many of the ${n} words are the front of ${name}; 0: they are not. */
static size_t matching(const char *name, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    size_t len = strcspn(name, " ");
    if (strlen(words[i]) != len || memcmp(words[i], name, len) != 0)
      return 0;
    if (!name[len])
      return i + 1;
    name += len + 1;
  }
  return n;
}

static bool is_whole(const char *name, size_t n_words) {
  return (strchr(name, ' ') ? 2U : 1U) == n_words;
}

/* The words stop short of a command, or there is no such one. */
static void tell_unknown(const char *const *words, size_t n) {
  bool is_group = false;
  for (size_t i = 0; i < COMMANDS_N; i++)
    is_group |= matching(commands[i].name, words, 1) == 1;
  if (!is_group) {
    fprintf(stderr, "jolokiactl: there is no command \"%.64s\"\n", words[0]);
    return;
  }
  if (n > 1)
    fprintf(stderr,
            "jolokiactl: there is no command \"%.64s %.64s\":", words[0],
            words[1]);
  else
    fprintf(stderr, "jolokiactl: %.64s what?", words[0]);
  const char *separator = " there is";
  for (size_t i = 0; i < COMMANDS_N; i++)
    if (matching(commands[i].name, words, 1) == 1) {
      fprintf(stderr, "%s %s", separator, commands[i].name);
      separator = ",";
    }
  fputc('\n', stderr);
}

const struct command *commands_find(const char *const *words, size_t n,
                                    size_t *ret_used) {
  for (size_t i = 0; i < COMMANDS_N; i++) {
    size_t used = matching(commands[i].name, words, n);
    if (used > 0 && is_whole(commands[i].name, used)) {
      *ret_used = used;
      return &commands[i];
    }
  }
  tell_unknown(words, n);
  return NULL;
}

static void help_one(const struct command *command) {
  static const char *const targets[] = {[NO_TARGET] = "",
                                        [MAY_HAVE_TARGET] = " [CLUSTER[/NODE]]",
                                        [NEEDS_TARGET] = " CLUSTER[/NODE]",
                                        [NEEDS_NODE] = " CLUSTER/NODE",
                                        [NEEDS_URL] = " URL"};
  printf("usage: jolokiactl %s [OPTION ...]%s%s%s\n\n%s\n", command->name,
         targets[command->target], *command->words ? " " : "", command->words,
         command->about);
  arguments_help(command->bit);
}

bool commands_help(const char *const *words, size_t n) {
  unsigned bits = 0;
  for (size_t i = 0; i < COMMANDS_N; i++) {
    size_t used = matching(commands[i].name, words, n);
    if (used > 0 && is_whole(commands[i].name, used)) {
      help_one(&commands[i]);
      return true;
    }
    bits |=
        n == 0 || matching(commands[i].name, words, 1) ? commands[i].bit : 0;
  }
  if (bits == 0) {
    tell_unknown(words, n);
    return false;
  }
  puts("usage: jolokiactl COMMAND [OPTION ...] [CLUSTER[/NODE]] "
       "[WORD ...]\n\nCommands:");
  for (size_t i = 0; i < COMMANDS_N; i++)
    if (bits & commands[i].bit)
      printf("  %-20s  %s\n", commands[i].name, commands[i].summary);
  arguments_help(bits);
  puts("\nExit codes: 0 done, 1 some failed or absent, 2 usage or settings,\n"
       "3 unknown outcome, 4 no permit, 5 connection, 6 refused, 7 unsafe\n"
       "without an option, 130 interrupted.");
  return true;
}

bool commands_check(const struct command *command, const char *const *words,
                    size_t n) {
  static const char *const named[] = {
      [NEEDS_TARGET] = "CLUSTER or CLUSTER/NODE",
      [NEEDS_NODE] = "CLUSTER/NODE",
      [NEEDS_URL] = "the URL of a broker's Jolokia"};
  size_t n_target = command->target == NO_TARGET ? 0 : 1;
  const char *name = command->name;
  if (n == 0 && command->target >= NEEDS_TARGET)
    fprintf(stderr, "jolokiactl: %s: of what? Name %s\n", name,
            named[command->target]);
  else if (command->target == NEEDS_NODE && !strchr(words[0], '/'))
    fprintf(stderr,
            "jolokiactl: %s: \"%.64s\" is no node: write CLUSTER/NODE\n", name,
            words[0]);
  else if (n > 0 && n < n_target + command->min_words)
    fprintf(stderr, "jolokiactl: %s: %s is missing behind %.64s\n", name,
            command->words, words[n - 1]);
  else if (n > n_target && n - n_target > command->max_words)
    fprintf(stderr, "jolokiactl: %s: \"%.64s\" is a word too many\n", name,
            words[n - 1]);
  else
    return true;
  return false;
}
