/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/item.h"

#include "base/num.h"
#include "jolokia/escape.h"
#include "jolokia/verdict.h"

#include <limits.h>

void item_begin(struct item *item) {
  item->result = (struct item_result){.status = STATUS_OK};
  item->has_value = false;
  item->fault = NULL;
  item->error[0] = 0;
  item->error_type[0] = 0;
}

void item_set_fault(struct item *item, enum status status, const char *fault) {
  if (item->fault)
    return;
  item->fault = fault;
  item->result.status = status;
}

void item_set_code(struct item *item, const char *text, size_t len) {
  int64_t code = 0;
  if (num_int64(text, len, &code) && code > 0 && code <= INT_MAX)
    item->result.code = (int)code;
}

static void set_line(char *dst, size_t size, const char *text, size_t len) {
  if (len < 2 || text[0] != '"')
    return;
  size_t end = len - (text[len - 1] == '"'); /* a cut text has none */
  escape_line(dst, size, text + 1, end - 1);
}

void item_set_error(struct item *item, const char *text, size_t len) {
  set_line(item->error, sizeof(item->error), text, len);
}

void item_set_error_type(struct item *item, const char *text, size_t len) {
  set_line(item->error_type, sizeof(item->error_type), text, len);
}

static void judge(struct item *item) {
  struct item_result *result = &item->result;
  if (result->code != 200 && (result->code != 0 || item->error[0] != 0)) {
    result->status = verdict_item(result->code, item->error_type, item->error);
    return;
  }
  if (result->code == 0)
    item_set_fault(item, STATUS_MALFORMED_REPLY, "the item has no status");
  if (!item->has_value)
    item_set_fault(item, STATUS_MALFORMED_REPLY, "the item has no value");
}

const struct item_result *item_end(struct item *item) {
  judge(item);
  item->result.error_type = item->error_type;
  item->result.error =
      item->fault && item->error[0] == 0 ? item->fault : item->error;
  return &item->result;
}
