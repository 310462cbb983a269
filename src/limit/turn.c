/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/turn.h"

#include "base/clock.h"

/* TURN_SCALE / 1000 / weight is whole for each of them. */
static const struct {
  const char *name;
  uint32_t weight;
} owners[OWNER_COUNT] = {
    [OWNER_SCRAPE] = {"scrape", 4},       [OWNER_SLOW] = {"slow", 2},
    [OWNER_DISCOVERY] = {"discovery", 1}, [OWNER_COMMAND] = {"command", 4},
    [OWNER_BULK] = {"bulk", 2},
};

const char *owner_name(enum owner owner) { return owners[owner].name; }

static uint64_t charge(enum owner owner, uint32_t cost) {
  return (uint64_t)cost * (TURN_SCALE / owners[owner].weight);
}

/* An owner that was away or not eligible has fallen behind the room's virtual
 * time; one that waited in turn never has. */
static uint64_t start_tag(const struct turn *turn, enum owner owner) {
  uint64_t own = turn->queue[owner].virtual_time;
  return own > turn->virtual_time ? own : turn->virtual_time;
}

void turn_init(struct turn *turn) {
  *turn = (struct turn){0};
  for (int i = 0; i < OWNER_COUNT; i++) {
    turn->queue[i].is_ordered = true;
    turn->queue[i].deadline_ns = CLOCK_NEVER;
  }
}

void turn_enter(struct turn *turn, struct waiter *waiter) {
  struct turn_queue *queue = &turn->queue[waiter->owner];
  waiter->next = NULL;
  waiter->prev = queue->tail;
  waiter->is_waiting = true;
  if (queue->tail) {
    queue->is_ordered &= waiter->deadline_ns >= queue->tail->deadline_ns;
    queue->tail->next = waiter;
  } else
    queue->head = waiter;
  queue->tail = waiter;
  if (waiter->deadline_ns < queue->deadline_ns)
    queue->deadline_ns = waiter->deadline_ns;
  queue->len++;
  turn->len++;
}

static void find_deadline(struct turn_queue *queue) {
  queue->deadline_ns = queue->head ? queue->head->deadline_ns : CLOCK_NEVER;
  if (queue->is_ordered)
    return;
  queue->is_ordered = true;
  for (struct waiter *w = queue->head; w; w = w->next) {
    if (w->deadline_ns < queue->deadline_ns)
      queue->deadline_ns = w->deadline_ns;
    queue->is_ordered &= !w->next || w->next->deadline_ns >= w->deadline_ns;
  }
}

void turn_leave(struct turn *turn, struct waiter *waiter) {
  if (!waiter->is_waiting)
    return;
  struct turn_queue *queue = &turn->queue[waiter->owner];
  *(waiter->prev ? &waiter->prev->next : &queue->head) = waiter->next;
  *(waiter->next ? &waiter->next->prev : &queue->tail) = waiter->prev;
  waiter->next = waiter->prev = NULL;
  waiter->is_waiting = false;
  queue->len--;
  turn->len--;
  if (waiter->deadline_ns == queue->deadline_ns)
    find_deadline(queue);
}

static bool is_before(const struct turn *turn, const struct waiter *a,
                      const struct waiter *b) {
  uint64_t tag_a = start_tag(turn, a->owner);
  uint64_t tag_b = start_tag(turn, b->owner);
  return tag_a != tag_b ? tag_a < tag_b : a->since_ns < b->since_ns;
}

struct waiter *turn_next(const struct turn *turn, unsigned eligible) {
  struct waiter *next = NULL;
  for (unsigned i = 0; i < OWNER_COUNT; i++) {
    struct waiter *head = turn->queue[i].head;
    if (head && (eligible & 1U << i) && (!next || is_before(turn, head, next)))
      next = head;
  }
  return next;
}

void turn_grant(struct turn *turn, struct waiter *waiter) {
  turn->virtual_time = start_tag(turn, waiter->owner);
  turn->queue[waiter->owner].virtual_time =
      turn->virtual_time + charge(waiter->owner, waiter->cost);
  turn_leave(turn, waiter);
}

void turn_give_back(struct turn *turn, enum owner owner, uint32_t cost) {
  uint64_t *own = &turn->queue[owner].virtual_time;
  uint64_t back = charge(owner, cost);
  *own = *own > back ? *own - back : 0;
}

void turn_charge(struct turn *turn, enum owner owner, uint64_t permits_milli) {
  turn->queue[owner].virtual_time +=
      permits_milli * (TURN_SCALE / 1000 / owners[owner].weight);
}

static const struct turn_queue *most_urgent(const struct turn *turn) {
  const struct turn_queue *urgent = &turn->queue[0];
  for (int i = 1; i < OWNER_COUNT; i++)
    if (turn->queue[i].deadline_ns < urgent->deadline_ns)
      urgent = &turn->queue[i];
  return urgent;
}

int64_t turn_deadline_ns(const struct turn *turn) {
  return most_urgent(turn)->deadline_ns;
}

struct waiter *turn_expired(const struct turn *turn, int64_t now_ns) {
  const struct turn_queue *urgent = most_urgent(turn);
  if (now_ns <= urgent->deadline_ns)
    return NULL;
  struct waiter *waiter = urgent->head;
  while (waiter->deadline_ns != urgent->deadline_ns)
    waiter = waiter->next;
  return waiter;
}
