/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_DESTINATION_H
#define ARTEMIS_DESTINATION_H

/* Where changed messages go: one bulk of reads about up to DESTINATIONS_MAX of
 * them, and whether they take what comes. Pure. */

#include "artemis/source.h"

#define DESTINATIONS_MAX 15 /* with the source's items within one permit */
#define DESTINATION_ITEMS 3
#define DESTINATIONS_ITEMS_MAX (DESTINATIONS_MAX * DESTINATION_ITEMS)

struct destination {
  char
      queue[MESSAGES_NAME_MAX]; /* "": an address is meant, whatever is bound */
  char address[MESSAGES_NAME_MAX];
  bool is_used; /* the caller's: messages are to go there */
  /* what was read */
  bool is_there; /* the queue; or some queue of the address */
  bool is_known; /* its settings and its size are */
  bool is_paging;
  bool is_off, is_purged; /* the queue drops all that it is sent now */
  int64_t ring, messages; /* the queue's most, -1: no limit; what it has */
  bool may_lose;          /* DROP or FAIL when it is full */
  char policy[16];
  int64_t address_size;
  int64_t max_bytes, max_messages; /* -1: no limit */
  int64_t percent;                 /* of its limits; -1 unknown (2.18.0) */
};

struct destinations {
  struct destination list[DESTINATIONS_MAX];
  size_t n;
  size_t n_prepared; /* of those, by destinations_prepare() */
  struct buf patterns[DESTINATIONS_MAX], addresses[DESTINATIONS_MAX];
  struct argument arguments[DESTINATIONS_MAX];
  struct operation operations[DESTINATIONS_ITEMS_MAX];
  struct item_spec specs[DESTINATIONS_ITEMS_MAX];
};

/* destinations_add(destinations, queue, address): once each; ${queue} may be
 * "". SIZE_MAX: there are too many; else its place. Begin with zeros. */
size_t destinations_add(struct destinations *destinations, const char *queue,
                        const char *address);

/* destinations_prepare(destinations, domain, broker): the bulk of
 * DESTINATION_ITEMS x n operations and specs. ${broker}, its object name, must
 * stay. Once. STATUS_NO_MEMORY. destinations_fini() in any outcome. */
enum status destinations_prepare(struct destinations *destinations,
                                 const char *domain, const char *broker);
void destinations_fini(struct destinations *destinations);

/* destinations_begin(destinations): a reply is to come.
 * destinations_row(): as of struct reply_sink. An item that fails leaves its
 * destination unknown. */
void destinations_begin(struct destinations *destinations);
void destinations_row(struct destinations *destinations, size_t item,
                      const struct row *row);

/* destination_check(destination, source, n_messages, may_be_made, why): whether
 * it takes ${n_messages} of ${source}; ${may_be_made}: queues of the address
 * are made where there is none. */
enum message_check destination_check(const struct destination *destination,
                                     const struct source *source,
                                     uint64_t n_messages, bool may_be_made,
                                     struct error *why);

/* destination_is_tight(destination, source, n_messages): it drops or fails, and
 * has no room for twice as much: others may fill it soon. */
bool destination_is_tight(const struct destination *destination,
                          const struct source *source, uint64_t n_messages);

#endif
