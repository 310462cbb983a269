/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_PUTVAL_H
#define CTL_PUTVAL_H

/* A sample as a line of collectd's plain text protocol, as its exec plugin
 * reads it. Pure. */

#include "artemis/sample.h"
#include "base/buf.h"

/* The exec plugin reads into 1,200 bytes; a longer line would end the program's
 * output as if it were closed. So long a line, with its line feed, passes. */
#define PUTVAL_LINE_MAX 1198

/* putval_line(out, sample, type, host): appends
 *   PUTVAL "HOST/PLUGIN-INSTANCE/TYPE-INSTANCE" interval=10.000 1.234:5
 * (":5:6" of a type with two data sources)
 * with ${type} in place of the sample's own and ${host} for collectd's. Each
 * part is cut at 127 bytes, as the module does; '/', which would end it, and
 * control bytes become '_'. Times in thousandths of a second, N without one; a
 * gauge that is not finite is U. STATUS_INVALID, and nothing appended, where
 * the line would be longer than PUTVAL_LINE_MAX; or as buf_add(). */
enum status putval_line(struct buf *out, const struct sample *sample,
                        const char *type, const char *host);

#endif
