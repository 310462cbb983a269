/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/restart.h"

void restart_seen(struct restart *restart) {
  restart->is_held = restart->last_ns != 0;
}

/* A clock that was set back does not hold them for longer. */
bool restart_holds(const struct restart *restart, int64_t now_ns,
                   int64_t interval_ns) {
  return restart->is_held && now_ns >= restart->last_ns &&
         now_ns - restart->last_ns < RESTART_INTERVALS * interval_ns;
}

void restart_dispatched(struct restart *restart, int64_t now_ns) {
  restart->is_held = false;
  restart->last_ns = now_ns;
}
