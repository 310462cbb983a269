/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/state.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Of one job: the most that is kept of what it asks. */
#define JOB_OPERATIONS_MAX 10000
#define JOB_BODY_MAX ((size_t)32 * 1024 * 1024)

static void fire(void *cookie, int64_t now_ns) {
  (void)now_ns;
  exchange_expired(cookie);
}

static void job_free(struct job *job) {
  reply_free(job->reply);
  buf_fini(&job->body);
  free(job->start);
  free(job->changes);
  free(job->rest);
  free(job);
}

static enum status add_operation(struct job *job, size_t i,
                                 const struct operation *operation,
                                 struct buf *one, struct error *error) {
  enum status status = request_build(one, operation, 1, error);
  if (status != STATUS_OK)
    return status;
  job->start[i] = (uint32_t)job->body.len;
  /* Without its brackets, with a comma that piece_body() replaces. */
  (void)buf_add(&job->body, one->data + 1, one->len - 2);
  status = buf_add(&job->body, ",", 1);
  if (status != STATUS_OK)
    return error_set(error, status, "the operations are more than %zu bytes",
                     JOB_BODY_MAX);
  bool is_change = operation_is_change(operation);
  job->changes[i + 1] = job->changes[i] + is_change;
  job->is_change |= is_change;
  return STATUS_OK;
}

static enum status build(struct job *job, const struct operation *operations,
                         struct error *error) {
  job->start = calloc(job->n + 1, sizeof(*job->start));
  job->changes = calloc(job->n + 1, sizeof(*job->changes));
  if (!job->start || !job->changes)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a request");
  struct buf one;
  buf_init(&one, job->node->max_request_bytes);
  buf_init(&job->body, JOB_BODY_MAX);
  enum status status = buf_add(&job->body, "[", 1);
  for (size_t i = 0; i < job->n && status == STATUS_OK; i++)
    status = add_operation(job, i, &operations[i], &one, error);
  job->start[job->n] = (uint32_t)job->body.len;
  buf_fini(&one);
  return status;
}

static enum status check(const struct node *node,
                         const struct job_options *options,
                         struct error *error) {
  if (node->is_closing)
    return error_set(error, STATUS_CLOSING, "%s: the node is going away",
                     node->name);
  if (options->n < 1 || options->n > JOB_OPERATIONS_MAX ||
      options->timeout_ns <= 0 || !options->operations || !options->specs ||
      !options->done)
    return error_set(error, STATUS_INVALID,
                     "a job has 1 to %d operations, a timeout and a done()",
                     JOB_OPERATIONS_MAX);
  int64_t now_ns = clock_mono_ns();
  if (node->credential && (!login_may_send(&node->login, now_ns) ||
                           !login_may_send(&node->credential->login, now_ns)))
    return error_set(error, STATUS_HELD,
                     "%s: the login of user \"%s\" was refused three times and "
                     "is held: set the right password",
                     node->name, node->credential->user);
  return STATUS_OK;
}

static struct job *job_new(struct node *node,
                           const struct job_options *options) {
  struct job *job = calloc(1, sizeof(*job));
  if (!job)
    return NULL;
  job->node = node;
  job->owner = options->owner;
  job->kind = options->kind;
  job->specs = options->specs;
  job->n = options->n;
  job->timeout_ns = options->timeout_ns;
  job->deadline_ns = options->deadline_ns;
  job->sink = options->sink;
  job->done = options->done;
  job->cookie = options->cookie;
  job->timer = (struct timer){.fire = fire, .cookie = job};
  return job;
}

static void count_refusal(struct node *node, enum status kind) {
  struct share *share = &node->endpoint->share;
  node->stats.errors[kind]++;
  if (kind == STATUS_PERMIT_TIMEOUT) {
    node->stats.refused_timeout++;
    share->refused[REFUSED_TIMEOUT]++;
  }
  if (kind == STATUS_PERMIT_QUEUE_FULL) {
    node->stats.refused_queue_full++;
    share->refused[REFUSED_QUEUE_FULL]++;
  }
}

static enum status refused_text(const struct node *node, enum status kind,
                                struct error *error) {
  const char *why = "";
  if (kind == STATUS_PERMIT_QUEUE_FULL)
    why = "MaxWaiting jobs wait for a permit already";
  else if (kind == STATUS_PERMIT_TIMEOUT)
    why = "no permit can come within the permit timeout";
  else if (kind == STATUS_CLOSING)
    why = "the node is going away";
  else if (kind == STATUS_HELD)
    why = "the operator holds it: jolokiactl release ends that";
  return error_set(error, kind, "%s: %s", node->name, why);
}

