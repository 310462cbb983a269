/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_MONITOR_STATE_H
#define CLIENT_MONITOR_STATE_H

/* What the monitor is made of. Private to client/.
 *
 * monitor    all nodes, by name, and their clusters (monitor.c), when the
 *            settings are others, too (monitor_apply.c)
 * monitored  one node: what is asked of it and what came of it (monitored.c)
 * round      one tier of it: its ticks, and the requests of one tick (rounds.c)
 * outflow    the samples of all of them, within the budget (outflow.c) */

#include "client/budget.h"
#include "client/discovery.h"
#include "client/monitor.h"
#include "client/roster.h"
#include "client/selfmetrics.h"
#include "client/stretch.h"
#include "client/tick.h"

#include <sys/queue.h>

/* One tier of one node. */
struct round {
  struct monitored *node;
  enum tier tier;
  struct timer timer; /* of its ticks */
  struct tick tick;
  bool is_due;     /* waits for its node to be well */
  bool is_running; /* from scrape_begin() until scrape_next() says no more */
  bool is_over;    /* it has run, for is_once */
  struct job *job; /* in flight, or NULL */
  int64_t started_ns;
  struct round *next_paused;
  bool is_paused;
};

/* Goes when its last node does. */
struct monitor_cluster {
  struct roster_entry entry; /* first: its address is the cluster's */
  struct cluster *cluster;
  struct monitor *monitor;
  struct timer sending; /* of its sums */
};

struct monitored {
  struct roster_entry entry; /* first: its address is the node's */
  TAILQ_ENTRY(monitored) leaving;
  struct monitor *monitor;
  char *name;
  const struct node_settings *settings;
  struct monitor_cluster *cluster;
  struct member *member; /* of it */
  int64_t interval_ns;
  struct node *node;
  struct scrape *scrape;
  struct stretch stretch;
  struct self_last self_last;
  struct round rounds[TIER_COUNT];
  struct error why; /* of the last fast round */
  int64_t scrape_ns;
  int64_t permit_wait_ns; /* of the fast round */
  bool has_new_scrape_ns;
  bool is_self_sent;    /* for is_once */
  bool is_discovered;   /* of monitor_add() */
  bool is_named;        /* while monitor_apply() compares: it is in the new
                           settings ... */
  bool is_kept;         /* ... and stays */
  bool is_scrape_stale; /* of settings before: a new one when no round runs */
  bool is_closing;
  uint64_t n_rounds;
  uint64_t n_skipped;
};

struct outflow {
  struct client *client;
  struct sample_sink sink;
  struct budget budget;
  struct timer refill;
  struct round *paused_first; /* in the order in which they paused */
  struct round *paused_last;
};

struct monitor {
  struct client *client;
  const struct settings *settings;
  struct notice_sink notices;
  int64_t default_interval_ns;
  bool is_once;
  bool want_self_metrics;
  bool is_started;
  int64_t start_ns; /* of all ticks */
  struct roster nodes;
  struct roster clusters;
  TAILQ_HEAD(, monitored) leaving; /* not in ${nodes} any more */
  struct discovery *discovery;     /* NULL: not wanted */
  struct outflow outflow;
  bool has_other_instances; /* while monitor_apply() compares */
  struct timer changing;    /* frees those that leave, adds those that come */
  size_t n_joined; /* of the settings' nodes, [0, n_joined) were looked at */
};

/* outflow.c */

void outflow_init(struct outflow *outflow, struct client *client,
                  const struct sample_sink *sink);
void outflow_fini(struct outflow *outflow);

/* outflow_dispatch(cookie, sample): a sample_sink's, of a struct outflow: on to
 * the sink, taken from the budget. */
void outflow_dispatch(void *cookie, const struct sample *sample);

/* outflow_row(outflow): rows come, maybe in a new turn.
 * outflow_is_spent(outflow, round): after a row: none may follow now; ${round}
 * is paused until it is its turn. */
