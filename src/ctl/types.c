/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/types.h"

#include "config/file.h"

#include <stdlib.h>
#include <string.h>

#define TYPES_FILE_MAX (1 << 20) /* 5.12's has 15 KiB */

struct type {
  char name[64];
  size_t n; /* data sources, all of one kind */
  bool is_gauge;
  bool is_derive;
};

struct types {
  size_t n;
  struct type list[];
};

static const char blanks[] = " \t\r";

static size_t count(const char *text, const char *part) {
  size_t n = 0;
  for (; (text = strstr(text, part)); text++)
    n++;
  return n;
}

/* "bool    value:GAUGE:0:1": false for a comment, for data sources of several
 * kinds, or what is no such line. */
static bool parse_line(const char *line, size_t len, struct type *ret) {
  static const char gauge[] = ":GAUGE:";
  static const char derive[] = ":DERIVE:";
  char text[256];
  if (len >= sizeof(text))
    return false;
  memcpy(text, line, len);
  text[len] = '\0';
  size_t name_len = strcspn(text, blanks);
  if (name_len == 0 || name_len >= sizeof(ret->name) || text[0] == '#')
    return false;
  memcpy(ret->name, text, name_len);
  ret->name[name_len] = '\0';
  ret->n = 1 + count(text, ",");
  ret->is_gauge = count(text, gauge) == ret->n;
  ret->is_derive = count(text, derive) == ret->n;
  return ret->is_gauge || ret->is_derive;
}

static int by_name(const void *a, const void *b) {
  const struct type *left = a;
  const struct type *right = b;
  return strcmp(left->name, right->name);
}

enum status types_parse(const char *text, struct types **ret) {
  size_t lines = 1;
  for (const char *p = text; (p = strchr(p, '\n')); p++)
    lines++;
  struct types *types = malloc(sizeof(*types) + lines * sizeof(types->list[0]));
  if (!types)
    return STATUS_NO_MEMORY;
  types->n = 0;
  while (*text) {
    size_t len = strcspn(text, "\n");
    if (parse_line(text, len, &types->list[types->n]))
      types->n++;
    text += len + (text[len] == '\n');
  }
  qsort(types->list, types->n, sizeof(types->list[0]), by_name);
  *ret = types;
  return STATUS_OK;
}

enum status types_read(const char *path, struct types **ret,
                       struct error *error) {
  struct file_text file;
  struct error why;
  enum status status = file_read(path, TYPES_FILE_MAX, &file, &why);
  if (status)
    return error_set(error, status,
                     "%.256s: %.128s; bool values are sent as gauge (name "
                     "collectd's types.db with --types-db)",
                     path, why.text);
  status = types_parse(file.bytes, ret);
  file_fini(&file);
  return status ? error_set(error, status, "no memory for types.db") : status;
}

void types_free(struct types *types) { free(types); }

const char *types_find(const struct types *types, const char *type,
                       bool is_derive, size_t n) {
  bool is_bool = strcmp(type, "bool") == 0;
  if (!types)
    return is_bool ? "gauge" : type;
  struct type key = {.name = ""};
  size_t len = strlen(type);
  if (len >= sizeof(key.name))
    return NULL;
  memcpy(key.name, type, len + 1);
  const struct type *found =
      bsearch(&key, types->list, types->n, sizeof(key), by_name);
  if (!found)
    return is_bool ? "gauge" : NULL;
  if (found->n != n)
    return NULL;
  return (is_derive ? found->is_derive : found->is_gauge) ? type : NULL;
}
