/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_LIMITS_TEXT_H
#define CTL_LIMITS_TEXT_H

/* A node's limits as a table and as JSON. Pure. */

#include "ctl/cause.h"
#include "ctl/exit_code.h"
#include "ctl/output.h"

/* A node, now and a short while before. */
struct limits_view {
  const struct node_settings *node;
  const struct limits *before;
  const struct limits *now;
};

/* limits_used(view, unit): a second, of all processes, between the two; NAN
 * where a record was not there or was made anew. */
double limits_used(const struct limits_view *view, enum unit unit);

/* limits_table(output, out, view), limits_json(out, view): the latter one line.
 */
void limits_table(const struct output *output, struct buf *out,
                  const struct limits_view *view);
void limits_json(struct buf *out, const struct limits_view *view);

/* limits_code(view): EXIT_CODE_SOME where the record cannot be read. */
enum exit_code limits_code(const struct limits_view *view);

#endif
