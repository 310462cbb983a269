/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_CLUSTER_MEMBERS_H
#define CTL_CLUSTER_MEMBERS_H

/* The members of clusters that are no nodes, and why not. */

#include "client/discovery.h"
#include "ctl/output.h"

/* A row of the table of nodes; "" and NULL are shown as "-". */
struct members_row {
  const char *cluster, *name, *state, *version, *node_id, *ha_policy, *url;
};

/* members_row(output, out, row, color): adds it to ${out}, its state in
 * ${color}, without a line end. */
void members_row(const struct output *output, struct buf *out,
                 const struct members_row *row, enum output_color color);

/* members_tell(output, discovery, settings): on standard output, a line or an
 * object each, those that were found and are nodes left out; and on standard
 * error the clusters of ${settings} whose members cannot be read. */
void members_tell(struct output *output, const struct discovery *discovery,
                  const struct settings *settings);

#endif
