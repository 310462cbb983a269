/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_ENGINE_H
#define CLIENT_ENGINE_H

/* The event loop: one libcurl multi handle on one epoll, with one timerfd
 * (nanoseconds: a rounded millisecond would lose rate) and one eventfd. Private
 * to client/. No thread is made here; libcurl's own name look-ups run in
 * threads of libcurl's. */

#include "base/status.h"
#include "client/timer.h"

struct loop;

/* What is told of a transfer, by its CURLOPT_PRIVATE. */
struct loop_events {
  /* It ended; ${code} is its CURLcode. It is out of the engine. */
  void (*done)(void *transfer, int code);
  /* libcurl waits for ${fd} on its behalf; ${is_reading}: to read from it, and
   * to write no more. */
  void (*waiting)(void *transfer, int fd, bool is_reading, int64_t now_ns);
};

/* loop_new(events, ret, error): STATUS_INVALID with the remedy where the
 * system refuses a descriptor; STATUS_NO_MEMORY.
 * loop_free(loop): all transfers must be out; NULL is fine. */
enum status loop_new(const struct loop_events *events, struct loop **ret,
                     struct error *error);
void loop_free(struct loop *loop);

/* loop_turn(loop, until_ns): waits for events until ${until_ns} at the
 * latest, then serves those that are there, the timers that are due, and tells
 * of the transfers that ended. */
void loop_turn(struct loop *loop, int64_t until_ns);

/* loop_wake(loop): ends a wait; from any thread and signal handler. */
void loop_wake(const struct loop *loop);

/* loop_timers(loop): where timers are set; room must be reserved. */
struct timer_heap *loop_timers(struct loop *loop);

/* loop_room(loop, n): room for ${n} more timers; false without memory.
 * loop_room_back(loop, n): no longer needed. */
bool loop_room(struct loop *loop, size_t n);
void loop_room_back(struct loop *loop, size_t n);

/* loop_add(loop, easy), loop_remove(loop, easy): a CURL handle in and
 * out; never from inside a callback of libcurl's. Stopping one in the middle
 * closes its connection. */
enum status loop_add(struct loop *loop, void *easy);
void loop_remove(struct loop *loop, void *easy);

/* loop_limit(loop, n_kept, n_total): idle connections kept, and connections
 * in all. */
void loop_limit(struct loop *loop, size_t n_kept, size_t n_total);

#endif
