/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_CAUSE_H
#define CTL_CAUSE_H

/* The verdict of `jolokiactl limits`: what keeps a node's requests waiting. A
 * ceiling of ours that is too low for what is asked, and a broker that is slow,
 * look alike to who waits. Pure. */

#include "base/buf.h"
#include "client/limits.h"

/* A kind of request that takes the node so long is slow: at the default
 * HandlingShare it affords one a second. */
#define CAUSE_SLOW_NS INT64_C(250000000)

/* So long anybody may wait for a permit: at 20 a second a scrape of some
 * requests does. */
#define CAUSE_WAIT_NS INT64_C(250000000)

enum cause {
  CAUSE_NOTHING,
  CAUSE_OPERATOR,    /* holds it */
  CAUSE_RETRY_AFTER, /* the broker asked for a pause */
  CAUSE_CEILING,     /* ours */
  CAUSE_BROKER_SLOW, /* with every kind of request that was seen lately, and
                        with two at least */
  CAUSE_KIND_SLOW,   /* with one kind, or some */
  CAUSE_COUNT
};

/* cause_name(cause): the stable string, static storage. */
const char *cause_name(enum cause cause);

struct verdict_of_limits {
  enum cause cause;
  const struct limits_waiter *waiter; /* the longest; NULL: nobody waits */
  enum unit unit;                     /* of CAUSE_CEILING */
  enum request_kind kind;             /* of CAUSE_KIND_SLOW: the slowest */
};

/* cause_find(limits): in this order: a hold; somebody who waits for permits,
 * changes, bytes or the record for longer than CAUSE_WAIT_NS; a slow broker;
 * any other wait; a debt. */
struct verdict_of_limits cause_find(const struct limits *limits);

/* cause_text(out, limits, verdict): one sentence, without a full stop. */
void cause_text(struct buf *out, const struct limits *limits,
                const struct verdict_of_limits *verdict);

#endif
