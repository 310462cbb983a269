/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_HEALTH_H
#define CLIENT_HEALTH_H

/* What a node's state is, from how its rounds ended; and the few lines that the
 * log gets of it. Pure but for the log: time is an argument. */

#include "artemis/identity.h"
#include "base/log.h"
#include "client/notice.h"

enum node_state { /* the value of gauge-state */
                  NODE_UNKNOWN = 0,
                  NODE_ACTIVE = 1,
                  NODE_BACKUP = 2,
                  NODE_STARTING = 3,
                  NODE_DOWN = 4,
                  NODE_LOGIN_HELD = 5,
                  NODE_HELD = 6
};
const char *node_state_name(enum node_state state);

struct health {
  enum node_state state;
  unsigned failures;             /* rounds in a row that the node failed */
  bool is_up;                    /* it answered the last time */
  bool is_known;                 /* a round has told something of the node */
  int64_t since_ns;              /* of the state; 0 before the first */
  struct log_repeat repeat;      /* of being down or held */
  struct log_repeat role_repeat; /* of active, backup, starting */
  bool was_told;                 /* the log says that nothing comes of it */
  bool was_down_noticed;         /* and a notice that it is down */
  bool was_login_noticed;        /* ... that its login is held */
};

/* The nodes of one cluster, for lines that stand for all of them. */
struct cluster_health {
  const char *name;
  size_t n_nodes;
  size_t n_down; /* down or their login held */
  struct log_repeat repeat;
  bool was_noticed; /* a notice said that all are */
  struct notice_sink notices;
};

/* Why nothing is asked. */
enum health_hold { HEALTH_FREE, HEALTH_LOGIN_HELD, HEALTH_HELD_BY_OPERATOR };

/* health_round(health, cluster, outcome, identity, hold, now_ns): a
 * round ended so. Down after HEALTH_FAILURES failures in a row, at the start
 * too; what our own side kept back (status_is_ours) tells nothing. A broker
 * that is not started yet has answered. While the operator holds a node it is
 * neither up nor down, and comes out of that as new. Returns whether the state
 * changed. */
#define HEALTH_FAILURES 2
bool health_round(struct health *health, struct cluster_health *cluster,
                  const struct error *outcome, const struct identity *identity,
                  enum health_hold hold, int64_t now_ns);

/* health_tell(health, cluster, node, outcome, has_changed, now_ns): writes what
 * is worth a line after health_round(): a change of state, and while it is
 * down a reminder after 1, 2, 4 ... minutes, at most an hour apart. While all
 * nodes of a cluster are down the reminders are the cluster's, one for all. A
 * state that changes again and again is told ever less often, until it has
 * stayed for HEALTH_CALM_NS. Each change to and
 * from being down, or its login being held, has its notice; where all of the
 * cluster's are, they have one in place of the last one's own, which it gets
 * when others answer again and it does not. */
#define HEALTH_CALM_NS (INT64_C(600) * 1000000000)
void health_tell(struct health *health, struct cluster_health *cluster,
                 const char *node, const struct error *outcome,
                 bool has_changed, int64_t now_ns);

/* health_leave(health, cluster, why): its node is one of the cluster's no
 * longer. With the last one goes what a notice said of the cluster: its end is
 * told with ${why}; NULL: it is not told. */
void health_leave(const struct health *health, struct cluster_health *cluster,
                  const char *why);

#endif
