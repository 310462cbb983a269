/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_IDS_H
#define CTL_IDS_H

/* Lists of message ids: from arguments, from a file, from browsing. */

#include "base/buf.h"

#include <stdint.h>

/* A run has at most so many; a file may name some twice. */
#define IDS_MAX 1000000
#define IDS_GIVEN_MAX (2 * IDS_MAX)
/* So many of 20 digits take less. */
#define IDS_FILE_MAX (64 << 20)
/* Wrong ones that are told; the others are counted. */
#define IDS_WRONG_TOLD 20

struct ids {
  int64_t *list; /* 0 .. 2^63-1; after ids_finish() ascending, each once */
  size_t n;
  size_t size;
  size_t n_duplicates; /* after ids_finish() */
  size_t n_wrong;
  struct buf wrong; /* a line each: place, reason, remedy */
};

void ids_init(struct ids *ids);
void ids_fini(struct ids *ids);

/* ids_add(ids, id, error): STATUS_INVALID past IDS_GIVEN_MAX, STATUS_NO_MEMORY.
 */
enum status ids_add(struct ids *ids, int64_t id, struct error *error);

/* ids_add_argument(ids, text, error): an id as it was typed; one that is none
 * is added to the wrong ones. As ids_add(). */
enum status ids_add_argument(struct ids *ids, const char *text,
                             struct error *error);

/* ids_read(ids, path, error): one a line; "#" begins a comment, blank lines are
 * skipped; "-" is standard input. Lines that hold something else are added to
 * the wrong ones, by file and line. Reads in small pieces. STATUS_INVALID: it
 * cannot be read, is longer than IDS_FILE_MAX (a regular file: before it is
 * read), or is binary. STATUS_NO_MEMORY. */
enum status ids_read(struct ids *ids, const char *path, struct error *error);

/* ids_finish(ids, error): puts them in order, each once: what came first into a
 * queue has the lower id. STATUS_INVALID: some are wrong (${ids->wrong} has
 * them), or there is none. */
enum status ids_finish(struct ids *ids, struct error *error);

/* ids_find(ids, id): the place of ${id} in a finished list; SIZE_MAX: none. */
size_t ids_find(const struct ids *ids, int64_t id);

#endif
