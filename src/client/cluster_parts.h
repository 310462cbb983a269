/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_CLUSTER_PARTS_H
#define CLIENT_CLUSTER_PARTS_H

/* What a cluster is made of. Private to cluster.c, totals.c, bonds.c and
 * role.c. */

#include "client/cluster.h"
#include "client/sums.h"

#include <sys/queue.h>

/* So many rounds running, before it is believed. While one broker gives way to
 * another, what was last read of the first is a round old. */
#define BOND_ROUNDS 2
/* A NodeID that changed twice within this time alternates, until it has not for
 * as long. The identity is read at least every 300 s. */
#define ALTERNATING_NS (INT64_C(600) * 1000000000)
/* Between what two reads say of one broker's start: its clock's drift. */
#define BOOT_SLACK_NS (INT64_C(100) * 1000000)

TAILQ_HEAD(member_list, member);

struct cluster {
  char *name;
  struct notice_sink notices;
  struct sample_sink samples;
  bool has_partial_sums;
  unsigned bond_rounds; /* BOND_ROUNDS, or 1 where there is one alone */
  enum status (*share)(struct node *node, struct node *first);
  struct cluster_health health;
  struct member_list members;  /* in the order in which they joined */
  const struct member *leader; /* its ticks are the cluster's; NULL: not known
                                */
  struct sums sums;
  bool is_sending; /* they are not all handed over yet */
  int64_t tick_ns; /* of the last sums; 0: none were made */
  int64_t tick_wall_ns;
  int64_t tick_interval_ns;
  bool is_too_much_told;
};

/* What a member was, as far as it is settled: not while it starts or is down.
 */
enum role { ROLE_UNKNOWN, ROLE_ACTIVE, ROLE_BACKUP };

/* What its last round that a broker answered told. */
struct told {
  char node_id[sizeof(((struct identity *)0)->node_id)]; /* "": never one */
  char name[sizeof(((struct identity *)0)->broker_name)];
  bool is_active;
  int64_t at_ns; /* 0: none yet */
  bool has_boot; /* the broker started in between: */
  int64_t boot_from_ns;
  int64_t boot_to_ns;
};

struct member {
  TAILQ_ENTRY(member) beside;
  struct cluster *cluster;
  char *name;
  struct node *node;
  int64_t interval_ns;
  struct health health;
  struct told told;
  int64_t answered_ns; /* when it last did, as a broker or as one that starts */
  struct sums_part part;
  enum role role;
  enum bond bond;
  struct member *other; /* of the bond; NULL: none */
  bool is_other;        /* it has been another one's */
  unsigned as_alias;    /* rounds running that said so ... */
  unsigned as_another;  /* ... that said it is not */
  unsigned as_active;   /* ... beside another one that is active */
  bool is_sharing;      /* takes its permits from another one's ceiling */
  bool is_split_host;   /* the notice of the split pair was its */
  unsigned n_changes;   /* of its NodeID, each within ALTERNATING_NS */
  int64_t changed_ns;
  bool is_alternating;
  unsigned pinched, easy; /* rounds running */
  bool is_pinched;
  bool is_over_cap;
  unsigned within_cap;  /* rounds running */
  unsigned certificate; /* 0 well, 1 within 30 days, 2 within 7 */
};

/* member_tell(member, level, event, format, ...): a line of the log and a
 * notice with the same text. */
void member_tell(struct member *member, enum log_level level, enum event event,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* bonds.c: bonds_round(member, round, now_ns): a broker has answered: what it
 * is beside the others. bonds_leave(member, why): the others forget it; what
 * notices said of them beside it is over, as of cluster_leave(). */
void bonds_round(struct member *member, const struct member_round *round,
                 int64_t now_ns);
void bonds_leave(struct member *member, const char *why);

/* bonds_are_one(member, other): they have one NodeID. */
bool bonds_are_one(const struct member *member, const struct member *other);

/* role.c: role_round(member, has_changed): its state may be another. */
void role_round(struct member *member, bool has_changed);

#endif
