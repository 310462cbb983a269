/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_WHY_H
#define CTL_WHY_H

/* Why collectd does not have a series: --why of check and names. */

#include "artemis/why.h"
#include "ctl/subject.h"

/* Which series is meant: of each node, as names are spelled there. */
struct why_subject {
  enum object object;
  struct names_part host; /* "": of any node */
  struct names_part type; /* "": any */
  const struct attribute *attribute;
  char instance[SAMPLE_NAME_MAX]; /* of a series; "": made from ${name} */
  char *name;                     /* of an object name; NULL: of a series */
  size_t name_len;
};

/* why_subject_read(text, ret, answer): a series, or a part of one; or the
 * object name of a broker, an address or a queue, with /ATTRIBUTE or without.
 * Without an attribute the first of its object is meant. False, with the reason
 * in ${answer}, where it is none of these, or no attribute of ours. ${text}
 * must stay. */
bool why_subject_read(const char *text, struct why_subject *ret,
                      struct why_answer *answer);
void why_subject_fini(struct why_subject *subject);

/* why_tell_json(out, node, question, answer, requests), why_tell_text(): what
 * came of it. */
struct why_told {
  const struct node_settings *node; /* NULL: of no node */
  const char *series;               /* as it was asked for */
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
