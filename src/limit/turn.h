/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_TURN_H
#define LIMIT_TURN_H

/* The waiting room of one node: FIFO inside an owner, weighted fair turns
 * between owners (start-time fair queueing, charged when granted). Pure; no
 * allocation: waiters are embedded in what waits. */

#include "limit/levels.h"

#include <stddef.h>

/* Whose request it is. The weights are fixed: scrape 4, slow 2, discovery 1,
 * command 4, bulk 2. */
enum owner {
  OWNER_SCRAPE,
  OWNER_SLOW,
  OWNER_DISCOVERY,
  OWNER_COMMAND,
  OWNER_BULK,
  OWNER_COUNT
};

struct waiter {
  struct waiter *next; /* in its owner's queue, or in flight; NULL at the end */
  struct waiter *prev;
  enum owner owner;
  uint32_t cost;       /* permits, >= 1 */
  uint32_t changes;    /* among its operations */
  int64_t since_ns;    /* CLOCK_MONOTONIC when it entered */
  int64_t deadline_ns; /* the last instant at which it still waits */
  unsigned blocked;    /* by which units (1 << unit) it was held as its owner's
                          first */
  int64_t room[UNIT_PREPAID]; /* the ceiling's own; see ceiling_give_back() */
  uint64_t sequence; /* of the record, when it was granted by one; else 0 */
  bool is_waiting;   /* in a queue now */
  bool is_in_flight; /* granted and not yet released */
};

/* A grant moves its owner's virtual time by cost x TURN_SCALE / weight: whole
 * numbers, for thousandths of a permit too, as 4 is a multiple of every weight.
 * At 1,000,000 permits a second 64 bits last for 146 years. */
#define TURN_SCALE 4000

struct turn_queue {
  struct waiter *head;
  struct waiter *tail;
  uint32_t len;
  uint64_t virtual_time; /* up to which the owner has been served; where the
                            room's is later, its head starts at the room's */
  int64_t deadline_ns;   /* the earliest in the queue; CLOCK_NEVER if empty */
  bool is_ordered;       /* no deadline is earlier than one before it, so that
                            the head's is the earliest */
};

struct turn {
  struct turn_queue queue[OWNER_COUNT];
  uint64_t virtual_time; /* the start of the last grant; never goes back */
  uint32_t len;          /* over all queues */
};

/* owner_name(owner): the stable string ("scrape"), static storage. */
const char *owner_name(enum owner owner);

/* turn_init(turn): an empty room. */
void turn_init(struct turn *turn);

/* turn_enter(turn, waiter): at the end of its owner's queue; ${waiter}'s owner,
 * cost and instants are set. An owner that was absent starts at the present
 * virtual time: no credit for the idle. */
void turn_enter(struct turn *turn, struct waiter *waiter);

/* turn_leave(turn, waiter): out of the queue, nothing charged; nothing happens
 * where it does not wait. Constant time, but for one walk along the owner's
 * queue where its deadline was the earliest of a queue that is not ordered. */
void turn_leave(struct turn *turn, struct waiter *waiter);

/* turn_next(turn, eligible): the head whose turn it is among the owners whose
 * bit (1 << owner) is set in ${eligible}: the one with the earliest start, the
 * older where two are equal; NULL if none of them waits. An owner that is not
 * eligible now starts at the present virtual time when it is again. Changes
 * nothing. */
struct waiter *turn_next(const struct turn *turn, unsigned eligible);

/* turn_grant(turn, waiter): the head returned by turn_next() leaves and its
 * owner is charged cost / weight. */
void turn_grant(struct turn *turn, struct waiter *waiter);

/* turn_give_back(turn, owner, cost): undoes the charge of a grant for which
 * nothing was sent. Virtual time that has passed meanwhile stays passed. */
void turn_give_back(struct turn *turn, enum owner owner, uint32_t cost);

/* turn_charge(turn, owner, permits_milli): what a request of that owner used
 * beyond its price, in thousandths of a permit: its next turn comes later. */
void turn_charge(struct turn *turn, enum owner owner, uint64_t permits_milli);

/* turn_deadline_ns(turn): the earliest deadline of any waiter; CLOCK_NEVER if
 * nobody waits. */
int64_t turn_deadline_ns(const struct turn *turn);

/* turn_expired(turn, now_ns): a waiter whose deadline lies before ${now_ns},
 * the earliest first; NULL if there is none. Changes nothing. */
struct waiter *turn_expired(const struct turn *turn, int64_t now_ns);

#endif
