/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/request.h"

#include "base/text.h"
#include "jolokia/objectname.h"

#include <inttypes.h>
#include <string.h>

static const char *const type_names[] = {
    [OPERATION_READ] = "read", [OPERATION_WRITE] = "write",
    [OPERATION_EXEC] = "exec", [OPERATION_SEARCH] = "search",
    [OPERATION_LIST] = "list", [OPERATION_VERSION] = "version",
};

static bool is_utf8(const char *text) {
  size_t len = strlen(text);
  return text_utf8_length(text, len) == len;
}

static enum status refuse(const struct operation *operation,
                          struct error *error, const char *why) {
  return error_set(error, STATUS_INVALID, "%s of \"%.200s\": %s",
                   type_names[operation->type],
                   operation->mbean ? operation->mbean : "", why);
}

static enum status check_mbean(const struct operation *operation,
                               struct error *error) {
  struct objectname name;
  if (!operation->mbean || !*operation->mbean)
    return refuse(operation, error,
                  "no MBean is named, which some agents read as all of them; "
                  "name one");
  if (!is_utf8(operation->mbean))
    return refuse(operation, error, "the MBean's name is no UTF-8; mend it");
  enum status status = objectname_parse(operation->mbean,
                                        strlen(operation->mbean), &name, error);
  if (status)
    return status;
  if (name.is_pattern &&
      (operation->type == OPERATION_EXEC || operation->type == OPERATION_WRITE))
    return refuse(operation, error,
                  "the name is a pattern, and some agents would run this on "
                  "every match; quote * and ? in it");
  if (name.is_pattern && operation->type == OPERATION_LIST)
    return refuse(operation, error,
                  "the name is a pattern, of which nothing is listed; name one "
                  "MBean");
  if (name.is_pattern && operation->is_all)
    return refuse(operation, error,
                  "all attributes of a pattern cost the JVM too much; name the "
                  "attributes or the MBean");
  return STATUS_OK;
}

static enum status check_attributes(const struct operation *operation,
                                    struct error *error) {
  if (operation->is_all && operation->n_attributes == 0)
    return STATUS_OK;
  if (operation->n_attributes == 0)
    return refuse(operation, error,
                  "no attribute is named, which agents read as all of them; "
                  "name each");
  if (operation->type == OPERATION_WRITE && operation->n_attributes != 1)
    return refuse(operation, error,
                  "a write sets one attribute; use an operation for each");
  for (size_t i = 0; i < operation->n_attributes; i++) {
    const char *attribute = operation->attributes[i];
    if (!attribute || !*attribute)
      return refuse(operation, error,
                    "an attribute's name is empty, which agents read as all "
                    "of them; name it");
    if (!is_utf8(attribute))
      return refuse(operation, error,
                    "an attribute's name is no UTF-8; mend it");
  }
  return STATUS_OK;
}

static enum status check_arguments(const struct operation *operation,
                                   struct error *error) {
  if (operation->type == OPERATION_WRITE && operation->n_arguments != 1)
    return refuse(operation, error, "a write has one value; give one");
  for (size_t i = 0; i < operation->n_arguments; i++) {
    const struct argument *argument = &operation->arguments[i];
    if (argument->type != ARGUMENT_TEXT)
      continue;
    if (!argument->text)
      return refuse(operation, error,
                    "an argument has no text; use the null argument for that");
    if (strcmp(argument->text, "[null]") == 0 ||
        strcmp(argument->text, "\"\"") == 0)
      return refuse(operation, error,
                    "an argument is spelled [null] or \"\", which newer agents "
                    "read as null or as empty; use another name");
    if (!is_utf8(argument->text))
      return refuse(operation, error, "an argument is no UTF-8; mend it");
  }
  return STATUS_OK;
}

enum status operation_check(const struct operation *operation,
                            struct error *error) {
  enum status status = STATUS_OK;
  if (operation->type == OPERATION_VERSION)
    return STATUS_OK;
  status = check_mbean(operation, error);
  if (status || operation->type == OPERATION_SEARCH ||
      operation->type == OPERATION_LIST)
    return status;
  if (operation->type == OPERATION_EXEC) {
    if (!operation->name || !*operation->name || *operation->name == '(')
      return refuse(operation, error,
                    "no operation is named; name it with its signature");
    if (!is_utf8(operation->name))
      return refuse(operation, error,
                    "the operation's name is no UTF-8; mend it");
    return check_arguments(operation, error);
  }
  status = check_attributes(operation, error);
  if (!status && operation->type == OPERATION_WRITE)
    status = check_arguments(operation, error);
  return status;
}

static bool has_prefix(const char *text, size_t len, const char *prefix) {
  size_t prefix_len = strlen(prefix);
  return len >= prefix_len && memcmp(text, prefix, prefix_len) == 0;
}

