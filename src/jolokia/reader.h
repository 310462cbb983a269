/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_READER_H
#define JOLOKIA_READER_H

/* The state of a reply that is being read, and the steps that change it: what
 * begins (reader_begin.c, reader_row.c), what ends (reader_end.c); reply.c
 * leads through the text. Private to the reader of replies. */

#include "jolokia/frame.h"
#include "jolokia/item.h"
#include "jolokia/piece.h"
#include "jolokia/reply.h"
#include "jolokia/row.h"

#define CONTAINERS_MAX 4

/* The containers that are walked through; what lies deeper is framed as one
 * piece. */
enum container {
  IN_NOTHING,
  IN_ITEMS,   /* the reply's array */
  IN_ITEM,    /* one item's object */
  IN_PATTERN, /* FORM_PATTERN's value */
  IN_NAMES,   /* FORM_NAMES' value */
  IN_LISTING, /* FORM_LISTING's document */
  IN_DATA     /* its "data"; FORM_ROWS' document */
};

enum expect {
  EXPECT_REPLY,
  EXPECT_FIRST, /* the container's first element, or its end */
  EXPECT_NEXT,  /* the element behind a comma */
  EXPECT_COLON,
  EXPECT_VALUE,
  EXPECT_COMMA,    /* or the container's end */
  EXPECT_DOCUMENT, /* in a string: the document it holds */
  EXPECT_QUOTE,    /* in a string: its end */
  EXPECT_NOTHING   /* the reply is complete */
};

enum part {
  PART_NONE,
  PART_SKIPPED,
  PART_KEY,
  PART_CODE,
  PART_ERROR,
  PART_ERROR_TYPE,
  PART_COUNT,
  PART_NULL,
  PART_VALUE, /* from here on: what rows are read from */
  PART_MBEAN,
  PART_MEMBER,
  PART_NAME,
  PART_ROW
};

struct reply {
  const struct item_spec *specs;
  size_t n_items;
  size_t max_object;
  struct reply_sink sink;
  enum status status; /* why it cannot go on */
  const char *reason; /* of ${status} */
  bool is_paused;
  bool is_lone; /* one object in place of the array */
  /* where in the reply */
  enum container containers[CONTAINERS_MAX];
  unsigned n_containers;
  enum expect expect;
  enum part member; /* what the last key's value is */
  bool is_inside;   /* in a string that holds a document */
  struct inside inside;
  enum part part; /* what the piece that is being followed is */
  struct piece piece;
  /* the item */
  size_t index;
  size_t n_told;
  struct item item;
  uint64_t rows;
  struct row_scanner scanner;
};

/* The reply cannot be read on. */
void reader_fail(struct reply *reply, enum status status, const char *reason);

/* The innermost container, and entering one. */
enum container reader_container(const struct reply *reply);
void reader_enter(struct reply *reply, enum container container);

/* What is at hand is no JSON: ends the document in the string, or the reply. */
void reader_break(struct reply *reply);

/* The same for the string: what is left of it is skipped. */
void reader_break_string(struct reply *reply);

/* The string is over, its document well or not. */
void reader_leave_string(struct reply *reply);

/* Why the item's value cannot be read. */
void reader_set_malformed(struct reply *reply, const char *fault);

/* One object in place of the reply that is the refusal of the whole request. */
bool reader_is_refusal(const struct reply *reply);

/* reader_begin.c: the character ${c}, whose last byte is at ${p}, begins an
 * element, a member's value, an item, a piece. Return where to read on. */
const char *reader_begin_element(struct reply *reply, unsigned char c,
                                 const char *p, const char *end);
const char *reader_begin_member(struct reply *reply, unsigned char c,
                                const char *p);
void reader_begin_item(struct reply *reply);
bool reader_begin_document(struct reply *reply, unsigned char c);
void reader_begin_part(struct reply *reply, enum part part, size_t keep,
                       struct frame frame);

/* reader_row.c: a row of a listing or a pattern, ${part}, begins at ${p}. It is
 * read where it lies. One that runs off the end of the feed is set by, and read
 * together with the front of the next one (reader_join_row()). What is not read
 * so is framed. */
const char *reader_begin_row(struct reply *reply, enum part part,
                             enum frame_phase phase, const char *p,
                             const char *end);
const char *reader_join_row(struct reply *reply, const char *p,
                            const char *end);

/* reader_end.c: the piece is whole; a row is told; the container that ${c}
 * closes is left. */
void reader_end_part(struct reply *reply, const char *text, size_t len);
void reader_deliver(struct reply *reply);
bool reader_closes(const struct reply *reply, unsigned char c);
void reader_leave(struct reply *reply);

#endif
