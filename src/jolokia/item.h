/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_ITEM_H
#define JOLOKIA_ITEM_H

/* One item of a reply, as its members come in. Private to the reader of
 * replies. */

#include "jolokia/reply.h"

#define ITEM_ERROR_TYPE_MAX 128

struct item {
  struct item_result result;
  bool has_value;
  const char *fault; /* what is wrong with its value; NULL: nothing */
  char error[REPLY_ERROR_MAX];
  char error_type[ITEM_ERROR_TYPE_MAX];
};

void item_begin(struct item *item);

/* item_set_fault(): why its value cannot be read; the first one counts. */
void item_set_fault(struct item *item, enum status status, const char *fault);

/* The members, as JSON text; of an error the front may suffice. */
void item_set_code(struct item *item, const char *text, size_t len);
void item_set_error(struct item *item, const char *text, size_t len);
void item_set_error_type(struct item *item, const char *text, size_t len);

/* item_end(item): its result, all members being known. */
const struct item_result *item_end(struct item *item);

#endif
