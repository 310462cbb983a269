/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/amount.h"

#include <math.h>

void amount_add_bytes(struct buf *out, double bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t i = 0;
  while (fabs(bytes) >= 1024 && i + 1 < sizeof(units) / sizeof(*units)) {
    bytes /= 1024;
    i++;
  }
  buf_printf(out, "%.4g %s", fabs(bytes) < 100 ? round(bytes * 10) / 10 : bytes,
             units[i]);
}

void amount_add(struct buf *out, enum unit unit, double value) {
  if (!isfinite(value))
    buf_add_text(out, "-");
  else if (unit == UNIT_BYTES)
    amount_add_bytes(out, value);
  else if (unit == UNIT_HANDLING)
    buf_printf(out, "%.3g s", round(value * 1000) / 1000);
  else
    buf_printf(out, "%.9g", round(value * 1000) / 1000);
}
