/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_QUEUE_DELETE_H
#define ARTEMIS_QUEUE_DELETE_H

/* Deleting a queue: what is bound to it is read, it is destroyed, and looked
 * for. Pure: a table of steps. */

#include "artemis/step.h"
#include "base/buf.h"

/* The steps before the question, and those before the change: they read alone.
 * What is on the queue is read again then. */
#define QUEUE_DELETE_LOOKS 2
#define QUEUE_DELETE_COUNTS 3

struct queue_delete {
  char *domain;  /* "DOMAIN:broker=*" */
  char *queue;   /* plain */
  char *address; /* plain; NULL until it is found */
  bool is_address_given;
  bool with_consumers;

  /* What was found. */
  size_t n_matches;   /* queues of this name */
  struct buf matches; /* ADDRESS::QUEUE each, where there are several */
  char routing_type[16];
  int64_t n_messages;
  int64_t n_consumers;
  bool is_counted; /* the two were read again */
  bool is_durable;
  bool is_temporary;
  bool is_configured;   /* in broker.xml: it comes back with a restart */
  bool is_address_auto; /* the broker made the address by itself */
  size_t n_others;      /* other queues of the address */
  size_t n_diverts;
  struct buf diverts; /* "NAME (from ADDRESS)" each: that feed it, and
                         "NAME (to ADDRESS)": that are bound to its
                         address */
  bool is_gone;
  bool is_address_gone;

  /* Names of objects, and what else requests are made of. */
  struct buf queue_pattern, queue_mbean, address_mbean, divert_pattern;
  struct buf others_pattern;
  struct argument arguments[3];
};

extern const struct step_table queue_delete_table;

/* queue_delete_init(delete, jmx_domain, name, with_consumers, error): ${name}:
 * "QUEUE" or "ADDRESS::QUEUE". STATUS_INVALID: it is no name; STATUS_NO_MEMORY.
 * To be ended with queue_delete_fini() in any outcome. */
enum status queue_delete_init(struct queue_delete *delete,
                              const char *jmx_domain, const char *name,
                              bool with_consumers, struct error *error);
void queue_delete_fini(struct queue_delete *delete);

/* queue_delete_takes_address(delete): whether the broker deletes the address,
 * too: it made that by itself, and nothing else is bound there. */
bool queue_delete_takes_address(const struct queue_delete *delete);

#endif
