/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_NOTICE_H
#define CLIENT_NOTICE_H

/* What is worth a notification: one table of events. The manual's is made from
 * it. */

#include <stddef.h>
#include <stdint.h>

enum event {
  EVENT_NODE_DOWN,
  EVENT_NODE_UP,
  EVENT_CLUSTER_DOWN,
  EVENT_CLUSTER_UP,
  EVENT_LOGIN_HELD,
  EVENT_LOGIN_ACCEPTED,
  EVENT_SCRAPE_PINCHED,
  EVENT_SCRAPE_EASY,
  EVENT_OVER_CAP,
  EVENT_WITHIN_CAP,
  EVENT_ROLE_CHANGED,
  EVENT_PAIR_SPLIT,
  EVENT_PAIR_WHOLE,
  EVENT_ALIAS,
  EVENT_ALIAS_OVER,
  EVENT_ALTERNATING,
  EVENT_ALTERNATING_OVER,
  EVENT_CERTIFICATE_30_DAYS,
  EVENT_CERTIFICATE_7_DAYS,
  EVENT_CERTIFICATE_RENEWED,
  EVENT_MEMBER_ADDED,
  EVENT_MEMBER_DROPPED,
  EVENT_MEMBER_REFUSED,
  EVENT_FILE_REJECTED,
  EVENT_FILE_MENDED,
  EVENT_ENGINE_STOPPED,
  EVENT_ENGINE_LOOPS,
  EVENT_LOST, /* more than could be kept */
  EVENT_COUNT
};

enum severity { SEVERITY_FAILURE, SEVERITY_WARNING, SEVERITY_OKAY };

/* Whose the notification is: its host. */
enum notice_of { NOTICE_OF_NODE, NOTICE_OF_CLUSTER, NOTICE_OF_COLLECTD };

/* One row. The end of a trouble has its type instance, with another severity:
 * collectd's own threshold plugin does so, and what matches pairs of them by
 * their identity. */
struct notice_row {
  const char *event;    /* "node down" */
  const char *instance; /* type instance: "node" */
  enum severity severity;
  enum notice_of of;
  const char *meaning; /* for the manual; no full stop */
};

/* notice_row(event): of the table; static storage. */
const struct notice_row *notice_row(enum event event);
const char *severity_name(enum severity severity); /* "failure", ... */

/* Plugin and type of all. collectd asks no types.db about notifications. */
#define NOTICE_PLUGIN "jolokia"
#define NOTICE_TYPE "state"

/* Longest text, collectd's own limit with its 0 (NOTIF_MAX_MSG_LEN). */
#define NOTICE_TEXT_MAX 256

struct notice {
  enum event event;
  const char *host;    /* node or cluster; "" collectd's own host */
  const char *cluster; /* plugin instance; "": none */
  const char *text;    /* "node down: connect: refused"; one line */
  int64_t time_ns;     /* CLOCK_REALTIME */
};

/* ${notify} may be NULL: nobody wants them. Strings are valid during the call
 * only. On the thread that runs client_turn(). */
struct notice_sink {
  void (*notify)(void *cookie, const struct notice *notice);
  void *cookie;
};

/* notice_send(sink, event, host, cluster, format, ...): now; the text is the
 * event's name, a colon and what ${format} makes, cut at a whole character. */
void notice_send(const struct notice_sink *sink, enum event event,
                 const char *host, const char *cluster, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* notice_gone(sink, event, host, cluster, format, ...): now: what ${event}, one
 * that is okay, would have ended is over, as whose it was is gone: that one's
 * identity, and only what ${format} makes as its text. */
void notice_gone(const struct notice_sink *sink, enum event event,
                 const char *host, const char *cluster, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* notice_of_files(error): now: what is wrong with the settings' files, the
 * first of it; NULL: nothing any more. ${error} must stay. */
struct notice notice_of_files(const char *error);

#endif
