/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_QUEUES_H
#define ARTEMIS_QUEUES_H

/* By which request the queues are read: the listing, which costs the broker a
 * third or less of what a pattern read does, or the pattern read, which never
 * failed while queues came and went. */

#include "artemis/scrape.h"

#define QUEUES_BAD_TICKS 3   /* so many ticks without a listing running ... */
#define QUEUES_LIST_EVERY 10 /* ... and it is tried each tenth tick alone */

enum queues_way { QUEUES_NONE, QUEUES_LIST, QUEUES_READ };

struct queues {
  enum scrape_source source;
  bool is_denied;     /* exec is refused: read until the next identity */
  unsigned attempts;  /* listings in this tick */
  unsigned bad_ticks; /* in a row, at most QUEUES_BAD_TICKS */
  unsigned skipped;   /* ticks since the listing was tried */
  bool is_denied_told;
  bool is_failing_told;
};

/* queues_tick(queues, is_listing_aside): a tick begins: how the queues are
 * asked for first; QUEUES_NONE: not at all (Source "list" while the listing is
 * set aside). */
enum queues_way queues_tick(struct queues *queues, bool is_listing_aside);

/* queues_listed(queues, status, rows, host, text): the listing ended so, having
 * given ${rows} rows. How they are asked for next in this tick; QUEUES_NONE:
 * not again (it went well; or rows have left, whose time stamp a second answer
 * would repeat; or Source is "list"). Says once, for ${host}, why it falls
 * back. */
enum queues_way queues_listed(struct queues *queues, enum status status,
                              uint64_t rows, const char *host,
                              const char *text);

/* queues_identity_read(queues): permissions may have changed: list again. */
void queues_identity_read(struct queues *queues);

#endif
