/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/reply.h"

#include "base/num.h"
#include "jolokia/escape.h"
#include "jolokia/item.h"
#include "jolokia/piece.h"
#include "jolokia/row.h"
#include "jolokia/verdict.h"

#include <stdlib.h>
#include <string.h>

#define KEY_MAX 32 /* bytes kept of an item's key: the longest known has 10 */
#define WORD_MAX 32
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
  IN_DATA     /* its "data" */
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
  PART_VALUE,
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

struct reply *reply_new(const struct item_spec *specs, size_t n_items,
                        size_t max_object_bytes,
                        const struct reply_sink *sink) {
  struct reply *reply = calloc(1, sizeof(*reply));
  if (!reply)
    return NULL;
  reply->specs = specs;
  reply->n_items = n_items;
  reply->max_object = max_object_bytes;
  reply->sink = *sink;
  row_init(&reply->scanner, max_object_bytes);
  return reply;
}

void reply_free(struct reply *reply) {
  if (!reply)
    return;
  row_fini(&reply->scanner);
  piece_fini(&reply->piece);
  free(reply);
}

static void fail(struct reply *reply, enum status status, const char *reason) {
  reply->status = status;
  reply->reason = reason;
}

static enum container container(const struct reply *reply) {
  return reply->n_containers > 0 ? reply->containers[reply->n_containers - 1]
                                 : IN_NOTHING;
}

static void enter(struct reply *reply, enum container container) {
  reply->containers[reply->n_containers++] = container;
  reply->expect = EXPECT_FIRST;
}

/* The value that follows is framed as one piece. Of those that hold a row all
 * is kept, up to the maximum; of the others the front. */
static void begin_part(struct reply *reply, enum part part, size_t keep,
                       struct frame frame) {
  reply->part = part;
  piece_begin(&reply->piece, keep, frame);
}

static struct frame value_frame(const struct reply *reply) {
  return frame_begin(FRAME_VALUE, REPLY_MAX_DEPTH - reply->n_containers);
}

static void begin_row(struct reply *reply, enum part part,
                      enum frame_phase phase) {
  begin_part(reply, part, reply->max_object,
             frame_begin(phase, REPLY_MAX_DEPTH - reply->n_containers));
}

/* The items */

static const struct item_spec *spec(const struct reply *reply) {
  bool is_one = !reply->is_lone || reply->n_items == 1;
  return is_one && reply->index < reply->n_items ? &reply->specs[reply->index]
                                                 : NULL;
}

static void begin_item(struct reply *reply) {
  item_begin(&reply->item);
  enter(reply, IN_ITEM);
  if (!reply->is_lone && reply->index >= reply->n_items)
    fail(reply, STATUS_MALFORMED_REPLY, "it has more items than operations");
}

static void set_malformed(struct reply *reply, const char *fault) {
  item_set_fault(&reply->item, STATUS_MALFORMED_REPLY, fault);
}

/* A lone object with these is the refusal of the whole request. */
static bool is_refusal(const struct reply *reply) {
  return reply->is_lone &&
         (reply->n_items != 1 || reply->item.result.code == 403 ||
          reply->item.result.code == 0);
}

static void end_item(struct reply *reply) {
  if (is_refusal(reply))
    return;
  reply->sink.item(reply->sink.cookie, reply->index, item_end(&reply->item));
  reply->n_told++;
  reply->index++;
}

static enum part member_of_item(const char *key, size_t len) {
  static const struct {
    const char *key;
    enum part part;
  } members[] = {{"value", PART_VALUE},
                 {"status", PART_CODE},
                 {"error", PART_ERROR},
                 {"error_type", PART_ERROR_TYPE}};
  for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
    if (strlen(members[i].key) == len && memcmp(members[i].key, key, len) == 0)
      return members[i].part;
  return PART_SKIPPED;
}

