/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef DRIVE_PLAN_H
#define DRIVE_PLAN_H

/* What drive's jobs ask of a simnode's broker. */

#include "jolokia/reply.h"
#include "jolokia/request.h"

#define PLAN_MAX 1000

enum plan_of { PLAN_READS, PLAN_LISTINGS, PLAN_REMOVALS, PLAN_CHANGES };

/* plan_operation(of, i, is_bad, ret, ret_spec): the operation of number ${i}, 0
 * .. PLAN_MAX - 1; ${is_bad}: a read of an MBean that does not exist. */
void plan_operation(enum plan_of of, size_t i, bool is_bad,
                    struct operation *ret, struct item_spec *ret_spec);

#endif
