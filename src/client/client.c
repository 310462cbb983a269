/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/client.h"

#include "base/clock.h"
#include "client/state.h"

#include <stdlib.h>
#include <string.h>

/* Timers of the client's user that belong to no node, and one of ours. */
#define CLIENT_TIMERS (64 + 1)

enum status client_global_init(struct error *error) {
  enum status status = http_global_init();
  if (status != STATUS_OK)
    return error_set(error, status, "libcurl cannot be initialised");
  return STATUS_OK;
}

static void sweep(void *cookie, int64_t now_ns) {
  struct client *client = cookie;
  size_t n_left = registry_sweep(client->registry, now_ns);
  n_left += sharing_sweep(&client->sharing, now_ns);
  if (n_left > 0)
    (void)timer_set(loop_timers(client->loop), &client->sweep,
                    now_ns + CLOCK_NS_PER_S);
}

static enum status fill(struct client *client,
                        const struct client_options *options,
                        struct error *error) {
  if (sharing_init(&client->sharing, options->state_dir, options->is_daemon,
                   options->is_unshared) != STATUS_OK)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the client");
  client->user_agent =
      strdup(options->user_agent ? options->user_agent : "collectd-jolokia");
  client->registry = registry_new();
  if (!client->user_agent || !client->registry)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the client");
  const struct loop_events events = {.done = transfer_on_done,
                                     .waiting = transfer_on_waiting};
  enum status status = loop_new(&events, &client->loop, error);
  if (status != STATUS_OK)
    return status;
  if (!loop_room(client->loop, CLIENT_TIMERS))
    return error_set(error, STATUS_NO_MEMORY, "no memory for timers");
  return STATUS_OK;
}

enum status client_new(const struct client_options *options,
                       struct client **ret, struct error *error) {
  if (connections_limit() < 2)
    return error_set(error, STATUS_INVALID,
                     "the limit of open files is below %d: raise it "
                     "(LimitNOFILE, ulimit -n)",
                     CONNECTIONS_FD_RESERVE + 2);
  struct client *client = calloc(1, sizeof(*client));
  if (!client)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the client");
  connections_init(&client->connections);
  TAILQ_INIT(&client->endpoints);
  TAILQ_INIT(&client->touched);
  TAILQ_INIT(&client->slot_waits);
  TAILQ_INIT(&client->nodes);
  TAILQ_INIT(&client->ending);
  TAILQ_INIT(&client->resuming);
  client->sweep = (struct timer){.fire = sweep, .cookie = client};
  enum status status = fill(client, options, error);
  if (status != STATUS_OK) {
    client_free(client);
    return status;
  }
  *ret = client;
  return STATUS_OK;
}

void client_free(struct client *client) {
  if (!client)
    return;
  client->is_closing = true;
  struct node *node;
  TAILQ_FOREACH(node, &client->nodes, all) { node->is_closing = true; }
  while ((node = TAILQ_FIRST(&client->nodes)))
    client_node_remove(node);
  struct endpoint *endpoint;
  while ((endpoint = TAILQ_FIRST(&client->endpoints)))
    endpoint_free(endpoint);
  loop_free(client->loop);
  connections_fini(&client->connections);
  registry_free(client->registry);
  sharing_fini(&client->sharing);
  free(client->user_agent);
  free(client);
}

static bool is_busy(const struct client *client) {
  return !TAILQ_EMPTY(&client->resuming) || !TAILQ_EMPTY(&client->ending) ||
         !TAILQ_EMPTY(&client->touched);
}

/* What was noted during the turn. A job that pauses again and is resumed at
 * once waits for the next turn. */
static void serve_queues(struct client *client) {
  struct job *job;
  struct endpoint *endpoint;
  const struct job *last = TAILQ_LAST(&client->resuming, job_list);
  client->last_words_left = LAST_WORDS_MAX;
  while ((job = TAILQ_FIRST(&client->resuming))) {
    TAILQ_REMOVE(&client->resuming, job, queued);
    job->is_resuming = false;
    exchange_resume(job, clock_mono_ns());
    if (job == last)
      break;
  }
  while ((job = TAILQ_FIRST(&client->ending)))
    job_finish(job);
  while ((endpoint = TAILQ_FIRST(&client->touched))) {
    TAILQ_REMOVE(&client->touched, endpoint, touch);
    endpoint->is_touched = false;
    endpoint_pump(endpoint, clock_mono_ns());
  }
}

void client_turn(struct client *client, int64_t until_ns) {
  client->turns++;
  loop_turn(client->loop, is_busy(client) ? INT64_MIN : until_ns);
  serve_queues(client);
}

uint64_t client_turns(const struct client *client) { return client->turns; }

void client_wake(struct client *client) { loop_wake(client->loop); }

void client_timer_set(struct client *client, struct timer *timer,
                      int64_t at_ns) {
  (void)timer_set(loop_timers(client->loop), timer, at_ns);
}

void client_timer_clear(struct client *client, struct timer *timer) {
  timer_clear(loop_timers(client->loop), timer);
}

void client_trace_grants(struct client *client,
                         void (*granted)(void *cookie, const char *url_key,
                                         enum owner owner, uint32_t cost,
                                         int64_t now_ns),
                         void *cookie) {
  client->granted = granted;
  client->granted_cookie = cookie;
}
