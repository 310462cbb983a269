/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/state.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* The last resort of libcurl's own timer: ours end a request before. */
#define LAST_RESORT_NS CLOCK_NS_PER_S

/* Of a body, in one go: half a millisecond of rows. */
#define TAKEN_MAX ((size_t)256 * 1024)
#define PIECE_COST 256

static void set_timer(struct job *job, int64_t at_ns) {
  struct timer_heap *timers = loop_timers(job->node->client->loop);
  if (job->deadline_ns < at_ns)
    at_ns = job->deadline_ns;
  if (at_ns == CLOCK_NEVER)
    timer_clear(timers, &job->timer);
  else
    (void)timer_set(timers, &job->timer, at_ns);
}

/* When the present request is over time. What its own reader held it up is not
 * the node's fault and is added, up to the timeout once more; while it is held
 * up the timer stands at that limit. */
static int64_t due_ns(const struct job *job) {
  int64_t paused_ns = job->paused_ns;
  if (job->is_paused || paused_ns > job->timeout_ns)
    paused_ns = job->timeout_ns;
  return job->transfer.sent_ns + job->timeout_ns + paused_ns;
}

/* What the host's processes are told of. */
static struct record_totals *used(const struct job *job) {
  return &job->node->endpoint->share.used[job->owner];
}

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct job *job = cookie;
  if (job->state == JOB_ENDING)
    return false;
  job->result.rows++;
  job->node->stats.rows[job->owner]++;
  used(job)->rows++;
  if (!job->sink.row || job->sink.row(job->sink.cookie, job->pos + item, row))
    return job->state != JOB_ENDING;
  job->is_paused = true;
  return false;
}

void exchange_tell_item(struct job *job, size_t item,
                        const struct item_result *result) {
  if (job->state == JOB_ENDING)
    return;
  if (result->status != STATUS_OK)
    job->node->stats.errors[result->status]++;
  if (job->sink.item)
    job->sink.item(job->sink.cookie, job->pos + item, result);
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct job *job = cookie;
  job->item_status = result->status;
  exchange_tell_item(job, item, result);
}

static bool keep_rest(struct job *job, const char *bytes, size_t len) {
  if (len == 0)
    return true;
  if (!job->rest)
    job->rest = malloc(HTTP_PIECE);
  if (!job->rest || len > HTTP_PIECE)
    return false;
  memcpy(job->rest, bytes, len);
  job->rest_len = len;
  job->rest_pos = 0;
  return true;
}

/* libcurl reads on as long as bytes are there: megabytes, or for ever. Each
 * piece is dear, however short. */
static bool yields(struct job *job, size_t len) {
  if (job->taken >= TAKEN_MAX) {
    job->is_yielding = true;
    job_resume_later(job);
    return true;
  }
  job->taken += len > PIECE_COST ? len : PIECE_COST;
  return false;
}

static enum http_verdict on_body(void *cookie, const char *bytes, size_t len) {
  struct job *job = cookie;
  if (job->state == JOB_ENDING)
    return HTTP_STOP;
  if (job->is_paused || job->is_yielding || yields(job, len))
    return HTTP_PAUSE;
  size_t most = job->node->max_response_bytes; /* may be less than it was */
  size_t room = most > job->piece_bytes ? most - job->piece_bytes : 0;
  job->is_too_large = len > room;
  if (len > room)
    len = room;
  job->piece_bytes += len;
  job->result.bytes += len;
  job->node->stats.bytes[job->owner] += len;
  used(job)->bytes += len;
  size_t consumed = len;
  job->reply_status = reply_feed(job->reply, bytes, len, &consumed);
  if (job->state == JOB_ENDING || job->reply_status != STATUS_OK)
    return HTTP_STOP;
  enum http_verdict verdict = job->is_too_large ? HTTP_STOP : HTTP_GO_ON;
  if (!job->is_paused)
    return verdict;
  job->paused_since_ns = clock_mono_ns();
  if (!keep_rest(job, bytes + consumed, len - consumed)) {
    job->reply_status = STATUS_NO_MEMORY;
    return HTTP_STOP;
  }
  set_timer(job, due_ns(job));
  return verdict;
}

/* Its request is sent, or will not be. */
static void unclaim(struct job *job) {
  if (job->is_claimed)
    job->node->endpoint->share.at_gate[job->owner]--;
  job->is_claimed = false;
}

