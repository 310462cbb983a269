/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_KEPT_SUMS_H
#define ARTEMIS_KEPT_SUMS_H

/* Dead letters and expired messages, added up over the kept queues of one
 * round: an operator looks for one number of a broker, and does not know that
 * the queues are among those that are reported. */

#include "artemis/plan.h"
#include "artemis/values.h"

enum kept_sum { KEPT_DEAD_LETTERS, KEPT_EXPIRED, KEPT_SUMS };

/* All zero: no such queue yet. */
struct kept_sums {
  bool has[KEPT_SUMS];
  int64_t messages[KEPT_SUMS];
};

/* kept_sums_add(kept, name, len, item, row): a queue that is kept
 * (FILTER_KEEP). It counts as expiry where its name has "expir" or begins with
 * "EXP.", as dead letters where it has "dlq" or "dead", in whatever case; else
 * not at all, nor does one whose MessageCount is no number. */
void kept_sums_add(struct kept_sums *kept, const char *name, size_t len,
                   const struct plan_item *item, const struct row *row);

/* kept_sums_attribute(sum): the table's row of it, "DeadLetterMessages" or
 * "ExpiredMessages" of the broker. */
const struct attribute *kept_sums_attribute(enum kept_sum sum);

/* kept_sums_dispatch(kept, values): a sample of each sum that there is. */
void kept_sums_dispatch(const struct kept_sums *kept, struct values *values);

#endif
