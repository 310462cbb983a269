/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_WHY_MBEAN_H
#define ARTEMIS_WHY_MBEAN_H

/* why.h of what <MBean> blocks and ready-made sets read of other MBeans than
 * queues, addresses and the broker. Asks for the tier's MBeans as a scrape
 * does; where the one that is meant is not among them, for the names that there
 * are, and for that MBean alone with the list of what it has. No I/O; at most
 * three requests. */

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
};

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
  const char *unit; /* "": not known */
  enum tier tier;
};
struct why_mbean_found why_mbean_found(const struct why_mbean *why);

/* Which value of which block is meant. Pure; for why_mbean.c. */
struct why_mbean_place {
  struct mbean_item *item;             /* NULL: none */
  const struct mbean_naming *naming;   /* of the block */
  const struct mbean_reading *reading; /* NULL: all attributes */
};

/* why_mbean_find(mbeans, question, ret): the first block that may have it.
 * why_mbean_instance(mbeans, item, naming, name, ret): the plugin instance of
 * the MBean of that object name; false: none of the item's.
 * why_mbean_nowhere(mbeans, sets, question, answer): no block has it: why. */
bool why_mbean_find(struct mbeans *mbeans,
                    const struct why_mbean_question *question,
                    struct why_mbean_place *ret);
bool why_mbean_instance(struct mbeans *mbeans, const struct mbean_item *item,
                        const struct mbean_naming *naming,
                        const struct objectname *name,
                        char ret[SAMPLE_NAME_MAX]);
void why_mbean_nowhere(struct mbeans *mbeans, unsigned sets,
                       const struct why_mbean_question *question,
                       struct why_answer *answer);

#endif
