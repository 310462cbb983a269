/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_TIMER_H
#define CLIENT_TIMER_H

/* Timers of the engine: a binary heap, so that nothing grows with the number of
 * nodes. Pure; embedded in what waits. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
  int64_t at_ns; /* CLOCK_MONOTONIC */
  size_t index;  /* 1-based place in the heap; 0: not set */
  void (*fire)(void *cookie, int64_t now_ns);
  void *cookie;
};

struct timer_heap {
  struct timer **slot; /* 1-based */
  size_t n;
  size_t capacity;
};

void timer_heap_init(struct timer_heap *heap);
void timer_heap_fini(struct timer_heap *heap);

/* timer_heap_reserve(heap, n): room for ${n} timers in all, so that setting one
 * cannot fail; false without memory. */
bool timer_heap_reserve(struct timer_heap *heap, size_t n);

/* timer_set(heap, timer, at_ns): sets or moves; false, and the timer not set,
 * past the room that was reserved. timer_clear(): idempotent. */
bool timer_set(struct timer_heap *heap, struct timer *timer, int64_t at_ns);
void timer_clear(struct timer_heap *heap, struct timer *timer);

/* timer_next_ns(heap): the earliest instant; CLOCK_NEVER if none is set. */
int64_t timer_next_ns(const struct timer_heap *heap);

/* timer_pop_due(heap, now_ns): takes out and returns the earliest timer that is
 * due, or NULL. */
struct timer *timer_pop_due(struct timer_heap *heap, int64_t now_ns);

#endif
