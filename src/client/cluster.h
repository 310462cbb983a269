/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_CLUSTER_H
#define CLIENT_CLUSTER_H

/* The nodes of one cluster beside each other: which are a pair, which are one
 * broker under two URLs, which URL leads now here, now there; the notices of
 * all that, and of each node's state; the sums over its queues. Pure but for
 * the log and what it was given to call: time is an argument. */

#include "artemis/sample.h"
#include "client/client.h"
#include "client/health.h"
#include "client/notice.h"

struct cluster;
struct member;

struct cluster_options {
  const char *name; /* copied */
  struct notice_sink notices;
  struct sample_sink samples; /* where the sums go */
  bool has_partial_sums;
  bool is_once; /* each member has one round alone: bonds are judged by it */
  /* Of an alias: from now on ${node} takes its permits from ${first}'s ceiling;
   * NULL: from its own again. Another status than STATUS_OK: asked again after
   * its next round. As client_node_share_ceiling(). */
  enum status (*share)(struct node *node, struct node *first);
};

/* cluster_new(options): NULL without memory. cluster_free(cluster): its members
 * must have left; NULL is fine. */
struct cluster *cluster_new(const struct cluster_options *options);
void cluster_free(struct cluster *cluster);
const char *cluster_name(const struct cluster *cluster);
size_t cluster_n_members(const struct cluster *cluster);
void cluster_set_partial_sums(struct cluster *cluster, bool has_partial_sums);

struct member_options {
  const char *name;    /* copied */
  struct node *node;   /* handed to share() */
  int64_t interval_ns; /* of its fast rounds */
  size_t max_queues;   /* of its samples, as many queues are summed */
};

/* cluster_join(cluster, options, ret): a node of the cluster from now on.
 * STATUS_NO_MEMORY. cluster_leave(member, why): not any more, before or after
 * its client node is removed; who took its permits from that one's ceiling
 * takes them from its own again after its next round. What notices said of it,
 * and is not over, is told to be, with ${why}; NULL: it is not, as the program
 * ends and the trouble does not. ${member} NULL is fine. */
enum status cluster_join(struct cluster *cluster,
                         const struct member_options *options,
                         struct member **ret);
void cluster_leave(struct member *member, const char *why);

/* member_set(member, options): its interval or max_queues is another now; its
 * name and client node stay. */
void member_set(struct member *member, const struct member_options *options);

/* What a fast round has told. */
struct member_round {
  const struct error *outcome;
  const struct identity *identity;
  enum health_hold hold;
  bool is_whole;     /* an active broker's, with the values of all its queues */
  int64_t uptime_ms; /* -1: it did not say */
  int64_t started_ns; /* CLOCK_MONOTONIC */
  int64_t permit_wait_ns;
  int64_t certificate_left_ns;        /* CLOCK_NEVER: unknown */
  bool has_all;                       /* what is left out by a cap is known */
  const struct left_out *over_queues; /* NULL: not looked at */
  const struct left_out *over_addresses;
  const struct left_out *over_mbeans[TIER_COUNT];
};

/* cluster_round(member, round, now_ns): judges the node's state (health_round()
 * and health_tell()) and its bonds, sends the notices of what has changed. */
void cluster_round(struct member *member, const struct member_round *round,
                   int64_t now_ns);

/* cluster_sample(member, sample): one of its scrape's, on its way out. */
void cluster_sample(struct member *member, const struct sample *sample);

/* cluster_tick(member, now_ns, wall_ns): a tick of the member's fast rounds.
 * One member's are the cluster's: then the sums of the members' last rounds are
 * made, which cluster_send() hands over, and how many nodes answered. True if
 * so. */
bool cluster_tick(struct member *member, int64_t now_ns, int64_t wall_ns);

/* cluster_send(cluster, max): hands over about ${max} samples of the sums that
 * are made. Returns whether more are left. */
bool cluster_send(struct cluster *cluster, size_t max);

/* member_health(member): as of its last round. */
const struct health *member_health(const struct member *member);

enum bond {
  BOND_NONE,
  BOND_PAIR,  /* the same NodeID, one of them active */
  BOND_ALIAS, /* the same broker */
  BOND_SPLIT  /* the same NodeID, both active */
};
const char *bond_name(enum bond bond); /* "none", "pair", "alias", "split" */

/* What is found of a member beside the others. Valid until the next turn. */
struct member_view {
  enum bond bond;
  const char *other;   /* its name; NULL: none */
  bool is_alternating; /* its URL leads to several brokers */
  bool shares_ceiling; /* takes its permits from ${other}'s */
};
void member_view(const struct member *member, struct member_view *ret);

#endif
