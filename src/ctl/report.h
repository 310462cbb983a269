/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_REPORT_H
#define CTL_REPORT_H

/* What one round of a node came to, for poll and check alike. Pure. */

#include "artemis/identity.h"
#include "base/buf.h"
#include "client/monitor.h"
#include "ctl/exit_code.h"

/* report_requests(view), report_permit_wait_ms(view): over all owners. */
uint64_t report_requests(const struct monitor_view *view);
double report_permit_wait_ms(const struct monitor_view *view);

/* report_failures(view): what the node kept back of what was asked: items and
 * values, refused, broken or cut off. */
uint64_t report_failures(const struct monitor_view *view);

/* report_members(out, view, verdict): cluster, node, ... error and reason as
 * members of a JSON object that the caller begins and ends. */
void report_members(struct buf *out, const struct monitor_view *view,
                    const struct error *verdict);

/* report_code(view, verdict): of this node. */
enum exit_code report_code(const struct monitor_view *view,
                           const struct error *verdict);

/* report_smallest_interval_s(view, rate_milli): how often the node can be asked
 * at most, in whole seconds: its fast round's requests at the ceiling's rate
 * (per 1,000 s), what BytesPerSecond and HandlingShare give for them, and no
 * round before the last has ended. */
uint64_t report_smallest_interval_s(const struct monitor_view *view,
                                    uint64_t rate_milli);

#endif
