/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef SUPPORT_RECORD_H
#define SUPPORT_RECORD_H

/* What a reply told, as text: a line a row, a line an item, a line at the end.
 * Values: . absent, null, true, 5, r1.5 (a real), 'text', !fault, ~object; what
 * came as text has it behind. */

#include "base/buf.h"
#include "jolokia/reply.h"

struct record {
  struct buf text;
  uint64_t rows;
  uint64_t stop_each; /* row() returns false after so many; 0: never */
};

/* How the bytes are cut: a piece of ${first}, then pieces of ${rest}, which are
 * 1 or more; with ${random} the pieces are of 1 to ${rest} bytes. */
struct cut {
  size_t first;
  size_t rest;
  uint64_t stop_each;
  uint64_t random; /* the seed; 0: none */
};

/* record_reply(record, specs, n, max_object, bytes, len, cut): reads the reply,
 * each piece in memory of exactly its size. Returns what reply_end() does, or
 * STATUS_NO_MEMORY from reply_new(). Free with buf_fini(). */
enum status record_reply(struct record *record, const struct item_spec *specs,
                         size_t n, size_t max_object, const char *bytes,
                         size_t len, struct cut cut);

/* record_row(record, item, row): adds a row's line. */
void record_row(struct record *record, size_t item, const struct row *row);

#endif
