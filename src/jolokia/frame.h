/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_FRAME_H
#define JOLOKIA_FRAME_H

/* Finds where a JSON value ends, a byte at a time, and keeps nothing of it.
 * Private to the reader of replies.
 *
 * It follows strings, escapes and nesting; what stands between them is not
 * checked against the whole grammar: whoever reads the value does that. */

#include <stdbool.h>
#include <stdint.h>

enum frame_phase {
  FRAME_KEY, /* of a member: its key, its colon, its value */
  FRAME_COLON,
  FRAME_VALUE,  /* its first byte comes next */
  FRAME_SCALAR, /* in a number, true, false, null, NaN, Infinity */
  FRAME_NESTED  /* in an object or array */
};

struct frame {
  enum frame_phase phase;
  bool in_string;
  bool in_escape;
  unsigned depth;
  unsigned max_depth;
  uint64_t objects; /* bit n: level n is an object, not an array */
};

enum frame_step {
  FRAME_MORE,
  FRAME_END,    /* this byte was its last */
  FRAME_BEFORE, /* the byte before this one was its last */
  FRAME_BROKEN
};

/* A frame that expects ${phase} next and allows ${max_depth} (at most 64)
 * levels. frame_string(): one that stands behind a string's opening quote. */
struct frame frame_begin(enum frame_phase phase, unsigned max_depth);
struct frame frame_string(void);

enum frame_step frame_byte(struct frame *frame, unsigned char byte);

/* frame_is_space(byte): JSON's white space. */
static inline bool frame_is_space(unsigned char byte) {
  return byte <= ' ' &&
         (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t');
}

/* frame_is_scalar_begin(byte): a number or a word may begin so. */
bool frame_is_scalar_begin(unsigned char byte);

/* The text of a JSON string that holds JSON, a byte at a time. */
struct inside {
  bool in_escape;
  unsigned digits; /* of \uXXXX, still to come */
  unsigned unit;
};

enum { INSIDE_MORE = -1, INSIDE_END = -2, INSIDE_BROKEN = -3 };

/* inside_byte(inside, byte): the character that is complete with ${byte} (0x80
 * stands for any written \uXXXX beyond ASCII), or INSIDE_MORE; INSIDE_END at
 * the string's closing quote. */
int inside_byte(struct inside *inside, unsigned char byte);

#endif
