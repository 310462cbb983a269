/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_DIRECTORY_H
#define ARTEMIS_DIRECTORY_H

/* The names of a broker, of all its queues and addresses, of the MBeans that
 * blocks and sets read, and those of their series. A hash in a series' name
 * leads back to its object only through these. One request of searches, of what
 * the settings read alone. No I/O. */

#include "artemis/mbean.h"
#include "artemis/scrape.h"
#include "base/buf.h"

struct directory;

/* directory_new(settings, mbeans): uses their jmx_domain, names and sets; both
 * must stay. NULL without memory. */
struct directory *directory_new(const struct scrape_settings *settings,
                                struct mbeans *mbeans);
void directory_free(struct directory *directory); /* NULL is fine */

/* directory_request(directory, ret): kept in ${directory}. */
void directory_request(struct directory *directory, struct scrape_request *ret);

struct directory_entry {
  enum object object;
  const char *name; /* plain, with a 0 behind it; valid until the next row; of
                       OBJECT_MBEAN the object name */
  size_t name_len;
  const char *mbean; /* the object name; as long as the row or the text */
  size_t mbean_len;
  const char *plugin;             /* of its series; a constant */
  char instance[SAMPLE_NAME_MAX]; /* their plugin instance */
};

/* directory_row(directory, item, row, ret): a row of the reply; false where it
 * is none of these. */
bool directory_row(struct directory *directory, size_t item,
                   const struct row *row, struct directory_entry *ret);

/* Without the node. directory_mbeans(directory), directory_mbean(directory, i,
 * text, ret): how many blocks and sets there are, and the series that the
 * ${i}th has of an object name; false: none.
 * directory_object(directory, text, ret): those that a broker, an address or a
 * queue of that object name has. directory_has_objects(directory): whether
 * those of any are read. */
size_t directory_mbeans(const struct directory *directory);
bool directory_mbean(struct directory *directory, size_t i, const char *text,
                     struct directory_entry *ret);
bool directory_object(struct directory *directory, const char *text,
                      struct directory_entry *ret);
bool directory_has_objects(const struct directory *directory);

#endif