/* "list" and "listQueues" begin with the word "list", "listen" does not. */
static bool has_word(const char *text, size_t len, const char *word) {
  size_t word_len = strlen(word);
  return has_prefix(text, len, word) &&
         (len == word_len || (text[word_len] >= 'A' && text[word_len] <= 'Z'));
}

static bool is_known_read(const char *name) {
  static const char as_json[] = "AsJSON";
  const size_t as_json_len = sizeof(as_json) - 1;
  size_t len = strcspn(name, "(");
  if (has_word(name, len, "list") || has_word(name, len, "browse") ||
      has_word(name, len, "count"))
    return true;
  if (has_word(name, len, "get") && len > as_json_len)
    return memcmp(name + len - as_json_len, as_json, as_json_len) == 0;
  return len == strlen("canInvoke") && has_prefix(name, len, "canInvoke");
}

bool operation_is_change(const struct operation *operation) {
  if (operation->type == OPERATION_WRITE)
    return true;
  return operation->type == OPERATION_EXEC && !is_known_read(operation->name);
}

static void add_text(struct buf *out, const char *text) {
  text_add_json(out, text, strlen(text));
}

static void add_argument(struct buf *out, const struct argument *argument) {
  switch (argument->type) {
  case ARGUMENT_TEXT:
    add_text(out, argument->text);
    break;
  case ARGUMENT_NULL:
    buf_add_text(out, "null");
    break;
  case ARGUMENT_INT:
    buf_printf(out, "%" PRId64, argument->integer);
    break;
  case ARGUMENT_BOOL:
    buf_add_text(out, argument->integer ? "true" : "false");
    break;
  }
}

static void add_attributes(struct buf *out, const struct operation *operation) {
  for (size_t i = 0; i < operation->n_attributes; i++) {
    buf_add_text(out, i ? "," : "");
    add_text(out, operation->attributes[i]);
  }
}

enum status request_list_path(struct buf *out, const char *mbean) {
  size_t domain = strcspn(mbean, ":");
  buf_clear(out);
  for (size_t i = 0; mbean[i]; i++) {
    if (mbean[i] == '!' || mbean[i] == '/')
      buf_add_text(out, "!");
    buf_add(out, i == domain ? "/" : mbean + i, 1);
  }
  return buf_add_text(out, "/attr");
}

static void add_operation(struct buf *out, const struct operation *operation) {
  buf_printf(out, "{\"type\":\"%s\"", type_names[operation->type]);
  if (operation->type == OPERATION_LIST) {
    buf_add_text(out, ",\"path\":");
    add_text(out, operation->name);
  } else if (operation->type != OPERATION_VERSION) {
    buf_add_text(out, ",\"mbean\":");
    add_text(out, operation->mbean);
  }
  if (operation->type == OPERATION_READ && !operation->is_all) {
    buf_add_text(out, ",\"attribute\":[");
    add_attributes(out, operation);
    buf_add_text(out, "]");
  } else if (operation->type == OPERATION_WRITE) {
    buf_add_text(out, ",\"attribute\":");
    add_attributes(out, operation);
    buf_add_text(out, ",\"value\":");
    add_argument(out, &operation->arguments[0]);
  } else if (operation->type == OPERATION_EXEC) {
    buf_add_text(out, ",\"operation\":");
    add_text(out, operation->name);
    buf_add_text(out, ",\"arguments\":[");
    for (size_t i = 0; i < operation->n_arguments; i++) {
      buf_add_text(out, i ? "," : "");
      add_argument(out, &operation->arguments[i]);
    }
    buf_add_text(out, "]");
  }
  buf_add_text(out, ",\"config\":{\"includeRequest\":false,"
                    "\"includeStackTrace\":false");
  if (operation->type == OPERATION_READ)
    buf_add_text(out, ",\"ignoreErrors\":true");
  buf_add_text(out, "}}");
}

enum status request_build(struct buf *out, const struct operation *operations,
                          size_t n, struct error *error) {
  struct error why;
  buf_clear(out);
  for (size_t i = 0; i < n; i++) {
    if (operation_check(&operations[i], &why))
      return error_set(error, STATUS_INVALID, "operation %zu of %zu: %s", i + 1,
                       n, why.text);
  }
  for (size_t i = 0; i < n; i++) {
    buf_add_text(out, i ? "," : "[");
    add_operation(out, &operations[i]);
  }
  enum status status = buf_add_text(out, "]");
  if (!status)
    return STATUS_OK;
  buf_clear(out);
  if (status == STATUS_NO_MEMORY)
    return error_set(error, status, "no memory for a request's body");
  return error_set(error, status,
                   "a request of %zu operations would be longer than %zu "
                   "bytes; raise MaxRequestBytes",
                   n, out->max);
}
