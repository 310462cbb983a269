/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/document.h"

#include <string.h>

#define DOCUMENT_OBJECT_MAX 65536 /* bytes of one object, as MaxObjectBytes */

struct reading {
  const struct reply_sink *sink;
  enum status status; /* of the item */
};

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct reading *reading = cookie;
  (void)reading->sink->row(reading->sink->cookie, item, row);
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct reading *reading = cookie;
  reading->status = result->status;
  if (reading->sink->item)
    reading->sink->item(reading->sink->cookie, item, result);
}

/* The document is put where a reply has one, and read as such. */
enum status document_read(const char *text, size_t len,
                          const struct item_spec *spec,
                          const struct reply_sink *sink, struct error *error) {
  static const char before[] = "[{\"value\":";
  static const char behind[] = ",\"status\":200}]";
  struct reading reading = {.sink = sink, .status = STATUS_MALFORMED_REPLY};
  const struct reply_sink own = {
      .row = on_row, .item = on_item, .cookie = &reading};
  struct reply *reply = reply_new(spec, 1, DOCUMENT_OBJECT_MAX, &own);
  size_t used;
  if (!reply)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a document");
  enum status status = reply_feed(reply, before, strlen(before), &used);
  if (!status)
    status = reply_feed(reply, text, len, &used);
  if (!status)
    status = reply_feed(reply, behind, strlen(behind), &used);
  if (!status)
    status = reply_end(reply, error);
  if (!status && reading.status)
    status = reading.status;
  reply_free(reply);
  if (status == STATUS_NO_MEMORY)
    return error_set(error, status, "no memory for a document");
  return status ? error_set(error, STATUS_MALFORMED_REPLY,
                            "it is no JSON document of the shape expected")
                : STATUS_OK;
}
