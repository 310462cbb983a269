/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/members.h"

#include "jolokia/escape.h"
#include "jolokia/frame.h"
#include "jolokia/nested.h"
#include "jolokia/value.h"

static const char *skip_space(const char *p, const char *end) {
  while (p < end && frame_is_space((unsigned char)*p))
    p++;
  return p;
}

bool members_begin(struct members *members, const struct value *object,
                   char *room) {
  *members = (struct members){.room = room, .is_broken = true};
  if (!room || object->type != VALUE_OTHER || object->text_len < 2 ||
      object->text[0] != '{')
    return false;
  members->is_broken = false;
  members->at = object->text;
  members->end = object->text + object->text_len;
  return true;
}

/* The string behind the quote before ${p}: its closing quote, or NULL. */
static const char *string_end(const char *p, const char *end,
                              bool *ret_has_escapes) {
  *ret_has_escapes = false;
  for (p = escape_span(p, end); p < end && *p == '\\';
       p = escape_span(p + 2, end)) {
    *ret_has_escapes = true;
    if (end - p < 2)
      return NULL;
  }
  return p < end ? p : NULL;
}

/* The string at ${*p}, unescaped into ${*room} where that is needed; ${*room}
 * moves behind it. */
static bool read_string(const char **p, const char *end, char **room,
                        const char **ret, size_t *ret_len) {
  bool has_escapes;
  const char *text = *p + 1;
  const char *text_end = string_end(text, end, &has_escapes);
  if (!text_end)
    return false;
  *p = text_end + 1;
  *ret = text;
  *ret_len = (size_t)(text_end - text);
  if (!has_escapes)
    return true;
  if (!escape_undo(*room, text, *ret_len, ret_len))
    return false;
  *ret = *room;
  *room += *ret_len;
  return true;
}

static bool read_nested(const char **p, const char *end, char **room,
                        struct value *ret) {
  const char *text = *p;
  struct frame frame = frame_begin(FRAME_VALUE, REPLY_MAX_DEPTH);
  enum frame_step step = FRAME_MORE;
  while (*p < end && step == FRAME_MORE)
    step = frame_byte(&frame, (unsigned char)*(*p)++);
  if (step != FRAME_END)
    return false;
  size_t len = (size_t)(*p - text);
  value_of_nested(ret, text, len);
  if (!nested_may_be_fault(text, len))
    return true;
  bool has_memory = nested_read_fault(text, len, *room, ret);
  if (ret->type == VALUE_FAULT)
    *room += ret->text_len;
  return has_memory;
}

static bool read_scalar(const char **p, const char *end, struct value *ret) {
  const char *text = *p;
  while (*p < end && **p != ',' && **p != '}' &&
         !frame_is_space((unsigned char)**p))
    (*p)++;
  return value_of_scalar(ret, text, (size_t)(*p - text));
}

static bool read_value(const char **p, const char *end, char **room,
                       struct value *ret) {
  const char *text;
  size_t len;
  if (*p == end)
    return false;
  if (**p == '{' || **p == '[')
    return read_nested(p, end, room, ret);
  if (**p != '"')
    return read_scalar(p, end, ret);
  return read_string(p, end, room, &text, &len) &&
         value_of_text(ret, text, len, true);
}

/* From ${*p}, the { or comma before a member, to behind its value. */
static bool read_member(struct members *members, const char **p) {
  const char *end = members->end;
  char **room = &members->room;
  const char *at = skip_space(*p + 1, end);
  if (at == end || *at != '"' ||
      !read_string(&at, end, room, &members->key, &members->key_len))
    return false;
  at = skip_space(at, end);
  if (at == end || *at != ':')
    return false;
  at = skip_space(at + 1, end);
  if (!read_value(&at, end, room, &members->value))
    return false;
  *p = skip_space(at, end);
  return *p < end && (**p == ',' || **p == '}');
}

bool members_next(struct members *members) {
  const char *p = members->at;
  if (!p || *p == '}')
    return false;
  if (*p == '{') { /* "{}" has no member */
    const char *first = skip_space(p + 1, members->end);
    if (first < members->end && *first == '}')
      return false;
  }
  members->is_broken = !read_member(members, &p);
  members->at = members->is_broken ? NULL : p;
  return !members->is_broken;
}

bool members_find(const struct value *object, const char *key, size_t len,
                  char *room, struct value *ret) {
  struct members members;
  bool is_found = false;
  *ret = (struct value){.type = VALUE_ABSENT};
  members_begin(&members, object, room);
  while (members_next(&members))
    if (members.key_len == len && memcmp(members.key, key, len) == 0) {
      *ret = members.value;
      is_found = true;
    }
  return is_found && !members.is_broken;
}
