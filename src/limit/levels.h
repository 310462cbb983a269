/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_LEVELS_H
#define LIMIT_LEVELS_H

/* How full a node's buckets are, one for each unit that has a rate, and until
 * when it is held: what a ceiling decides on, and what the processes of a host
 * share. Pure; fixed width, so that it can be a part of a record. */

#include "limit/bucket.h"

/* What can keep a request waiting; the first four have a bucket. */
enum unit {
  UNIT_REQUESTS, /* paid before */
  UNIT_CHANGES,  /* likewise */
  UNIT_BYTES,    /* paid afterwards: their debt delays */
  UNIT_HANDLING, /* likewise */
  UNIT_IN_FLIGHT,
  UNIT_HOLD,   /* Retry-After */
  UNIT_SHARED, /* the record is another process's just now */
  UNIT_COUNT
};
#define UNIT_BUCKETS (UNIT_HANDLING + 1)
#define UNIT_PREPAID (UNIT_CHANGES + 1)

struct levels {
  struct bucket bucket[UNIT_BUCKETS];
  int64_t hold_until_ns;          /* Retry-After; CLOCK_MONOTONIC */
  int64_t operator_hold_until_ns; /* jolokiactl hold; likewise */
};

/* What the buckets are held to, by unit. */
struct levels_rates {
  struct bucket_rate unit[UNIT_BUCKETS];
};

/* unit_name(unit): the stable string ("in_flight"), static storage. */
const char *unit_name(enum unit unit);

/* levels_init(levels, rates, now_ns): new ones hold one permit, the changes of
 * one batch (the whole burst where that is less), no bytes and no handling,
 * which is enough for who pays afterwards; no hold. No re-registration grants
 * more. */
#define LEVELS_FIRST_CHANGES 50
void levels_init(struct levels *levels, const struct levels_rates *rates,
                 int64_t now_ns);

/* levels_accrue(levels, rates, now_ns): as bucket_accrue(), each. */
void levels_accrue(struct levels *levels, const struct levels_rates *rates,
                   int64_t now_ns);

/* levels_rates_divide(rates, n): each rate and burst; a burst of requests and
 * of changes stays one at least. */
void levels_rates_divide(struct levels_rates *rates, uint64_t n);

/* levels_worth_ns(rates, bytes, handling_ns): how long what was used takes to
 * come back, by the unit that takes longer; at most CLOCK_NEVER. More than 17
 * GB, or five hours, count as that (64 bits of level units). */
int64_t levels_worth_ns(const struct levels_rates *rates, uint64_t bytes,
                        int64_t handling_ns);

/* levels_now_ns(levels, now_ns): ${now_ns}, or the latest instant seen, where
 * that is later: a clock that goes back makes no hold longer. */
int64_t levels_now_ns(const struct levels *levels, int64_t now_ns);

/* levels_are_full(levels, rates, now_ns): all buckets full and no hold: nothing
 * is lost with them. Changes nothing. */
bool levels_are_full(const struct levels *levels,
                     const struct levels_rates *rates, int64_t now_ns);

#endif
