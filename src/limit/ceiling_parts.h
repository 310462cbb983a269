/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_CEILING_PARTS_H
#define LIMIT_CEILING_PARTS_H

/* What ceiling.c and reservation.c, its second half, have from each other. */

#include "base/num.h"
#include "limit/ceiling.h"

/* ceiling.c */

/* ceiling_bucket_ns(ceiling, waiter, unit, now_ns): when the bucket of ${unit}
 * has what ${waiter} needs of it. */
int64_t ceiling_bucket_ns(const struct ceiling *ceiling,
                          const struct waiter *waiter, enum unit unit,
                          int64_t now_ns);

/* ceiling_find_eligible(ceiling, now_ns, ret_from_ns, ret_unit): from when on
 * each owner's first has all units but requests, and which one is last. */
void ceiling_find_eligible(const struct ceiling *ceiling, int64_t now_ns,
                           int64_t ret_from_ns[OWNER_COUNT],
                           enum unit ret_unit[OWNER_COUNT]);

/* ceiling_head_at(turn, from_ns, at_ns, ret_next_ns): the one whose turn it is
 * among those that are eligible at ${at_ns}, and when the next owner is. */
struct waiter *ceiling_head_at(const struct turn *turn,
                               const int64_t from_ns[OWNER_COUNT],
                               int64_t at_ns, int64_t *ret_next_ns);

/* reservation.c */

/* reservation_covers(ceiling, waiter): one is held, with enough for it. */
bool reservation_covers(const struct ceiling *ceiling,
                        const struct waiter *waiter);

/* reservation_ns(ceiling, waiter, now_ns): when it may be used for it;
 * CLOCK_NEVER: it may not. */
int64_t reservation_ns(const struct ceiling *ceiling,
                       const struct waiter *waiter, int64_t now_ns);

/* reservation_use(ceiling, waiter): it is that one's. */
void reservation_use(struct ceiling *ceiling, struct waiter *waiter);

/* reservation_bring_back(ceiling, sequence, cost, changes): what was taken with
 * that sequence was not used. */
void reservation_bring_back(struct ceiling *ceiling, uint64_t sequence,
                            uint32_t cost, uint32_t changes);

/* reservation_owe(ceiling, amounts): charged, to be told. */
void reservation_owe(struct ceiling *ceiling,
                     const uint64_t amounts[UNIT_BUCKETS]);

#endif
