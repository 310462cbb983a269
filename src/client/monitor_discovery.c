/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/monitor_state.h"

/* The nodes that discovery finds, and what it is told of all of them. */

static enum status on_add(void *cookie, const struct node_settings *settings,
                          int64_t now_ns, struct error *error) {
  struct monitor *monitor = cookie;
  struct monitored *node = monitored_find(monitor, settings->name);
  if (node && node->is_discovered) {
    if (apply_keep(node, settings, now_ns))
      return STATUS_OK;
    monitored_leave(node, "watched anew");
    apply_go_on(monitor, now_ns);
  }
  return monitor_add(monitor, settings, now_ns, error);
}

static void on_remove(void *cookie, const char *name) {
  monitor_remove(cookie, name);
}

enum status members_init(struct monitor *monitor, struct error *error) {
  const struct discovery_options options = {
      .client = monitor->client,
      .settings = monitor->settings,
      .default_interval_ns = monitor->default_interval_ns,
      .sink = {.add = on_add, .remove = on_remove, .cookie = monitor},
      .notices = monitor->notices};
  return discovery_new(&options, &monitor->discovery, error);
}

static void tell(struct monitored *node, bool has_changed, int64_t now_ns) {
  const struct discovery_round round = {
      .settings = node->settings,
      .node = node->node,
      .identity = scrape_identity(node->scrape),
      .state = member_health(node->member)->state,
      .has_changed = has_changed};
  discovery_round(node->monitor->discovery, &round, now_ns);
}

/* Rounds that do not come again: now that all have told what they are, one is
 * asked. */
void members_rest(struct monitor *monitor, int64_t now_ns) {
  if (!monitor->discovery)
    return;
  for (size_t i = 0; i < monitor->nodes.n; i++)
    if (!rounds_are_over(monitored_at(monitor, i)))
      return;
  for (size_t i = 0; i < monitor->nodes.n; i++)
    tell(monitored_at(monitor, i), false, now_ns);
}

void members_round(struct monitored *node, enum node_state before,
                   int64_t now_ns) {
  if (node->monitor->discovery)
    tell(node, member_health(node->member)->state != before, now_ns);
}

void members_apply(struct monitor *monitor, int64_t now_ns) {
  if (monitor->discovery)
    discovery_apply(monitor->discovery, monitor->settings, now_ns);
}

const struct discovery *monitor_discovery(const struct monitor *monitor) {
  return monitor->discovery;
}
