/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_WHY_PARTS_H
#define ARTEMIS_WHY_PARTS_H

/* The reasons that one thing alone decides. Private to why.c and
 * why_mbean*.c. */

#include "artemis/why.h"

/* The names that are most like the one that is not there; all without their
 * objects in front. */
#define WHY_NEAR 3
struct why_near {
  struct why_near_name {
    char name[SAMPLE_NAME_MAX];
    size_t distance;
  } names[WHY_NEAR]; /* the nearest first */
  size_t n;
};
void why_near_add(struct why_near *near, const char *wanted, const char *name);
/* why_near_list(near, prefix, list): "PREFIXa, PREFIXb"; returns ${list}. */
#define WHY_NEAR_LIST (WHY_NEAR * (SAMPLE_NAME_MAX + sizeof "address-, "))
const char *why_near_list(const struct why_near *near, const char *prefix,
                          char list[WHY_NEAR_LIST]);
void why_near_tell(const struct why_near *near, struct why_answer *answer,
                   const char *wanted, const char *object);

/* why_judge_value(answer, attribute, value): a value of which no sample is
 * made. NULL: there was none. */
void why_judge_value(struct why_answer *answer,
                     const struct attribute *attribute,
                     const struct value *value);

/* why_judge_filter(answer, object): by answer->judgement. */
void why_judge_filter(struct why_answer *answer, const char *object);

/* why_judge_cap(answer, object, n_wanted, max, is_taken): more are wanted than
 * there is room for; ${is_taken}: a choice made now takes this one. What a
 * running collectd has chosen, which stays, nobody else knows. */
void why_judge_cap(struct why_answer *answer, enum object object,
                   uint64_t n_wanted, uint64_t max, bool is_taken);

#endif
