/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_VALUES_H
#define ARTEMIS_VALUES_H

/* A row's values, made samples. */

#include "artemis/attributes.h"
#include "artemis/sample.h"
#include "jolokia/reply.h"

struct values {
  const struct sample_sink *sink;
  struct sample sample;           /* host, plugin, time and interval are set */
  uint64_t samples;               /* dispatched */
  uint64_t errors;                /* not what the attribute should be */
  uint64_t held;                  /* counters held back, after a restart */
  bool holds[OBJECT_COUNT];       /* whose are */
  bool has_counter[OBJECT_COUNT]; /* of whom one was dispatched */
  bool saw_not_started;           /* a fault said "Broker is not started" */
};

/* values_dispatch(values, instance, attributes, columns, n): a sample for each
 * column of which the table's attribute makes one. Null and absent are absent,
 * as is a value of a broker that is not started. An error is: text, a fault or
 * an object where a number is due; a boolean where a number is due and the
 * reverse; a derive that is negative or no integer of 64 bits; a -1 for what
 * the broker failed to find out. Returns how many were dispatched or held back.
 */
size_t values_dispatch(struct values *values, const char *instance,
                       const struct attribute *const *attributes,
                       const struct value *columns, size_t n);

#endif
