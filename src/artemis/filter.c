/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/filter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define UUID_LEN 36
#define NAME_MAX_BYTES (16u << 20) /* the largest MaxObjectBytes */

void filter_init(struct filter *filter) {
  memset(filter, 0, sizeof *filter);
  buf_init(&filter->scratch, NAME_MAX_BYTES);
}

enum status filter_add(struct filter_list *list, const char *const *texts,
                       size_t n) {
  if (n == 0)
    return STATUS_OK;
  list->patterns = calloc(n, sizeof *list->patterns);
  if (list->patterns == NULL)
    return STATUS_NO_MEMORY;
  list->n = n;
  for (size_t i = 0; i < n; i++) {
    struct filter_pattern *pattern = &list->patterns[i];
    pattern->text = strdup(texts[i]);
    if (pattern->text == NULL)
      return STATUS_NO_MEMORY;
    pattern->len = strlen(pattern->text);
    pattern->is_plain = strpbrk(pattern->text, "*?[\\") == NULL;
  }
  return STATUS_OK;
}

static void list_fini(struct filter_list *list) {
  for (size_t i = 0; i < list->n; i++)
    free(list->patterns[i].text);
  free(list->patterns);
}

void filter_fini(struct filter *filter) {
  list_fini(&filter->include);
  list_fini(&filter->exclude);
  list_fini(&filter->keep);
  buf_fini(&filter->scratch);
  filter_init(filter);
}

static bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
         (c >= 'A' && c <= 'F');
}

static bool is_uuid(const char *text) {
  for (size_t i = 0; i < UUID_LEN; i++) {
    bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-' : !is_hex(text[i]))
      return false;
  }
  return true;
}

static bool begins(const char *name, size_t len, const char *prefix,
                   size_t prefix_len) {
  return len >= prefix_len && memcmp(name, prefix, prefix_len) == 0;
}

bool filter_is_own(const char *name, size_t len) {
  static const char internal[] = "$.artemis.internal.";
  static const char sys[] = "$sys.";
  static const char notif[] = "notif.";
  size_t notif_len = sizeof notif - 1;
  if (len == UUID_LEN && is_uuid(name))
    return true;
  if (begins(name, len, internal, sizeof internal - 1) ||
      begins(name, len, sys, sizeof sys - 1))
    return true;
  return begins(name, len, notif, notif_len) && len >= notif_len + UUID_LEN &&
         is_uuid(name + notif_len);
}

/* The name with a 0 behind it, NULL where it holds one or memory is short. */
static const char *terminated(struct filter *filter, const char *name,
                              size_t len) {
  if (memchr(name, '\0', len) != NULL)
    return NULL;
  buf_clear(&filter->scratch);
  if (buf_add(&filter->scratch, name, len) != STATUS_OK)
    return NULL;
  return buf_text(&filter->scratch);
}

static bool matches(struct filter *filter, const struct filter_list *list,
                    const char *name, size_t len) {
  const char *text = NULL;
  for (size_t i = 0; i < list->n; i++) {
    const struct filter_pattern *pattern = &list->patterns[i];
    if (pattern->is_plain) {
      if (pattern->len == len && memcmp(pattern->text, name, len) == 0)
        return true;
      continue;
    }
    if (text == NULL)
      text = terminated(filter, name, len);
    if (text == NULL)
      return false;
    if (fnmatch(pattern->text, text, 0) == 0)
      return true;
  }
  return false;
}

enum filter_verdict filter_queue(struct filter *filter, const char *name,
                                 size_t len, bool is_own) {
  if (matches(filter, &filter->keep, name, len))
    return FILTER_KEEP;
  if (is_own || filter_is_own(name, len) ||
      matches(filter, &filter->exclude, name, len))
    return FILTER_OUT;
  if (filter->include.n > 0 && !matches(filter, &filter->include, name, len))
    return FILTER_OUT;
  return FILTER_IN;
}

enum filter_verdict filter_address(struct filter *filter, const char *name,
                                   size_t len) {
  if (matches(filter, &filter->keep, name, len))
    return FILTER_KEEP;
  return filter_is_own(name, len) ? FILTER_OUT : FILTER_IN;
}
