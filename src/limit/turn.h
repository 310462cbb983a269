/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_TURN_H
#define LIMIT_TURN_H

/* The waiting room of one node: FIFO inside an owner, weighted fair turns
 * between owners (start-time fair queueing, charged when granted). Pure; no
 * allocation: waiters are embedded in what waits. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
  struct waiter *next; /* in its owner's queue; NULL at the end */
  struct waiter *prev;
  enum owner owner;
  uint32_t cost;       /* permits, >= 1 */
  int64_t since_ns;    /* CLOCK_MONOTONIC when it entered */
  int64_t deadline_ns; /* when it stops waiting */
  bool is_waiting;     /* in a queue now */
};

struct turn_queue {
  struct waiter *head;
  struct waiter *tail;
  uint32_t len;
  uint64_t virtual_time; /* start tag of the head, in 1/TURN_SCALE permits per
                            weight */
};

struct turn {
  struct turn_queue queue[OWNER_COUNT];
  uint64_t virtual_time; /* of the last grant */
  uint32_t len;          /* over all queues */
};

/* owner_name(owner): the stable string ("scrape"), static storage. */
const char *owner_name(enum owner owner);

/* turn_init(turn): an empty room. */
void turn_init(struct turn *turn);

/* turn_enter(turn, waiter): at the end of its owner's queue. An owner that was
 * absent starts at the present virtual time: no credit for the idle. */
void turn_enter(struct turn *turn, struct waiter *waiter);

/* turn_leave(turn, waiter): out of the queue, nothing charged. */
void turn_leave(struct turn *turn, struct waiter *waiter);

/* turn_next(turn, eligible): the head whose turn it is among the owners whose
 * bit (1 << owner) is set in ${eligible}; NULL if none of them waits. An owner
 * that is not eligible now restarts at the present virtual time when it is
 * again. Changes nothing but that. */
struct waiter *turn_next(struct turn *turn, unsigned eligible);

/* turn_grant(turn, waiter): the head returned by turn_next() leaves and its
 * owner is charged cost / weight. */
void turn_grant(struct turn *turn, struct waiter *waiter);

/* turn_give_back(turn, owner, cost): undoes the charge of a grant for which
 * nothing was sent. */
void turn_give_back(struct turn *turn, enum owner owner, uint32_t cost);

#endif
