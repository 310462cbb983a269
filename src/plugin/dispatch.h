/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef PLUGIN_DISPATCH_H
#define PLUGIN_DISPATCH_H

/* A sample becomes collectd's value list. */

#include "artemis/sample.h"
#include "base/log.h"

#include <collectd/core/daemon/plugin.h>

/* More than there are, by far: they are found at once then. */
#define DISPATCH_TYPES 64

/* A type that types.db has, as it has it. */
struct dispatch_type {
  const char *type; /* of the samples; found by its address; NULL: none */
  const char *name; /* what they are dispatched under */
  size_t name_len;  /* without what is longer than collectd's names */
  int kind;         /* DS_TYPE_GAUGE, DS_TYPE_DERIVE, ...; -1: several */
  size_t n;         /* data sources */
};

/* One for each thread that dispatches. Zeros to begin with. */
struct dispatcher {
  uint64_t n_refused;       /* samples that could not be handed over */
  struct log_repeat repeat; /* of saying so */
  value_list_t list;        /* the last one: most of the next is the same */
  const struct dispatch_type *last;           /* whose name is in it */
  struct dispatch_type types[DISPATCH_TYPES]; /* asked for already */
};

/* dispatch_sample(dispatcher, sample): hands ${sample} over. Where the daemon's
 * types.db lacks "bool" (collectd 5.8 does), "gauge" takes its place. A type
 * that it lacks, or has with another kind or number of data sources, is said
 * now and then and counted; collectd would write a line for each value. */
void dispatch_sample(void *dispatcher, const struct sample *sample);

#endif
