/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_REPLY_H
#define JOLOKIA_REPLY_H

/* A bulk reply, read as it arrives, one row or MBean at a time: memory does not
 * grow with the reply. A push parser: bytes in, in any split; rows and item
 * results out, in order, through callbacks.
 *
 * Rows are framed in the stream and scanned in place, in the escaped text of a
 * listing too; a row that is odd there (quotes or \u in a name) is unescaped
 * once and scanned again. Objects that stand for a fault go to json-c.
 *
 * Items are matched with operations by their position; the echo ("request") and
 * "timestamp" are never looked at. An item's members come in any order; rows
 * leave when they are complete, so the item's own status may follow them. */

#include "base/status.h"

#include <stdint.h>

#define REPLY_MAX_DEPTH 32   /* nesting; deeper is malformed */
#define REPLY_MAX_COLUMNS 64 /* of one item_spec */
#define REPLY_ERROR_MAX 512  /* bytes kept of an error text, with its 0 */

enum value_type {
  VALUE_ABSENT, /* the row has no such member */
  VALUE_NULL,   /* or a bare NaN, Infinity, -Infinity */
  VALUE_BOOL,   /* ${integer} is 0 or 1 */
  VALUE_INT, /* ${integer}: a JSON integer, or a string that is one, strictly */
  VALUE_REAL,  /* ${real}: likewise; integers beyond 64 bits arrive here */
  VALUE_TEXT,  /* ${text}: a string that is no number, unescaped UTF-8 */
  VALUE_FAULT, /* "ERROR: ..." or {".error":true,...}: ignoreErrors put it in
                  the value's place; ${text} is the message */
  VALUE_OTHER  /* an object or array; ${text} is its JSON (members.h reads on);
                  or a number beyond a double, or a broken one ("010") */
};

struct value {
  enum value_type type;
  bool was_text; /* VALUE_INT or VALUE_REAL that came as a JSON string, and
                    "true"/"false", which come as VALUE_BOOL; ${text} is then
                    the string itself too: a queue may be named "007" */
  int64_t integer;
  double real;
  const char *text; /* not 0-terminated; valid during the callback */
  size_t text_len;
};

/* value_int(value, otherwise): a whole number; what is none is ${otherwise}. */
static inline int64_t value_int(const struct value *value, int64_t otherwise) {
  return value->type == VALUE_INT ? value->integer : otherwise;
}

/* value_is_true(value): the truth, however it came; nothing else is true. */
static inline bool value_is_true(const struct value *value) {
  return value->type == VALUE_BOOL && value->integer != 0;
}

/* value_has_text(value): it came as a text, whatever it reads as. */
static inline bool value_has_text(const struct value *value) {
  return value->type == VALUE_TEXT || value->was_text;
}

/* How an item's value is read. null is no row, but for FORM_VALUE. A member
 * twice in a row: the last one counts. A row that is no JSON, or has a wanted
 * text or a name that is no UTF-8 or holds a NUL, is set aside; of an item that
 * is one row (FORM_VALUE, FORM_MBEAN) it makes STATUS_MALFORMED_REPLY. */
enum item_form {
  FORM_VALUE,   /* anything: one row, one column, whatever it is called */
  FORM_MBEAN,   /* an object: one row, a column a member */
  FORM_PATTERN, /* object name -> object: a row an MBean, named by it */
  FORM_NAMES,   /* an array of strings: a row each, named by it, no columns */
  FORM_LISTING, /* a string that holds {"data":[{...}],"count":N}, or such an
                   object: a row each. Faults are not looked for: a queue may be
                   named "ERROR: x" */
  FORM_ROWS     /* an array of objects, or a string that holds one: a row each.
                   Faults are not looked for */
};

struct item_spec {
  enum item_form form;
  const char *const *columns; /* members that are wanted; others are skipped */
  size_t n_columns;           /* 0 .. REPLY_MAX_COLUMNS */
};

struct row {
  const char *name; /* the MBean's name or the string, unescaped; "" if none */
  size_t name_len;
  const struct value *columns; /* as many as the item_spec has, in its order */
  size_t n_columns;
};

/* How an item ended. Valid during the callback. */
struct item_result {
  enum status status;     /* STATUS_OK or a kind of class item; or, where its
                             value could not be read, STATUS_MALFORMED_REPLY or
                             STATUS_REPLY_TOO_LARGE (${error} then says why) */
  int code;               /* Jolokia's status; 0 if there was none */
  const char *error_type; /* "" if none */
  const char *error;      /* one line, at most REPLY_ERROR_MAX; "" if none */
  uint64_t rows;          /* delivered */
  uint64_t rows_invalid;  /* set aside: longer than the maximum, or broken */
  bool has_count;         /* FORM_LISTING: the listing's own "count" */
  int64_t count;
};

/* Called from inside reply_feed() only. row() returns false to have
 * reply_feed() return after this row (back-pressure). */
struct reply_sink {
  bool (*row)(void *cookie, size_t item, const struct row *row);
  void (*item)(void *cookie, size_t item, const struct item_result *result);
  void *cookie;
};

struct reply;

/* reply_new(specs, n_items, max_object_bytes, sink): a parser for the reply to
 * ${n_items} operations. ${specs} must stay, ${sink} is copied. Allocates at
 * most 2 x ${max_object_bytes} + 16 KiB over its life, and for the time of one
 * row json-c's tree of a fault of at most 8 KiB (1 MiB if it is hostile). NULL
 * without memory. */
struct reply *reply_new(const struct item_spec *specs, size_t n_items,
                        size_t max_object_bytes, const struct reply_sink *sink);
void reply_free(struct reply *reply); /* NULL is fine */

/* reply_feed(reply, bytes, len, ret_consumed): reads on. Returns STATUS_OK with
 * *${ret_consumed} <= ${len}: less only where row() returned false; call again
 * with the rest. Any other status is final: STATUS_NOT_JOLOKIA (the first bytes
 * are no JSON), STATUS_MALFORMED_REPLY, STATUS_NO_MEMORY; what was delivered
 * stays so. */
enum status reply_feed(struct reply *reply, const char *bytes, size_t len,
                       size_t *ret_consumed);

/* reply_end(reply, error): the verdict when the body is complete (or has broken
 * off). STATUS_OK: an array of exactly ${n_items} items (whose own results were
 * told), or one object for a single item. Else, with a text for people:
 * STATUS_NOT_JOLOKIA (empty, HTML, text), STATUS_MALFORMED_REPLY (cut; too few
 * or too many items), and for one object in place of the array: STATUS_DENIED
 * where its status is 403 (Origin, client address, POST not allowed: the text
 * names the remedy), STATUS_ITEM_ERROR otherwise (nothing of the bulk has run).
 * Items for which no result was told are those from reply_items_done() on. */
enum status reply_end(struct reply *reply, struct error *error);

/* reply_items_done(reply): how many items' results were told. */
size_t reply_items_done(const struct reply *reply);

/* reply_rows(reply): rows delivered so far, over all items. */
uint64_t reply_rows(const struct reply *reply);

#endif
