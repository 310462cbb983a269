/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/reply.h"

#include "jolokia/reader.h"
#include "jolokia/verdict.h"

#include <stdlib.h>
#include <string.h>

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

static const char *follow_piece(struct reply *reply, const char *p,
                                const char *end) {
  const char *text;
  size_t len;
  enum piece_step step =
      piece_follow(&reply->piece, reply->is_inside ? &reply->inside : NULL, &p,
                   end, &text, &len);
  if (step == PIECE_WHOLE)
    reader_end_part(reply, text, len);
  else if (step == PIECE_NO_MEMORY)
    reader_fail(reply, STATUS_NO_MEMORY, "no memory");
  else if (step != PIECE_MORE)
    reader_break(reply);
  if (step == PIECE_CUT)
    reader_leave_string(reply);
  return p;
}

static void begin_reply(struct reply *reply, unsigned char c) {
  if (c == '[') {
    reader_enter(reply, IN_ITEMS);
  } else if (c == '{') {
    reply->is_lone = true;
    reader_begin_item(reply);
  } else {
    reader_fail(reply, STATUS_NOT_JOLOKIA,
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
    if (reader_closes(reply, c))
      break;
    return reader_begin_element(reply, c, p, end);
  case EXPECT_NEXT:
    return reader_begin_element(reply, c, p, end);
  case EXPECT_COLON:
    reply->expect = EXPECT_VALUE;
    if (c != ':')
      reader_break(reply);
    return p + 1;
  case EXPECT_VALUE:
    return reader_begin_member(reply, c, p);
  case EXPECT_COMMA:
    if (reader_closes(reply, c))
      break;
    reply->expect = EXPECT_NEXT;
    if (c != ',')
      reader_break(reply);
    return p + 1;
  case EXPECT_DOCUMENT:
    if (!reader_begin_document(reply, c))
      reader_break(reply);
    return p + 1;
  case EXPECT_QUOTE:
  case EXPECT_NOTHING:
  default:
    reader_break(reply);
    return p + 1;
  }
  reader_leave(reply);
  return p + 1;
}

/* Between the pieces of a document in a string. */
static const char *walk_inside(struct reply *reply, const char *p,
                               const char *end) {
  bool was_escaped = reply->inside.in_escape || reply->inside.digits > 0;
  int c = inside_byte(&reply->inside, (unsigned char)*p);
  if (c == INSIDE_END) {
    if (reply->expect != EXPECT_QUOTE)
      reader_break_string(reply);
    reader_leave_string(reply);
    return p + 1;
  }
  if (c == INSIDE_BROKEN) {
    reader_break_string(reply);
    return p;
  }
  if (c == INSIDE_MORE || frame_is_space((unsigned char)c))
    return p + 1;
  if (was_escaped && c != '"') {
    reader_break_string(reply);
    return p + 1;
  }
  return walk(reply, (unsigned char)c, p, end);
}

static const char *read_on(struct reply *reply, const char *p,
                           const char *end) {
  if (reply->part != PART_NONE)
    return reply->piece.is_set_by ? reader_join_row(reply, p, end)
                                  : follow_piece(reply, p, end);
  if (reply->is_inside)
    return walk_inside(reply, p, end);
  if (frame_is_space((unsigned char)*p))
    return p + 1;
  return walk(reply, (unsigned char)*p, p, end);
}

enum status reply_feed(struct reply *reply, const char *bytes, size_t len,
                       size_t *ret_consumed) {
  *ret_consumed = 0;
  if (len == 0)
    return reply->status;
  const char *p = bytes;
  const char *nul = memchr(bytes, 0, len);
  const char *end = nul ? nul : bytes + len;
  reply->is_paused = false;
  while (p < end && !reply->status && !reply->is_paused)
    p = read_on(reply, p, end);
  if (p == nul && !reply->status && !reply->is_paused)
    reader_fail(reply,
                reply->expect == EXPECT_REPLY ? STATUS_NOT_JOLOKIA
                                              : STATUS_MALFORMED_REPLY,
                "it has a NUL byte");
  *ret_consumed = (size_t)(p - bytes);
  return reply->status;
}

static enum status judge_lone(const struct reply *reply, struct error *error) {
  if (!reader_is_refusal(reply))
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
