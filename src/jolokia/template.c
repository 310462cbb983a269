/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/template.h"

void template_forget(struct row_template *template) {
  template->n = 0;
  template->is_changed = false;
}

static void make_run(struct row_template *template, size_t i) {
  struct template_member *member = &template->members[i];
  bool is_last = i + 1 == template->n;
  member->run = member->len;
  member->next = (uint8_t)i;
  member->wanted = TEMPLATE_NONE;
  if (member->state != MEMBER_SAME)
    return;
  unsigned run = (unsigned)member->len + member->value_len;
  member->run = (uint16_t)(run + (is_last ? 0U : member[1].run));
  member->next = is_last ? (uint8_t) template->n : member[1].next;
  if (member->column != NO_COLUMN)
    member->wanted = (uint8_t)i;
  else if (!is_last)
    member->wanted = member[1].wanted;
}

void template_begin(struct row_template *template) {
  if (!template->is_changed)
    return;
  template->is_changed = false;
  for (size_t i = template->n; i-- > 0;)
    make_run(template, i);
}

/* Where the text of member ${i} - 1 ends. */
static size_t end_of(const struct row_template *template, size_t i) {
  if (i == 0)
    return 0;
  const struct template_member *last = &template->members[i - 1];
  return (size_t)last->at + last->len + last->value_len;
}

void template_learn(struct row_template *template, size_t i, const char *gap,
                    size_t len, int column) {
  if (i > template->n || i >= TEMPLATE_MEMBERS)
    return;
  size_t at = end_of(template, i);
  if (len > sizeof(template->text) - at)
    return;
  memcpy(template->text + at, gap, len);
  template->members[i] = (struct template_member){.at = (uint16_t)at,
                                                  .len = (uint16_t)len,
                                                  .state = MEMBER_NEW,
                                                  .column = (int16_t)column};
  template->n = i + 1;
  template->is_changed = true;
}

/* Whether it is a string, and what was read of it points into it. */
static bool is_plain(const char *text, size_t len, const struct value *value) {
  if (*text != '"' && *text != '\\')
    return false;
  uintptr_t begin = (uintptr_t)text;
  uintptr_t at = value ? (uintptr_t)value->text : begin;
  return at >= begin && at <= begin + len;
}

static void keep_first(struct row_template *template,
                       struct template_member *member, const char *text,
                       size_t len, const struct value *value) {
  size_t at = (size_t)member->at + member->len;
  member->state = MEMBER_VARIES;
  if (len > sizeof(template->text) - at || !is_plain(text, len, value))
    return;
  member->state = MEMBER_SAME;
  memcpy(template->text + at, text, len);
  member->value_len = (uint16_t)len;
  if (!value)
    return;
  member->value = *value;
  member->value_at = (uint16_t)(at + (size_t)(value->text - text));
}

void template_keep(struct row_template *template, size_t i, const char *text,
                   size_t len, const struct value *value) {
  if (!template_is_open(template, i))
    return;
  struct template_member *member = &template->members[i];
  const char *kept = template->text + member->at + member->len;
  if (member->state == MEMBER_NEW)
    keep_first(template, member, text, len, value);
  else if (len == member->value_len && memcmp(kept, text, len) == 0)
    return;
  else
    member->state = MEMBER_VARIES;
  template->is_changed = true;
}
