/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/reader.h"

#define KEY_MAX 32 /* bytes kept of a key: the longest known has 10 */
#define WORD_MAX 32

void reader_enter(struct reply *reply, enum container container) {
  reply->containers[reply->n_containers++] = container;
  reply->expect = EXPECT_FIRST;
}

/* The value that follows is framed as one piece. Of those that hold a row all
 * is kept, up to the maximum; of the others the front. */
void reader_begin_part(struct reply *reply, enum part part, size_t keep,
                       struct frame frame) {
  reply->part = part;
  piece_begin(&reply->piece, keep, frame);
}

static struct frame value_frame(const struct reply *reply) {
  return frame_begin(FRAME_VALUE, REPLY_MAX_DEPTH - reply->n_containers);
}

static void begin_row(struct reply *reply, enum part part) {
  reader_begin_part(reply, part, reply->max_object, value_frame(reply));
}

static const struct item_spec *spec(const struct reply *reply) {
  bool is_one = !reply->is_lone || reply->n_items == 1;
  return is_one && reply->index < reply->n_items ? &reply->specs[reply->index]
                                                 : NULL;
}

void reader_begin_item(struct reply *reply) {
  item_begin(&reply->item);
  reader_enter(reply, IN_ITEM);
  if (!reply->is_lone && reply->index >= reply->n_items)
    reader_fail(reply, STATUS_MALFORMED_REPLY,
                "it has more items than operations");
}

/* A listing, or the array of rows, as a value or in a string. */
bool reader_begin_document(struct reply *reply, unsigned char c) {
  bool is_listing = reply->specs[reply->index].form == FORM_LISTING;
  if (c != (is_listing ? '{' : '['))
    return false;
  reader_enter(reply, is_listing ? IN_LISTING : IN_DATA);
  return true;
}

static void begin_string(struct reply *reply) {
  reply->is_inside = true;
  reply->inside = (struct inside){0};
  reply->expect = EXPECT_DOCUMENT;
}

/* The levels between the item and what a value of its rows may nest. */
static unsigned levels_to_value(enum item_form form) {
  switch (form) {
  case FORM_MBEAN:
    return 1;
  case FORM_PATTERN:
  case FORM_ROWS:
    return 2;
  case FORM_LISTING:
    return 3;
  case FORM_VALUE:
  case FORM_NAMES:
  default:
    return 0;
  }
}

/* The item's value begins with ${c}, at ${p}: the first byte to go on with. */
static const char *begin_value(struct reply *reply,
                               const struct item_spec *spec, unsigned char c,
                               const char *p) {
  enum item_form form = spec->form;
  row_expect(&reply->scanner, spec,
             REPLY_MAX_DEPTH - reply->n_containers - levels_to_value(form));
  if (form == FORM_VALUE)
    begin_row(reply, PART_VALUE);
  else if (c == 'n')
    reader_begin_part(reply, PART_NULL, WORD_MAX, value_frame(reply));
  else if (form == FORM_MBEAN && c == '{')
    begin_row(reply, PART_MBEAN);
  else if (form == FORM_PATTERN && c == '{')
    reader_enter(reply, IN_PATTERN);
  else if (form == FORM_NAMES && c == '[')
    reader_enter(reply, IN_NAMES);
  else if ((form == FORM_LISTING || form == FORM_ROWS) && c == '"')
    begin_string(reply);
  else if ((form != FORM_LISTING && form != FORM_ROWS) ||
           !reader_begin_document(reply, c)) {
    reader_set_malformed(reply, "its value is not of the type asked for");
    reader_begin_part(reply, PART_SKIPPED, 0, value_frame(reply));
  }
  return reply->part == PART_NONE ? p + 1 : p;
}

static const char *begin_member_of_item(struct reply *reply, unsigned char c,
                                        const char *p) {
  const struct item_spec *of_item = spec(reply);
  size_t keep = 0;
  if (reply->member == PART_VALUE) {
    bool is_second = reply->item.has_value;
    reply->item.has_value = true;
    if (is_second)
      reader_set_malformed(reply, "the item has two values");
    if (!is_second && of_item)
      return begin_value(reply, of_item, c, p);
    reply->member = PART_SKIPPED;
  } else if (reply->member != PART_SKIPPED) {
    keep = reply->member == PART_CODE ? WORD_MAX : REPLY_ERROR_MAX;
  }
  reader_begin_part(reply, reply->member, keep, value_frame(reply));
  return p;
}

/* In a string the opening quote of a string may have come in an earlier feed:
 * the piece begins behind it. */
static const char *begin_member_of_listing(struct reply *reply, unsigned char c,
                                           const char *p) {
  if (reply->member == PART_ROW && c == '[') {
    reader_enter(reply, IN_DATA);
    return p + 1;
  }
  enum part part = reply->member;
  if (part == PART_ROW) {
    part = PART_SKIPPED;
    if (c != 'n')
      reader_set_malformed(reply, "its data is no array");
  }
  if (c == '"' && reply->is_inside) {
    reader_begin_part(reply, PART_SKIPPED, 0, frame_string());
    return p + 1;
  }
  reader_begin_part(reply, part, part == PART_COUNT ? WORD_MAX : 0,
                    value_frame(reply));
  return p;
}

/* An element of an array that should have been something else. */
static const char *begin_odd_element(struct reply *reply, unsigned char c,
                                     const char *p) {
  reply->item.result.rows_invalid++;
  bool is_behind_quote = c == '"' && reply->is_inside;
  reader_begin_part(reply, PART_SKIPPED, 0,
                    is_behind_quote ? frame_string() : value_frame(reply));
  return is_behind_quote ? p + 1 : p;
}

const char *reader_begin_element(struct reply *reply, unsigned char c,
                                 const char *p, const char *end) {
  switch (reader_container(reply)) {
  case IN_ITEMS:
    if (c == '{')
      reader_begin_item(reply);
    else
      reader_fail(reply, STATUS_MALFORMED_REPLY, "an item is no object");
    return p + 1;
  case IN_ITEM:
  case IN_LISTING:
    if (c == '"')
      reader_begin_part(reply, PART_KEY, KEY_MAX, frame_string());
    else
      reader_break(reply);
    return p + 1;
  case IN_PATTERN:
    if (c == '"')
      return reader_begin_row(reply, PART_MEMBER, FRAME_KEY, p, end);
    reader_break(reply);
    return p + 1;
  case IN_NAMES:
    if (c != '"')
      return begin_odd_element(reply, c, p);
    begin_row(reply, PART_NAME);
    return p;
  case IN_DATA:
    if (c != '{')
      return begin_odd_element(reply, c, p);
    return reader_begin_row(reply, PART_ROW, FRAME_VALUE, p, end);
  case IN_NOTHING:
  default:
    reader_break(reply);
    return p + 1;
  }
}

const char *reader_begin_member(struct reply *reply, unsigned char c,
                                const char *p) {
  return reader_container(reply) == IN_ITEM
             ? begin_member_of_item(reply, c, p)
             : begin_member_of_listing(reply, c, p);
}
