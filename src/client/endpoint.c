/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/state.h"

#include "base/clock.h"
#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>

static struct job *job_of(struct waiter *waiter) {
  return (struct job *)(void *)((char *)waiter - offsetof(struct job, waiter));
}

static void fire(void *cookie, int64_t now_ns) {
  (void)now_ns;
  endpoint_touch(cookie);
}

static struct endpoint *endpoint_new(struct client *client,
                                     struct registry_entry *entry) {
  struct endpoint *endpoint = calloc(1, sizeof(*endpoint));
  if (!endpoint || !loop_room(client->loop, 1)) {
    free(endpoint);
    return NULL;
  }
  handling_init(&endpoint->handling);
  endpoint->client = client;
  endpoint->entry = entry;
  entry->holder = endpoint;
  TAILQ_INIT(&endpoint->nodes);
  share_init(&endpoint->share, &client->sharing, &entry->ceiling,
             registry_key(entry));
  endpoint->timer = (struct timer){.fire = fire, .cookie = endpoint};
  TAILQ_INSERT_TAIL(&client->endpoints, endpoint, all);
  return endpoint;
}

static int64_t shortest_round_ns(const struct endpoint *endpoint) {
  const struct node *node;
  int64_t shortest_ns = CLOCK_NEVER;
  TAILQ_FOREACH(node, &endpoint->nodes, beside) {
    if (node->round_ns > 0)
      shortest_ns = num_min(shortest_ns, node->round_ns);
  }
  return shortest_ns == CLOCK_NEVER ? 0 : shortest_ns;
}

/* The slowest of their ceilings, the shortest of their rounds. */
static void follow_nodes(struct endpoint *endpoint, int64_t now_ns) {
  struct node *node = TAILQ_FIRST(&endpoint->nodes);
  endpoint->share.round_ns = shortest_round_ns(endpoint);
  if (!node)
    return;
  struct ceiling_settings slowest = node->ceiling;
  while ((node = TAILQ_NEXT(node, beside)))
    ceiling_settings_slow(&slowest, &node->ceiling);
  share_configure(&endpoint->share, &slowest, now_ns);
}

void endpoint_configure(struct endpoint *endpoint) {
  follow_nodes(endpoint, clock_mono_ns());
  endpoint_touch(endpoint);
}

enum status endpoint_join(struct node *node, const char *key) {
  struct client *client = node->client;
  int64_t now_ns = clock_mono_ns();
  struct registry_entry *entry =
      registry_get(client->registry, key, &node->ceiling, now_ns);
  if (!entry)
    return STATUS_NO_MEMORY;
  struct endpoint *endpoint = entry->holder;
  if (endpoint) /* one reference an endpoint */
    registry_put(client->registry, entry);
  else if (!(endpoint = endpoint_new(client, entry))) {
    registry_put(client->registry, entry);
    return STATUS_NO_MEMORY;
  }
  node->endpoint = endpoint;
  node->target.group = &endpoint->connections;
  TAILQ_INSERT_TAIL(&endpoint->nodes, node, beside);
  follow_nodes(endpoint, now_ns);
  return STATUS_OK;
}

static void leave(struct node *node, struct endpoint *endpoint) {
  TAILQ_REMOVE(&endpoint->nodes, node, beside);
  follow_nodes(endpoint, clock_mono_ns());
  if (TAILQ_EMPTY(&endpoint->nodes)) {
    connections_abandon(&endpoint->connections);
    share_leave(&endpoint->share);
  }
  endpoint_touch(endpoint);
}

void endpoint_leave(struct node *node) { leave(node, node->endpoint); }

/* It leaves before it joins: it stands in one list at a time. */
enum status endpoint_move(struct node *node, const char *key) {
  struct endpoint *old = node->endpoint;
  leave(node, old);
  if (endpoint_join(node, key) == STATUS_OK)
    return STATUS_OK;
  TAILQ_INSERT_TAIL(&old->nodes, node, beside);
  follow_nodes(old, clock_mono_ns());
  return STATUS_NO_MEMORY;
}

void endpoint_free(struct endpoint *endpoint) {
  struct client *client = endpoint->client;
  (void)slot_cancelled(&client->slots, &endpoint->slot, false, 0);
  connections_abandon(&endpoint->connections);
  timer_clear(loop_timers(client->loop), &endpoint->timer);
  loop_room_back(client->loop, 1);
  share_fini(&endpoint->share, client->is_closing);
  if (client->sharing.is_daemon && !client->is_closing)
    share_forget(&endpoint->share);
  if (endpoint->is_touched)
    TAILQ_REMOVE(&client->touched, endpoint, touch);
  if (endpoint->is_slot_waiting)
    TAILQ_REMOVE(&client->slot_waits, endpoint, slot_wait);
  TAILQ_REMOVE(&client->endpoints, endpoint, all);
  endpoint->entry->holder = NULL;
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
            "looked up, or too few files may be open");
  }
  int64_t deadline_ns = turn_deadline_ns(&ceiling->turn);
  return deadline_ns == CLOCK_NEVER ? CLOCK_NEVER : deadline_ns + 1;
}

