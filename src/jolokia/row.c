/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/row.h"

#include "jolokia/escape.h"
#include "jolokia/frame.h"
#include "jolokia/nested.h"
#include "jolokia/value.h"

#include <stdlib.h>

#define KEY_MAX 256       /* bytes of a key that is written with escapes */
#define INTEGER_DIGITS 18 /* always fit 64 bits */

void row_init(struct row_scanner *scanner, size_t max) {
  *scanner = (struct row_scanner){.room_max = max};
}

void row_fini(struct row_scanner *scanner) {
  free(scanner->room);
  scanner->room = NULL;
}

void row_expect(struct row_scanner *scanner, const struct item_spec *spec,
                unsigned max_depth) {
  scanner->columns = spec->columns;
  scanner->n_columns =
      spec->n_columns < REPLY_MAX_COLUMNS ? spec->n_columns : REPLY_MAX_COLUMNS;
  for (size_t i = 0; i < scanner->n_columns; i++)
    scanner->column_len[i] = strlen(spec->columns[i]);
  if (spec->form == FORM_VALUE)
    scanner->n_columns = 1;
  if (spec->form == FORM_NAMES)
    scanner->n_columns = 0;
  scanner->knows_faults = spec->form != FORM_LISTING && spec->form != FORM_ROWS;
  scanner->max_depth = max_depth;
  template_forget(&scanner->template);
}

static void start(struct row_scanner *scanner, bool is_inside, bool is_whole) {
  memset(scanner->values, 0, scanner->n_columns * sizeof(struct value));
  scanner->name = "";
  scanner->name_len = 0;
  scanner->room_used = 0;
  scanner->is_inside = is_inside;
  scanner->is_whole = is_whole;
  scanner->is_copy = false;
}

/* Where ${len} bytes of ${text} may be written anew: over themselves if they
 * already are a copy; else in room that is made once a row, for all of the text
 * that is left of it, so that what points into it stays valid. */
static enum scan make_room(struct row_scanner *scanner, const char *text,
                           size_t len, const char *end, char **ret) {
  if (scanner->is_copy) {
    *ret = scanner->room + (text - scanner->room);
    return SCAN_OK;
  }
  size_t need = (size_t)(end - text);
  need = need < scanner->room_max ? need : scanner->room_max;
  if (need > scanner->room_size) {
    char *room = realloc(scanner->room, need);
    if (!room)
      return SCAN_NO_MEMORY;
    scanner->room = room;
    scanner->room_size = need;
  }
  if (!scanner->room || len > scanner->room_size - scanner->room_used)
    return SCAN_REFUSED;
  *ret = scanner->room + scanner->room_used;
  scanner->room_used += len;
  return SCAN_OK;
}

/* The string ${*text} without its escapes. */
static enum scan plain_text(struct row_scanner *scanner, const char **text,
                            size_t *len, const char *end) {
  char *room;
  enum scan scan = make_room(scanner, *text, *len, end, &room);
  if (scan)
    return scan;
  if (!escape_undo(room, *text, *len, len))
    return SCAN_REFUSED;
  *text = room;
  return SCAN_OK;
}

static inline const char *skip_space(const char *p, const char *end) {
  while (p < end && frame_is_space((unsigned char)*p))
    p++;
  return p;
}

/* The string whose opening quote ends before ${p}: *${ret} is the first byte of
 * its closing quote. Escaped text passes with no escape but "\/", which old
 * brokers write for every slash. */
static enum scan string_end(const struct row_scanner *scanner, const char *p,
                            const char *end, bool *ret_escapes,
                            const char **ret) {
  *ret_escapes = false;
  for (;; p += 2) {
    p = escape_span(p, end);
    if (p == end || (*p == '\\' && p + 1 == end))
      return SCAN_MORE;
    if (scanner->is_inside) {
      if (*p == '"' || (p[1] != '"' && p[1] != '/'))
        return SCAN_REFUSED;
      if (p[1] == '"')
        break;
    } else if (*p == '"') {
      break;
    }
    *ret_escapes = true;
  }
  *ret = p;
  return SCAN_OK;
}

/* The quote at ${p}, plain or escaped: the first byte behind it, or NULL. */
static const char *skip_quote(const struct row_scanner *scanner, const char *p,
                              const char *end) {
  if (scanner->is_inside)
    return end - p >= 2 && p[0] == '\\' && p[1] == '"' ? p + 2 : NULL;
  return p < end && *p == '"' ? p + 1 : NULL;
}

