/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_MESSAGES_H
#define CTL_MESSAGES_H

/* `jolokiactl messages`: what its parts share. A run changes messages of one
 * queue of one node, in batches, one after the other, in ascending order of
 * their ids: the front of the queue first, where a broker that pages still
 * reaches them. */

#include "artemis/destination.h"
#include "artemis/identity.h"
#include "ctl/ctl.h"
#include "ctl/dialog.h"
#include "ctl/resume.h"

#define MESSAGES_MAX_DEFAULT 1000
#define BROWSE_LIMIT_DEFAULT 10000
#define BROWSE_LIMIT_MAX 1000000

struct messages {
  const struct ctl *ctl;
  const struct node_settings *settings;
  enum message_change change;
  struct dialog dialog;
  bool is_change; /* not only looked at */
  char node[280]; /* "CLUSTER/NODE" */
  /* messages_find() */
  struct identity identity;
  struct message_queue queue;
  struct message_queue target; /* of a move */
  bool has_reader;
  struct source_reader reader; /* reader.found: the queue as it was last read */
  struct destinations to;
  size_t n_asked;     /* ids, before there is a resume file */
  int64_t checked_ns; /* of the last messages_check() */
  /* the run */
  struct resume resume;
  bool has_resume;
  bool is_other_queue; /* it was deleted and made again since the run began */
  uint8_t *n_false;    /* of each id: how often it has answered false */
  int64_t begin_ns;
  size_t n_before; /* ids that were over when the run began */
  int64_t next_ns; /* of the progress */
  bool is_terminal, has_bar;
};

/* -- messages_find.c: who and where; reads alone -- */

/* What a step came to: EXIT_CODE_DONE: go on. Else it was told on standard
 * error. */
enum exit_code messages_find(struct messages *messages);

/* messages_check(messages): reads the queue and its targets again, in one
 * request, and whether it is the run's queue and the change may begin or go on:
 * there is where to for all that is to come. */
enum exit_code messages_check(struct messages *messages);

/* messages_check_to(messages): the targets are known: messages_check() looks at
 * them from now on, and does. Of a retry at those that are used. */
enum exit_code messages_check_to(struct messages *messages);

/* messages_is_tight(messages): as it was last read, others may make it unsafe
 * within some requests. */
bool messages_is_tight(const struct messages *messages);

void messages_fini(struct messages *messages);

/* messages_tell(messages, text...): a line on standard error, with the node. */
void messages_tell(const struct messages *messages, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* -- messages_look.c: what is in the queue -- */

/* messages_filter(messages, ids): adds what --filter selects. */
enum exit_code messages_filter(struct messages *messages, struct ids *ids);

/* messages_look(messages): of each id whose outcome is unknown: still there: to
 * do again; gone: that was us, if it was seen there before and nobody else
 * takes messages. Else it stays unknown. */
enum exit_code messages_look(struct messages *messages);

/* messages_origins(messages): before a retry: where each message came from, and
 * whether that is still there; those that cannot go back fail here. */
enum exit_code messages_origins(struct messages *messages);

/* -- messages_run.c: the batches -- */

/* messages_batch(messages): ids a request. messages_pace(messages): requests to
 * the next messages_check(). messages_run(messages): all that is to do; the
 * run's own reason to end, if it did not come to its end. */
size_t messages_batch(const struct messages *messages);
size_t messages_pace(const struct messages *messages);
enum exit_code messages_run(struct messages *messages);

/* -- messages_text.c: what is shown -- */

/* messages_estimate(messages, n, out): "20 requests and 1 that looks again, 21
 * permits, about 19 s at the ceiling". */
void messages_estimate(const struct messages *messages, size_t n,
                       struct buf *out);

/* messages_progress: a tick of struct dialog. */
void messages_progress(void *cookie, int64_t now_ns);
void messages_progress_end(struct messages *messages);

/* messages_summary(messages): each id and the four counts (--json), or the
 * counts and the reasons. false where standard output broke. */
bool messages_summary(const struct messages *messages);

#endif