static enum part member_of_listing(const char *key, size_t len) {
  if (len == 4 && memcmp(key, "data", len) == 0)
    return PART_ROW;
  if (len == 5 && memcmp(key, "count", len) == 0)
    return PART_COUNT;
  return PART_SKIPPED;
}

/* ${text} reaches from behind the opening quote to behind the closing one. A
 * key that is written with escapes is none of ours. */
static void end_key(struct reply *reply, const char *text, size_t len) {
  const char *end = escape_span(text, text + len);
  size_t key_len = (size_t)(end - text);
  const char *closing = reply->is_inside ? "\\\"" : "\"";
  if (len - key_len != strlen(closing) ||
      memcmp(end, closing, len - key_len) != 0)
    reply->member = PART_SKIPPED;
  else if (container(reply) == IN_ITEM)
    reply->member = member_of_item(text, key_len);
  else
    reply->member = member_of_listing(text, key_len);
  reply->expect = EXPECT_COLON;
}

/* Rows */

static void deliver(struct reply *reply) {
  const struct row_scanner *scanner = &reply->scanner;
  struct row row = {.name = scanner->name,
                    .name_len = scanner->name_len,
                    .columns = scanner->values,
                    .n_columns = scanner->n_columns};
  reply->item.result.rows++;
  reply->rows++;
  if (!reply->sink.row(reply->sink.cookie, reply->index, &row))
    reply->is_paused = true;
}

static enum scan read_row(struct reply *reply, const char *text, size_t len) {
  struct row_scanner *scanner = &reply->scanner;
  if (reply->part == PART_VALUE)
    return row_read_value(scanner, text, len);
  if (reply->part == PART_MEMBER)
    return row_read_member(scanner, text, len);
  if (reply->part == PART_NAME)
    return row_read_name(scanner, text, len);
  return row_read_object(scanner, text, len, reply->is_inside);
}

static void end_row(struct reply *reply, const char *text, size_t len) {
  bool is_only = reply->part == PART_VALUE || reply->part == PART_MBEAN;
  if (reply->piece.len > reply->max_object) {
    if (is_only)
      item_set_fault(&reply->item, STATUS_REPLY_TOO_LARGE,
                     "its value is longer than MaxObjectBytes");
    else
      reply->item.result.rows_invalid++;
    return;
  }
  enum scan scan = read_row(reply, text, len);
  if (scan == SCAN_OK)
    deliver(reply);
  else if (scan == SCAN_NO_MEMORY)
    fail(reply, STATUS_NO_MEMORY, "no memory");
  else if (is_only)
    set_malformed(reply, "its value is broken");
  else
    reply->item.result.rows_invalid++;
}

static void end_part(struct reply *reply, const char *text, size_t len) {
  enum part part = reply->part;
  struct item *item = &reply->item;
  reply->expect = EXPECT_COMMA;
  if (part == PART_KEY)
    end_key(reply, text, len);
  else if (part == PART_CODE)
    item_set_code(item, text, len);
  else if (part == PART_ERROR)
    item_set_error(item, text, len);
  else if (part == PART_ERROR_TYPE)
    item_set_error_type(item, text, len);
  else if (part == PART_COUNT)
    item->result.has_count = num_int64(text, len, &item->result.count);
  else if (part == PART_NULL && (len != 4 || memcmp(text, "null", 4) != 0))
    set_malformed(reply, "its value is not of the type asked for");
  else if (part >= PART_VALUE)
    end_row(reply, text, len);
  reply->part = PART_NONE;
}

/* The document in the string is over, well or not. */
static void leave_string(struct reply *reply) {
  reply->is_inside = false;
  while (container(reply) != IN_ITEM)
    reply->n_containers--;
  reply->part = PART_NONE;
  reply->expect = EXPECT_COMMA;
}

/* What the string holds is no listing; the rest of it is skipped, and the reply
 * goes on. */
static void break_string(struct reply *reply) {
  set_malformed(reply, "the text in its value is no whole listing");
  leave_string(reply);
  begin_part(reply, PART_SKIPPED, 0, frame_string());
}

