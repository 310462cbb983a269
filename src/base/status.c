/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/status.h"

#include "base/line.h"

#include <stdarg.h>
#include <string.h>

static const struct {
  const char *name;
  enum status_class class;
} kinds[STATUS_COUNT] = {
    [STATUS_OK] = {"ok", CLASS_NONE},
    [STATUS_PERMIT_TIMEOUT] = {"permit_timeout", CLASS_CONNECTION},
    [STATUS_PERMIT_QUEUE_FULL] = {"permit_queue_full", CLASS_CONNECTION},
    [STATUS_CONNECT] = {"connect", CLASS_CONNECTION},
    [STATUS_TLS] = {"tls", CLASS_CONNECTION},
    [STATUS_TIMEOUT] = {"timeout", CLASS_CONNECTION},
    [STATUS_RESET] = {"reset", CLASS_CONNECTION},
    [STATUS_CANCELLED] = {"cancelled", CLASS_STOPPED},
    [STATUS_CLOSING] = {"closing", CLASS_STOPPED},
    [STATUS_HELD] = {"held", CLASS_STOPPED},
    [STATUS_AUTH] = {"auth", CLASS_REFUSED},
    [STATUS_DENIED] = {"denied", CLASS_REFUSED},
    [STATUS_THROTTLED] = {"throttled", CLASS_REFUSED},
    [STATUS_NOT_JOLOKIA] = {"not_jolokia", CLASS_REPLY},
    [STATUS_HTTP_STATUS] = {"http_status", CLASS_REPLY},
    [STATUS_REPLY_TOO_LARGE] = {"reply_too_large", CLASS_REPLY},
    [STATUS_REQUEST_TOO_LARGE] = {"request_too_large", CLASS_REPLY},
    [STATUS_MALFORMED_REPLY] = {"malformed_reply", CLASS_REPLY},
    [STATUS_NOT_FOUND] = {"not_found", CLASS_ITEM},
    [STATUS_ITEM_DENIED] = {"item_denied", CLASS_ITEM},
    [STATUS_NOT_STARTED] = {"not_started", CLASS_ITEM},
    [STATUS_BUSY] = {"busy", CLASS_ITEM},
    [STATUS_ITEM_ERROR] = {"item_error", CLASS_ITEM},
    [STATUS_INVALID] = {"invalid", CLASS_LOCAL},
    [STATUS_NO_MEMORY] = {"no_memory", CLASS_LOCAL},
};

static const char *const class_names[CLASS_COUNT] = {
    [CLASS_NONE] = "none",       [CLASS_CONNECTION] = "connection",
    [CLASS_STOPPED] = "stopped", [CLASS_REFUSED] = "refused",
    [CLASS_REPLY] = "reply",     [CLASS_ITEM] = "item",
    [CLASS_LOCAL] = "local",
};

const char *status_name(enum status kind) {
  return (unsigned)kind < STATUS_COUNT ? kinds[kind].name : "unknown";
}

enum status_class status_class_of(enum status kind) {
  return (unsigned)kind < STATUS_COUNT ? kinds[kind].class : CLASS_NONE;
}

const char *status_class_name(enum status_class class) {
  return (unsigned)class < CLASS_COUNT ? class_names[class] : "unknown";
}

bool status_is_ours(enum status kind) {
  return kind == STATUS_PERMIT_TIMEOUT || kind == STATUS_PERMIT_QUEUE_FULL ||
         status_class_of(kind) == CLASS_STOPPED ||
         status_class_of(kind) == CLASS_LOCAL;
}

enum status error_set(struct error *error, enum status kind, const char *format,
                      ...) {
  if (!error)
    return kind;
  char line[sizeof(error->text)]; /* an argument may be error->text itself */
  va_list args;
  va_start(args, format);
  size_t len = line_format(line, sizeof(line), format, args);
  va_end(args);
  error->kind = kind;
  memcpy(error->text, line, len + 1);
  return kind;
}
