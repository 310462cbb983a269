/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef HARNESS_SPREAD_H
#define HARNESS_SPREAD_H

/* Many measurements of one thing. Whatever else the machine does makes some of
 * them longer, never shorter: the median and the least tell more than the mean.
 */

#include <stdlib.h>

#define SPREAD_MAX 1024

struct spread {
  size_t n; /* those past the maximum are left out */
  double ms[SPREAD_MAX];
};

static inline void spread_add(struct spread *spread, double ms) {
  if (spread->n < SPREAD_MAX)
    spread->ms[spread->n++] = ms;
}

static inline int spread_compare(const void *a, const void *b) {
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Both sort; 0 of none. */
static inline double spread_median(struct spread *spread) {
  qsort(spread->ms, spread->n, sizeof(spread->ms[0]), spread_compare);
  return spread->n ? spread->ms[spread->n / 2] : 0;
}

static inline double spread_least(struct spread *spread) {
  qsort(spread->ms, spread->n, sizeof(spread->ms[0]), spread_compare);
  return spread->n ? spread->ms[0] : 0;
}

#endif
