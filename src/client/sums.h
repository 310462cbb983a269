/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_SUMS_H
#define CLIENT_SUMS_H

/* The gauges of a cluster's queues, added up over its nodes. What a node's
 * round gives is kept until its next whole one. Pure. */

#include "artemis/sample.h"
#include "base/buf.h"

/* Gauges of one queue that are summed: those of the default set that are no
 * truth values. */
#define SUMS_GAUGES 8

/* All parts of one cluster's sums together have at most so many queues: 100,000
 * are added up within 5 ms. */
#define SUMS_ENTRIES_MAX 100000

struct sums_entry {
  uint64_t hash; /* of the name */
  size_t name;   /* where it begins in ${names} */
  unsigned has;  /* bits: which values there are */
  double values[SUMS_GAUGES];
};

struct sums_list {
  struct sums_entry *entries;
  size_t n, room;
  struct buf names; /* each with its 0 */
};

/* Of one node: its round under way, and its last whole one. */
struct sums_part {
  size_t max;     /* queues */
  bool is_on;     /* the round under way is kept */
  bool is_broken; /* not all of it: no memory, or more than ${max} */
  struct sums_list now;
  struct sums_list whole;
  bool has_whole;
  int64_t at_ns; /* of that one; as of sums_part_end() */
};

void sums_part_init(struct sums_part *part, size_t max);
void sums_part_fini(struct sums_part *part);

/* sums_part_sample(part, sample): one of the round's, queues or not. */
void sums_part_sample(struct sums_part *part, const struct sample *sample);

/* sums_part_end(part, is_whole, at_ns, is_on): the round is over; it takes the
 * last one's place where it was whole. ${is_on}: the next one is kept. */
void sums_part_end(struct sums_part *part, bool is_whole, int64_t at_ns,
                   bool is_on);

/* The sums that are made, on their way out. */
struct sums {
  struct sums_list list;
  uint32_t *slots; /* by hash: the entry's place in the list, from 1 */
  size_t size;     /* slots, a power of two, or 0 */
  size_t n_added;  /* entries of parts */
  size_t next;     /* to be sent */
};

void sums_init(struct sums *sums);
void sums_fini(struct sums *sums);

/* sums_begin(sums): empty. sums_add(sums, part): its last whole round; false,
 * and nothing is of use until sums_begin(), without memory or past
 * SUMS_ENTRIES_MAX. */
void sums_begin(struct sums *sums);
bool sums_add(struct sums *sums, const struct sums_part *part);

/* sums_send(sums, sample, sink, max): hands over those of the next queues, of
 * about ${max} samples; ${sample} has host, plugin, time and interval. Returns
 * whether more are left. */
bool sums_send(struct sums *sums, struct sample *sample,
               const struct sample_sink *sink, size_t max);

#endif
