/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/cluster_parts.h"

#include "base/log.h"

void cluster_sample(struct member *member, const struct sample *sample) {
  if (member->part.is_on)
    sums_part_sample(&member->part, sample);
}

/* -- Who has answered -- */

static bool has_answered(const struct member *member, int64_t now_ns) {
  return member->answered_ns != 0 && member->health.is_up &&
         now_ns - member->answered_ns <= member->interval_ns * 3 / 2;
}

/* Its last round was whole, and is not older than one that was missed. */
static bool has_queues(const struct member *member, int64_t now_ns) {
  return member->part.has_whole && member->told.is_active &&
         has_answered(member, now_ns) && member->part.at_ns != 0 &&
         now_ns - member->part.at_ns <= member->interval_ns * 3 / 2;
}

/* A backup has no queues; those of one that is down are its pair's, once that
 * one is active. */
static bool is_accounted_for(const struct member *member, int64_t now_ns) {
  const struct member *other;
  if (has_queues(member, now_ns) ||
      (member->health.state == NODE_BACKUP && has_answered(member, now_ns)))
    return true;
  TAILQ_FOREACH(other, &member->cluster->members, beside) {
    if (bonds_are_one(member, other) && has_queues(other, now_ns))
      return true;
  }
  return false;
}

/* -- The sums -- */

static bool make_sums(struct cluster *cluster, int64_t now_ns) {
  const struct member *member;
  sums_begin(&cluster->sums);
  TAILQ_FOREACH(member, &cluster->members, beside) {
    if (member->bond == BOND_ALIAS)
      continue;
    if (!cluster->has_partial_sums && !is_accounted_for(member, now_ns))
      return false;
    if (has_queues(member, now_ns) &&
        !sums_add(&cluster->sums, &member->part)) {
      if (!cluster->is_too_much_told)
        log_write(LOG_LEVEL_WARNING,
                  "cluster %s: no sums over its queues: its nodes have more "
                  "than %d together, or there is no memory: exclude some",
                  cluster->name, SUMS_ENTRIES_MAX);
      cluster->is_too_much_told = true;
      return false;
    }
  }
  return cluster->sums.list.n > 0;
}

static struct sample sample_of(const struct cluster *cluster) {
  return (struct sample){.host = cluster->name,
                         .plugin = "artemis",
                         .plugin_instance = "",
                         .time_ns = cluster->tick_wall_ns,
                         .interval_ns = cluster->tick_interval_ns};
}

static void send_nodes(const struct cluster *cluster, int64_t now_ns) {
  const struct sample_sink *sink = &cluster->samples;
  struct sample sample = sample_of(cluster);
  const struct member *member;
  size_t n_answered = 0;
  TAILQ_FOREACH(member, &cluster->members, beside)
  n_answered += has_answered(member, now_ns);
  sample.plugin = "jolokia";
  sample.plugin_instance = cluster->name;
  sample.type = "gauge";
  sample.type_instance = "nodes";
  sample.gauge = (double)cluster->health.n_nodes;
  sink->dispatch(sink->cookie, &sample);
  sample.is_of_last = true;
  sample.type_instance = "nodes_answered";
  sample.gauge = (double)n_answered;
  sink->dispatch(sink->cookie, &sample);
}

/* The first of those with the longest interval; looked for once, until a member
 * joins, changes or leaves. */
static const struct member *leader_of(struct cluster *cluster) {
  const struct member *member;
  if (cluster->leader)
    return cluster->leader;
  cluster->leader = TAILQ_FIRST(&cluster->members);
  TAILQ_FOREACH(member, &cluster->members, beside) {
    if (member->interval_ns > cluster->leader->interval_ns)
      cluster->leader = member;
  }
  return cluster->leader;
}

bool cluster_tick(struct member *member, int64_t now_ns, int64_t wall_ns) {
  struct cluster *cluster = member->cluster;
  if (cluster->health.n_nodes < 2 || member != leader_of(cluster))
    return false;
  /* The leader, or the clock, is another one. */
  if (cluster->tick_ns != 0 &&
      (now_ns - cluster->tick_ns < member->interval_ns / 2 ||
       wall_ns - cluster->tick_wall_ns < member->interval_ns / 2))
    return false;
  if (cluster->is_sending) /* this tick's are left out */
    return true;
  cluster->tick_ns = now_ns;
  cluster->tick_wall_ns = wall_ns;
  cluster->tick_interval_ns = member->interval_ns;
  send_nodes(cluster, now_ns);
  cluster->is_sending = make_sums(cluster, now_ns);
  return cluster->is_sending;
}

bool cluster_send(struct cluster *cluster, size_t max) {
  struct sample sample = sample_of(cluster);
  if (cluster->is_sending)
    cluster->is_sending =
        sums_send(&cluster->sums, &sample, &cluster->samples, max);
  return cluster->is_sending;
}
