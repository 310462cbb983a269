/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/monitor_state.h"

#include "base/clock.h"
#include "client/translate.h"

#include <stdlib.h>
#include <string.h>

/* -- Clusters -- */

/* Samples of a cluster's sums in a turn, and how long until the next: 25,000 a
 * second, within half of what the budget gives. */
#define SUMS_TURN 500
#define SUMS_PAUSE_NS (20 * CLOCK_NS_PER_MS)

static void send_sums(void *cookie, int64_t now_ns) {
  struct monitor_cluster *cluster = cookie;
  if (cluster_send(cluster->cluster, SUMS_TURN))
    client_timer_set(cluster->monitor->client, &cluster->sending,
                     now_ns + SUMS_PAUSE_NS);
}

void monitored_tick_cluster(struct monitored *node, int64_t now_ns) {
  if (cluster_tick(node->member, now_ns, clock_wall_ns()))
    send_sums(node->cluster, now_ns);
}

static bool has_partial_sums(const struct monitor *monitor, const char *name) {
  const struct cluster_settings *settings =
      settings_cluster(monitor->settings, name);
  return settings && settings->partial_sums;
}

static struct monitor_cluster *make_cluster(struct monitor *monitor,
                                            const char *name) {
  struct monitor_cluster *cluster = calloc(1, sizeof(*cluster));
  if (!cluster)
    return NULL;
  const struct cluster_options options = {
      .name = name,
      .is_once = monitor->is_once,
      .has_partial_sums = has_partial_sums(monitor, name),
      .notices = monitor->notices,
      .samples = {.dispatch = outflow_dispatch, .cookie = &monitor->outflow},
      .share = client_node_share_ceiling};
  cluster->monitor = monitor;
  cluster->sending = (struct timer){.fire = send_sums, .cookie = cluster};
  cluster->cluster = cluster_new(&options);
  if (!cluster->cluster || roster_add(&monitor->clusters, &cluster->entry,
                                      cluster_name(cluster->cluster))) {
    cluster_free(cluster->cluster);
    free(cluster);
    return NULL;
  }
  return cluster;
}

static struct member_options as_member(const struct monitored *node) {
  return (struct member_options){.name = node->name,
                                 .node = node->node,
                                 .interval_ns = node->interval_ns,
                                 .max_queues =
                                     node->settings->queues.max_queues};
}

void monitored_apply_clusters(struct monitor *monitor) {
  for (size_t i = 0; i < monitor->clusters.n; i++) {
    struct cluster *cluster =
        ((struct monitor_cluster *)monitor->clusters.entries[i])->cluster;
    cluster_set_partial_sums(cluster,
                             has_partial_sums(monitor, cluster_name(cluster)));
  }
}

static enum status join_cluster(struct monitored *node) {
  struct monitor *monitor = node->monitor;
  const char *name = node->settings->cluster;
  node->cluster =
      (struct monitor_cluster *)roster_find(&monitor->clusters, name);
  if (!node->cluster)
    node->cluster = make_cluster(monitor, name);
  if (!node->cluster)
    return STATUS_NO_MEMORY;
  const struct member_options options = as_member(node);
  return cluster_join(node->cluster->cluster, &options, &node->member);
}

static void leave_cluster(struct monitored *node, const char *why) {
  struct monitor_cluster *cluster = node->cluster;
  cluster_leave(node->member, why);
  node->member = NULL;
  node->cluster = NULL;
  if (!cluster || cluster_n_members(cluster->cluster) > 0)
    return;
  client_timer_clear(node->monitor->client, &cluster->sending);
  roster_remove(&node->monitor->clusters, &cluster->entry);
  cluster_free(cluster->cluster);
  free(cluster);
}

/* -- One node -- */

static void on_sample(void *cookie, const struct sample *sample) {
  struct monitored *node = cookie;
  cluster_sample(node->member, sample);
  outflow_dispatch(&node->monitor->outflow, sample);
}

static struct scrape *make_scrape(struct monitored *node) {
  struct monitor *monitor = node->monitor;
  struct scrape_settings settings =
      translate_scrape(node->settings, monitor->default_interval_ns);
  struct sample_sink sink = {.dispatch = on_sample, .cookie = node};
  return scrape_new(&settings, &sink);
}

static enum status no_memory(const struct node_settings *settings,
                             struct error *error) {
  return error_set(error, STATUS_NO_MEMORY, "node %s: no memory",
                   settings->name);
}

static enum status node_options_of(const struct monitor *monitor,
                                   const struct node_settings *settings,
                                   struct node_options *ret,
                                   struct error *error) {
  enum status status = translate_node(monitor->settings, settings,
                                      monitor->default_interval_ns, ret, error);
  if (status == STATUS_OK && !monitor->is_once)
    ret->round_ns =
        translate_interval_ns(settings, monitor->default_interval_ns);
  return status;
}

/* All that can fail. */
static enum status fill(struct monitored *node, struct error *error) {
  struct monitor *monitor = node->monitor;
  const struct node_settings *settings = node->settings;
  struct node_options options;
  enum status status = node_options_of(monitor, settings, &options, error);
  if (status)
    return status;
  node->name = strdup(settings->name);
  node->scrape = make_scrape(node);
  if (!node->name || !node->scrape)
    return no_memory(settings, error);
  status = translate_mbeans(settings, node->scrape, error);
  if (status)
    return status;
  status = client_node_add(monitor->client, &options, &node->node, error);
  if (status)
    return status;
  if (join_cluster(node) ||
      roster_add(&monitor->nodes, &node->entry, node->name))
    return no_memory(settings, error);
  return STATUS_OK;
}

