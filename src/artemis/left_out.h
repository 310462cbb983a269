/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_LEFT_OUT_H
#define ARTEMIS_LEFT_OUT_H

/* What a round left out for one reason: how many, and the first by name. */

#include "artemis/sample.h"

#define LEFT_OUT_NAMES 3

struct left_out {
  uint64_t n;
  char names[LEFT_OUT_NAMES][SAMPLE_NAME_MAX]; /* for people */
};

/* left_out_add(left_out): one more: where its name goes; NULL: enough have one.
 */
static inline char *left_out_add(struct left_out *left_out) {
  uint64_t i = left_out->n++;
  return i < LEFT_OUT_NAMES ? left_out->names[i] : NULL;
}

#endif
