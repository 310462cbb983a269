/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_RESUME_H
#define CTL_RESUME_H

/* The resume file: what has become of each id of a run, on disk before it
 * matters. Its beginning (whose run, the ids) is written to another name,
 * synced, and renamed; then it only grows, by a line for a range of ids that
 * changed their state, each with a check over all that stands before it. The
 * first line says how long the file is known to be: shorter ones are refused,
 * and so is a line that does not fit. What a crash has left half written behind
 * that is cut off: it had not been acted upon. */

#include "ctl/ids.h"

enum id_state {
  ID_TODO,
  ID_IN_FLIGHT, /* sent, perhaps: no reply has been seen */
  ID_DONE,
  ID_ABSENT,
  ID_FAILED,  /* with a reason */
  ID_UNKNOWN, /* sent, and what became of it cannot be told */
  ID_STATE_COUNT
};

/* id_state_name(state): the stable string: "todo", "in_flight", "done", ... */
const char *id_state_name(enum id_state state);

/* Whose run it is. The strings are the caller's, and are needed during the
 * calls only. */
struct resume_about {
  const char *node; /* CLUSTER/NODE */
  const char *url;
  const char *node_id; /* the broker's NodeID */
  int64_t queue_id;    /* the queue's ID, which one made again has not */
  const char *queue;
  const char *operation;
  const char *target; /* "" if it has none */
};

#define RESUME_PATH_MAX 4096
#define RESUME_REASONS 64 /* different ones that are kept; later: the last */

struct resume {
  char path[RESUME_PATH_MAX];
  char node[1024]; /* as it stands in the file */
  char node_id[64];
  int64_t queue_id;
  struct ids ids;
  uint8_t *states;  /* enum id_state, of each id */
  uint8_t *reasons; /* of each that has failed */
  char *reason_text[RESUME_REASONS];
  size_t n_reasons;
  size_t counts[ID_STATE_COUNT]; /* of ids in each state */
  int fd;
  uint64_t len;   /* of the file */
  uint64_t check; /* over it, but the first line */
  /* marks that are not written yet */
  struct buf pending;
  size_t range_from, range_n;
  char range_letter;
};

/* resume_create(ret, folder, about, ids, error): a new file in ${folder}, with
 * all ids to do; takes the content of ${ids}, which must be finished.
 * STATUS_INVALID where it cannot be written (nothing is left then),
 * STATUS_NO_MEMORY. resume_fini() in any outcome. */
enum status resume_create(struct resume *ret, const char *folder,
                          const struct resume_about *about, struct ids *ids,
                          struct error *error);

/* resume_open(ret, path, about, error): an old one, and locks it. ${about} must
 * be what it was made for, but for who serves it: see ${ret}'s node, node_id
 * and queue_id. Ids in flight are unknown from now on (not on disk yet).
 * STATUS_INVALID: not readable, no resume file, truncated, edited, of another
 * run, in use; STATUS_NO_MEMORY. resume_fini() in any outcome. */
enum status resume_open(struct resume *ret, const char *path,
                        const struct resume_about *about, struct error *error);
void resume_fini(struct resume *resume);

/* resume_mark(resume, i, state, reason): the state of id number ${i}; with
 * ID_FAILED ${reason}, one line. In memory until resume_commit(). */
void resume_mark(struct resume *resume, size_t i, enum id_state state,
                 const char *reason);

/* resume_mark_seen(resume, i): it was in the queue, before it was sent. Where
 * it is gone after it was sent, that was us. */
void resume_mark_seen(struct resume *resume, size_t i);

/* resume_may_be_done(resume, i): what became of it was unknown once, in this
 * run or before: an answer "no such message" can be our own doing. */
bool resume_may_be_done(const struct resume *resume, size_t i);

enum id_state resume_state(const struct resume *resume, size_t i);
bool resume_is_seen(const struct resume *resume, size_t i);

/* resume_commit(resume, error): what was marked is on disk. STATUS_INVALID:
 * it is not (disk full, ...): do not go on. A later commit tries it again. */
enum status resume_commit(struct resume *resume, struct error *error);

/* resume_reason(resume, i): of an id that has failed; "" else. */
const char *resume_reason(const struct resume *resume, size_t i);

#endif
