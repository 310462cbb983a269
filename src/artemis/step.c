/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/step.h"

#include <string.h>

static void add(struct step_request *request, struct operation operation,
                struct item_spec spec) {
  request->operations[request->n] = operation;
  request->specs[request->n++] = spec;
}

void step_exec(struct step_request *request, const char *mbean,
               const char *name, const struct argument *arguments,
               size_t n_arguments) {
  static const char *const columns[] = {"value"};
  add(request,
      (struct operation){.type = OPERATION_EXEC,
                         .mbean = mbean,
                         .name = name,
                         .arguments = arguments,
                         .n_arguments = n_arguments},
      (struct item_spec){FORM_VALUE, columns, 1});
}

void step_read(struct step_request *request, const char *mbean,
               struct item_spec spec) {
  add(request,
      (struct operation){.type = OPERATION_READ,
                         .mbean = mbean,
                         .attributes = spec.columns,
                         .n_attributes = spec.n_columns},
      spec);
}

void step_search(struct step_request *request, const char *pattern) {
  add(request, (struct operation){.type = OPERATION_SEARCH, .mbean = pattern},
      (struct item_spec){FORM_NAMES, NULL, 0});
}

enum status step_first_failure(const struct error *items, size_t n,
                               struct error *error) {
  for (size_t i = 0; i < n; i++)
    if (items[i].kind)
      return error_set(error, items[i].kind, "%s", items[i].text);
  return STATUS_OK;
}

/* AMQ229017: no such queue; AMQ229203: no such address; AMQ229012: no such
 * divert (seen on 2.18.0, 2.28.0 and 2.40.0). */
bool step_is_missing(const struct error *item) {
  static const char *const codes[] = {"AMQ229017", "AMQ229203", "AMQ229012"};
  if (item->kind == STATUS_NOT_FOUND)
    return true;
  for (size_t i = 0; item->kind && i < sizeof(codes) / sizeof(*codes); i++)
    if (strstr(item->text, codes[i]))
      return true;
  return false;
}

bool step_is_text(const struct value *value, const char *text) {
  size_t len = strlen(text);
  if (value->type == VALUE_NULL || value->type == VALUE_ABSENT)
    return len == 0;
  return value_has_text(value) && value->text_len == len &&
         memcmp(value->text, text, len) == 0;
}

bool step_is_number(const struct value *value, uint64_t number) {
  return value->type == VALUE_INT && value->integer >= 0 &&
         (uint64_t)value->integer == number;
}
