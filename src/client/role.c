/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/cluster_parts.h"

/* Who was active until now: another one with its NodeID. */
static struct member *find_predecessor(const struct member *member) {
  struct member *other;
  TAILQ_FOREACH(other, &member->cluster->members, beside) {
    if (bonds_are_one(member, other) && other->bond != BOND_ALIAS &&
        other->role == ROLE_ACTIVE)
      return other;
  }
  return NULL;
}

static bool has_peer(const struct member *member) {
  const struct member *other;
  TAILQ_FOREACH(other, &member->cluster->members, beside) {
    if (bonds_are_one(member, other))
      return true;
  }
  return false;
}

/* In whose place it stands now is that one's backup, until it says otherwise:
 * when it becomes active again that is a change. */
static void become_active(struct member *member) {
  struct member *before = find_predecessor(member);
  bool is_change = member->role == ROLE_BACKUP;
  member->role = ROLE_ACTIVE;
  if (member->bond == BOND_ALIAS)
    return;
  if (before)
    before->role = ROLE_BACKUP;
  if (is_change)
    member_tell(member, LOG_LEVEL_NOTICE, EVENT_ROLE_CHANGED,
                "it is active now%s%s", before ? ", in place of " : "",
                before ? before->name : "");
}

static void become_backup(struct member *member) {
  bool is_change = member->role == ROLE_ACTIVE && !has_peer(member);
  member->role = ROLE_BACKUP;
  if (is_change)
    member_tell(member, LOG_LEVEL_NOTICE, EVENT_ROLE_CHANGED,
                "it is a backup now, and was active");
}

void role_round(struct member *member, bool has_changed) {
  if (!has_changed || member->is_alternating)
    return;
  if (member->health.state == NODE_ACTIVE)
    become_active(member);
  else if (member->health.state == NODE_BACKUP)
    become_backup(member);
}