enum status job_enter(struct job *job, int64_t now_ns) {
  struct endpoint *endpoint = job->node->endpoint;
  enum status status =
      ceiling_enter(&endpoint->entry->ceiling, &job->waiter, job->owner,
                    ceiling_cost(job->end - job->pos), piece_changes(job),
                    job->deadline_ns, now_ns);
  if (status != STATUS_OK)
    return status;
  job->state = JOB_WAITING;
  job->node->stats.waiting[job->owner]++;
  endpoint_touch(endpoint);
  return STATUS_OK;
}

void job_waited(struct job *job, int64_t now_ns) {
  struct node_stats *stats = &job->node->stats;
  int64_t wait_ns = now_ns - job->waiter.since_ns;
  if (wait_ns < 0)
    wait_ns = 0;
  job->result.permit_wait_ns += wait_ns;
  stats->permit_wait_ns[job->owner] += (uint64_t)wait_ns;
  job->node->endpoint->share.used[job->owner].permit_wait_ns +=
      (uint64_t)wait_ns;
  if ((uint64_t)wait_ns > stats->permit_wait_max_ns)
    stats->permit_wait_max_ns = (uint64_t)wait_ns;
  stats->waiting[job->owner]--;
}

enum status client_submit(struct node *node, const struct job_options *options,
                          struct job **ret, struct error *error) {
  enum status status = check(node, options, error);
  if (status != STATUS_OK) {
    count_refusal(node, status);
    return status;
  }
  struct job *job = job_new(node, options);
  if (!job)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a job");
  status = build(job, options->operations, error);
  if (status != STATUS_OK)
    goto free_job;
  if (!loop_room(node->client->loop, 1)) {
    status = error_set(error, STATUS_NO_MEMORY, "no memory for a timer");
    goto free_job;
  }
  piece_first(job);
  status = job_enter(job, clock_mono_ns());
  if (status != STATUS_OK) {
    (void)refused_text(node, status, error);
    goto free_room;
  }
  if (node->credential) {
    job->is_try = login_try(&node->login);
    job->is_try |= login_try(&node->credential->login);
  }
  TAILQ_INSERT_TAIL(&node->jobs, job, all);
  if (ret)
    *ret = job;
  return STATUS_OK;

free_room:
  loop_room_back(node->client->loop, 1);
free_job:
  count_refusal(node, status);
  job_free(job);
  return status;
}

void job_end(struct job *job, enum status kind, const char *text) {
  if (job->state == JOB_ENDING)
    return;
  if (kind == STATUS_OK)
    job->result.error = (struct error){.kind = STATUS_OK};
  else
    (void)error_set(&job->result.error, kind, "%s", text);
  struct client *client = job->node->client;
  if (job->is_resuming)
    TAILQ_REMOVE(&client->resuming, job, queued);
  job->is_resuming = false;
  job->state = JOB_ENDING;
  TAILQ_INSERT_TAIL(&client->ending, job, queued);
}

void job_finish(struct job *job) {
  struct node *node = job->node;
  struct client *client = node->client;
  enum status kind = job->result.error.kind;
  if (job->waiter.is_waiting) {
    ceiling_leave(&node->endpoint->entry->ceiling, &job->waiter);
    endpoint_touch(node->endpoint);
    job_waited(job, clock_mono_ns());
    if (kind == STATUS_CANCELLED) {
      node->stats.refused_cancelled++;
      node->endpoint->share.refused[REFUSED_CANCELLED]++;
    }
  }
  exchange_close(job);
  if (job->is_try) {
    login_untold(&node->login);
    login_untold(&node->credential->login);
  }
  if (kind == STATUS_PERMIT_TIMEOUT || kind == STATUS_PERMIT_QUEUE_FULL)
    count_refusal(node, kind);
  else if (kind != STATUS_OK)
    node->stats.errors[kind]++;
  job->result.is_partial = kind != STATUS_OK && job->result.rows > 0;
  TAILQ_REMOVE(&client->ending, job, queued);
  TAILQ_REMOVE(&node->jobs, job, all);
  timer_clear(loop_timers(client->loop), &job->timer);
  loop_room_back(client->loop, 1);
  job->done(job->cookie, &job->result);
  job_free(job);
}

void job_hold_waiting(struct node *node) {
  struct job *job;
  TAILQ_FOREACH(job, &node->jobs, all) {
    if (job->state == JOB_WAITING && !job->is_try)
      job_end(job, STATUS_HELD,
              "its login was refused three times and is held: set the right "
              "password");
  }
}

void client_cancel(struct job *job) {
  job_end(job, STATUS_CANCELLED, "cancelled by its caller");
}

void job_resume_later(struct job *job) {
  if (job->is_resuming || job->state == JOB_ENDING)
    return;
  job->is_resuming = true;
  TAILQ_INSERT_TAIL(&job->node->client->resuming, job, queued);
}

void client_resume(struct job *job) {
  if (job->is_paused)
    job_resume_later(job);
}
