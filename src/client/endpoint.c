/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/state.h"

#include "base/clock.h"

#include <stdlib.h>

static struct job *job_of(struct waiter *waiter) {
  return (struct job *)(void *)((char *)waiter - offsetof(struct job, waiter));
}

static void fire(void *cookie, int64_t now_ns) {
  (void)now_ns;
  endpoint_touch(cookie);
}

static struct endpoint *find(const struct client *client,
                             const struct registry_entry *entry) {
  struct endpoint *endpoint;
  TAILQ_FOREACH(endpoint, &client->endpoints, all) {
    if (endpoint->entry == entry)
      return endpoint;
  }
  return NULL;
}

struct endpoint *endpoint_get(struct client *client, const struct url *url,
                              const struct ceiling_settings *settings) {
  struct registry_entry *entry =
      registry_get(client->registry, url->key, settings, clock_mono_ns());
  if (!entry)
    return NULL;
  struct endpoint *endpoint = find(client, entry);
  if (endpoint) {
    registry_put(client->registry, entry);
    endpoint->n_nodes++;
    return endpoint;
  }
  endpoint = calloc(1, sizeof(*endpoint));
  if (!endpoint || !loop_room(client->loop, 1)) {
    free(endpoint);
    registry_put(client->registry, entry);
    return NULL;
  }
  endpoint->client = client;
  endpoint->entry = entry;
  endpoint->n_nodes = 1;
  endpoint->timer = (struct timer){.fire = fire, .cookie = endpoint};
  TAILQ_INSERT_TAIL(&client->endpoints, endpoint, all);
  return endpoint;
}

void endpoint_put(struct endpoint *endpoint) {
  endpoint->n_nodes--;
  if (endpoint->n_nodes == 0)
    connections_abandon(&endpoint->connections);
  endpoint_touch(endpoint);
}

void endpoint_free(struct endpoint *endpoint) {
  struct client *client = endpoint->client;
  (void)slot_cancelled(&client->slots, &endpoint->slot, false, 0);
  connections_abandon(&endpoint->connections);
  timer_clear(loop_timers(client->loop), &endpoint->timer);
  loop_room_back(client->loop, 1);
  if (endpoint->is_touched)
    TAILQ_REMOVE(&client->touched, endpoint, touch);
  if (endpoint->is_slot_waiting)
    TAILQ_REMOVE(&client->slot_waits, endpoint, slot_wait);
  TAILQ_REMOVE(&client->endpoints, endpoint, all);
  registry_put(client->registry, endpoint->entry);
  (void)timer_set(loop_timers(client->loop), &client->sweep,
                  clock_mono_ns() + CLOCK_NS_PER_S);
  free(endpoint);
}

void endpoint_touch(struct endpoint *endpoint) {
  if (endpoint->is_touched)
    return;
  endpoint->is_touched = true;
  TAILQ_INSERT_TAIL(&endpoint->client->touched, endpoint, touch);
}

void endpoint_slot_freed(struct client *client) {
  struct endpoint *endpoint;
  while ((endpoint = TAILQ_FIRST(&client->slot_waits))) {
    TAILQ_REMOVE(&client->slot_waits, endpoint, slot_wait);
    endpoint->is_slot_waiting = false;
    endpoint_touch(endpoint);
  }
}

static void wait_for_slot(struct endpoint *endpoint) {
  if (endpoint->is_slot_waiting)
    return;
  endpoint->is_slot_waiting = true;
  TAILQ_INSERT_TAIL(&endpoint->client->slot_waits, endpoint, slot_wait);
}

static bool head_is_fresh(const struct endpoint *endpoint) {
  for (int owner = 0; owner < OWNER_COUNT; owner++) {
    struct waiter *head = endpoint->entry->ceiling.turn.queue[owner].head;
    if (head && (job_of(head)->is_change || job_of(head)->was_retried))
      return true;
  }
  return false;
}

/* No permit is taken while the connection for it cannot be had. */
static bool may_send(struct endpoint *endpoint, int64_t now_ns) {
  if (now_ns < endpoint->held_until_ns)
    return false;
  /* libcurl would keep it back, with its permit. */
  if (endpoint->client->in_flight >= endpoint->client->max_total) {
    wait_for_slot(endpoint);
    return false;
  }
  if (slot_may_take(&endpoint->client->slots, &endpoint->slot))
    return true;
  if (!head_is_fresh(endpoint) &&
      connections_n_idle(&endpoint->connections, now_ns) > endpoint->reusing)
    return true;
  wait_for_slot(endpoint);
  return false;
}

/* The ceiling is not asked: those whose time is over go all the same. */
static int64_t expire_waiting(struct endpoint *endpoint, int64_t now_ns) {
  struct ceiling *ceiling = &endpoint->entry->ceiling;
  struct waiter *waiter;
  while ((waiter = turn_expired(&ceiling->turn, now_ns))) {
    ceiling_leave(ceiling, waiter);
    job_waited(job_of(waiter), now_ns);
    job_end(job_of(waiter), STATUS_PERMIT_TIMEOUT,
            "no connection could be tried in time: too many names are being "
            "looked up, too few files may be open, or the node asked to be "
            "left alone");
  }
  int64_t deadline_ns = turn_deadline_ns(&ceiling->turn);
  return deadline_ns == CLOCK_NEVER ? CLOCK_NEVER : deadline_ns + 1;
}

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t hand_out(struct endpoint *endpoint, int64_t now_ns) {
  struct ceiling *ceiling = &endpoint->entry->ceiling;
  while (ceiling->turn.len > 0) {
    if (!may_send(endpoint, now_ns)) {
      int64_t next_ns = expire_waiting(endpoint, now_ns);
      return now_ns < endpoint->held_until_ns
                 ? earlier(next_ns, endpoint->held_until_ns)
                 : next_ns;
    }
    enum status status;
    struct waiter *waiter = ceiling_next(ceiling, now_ns, &status);
    if (!waiter)
      return ceiling_wake_ns(ceiling, now_ns);
    job_waited(job_of(waiter), now_ns);
    if (status == STATUS_OK)
      exchange_start(job_of(waiter), now_ns);
    else
      job_end(job_of(waiter), status, "no permit came in time");
  }
  return CLOCK_NEVER;
}

void endpoint_pump(struct endpoint *endpoint, int64_t now_ns) {
  struct client *client = endpoint->client;
  if (slot_expire(&client->slots, &endpoint->slot, now_ns))
    endpoint_slot_freed(client);
  if (endpoint->n_nodes == 0 && !endpoint->slot.is_held) {
    endpoint_free(endpoint);
    return;
  }
  int64_t next_ns = hand_out(endpoint, now_ns);
  if (endpoint->slot.lookup_until_ns != 0)
    next_ns = earlier(next_ns, endpoint->slot.lookup_until_ns);
  struct timer_heap *timers = loop_timers(client->loop);
  if (next_ns == CLOCK_NEVER)
    timer_clear(timers, &endpoint->timer);
  else
    (void)timer_set(timers, &endpoint->timer, next_ns);
}
