/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/reader.h"

#include "base/num.h"
#include "jolokia/escape.h"

void reader_fail(struct reply *reply, enum status status, const char *reason) {
  reply->status = status;
  reply->reason = reason;
}

enum container reader_container(const struct reply *reply) {
  return reply->n_containers > 0 ? reply->containers[reply->n_containers - 1]
                                 : IN_NOTHING;
}

void reader_set_malformed(struct reply *reply, const char *fault) {
  item_set_fault(&reply->item, STATUS_MALFORMED_REPLY, fault);
}

bool reader_is_refusal(const struct reply *reply) {
  return reply->is_lone &&
         (reply->n_items != 1 || reply->item.result.code == 403 ||
          reply->item.result.code == 0);
}

/* The document in the string is over, well or not. */
void reader_leave_string(struct reply *reply) {
  reply->is_inside = false;
  while (reader_container(reply) != IN_ITEM)
    reply->n_containers--;
  reply->part = PART_NONE;
  reply->expect = EXPECT_COMMA;
}

/* What the string holds is no listing; the rest of it is skipped, and the reply
 * goes on. */
void reader_break_string(struct reply *reply) {
  reader_set_malformed(reply, "the text in its value is no whole listing");
  reader_leave_string(reply);
  reader_begin_part(reply, PART_SKIPPED, 0, frame_string());
}

void reader_break(struct reply *reply) {
  if (reply->is_inside)
    reader_break_string(reply);
  else
    reader_fail(reply, STATUS_MALFORMED_REPLY, "it is no JSON");
}

static void end_item(struct reply *reply) {
  if (reader_is_refusal(reply))
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
  else if (reader_container(reply) == IN_ITEM)
    reply->member = member_of_item(text, key_len);
  else
    reply->member = member_of_listing(text, key_len);
  reply->expect = EXPECT_COLON;
}

void reader_deliver(struct reply *reply) {
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
    reader_deliver(reply);
  else if (scan == SCAN_NO_MEMORY)
    reader_fail(reply, STATUS_NO_MEMORY, "no memory");
  else if (is_only)
    reader_set_malformed(reply, "its value is broken");
  else
    reply->item.result.rows_invalid++;
}

void reader_end_part(struct reply *reply, const char *text, size_t len) {
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
    reader_set_malformed(reply, "its value is not of the type asked for");
  else if (part >= PART_VALUE)
    end_row(reply, text, len);
  reply->part = PART_NONE;
}

bool reader_closes(const struct reply *reply, unsigned char c) {
  switch (reader_container(reply)) {
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

void reader_leave(struct reply *reply) {
  enum container left = reader_container(reply);
  reply->n_containers--;
  reply->expect = reply->n_containers > 0 ? EXPECT_COMMA : EXPECT_NOTHING;
  if (reply->is_inside && reader_container(reply) == IN_ITEM)
    reply->expect = EXPECT_QUOTE;
  if (left == IN_ITEM)
    end_item(reply);
}
