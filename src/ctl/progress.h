/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_PROGRESS_H
#define CTL_PROGRESS_H

/* A line about what goes on, on standard error: on a terminal alone, and only
 * for what takes longer than two seconds. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRESS_AFTER_NS INT64_C(2000000000)
#define PROGRESS_STEP_NS INT64_C(250000000)

struct progress {
  bool is_terminal;
  bool is_shown;
  int64_t next_ns;
};

struct progress progress_begin(int64_t now_ns);
bool progress_is_due(const struct progress *progress, int64_t now_ns);
void progress_show(struct progress *progress, int64_t now_ns, size_t n_done,
                   size_t n, uint64_t values);
void progress_end(struct progress *progress); /* takes the line away */

#endif
