/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_WHY_MBEAN_H
#define ARTEMIS_WHY_MBEAN_H

/* why.h of what <MBean> blocks and ready-made sets read of MBeans. Where more
 * than one block may have the series, asks for the names of all of them, to
 * know whose it is. Asks for the tier's MBeans as a scrape does; where the one
 * that is meant is not among them, for the names that there are, and for that
 * MBean alone with the list of what it has. No I/O; at most three requests. */

#include "artemis/mbean.h"
#include "artemis/scrape.h"
#include "artemis/why.h"

/* By its series, or by its object name. What it points to must stay. */
struct why_mbean_question {
  const char *name;     /* an object name, no pattern; NULL: by its series */
  const char *plugin;   /* of a series */
  const char *instance; /* of a series */
  const char *type;     /* "": any */
  const char *value; /* type instance, or path of an attribute; "": the first */
  size_t block;      /* of an object name: of the blocks that read it, by
                        why_mbean_blocks(), this one */
};

/* why_mbean_blocks(mbeans, question, ret): how many blocks may have it; each
 * has series of its own. False without memory. */
bool why_mbean_blocks(struct mbeans *mbeans,
                      const struct why_mbean_question *question, size_t *ret);

struct why_mbean;

/* why_mbean_new(mbeans, sets, question): ${mbeans} must stay, and no round of
 * them may run; ${sets} are those that the node reads. NULL without memory. */
struct why_mbean *why_mbean_new(struct mbeans *mbeans, unsigned sets,
                                const struct why_mbean_question *question);
void why_mbean_free(struct why_mbean *why); /* NULL is fine */

/* As those of why.h. */
bool why_mbean_next(struct why_mbean *why, struct scrape_request *ret);
void why_mbean_row(struct why_mbean *why, size_t item, const struct row *row);
void why_mbean_item(struct why_mbean *why, size_t item,
                    const struct item_result *result);
void why_mbean_done(struct why_mbean *why, const struct error *error);
const struct why_answer *why_mbean_answer(const struct why_mbean *why);

/* What was found of the question: valid until why_mbean_free(). */
struct why_mbean_found {
  const char *plugin;
  const char *instance;
  const char *type; /* "": no block reads it */
  const char *value;
  const char *unit;    /* "": not known */
  const char *pattern; /* the block's; NULL: no block reads it */
  unsigned set;        /* the ready-made set that it is of; 0: of none */
  enum tier tier;
};
struct why_mbean_found why_mbean_found(const struct why_mbean *why);

/* Which value of which block is meant. Pure; for why_mbean.c. */
struct why_mbean_place {
  struct mbean_item *item;             /* NULL: none */
  const struct mbean_naming *naming;   /* of the block */
  const struct mbean_reading *reading; /* NULL: all attributes */
};

/* why_mbean_set(plugin): the ready-made set of that plugin; 0: none is.
 * why_mbean_find(mbeans, question, ret, ret_n): the blocks that may have it, to
 * be freed; none: NULL. False without memory.
 * why_mbean_instance(mbeans, item, naming, name, ret): the plugin instance of
 * the MBean of that object name; false: none of the item's.
 * why_mbean_nowhere(mbeans, sets, question, answer): no block has it: why. */
unsigned why_mbean_set(const char *plugin);
bool why_mbean_find(struct mbeans *mbeans,
                    const struct why_mbean_question *question,
                    struct why_mbean_place **ret, size_t *ret_n);
bool why_mbean_instance(struct mbeans *mbeans, const struct mbean_item *item,
                        const struct mbean_naming *naming,
                        const struct objectname *name,
                        char ret[SAMPLE_NAME_MAX]);
void why_mbean_nowhere(struct mbeans *mbeans, unsigned sets,
                       const struct why_mbean_question *question,
                       struct why_answer *answer);

#endif