static void break_off(struct reply *reply) {
  if (reply->is_inside)
    break_string(reply);
  else
    fail(reply, STATUS_MALFORMED_REPLY, "it is no JSON");
}

static const char *follow_piece(struct reply *reply, const char *p,
                                const char *end) {
  const char *text;
  size_t len;
  enum piece_step step =
      piece_follow(&reply->piece, reply->is_inside ? &reply->inside : NULL, &p,
                   end, &text, &len);
  if (step == PIECE_WHOLE)
    end_part(reply, text, len);
  else if (step == PIECE_NO_MEMORY)
    fail(reply, STATUS_NO_MEMORY, "no memory");
  else if (step != PIECE_MORE)
    break_off(reply);
  if (step == PIECE_CUT)
    leave_string(reply);
  return p;
}

/* The values */

static void begin_listing(struct reply *reply, unsigned char c) {
  if (c == '{') {
    enter(reply, IN_LISTING);
    return;
  }
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
    begin_row(reply, PART_VALUE, FRAME_VALUE);
  else if (c == 'n')
    begin_part(reply, PART_NULL, WORD_MAX, value_frame(reply));
  else if (form == FORM_MBEAN && c == '{')
    begin_row(reply, PART_MBEAN, FRAME_VALUE);
  else if (form == FORM_PATTERN && c == '{')
    enter(reply, IN_PATTERN);
  else if (form == FORM_NAMES && c == '[')
    enter(reply, IN_NAMES);
  else if (form == FORM_LISTING && (c == '{' || c == '"'))
    begin_listing(reply, c);
  else {
    set_malformed(reply, "its value is not of the type asked for");
    begin_part(reply, PART_SKIPPED, 0, value_frame(reply));
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
      set_malformed(reply, "the item has two values");
    if (!is_second && of_item)
      return begin_value(reply, of_item, c, p);
    reply->member = PART_SKIPPED;
  } else if (reply->member != PART_SKIPPED) {
    keep = reply->member == PART_CODE ? WORD_MAX : REPLY_ERROR_MAX;
  }
  begin_part(reply, reply->member, keep, value_frame(reply));
  return p;
}

/* In a string the opening quote of a string may have come in an earlier feed:
 * the piece begins behind it. */
static const char *begin_member_of_listing(struct reply *reply, unsigned char c,
                                           const char *p) {
  if (reply->member == PART_ROW && c == '[') {
    enter(reply, IN_DATA);
    return p + 1;
  }
  enum part part = reply->member;
  if (part == PART_ROW) {
    part = PART_SKIPPED;
    if (c != 'n')
      set_malformed(reply, "its data is no array");
  }
  if (c == '"' && reply->is_inside) {
    begin_part(reply, PART_SKIPPED, 0, frame_string());
    return p + 1;
  }
  begin_part(reply, part, part == PART_COUNT ? WORD_MAX : 0,
             value_frame(reply));
  return p;
}

/* A row is read where it lies, if it lies there whole. */
static const char *begin_data_row(struct reply *reply, const char *p,
                                  const char *end) {
  const char *row_end;
  enum scan scan =
      row_try_object(&reply->scanner, p, end, reply->is_inside, &row_end);
  if (scan == SCAN_OK && (size_t)(row_end - p) <= reply->max_object) {
    deliver(reply);
    reply->expect = EXPECT_COMMA;
    return row_end;
  }
  if (scan == SCAN_NO_MEMORY)
    fail(reply, STATUS_NO_MEMORY, "no memory");
  begin_row(reply, PART_ROW, FRAME_VALUE);
  return p;
}

static const char *begin_member_row(struct reply *reply, const char *p,
                                    const char *end) {
  const char *row_end;
  enum scan scan = row_try_member(&reply->scanner, p, end, &row_end);
  if (scan == SCAN_OK && (size_t)(row_end - p) <= reply->max_object) {
    deliver(reply);
    reply->expect = EXPECT_COMMA;
    return row_end;
  }
  if (scan == SCAN_NO_MEMORY)
    fail(reply, STATUS_NO_MEMORY, "no memory");
  begin_row(reply, PART_MEMBER, FRAME_KEY);
  return p;
}

