/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/state.h"

#include "client/failure.h"

/* How the request ended, by what came back. */
static enum status judge(struct job *job, struct error *error) {
  const struct transfer *transfer = &job->transfer;
  if (job->is_too_large)
    return error_set(error, STATUS_REPLY_TOO_LARGE,
                     "the reply is longer than MaxResponseBytes (%zu)",
                     job->node->max_response_bytes);
  if (job->reply_status == STATUS_NO_MEMORY)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a reply");
  if (job->reply_status == STATUS_OK &&
      (transfer->outcome != STATUS_OK || transfer->http_status != 200))
    return failure_of(transfer, error);
  enum status kind = reply_end(job->reply, error);
  if (kind == STATUS_OK && job->reply_status != STATUS_OK)
    kind = error_set(error, job->reply_status, "the reply cannot be read");
  return kind;
}

static void go_on(struct job *job, bool has_more, int64_t now_ns) {
  if (!has_more) {
    job_end(job, STATUS_OK, "");
    return;
  }
  if (job->node->is_closing) {
    job_end(job, STATUS_CLOSING, "the node is going away");
    return;
  }
  if (client_node_login_held(job->node) && !job->is_try) {
    job_end(job, STATUS_HELD, "its login is held after refusals");
    return;
  }
  enum status status = job_enter(job, now_ns);
  if (status != STATUS_OK)
    job_end(job, status, "no permit for the rest of it");
}

static void fail_item(struct job *job, size_t item, const struct error *error) {
  struct item_result result = {.status = error->kind,
                               .code = job->transfer.http_status,
                               .error_type = "",
                               .error = error->text};
  exchange_tell_item(job, item, &result);
}

/* A reply past MaxResponseBytes: the item in progress is set aside. */
static bool skip_large(struct job *job, const struct error *error,
                       int64_t now_ns) {
  size_t n_done = reply_items_done(job->reply);
  if (!job->is_too_large || job->is_change || piece_stays_whole(job) ||
      n_done >= job->end - job->pos)
    return false;
  fail_item(job, n_done, error);
  go_on(job, piece_skip(job, n_done + 1), now_ns);
  return true;
}

/* Nothing of a bulk was accepted: smaller parts are tried. Not so a change,
 * unless it was too large to be read: the operations before the one that was
 * refused may have run. */
static bool narrow(struct job *job, const struct error *error, int64_t now_ns) {
  const struct transfer *transfer = &job->transfer;
  bool is_lone_object = error->kind == STATUS_ITEM_ERROR;
  if (!is_lone_object && !failure_is_of_batch(transfer))
    return false;
  bool is_too_large = transfer->http_status == 413;
  if (job->n == 1 || piece_stays_whole(job) ||
      (job->is_change && !is_too_large))
    return false;
  if (job->end - job->pos > 1) {
    job->was_halved = true;
    if (is_too_large)
      piece_halve_too_large(job, now_ns);
    else
      piece_halve(job);
    go_on(job, true, now_ns);
    return true;
  }
  job->culprits++;
  if (is_too_large)
    piece_not_too_large(job);
  if (!job->was_accepted && job->culprits >= JOB_CULPRITS_MAX)
    return false;
  fail_item(job, 0, error);
  go_on(job, piece_next(job), now_ns);
  return true;
}

static bool retry(struct job *job, const struct error *error, int64_t now_ns) {
  if (error->kind != STATUS_RESET || job->is_change || job->was_retried ||
      reply_rows(job->reply) > 0 || reply_items_done(job->reply) > 0)
    return false;
  job->was_retried = true;
  job->node->stats.retries++;
  go_on(job, true, now_ns);
  return true;
}

static void accepted(struct job *job, int64_t now_ns) {
  /* One that stands alone after halving may be a culprit as well. */
  if (job->was_halved && job->end - job->pos == 1 &&
      job->item_status != STATUS_OK)
    job->culprits++;
  else
    job->was_accepted = true;
  if (!job->was_accepted && job->culprits >= JOB_CULPRITS_MAX) {
    job_end(job, STATUS_ITEM_ERROR,
            "the bulk was refused as a whole, and its first operations alone "
            "too");
    return;
  }
  go_on(job, piece_next(job), now_ns);
}

static void hold_node(struct job *job, int64_t now_ns) {
  int64_t wait_ns = job->transfer.retry_after_ns;
  job->result.retry_after_ns = wait_ns;
  /* Up to a tenth more, so that not all come back in one instant. */
  int64_t until_ns = now_ns + wait_ns + now_ns % (wait_ns / 10 + 1);
  if (wait_ns > 0)
    ceiling_hold(&job->node->endpoint->entry->ceiling, until_ns);
}

void settle(struct job *job, int64_t now_ns) {
  struct error error = {.kind = STATUS_OK};
  enum status kind = judge(job, &error);
  job->result.http_status = job->transfer.http_status;
  job->is_paused = false;
  node_login_told(job, kind, job->transfer.http_status, now_ns);
  if (kind == STATUS_OK) {
    accepted(job, now_ns);
    return;
  }
  error.kind = kind;
  if (kind == STATUS_THROTTLED)
    hold_node(job, now_ns);
  if (skip_large(job, &error, now_ns) || narrow(job, &error, now_ns) ||
      retry(job, &error, now_ns))
    return;
  if (job->is_change && (kind == STATUS_RESET || kind == STATUS_TIMEOUT))
    (void)error_set(&error, kind,
                    "the connection ended before the reply did: whether the "
                    "change was made is unknown");
  job_end(job, kind, error.text);
}
