/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_AMOUNT_H
#define CTL_AMOUNT_H

/* So much of a ceiling's unit, for people. Pure. */

#include "base/buf.h"
#include "limit/levels.h"

/* amount_add(out, unit, value): "20", "0.333", "8.0 MiB", "0.25 s"; "-" for
 * what is not finite. */
void amount_add(struct buf *out, enum unit unit, double value);

/* amount_add_bytes(out, bytes): "512 B", "64 KiB", "1.5 MiB", "2 GiB". */
void amount_add_bytes(struct buf *out, double bytes);

#endif
