/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/monitor_state.h"

#include "base/log.h"

#include <string.h>

/* -- New ones -- */

/* One that goes and comes as new, or that could not be added before. */
static void add(struct monitor *monitor, const struct node_settings *settings,
                int64_t now_ns) {
  struct error error;
  struct monitored *node;
  if (monitored_add(monitor, settings, &node, &error)) {
    log_write(LOG_LEVEL_ERROR, "node %s (cluster %s) is left out: %s",
              settings->name, settings->cluster, error.text);
    return;
  }
  if (monitor->is_started)
    rounds_start(node, now_ns);
}

/* Whether there was one. */
static bool join_one(struct monitor *monitor, int64_t now_ns) {
  const struct settings *settings = monitor->settings;
  while (monitor->n_joined < settings->n_nodes) {
    const struct node_settings *node = &settings->nodes[monitor->n_joined++];
    if (monitored_find(monitor, node->name))
      continue;
    add(monitor, node, now_ns);
    return true;
  }
  return false;
}

/* Those that leave go first, to make room. */
static void change_some(void *cookie, int64_t now_ns) {
  struct monitor *monitor = cookie;
  for (size_t n = 0; n < MONITOR_TURN_MAX; n++)
    if (!monitored_free_one(monitor) && !join_one(monitor, now_ns))
      return;
  apply_go_on(monitor, now_ns);
}

void apply_go_on(struct monitor *monitor, int64_t now_ns) {
  client_timer_set(monitor->client, &monitor->changing, now_ns + 1);
}

/* The settings' nodes are all there. */
void apply_init(struct monitor *monitor) {
  monitor->changing = (struct timer){.fire = change_some, .cookie = monitor};
  monitor->n_joined = monitor->settings->n_nodes;
}

void apply_fini(struct monitor *monitor) {
  client_timer_clear(monitor->client, &monitor->changing);
}

/* -- Those that are there -- */

/* What cannot be changed in place: it goes, and comes as a new one. */
static bool is_another(const struct monitored *node,
                       const struct node_settings *settings, unsigned changes) {
  return (changes & (CHANGED_URL | CHANGED_OTHER)) != 0 ||
         strcmp(node->settings->cluster, settings->cluster) != 0;
}

bool apply_keep(struct monitored *node, const struct node_settings *settings,
                int64_t now_ns) {
  unsigned changes = settings_node_changes(node->settings, settings);
  if (is_another(node, settings, changes))
    return false;
  if (changes || node->monitor->has_other_instances) {
    struct error error;
    return monitored_change(node, settings, changes, now_ns, &error) ==
           STATUS_OK;
  }
  node->settings = settings;
  return true;
}

static void keep_some(struct monitor *monitor, int64_t now_ns) {
  const struct settings *settings = monitor->settings;
  for (size_t i = 0; i < settings->n_nodes; i++) {
    struct monitored *node = monitored_find(monitor, settings->nodes[i].name);
    if (!node || node->is_discovered)
      continue;
    node->is_named = true;
    node->is_kept = apply_keep(node, &settings->nodes[i], now_ns);
  }
}

static void remove_others(struct monitor *monitor) {
  for (size_t i = monitor->nodes.n; i > 0; i--) {
    struct monitored *node = monitored_at(monitor, i - 1);
    if (!node->is_discovered && !node->is_kept)
      monitored_leave(node, node->is_named ? "configured anew"
                                           : "no longer configured");
    else
      node->is_named = node->is_kept = false;
  }
}

void monitor_apply(struct monitor *monitor, const struct settings *settings,
                   int64_t now_ns) {
  monitor->has_other_instances =
      monitor->settings->instances != settings->instances;
  monitor->settings = settings;
  monitored_apply_clusters(monitor);
  members_apply(monitor, now_ns);
  keep_some(monitor, now_ns);
  remove_others(monitor);
  monitor->has_other_instances = false;
  monitor->n_joined = 0;
  change_some(monitor, now_ns);
}
