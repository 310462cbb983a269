/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static struct json_object *parse(const char *body, size_t len) {
  struct json_tokener *tokener = json_tokener_new();
  struct json_object *root = json_tokener_parse_ex(tokener, body, (int)len);

  if (root != NULL && json_tokener_get_error(tokener) != json_tokener_success) {
    json_object_put(root);
    root = NULL;
  }
  json_tokener_free(tokener);
  return root;
}

static const char *word_of(struct json_object *operation, const char *key) {
  struct json_object *value;

  if (!json_object_is_type(operation, json_type_object) ||
      !json_object_object_get_ex(operation, key, &value) ||
      !json_object_is_type(value, json_type_string))
    return "?";
  return json_object_get_string(value);
}

static void add_word(struct text *ret, struct json_object *operation) {
  const char *type = word_of(operation, "type");
  const char *name = word_of(operation, "operation");

  text_addz(ret, " ");
  for (size_t i = 0; type[i] != '\0'; i++)
    text_add(ret, type[i] > ' ' ? &type[i] : "?", 1);
  if (strcmp(type, "exec") != 0)
    return;
  text_addz(ret, ":");
  for (size_t i = 0; name[i] != '\0' && name[i] != '('; i++)
    text_add(ret, name[i] > ' ' ? &name[i] : "?", 1);
}

void reply_operations(const char *body, size_t len, struct text *ret) {
  struct json_object *root = parse(body, len);
  size_t n = json_object_is_type(root, json_type_array)
                 ? json_object_array_length(root)
                 : 0;

  if (json_object_is_type(root, json_type_object)) {
    text_addz(ret, "1");
    add_word(ret, root);
  } else {
    text_number(ret, (int64_t)n);
    for (size_t i = 0; i < n; i++)
      add_word(ret, json_object_array_get_idx(root, i));
  }
  json_object_put(root);
}

/* What makes Jolokia refuse a whole bulk before any of it runs. */
static bool refuse_item(struct text *out, const struct broker *broker,
                        struct json_object *operation) {
  const char *type = word_of(operation, "type");
  const char *mbean = word_of(operation, "mbean");
  struct name name;
  bool is_name;

  if (!json_object_is_type(operation, json_type_object)) {
    item_error(out, broker, NULL, 400, "java.lang.IllegalArgumentException",
               "Not a request within the array");
    return true;
  }
  if (strcmp(type, "version") == 0 || strcmp(type, "list") == 0)
    return false;
  if (strcmp(type, "read") != 0 && strcmp(type, "exec") != 0 &&
      strcmp(type, "search") != 0 && strcmp(type, "write") != 0) {
    item_error(out, broker, NULL, broker->is_jolokia2 ? 500 : 400,
               broker->is_jolokia2 ? "java.lang.UnsupportedOperationException"
                                   : "java.lang.IllegalArgumentException",
               "Unknown or missing type");
    return true;
  }
  is_name = name_parse(&name, mbean);
  name_free(&name);
  if (!is_name)
    item_error(out, broker, NULL, 400, "java.lang.IllegalArgumentException",
               "Invalid object name. Domain part must be specified");
  return !is_name;
}

static void build_array(struct text *out, const struct broker *broker,
                        struct node *node, struct json_object *root) {
  const struct hazards *hazards = &node->hazards;
  size_t n = json_object_array_length(root);
  size_t reads = 0, last = 0;
  bool lone = hazards->on[H_LONE_OBJECT] && n > 0;

  for (size_t i = 0; i < n; i++)
    if (refuse_item(out, broker, json_object_array_get_idx(root, i)))
      return;
  if (hazards->on[H_TOO_FEW] && n > 0)
    n--;
  if (lone)
    n = 1;
  text_addz(out, lone ? "" : "[");
  for (size_t i = 0; i < n; i++) {
    struct json_object *operation = json_object_array_get_idx(root, i);

    if (i > 0)
      text_addz(out, ",");
    last = out->len;
    if (hazards->on[H_DENIED_READ] && hazards->value[H_DENIED_READ] > 0 &&
        strcmp(word_of(operation, "type"), "read") == 0 &&
        ++reads % (size_t)hazards->value[H_DENIED_READ] == 0)
      item_error(out, broker, operation, 403, "java.lang.Exception",
                 "User not authorized to access attribute");
    else
      item_build(out, broker, node, operation);
    if (i == 0 && hazards->on[H_BIG]) {
      out->len--;
      text_addz(out, ",\"padding\":\"");
      for (int64_t k = 0; k < hazards->value[H_BIG]; k++)
        text_add(out, "x", 1);
      text_addz(out, "\"}");
    }
  }
  if (hazards->on[H_TOO_MANY] && n > 0) {
    char *copy = strdup(out->bytes + last);

    text_addz(out, ",");
    text_addz(out, copy);
    free(copy);
  }
  text_addz(out, lone ? "" : "]");
}

void reply_build(struct text *out, const struct broker *broker,
                 struct node *node, const char *body, size_t len) {
  struct json_object *root = parse(body, len);

  if (json_object_is_type(root, json_type_array))
    build_array(out, broker, node, root);
  else if (json_object_is_type(root, json_type_object) &&
           !refuse_item(out, broker, root))
    item_build(out, broker, node, root);
  else if (root == NULL && broker->is_jolokia2)
    item_error(out, broker, NULL, 500, "java.lang.IllegalStateException",
               "Bad parser state");
  else if (root == NULL)
    item_error(out, broker, NULL, 400, "java.lang.IllegalArgumentException",
               "Invalid JSON request");
  json_object_put(root);
  node->tick++;
}