/* An element of an array that should have been something else. */
static const char *begin_odd_element(struct reply *reply, unsigned char c,
                                     const char *p) {
  reply->item.result.rows_invalid++;
  bool is_behind_quote = c == '"' && reply->is_inside;
  begin_part(reply, PART_SKIPPED, 0,
             is_behind_quote ? frame_string() : value_frame(reply));
  return is_behind_quote ? p + 1 : p;
}

static const char *begin_element(struct reply *reply, unsigned char c,
                                 const char *p, const char *end) {
  switch (container(reply)) {
  case IN_ITEMS:
    if (c == '{')
      begin_item(reply);
    else
      fail(reply, STATUS_MALFORMED_REPLY, "an item is no object");
    return p + 1;
  case IN_ITEM:
  case IN_LISTING:
    if (c == '"')
      begin_part(reply, PART_KEY, KEY_MAX, frame_string());
    else
      break_off(reply);
    return p + 1;
  case IN_PATTERN:
    if (c == '"')
      return begin_member_row(reply, p, end);
    break_off(reply);
    return p + 1;
  case IN_NAMES:
    if (c != '"')
      return begin_odd_element(reply, c, p);
    begin_row(reply, PART_NAME, FRAME_VALUE);
    return p;
  case IN_DATA:
    if (c != '{')
      return begin_odd_element(reply, c, p);
    return begin_data_row(reply, p, end);
  case IN_NOTHING:
  default:
    break_off(reply);
    return p + 1;
  }
}

static bool closes(const struct reply *reply, unsigned char c) {
  switch (container(reply)) {
  case IN_ITEMS:
  case IN_NAMES:
  case IN_DATA:
    return c == ']';
  case IN_ITEM:
  case IN_PATTERN:
  case IN_LISTING:
    return c == '}';
  case IN_NOTHING:
  default:
    return false;
  }
}

static void leave(struct reply *reply) {
  enum container left = container(reply);
  reply->n_containers--;
  reply->expect = reply->n_containers > 0 ? EXPECT_COMMA : EXPECT_NOTHING;
  if (left == IN_LISTING && reply->is_inside)
    reply->expect = EXPECT_QUOTE;
  if (left == IN_ITEM)
    end_item(reply);
}

static void begin_reply(struct reply *reply, unsigned char c) {
  if (c == '[') {
    enter(reply, IN_ITEMS);
  } else if (c == '{') {
    reply->is_lone = true;
    begin_item(reply);
  } else {
    fail(reply, STATUS_NOT_JOLOKIA,
         c == '<' ? "it is a page, not JSON: is the URL's path right "
                    "(/console/jolokia)?"
                  : "it is text, not JSON: is the URL's path right "
                    "(/console/jolokia)?");
  }
}

/* The character ${c}, whose last byte is at ${p}: where to go on. */
static const char *walk(struct reply *reply, unsigned char c, const char *p,
                        const char *end) {
  switch (reply->expect) {
  case EXPECT_REPLY:
    begin_reply(reply, c);
    return p + 1;
  case EXPECT_FIRST:
    if (closes(reply, c))
      break;
    return begin_element(reply, c, p, end);
  case EXPECT_NEXT:
    return begin_element(reply, c, p, end);
  case EXPECT_COLON:
    reply->expect = EXPECT_VALUE;
    if (c != ':')
      break_off(reply);
    return p + 1;
  case EXPECT_VALUE:
    return container(reply) == IN_ITEM ? begin_member_of_item(reply, c, p)
                                       : begin_member_of_listing(reply, c, p);
  case EXPECT_COMMA:
    if (closes(reply, c))
      break;
    reply->expect = EXPECT_NEXT;
    if (c != ',')
      break_off(reply);
    return p + 1;
  case EXPECT_DOCUMENT:
    if (c == '{')
      enter(reply, IN_LISTING);
    else
      break_off(reply);
    return p + 1;
  case EXPECT_QUOTE:
  case EXPECT_NOTHING:
  default:
    break_off(reply);
    return p + 1;
  }
  leave(reply);
  return p + 1;
}

