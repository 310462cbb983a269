/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/monitor_state.h"

#include "base/clock.h"
#include "base/log.h"

#include <stdlib.h>

static enum status add_all(struct monitor *monitor, struct error *error) {
  const struct settings *settings = monitor->settings;
  for (size_t i = 0; i < settings->n_nodes; i++) {
    struct monitored *node;
    enum status status =
        monitored_add(monitor, &settings->nodes[i], &node, error);
    if (status)
      return status;
  }
  return STATUS_OK;
}

enum status monitor_new(struct client *client,
                        const struct monitor_options *options,
                        struct monitor **ret, struct error *error) {
  struct monitor *monitor = calloc(1, sizeof(*monitor));
  if (!monitor)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the monitor");
  *monitor =
      (struct monitor){.client = client,
                       .settings = options->settings,
                       .notices = options->notices,
                       .default_interval_ns = options->default_interval_ns,
                       .is_once = options->is_once,
                       .want_self_metrics = options->want_self_metrics};
  TAILQ_INIT(&monitor->leaving);
  outflow_init(&monitor->outflow, client, &options->sink);
  apply_init(monitor);
  enum status status = add_all(monitor, error);
  if (!status && options->want_discovery)
    status = members_init(monitor, error);
  if (status) {
    monitor_free(monitor);
    return status;
  }
  *ret = monitor;
  return STATUS_OK;
}

void monitor_free(struct monitor *monitor) {
  if (!monitor)
    return;
  apply_fini(monitor);
  discovery_free(monitor->discovery);
  while (monitor->nodes.n > 0)
    monitored_leave(monitored_at(monitor, monitor->nodes.n - 1), NULL);
  while (monitored_free_one(monitor))
    ;
  outflow_fini(&monitor->outflow);
  roster_fini(&monitor->nodes);
  roster_fini(&monitor->clusters);
  free(monitor);
}

void monitor_start(struct monitor *monitor, int64_t now_ns) {
  monitor->is_started = true;
  monitor->start_ns = now_ns;
  for (size_t i = 0; i < monitor->nodes.n; i++)
    rounds_start(monitored_at(monitor, i), now_ns);
}

enum status monitor_add(struct monitor *monitor,
                        const struct node_settings *settings, int64_t now_ns,
                        struct error *error) {
  struct monitored *node;
  enum status status = monitored_add(monitor, settings, &node, error);
  if (status)
    return status;
  node->is_discovered = true;
  if (monitor->is_started)
    rounds_start(node, now_ns);
  return STATUS_OK;
}

void monitor_remove(struct monitor *monitor, const char *name) {
  struct monitored *node = monitored_find(monitor, name);
  if (!node || !node->is_discovered)
    return;
  monitored_leave(node, "watched no longer");
  apply_go_on(monitor, clock_mono_ns());
}

bool monitor_is_done(const struct monitor *monitor) {
  if (!monitor->is_once)
    return false;
  for (size_t i = 0; i < monitor->nodes.n; i++)
    if (!rounds_are_over(monitored_at(monitor, i)))
      return false;
  return !monitor->discovery || discovery_is_idle(monitor->discovery);
}

size_t monitor_n_nodes(const struct monitor *monitor) {
  return monitor->nodes.n;
}

void monitor_view(const struct monitor *monitor, size_t i,
                  struct monitor_view *ret) {
  const struct monitored *node = monitored_at(monitor, i);
  *ret = (struct monitor_view){
      .name = node->name,
      .cluster = cluster_name(node->cluster->cluster),
      .url_key = node->settings->url_key,
      .settings = node->settings,
      .is_discovered = node->is_discovered,
      .state = member_health(node->member)->state,
      .is_up = member_health(node->member)->is_up,
      .why = &node->why,
      .identity = scrape_identity(node->scrape),
      .counts = scrape_counts(node->scrape),
      .over_queues = scrape_over_queues(node->scrape),
      .over_addresses = scrape_over_addresses(node->scrape),
      .stats = client_node_stats(node->node),
      .scrape_ns = node->scrape_ns,
      .certificate_left_ns =
          client_node_certificate_left_ns(node->node, clock_wall_ns()),
      .rounds = node->n_rounds,
      .skipped = node->n_skipped,
      .stretched = node->stretch.n,
      .affords_ns = node->stretch.cost_ns};
  for (unsigned tier = 0; tier < TIER_COUNT; tier++) {
    ret->over_mbeans[tier] = scrape_over_mbeans(node->scrape, (enum tier)tier);
    ret->taken_mbeans[tier] =
        scrape_taken_mbeans(node->scrape, (enum tier)tier);
  }
  member_view(node->member, &ret->bonds);
}
