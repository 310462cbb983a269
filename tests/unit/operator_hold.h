/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef TESTS_OPERATOR_HOLD_H
#define TESTS_OPERATOR_HOLD_H

#include "limit/ceiling.h"

/* The operator's hold as if a record had told of it, to be told on; 0 ends it.
 */
static inline void ceiling_hold_by_operator(struct ceiling *ceiling,
                                            int64_t until_ns) {
  ceiling->levels.operator_hold_until_ns = until_ns;
  ceiling->has_new_hold = true;
}

#endif