/* However much of it there is. */
static void node_free(struct monitored *node) {
  node->is_closing = true;
  leave_cluster(node, NULL);
  if (node->node)
    client_node_remove(node->node);
  scrape_free(node->scrape);
  free(node->name);
  free(node);
}

enum status monitored_add(struct monitor *monitor,
                          const struct node_settings *settings,
                          struct monitored **ret, struct error *error) {
  if (roster_find(&monitor->nodes, settings->name))
    return error_set(error, STATUS_INVALID,
                     "there is a node %s already: give this one another name",
                     settings->name);
  struct monitored *node = calloc(1, sizeof(*node));
  if (!node)
    return no_memory(settings, error);
  node->monitor = monitor;
  node->settings = settings;
  node->interval_ns =
      translate_interval_ns(settings, monitor->default_interval_ns);
  rounds_init(node);
  enum status status = fill(node, error);
  if (status) {
    node_free(node);
    return status;
  }
  *ret = node;
  return STATUS_OK;
}

void monitored_leave(struct monitored *node, const char *why) {
  struct monitor *monitor = node->monitor;
  node->is_closing = true;
  rounds_fini(node);
  client_node_close(node->node);
  roster_remove(&monitor->nodes, &node->entry);
  leave_cluster(node, why);
  TAILQ_INSERT_TAIL(&monitor->leaving, node, leaving);
}

bool monitored_free_one(struct monitor *monitor) {
  struct monitored *node = TAILQ_FIRST(&monitor->leaving);
  if (!node)
    return false;
  TAILQ_REMOVE(&monitor->leaving, node, leaving);
  node_free(node);
  return true;
}

struct monitored *monitored_find(const struct monitor *monitor,
                                 const char *name) {
  return (struct monitored *)roster_find(&monitor->nodes, name);
}

struct monitored *monitored_at(const struct monitor *monitor, size_t i) {
  return (struct monitored *)monitor->nodes.entries[i];
}

/* The ceiling's permit timeouts hang on the interval, and Instances may be
 * others: the client looks itself at what is new. */
static enum status reconfigure(struct monitored *node,
                               const struct node_settings *settings,
                               struct error *error) {
  struct node_options options;
  enum status status =
      node_options_of(node->monitor, settings, &options, error);
  return status ? status : client_node_reconfigure(node->node, &options, error);
}

enum status monitored_change(struct monitored *node,
                             const struct node_settings *settings,
                             unsigned changes, int64_t now_ns,
                             struct error *error) {
  enum status status = reconfigure(node, settings, error);
  if (status)
    return status;
  node->settings = settings;
  node->interval_ns =
      translate_interval_ns(settings, node->monitor->default_interval_ns);
  const struct member_options options = as_member(node);
  member_set(node->member, &options);
  if (changes & (CHANGED_FILTERS | CHANGED_TIMES))
    node->is_scrape_stale = true;
  if (node->monitor->is_started)
    rounds_move(node, now_ns);
  return STATUS_OK;
}

void monitored_renew_scrape(struct monitored *node) {
  if (!node->is_scrape_stale)
    return;
  for (unsigned tier = 0; tier < TIER_COUNT; tier++)
    if (node->rounds[tier].is_running)
      return;
  struct scrape *scrape = make_scrape(node);
  if (!scrape)
    return; /* the old one does, until there is memory */
  scrape_free(node->scrape);
  node->scrape = scrape;
  node->is_scrape_stale = false;
}

void monitored_send_self(struct monitored *node, int64_t now_ns) {
  struct monitor *monitor = node->monitor;
  if (!monitor->want_self_metrics)
    return;
  int64_t wall_ns = clock_wall_ns();
  const struct health *health = member_health(node->member);
  struct host_totals host;
  client_node_host(node->node, &host);
  struct self_now now = {
      .node = node->name,
      .cluster = cluster_name(node->cluster->cluster),
      .level = node->settings->self_metrics,
      .mono_ns = now_ns,
      .wall_ns = wall_ns,
      .interval_ns = node->interval_ns,
      .stats = client_node_stats(node->node),
      .host = &host,
      .counts = scrape_counts(node->scrape),
      .ceiling = client_node_ceiling(node->node),
      .state = health->state,
      .is_known = health->is_known,
      .is_up = health->is_up,
      .scrape_ns = node->has_new_scrape_ns ? node->scrape_ns : CLOCK_NEVER,
      .skipped = node->n_skipped,
      .stretched = node->stretch.n,
      .set_aside = scrape_counts(node->scrape)->set_aside,
      .certificate_left_ns =
          client_node_certificate_left_ns(node->node, wall_ns)};
  struct sample_sink sink = {.dispatch = outflow_dispatch,
                             .cookie = &monitor->outflow};
  if (!selfmetrics_send(&node->self_last, &now, &sink))
    return;
  node->has_new_scrape_ns = false;
  client_node_stats_reset_max(node->node);
}
