/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/frame.h"

#include <string.h>

struct frame frame_begin(enum frame_phase phase, unsigned max_depth) {
  return (struct frame){.phase = phase, .max_depth = max_depth};
}

struct frame frame_string(void) {
  return (struct frame){.phase = FRAME_VALUE, .in_string = true};
}

bool frame_is_scalar_begin(unsigned char byte) {
  return byte != 0 && strchr("-0123456789tfnNI", byte) != NULL;
}

static bool is_scalar(unsigned char byte) {
  return (byte >= '0' && byte <= '9') ||
         ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') || byte == '-' ||
         byte == '+' || byte == '.';
}

static enum frame_step string_byte(struct frame *frame, unsigned char byte) {
  if (frame->in_escape) {
    frame->in_escape = false;
    return FRAME_MORE;
  }
  if (byte == '\\')
    frame->in_escape = true;
  if (byte != '"')
    return FRAME_MORE;
  frame->in_string = false;
  if (frame->phase == FRAME_KEY) {
    frame->phase = FRAME_COLON;
    return FRAME_MORE;
  }
  return frame->phase == FRAME_NESTED ? FRAME_MORE : FRAME_END;
}

static enum frame_step open_level(struct frame *frame, bool is_object) {
  if (frame->depth >= frame->max_depth)
    return FRAME_BROKEN;
  uint64_t bit = UINT64_C(1) << frame->depth++;
  frame->objects = is_object ? frame->objects | bit : frame->objects & ~bit;
  frame->phase = FRAME_NESTED;
  return FRAME_MORE;
}

static enum frame_step close_level(struct frame *frame, bool is_object) {
  frame->depth--;
  if ((frame->objects >> frame->depth & 1) != is_object)
    return FRAME_BROKEN;
  return frame->depth == 0 ? FRAME_END : FRAME_MORE;
}

/* The first byte of a value. */
static enum frame_step value_byte(struct frame *frame, unsigned char byte) {
  if (byte == '"') {
    frame->in_string = true;
    return FRAME_MORE;
  }
  if (byte == '{' || byte == '[')
    return open_level(frame, byte == '{');
  if (frame_is_space(byte))
    return FRAME_MORE;
  frame->phase = FRAME_SCALAR;
  return frame_is_scalar_begin(byte) ? FRAME_MORE : FRAME_BROKEN;
}

static enum frame_step nested_byte(struct frame *frame, unsigned char byte) {
  if (byte == '}' || byte == ']')
    return close_level(frame, byte == '}');
  if (byte == '"' || byte == '{' || byte == '[')
    return value_byte(frame, byte);
  return is_scalar(byte) || frame_is_space(byte) || byte == ',' || byte == ':'
             ? FRAME_MORE
             : FRAME_BROKEN;
}

enum frame_step frame_byte(struct frame *frame, unsigned char byte) {
  if (frame->in_string)
    return string_byte(frame, byte);
  switch (frame->phase) {
  case FRAME_KEY:
    frame->in_string = byte == '"';
    return frame->in_string ? FRAME_MORE : FRAME_BROKEN;
  case FRAME_COLON:
    if (byte == ':')
      frame->phase = FRAME_VALUE;
    return byte == ':' || frame_is_space(byte) ? FRAME_MORE : FRAME_BROKEN;
  case FRAME_VALUE:
    return value_byte(frame, byte);
  case FRAME_SCALAR:
    if (is_scalar(byte))
      return FRAME_MORE;
    return frame_is_space(byte) || byte == ',' || byte == '}' || byte == ']'
               ? FRAME_BEFORE
               : FRAME_BROKEN;
  case FRAME_NESTED:
    return nested_byte(frame, byte);
  default:
    return FRAME_BROKEN;
  }
}

static int unit_byte(struct inside *inside, unsigned char byte) {
  unsigned digit;
  if (byte >= '0' && byte <= '9')
    digit = byte - (unsigned)'0';
  else if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f')
    digit = (byte | 0x20U) - 'a' + 10;
  else
    return INSIDE_BROKEN;
  inside->unit = inside->unit << 4 | digit;
  if (--inside->digits > 0)
    return INSIDE_MORE;
  return inside->unit < 0x80 ? (int)inside->unit : 0x80;
}

static int escape_byte(struct inside *inside, unsigned char byte) {
  inside->in_escape = false;
  switch (byte) {
  case '"':
  case '\\':
  case '/':
    return byte;
  case 'b':
    return '\b';
  case 'f':
    return '\f';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case 'u':
    inside->digits = 4;
    inside->unit = 0;
    return INSIDE_MORE;
  default:
    return INSIDE_BROKEN;
  }
}

int inside_byte(struct inside *inside, unsigned char byte) {
  if (inside->digits > 0)
    return unit_byte(inside, byte);
  if (inside->in_escape)
    return escape_byte(inside, byte);
  if (byte == '"')
    return INSIDE_END;
  if (byte == '\\')
    inside->in_escape = true;
  return byte == '\\' ? INSIDE_MORE : byte;
}