static enum scan at_end(const char *p, const char *end) {
  return p == end ? SCAN_MORE : SCAN_REFUSED;
}

static int column_of(const struct row_scanner *scanner, const char *key,
                     size_t len) {
  for (size_t i = 0; i < scanner->n_columns; i++)
    if (scanner->column_len[i] == len &&
        memcmp(scanner->columns[i], key, len) == 0)
      return (int)i;
  return NO_COLUMN;
}

static enum scan column_of_key(const struct row_scanner *scanner,
                               const char *key, size_t len, bool has_escapes,
                               int *ret) {
  char plain[KEY_MAX];
  if (has_escapes && len > sizeof(plain)) {
    *ret = NO_COLUMN;
    return SCAN_OK;
  }
  if (has_escapes) {
    if (!escape_undo(plain, key, len, &len))
      return SCAN_REFUSED;
    key = plain;
  }
  *ret = column_of(scanner, key, len);
  return SCAN_OK;
}

/* From ${*p} to the value of member ${i}: { or a comma, the key, the colon. */
static enum scan scan_gap(struct row_scanner *scanner, size_t i, const char **p,
                          const char *end, int *ret_column) {
  const char *at = *p;
  if (at == end || *at != (i == 0 ? '{' : ','))
    return at_end(at, end);
  at = skip_space(at + 1, end);
  const char *key = skip_quote(scanner, at, end);
  if (!key)
    return at_end(at + (scanner->is_inside && at < end && *at == '\\'), end);
  bool has_escapes;
  const char *key_end;
  enum scan scan = string_end(scanner, key, end, &has_escapes, &key_end);
  if (scan)
    return scan;
  at = skip_space(skip_quote(scanner, key_end, end), end);
  if (at == end || *at != ':')
    return at_end(at, end);
  at = skip_space(at + 1, end);
  scan = column_of_key(scanner, key, (size_t)(key_end - key), has_escapes,
                       ret_column);
  if (scan)
    return scan;
  if (!scanner->is_copy)
    template_learn(&scanner->template, i, *p, (size_t)(at - *p), *ret_column);
  *p = at;
  return SCAN_OK;
}

static enum scan scan_string(struct row_scanner *scanner, const char **p,
                             const char *end, struct value *value) {
  const char *text = *p;
  bool has_escapes;
  const char *text_end;
  enum scan scan = string_end(scanner, text, end, &has_escapes, &text_end);
  if (scan)
    return scan;
  *p = text_end + (scanner->is_inside ? 2 : 1);
  if (!value)
    return SCAN_OK;
  size_t len = (size_t)(text_end - text);
  if (has_escapes)
    scan = plain_text(scanner, &text, &len, end);
  if (scan)
    return scan;
  return value_of_text(value, text, len, scanner->knows_faults) ? SCAN_OK
                                                                : SCAN_REFUSED;
}

static bool is_scalar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.';
}

static enum scan scan_scalar(struct row_scanner *scanner, const char **p,
                             const char *end, struct value *value) {
  const char *text = *p;
  const char *at = text;
  while (at < end && is_scalar(*at))
    at++;
  if (at == end && !scanner->is_whole)
    return frame_is_scalar_begin((unsigned char)*text) ? SCAN_MORE
                                                       : SCAN_REFUSED;
  size_t len = (size_t)(at - text);
  *p = at;
  struct value unwanted;
  return value_of_scalar(value ? value : &unwanted, text, len) ? SCAN_OK
                                                               : SCAN_REFUSED;
}

static enum scan scan_nested(struct row_scanner *scanner, const char **p,
                             const char *end, struct value *value) {
  const char *text = *p;
  const char *at = text;
  struct frame frame = frame_begin(FRAME_VALUE, scanner->max_depth);
  enum frame_step step = FRAME_MORE;
  while (at < end && step == FRAME_MORE) {
    /* strings are refused there: their \" as all else that is escaped */
    if (scanner->is_inside && *at == '"')
      return SCAN_REFUSED;
    step = frame_byte(&frame, (unsigned char)*at++);
  }
  if (step != FRAME_END)
    return step == FRAME_MORE ? SCAN_MORE : SCAN_REFUSED;
  *p = at;
  if (!value)
    return SCAN_OK;
  size_t len = (size_t)(at - text);
  value_of_nested(value, text, len);
  if (scanner->knows_faults && nested_may_be_fault(text, len)) {
    char *room;
    enum scan scan = make_room(scanner, text, len, end, &room);
    if (scan)
      return scan;
    if (!nested_read_fault(text, len, room, value))
      return SCAN_NO_MEMORY;
  }
  return value_is_valid_text(value->text, value->text_len) ? SCAN_OK
                                                           : SCAN_REFUSED;
}

