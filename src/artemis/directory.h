/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_DIRECTORY_H
#define ARTEMIS_DIRECTORY_H

/* The names of all queues and addresses of a broker, and those of their series.
 * A hash in a series' name leads back to its object only through these. One
 * request of two searches. No I/O. */

#include "artemis/scrape.h"
#include "base/buf.h"

struct directory;

/* directory_new(settings): uses their jmx_domain, which must stay, and names.
 * NULL without memory. */
struct directory *directory_new(const struct scrape_settings *settings);
void directory_free(struct directory *directory); /* NULL is fine */

/* directory_request(directory, ret): kept in ${directory}. */
void directory_request(struct directory *directory, struct scrape_request *ret);

struct directory_entry {
  enum object object; /* OBJECT_QUEUE or OBJECT_ADDRESS */
  const char *name;   /* plain, with a 0 behind it; valid until the next row */
  size_t name_len;
  char instance[SAMPLE_NAME_MAX]; /* plugin instance of its series */
};

/* directory_row(directory, item, row, ret): a row of the reply; false where it
 * is none of a queue or an address. */
bool directory_row(struct directory *directory, size_t item,
                   const struct row *row, struct directory_entry *ret);

#endif
