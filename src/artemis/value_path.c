/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/value_path.h"

#include "base/text.h"
#include "jolokia/members.h"

#include <stdlib.h>
#include <string.h>

/* Takes the next name off ${*text}, unescaped, to ${*out}. */
static const char *take_name(const char **text, char **out, bool *ret_is_star) {
  const char *at = *text;
  char *to = *out;
  *ret_is_star = at[0] == '*' && (at[1] == '/' || at[1] == '\0');
  for (; *at && *at != '/'; at++) {
    if (*at == '!' && strchr("!/*", at[1] ? at[1] : 'x') == NULL)
      return "has a '!' that escapes nothing; write \"!!\" for the character";
    at += *at == '!';
    *to++ = *at;
  }
  if (to == *out)
    return "has an empty name; write NAME or NAME/KEY, and \"!/\" for a slash "
           "in a name";
  *to++ = '\0';
  *out = to;
  *text = *at == '/' ? at + 1 : NULL;
  return NULL;
}

static const char *take_names(struct value_path *path, const char *text) {
  char *out = path->attribute;
  bool is_star;
  const char *reason = take_name(&text, &out, &is_star);
  if (!reason && is_star)
    return "has '*' in place of an attribute; name it";
  path->star = VALUE_PATH_KEYS;
  while (!reason && text) {
    if (path->n_keys == VALUE_PATH_KEYS)
      return "has too many keys; 8 are the most";
    path->keys[path->n_keys] = out;
    reason = take_name(&text, &out, &is_star);
    if (is_star && path->star < VALUE_PATH_KEYS)
      return "has more than one '*'; write one key for the others";
    if (is_star)
      path->star = path->n_keys;
    path->n_keys++;
  }
  if (path->star > path->n_keys)
    path->star = path->n_keys;
  return reason;
}

enum status value_path_parse(const char *text, struct value_path *ret,
                             struct error *error) {
  size_t len = strlen(text);
  if (len > VALUE_PATH_MAX || text_utf8_length(text, len) < len)
    return error_set(error, STATUS_INVALID, "%s",
                     len > VALUE_PATH_MAX ? "is too long; shorten it"
                                          : "is no UTF-8; write it so");
  struct value_path path = {.attribute = malloc(len + 2)};
  if (!path.attribute)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a path");
  const char *reason = take_names(&path, text);
  if (reason) {
    value_path_fini(&path);
    return error_set(error, STATUS_INVALID, "%s", reason);
  }
  *ret = path;
  return STATUS_OK;
}

void value_path_fini(struct value_path *path) {
  free(path->attribute);
  *path = (struct value_path){0};
}

static bool is_map(const struct value *value) {
  return value->type == VALUE_OTHER && value->text_len > 0 &&
         value->text[0] == '{';
}

void value_path_step(const struct value_path *path, size_t from, size_t to,
                     char *room, struct value *value) {
  for (size_t i = from; i < to; i++) {
    struct value map = *value;
    if (map.type == VALUE_ABSENT || map.type == VALUE_NULL ||
        map.type == VALUE_FAULT)
      return;
    *value = (struct value){.type = VALUE_OTHER, .text = ""};
    if (is_map(&map))
      members_find(&map, path->keys[i], strlen(path->keys[i]), room, value);
  }
}
