/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "record.h"

#include "prng.h"

#include <stdlib.h>
#include <string.h>

#define RECORD_MAX (64 << 20)

static void add_text(struct buf *text, const char *before,
                     const struct value *value, const char *after) {
  buf_add_text(text, before);
  buf_add(text, value->text, value->text_len);
  buf_add_text(text, after);
}

static void add_value(struct buf *text, const struct value *value) {
  switch (value->type) {
  case VALUE_ABSENT:
    buf_add_text(text, " .");
    break;
  case VALUE_NULL:
    buf_add_text(text, " null");
    break;
  case VALUE_BOOL:
    buf_add_text(text, value->integer ? " true" : " false");
    break;
  case VALUE_INT:
    buf_printf(text, " %lld", (long long)value->integer);
    break;
  case VALUE_REAL:
    buf_printf(text, " r%.17g", value->real);
    break;
  case VALUE_TEXT:
    add_text(text, " '", value, "'");
    break;
  case VALUE_FAULT:
    add_text(text, " !", value, "");
    break;
  case VALUE_OTHER:
    add_text(text, " ~", value, "");
    break;
  default:
    abort();
  }
  if (value->was_text)
    add_text(text, "\"", value, "\"");
}

void record_row(struct record *record, size_t item, const struct row *row) {
  struct buf *text = &record->text;
  buf_printf(text, "row %zu <", item);
  buf_add(text, row->name, row->name_len);
  buf_add_text(text, ">");
  for (size_t i = 0; i < row->n_columns; i++)
    add_value(text, &row->columns[i]);
  buf_add_text(text, "\n");
}

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct record *record = cookie;
  record_row(record, item, row);
  record->rows++;
  return record->stop_each == 0 || record->rows % record->stop_each != 0;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct record *record = cookie;
  struct buf *text = &record->text;
  buf_printf(text, "item %zu %s %d rows %llu", item,
             status_name(result->status), result->code,
             (unsigned long long)result->rows);
  if (result->rows_invalid)
    buf_printf(text, " invalid %llu", (unsigned long long)result->rows_invalid);
  if (result->has_count)
    buf_printf(text, " count %lld", (long long)result->count);
  if (*result->error_type)
    buf_printf(text, " type %s", result->error_type);
  if (*result->error)
    buf_printf(text, " error %s", result->error);
  buf_add_text(text, "\n");
}

/* Feeds one piece until it is used up. */
static enum status feed(struct record *record, struct reply *reply,
                        const char *bytes, size_t len) {
  enum status status = STATUS_OK;
  size_t at = 0;
  while (at < len && !status) {
    uint64_t rows = record->rows;
    size_t consumed = len + 1;
    status = reply_feed(reply, bytes + at, len - at, &consumed);
    if (consumed > len - at)
      abort();
    at += consumed;
    /* less than all only where row() said so */
    bool is_stopped = record->stop_each > 0 && record->rows > rows;
    if (!status && at < len && !is_stopped)
      abort();
  }
  return status;
}

static void feed_all(struct record *record, struct reply *reply,
                     const char *bytes, size_t len, struct cut cut) {
  struct prng prng = prng_seeded(cut.random);
  enum status status = STATUS_OK;
  size_t size = cut.first;
  for (size_t at = 0; at < len && !status; at += size, size = cut.rest) {
    if (cut.random)
      size = (size_t)prng_scaled(&prng, cut.rest);
    size = size < len - at ? size : len - at;
    char *piece = malloc(size ? size : 1);
    if (!piece)
      abort();
    memcpy(piece, bytes + at, size);
    status = feed(record, reply, piece, size);
    free(piece);
  }
}

enum status record_reply(struct record *record, const struct item_spec *specs,
                         size_t n, size_t max_object, const char *bytes,
                         size_t len, struct cut cut) {
  struct reply_sink sink = {on_row, on_item, record};
  struct error error = {STATUS_OK, ""};
  buf_init(&record->text, RECORD_MAX);
  record->rows = 0;
  record->stop_each = cut.stop_each;
  struct reply *reply = reply_new(specs, n, max_object, &sink);
  if (!reply)
    return STATUS_NO_MEMORY;
  feed_all(record, reply, bytes, len, cut);
  enum status status = reply_end(reply, &error);
  if (reply_rows(reply) != record->rows || error.kind != status)
    abort();
  buf_printf(&record->text, "end %s items %zu%s%s", status_name(status),
             reply_items_done(reply), status ? " " : "", error.text);
  reply_free(reply);
  return status;
}
