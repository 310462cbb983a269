/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <stdlib.h>
#include <string.h>

/* Cuts one "key=value" off *${rest}; a comma inside quotes does not end it. */
static char *next_property(char **rest) {
  char *start = *rest;
  char *at = start;
  bool quoted = false;

  if (start == NULL)
    return NULL;
  for (; *at != '\0' && (quoted || *at != ','); at++) {
    if (quoted && *at == '\\' && at[1] != '\0')
      at++;
    else if (*at == '"')
      quoted = !quoted;
  }
  *rest = *at == ',' ? at + 1 : NULL;
  *at = '\0';
  return quoted ? NULL : start;
}

static bool has_wildcard(const char *value) {
  for (; *value != '\0'; value++) {
    if (*value == '\\' && value[1] != '\0')
      value++;
    else if (*value == '*' || *value == '?')
      return true;
  }
  return false;
}

bool name_parse(struct name *name, const char *text) {
  char *rest;
  char *property;

  *name = (struct name){.copy = strdup(text)};
  rest = strchr(name->copy, ':');
  if (rest == NULL)
    return false;
  *rest++ = '\0';
  name->domain = name->copy;
  while (rest != NULL) {
    char *equals;

    property = next_property(&rest);
    if (property == NULL)
      return false;
    if (strcmp(property, "*") == 0) {
      name->is_pattern = true;
      continue;
    }
    equals = strchr(property, '=');
    if (equals == NULL || equals == property || name->n == NAME_KEYS)
      return false;
    *equals = '\0';
    name->keys[name->n] = property;
    name->values[name->n++] = equals + 1;
    name->is_pattern = name->is_pattern || has_wildcard(equals + 1);
  }
  return name->n > 0 || name->is_pattern;
}

void name_free(struct name *name) { free(name->copy); }

const char *name_get(const struct name *name, const char *key) {
  for (size_t i = 0; i < name->n; i++)
    if (strcmp(name->keys[i], key) == 0)
      return name->values[i];
  return NULL;
}

bool name_match(const char *pattern, const char *value) {
  for (; *pattern != '\0'; pattern++, value++) {
    if (*pattern == '*') {
      do
        if (name_match(pattern + 1, value))
          return true;
      while (*value++ != '\0');
      return false;
    }
    if (*value == '\0')
      return false;
    if (*pattern == '\\' && pattern[1] != '\0') {
      if (value[0] != pattern[0] || value[1] != pattern[1])
        return false;
      pattern++;
      value++;
    } else if (*pattern != '?' && *pattern != *value) {
      return false;
    }
  }
  return *value == '\0';
}

void name_quote(struct text *out, const char *plain) {
  text_addz(out, "\"");
  for (; *plain != '\0'; plain++) {
    if (*plain == '\n') {
      text_addz(out, "\\n");
      continue;
    }
    if (strchr("\"*?\\", *plain) != NULL)
      text_addz(out, "\\");
    text_add(out, plain, 1);
  }
  text_addz(out, "\"");
}