static void on_gate(void *cookie, int64_t now_ns) {
  struct job *job = cookie;
  struct node *node = job->node;
  struct client *client = node->client;
  job->result.requests++;
  handling_begin(&node->endpoint->handling, &job->handling,
                 &job->transfer.sent_ns, &job->transfer.first_ns);
  node->stats.requests[job->owner]++;
  node->stats.operations[job->owner] += job->end - job->pos;
  used(job)->requests++;
  used(job)->operations += job->end - job->pos;
  unclaim(job);
  node->stats.changes += piece_changes(job);
  node->endpoint->share.changes += piece_changes(job);
  if (job->transfer.has_opened)
    node->stats.connects++;
  if (job->is_reusing)
    node->endpoint->reusing--;
  job->is_reusing = false;
  if (job->is_connecting &&
      slot_connected(&client->slots, &node->endpoint->slot)) {
    endpoint_slot_freed(client);
    endpoint_touch(node->endpoint);
  }
  job->is_connecting = false;
  set_timer(job, now_ns + job->timeout_ns);
}

static void on_opening(void *cookie) {
  struct job *job = cookie;
  struct endpoint *endpoint = job->node->endpoint;
  if (job->is_reusing) {
    /* No idle connection was left after all: past the slots' limit. */
    endpoint->reusing--;
    job->is_reusing = false;
    slot_take(&job->node->client->slots, &endpoint->slot);
    job->is_connecting = true;
  }
  if (endpoint->reusing == 0 &&
      endpoint->connections.n >= client_node_ceiling(job->node)->max_in_flight)
    connections_make_way(&endpoint->connections);
}

static void on_done(void *cookie) {
  struct job *job = cookie;
  bool is_ending = job->state == JOB_ENDING;
  exchange_close(job);
  if (is_ending)
    return;
  int64_t now_ns = clock_mono_ns();
  if (job->is_paused && job->rest_pos < job->rest_len) {
    job->state = JOB_DRAINING;
    return;
  }
  settle(job, now_ns);
}

static enum status send_piece(struct job *job) {
  struct node *node = job->node;
  struct reply_sink sink = {.row = on_row, .item = on_item, .cookie = job};
  reply_free(job->reply);
  job->reply = reply_new(job->specs + job->pos, job->end - job->pos,
                         node->max_object_bytes, &sink);
  if (!job->reply)
    return STATUS_NO_MEMORY;
  struct transfer_options options = {
      .target = &node->target,
      .timeout_ns = node->target.connect_timeout_ns + 2 * job->timeout_ns +
                    LAST_RESORT_NS,
      .is_fresh = job->is_change || job->was_retried,
      .events = {.gate = on_gate,
                 .opening = on_opening,
                 .body = on_body,
                 .done = on_done,
                 .cookie = job}};
  options.body = piece_body(job, &options.body_len);
  return transfer_start(&job->transfer, node->client->loop, &options);
}

void exchange_start(struct job *job, int64_t now_ns) {
  struct node *node = job->node;
  struct client *client = node->client;
  struct endpoint *endpoint = node->endpoint;
  job->state = JOB_SENDING;
  job->is_granted = true;
  job->is_claimed = true;
  job->has_old_login = false;
  endpoint->share.at_gate[job->owner]++;
  job->granted_ns = now_ns;
  job->transfer = (struct transfer){.fd = -1};
  node->stats.in_flight++;
  client->in_flight++;
  job->piece_bytes = 0;
  job->is_too_large = job->is_paused = false;
  job->reply_status = job->item_status = STATUS_OK;
  job->rest_len = job->rest_pos = 0;
  job->taken = 0;
  job->is_yielding = false;
  job->paused_ns = 0;
  if (client->granted)
    client->granted(client->granted_cookie, registry_key(endpoint->entry),
                    job->owner, job->waiter.cost, now_ns);
  bool is_fresh = job->is_change || job->was_retried;
  job->is_reusing = !is_fresh && connections_n_idle(&endpoint->connections,
                                                    now_ns) > endpoint->reusing;
  job->is_connecting = !job->is_reusing;
  if (job->is_reusing)
    endpoint->reusing++;
  else
    slot_take(&client->slots, &endpoint->slot);
  set_timer(job, CLOCK_NEVER);
  if (send_piece(job) != STATUS_OK)
    job_end(job, STATUS_NO_MEMORY, "no memory for a request");
}

