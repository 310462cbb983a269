/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef PLUGIN_DISPATCH_H
#define PLUGIN_DISPATCH_H

/* A sample becomes collectd's value list. */

#include "artemis/sample.h"
#include "base/log.h"

#include <collectd/core/daemon/plugin.h>

/* One for each thread that dispatches. Zeros to begin with. */
struct dispatcher {
  uint64_t n_refused;       /* samples that could not be handed over */
  struct log_repeat repeat; /* of saying so */
  value_list_t list;        /* the last one: most of the next is the same */
  int64_t time_ns;          /* whose cdtime ${list.time} is */
  int64_t interval_ns;
};

/* dispatch_sample(dispatcher, sample): hands ${sample} over. Where the daemon's
 * types.db lacks "bool" (collectd 5.8 does), "gauge" takes its place. A type
 * that it lacks, or has with another kind or number of data sources, is said
 * now and then and counted; collectd would write a line for each value. */
void dispatch_sample(void *dispatcher, const struct sample *sample);

#endif
