/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/kept_sums.h"

#include <string.h>
#include <strings.h>

static bool has_word(const char *name, size_t len, const char *word) {
  size_t word_len = strlen(word);
  for (size_t i = 0; i + word_len <= len; i++)
    if (strncasecmp(name + i, word, word_len) == 0)
      return true;
  return false;
}

/* KEPT_SUMS: none. */
static enum kept_sum sum_of(const char *name, size_t len) {
  if (has_word(name, len, "expir") ||
      (len > 4 && strncasecmp(name, "EXP.", 4) == 0))
    return KEPT_EXPIRED;
  if (has_word(name, len, "dlq") || has_word(name, len, "dead"))
    return KEPT_DEAD_LETTERS;
  return KEPT_SUMS;
}

static const struct value *count_of(const struct plan_item *item,
                                    const struct row *row) {
  for (size_t i = item->n_lead; i < item->n; i++)
    if (strcmp(item->attributes[i]->name, "MessageCount") == 0)
      return &row->columns[i];
  return NULL;
}

void kept_sums_add(struct kept_sums *kept, const char *name, size_t len,
                   const struct plan_item *item, const struct row *row) {
  enum kept_sum sum = sum_of(name, len);
  const struct value *count = count_of(item, row);
  int64_t total;
  if (sum == KEPT_SUMS || count == NULL || count->type != VALUE_INT ||
      __builtin_add_overflow(kept->messages[sum], count->integer, &total))
    return;
  kept->has[sum] = true;
  kept->messages[sum] = total;
}

const struct attribute *kept_sums_attribute(enum kept_sum sum) {
  size_t n;
  const struct attribute *table = attributes(&n);
  for (size_t i = 0; i < n; i++)
    if (table[i].is_sum && sum-- == 0)
      return &table[i];
  return NULL;
}

void kept_sums_dispatch(const struct kept_sums *kept, struct values *values) {
  for (unsigned sum = 0; sum < KEPT_SUMS; sum++) {
    const struct attribute *attribute = kept_sums_attribute(sum);
    const struct value value = {.type = VALUE_INT,
                                .integer = kept->messages[sum]};
    if (kept->has[sum] && attribute != NULL)
      (void)values_dispatch(values, object_name(OBJECT_BROKER), &attribute,
                            &value, 1);
  }
}
