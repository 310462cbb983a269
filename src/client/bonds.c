/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/cluster_parts.h"

#include "base/clock.h"

#include <string.h>

bool bonds_are_one(const struct member *member, const struct member *other) {
  return member != other && member->told.node_id[0] &&
         strcmp(member->told.node_id, other->told.node_id) == 0;
}

/* What it told last is not older than a round that was missed. */
static bool is_fresh(const struct member *member, int64_t now_ns) {
  return member->told.at_ns != 0 && member->health.is_up &&
         now_ns - member->told.at_ns <= member->interval_ns * 3 / 2;
}

static bool is_same_broker(const struct told *a, const struct told *b) {
  return a->has_boot && b->has_boot && a->is_active == b->is_active &&
         strcmp(a->name, b->name) == 0 &&
         a->boot_from_ns <= b->boot_to_ns + BOOT_SLACK_NS &&
         b->boot_from_ns <= a->boot_to_ns + BOOT_SLACK_NS;
}

static void bond_with(struct member *member, enum bond bond,
                      struct member *other) {
  member->bond = bond;
  member->other = other;
  other->is_other = true;
}

/* -- A URL that leads now here, now there -- */

static void change_node_id(struct member *member, const char *node_id,
                           int64_t now_ns) {
  if (member->n_changes > 0 && now_ns - member->changed_ns > ALTERNATING_NS)
    member->n_changes = 0;
  member->n_changes++;
  member->changed_ns = now_ns;
  if (member->n_changes < 2 || member->is_alternating)
    return;
  member->is_alternating = true;
  member_tell(member, LOG_LEVEL_ERROR, EVENT_ALTERNATING,
              "now one broker answers at its URL, now another (NodeID %s, then "
              "%s), as behind a load balancer: give each broker a URL of its "
              "own",
              member->told.node_id, node_id);
}

static void end_alternating(struct member *member, int64_t now_ns) {
  if (!member->is_alternating || now_ns - member->changed_ns <= ALTERNATING_NS)
    return;
  member->is_alternating = false;
  member->n_changes = 0;
  member_tell(member, LOG_LEVEL_NOTICE, EVENT_ALTERNATING_OVER,
              "one broker alone has answered for ten minutes (NodeID %s)",
              member->told.node_id);
}

/* A replica that is not synchronised has no NodeID: its last one stands. */
static void take_told(struct member *member, const struct member_round *round,
                      int64_t now_ns) {
  struct told *told = &member->told;
  const struct identity *identity = round->identity;
  if (identity->node_id[0] && strcmp(told->node_id, identity->node_id) != 0) {
    if (told->node_id[0])
      change_node_id(member, identity->node_id, now_ns);
    memcpy(told->node_id, identity->node_id, sizeof(told->node_id));
  }
  end_alternating(member, now_ns);
  memcpy(told->name, identity->broker_name, sizeof(told->name));
  told->is_active = identity->is_active;
  told->at_ns = now_ns;
  told->has_boot = round->uptime_ms >= 0 &&
                   round->uptime_ms < INT64_MAX / 2 / CLOCK_NS_PER_MS;
  if (!told->has_boot)
    return;
  int64_t uptime_ns = round->uptime_ms * CLOCK_NS_PER_MS;
  told->boot_from_ns = round->started_ns - uptime_ns;
  told->boot_to_ns = now_ns - uptime_ns;
}

/* -- Two URLs, one broker -- */

/* The first of those before it that are the same broker. ${ret_is_told}: there
 * is one with its NodeID that could be compared. */
static struct member *find_first(struct member *member, int64_t now_ns,
                                 bool *ret_is_told) {
  struct member *other;
  *ret_is_told = false;
  TAILQ_FOREACH(other, &member->cluster->members, beside) {
    if (other == member)
      return NULL;
    if (!bonds_are_one(member, other) || !is_fresh(other, now_ns))
      continue;
    *ret_is_told = true;
    if (is_same_broker(&member->told, &other->told))
      return other;
  }
  return NULL;
}

static void end_alias(struct member *member) {
  member_tell(member, LOG_LEVEL_NOTICE, EVENT_ALIAS_OVER,
              "its URL and that of %s lead to two brokers%s",
              member->other->name,
              member->is_sharing ? ": it has a ceiling of its own again" : "");
  member->bond = BOND_NONE;
  member->other = NULL;
}

static void begin_alias(struct member *member, struct member *first) {
  if (first->other == member) { /* it was taken for a pair */
    first->bond = BOND_NONE;
    first->other = NULL;
  }
  bond_with(member, BOND_ALIAS, first);
  member_tell(member, LOG_LEVEL_WARNING, EVENT_ALIAS,
              "its URL leads to the same broker as that of %s (%s, NodeID %s): "
              "it takes its permits from that one's ceiling; remove one of the "
              "two",
              first->name, member->told.name, member->told.node_id);
}

