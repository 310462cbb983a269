/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/mbean_instance.h"

#include <stdio.h>
#include <string.h>

/* One that no object name holds unquoted, and that names.h replaces. */
#define ODD_JOINT "\x1f"

/* The next "%{KEY}" of ${text}: *${ret_key}, *${ret_len}; returns where it
 * begins, or NULL: there is none, or (*${ret_key} is NULL, too) it has no end.
 */
static const char *next_key(const char *text, const char **ret_key,
                            size_t *ret_len) {
  const char *at = strstr(text, "%{");
  const char *end = at ? strchr(at, '}') : NULL;
  *ret_key = end ? at + 2 : NULL;
  *ret_len = end ? (size_t)(end - at) - 2 : 0;
  return at;
}

static const struct objectname_property *find(const struct objectname *name,
                                              const char *key, size_t len) {
  for (size_t i = 0; i < name->n_properties; i++)
    if (name->properties[i].key.len == len &&
        memcmp(name->properties[i].key.text, key, len) == 0)
      return &name->properties[i];
  return NULL;
}

enum status instance_check(const char *pattern, const char *text,
                           struct error *error) {
  struct objectname name;
  enum status status = objectname_parse(pattern, strlen(pattern), &name, error);
  const char *key;
  size_t len;
  if (status)
    return status;
  while ((text = next_key(text, &key, &len))) {
    if (!key)
      return error_set(error, STATUS_INVALID,
                       "has a \"%%{\" without a '}'; write \"%%{KEY}\"");
    if (!name.is_list_pattern && !find(&name, key, len))
      return error_set(error, STATUS_INVALID,
                       "%%{%.*s}: the MBean's name has no such key; write one "
                       "of its keys",
                       (int)len, key);
    text = key + len;
  }
  return STATUS_OK;
}

static bool names_key(const char *text, const struct objectname_slice *wanted) {
  const char *key;
  size_t len;
  while ((text = next_key(text, &key, &len)) && key) {
    if (len == wanted->len && memcmp(key, wanted->text, len) == 0)
      return true;
    text = key + len;
  }
  return false;
}

/* Whether it has a key that only ",*" stands for. */
static bool names_other_key(const char *text,
                            const struct objectname *pattern) {
  const char *key;
  size_t len;
  while ((text = next_key(text, &key, &len)) && key) {
    if (!find(pattern, key, len))
      return true;
    text = key + len;
  }
  return false;
}

enum status instance_check_apart(const char *pattern, const char *text,
                                 struct error *error) {
  struct objectname name;
  enum status status = objectname_parse(pattern, strlen(pattern), &name, error);
  bool is_apart = !status && (!name.is_pattern || names_other_key(text, &name));
  for (size_t i = 0; !status && i < name.n_properties; i++) {
    const struct objectname_property *property = &name.properties[i];
    if (!property->is_pattern)
      continue;
    is_apart = true;
    if (!names_key(text, &property->key))
      return error_set(error, STATUS_INVALID,
                       "leaves out %%{%.*s}, so that MBeans of the pattern may "
                       "share their series, and all but one be left out; add "
                       "it, or write its value in the pattern",
                       (int)property->key.len, property->key.text);
  }
  if (status || is_apart)
    return status;
  return error_set(
      error, STATUS_INVALID,
      "is the same for all MBeans of the pattern, so that they may "
      "share their series, and all but one be left out; leave it "
      "out, or add a key that tells them apart");
}

/* Appends the plain value of a property. */
static bool add_value(struct buf *out,
                      const struct objectname_property *property) {
  size_t at = out->len;
  size_t len = 0;
  if (!property || buf_add(out, property->value.text, property->value.len) ||
      buf_add(out, "", 1))
    return false;
  if (objectname_unquote(property, out->data + at, out->len - at, &len))
    return false;
  out->len = at + len;
  return true;
}

static bool expand(struct buf *out, const char *text,
                   const struct objectname *name) {
  const char *key;
  size_t len;
  const char *at;
  while ((at = next_key(text, &key, &len)) && key) {
    if (buf_add(out, text, (size_t)(at - text)) ||
        !add_value(out, find(name, key, len)))
      return false;
    text = key + len + 1;
  }
  return buf_add_text(out, text) == STATUS_OK;
}

/* What tells the MBeans of a pattern apart, in one order for all of them. */
struct parts {
  const struct objectname_property *list[OBJECTNAME_MAX_KEYS];
  size_t n;
};

static bool is_before(const struct objectname_slice *a,
                      const struct objectname_slice *b) {
  size_t len = a->len < b->len ? a->len : b->len;
  int order = memcmp(a->text, b->text, len);
  return order < 0 || (order == 0 && a->len < b->len);
}

static void add_sorted(struct parts *parts, size_t first,
                       const struct objectname_property *property) {
  size_t i = parts->n++;
  for (; i > first && is_before(&property->key, &parts->list[i - 1]->key); i--)
    parts->list[i] = parts->list[i - 1];
  parts->list[i] = property;
}

static bool find_parts(const struct objectname *pattern,
                       const struct objectname *name, struct parts *ret) {
  ret->n = 0;
  for (size_t i = 0; i < pattern->n_properties; i++) {
    const struct objectname_property *property = &pattern->properties[i];
    if (pattern->is_pattern && !property->is_pattern)
      continue;
    ret->list[ret->n] = find(name, property->key.text, property->key.len);
    if (!ret->list[ret->n++])
      return false;
  }
  size_t first = ret->n;
  for (size_t i = 0; i < name->n_properties && pattern->is_list_pattern; i++) {
    const struct objectname_property *property = &name->properties[i];
    if (!find(pattern, property->key.text, property->key.len))
      add_sorted(ret, first, property);
  }
  return true;
}

static bool join(struct buf *out, const struct objectname *pattern,
                 const struct objectname *name, const char *joint) {
  struct parts parts;
  bool has_domain = memchr(pattern->domain.text, '*', pattern->domain.len) ||
                    memchr(pattern->domain.text, '?', pattern->domain.len);
  buf_clear(out);
  if (!find_parts(pattern, name, &parts) ||
      (has_domain && buf_add(out, name->domain.text, name->domain.len)))
    return false;
  bool is_odd = has_domain && memchr(out->data ? out->data : "", '-', out->len);
  for (size_t i = 0; i < parts.n; i++) {
    if ((i > 0 || has_domain) && buf_add_text(out, joint))
      return false;
    size_t at = out->len;
    if (!add_value(out, parts.list[i]))
      return false;
    is_odd |= memchr(out->data + at, '-', out->len - at) != NULL;
  }
  if (is_odd && parts.n + has_domain > 1 && strcmp(joint, ODD_JOINT) != 0)
    return join(out, pattern, name, ODD_JOINT);
  return true;
}

bool instance_write(const struct objectname *pattern,
                    enum names_alphabet alphabet, const char *prefix,
                    const char *text, const struct objectname *name,
                    struct buf *scratch, char *dst, size_t size) {
  buf_clear(scratch);
  if (!text && !pattern->is_pattern && prefix) {
    snprintf(dst, size, "%s", prefix);
    return true;
  }
  bool is_made =
      text ? expand(scratch, text, name) : join(scratch, pattern, name, "-");
  return is_made && names_instance(dst, size, alphabet, prefix ? prefix : "",
                                   buf_text(scratch), scratch->len) > 0;
}
