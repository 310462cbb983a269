/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_CHANGE_H
#define CTL_CHANGE_H

/* A client with the nodes that were asked for, under the login of who may
 * change things, driven on this thread. Ceiling, record and size limits are
 * those of everybody else's requests to these nodes. */

#include "client/client.h"
#include "ctl/session.h"

struct change {
  struct client *client;
  const struct subject *subject;
  struct node **nodes; /* as many, in the order of subject->selected */
};

/* change_open(subject, ctl, is_change, ret, error): reads the login (which may
 * ask for a password), sends nothing. ${is_change} false: for commands that
 * only read. Signals are as with session_open(). STATUS_AUTH: no login may
 * change a node (exit code 6), and else as operator_open(), client_new() and
 * client_node_add(); nothing is open then. ${subject} must stay. */
enum status change_open(const struct subject *subject, const struct ctl *ctl,
                        bool is_change, struct change *ret,
                        struct error *error);
void change_close(struct change *change);

/* change_settings(change, i): of node ${i}; its change_timeout_ns is the
 * timeout of a job of changes, its timeout_ns that of a job of reads. */
const struct node_settings *change_settings(const struct change *change,
                                            size_t i);

#endif
