/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/reader.h"

/* Of the next feed, for a row that began in the last one: what is longer than
 * what its template holds is framed anyway. */
#define JOIN_MAX TEMPLATE_BYTES

static enum scan try_row(struct reply *reply, const char *text, const char *end,
                         const char **ret_end) {
  return reply->part == PART_ROW
             ? row_try_object(&reply->scanner, text, end, reply->is_inside,
                              ret_end)
             : row_try_member(&reply->scanner, text, end, ret_end);
}

/* Reads the row at ${text}, if it is whole there and plain, and tells it. */
static enum scan take_row(struct reply *reply, const char *text,
                          const char *end, const char **ret_end) {
  enum scan scan = try_row(reply, text, end, ret_end);
  if (scan == SCAN_NO_MEMORY)
    reader_fail(reply, STATUS_NO_MEMORY, "no memory");
  if (scan != SCAN_OK)
    return scan;
  if ((size_t)(*ret_end - text) > reply->max_object)
    return SCAN_REFUSED;
  reader_deliver(reply);
  reply->part = PART_NONE;
  reply->expect = EXPECT_COMMA;
  return SCAN_OK;
}

const char *reader_begin_row(struct reply *reply, enum part part,
                             enum frame_phase phase, const char *p,
                             const char *end) {
  size_t left = (size_t)(end - p);
  const char *row_end = p;
  reader_begin_part(reply, part, reply->max_object,
                    frame_begin(phase, REPLY_MAX_DEPTH - reply->n_containers));
  enum scan scan = take_row(reply, p, end, &row_end);
  if (scan == SCAN_OK)
    return row_end;
  if (scan != SCAN_MORE || left > reply->max_object)
    return p;
  if (!piece_set_by(&reply->piece, p, left))
    reader_fail(reply, STATUS_NO_MEMORY, "no memory");
  return end;
}

const char *reader_join_row(struct reply *reply, const char *p,
                            const char *end) {
  struct piece *piece = &reply->piece;
  size_t n_before = piece->held_len;
  size_t n = reply->max_object - n_before;
  n = n < (size_t)(end - p) ? n : (size_t)(end - p);
  n = n < JOIN_MAX ? n : JOIN_MAX;
  if (!piece_set_by(piece, p, n)) {
    reader_fail(reply, STATUS_NO_MEMORY, "no memory");
    return p;
  }
  const char *text = piece->held;
  const char *row_end = text;
  if (take_row(reply, text, text + n_before + n, &row_end) == SCAN_OK) {
    piece->is_set_by = false;
    return p + (row_end - (text + n_before));
  }
  piece_follow_held(piece, reply->is_inside ? &reply->inside : NULL, n_before);
  return p;
}