static int64_t count_handling(struct job *job, int64_t now_ns) {
  const struct transfer *transfer = &job->transfer;
  struct endpoint *endpoint = job->node->endpoint;
  /* A reply that never began cost the whole wait, and so did one that the node
   * did not end in time. */
  bool has_stalled =
      job->result.error.kind == STATUS_TIMEOUT && !job->is_paused;
  bool is_whole_wait = transfer->first_ns == 0 || has_stalled;
  int64_t to_ns = is_whole_wait ? now_ns - job->paused_ns : transfer->first_ns;
  int64_t handling_ns =
      handling_end(&endpoint->handling, &job->handling, to_ns) -
      transfer->min_rtt_ns;
  if (handling_ns < 0)
    handling_ns = 0;
  share_took(&endpoint->share, (int)job->kind, handling_ns);
  job->result.handling_ns += handling_ns;
  job->node->stats.handling_ns[job->kind] += (uint64_t)handling_ns;
  return handling_ns;
}

/* However it ended: what was sent has cost the broker. */
static void charge(struct job *job, int64_t now_ns) {
  struct node *node = job->node;
  uint64_t bytes = job->piece_bytes + job->transfer.refusal_len;
  int64_t handling_ns = count_handling(job, now_ns);
  node->stats.bytes_charged += bytes;
  ceiling_charge(&node->endpoint->entry->ceiling, &job->waiter, bytes,
                 handling_ns, now_ns);
}

static void give_slot_back(struct job *job, bool is_told, int64_t now_ns) {
  struct client *client = job->node->client;
  struct slot *slot = &job->node->endpoint->slot;
  bool is_looking_up = job->transfer.was_looking_up;
  bool is_free =
      is_told ? slot_failed(&client->slots, slot, is_looking_up, now_ns)
              : slot_cancelled(&client->slots, slot, is_looking_up, now_ns);
  job->is_connecting = false;
  if (is_free)
    endpoint_slot_freed(client);
}

void exchange_close(struct job *job) {
  if (!job->is_granted)
    return;
  struct node *node = job->node;
  struct ceiling *ceiling = &node->endpoint->entry->ceiling;
  int64_t now_ns = clock_mono_ns();
  bool is_over = !job->transfer.is_running;
  transfer_stop(&job->transfer);
  if (job->transfer.is_sent)
    charge(job, now_ns);
  else
    ceiling_give_back(ceiling, &job->waiter);
  unclaim(job);
  if (job->is_reusing)
    node->endpoint->reusing--;
  job->is_reusing = false;
  if (job->is_connecting)
    give_slot_back(job, is_over, now_ns);
  if (job->transfer.certificate_end_s)
    node->certificate_end_s = job->transfer.certificate_end_s;
  ceiling_release(ceiling, &job->waiter);
  if (ceiling_is_batch(&job->waiter))
    share_batch_over(&node->endpoint->share, now_ns);
  node->endpoint->share.is_dirty = true;
  job->is_granted = false;
  node->stats.in_flight--;
  node->stats.in_flight_ns += (uint64_t)(now_ns - job->granted_ns);
  if (node->client->in_flight-- >= node->client->max_total)
    endpoint_slot_freed(node->client);
  endpoint_touch(node->endpoint);
}

void exchange_expired(struct job *job) {
  if (job->state == JOB_WAITING || job->state == JOB_ENDING)
    return;
  if (!job->transfer.is_sent) {
    job_end(job, STATUS_CONNECT, "no connection came about by the deadline");
    return;
  }
  const char *text = "sent, and no whole reply within the timeout: the broker "
                     "may still be at work on it";
  if (job->is_change)
    text = "sent, and no whole reply within the timeout: whether the change "
           "was made, or will be, is unknown";
  if (job->is_paused)
    text = "the reply was not taken in time by who asked for it";
  job_end(job, STATUS_TIMEOUT, text);
}

void exchange_resume(struct job *job, int64_t now_ns) {
  job->taken = 0;
  if (job->is_yielding) {
    job->is_yielding = false;
    transfer_resume(&job->transfer);
    return;
  }
  if (!job->is_paused || job->state == JOB_ENDING)
    return;
  job->paused_ns += now_ns - job->paused_since_ns;
  job->is_paused = false;
  size_t consumed = job->rest_len - job->rest_pos;
  if (consumed > 0)
    job->reply_status = reply_feed(job->reply, job->rest + job->rest_pos,
                                   job->rest_len - job->rest_pos, &consumed);
  job->rest_pos += consumed;
  if (job->state == JOB_ENDING)
    return;
  job->paused_since_ns = now_ns;
  bool is_broken = job->reply_status != STATUS_OK;
  if (job->is_paused && !is_broken &&
      (job->rest_pos < job->rest_len || job->state == JOB_SENDING))
    return;
  if (job->state == JOB_SENDING && !is_broken) {
    set_timer(job, due_ns(job));
    transfer_resume(&job->transfer);
    return;
  }
  exchange_close(job);
  settle(job, now_ns);
}
