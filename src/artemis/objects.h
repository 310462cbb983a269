/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_OBJECTS_H
#define ARTEMIS_OBJECTS_H

/* The rows of queues and addresses: which object each is, whether it is wanted,
 * and where it is counted. */

#include "artemis/chosen.h"
#include "artemis/filter.h"
#include "artemis/kept_sums.h"
#include "artemis/plan.h"
#include "artemis/scrape.h"
#include "artemis/values.h"
#include "jolokia/objectname.h"

/* Queues or addresses: which are wanted, and of those how many. */
struct objects_choice {
  struct filter filter;
  struct chosen chosen;
  struct left_out over; /* of the present round, or of the last */
};

struct objects {
  enum names_alphabet alphabet;
  struct objects_choice queues;
  struct filter queue_addresses; /* no Keep: that goes by names */
  struct objects_choice addresses;
  struct kept_sums kept; /* of the present request */
  struct buf name;       /* unquoted */
  struct buf address;
};

/* objects_init(objects, settings): STATUS_NO_MEMORY: ends with objects_fini()
 * too. */
enum status objects_init(struct objects *objects,
                         const struct scrape_settings *settings);
void objects_fini(struct objects *objects);

/* objects_begin(objects, role): the rows of PLAN_QUEUES or PLAN_ADDRESSES are
 * to come, from the first one on. */
void objects_begin(struct objects *objects, enum plan_role role);

/* objects_row(objects, item, row, is_active, is_held_back, values, counts): a
 * row of a PLAN_LISTING, PLAN_QUEUES or PLAN_ADDRESSES item. Counts it as
 * received and in exactly one of dispatched, excluded (not wanted; the broker
 * is not active; held back), over_cap and invalid. True if it was dispatched.
 */
bool objects_row(struct objects *objects, const struct plan_item *item,
                 const struct row *row, bool is_active, bool is_held_back,
                 struct values *values, struct scrape_counts *counts);

/* objects_all_came(objects, role): a whole set came, of an active broker: those
 * that were not in it have their place in the choice no longer. */
void objects_all_came(struct objects *objects, enum plan_role role);

/* What objects_row() goes by; for who asks about one object alone. */

#define OBJECT_NAME_MAX (16u << 20) /* the largest MaxObjectBytes */

/* objects_name(objects, role, row, ret): the object's plain name; valid until
 * the next call, or as long as the row. False: none can be read.
 * objects_mbean_name(scratch, object, row, ret): the same of a row that an
 * MBean names, kept in ${scratch} with a 0 behind it.
 * objects_of_mbean(name, jmx_domain, ret): whether that MBean is a broker, an
 * address or a queue; ${jmx_domain} of NULL: in any domain. */
bool objects_name(struct objects *objects, enum plan_role role,
                  const struct row *row, struct objectname_slice *ret);
bool objects_mbean_name(struct buf *scratch, enum object object,
                        const struct row *row, struct objectname_slice *ret);
bool objects_of_mbean(const struct objectname *name, const char *jmx_domain,
                      enum object *ret);

/* objects_has_address(objects): whether a queue's address decides, too: the
 * listing is to tell it (struct plan).
 * objects_judge(objects, item, row, name): whether the row's object, of that
 * name, is wanted. */
bool objects_has_address(const struct objects *objects);
struct filter_judgement objects_judge(struct objects *objects,
                                      const struct plan_item *item,
                                      const struct row *row,
                                      const struct objectname_slice *name);

/* objects_is_own(item, columns): whether the broker calls the queue temporary
 * or internal. */
bool objects_is_own(const struct plan_item *item, const struct value *columns);

struct objects_choice *objects_choice(struct objects *objects,
                                      enum plan_role role);

#endif
