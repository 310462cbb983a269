/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_DIFFERENCE_H
#define CONFIG_DIFFERENCE_H

/* What came, went and changed between two settings, for people. */

#include "base/buf.h"
#include "config/settings.h"

/* difference_text(before, after, ret): "2 nodes came (a, b), 1 changed (c)",
 * with five names of each at most; nothing where the nodes are the same.
 * Without memory, less. */
void difference_text(const struct settings *before,
                     const struct settings *after, struct buf *ret);

#endif
