/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/discovery.h"

#include <stdlib.h>

struct discovery {
  struct client *client;
  const struct settings *settings;
  int64_t default_interval_ns;
  struct discovery_sink sink;
};

enum status discovery_new(struct client *client,
                          const struct settings *settings,
                          int64_t default_interval_ns,
                          const struct discovery_sink *sink,
                          struct discovery **ret, struct error *error) {
  struct discovery *discovery = calloc(1, sizeof(*discovery));
  if (!discovery)
    return error_set(error, STATUS_NO_MEMORY, "no memory for discovery");
  *discovery = (struct discovery){.client = client,
                                  .settings = settings,
                                  .default_interval_ns = default_interval_ns,
                                  .sink = *sink};
  *ret = discovery;
  return STATUS_OK;
}

void discovery_free(struct discovery *discovery) { free(discovery); }

void discovery_round(struct discovery *discovery,
                     const struct discovery_round *round, int64_t now_ns) {
  (void)discovery;
  (void)round;
  (void)now_ns;
}

void discovery_apply(struct discovery *discovery,
                     const struct settings *settings, int64_t now_ns) {
  (void)now_ns;
  discovery->settings = settings;
}

bool discovery_is_idle(const struct discovery *discovery) {
  (void)discovery;
  return true;
}

const char *discovery_state_name(enum discovery_state state) {
  static const char *const names[] = {[DISCOVERY_NEW] = "new",
                                      [DISCOVERY_PROBING] = "probing",
                                      [DISCOVERY_FAILED] = "failed",
                                      [DISCOVERY_REFUSED] = "refused",
                                      [DISCOVERY_ADDED] = "added"};
  return names[state];
}

size_t discovery_n_members(const struct discovery *discovery) {
  (void)discovery;
  return 0;
}

void discovery_view(const struct discovery *discovery, size_t i,
                    struct discovery_view *ret) {
  (void)discovery;
  (void)i;
  *ret = (struct discovery_view){.name = NULL};
}
