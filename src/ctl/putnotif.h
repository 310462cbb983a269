/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_PUTNOTIF_H
#define CTL_PUTNOTIF_H

/* A notice as a line for collectd's exec plugin. */

#include "base/buf.h"
#include "client/notice.h"

/* putnotif_line(out, notice, host): appends, in one line,
 *   PUTNOTIF severity=failure time=1764510000 host="broker-a" plugin="jolokia"
 *   plugin_instance="orders" type="state" type_instance="node" message="..."
 * with ${host} for collectd's own. Names are cut as the module cuts them. Or as
 * buf_add(). */
enum status putnotif_line(struct buf *out, const struct notice *notice,
                          const char *host);

#endif
