/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_HANDLING_H
#define CLIENT_HANDLING_H

/* How long a node was at work on our requests: the time in which at least one
 * of them had been sent and had no first byte of its reply. Where several
 * overlap, the time is that one's which was sent first: a broker that takes
 * them one after the other works on it, and nothing is counted twice or not at
 * all. (Counting from the last reply on would lose what a long request had cost
 * until then: a scrape each second made 20 s of a bulk's work look like 1 s.)
 * Pure: time is an argument. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* A request. Its instants are its owner's, and may still move. */
struct handling_part {
  TAILQ_ENTRY(handling_part) link;
  const int64_t *sent_ns;
  const int64_t *first_ns; /* 0 there: no byte has come */
  int64_t work_ns;
};

TAILQ_HEAD(handling_parts, handling_part);

struct handling {
  struct handling_parts parts; /* the first sent first */
  int64_t until_ns;            /* so far it is shared out */
};

void handling_init(struct handling *handling);

/* handling_begin(handling, part, sent_ns, first_ns): it was sent. Both must
 * stay until handling_end(). */
void handling_begin(struct handling *handling, struct handling_part *part,
                    const int64_t *sent_ns, const int64_t *first_ns);

/* handling_end(handling, part, to_ns): its first byte came, or it was given up,
 * at ${to_ns}. Returns the node's time for it. */
int64_t handling_end(struct handling *handling, struct handling_part *part,
                     int64_t to_ns);

#endif