static void end_refused(struct job *job, enum status status) {
  char units[128] = "";
  size_t len = 0;
  if (status == STATUS_HELD) {
    job_end(job, status,
            "the operator holds the node; `jolokiactl release` ends that");
    return;
  }
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_COUNT; unit++)
    if (job->waiter.blocked & 1U << unit)
      len +=
          (size_t)snprintf(units + len, sizeof(units) - len, "%s%s",
                           len > 0 ? ", " : "; held up by ", unit_name(unit));
  char text[192];
  snprintf(text, sizeof(text), "no permit came in time%s", units);
  job_end(job, status, text);
}

/* What others do meanwhile is unknown: changes are not made on a guess. */
static void refuse_changes(struct endpoint *endpoint, int64_t now_ns) {
  struct ceiling *ceiling = &endpoint->entry->ceiling;
  for (int owner = 0; owner < OWNER_COUNT; owner++) {
    struct waiter *waiter = ceiling->turn.queue[owner].head;
    while (waiter) {
      struct waiter *next = waiter->next;
      if (waiter->changes > 0) {
        ceiling_leave(ceiling, waiter);
        job_waited(job_of(waiter), now_ns);
        job_end(job_of(waiter), STATUS_HELD,
                "its ceiling cannot be shared with this host's other programs, "
                "so that changes are refused: mend StateDir, or give "
                "--unshared to make them at a tenth of the ceiling");
      }
      waiter = next;
    }
  }
}

static int64_t hand_out(struct endpoint *endpoint, int64_t now_ns) {
  struct ceiling *ceiling = &endpoint->entry->ceiling;
  while (ceiling->turn.len > 0) {
    bool can_send = may_send(endpoint, now_ns);
    share_serve(&endpoint->share, can_send, now_ns);
    if (!can_send)
      return expire_waiting(endpoint, now_ns);
    if (share_refuses_changes(&endpoint->share))
      refuse_changes(endpoint, now_ns);
    enum status status;
    struct waiter *waiter = ceiling_next(ceiling, now_ns, &status);
    if (!waiter)
      return ceiling_wake_ns(ceiling, now_ns);
    job_waited(job_of(waiter), now_ns);
    if (status == STATUS_OK)
      exchange_start(job_of(waiter), now_ns);
    else
      end_refused(job_of(waiter), status);
  }
  return CLOCK_NEVER;
}

static void set_timer(struct endpoint *endpoint, int64_t at_ns) {
  struct timer_heap *timers = loop_timers(endpoint->client->loop);
  if (endpoint->slot.lookup_until_ns != 0)
    at_ns = num_min(at_ns, endpoint->slot.lookup_until_ns);
  if (at_ns == CLOCK_NEVER)
    timer_clear(timers, &endpoint->timer);
  else
    (void)timer_set(timers, &endpoint->timer, at_ns);
}

/* Its nodes are gone. It goes when nothing is left to be told, and no look-up
 * of its may run. */
static void wind_up(struct endpoint *endpoint, int64_t now_ns) {
  struct client *client = endpoint->client;
  struct share *share = &endpoint->share;
  if (!share_is_told(share) && client->last_words_left > 0) {
    client->last_words_left--;
    share_serve(share, true, now_ns);
  }
  bool is_told = share_is_told(share);
  if (is_told && !endpoint->slot.is_held)
    endpoint_free(endpoint);
  else
    set_timer(endpoint, is_told ? CLOCK_NEVER : share_next_ns(share, now_ns));
}

void endpoint_pump(struct endpoint *endpoint, int64_t now_ns) {
  struct client *client = endpoint->client;
  if (slot_expire(&client->slots, &endpoint->slot, now_ns))
    endpoint_slot_freed(client);
  if (TAILQ_EMPTY(&endpoint->nodes)) {
    wind_up(endpoint, now_ns);
    return;
  }
  int64_t next_ns = hand_out(endpoint, now_ns);
  if (endpoint->entry->ceiling.turn.len == 0)
    share_serve(&endpoint->share, true, now_ns);
  set_timer(endpoint,
            num_min(next_ns, share_next_ns(&endpoint->share, now_ns)));
}
