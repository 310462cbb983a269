/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/filter.h"

#include <stdlib.h>
#include <string.h>

#define UUID_LEN 36
#define NAME_MAX_BYTES (16u << 20) /* the largest MaxObjectBytes */

static enum status add(struct filter_list *list, const char *const *texts,
                       size_t n) {
  if (n == 0)
    return STATUS_OK;
  list->patterns = calloc(n, sizeof *list->patterns);
  if (list->patterns == NULL)
    return STATUS_NO_MEMORY;
  for (; list->n < n; list->n++)
    if (pattern_init(&list->patterns[list->n], texts[list->n]) != STATUS_OK)
      return STATUS_NO_MEMORY;
  return STATUS_OK;
}

enum status filter_init(struct filter *filter,
                        const struct filter_texts *texts) {
  memset(filter, 0, sizeof *filter);
  buf_init(&filter->scratch, NAME_MAX_BYTES);
  if (add(&filter->include, texts->include, texts->n_include) != STATUS_OK ||
      add(&filter->exclude, texts->exclude, texts->n_exclude) != STATUS_OK ||
      add(&filter->keep, texts->keep, texts->n_keep) != STATUS_OK)
    return STATUS_NO_MEMORY;
  return STATUS_OK;
}

static void list_fini(struct filter_list *list) {
  for (size_t i = 0; i < list->n; i++)
    pattern_fini(&list->patterns[i]);
  free(list->patterns);
  *list = (struct filter_list){NULL, 0};
}

void filter_fini(struct filter *filter) {
  list_fini(&filter->include);
  list_fini(&filter->exclude);
  list_fini(&filter->keep);
  buf_fini(&filter->scratch);
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

struct prefix {
  const char *text;
  size_t len;
};
#define PREFIX(text)                                                           \
  { text, sizeof text - 1 }

static bool begins(const char *name, size_t len, const struct prefix *prefix) {
  return len >= prefix->len && memcmp(name, prefix->text, prefix->len) == 0;
}

bool filter_is_own(const char *name, size_t len) {
  static const struct prefix internal[] = {PREFIX("$.artemis.internal."),
                                           PREFIX("$sys."),
                                           PREFIX("ActiveMQ.Advisory.")};
  static const struct prefix temporary[] = {
      PREFIX(""), PREFIX("jms.tempqueue."), PREFIX("jms.temptopic.")};
  static const struct prefix notif = PREFIX("notif.");
  for (size_t i = 0; i < sizeof internal / sizeof internal[0]; i++)
    if (begins(name, len, &internal[i]))
      return true;
  for (size_t i = 0; i < sizeof temporary / sizeof temporary[0]; i++)
    if (len == temporary[i].len + UUID_LEN &&
        begins(name, len, &temporary[i]) && is_uuid(name + temporary[i].len))
      return true;
  return len >= notif.len + UUID_LEN && begins(name, len, &notif) &&
         is_uuid(name + notif.len);
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

/* ${text} as terminated() gave it; made once a name, and only where it is
 * needed: a scrape of 10,000 queues compares plain patterns alone, mostly. */
static bool matches(struct filter *filter, const struct filter_list *list,
                    const char *name, size_t len, size_t *ret) {
  const char *text = NULL;
  for (size_t i = 0; i < list->n; i++) {
    const struct pattern *pattern = &list->patterns[i];
    if (pattern->form != PATTERN_PLAIN && text == NULL)
      text = terminated(filter, name, len);
    if (pattern->form != PATTERN_PLAIN && text == NULL)
      return false;
    if (pattern_matches(pattern, text != NULL ? text : name, len)) {
      *ret = i;
      return true;
    }
  }
  return false;
}

struct filter_judgement filter_judge(struct filter *filter, const char *name,
                                     size_t len, bool is_own) {
  struct filter_judgement out = {.verdict = FILTER_OUT};
  if (matches(filter, &filter->keep, name, len, &out.pattern)) {
    out.verdict = FILTER_KEEP;
    out.rule = FILTER_BY_KEEP;
  } else if (is_own) {
    out.rule = FILTER_BY_BROKER;
  } else if (!filter->takes_own && filter_is_own(name, len)) {
    out.rule = FILTER_BY_NAME;
  } else if (matches(filter, &filter->exclude, name, len, &out.pattern)) {
    out.rule = FILTER_BY_EXCLUDE;
  } else if (filter->include.n == 0) {
    out.verdict = FILTER_IN;
  } else {
    out.rule = FILTER_BY_INCLUDE;
    if (matches(filter, &filter->include, name, len, &out.pattern))
      out.verdict = FILTER_IN;
  }
  return out;
}
