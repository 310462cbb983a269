/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_DISCOVERY_STATE_H
#define CLIENT_DISCOVERY_STATE_H

/* What discovery is made of. Private to client/.
 *
 * discovery    all clusters that discover, and what is configured (discovery.c)
 * discovered   one of them: what its nodes have said of themselves, and when
 *              one is asked for the topology (discovered.c)
 * candidate    a member that is no configured node (candidate.c), from its
 *              first naming over its probe (candidate_probe.c) to its end */

#include "artemis/probe.h"
#include "artemis/topology.h"
#include "base/log.h"
#include "client/discovery.h"
#include "client/roster.h"

/* How many candidates of a cluster are probed at once. */
#define PROBES_MAX 2

/* Beside as many as MaxNodes lets in, so many that are refused are kept. */
#define REFUSED_MAX 64

/* Lines and notices about refused members, of one topology. */
#define TELL_MAX 8

/* A refused login is not tried at the next discovery: three in 15 minutes lock
 * accounts. So long after the first one, then twice as long each time. */
#define AUTH_WAIT_NS (900 * CLOCK_NS_PER_S)
#define AUTH_WAIT_MAX_NS (86400 * CLOCK_NS_PER_S)

struct candidate {
  struct discovered *cluster;
  struct candidate *next;
  struct topology_core core;
  char core_text[300]; /* "host:port" */
  char node_id[64];
  bool is_backup;
  bool is_named;      /* in the last topology */
  int64_t unnamed_ns; /* since when not */
  int64_t answered_ns;
  enum discovery_state state;
  struct error why;
  enum status told; /* the kind of ${why} that was told last */
  struct url *url;  /* NULL: none is known, or it is not allowed */
  char broker_name[256];
  char *name;                     /* NULL while it has none */
  struct node_settings *settings; /* NULL before the first probe */
  /* of the probe */
  struct probe_reader *reader;
  struct node *node;
  bool is_answered;
  struct error answer;
  int http_status;
  int64_t next_probe_ns;
  int64_t auth_wait_ns;
};

/* What a node of the cluster said of itself in its last round. */
struct self {
  struct roster_entry entry; /* first: its address is the node's */
  char *name;
  uint64_t url_hash;
  char node_id[64];
  char broker_name[256];
  enum node_state state;
};

struct asking;

struct discovered {
  struct roster_entry entry; /* first: its address is the cluster's */
  struct discovery *discovery;
  char *name;
  const struct cluster_settings *settings;
  struct topology_override *overrides;
  struct topology_rules rules;
  struct roster selves;
  struct candidate *candidates;
  size_t n_candidates;
  size_t n_configured; /* nodes in the settings */
  size_t n_tellable;   /* more may be told of this topology */
  bool has_work;
  bool was_odd_told;
  /* asking for the topology */
  struct asking *asking; /* one at a time */
  int64_t first_ns;      /* of the first round */
  bool had_round;
  int64_t due_ns;
  int64_t asked_ns;
  char *failed; /* the node that failed last; NULL: it did not */
  unsigned n_failures;
  bool was_asked;
  struct error why;
  struct log_repeat repeat;
};

struct discovery {
  struct client *client;
  const struct settings *settings;
  int64_t default_interval_ns;
  struct discovery_sink sink;
  struct notice_sink notices;
  struct timer timer; /* what must not be done within a round or a job */
  struct roster clusters;
  /* Of the configured nodes, as hashes in order. */
  uint64_t *names;
  uint64_t *url_keys;
  size_t n_configured;
};

/* discovery.c */

/* discovery_wake(cluster, now_ns): its candidates are worked at, soon. */
void discovery_wake(struct discovered *cluster, int64_t now_ns);

bool discovery_has_name(const struct discovery *discovery, const char *name);
bool discovery_has_url(const struct discovery *discovery, const char *url_key);

/* discovered.c */

/* discovered_new(discovery, settings): NULL without memory.
 * discovered_set(cluster, settings): false without memory. */
struct discovered *discovered_new(struct discovery *discovery,
                                  const struct cluster_settings *settings);
bool discovered_set(struct discovered *cluster,
                    const struct cluster_settings *settings);
void discovered_free(struct discovered *cluster);

/* discovered_round(): as discovery_round(), for its cluster. */
void discovered_round(struct discovered *cluster,
                      const struct discovery_round *round, int64_t now_ns);

/* discovered_due(cluster, at_ns): asks again then at the latest. */
void discovered_due(struct discovered *cluster, int64_t at_ns);

/* discovered_forget_selves(cluster): what nodes have said. */
void discovered_forget_selves(struct discovered *cluster);

/* candidate.c: from being named to being probed */

/* candidates_take(cluster, topology, now_ns): what one of its brokers said. */
void candidates_take(struct discovered *cluster,
                     const struct topology *topology, int64_t now_ns);

/* candidate_node.c: from the probe's answer to its end */

/* candidates_work(cluster, now_ns): ends probes and begins others, drops who is
 * gone. */
void candidates_work(struct discovered *cluster, int64_t now_ns);

/* candidates_apply(cluster, has_changed, now_ns): the cluster's settings
 * (${has_changed}), or what is configured beside it, are others. Where its own
 * are not, nothing is told again and no refused login is tried again. */
void candidates_apply(struct discovered *cluster, bool has_changed,
                      int64_t now_ns);

/* candidates_end(cluster): none is a node any more. candidates_fini(cluster):
 * the same without a word to the sink. */
void candidates_end(struct discovered *cluster);
void candidates_fini(struct discovered *cluster);

struct candidate *candidate_of_node(const struct discovered *cluster,
                                    const char *name);

/* candidate_free(candidate): no node; leaves the cluster. */
void candidate_free(struct candidate *candidate);

/* candidate_judge(candidate, status, url, why): of one that is no node and is
 * not being probed: what topology_url() gave. To be probed, or refused. */
void candidate_judge(struct candidate *candidate, enum status status,
                     const struct url *url, const struct error *why);

/* candidate_may_login(candidate, url): the password would not cross the network
 * in the clear, or may. */
bool candidate_may_login(const struct candidate *candidate,
                         const struct url *url);

/* candidate_settings(candidate): NULL without memory. */
struct node_settings *candidate_settings(const struct candidate *candidate);

/* candidate_other(candidate, is_it): another, of any cluster; NULL: none. */
const struct candidate *
candidate_other(const struct candidate *candidate,
                bool (*is_it)(const struct candidate *candidate,
                              const struct candidate *other));

/* candidate_refuse(candidate, kind, format, ...): and tells it, once. */
void candidate_refuse(struct candidate *candidate, enum status kind,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* candidate_fail(candidate, why, was_asked): likewise of a probe, or of what
 * kept it back: no permit in time, a hold, no memory. */
void candidate_fail(struct candidate *candidate, const struct error *why,
                    bool was_asked);

/* candidate_add(candidate, identity, now_ns): a broker answered there: a node,
 * if its name may be one. */
void candidate_add(struct candidate *candidate, const struct identity *identity,
                   int64_t now_ns);

/* candidate_probe.c */

/* probe_begin(candidate): its request is on its way, or it has failed.
 * probe_end(candidate, now_ns): what its answer comes to. probe_stop(). */
void probe_begin(struct candidate *candidate);
void probe_end(struct candidate *candidate, int64_t now_ns);
void probe_stop(struct candidate *candidate);

#endif
