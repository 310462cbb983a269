/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef HARNESS_SPREAD_H
#define HARNESS_SPREAD_H

/* Many measurements of one thing. Whatever else the machine does makes some of
 * them much longer, so the longest quarter is left out, and the shortest, too.
 * The mean of the others is steadier than the median: a reply that is read
 * while it is written costs half as much again as one that is there already,
 * and the median jumps from one to the other. */

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
static inline double spread_middle(struct spread *spread) {
  size_t first = spread->n / 4, end = spread->n - spread->n / 4;
  double sum = 0;
  qsort(spread->ms, spread->n, sizeof(spread->ms[0]), spread_compare);
  for (size_t i = first; i < end; i++)
    sum += spread->ms[i];
  return end > first ? sum / (double)(end - first) : 0;
}

static inline double spread_least(struct spread *spread) {
  qsort(spread->ms, spread->n, sizeof(spread->ms[0]), spread_compare);
  return spread->n ? spread->ms[0] : 0;
}

#endif