/* Between the pieces of a document in a string. */
static const char *walk_inside(struct reply *reply, const char *p,
                               const char *end) {
  bool was_escaped = reply->inside.in_escape || reply->inside.digits > 0;
  int c = inside_byte(&reply->inside, (unsigned char)*p);
  if (c == INSIDE_END) {
    if (reply->expect != EXPECT_QUOTE)
      break_string(reply);
    leave_string(reply);
    return p + 1;
  }
  if (c == INSIDE_BROKEN) {
    break_string(reply);
    return p;
  }
  if (c == INSIDE_MORE || frame_is_space((unsigned char)c))
    return p + 1;
  if (was_escaped && c != '"') {
    break_string(reply);
    return p + 1;
  }
  return walk(reply, (unsigned char)c, p, end);
}

enum status reply_feed(struct reply *reply, const char *bytes, size_t len,
                       size_t *ret_consumed) {
  const char *p = bytes;
  const char *nul = len > 0 ? memchr(bytes, 0, len) : NULL;
  const char *end = nul ? nul : bytes + len;
  reply->is_paused = false;
  while (p < end && !reply->status && !reply->is_paused) {
    if (reply->part != PART_NONE)
      p = follow_piece(reply, p, end);
    else if (reply->is_inside)
      p = walk_inside(reply, p, end);
    else if (frame_is_space((unsigned char)*p))
      p++;
    else
      p = walk(reply, (unsigned char)*p, p, end);
  }
  if (nul && p == nul && !reply->status && !reply->is_paused)
    fail(reply,
         reply->expect == EXPECT_REPLY ? STATUS_NOT_JOLOKIA
                                       : STATUS_MALFORMED_REPLY,
         "it has a NUL byte");
  *ret_consumed = (size_t)(p - bytes);
  return reply->status;
}

static enum status judge_lone(const struct reply *reply, struct error *error) {
  if (!is_refusal(reply))
    return STATUS_OK;
  if (reply->item.result.code == 0)
    return error_set(error, STATUS_NOT_JOLOKIA,
                     "the reply is JSON, but not Jolokia's: is the URL's path "
                     "right (/console/jolokia)?");
  if (reply->item.result.code == 200)
    return error_set(error, STATUS_MALFORMED_REPLY,
                     "the reply is one item for %zu operations",
                     reply->n_items);
  return verdict_refusal(reply->item.result.code, reply->item.error_type,
                         reply->item.error, error);
}

enum status reply_end(struct reply *reply, struct error *error) {
  if (reply->status)
    return error_set(error, reply->status,
                     "the reply cannot be read, in item %zu: %s",
                     reply->index + 1, reply->reason);
  if (reply->expect == EXPECT_REPLY)
    return error_set(error, STATUS_NOT_JOLOKIA,
                     "the reply is empty: is the URL's path right "
                     "(/console/jolokia)?");
  if (reply->expect != EXPECT_NOTHING)
    return error_set(error, STATUS_MALFORMED_REPLY,
                     "the reply breaks off in item %zu of %zu",
                     reply->index + 1, reply->n_items);
  if (reply->is_lone)
    return judge_lone(reply, error);
  if (reply->n_told < reply->n_items)
    return error_set(error, STATUS_MALFORMED_REPLY,
                     "the reply has %zu items for %zu operations",
                     reply->n_told, reply->n_items);
  return STATUS_OK;
}

size_t reply_items_done(const struct reply *reply) { return reply->n_told; }

uint64_t reply_rows(const struct reply *reply) { return reply->rows; }
