/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_WHY_MBEAN_PARTS_H
#define ARTEMIS_WHY_MBEAN_PARTS_H

/* why_mbean.h in its parts: what is asked and what it comes to (why_mbean.c),
 * and what is read of the rows (why_mbean_rows.c). Private to them. */

#include "artemis/why_mbean.h"
#include "artemis/why_parts.h"

#define TEXT_MAX (16u << 20) /* the largest MaxObjectBytes */

enum step { STEP_OVER, STEP_ROUND, STEP_NAMES, STEP_ALONE };

enum { ITEM_READ, ITEM_LIST, ITEMS };

struct why_mbean {
  struct why_mbean_question question;
  struct mbeans *mbeans;
  struct why_mbean_place *places; /* those that may have it */
  size_t n_places;
  struct why_mbean_place place; /* the one that it is looked for in */
  enum step step;
  char instance[SAMPLE_NAME_MAX]; /* "": not known yet */
  const char *type_instance;      /* NULL: whichever comes first */
  char *name;                     /* its object name; NULL: not known */
  struct buf text;                /* a pattern; a path */
  const struct mbean_round *round;
  struct operation *operations; /* ITEMS, or one of each place if more */
  struct item_spec *specs;
  struct error item; /* how the item that should have it ended */
  bool is_named;     /* a list of names has it */
  bool is_found;     /* its row came */
  bool is_over_cap;
  bool is_in_hand; /* the row that is read is its */
  bool has_list;
  bool is_in_list;
  struct why_near near;
  uint64_t n_over;
  struct why_answer answer;
};

/* why_mbean_set_value(why): a series that is known by its block's name for it,
 * or by its key's. */
void why_mbean_set_value(struct why_mbean *why);

/* why_mbean_keep_name(why, text, len): its object name. False without memory.
 */
bool why_mbean_keep_name(struct why_mbean *why, const char *text, size_t len);

#endif