static void judge_alias(struct member *member, int64_t now_ns) {
  bool is_told;
  struct member *first = find_first(member, now_ns, &is_told);
  if (member->is_alternating)
    first = NULL;
  else if (!first && !is_told && member->bond == BOND_ALIAS &&
           bonds_are_one(member, member->other))
    return; /* it is not heard of now */
  member->as_alias = first ? member->as_alias + 1 : 0;
  member->as_another = first ? 0 : member->as_another + 1;
  if (member->bond == BOND_ALIAS) {
    if (member->as_another >= member->cluster->bond_rounds)
      end_alias(member);
  } else if (member->as_alias >= member->cluster->bond_rounds) {
    begin_alias(member, first);
  }
}

/* What share() cannot do now it is asked again after the next round. */
static void follow_alias(struct member *member) {
  bool is_alias = member->bond == BOND_ALIAS;
  if (!member->cluster->share || is_alias == member->is_sharing)
    return;
  struct node *first = is_alias ? member->other->node : NULL;
  if (member->cluster->share(member->node, first) == STATUS_OK)
    member->is_sharing = is_alias;
}

/* -- Pairs -- */

static bool is_beside_active(const struct member *member,
                             const struct member *other, int64_t now_ns) {
  return bonds_are_one(member, other) && is_fresh(other, now_ns) &&
         other->told.is_active && !other->is_alternating &&
         other->bond != BOND_ALIAS &&
         !is_same_broker(&member->told, &other->told);
}

static void begin_split(struct member *member, struct member *other) {
  if (member->bond == BOND_SPLIT)
    return;
  bond_with(member, BOND_SPLIT, other);
  bond_with(other, BOND_SPLIT, member);
  member->is_split_host = true;
  member_tell(member, LOG_LEVEL_ERROR, EVENT_PAIR_SPLIT,
              "it and %s are active at once, with one NodeID (%s): both take "
              "messages (split brain); stop one of them",
              other->name, member->told.node_id);
}

static void end_split(struct member *member) {
  struct member *other = member->other;
  struct member *host = member->is_split_host ? member : other;
  member->bond = other->bond = BOND_NONE;
  member->other = other->other = NULL;
  host->is_split_host = false;
  member_tell(host, LOG_LEVEL_NOTICE, EVENT_PAIR_WHOLE,
              "%s is active no longer beside %s", member->name, other->name);
}

static void judge_split(struct member *member, int64_t now_ns) {
  struct member *found = NULL;
  struct member *other;
  if (member->told.is_active && !member->is_alternating &&
      member->bond != BOND_ALIAS)
    TAILQ_FOREACH(other, &member->cluster->members, beside) {
      if (is_beside_active(member, other, now_ns))
        found = other;
    }
  member->as_active = found ? member->as_active + 1 : 0;
  if (found && member->as_active >= member->cluster->bond_rounds &&
      found->as_active + 1 >= member->cluster->bond_rounds)
    begin_split(member, found);
  else if (!found && member->bond == BOND_SPLIT)
    end_split(member);
}

/* A pair stays one while one of them is down. */
static void judge_pair(struct member *member) {
  struct member *other;
  if (member->bond == BOND_ALIAS || member->bond == BOND_SPLIT)
    return;
  member->bond = BOND_NONE;
  member->other = NULL;
  TAILQ_FOREACH(other, &member->cluster->members, beside) {
    if (!bonds_are_one(member, other) || other->bond == BOND_ALIAS ||
        other->bond == BOND_SPLIT)
      continue;
    bond_with(member, BOND_PAIR, other);
    if (other->bond == BOND_NONE)
      bond_with(other, BOND_PAIR, member);
    return;
  }
}

void bonds_round(struct member *member, const struct member_round *round,
                 int64_t now_ns) {
  take_told(member, round, now_ns);
  judge_alias(member, now_ns);
  judge_split(member, now_ns);
  judge_pair(member);
  follow_alias(member);
}

static void tell_end(const struct member *member, const char *why) {
  const struct cluster *cluster = member->cluster;
  if (member->bond != BOND_ALIAS && !member->is_split_host)
    return;
  notice_gone(&cluster->notices,
              member->bond == BOND_ALIAS ? EVENT_ALIAS_OVER : EVENT_PAIR_WHOLE,
              member->name, cluster->name, "%s: %s", member->other->name, why);
}

/* At the end all go: without the first question 10,000 took 0.8 s. */
void bonds_leave(struct member *member, const char *why) {
  struct member *other;
  if (!member->is_other)
    return;
  TAILQ_FOREACH(other, &member->cluster->members, beside) {
    if (other == member || other->other != member)
      continue;
    if (why)
      tell_end(other, why);
    other->bond = BOND_NONE;
    other->other = NULL;
    other->is_split_host = false;
    other->as_alias = 0;
    other->as_active = 0;
  }
}