static enum scan scan_value(struct row_scanner *scanner, const char **p,
                            const char *end, struct value *value) {
  if (*p == end)
    return SCAN_MORE;
  const char *text = skip_quote(scanner, *p, end);
  if (text) {
    *p = text;
    return scan_string(scanner, p, end, value);
  }
  if (**p == '{' || **p == '[')
    return scan_nested(scanner, p, end, value);
  if (scanner->is_inside && **p == '\\' && *p + 1 == end)
    return SCAN_MORE;
  return scan_scalar(scanner, p, end, value);
}

/* Most values that are wanted are short integers in quotes: one pass. false: it
 * is something else. */
static bool scan_integer(const struct row_scanner *scanner, const char **p,
                         const char *end, struct value *value) {
  const char *text = skip_quote(scanner, *p, end);
  if (!text || text == end)
    return false;
  bool is_negative = *text == '-';
  const char *digits = text + is_negative;
  const char *most =
      end - digits < INTEGER_DIGITS ? end : digits + INTEGER_DIGITS;
  const char *at = digits;
  int64_t number = 0;
  while (at < most && *at >= '0' && *at <= '9')
    number = number * 10 + (*at++ - '0');
  if (at == digits || (*digits == '0' && at - digits > 1))
    return false;
  const char *behind = skip_quote(scanner, at, end);
  if (!behind)
    return false;
  *value = (struct value){.type = VALUE_INT,
                          .was_text = true,
                          .integer = is_negative ? -number : number,
                          .text = text,
                          .text_len = (size_t)(at - text)};
  *p = behind;
  return true;
}

/* The value of member ${i}, and the space behind it. */
static enum scan scan_column(struct row_scanner *scanner, size_t i, int column,
                             const char **p, const char *end) {
  const char *text = *p;
  struct value *value = column == NO_COLUMN ? NULL : &scanner->values[column];
  if (!value || !scan_integer(scanner, p, end, value)) {
    enum scan scan = scan_value(scanner, p, end, value);
    if (scan)
      return scan;
  }
  *p = skip_space(*p, end);
  if (template_is_open(&scanner->template, i) && !scanner->is_copy)
    template_keep(&scanner->template, i, text, (size_t)(*p - text), value);
  return SCAN_OK;
}

/* From ${*p} to the value of member ${i}, whose key is looked up unless it is
 * that of the last row. */
static enum scan scan_key(struct row_scanner *scanner, size_t i, const char **p,
                          const char *end, int *ret_column) {
  const struct template_member *member = NULL;
  if (!scanner->is_copy)
    member = template_gap(&scanner->template, i, *p, end);
  if (!member)
    return scan_gap(scanner, i, p, end, ret_column);
  *p = skip_space(*p + member->len, end);
  *ret_column = member->column;
  return SCAN_OK;
}

/* From the gap before member ${*i} to behind a value: its own, or that of a
 * later one, where all between is as it was in the last row. A copy is plain
 * where the template is escaped: nothing of it would match. */
static enum scan scan_members(struct row_scanner *scanner, size_t *i,
                              const char **p, const char *end) {
  const struct row_template *template = &scanner->template;
  const struct template_member *member = NULL;
  int column;
  if (!scanner->is_copy)
    member = template_run(template, *i, *p, end);
  if (member) {
    template_take(template, *i, *p, scanner->values);
    *p = skip_space(*p + member->run, end);
    *i = member->next;
    if (*i == template->n)
      return SCAN_OK;
    column = template->members[*i].column;
  } else {
    enum scan scan = scan_key(scanner, *i, p, end, &column);
    if (scan)
      return scan;
  }
  return scan_column(scanner, (*i)++, column, p, end);
}

