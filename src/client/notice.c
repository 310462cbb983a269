/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/notice.h"

#include "base/clock.h"
#include "base/line.h"

#include <stdarg.h>
#include <stdio.h>

#define FAILURE(name, of_what)                                                 \
  .instance = (name), .of = (of_what), .severity = SEVERITY_FAILURE
#define WARNING(name, of_what)                                                 \
  .instance = (name), .of = (of_what), .severity = SEVERITY_WARNING
#define OKAY(name, of_what)                                                    \
  .instance = (name), .of = (of_what), .severity = SEVERITY_OKAY

static const struct notice_row rows[EVENT_COUNT] = {
    [EVENT_NODE_DOWN] =
        {"node down", FAILURE("node", NOTICE_OF_NODE),
         .meaning =
             "two rounds running failed, at the start too; why is in the text"},
    [EVENT_NODE_UP] = {"node up", OKAY("node", NOTICE_OF_NODE),
                       .meaning =
                           "it answers again; in which role is in the text"},
    [EVENT_CLUSTER_DOWN] =
        {"cluster down", FAILURE("cluster", NOTICE_OF_CLUSTER),
         .meaning = "all its nodes are down or their login is held; the last "
                    "one has no notification of its own"},
    [EVENT_CLUSTER_UP] = {"cluster up", OKAY("cluster", NOTICE_OF_CLUSTER),
                          .meaning = "one of its nodes answers again"},
    [EVENT_LOGIN_HELD] = {"login held", FAILURE("login", NOTICE_OF_NODE),
                          .meaning = "its login was refused three times, and "
                                     "is tried ever more rarely"},
    [EVENT_LOGIN_ACCEPTED] = {"login accepted", OKAY("login", NOTICE_OF_NODE),
                              .meaning = "the login works again"},
    [EVENT_SCRAPE_PINCHED] =
        {"scrape pinched", WARNING("scrape", NOTICE_OF_NODE),
         .meaning = "three rounds running waited for permits for over half the "
                    "interval: see jolokiactl limits"},
    [EVENT_SCRAPE_EASY] = {"scrape easy", OKAY("scrape", NOTICE_OF_NODE),
                           .meaning = "three rounds running did not"},
    [EVENT_OVER_CAP] =
        {"over the cap", WARNING("cap", NOTICE_OF_NODE),
         .meaning = "MaxQueues or MaxAddresses leaves out queues, MBeans or "
                    "addresses; how many, and the first of them, are in the "
                    "text"},
    [EVENT_WITHIN_CAP] = {"within the cap", OKAY("cap", NOTICE_OF_NODE),
                          .meaning = "none is left out any more"},
    [EVENT_ROLE_CHANGED] = {"role changed", WARNING("role", NOTICE_OF_NODE),
                            .meaning =
                                "a failover or a fail-back: the node is active "
                                "now, in whose place is in the text"},
    [EVENT_PAIR_SPLIT] =
        {"pair split", FAILURE("pair", NOTICE_OF_NODE),
         .meaning =
             "two brokers with one NodeID are active at once (split brain)"},
    [EVENT_PAIR_WHOLE] = {"pair whole", OKAY("pair", NOTICE_OF_NODE),
                          .meaning = "one of them alone is"},
    [EVENT_ALIAS] =
        {"alias", WARNING("alias", NOTICE_OF_NODE),
         .meaning = "another node's URL leads to the same broker: it takes its "
                    "permits from that one's ceiling; remove one of the two"},
    [EVENT_ALIAS_OVER] = {"alias over", OKAY("alias", NOTICE_OF_NODE),
                          .meaning = "the two URLs lead to two brokers"},
    [EVENT_ALTERNATING] =
        {"alternating URL", FAILURE("url", NOTICE_OF_NODE),
         .meaning =
             "now one broker answers at its URL, now another, as behind a load "
             "balancer: its values are of no use; give each broker a URL"},
    [EVENT_ALTERNATING_OVER] =
        {"URL steady", OKAY("url", NOTICE_OF_NODE),
         .meaning = "one broker alone has answered for ten minutes"},
    [EVENT_CERTIFICATE_30_DAYS] = {"certificate expires",
                                   WARNING("certificate", NOTICE_OF_NODE),
                                   .meaning = "within 30 days"},
    [EVENT_CERTIFICATE_7_DAYS] = {"certificate expires soon",
                                  FAILURE("certificate", NOTICE_OF_NODE),
                                  .meaning =
                                      "within 7 days, or it has expired"},
    [EVENT_CERTIFICATE_RENEWED] = {"certificate renewed",
                                   OKAY("certificate", NOTICE_OF_NODE),
                                   .meaning = "another one with more time"},
    [EVENT_MEMBER_ADDED] =
        {"member added", OKAY("member", NOTICE_OF_NODE),
         .meaning = "discovery found it, and it is watched from now on"},
    [EVENT_MEMBER_DROPPED] =
        {"member dropped", WARNING("member", NOTICE_OF_NODE),
         .meaning = "a discovered member that no topology names and that does "
                    "not answer is watched no longer"},
    [EVENT_MEMBER_REFUSED] = {"member refused",
                              WARNING("member", NOTICE_OF_CLUSTER),
                              .meaning = "discovery found one that it may not "
                                         "or cannot watch; why is in the text"},
    [EVENT_FILE_REJECTED] = {"file rejected",
                             FAILURE("config", NOTICE_OF_COLLECTD),
                             .meaning = "a cluster file has a mistake; what it "
                                        "said before stays in force"},
    [EVENT_FILE_MENDED] = {"file mended", OKAY("config", NOTICE_OF_COLLECTD),
                           .meaning = "all cluster files are in force"},
    [EVENT_ENGINE_STOPPED] =
        {"engine stopped", FAILURE("engine", NOTICE_OF_COLLECTD),
         .meaning = "it has not looped for two intervals: no node is asked"},
    [EVENT_ENGINE_LOOPS] = {"engine loops", OKAY("engine", NOTICE_OF_COLLECTD),
                            .meaning = "it does again"},
    [EVENT_LOST] = {"notifications lost",
                    WARNING("notifications", NOTICE_OF_COLLECTD),
                    .meaning = "there were more than 256 between two "
                               "intervals; how many is in the text"},
};

