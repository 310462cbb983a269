/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_ROW_H
#define JOLOKIA_ROW_H

/* Reads one row's text into the values of the columns that are wanted. Private
 * to the reader of replies.
 *
 * Rows are scanned where they lie, in the escaped text of a listing too; only
 * strings with escapes that are wanted are written anew. What is as in the last
 * row is skipped (template.h); keys are looked up where it differs. A key twice
 * in a row: the last one counts. */

#include "jolokia/reply.h"
#include "jolokia/template.h"

enum scan {
  SCAN_OK,
  SCAN_MORE,    /* the text ends before the row does */
  SCAN_REFUSED, /* broken; or, in escaped text, more than plain strings */
  SCAN_NO_MEMORY
};

struct row_scanner {
  struct value values[REPLY_MAX_COLUMNS];
  const char *name; /* of the last member or name */
  size_t name_len;
  /* the spec's columns */
  const char *const *columns;
  size_t column_len[REPLY_MAX_COLUMNS];
  size_t n_columns;
  bool knows_faults; /* reads put them in a value's place; others do not */
  unsigned max_depth;
  struct row_template template;
  /* room for what is written anew, for one row */
  char *room;
  size_t room_size;
  size_t room_used;
  size_t room_max;
  bool is_inside; /* the text is escaped, inside a string */
  bool is_whole;  /* the text ends where the value does */
  bool is_copy;   /* the text lies in room */
};

/* row_init(scanner, max): ${max} bytes is the longest row. row_fini() frees. */
void row_init(struct row_scanner *scanner, size_t max);
void row_fini(struct row_scanner *scanner);

/* row_expect(scanner, spec, max_depth): rows of ${spec} follow. */
void row_expect(struct row_scanner *scanner, const struct item_spec *spec,
                unsigned max_depth);

/* Attempts on text that may end anywhere: SCAN_OK with the first byte behind
 * the row. row_try_object(): an object; ${is_inside} in escaped text.
 * row_try_member(): a member whose value is an object. */
enum scan row_try_object(struct row_scanner *scanner, const char *text,
                         const char *end, bool is_inside, const char **ret_end);
enum scan row_try_member(struct row_scanner *scanner, const char *text,
                         const char *end, const char **ret_end);

/* On a framed text: never SCAN_MORE. row_read_value(): any value, into the
 * first column. */
enum scan row_read_object(struct row_scanner *scanner, const char *text,
                          size_t len, bool is_inside);
enum scan row_read_member(struct row_scanner *scanner, const char *text,
                          size_t len);
enum scan row_read_name(struct row_scanner *scanner, const char *text,
                        size_t len);
enum scan row_read_value(struct row_scanner *scanner, const char *text,
                         size_t len);

#endif
