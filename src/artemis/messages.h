/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_MESSAGES_H
#define ARTEMIS_MESSAGES_H

/* Messages of a queue, one by one: what changes one by its id, what an answer
 * means, how they are looked at, how their queue is found. Pure. */

#include "jolokia/reply.h"
#include "jolokia/request.h"

enum message_change {
  MESSAGES_REMOVE,
  MESSAGES_MOVE,
  MESSAGES_EXPIRE,
  MESSAGES_RETRY,
  MESSAGES_DEAD_LETTER,
  MESSAGES_CHANGE_COUNT
};

/* message_change_name(change): the stable string: "remove", "move", "expire",
 * "retry", "dead-letter". */
const char *message_change_name(enum message_change change);

/* Whether a change may begin, as a check has it. */
enum message_check {
  MESSAGES_SAFE,
  MESSAGES_MISSING, /* a queue or an address is not there, or not just one */
  MESSAGES_UNSAFE   /* real brokers were seen to do damage then */
};

/* -- A queue -- */

#define MESSAGES_MBEAN_MAX 1024
#define MESSAGES_NAME_MAX 400 /* of a queue or an address; plain */

struct message_queue {
  char mbean[MESSAGES_MBEAN_MAX];
  char name[MESSAGES_NAME_MAX];
  char address[MESSAGES_NAME_MAX];
};

/* message_queue_pattern(out, domain, name): the pattern of a search that finds
 * the queue ${name}, or ADDRESS::QUEUE, with all its characters meant as they
 * are. message_bound_pattern(): all queues of the address. */
void message_queue_pattern(struct buf *out, const char *domain,
                           const char *name);
void message_bound_pattern(struct buf *out, const char *domain,
                           const char *address);

/* message_queue_read(ret, mbean, len): from a queue's object name. false: it is
 * none, or longer than these. */
bool message_queue_read(struct message_queue *ret, const char *mbean,
                        size_t len);

/* message_address_mbean(out, broker, address): of an address of the broker
 * whose object name is ${broker}. */
void message_address_mbean(struct buf *out, const char *broker,
                           const char *address);

/* -- One message changed -- */

/* What an operation points to. */
struct message_arguments {
  struct argument list[2];
};

/* message_operation(change, mbean, target, id, arguments, ret): the operation
 * on one message of the queue ${mbean}; ${target}, of a move, is a queue. All
 * strings and ${arguments} must stay. */
void message_operation(enum message_change change, const char *mbean,
                       const char *target, int64_t id,
                       struct message_arguments *arguments,
                       struct operation *ret);

/* One row, whatever the operation says. */
extern const struct item_spec message_spec;

enum message_outcome {
  MESSAGE_DONE,
  MESSAGE_NOT_NOW, /* false: no such message, it is with a consumer, not in
                      memory, or was sent just now */
  MESSAGE_BUSY,    /* nothing was done: the management lock; ask again */
  MESSAGE_FAILED,
  MESSAGE_FULL,   /* failed: the target is, and so would each later one */
  MESSAGE_UNCLEAR /* the answer cannot be read */
};

/* message_outcome(result, value, why): of one item; ${value} is its row's only
 * column, NULL if it had none. ${why} gets the reason of the failed ones. */
enum message_outcome message_outcome(const struct item_result *result,
                                     const struct value *value,
                                     struct error *why);

/* -- Messages looked at -- */

#define MESSAGES_PAGE 200

enum {
  BROWSE_ID,
  BROWSE_TIMESTAMP,
  BROWSE_PRIORITY,
  BROWSE_SIZE,
  BROWSE_REDELIVERED,
  BROWSE_DURABLE,
  BROWSE_PROTOCOL,
  BROWSE_TEXTS, /* the string properties: an object */
  BROWSE_COLUMNS
};
extern const struct item_spec message_browse_spec;

struct browse_arguments {
  struct argument list[3];
};

/* message_browse(mbean, page, filter, arguments, ret): the ${page}th
 * MESSAGES_PAGE messages, from 1 on, in the queue's order; with ${filter}
 * (NULL: none) of those that it selects, for which the broker walks over the
 * whole queue. A read. */
void message_browse(const char *mbean, uint32_t page, const char *filter,
                    struct browse_arguments *arguments, struct operation *ret);

/* message_origin(texts, ret, size, ret_address): of a message in a dead-letter
 * or expiry queue: the queue (and ${ret_address}: the address) that it came
 * from, from its string properties; each of ${size} bytes. false: it never was
 * in another one. */
bool message_origin(const struct value *texts, char *ret, char *ret_address,
                    size_t size);

#endif
