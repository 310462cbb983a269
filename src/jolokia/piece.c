/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/piece.h"

#include "jolokia/escape.h"

#include <stdlib.h>

#define HELD_MIN 1024 /* bytes: most rows that span two feeds fit */

void piece_fini(struct piece *piece) {
  free(piece->held);
  *piece = (struct piece){0};
}

void piece_begin(struct piece *piece, size_t keep, struct frame frame) {
  piece->frame = frame;
  piece->keep = keep;
  piece->len = 0;
  piece->is_set_by = false;
  piece->held_len = 0;
}

/* Room for ${len} bytes, at most HELD_MIN or ${keep}. */
static bool grow(struct piece *piece, size_t len) {
  if (len <= piece->held_size)
    return true;
  size_t size = piece->held_size * 2;
  size = size < len ? len : size;
  size = size < piece->keep ? size : piece->keep;
  size = size < HELD_MIN ? HELD_MIN : size;
  char *held = realloc(piece->held, size);
  if (!held)
    return false;
  piece->held = held;
  piece->held_size = size;
  return true;
}

static bool hold(struct piece *piece, const char *text, size_t len) {
  size_t left = piece->keep - piece->held_len;
  piece->len += len;
  len = len < left ? len : left;
  if (len == 0)
    return true;
  if (!grow(piece, piece->held_len + len))
    return false;
  memcpy(piece->held + piece->held_len, text, len);
  piece->held_len += len;
  return true;
}

static enum frame_step step_plain(struct piece *piece, const char **p,
                                  const char *end) {
  struct frame *frame = &piece->frame;
  if (frame->in_string && !frame->in_escape) {
    *p = escape_span(*p, end);
    if (*p == end)
      return FRAME_MORE;
  }
  enum frame_step step = frame_byte(frame, (unsigned char)**p);
  *p += step != FRAME_BEFORE;
  return step;
}

/* Where the string's own escape is broken, its byte is left to be read. */
static enum frame_step step_inside(struct piece *piece, struct inside *inside,
                                   const char **p, const char *end,
                                   bool *ret_is_cut) {
  struct frame *frame = &piece->frame;
  bool is_between = !inside->in_escape && inside->digits == 0;
  if (is_between && frame->in_string && !frame->in_escape) {
    *p = escape_span(*p, end);
    if (*p == end)
      return FRAME_MORE;
  }
  if (is_between && frame->phase == FRAME_SCALAR && (**p == '\\' || **p == '"'))
    return FRAME_BEFORE;
  int c = inside_byte(inside, (unsigned char)**p);
  if (c == INSIDE_BROKEN)
    return FRAME_BROKEN;
  enum frame_step step = FRAME_MORE;
  if (c >= 0)
    step = frame_byte(frame, (unsigned char)c);
  *p += step != FRAME_BEFORE;
  *ret_is_cut = c == INSIDE_END;
  return *ret_is_cut ? FRAME_BROKEN : step;
}

static enum frame_step follow(struct piece *piece, struct inside *inside,
                              const char **p, const char *end,
                              bool *ret_is_cut) {
  enum frame_step step = FRAME_MORE;
  *ret_is_cut = false;
  while (*p < end && step == FRAME_MORE)
    step = inside ? step_inside(piece, inside, p, end, ret_is_cut)
                  : step_plain(piece, p, end);
  return step;
}

bool piece_set_by(struct piece *piece, const char *text, size_t len) {
  piece->is_set_by = true;
  return hold(piece, text, len);
}

void piece_follow_held(struct piece *piece, struct inside *inside, size_t len) {
  const char *p = piece->held;
  bool is_cut;
  piece->is_set_by = false;
  piece->held_len = len;
  piece->len = len;
  (void)follow(piece, inside, &p, p + len, &is_cut);
}

enum piece_step piece_follow(struct piece *piece, struct inside *inside,
                             const char **p, const char *end,
                             const char **ret_text, size_t *ret_len) {
  const char *start = *p;
  bool is_cut;
  enum frame_step step = follow(piece, inside, p, end, &is_cut);
  if (step == FRAME_BROKEN)
    return is_cut ? PIECE_CUT : PIECE_BROKEN;
  size_t len = (size_t)(*p - start);
  bool is_whole = step != FRAME_MORE;
  if (is_whole && piece->len == 0) {
    piece->len = len;
    *ret_text = start;
    *ret_len = len < piece->keep ? len : piece->keep;
    return PIECE_WHOLE;
  }
  if (!hold(piece, start, len))
    return PIECE_NO_MEMORY;
  *ret_text = piece->held;
  *ret_len = piece->held_len;
  return is_whole ? PIECE_WHOLE : PIECE_MORE;
}
