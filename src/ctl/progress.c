/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define ERASE_LINE "\r\033[K"

struct progress progress_begin(int64_t now_ns) {
  return (struct progress){.is_terminal = isatty(STDERR_FILENO) == 1,
                           .next_ns = now_ns + PROGRESS_AFTER_NS};
}

bool progress_is_due(const struct progress *progress, int64_t now_ns) {
  return progress->is_terminal && now_ns >= progress->next_ns;
}

void progress_show(struct progress *progress, int64_t now_ns, size_t n_done,
                   size_t n, uint64_t values) {
  progress->next_ns = now_ns + PROGRESS_STEP_NS;
  progress->is_shown = true;
  fprintf(stderr,
          ERASE_LINE "%zu of %zu nodes have answered, %" PRIu64 " values",
          n_done, n, values);
  fflush(stderr);
}

void progress_end(struct progress *progress) {
  if (progress->is_shown)
    fputs(ERASE_LINE, stderr);
  progress->is_shown = false;
}