static enum scan scan_object(struct row_scanner *scanner, const char *p,
                             const char *end, const char **ret_end) {
  template_begin(&scanner->template);
  for (size_t i = 0;;) {
    enum scan scan = scan_members(scanner, &i, &p, end);
    if (scan)
      return scan;
    if (p == end)
      return SCAN_MORE;
    if (*p == '}')
      break;
  }
  *ret_end = p + 1;
  return SCAN_OK;
}

/* "{}" has no gap, so it is looked for first. */
static enum scan scan_row(struct row_scanner *scanner, const char *text,
                          const char *end, const char **ret_end) {
  if (text == end || *text != '{')
    return at_end(text, end);
  const char *first = skip_space(text + 1, end);
  if (first == end)
    return SCAN_MORE;
  if (*first != '}')
    return scan_object(scanner, text, end, ret_end);
  *ret_end = first + 1;
  return SCAN_OK;
}

static enum scan scan_name(struct row_scanner *scanner, const char **p,
                           const char *end) {
  if (*p == end || **p != '"')
    return at_end(*p, end);
  const char *text = *p + 1;
  bool has_escapes;
  const char *text_end;
  enum scan scan = string_end(scanner, text, end, &has_escapes, &text_end);
  if (scan)
    return scan;
  *p = text_end + 1;
  size_t len = (size_t)(text_end - text);
  if (has_escapes)
    scan = plain_text(scanner, &text, &len, end);
  if (scan)
    return scan;
  scanner->name = text;
  scanner->name_len = len;
  return value_is_valid_text(text, len) ? SCAN_OK : SCAN_REFUSED;
}

static enum scan scan_member(struct row_scanner *scanner, const char *p,
                             const char *end, const char **ret_end) {
  enum scan scan = scan_name(scanner, &p, end);
  if (scan)
    return scan;
  p = skip_space(p, end);
  if (p == end || *p != ':')
    return at_end(p, end);
  p = skip_space(p + 1, end);
  return scan_row(scanner, p, end, ret_end);
}

enum scan row_try_object(struct row_scanner *scanner, const char *text,
                         const char *end, bool is_inside,
                         const char **ret_end) {
  start(scanner, is_inside, false);
  return scan_row(scanner, text, end, ret_end);
}

enum scan row_try_member(struct row_scanner *scanner, const char *text,
                         const char *end, const char **ret_end) {
  start(scanner, false, false);
  return scan_member(scanner, text, end, ret_end);
}

/* All of the text must have been read. */
static enum scan whole(enum scan scan, const char *at, const char *end) {
  if (scan == SCAN_NO_MEMORY)
    return scan;
  return scan == SCAN_OK && at == end ? SCAN_OK : SCAN_REFUSED;
}

/* Escaped text that was refused where it lies is unescaped and read again. */
static enum scan read_unescaped(struct row_scanner *scanner, const char *text,
                                size_t len) {
  const char *row = text;
  start(scanner, false, true);
  enum scan scan = plain_text(scanner, &row, &len, text + len);
  if (scan)
    return scan;
  const char *end = row + len;
  const char *at = end;
  scanner->is_copy = true;
  scan = scan_row(scanner, row, end, &at);
  return whole(scan, at, end);
}

enum scan row_read_object(struct row_scanner *scanner, const char *text,
                          size_t len, bool is_inside) {
  const char *at = text;
  start(scanner, is_inside, true);
  enum scan scan = scan_row(scanner, text, text + len, &at);
  scan = whole(scan, at, text + len);
  if (scan == SCAN_REFUSED && is_inside)
    return read_unescaped(scanner, text, len);
  return scan;
}

enum scan row_read_member(struct row_scanner *scanner, const char *text,
                          size_t len) {
  const char *at = text;
  start(scanner, false, true);
  enum scan scan = scan_member(scanner, text, text + len, &at);
  return whole(scan, at, text + len);
}

enum scan row_read_name(struct row_scanner *scanner, const char *text,
                        size_t len) {
  const char *at = text;
  start(scanner, false, true);
  enum scan scan = scan_name(scanner, &at, text + len);
  return whole(scan, at, text + len);
}

enum scan row_read_value(struct row_scanner *scanner, const char *text,
                         size_t len) {
  const char *at = text;
  start(scanner, false, true);
  enum scan scan = scan_value(scanner, &at, text + len, &scanner->values[0]);
  return whole(scan, at, text + len);
}
