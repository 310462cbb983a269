/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/stretch.h"

#include "base/clock.h"

#include <inttypes.h>

void stretch_begin(struct stretch *stretch, int64_t now_ns) {
  stretch->bytes = 0;
  stretch->handling_ns = 0;
  stretch->started_ns = now_ns;
}

void stretch_add(struct stretch *stretch, uint64_t bytes, int64_t handling_ns) {
  stretch->bytes += bytes;
  stretch->handling_ns += handling_ns;
}

void stretch_end(struct stretch *stretch, const struct levels_rates *rates,
                 bool is_well) {
  if (!is_well)
    return;
  stretch->cost_ns =
      levels_worth_ns(rates, stretch->bytes, stretch->handling_ns);
  if (__builtin_add_overflow(stretch->started_ns, stretch->cost_ns,
                             &stretch->not_before_ns))
    stretch->not_before_ns = CLOCK_NEVER;
}

bool stretch_puts_off(struct stretch *stretch, const char *node,
                      int64_t interval_ns, int64_t now_ns) {
  if (now_ns >= stretch->not_before_ns)
    return false;
  stretch->n++;
  if (log_repeat_due(&stretch->repeat, now_ns))
    log_write(LOG_LEVEL_WARNING,
              "node %s: a scrape costs more than its ceiling gives in the "
              "interval of %.3g s (%" PRIu64 " bytes, %.3g s of handling): it "
              "is put off; the node affords one in %.3g s: raise Interval to "
              "that, or HandlingShare or BytesPerSecond",
              node, (double)interval_ns / 1e9, stretch->bytes,
              (double)stretch->handling_ns / 1e9,
              (double)stretch->cost_ns / 1e9);
  return true;
}
