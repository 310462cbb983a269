/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/nested.h"

#include "jolokia/escape.h"

#include <errno.h>
#include <json-c/json.h>

#define FAULT_MAX 8192
#define FAULT_MARK "\".error\""

bool nested_may_be_fault(const char *text, size_t len) {
  return text[0] == '{' && len <= FAULT_MAX &&
         memmem(text, len, FAULT_MARK, sizeof(FAULT_MARK) - 1) != NULL;
}

static void take_fault(struct json_object *object, size_t max, char *room,
                       struct value *value) {
  struct json_object *mark;
  struct json_object *error;
  if (!json_object_object_get_ex(object, ".error", &mark) ||
      !json_object_get_boolean(mark))
    return;
  if (!json_object_object_get_ex(object, "error", &error) &&
      !json_object_object_get_ex(object, "error_type", &error))
    error = NULL;
  *value = (struct value){.type = VALUE_FAULT, .text = ""};
  if (!json_object_is_type(error, json_type_string))
    return;
  size_t len = (size_t)json_object_get_string_len(error);
  if (len > max)
    return;
  memcpy(room, json_object_get_string(error), len);
  value->text = room;
  value->text_len = len;
}

bool nested_read_fault(const char *text, size_t len, char *room,
                       struct value *value) {
  struct json_tokener *tokener = json_tokener_new_ex(REPLY_MAX_DEPTH);
  if (!tokener)
    return false;
  int saved_errno = errno;
  json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
  /* json-c loses a member that it has no memory for, and does not say so */
  errno = 0;
  struct json_object *object = json_tokener_parse_ex(tokener, text, (int)len);
  bool has_memory = errno != ENOMEM;
  errno = saved_errno;
  if (has_memory && json_object_is_type(object, json_type_object))
    take_fault(object, len, room, value);
  json_object_put(object);
  json_tokener_free(tokener);
  return has_memory;
}