void outflow_row(struct outflow *outflow);
bool outflow_is_spent(struct outflow *outflow, struct round *round);

/* outflow_leave(outflow, round): its job is over, or going: it waits no longer.
 * outflow_resume(outflow): the one that has been paused longest goes on, if the
 * budget has anything left. */
void outflow_leave(struct outflow *outflow, struct round *round);
void outflow_resume(struct outflow *outflow);

/* rounds.c */

/* rounds_init(node), rounds_start(node, now_ns): the ticks begin, on the grid
 * of the monitor's start; at once with is_once. rounds_move(node, now_ns): its
 * intervals changed: the ticks go on, on the grid of the new ones, none less
 * than half an interval after the last. */
void rounds_init(struct monitored *node);
void rounds_start(struct monitored *node, int64_t now_ns);
void rounds_move(struct monitored *node, int64_t now_ns);
void rounds_fini(struct monitored *node);

/* rounds_are_over(node): of each tier that has anything to ask, with is_once.
 */
bool rounds_are_over(const struct monitored *node);

/* monitor_apply.c */

void apply_init(struct monitor *monitor);
void apply_fini(struct monitor *monitor);

/* apply_go_on(monitor, now_ns): there may be nodes that leave or come: some of
 * them in the next turn, and so on. */
void apply_go_on(struct monitor *monitor, int64_t now_ns);

/* apply_keep(node, settings, now_ns): its settings are these now, as of
 * monitor_apply(); false: it cannot stay, and has the ones before. */
bool apply_keep(struct monitored *node, const struct node_settings *settings,
                int64_t now_ns);

/* monitor_discovery.c */

/* members_init(monitor, error): discovery begins. STATUS_NO_MEMORY.
 * members_round(node, before, now_ns): its fast round is over; ${before}: its
 * state before that. members_rest(monitor, now_ns): with is_once: a round is
 * over, maybe the last. members_apply(monitor, now_ns): of monitor_apply(). */
enum status members_init(struct monitor *monitor, struct error *error);
void members_round(struct monitored *node, enum node_state before,
                   int64_t now_ns);
void members_rest(struct monitor *monitor, int64_t now_ns);
void members_apply(struct monitor *monitor, int64_t now_ns);

/* monitored.c */

/* monitored_add(monitor, settings, ret, error): as of monitor_add(), without
 * its ticks. monitored_leave(node, why): no request and no sample of it
 * follows, and its settings may go; ${why} as of cluster_leave(). What it is
 * made of goes later: monitored_free_one(monitor): that of one; false: there is
 * none. */
enum status monitored_add(struct monitor *monitor,
                          const struct node_settings *settings,
                          struct monitored **ret, struct error *error);
void monitored_leave(struct monitored *node, const char *why);
bool monitored_free_one(struct monitor *monitor);

struct monitored *monitored_find(const struct monitor *monitor,
                                 const char *name);
struct monitored *monitored_at(const struct monitor *monitor, size_t i);

/* monitored_change(node, settings, changes, error): its settings are these from
 * now on; ${changes} as of settings_node_changes(), of which CHANGED_URL and
 * CHANGED_OTHER are not for this. As of client_node_reconfigure(), and nothing
 * changed where that fails. */
enum status monitored_change(struct monitored *node,
                             const struct node_settings *settings,
                             unsigned changes, int64_t now_ns,
                             struct error *error);

/* monitored_renew_scrape(node): where its scrape is of settings before and no
 * round of it runs. */
void monitored_renew_scrape(struct monitored *node);

/* monitored_apply_clusters(monitor): what the settings say of clusters. */
void monitored_apply_clusters(struct monitor *monitor);

/* monitored_tick_cluster(node, now_ns): as of cluster_tick(); its sums go out
 * in this turn and the ones that follow. */
void monitored_tick_cluster(struct monitored *node, int64_t now_ns);

/* monitored_send_self(node, now_ns): the values about ourselves. */
void monitored_send_self(struct monitored *node, int64_t now_ns);

#endif
