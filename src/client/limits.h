/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_LIMITS_H
#define CLIENT_LIMITS_H

/* The limiter as people ask for it: what a node's ceilings are, how full, who
 * waits, over all processes of the host, as its record tells it; and the
 * operator's hold. Needs no client and sends nothing. A record is read without
 * its lock: 512 bytes that are written at once, with a checksum. */

#include "artemis/scrape.h"
#include "config/settings.h"
#include "limit/levels.h"
#include "limit/record.h"
#include "limit/stamp.h"

/* A unit that has a bucket: permits, changes, bytes, seconds of handling. */
struct limits_unit {
  double level; /* now; below 0: debt */
  double burst;
  double per_second;
  int64_t debt_ns; /* until it is paid back */
};

/* A process's first waiter. */
struct limits_waiter {
  pid_t pid;
  enum owner owner;
  enum unit unit; /* what keeps it waiting */
  int64_t waited_ns;
};

/* A process that scrapes the node. */
struct limits_scraper {
  pid_t pid;
  bool is_daemon;    /* collectd; else `jolokiactl exec` */
  bool is_elsewhere; /* in a container of its own: its pid means nothing here */
};

struct limits {
  int64_t now_ns; /* CLOCK_MONOTONIC: when this was so */
  struct limits_unit unit[UNIT_BUCKETS];
  uint32_t max_in_flight;
  uint32_t max_waiting;
  int64_t permit_timeout_ns[OWNER_COUNT];

  /* STATUS_OK: the record was read, and what follows is of it. STATUS_INVALID:
   * it cannot be; the text says why, and what to do. STATUS_NOT_FOUND: there is
   * none. The levels are then those that a new one begins with, and all else
   * is 0. */
  struct error record;
  int64_t retry_after_ns;   /* what is left of the node's Retry-After */
  int64_t operator_hold_ns; /* what is left of the operator's hold */
  struct record_totals totals[OWNER_COUNT];
  uint64_t changes, handling_ns; /* of all owners */
  uint64_t refused[REFUSAL_COUNT];
  struct limits_waiter waiters[RECORD_HEADS]; /* the longest first */
  size_t n_waiters;
  /* RECORD_SCRAPERS of them: there may be more. One that was killed is not told
   * any more, one that is elsewhere after three of its rounds. */
  struct limits_scraper scrapers[RECORD_SCRAPERS];
  size_t n_scrapers;
  int64_t round_ago_ns[TIER_COUNT]; /* since the last whole round of the tier,
                                       to STAMP_STEP_NS; -1: of the fast one,
                                       and where there was none */
  int64_t pace_ns[KIND_COUNT]; /* the node's time for a request of that kind,
                                  lately; -1: none */
};

/* client_limits(settings, node, default_interval_ns, now_ns, ret): of a node of
 * ${settings}; fills all of ${ret}. Makes no file. */
void client_limits(const struct settings *settings,
                   const struct node_settings *node,
                   int64_t default_interval_ns, int64_t now_ns,
                   struct limits *ret);

/* client_hold(settings, node, until_ns, now_ns, error): no process of the host
 * that shares the node's ceiling sends it anything before ${until_ns}
 * (CLOCK_MONOTONIC, at most RECORD_OPERATOR_HOLD_MAX_NS ahead); 0 ends it.
 * STATUS_BUSY: another process has the record just now: again in some
 * milliseconds. STATUS_INVALID, STATUS_NO_MEMORY: nothing is held; the text
 * says why. */
enum status client_hold(const struct settings *settings,
                        const struct node_settings *node, int64_t until_ns,
                        int64_t now_ns, struct error *error);

#endif
