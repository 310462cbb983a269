/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/state.h"

#include "base/clock.h"

/* The body is one JSON array of all operations. A piece of it is an array too:
 * the comma in front becomes "[", the one behind "]"; the commas inside stay.
 * ${start[i]} is where operation i begins, so that the byte before it is that
 * comma; ${start[n]} is the end of the body. */

static size_t bytes_of(const struct job *job, size_t from, size_t to) {
  return (size_t)job->start[to] - job->start[from] + 1;
}

static uint32_t changes_of(const struct job *job, size_t from, size_t to) {
  return job->changes[to] - job->changes[from];
}

bool piece_stays_whole(const struct job *job) {
  return job->kind == KIND_IDENTITY;
}

static size_t most_bytes(const struct job *job) {
  const struct node *node = job->node;
  size_t most = node->max_request_bytes;
  if (!piece_stays_whole(job) && node->halved_bytes > 0 &&
      node->halved_bytes < most && clock_mono_ns() < node->halved_until_ns)
    most = node->halved_bytes;
  return most;
}

static size_t cut(const struct job *job, size_t from) {
  size_t batch = client_node_batch(job->node);
  size_t most = most_bytes(job);
  size_t to = from + 1;
  while (to < job->n && to - from < CEILING_OPERATIONS_PER_PERMIT &&
         changes_of(job, from, to + 1) <= batch &&
         bytes_of(job, from, to + 1) <= most)
    to++;
  return to;
}

void piece_first(struct job *job) {
  job->pos = 0;
  job->end = cut(job, 0);
  job->n_ends = 0;
}

bool piece_next(struct job *job) {
  job->pos = job->end;
  if (job->n_ends > 0)
    job->end = job->ends[--job->n_ends];
  else if (job->pos < job->n)
    job->end = cut(job, job->pos);
  else
    return false;
  return true;
}

void piece_halve(struct job *job) {
  job->ends[job->n_ends++] = job->end;
  job->end = job->pos + (job->end - job->pos) / 2;
}

/* Cut so, the same bulk comes in two parts, none longer than these. */
void piece_halve_too_large(struct job *job, int64_t now_ns) {
  struct node *node = job->node;
  size_t end = job->end;
  piece_halve(job);
  size_t first = bytes_of(job, job->pos, job->end);
  size_t second = bytes_of(job, job->end, end);
  node->halved_bytes = first > second ? first : second;
  node->halved_until_ns = now_ns + node->too_large_ns;
}

void piece_not_too_large(struct job *job) { job->node->halved_bytes = 0; }

bool piece_skip(struct job *job, size_t n) {
  job->pos += n;
  return job->pos < job->end || piece_next(job);
}

uint32_t piece_changes(const struct job *job) {
  return changes_of(job, job->pos, job->end);
}

const char *piece_body(struct job *job, size_t *ret_len) {
  char *body = job->body.data + job->start[job->pos] - 1;
  size_t len = bytes_of(job, job->pos, job->end);
  body[0] = '[';
  body[len - 1] = ']';
  *ret_len = len;
  return body;
}
