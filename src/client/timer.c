/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/timer.h"

#include "base/clock.h"

#include <stdlib.h>

void timer_heap_init(struct timer_heap *heap) {
  *heap = (struct timer_heap){.slot = NULL, .n = 0, .capacity = 0};
}

void timer_heap_fini(struct timer_heap *heap) {
  for (size_t i = 1; i <= heap->n; i++)
    heap->slot[i]->index = 0;
  free(heap->slot);
  timer_heap_init(heap);
}

bool timer_heap_reserve(struct timer_heap *heap, size_t n) {
  if (n <= heap->capacity)
    return true;
  size_t capacity = heap->capacity ? heap->capacity : 16;
  while (capacity < n) {
    if (capacity > SIZE_MAX / (4 * sizeof(*heap->slot)))
      return false;
    capacity *= 2;
  }
  struct timer **slot =
      realloc(heap->slot, (capacity + 1) * sizeof(*heap->slot));
  if (!slot)
    return false;
  heap->slot = slot;
  heap->capacity = capacity;
  return true;
}

static void put(struct timer_heap *heap, struct timer *timer, size_t index) {
  heap->slot[index] = timer;
  timer->index = index;
}

static void sift_up(struct timer_heap *heap, struct timer *timer,
                    size_t index) {
  while (index > 1 && timer->at_ns < heap->slot[index / 2]->at_ns) {
    put(heap, heap->slot[index / 2], index);
    index /= 2;
  }
  put(heap, timer, index);
}

static void sift_down(struct timer_heap *heap, struct timer *timer,
                      size_t index) {
  for (;;) {
    size_t child = 2 * index;
    if (child > heap->n)
      break;
    if (child < heap->n &&
        heap->slot[child + 1]->at_ns < heap->slot[child]->at_ns)
      child++;
    if (timer->at_ns <= heap->slot[child]->at_ns)
      break;
    put(heap, heap->slot[child], index);
    index = child;
  }
  put(heap, timer, index);
}

bool timer_set(struct timer_heap *heap, struct timer *timer, int64_t at_ns) {
  timer_clear(heap, timer);
  if (heap->n == heap->capacity)
    return false;
  timer->at_ns = at_ns;
  heap->n++;
  sift_up(heap, timer, heap->n);
  return true;
}

void timer_clear(struct timer_heap *heap, struct timer *timer) {
  size_t index = timer->index;
  if (index == 0)
    return;
  timer->index = 0;
  struct timer *last = heap->slot[heap->n];
  heap->n--;
  if (last == timer)
    return;
  if (index > 1 && last->at_ns < heap->slot[index / 2]->at_ns)
    sift_up(heap, last, index);
  else
    sift_down(heap, last, index);
}

int64_t timer_next_ns(const struct timer_heap *heap) {
  return heap->n ? heap->slot[1]->at_ns : CLOCK_NEVER;
}

struct timer *timer_pop_due(struct timer_heap *heap, int64_t now_ns) {
  if (heap->n == 0 || heap->slot[1]->at_ns > now_ns)
    return NULL;
  struct timer *timer = heap->slot[1];
  timer_clear(heap, timer);
  return timer;
}
