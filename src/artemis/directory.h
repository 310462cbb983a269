/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_DIRECTORY_H
#define ARTEMIS_DIRECTORY_H

/* The names of all queues and addresses of a broker, of the MBeans that blocks
 * and sets read, and those of their series. A hash in a series' name leads back
 * to its object only through these. One request of searches. No I/O. */

#include "artemis/mbean.h"
#include "artemis/scrape.h"
#include "base/buf.h"

struct directory;

/* directory_new(settings, mbeans): uses their jmx_domain and names; both must
 * stay. NULL without memory. */
struct directory *directory_new(const struct scrape_settings *settings,
                                struct mbeans *mbeans);
void directory_free(struct directory *directory); /* NULL is fine */

/* directory_request(directory, ret): kept in ${directory}. */
void directory_request(struct directory *directory, struct scrape_request *ret);

struct directory_entry {
  enum object object; /* OBJECT_QUEUE, OBJECT_ADDRESS or OBJECT_MBEAN */
  const char *name;   /* plain, with a 0 behind it; valid until the next row; of
                         OBJECT_MBEAN the object name */
  size_t name_len;
  const char *plugin;             /* of its series; a constant */
  char instance[SAMPLE_NAME_MAX]; /* their plugin instance */
};

/* directory_row(directory, item, row, ret): a row of the reply; false where it
 * is none of these. */
bool directory_row(struct directory *directory, size_t item,
                   const struct row *row, struct directory_entry *ret);

/* directory_mbeans(directory), directory_mbean(directory, i, text, ret):
 * without the node: how many blocks and sets there are, and the series that the
 * ${i}th has of an object name; false: none. */
size_t directory_mbeans(const struct directory *directory);
bool directory_mbean(struct directory *directory, size_t i, const char *text,
                     struct directory_entry *ret);

#endif
