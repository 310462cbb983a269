/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_CLUSTER_PARTS_H
#define CLIENT_CLUSTER_PARTS_H

/* What a cluster is made of. Private to cluster.c and bonds.c. */

#include "client/cluster.h"

#include <sys/queue.h>

TAILQ_HEAD(member_list, member);

struct cluster {
  char *name;
  struct notice_sink notices;
  struct sample_sink samples;
  bool has_partial_sums;
  enum status (*share)(struct node *node, struct node *first);
  struct cluster_health health;
  struct member_list members; /* in the order in which they joined */
};

struct member {
  TAILQ_ENTRY(member) beside;
  struct cluster *cluster;
  char *name;
  struct node *node;
  int64_t interval_ns;
  struct health health;
};

#endif
