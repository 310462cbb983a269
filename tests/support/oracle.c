/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "oracle.h"

#include "base/num.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static struct value oracle_text(const char *text, size_t len, bool is_listing) {
  struct value value = {.type = VALUE_TEXT, .text = text, .text_len = len};
  if (num_int64(text, len, &value.integer))
    value.type = VALUE_INT;
  else if (num_real(text, len, &value.real))
    value.type = VALUE_REAL;
  else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    value.type = VALUE_BOOL;
  value.was_text = value.type != VALUE_TEXT;
  if (value.type == VALUE_BOOL)
    value.integer = text[0] == 't';
  if (!is_listing && strncmp(text, "ERROR: ", 7) == 0) {
    value.type = VALUE_FAULT;
    value.text += 7;
    value.text_len -= 7;
  }
  return value;
}

static struct value oracle_object(struct json_object *object, bool is_listing) {
  struct json_object *error;
  if (!json_object_object_get_ex(object, "error", &error))
    error = json_object_object_get(object, "error_type");
  const char *text =
      is_listing
          ? json_object_to_json_string_ext(
                object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)
          : json_object_get_string(error);
  return (struct value){.type = is_listing ? VALUE_OTHER : VALUE_FAULT,
                        .text = text,
                        .text_len = strlen(text)};
}

static struct value oracle_value(struct json_object *object, bool is_listing) {
  struct value value = {.type = VALUE_NULL};
  switch (json_object_get_type(object)) {
  case json_type_boolean:
    value.type = VALUE_BOOL;
    value.integer = json_object_get_boolean(object);
    break;
  case json_type_int:
    value.type = VALUE_INT;
    value.integer = json_object_get_int64(object);
    if (json_object_get_uint64(object) > INT64_MAX && value.integer > 0) {
      value.type = VALUE_REAL;
      value.real = (double)json_object_get_uint64(object);
    }
    break;
  case json_type_double:
    value.type = VALUE_REAL;
    value.real = json_object_get_double(object);
    break;
  case json_type_string:
    return oracle_text(json_object_get_string(object),
                       (size_t)json_object_get_string_len(object), is_listing);
  case json_type_object:
    return oracle_object(object, is_listing);
  case json_type_null:
  case json_type_array:
  default:
    break;
  }
  return value;
}

bool oracle_row(struct record *record, const struct item_spec *spec,
                const char *text, size_t len) {
  struct value values[REPLY_MAX_COLUMNS] = {{0}};
  struct row row = {"", 0, values, spec->n_columns};
  struct json_tokener *tokener = json_tokener_new_ex(REPLY_MAX_DEPTH);
  if (!tokener)
    abort();
  json_tokener_set_flags(tokener,
                         JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
  struct json_object *object = json_tokener_parse_ex(tokener, text, (int)len);
  bool is_row = json_object_is_type(object, json_type_object);
  for (size_t i = 0; is_row && i < spec->n_columns; i++) {
    struct json_object *member;
    if (json_object_object_get_ex(object, spec->columns[i], &member))
      values[i] = oracle_value(member, spec->form == FORM_LISTING);
  }
  if (is_row)
    record_row(record, 0, &row);
  json_object_put(object);
  json_tokener_free(tokener);
  return is_row;
}
