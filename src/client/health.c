/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/health.h"

#include <inttypes.h>

const char *node_state_name(enum node_state state) {
  switch (state) {
  case NODE_UNKNOWN:
    return "unknown";
  case NODE_ACTIVE:
    return "active";
  case NODE_BACKUP:
    return "backup";
  case NODE_STARTING:
    return "starting";
  case NODE_DOWN:
    return "down";
  case NODE_LOGIN_HELD:
    return "login held";
  case NODE_HELD:
    return "held";
  }
  return "unknown";
}

static bool is_bad(enum node_state state) {
  return state == NODE_DOWN || state == NODE_LOGIN_HELD;
}

/* During a failover a broker is neither active nor backup for a while. */
static enum node_state role_of(const struct identity *identity) {
  if (!identity->is_known || !identity->is_started)
    return NODE_STARTING;
  if (identity->is_active)
    return NODE_ACTIVE;
  return identity->is_backup ? NODE_BACKUP : NODE_STARTING;
}

static enum node_state next_state(struct health *health,
                                  const struct error *outcome,
                                  const struct identity *identity,
                                  enum health_hold hold) {
  if (outcome->kind == STATUS_OK || outcome->kind == STATUS_NOT_STARTED) {
    health->failures = 0;
    health->is_up = true;
    health->is_known = true;
    return outcome->kind ? NODE_STARTING : role_of(identity);
  }
  if (hold == HEALTH_HELD_BY_OPERATOR && outcome->kind == STATUS_HELD) {
    health->failures = 0;
    health->is_known = false;
    return NODE_HELD;
  }
  if (hold == HEALTH_LOGIN_HELD) {
    health->is_up = false;
    health->is_known = true;
    return NODE_LOGIN_HELD;
  }
  if (status_is_ours(outcome->kind))
    return health->state;
  health->failures++;
  health->is_up = false;
  health->is_known = true;
  return health->failures >= HEALTH_FAILURES ? NODE_DOWN : health->state;
}

bool health_round(struct health *health, struct cluster_health *cluster,
                  const struct error *outcome, const struct identity *identity,
                  enum health_hold hold, int64_t now_ns) {
  enum node_state old = health->state;
  enum node_state state = next_state(health, outcome, identity, hold);
  if (state == old)
    return false;
  if (!is_bad(old) && now_ns - health->since_ns >= HEALTH_CALM_NS) {
    log_repeat_clear(&health->repeat);
    log_repeat_clear(&health->role_repeat);
    log_repeat_clear(&cluster->repeat);
  }
  health->state = state;
  health->since_ns = now_ns;
  if (is_bad(state) && !is_bad(old))
    cluster->n_down++;
  if (is_bad(old) && !is_bad(state))
    cluster->n_down--;
  return true;
}

static void notice_bad(struct health *health, struct cluster_health *cluster,
                       const char *node, const struct error *outcome) {
  bool is_login = health->state == NODE_LOGIN_HELD;
  bool *was_noticed =
      is_login ? &health->was_login_noticed : &health->was_down_noticed;
  if (*was_noticed)
    return;
  *was_noticed = true;
  notice_send(&cluster->notices, is_login ? EVENT_LOGIN_HELD : EVENT_NODE_DOWN,
              node, cluster->name, "%s: %s", status_name(outcome->kind),
              outcome->text);
}

static void notice_all_bad(struct cluster_health *cluster, const char *node,
                           const struct error *outcome) {
  if (cluster->was_noticed)
    return;
  cluster->was_noticed = true;
  notice_send(&cluster->notices, EVENT_CLUSTER_DOWN, cluster->name,
              cluster->name, "all %zu nodes; the last, %s: %s: %s",
              cluster->n_nodes, node, status_name(outcome->kind),
              outcome->text);
}

static void notice_good(struct health *health, struct cluster_health *cluster,
                        const char *node) {
  const char *state = node_state_name(health->state);
  if (cluster->was_noticed)
    notice_send(&cluster->notices, EVENT_CLUSTER_UP, cluster->name,
                cluster->name, "%s answers again: %s", node, state);
  if (health->was_down_noticed)
    notice_send(&cluster->notices, EVENT_NODE_UP, node, cluster->name,
                "it answers again: %s", state);
  if (health->was_login_noticed)
    notice_send(&cluster->notices, EVENT_LOGIN_ACCEPTED, node, cluster->name,
                "the login is accepted again: %s", state);
  cluster->was_noticed = false;
  health->was_down_noticed = false;
  health->was_login_noticed = false;
}

static void tell_bad(struct health *health, struct cluster_health *cluster,
                     const char *node, const struct error *outcome,
                     bool has_changed, int64_t now_ns) {
  bool is_all = cluster->n_nodes > 1 && cluster->n_down == cluster->n_nodes;
  if (is_all)
    notice_all_bad(cluster, node, outcome);
  else
    notice_bad(health, cluster, node, outcome);
  struct log_repeat *repeat = is_all ? &cluster->repeat : &health->repeat;
  if (!log_repeat_due(repeat, now_ns))
    return;
  health->was_told = true;
  const char *state = node_state_name(health->state);
  if (is_all)
    log_write(LOG_LEVEL_ERROR,
              "cluster %s: all %zu nodes are down or their login is held; the "
              "last, %s: %s: %s",
              cluster->name, cluster->n_nodes, node, status_name(outcome->kind),
              outcome->text);
  else
    log_write(LOG_LEVEL_ERROR, "node %s (cluster %s) is %s%s: %s: %s", node,
              cluster->name, has_changed ? "" : "still ", state,
              status_name(outcome->kind), outcome->text);
}

static void tell_good(struct health *health, struct cluster_health *cluster,
                      const char *node, int64_t now_ns) {
  const char *state = node_state_name(health->state);
  if (health->state != NODE_HELD)
    notice_good(health, cluster, node);
  if (health->state == NODE_HELD) {
    health->was_told = true;
    log_write(LOG_LEVEL_NOTICE,
              "node %s (cluster %s) is held by the operator: nothing is asked",
              node, cluster->name);
  } else if (health->was_told) {
    health->was_told = false;
    log_write(LOG_LEVEL_NOTICE, "node %s (cluster %s) answers again: %s", node,
              cluster->name, state);
  } else if (log_repeat_due(&health->role_repeat, now_ns)) {
    log_write(LOG_LEVEL_INFO, "node %s (cluster %s) is %s", node, cluster->name,
              state);
  }
}

void health_tell(struct health *health, struct cluster_health *cluster,
                 const char *node, const struct error *outcome,
                 bool has_changed, int64_t now_ns) {
  if (is_bad(health->state))
    tell_bad(health, cluster, node, outcome, has_changed, now_ns);
  else if (has_changed)
    tell_good(health, cluster, node, now_ns);
}

void health_leave(const struct health *health, struct cluster_health *cluster,
                  const char *why) {
  cluster->n_nodes--;
  cluster->n_down -= is_bad(health->state);
  if (why && cluster->n_nodes == 0 && cluster->was_noticed)
    notice_gone(&cluster->notices, EVENT_CLUSTER_UP, cluster->name,
                cluster->name, "%s", why);
}
