/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_SOURCE_H
#define ARTEMIS_SOURCE_H

/* The queue whose messages are to be changed: one bulk of reads about it, and
 * whether a change may begin. Also read again while a run goes on. Pure. */

#include "artemis/messages.h"

#define SOURCE_ITEMS 4

struct source {
  bool is_active; /* the broker says Active=true */
  /* Bytes of all addresses in memory, and the most: global-max-size, past which
   * every address is full; -1 unknown. */
  int64_t global_max, global_size;
  bool is_there;    /* the queue answered */
  int64_t queue_id; /* another one that is made under its name has another */
  int64_t messages, consumers, delivering, scheduled;
  char dead_letter[MESSAGES_NAME_MAX]; /* addresses; "" if none */
  char expiry[MESSAGES_NAME_MAX];
  bool is_paging;
  int64_t address_size;   /* bytes in memory; -1 unknown */
  int64_t max_bytes;      /* of its address' settings; -1: no limit */
  bool makes_dead_letter; /* queues for it are made where there is none */
  bool makes_expiry;
  struct error fault; /* the first item's that failed; kind OK: none */
};

struct source_reader {
  struct buf address; /* object name */
  const char *queue_address;
  struct argument argument;
  struct operation operations[SOURCE_ITEMS];
  struct source found;
};

/* source_reader_init(reader, broker, queue): ${broker} is its object name; both
 * must stay. source_reader_fini(). */
enum status source_reader_init(struct source_reader *reader, const char *broker,
                               const struct message_queue *queue);
void source_reader_fini(struct source_reader *reader);

/* The bulk of SOURCE_ITEMS: reader->operations and these. */
extern const struct item_spec source_specs[SOURCE_ITEMS];

/* source_begin(reader): a reply is to come. source_row(), source_item(): as of
 * struct reply_sink. What they tell is in reader->found. */
void source_begin(struct source_reader *reader);
void source_row(struct source_reader *reader, size_t item,
                const struct row *row);
void source_item(struct source_reader *reader, size_t item,
                 const struct item_result *result);

/* source_destination(source, change): the address that dead-letter and expire
 * send to; "" for the others, and where there is none. */
const char *source_destination(const struct source *source,
                               enum message_change change);

/* source_check(source, queue, change, version, why): version as of struct
 * identity. */
enum message_check source_check(const struct source *source,
                                const struct message_queue *queue,
                                enum message_change change, unsigned version,
                                struct error *why);

/* source_limits(source, version): what cannot be reached, for people; NULL if
 * there is nothing to say. */
const char *source_limits(const struct source *source, unsigned version);

/* source_is_quiet(source): nobody but us takes messages out of it, and none is
 * out of sight. */
bool source_is_quiet(const struct source *source);

/* source_may_page_soon(source): its address is more than half full, or has no
 * max-size-bytes of its own: then it pages when the broker's memory is full. */
bool source_may_page_soon(const struct source *source);

#endif