const struct notice_row *notice_row(enum event event) { return &rows[event]; }

const char *severity_name(enum severity severity) {
  static const char *const names[] = {[SEVERITY_FAILURE] = "failure",
                                      [SEVERITY_WARNING] = "warning",
                                      [SEVERITY_OKAY] = "okay"};
  return names[severity];
}

static void send(const struct notice_sink *sink, enum event event,
                 const char *host, const char *cluster, const char *text) {
  const struct notice notice = {.event = event,
                                .host = host,
                                .cluster = cluster,
                                .text = text,
                                .time_ns = clock_wall_ns()};
  if (sink->notify)
    sink->notify(sink->cookie, &notice);
}

void notice_send(const struct notice_sink *sink, enum event event,
                 const char *host, const char *cluster, const char *format,
                 ...) {
  char text[NOTICE_TEXT_MAX];
  size_t len = (size_t)snprintf(text, sizeof(text), "%s: ", rows[event].event);
  va_list args;
  va_start(args, format);
  line_format(text + len, sizeof(text) - len, format, args);
  va_end(args);
  send(sink, event, host, cluster, text);
}

void notice_gone(const struct notice_sink *sink, enum event event,
                 const char *host, const char *cluster, const char *format,
                 ...) {
  char text[NOTICE_TEXT_MAX];
  va_list args;
  va_start(args, format);
  line_format(text, sizeof(text), format, args);
  va_end(args);
  send(sink, event, host, cluster, text);
}

struct notice notice_of_files(const char *error) {
  return (struct notice){.event =
                             error ? EVENT_FILE_REJECTED : EVENT_FILE_MENDED,
                         .host = "",
                         .cluster = "",
                         .text = error ? error : "nothing is wrong any more",
                         .time_ns = clock_wall_ns()};
}
