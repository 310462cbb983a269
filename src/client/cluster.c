/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/cluster_parts.h"

#include <stdlib.h>
#include <string.h>

struct cluster *cluster_new(const struct cluster_options *options) {
  struct cluster *cluster = calloc(1, sizeof(*cluster));
  char *name = strdup(options->name);
  if (!cluster || !name) {
    free(cluster);
    free(name);
    return NULL;
  }
  cluster->name = name;
  cluster->notices = options->notices;
  cluster->samples = options->samples;
  cluster->has_partial_sums = options->has_partial_sums;
  cluster->share = options->share;
  cluster->health.name = name;
  cluster->health.notices = options->notices;
  TAILQ_INIT(&cluster->members);
  return cluster;
}

void cluster_free(struct cluster *cluster) {
  if (!cluster)
    return;
  free(cluster->name);
  free(cluster);
}

const char *cluster_name(const struct cluster *cluster) {
  return cluster->name;
}

size_t cluster_n_members(const struct cluster *cluster) {
  return cluster->health.n_nodes;
}

void cluster_set_partial_sums(struct cluster *cluster, bool has_partial_sums) {
  cluster->has_partial_sums = has_partial_sums;
}

enum status cluster_join(struct cluster *cluster,
                         const struct member_options *options,
                         struct member **ret) {
  struct member *member = calloc(1, sizeof(*member));
  char *name = strdup(options->name);
  if (!member || !name) {
    free(member);
    free(name);
    return STATUS_NO_MEMORY;
  }
  member->cluster = cluster;
  member->name = name;
  member->node = options->node;
  member->interval_ns = options->interval_ns;
  TAILQ_INSERT_TAIL(&cluster->members, member, beside);
  cluster->health.n_nodes++;
  *ret = member;
  return STATUS_OK;
}

void cluster_leave(struct member *member) {
  if (!member)
    return;
  struct cluster *cluster = member->cluster;
  TAILQ_REMOVE(&cluster->members, member, beside);
  health_leave(&member->health, &cluster->health);
  free(member->name);
  free(member);
}

void cluster_round(struct member *member, const struct member_round *round,
                   int64_t now_ns) {
  struct cluster_health *all = &member->cluster->health;
  bool has_changed = health_round(&member->health, all, round->outcome,
                                  round->identity, round->hold, now_ns);
  health_tell(&member->health, all, member->name, round->outcome, has_changed,
              now_ns);
}

void cluster_sample(struct member *member, const struct sample *sample) {
  (void)member;
  (void)sample;
}

bool cluster_tick(struct member *member, int64_t now_ns, int64_t wall_ns) {
  (void)member;
  (void)now_ns;
  (void)wall_ns;
  return false;
}

bool cluster_send(struct cluster *cluster, size_t max) {
  (void)cluster;
  (void)max;
  return false;
}

const struct health *member_health(const struct member *member) {
  return &member->health;
}

const char *bond_name(enum bond bond) {
  static const char *const names[] = {[BOND_NONE] = "none",
                                      [BOND_PAIR] = "pair",
                                      [BOND_ALIAS] = "alias",
                                      [BOND_SPLIT] = "split"};
  return names[bond];
}

void member_view(const struct member *member, struct member_view *ret) {
  (void)member;
  *ret = (struct member_view){.bond = BOND_NONE};
}
