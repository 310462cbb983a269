/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_TEMPLATE_H
#define JOLOKIA_TEMPLATE_H

/* What the rows of a reply have in common. Private to the reader of replies.
 *
 * They have the same keys in the same order, and many of their values are the
 * same strings in each. So the text of the last row is kept: the gaps between
 * the values, and the strings. Where the next row has the same bytes, it is
 * skipped from one value that is to be read to the next in one comparison (a
 * run): the same bytes, read from the same place, tell the same. A value that
 * differed once is read from then on. */

#include "jolokia/reply.h"

#include <string.h>

#define TEMPLATE_MEMBERS 64
#define TEMPLATE_BYTES 2048 /* a row of 2.40.0 has 34 members, 880 bytes */
#define TEMPLATE_NONE UINT8_MAX
#define NO_COLUMN (-1) /* of a key that is not wanted */

enum member_state {
  MEMBER_NEW,   /* its value was not seen yet */
  MEMBER_SAME,  /* its value is kept */
  MEMBER_VARIES /* its value is to be read */
};

struct template_member {
  enum member_state state;
  int16_t column;
  uint16_t at;        /* where its gap is in the text */
  uint16_t len;       /* of the gap */
  uint16_t value_len; /* of the string behind it; 0: none was kept */
  uint16_t value_at;  /* where what ${value} points to is in the text */
  struct value value; /* where it is wanted */
  uint16_t run;       /* bytes from its gap on, up to the next value to read */
  uint8_t next;       /* the member whose value that is; ${n}: none is left */
  uint8_t wanted;     /* the run's first member that is, or TEMPLATE_NONE */
};

struct row_template {
  struct template_member members[TEMPLATE_MEMBERS];
  size_t n;
  bool is_changed; /* the runs are to be made anew */
  char text[TEMPLATE_BYTES];
};

/* template_forget(template): nothing is known. */
void template_forget(struct row_template *template);

/* template_begin(template): a row begins. */
void template_begin(struct row_template *template);

/* template_learn(template, i, gap, len, column): the gap before member ${i} is
 * that from now on; later ones are forgotten. */
void template_learn(struct row_template *template, size_t i, const char *gap,
                    size_t len, int column);

/* template_keep(template, i, text, len, value): what stands behind the gap of
 * member ${i} up to the next: a value and space. ${value}: what was read of it,
 * NULL if it is not wanted. Only plain strings are kept. */
void template_keep(struct row_template *template, size_t i, const char *text,
                   size_t len, const struct value *value);

/* template_is_open(template, i): template_keep() has a use for it. */
static inline bool template_is_open(const struct row_template *template,
                                    size_t i) {
  return i < template->n && template->members[i].state != MEMBER_VARIES;
}

/* template_take(template, i, p, values): the run of member ${i} is at ${p}: the
 * values in it. */
static inline void template_take(const struct row_template *template, size_t i,
                                 const char *p, struct value *values) {
  const struct template_member *members = template->members;
  for (size_t k = members[i].wanted; k != TEMPLATE_NONE;
       k = k + 1 < template->n ? members[k + 1].wanted : TEMPLATE_NONE) {
    struct value *value = &values[members[k].column];
    *value = members[k].value;
    value->text = p + (members[k].value_at - members[i].at);
  }
}

/* template_run(template, i, p, end): the member ${i} if the text at ${p} is its
 * run, else NULL. template_gap(): likewise for its gap alone. */
static inline const struct template_member *
template_run(const struct row_template *template, size_t i, const char *p,
             const char *end) {
  if (i >= template->n)
    return NULL;
  const struct template_member *member = &template->members[i];
  bool is_same = end - p >= member->run &&
                 memcmp(p, template->text + member->at, member->run) == 0;
  return is_same ? member : NULL;
}

static inline const struct template_member *
template_gap(const struct row_template *template, size_t i, const char *p,
             const char *end) {
  if (i >= template->n)
    return NULL;
  const struct template_member *member = &template->members[i];
  bool is_same = end - p >= member->len &&
                 memcmp(p, template->text + member->at, member->len) == 0;
  return is_same ? member : NULL;
}

#endif
