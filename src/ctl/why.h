/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_WHY_H
#define CTL_WHY_H

/* Why collectd does not have a series: --why of check and names. */

#include "artemis/why_mbean.h"
#include "ctl/ask.h"
#include "ctl/subject.h"

/* Which series is meant: of each node, as names are spelled there. */
struct why_subject {
  enum object object;     /* of an object name: if its domain is the broker's */
  struct names_part host; /* "": of any node */
  char plugin[16];        /* of OBJECT_MBEAN: "jmx"; "" of an object name */
  char type[SAMPLE_NAME_MAX];        /* "": any */
  const struct attribute *attribute; /* NULL of OBJECT_MBEAN, and of an object
                                        name of which it is none of ours */
  const char *value;                 /* as it was written; "": the first */
  char instance[SAMPLE_NAME_MAX];    /* of a series; "": made from ${name} */
  char *mbean;                       /* the object name; NULL: of a series */
  char *name; /* its object's, unquoted; NULL: of a series, of OBJECT_MBEAN */
  size_t name_len;
  bool is_pattern; /* ${mbean} is one of object names */
};

/* why_subject_read(text, ret, answer): a series, or a part of one; or an object
 * name or a pattern of them, with /ATTRIBUTE or without. Without an attribute
 * the first of its object is meant. False, with the reason in ${answer}, where
 * it is none of these, or a series of an attribute that is none of ours;
 * why_subject_attribute(subject, answer): likewise of an object name's, which a
 * block may read all the same. ${text} must stay. */
bool why_subject_read(const char *text, struct why_subject *ret,
                      struct why_answer *answer);
bool why_subject_attribute(struct why_subject *subject,
                           struct why_answer *answer);
void why_subject_fini(struct why_subject *subject);

/* why_ask(ask, i, why), why_ask_mbean(): asks node ${i} until there is an
 * answer. */
void why_ask(struct ask *ask, size_t i, struct why *why);
void why_ask_mbean(struct ask *ask, size_t i, struct why_mbean *why);

/* why_ask_names(ask, i, pattern, ret, error): the MBeans of a pattern: how many
 * there are, and the first. Ends with why_names_fini(). */
#define WHY_NAMES 5
struct why_names {
  char *names[WHY_NAMES];
  size_t n;
  uint64_t total;
};
void why_ask_names(struct ask *ask, size_t i, const char *pattern,
                   struct why_names *ret, struct error *error);
void why_names_fini(struct why_names *names);

/* why_tell_json(out, told, answer), why_tell_text(): what came of it. */
struct why_told {
  const struct node_settings *node; /* NULL: of no node */
  const char *series;               /* as it was asked for */
  const char *source;               /* the set or block that it is of, or "" */
  const char *unit;                 /* "" where there is no value */
  uint64_t requests;
};
void why_tell_json(struct buf *out, const struct why_told *told,
                   const struct why_answer *answer);
void why_tell_text(struct buf *out, const struct why_told *told,
                   const struct why_answer *answer);

/* why_main(ctl): the exit code: 0 where a node has it and nothing keeps it from
 * collectd, else 1. */
int why_main(const struct ctl *ctl);

#endif
