/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/discovery_state.h"

#include "base/clock.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* -- What is configured -- */

static int compare(const void *a, const void *b) {
  const uint64_t *x = a;
  const uint64_t *y = b;
  return (*x > *y) - (*x < *y);
}

static bool index_settings(struct discovery *discovery,
                           const struct settings *settings) {
  size_t n = settings->n_nodes;
  uint64_t *names = malloc((n + 1) * sizeof(*names));
  uint64_t *url_keys = malloc((n + 1) * sizeof(*url_keys));
  if (!names || !url_keys) {
    free(names);
    free(url_keys);
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    names[i] = hash_text(settings->nodes[i].name);
    url_keys[i] = hash_text(settings->nodes[i].url_key);
  }
  qsort(names, n, sizeof(*names), compare);
  qsort(url_keys, n, sizeof(*url_keys), compare);
  free(discovery->names);
  free(discovery->url_keys);
  discovery->names = names;
  discovery->url_keys = url_keys;
  discovery->n_configured = n;
  discovery->settings = settings;
  return true;
}

static bool has(const struct discovery *discovery, const uint64_t *hashes,
                const char *text) {
  uint64_t hash = hash_text(text);
  return discovery->n_configured > 0 &&
         bsearch(&hash, hashes, discovery->n_configured, sizeof(hash),
                 compare) != NULL;
}

bool discovery_has_name(const struct discovery *discovery, const char *name) {
  return has(discovery, discovery->names, name);
}

bool discovery_has_url(const struct discovery *discovery, const char *url_key) {
  return has(discovery, discovery->url_keys, url_key);
}

/* -- Its clusters -- */

static struct discovered *cluster_at(const struct discovery *discovery,
                                     size_t i) {
  return (struct discovered *)discovery->clusters.entries[i];
}

static struct discovered *cluster_of(const struct discovery *discovery,
                                     const char *name) {
  return (struct discovered *)roster_find(&discovery->clusters, name);
}

static bool add_clusters(struct discovery *discovery) {
  const struct settings *settings = discovery->settings;
  for (size_t i = 0; i < settings->n_clusters; i++) {
    const struct cluster_settings *wanted = &settings->clusters[i];
    if (!wanted->discover || cluster_of(discovery, wanted->name))
      continue;
    struct discovered *cluster = discovered_new(discovery, wanted);
    if (!cluster)
      return false;
    if (roster_add(&discovery->clusters, &cluster->entry, cluster->name)) {
      discovered_free(cluster);
      return false;
    }
  }
  return true;
}

static void remove_cluster(struct discovery *discovery,
                           struct discovered *cluster) {
  roster_remove(&discovery->clusters, &cluster->entry);
  discovered_free(cluster);
}

/* -- Work that is put off -- */

void discovery_wake(struct discovered *cluster, int64_t now_ns) {
  cluster->has_work = true;
  client_timer_set(cluster->discovery->client, &cluster->discovery->timer,
                   now_ns);
}

static void on_timer(void *cookie, int64_t now_ns) {
  struct discovery *discovery = cookie;
  for (size_t i = 0; i < discovery->clusters.n; i++) {
    struct discovered *cluster = cluster_at(discovery, i);
    if (cluster->has_work) {
      cluster->has_work = false;
      candidates_work(cluster, now_ns);
    }
  }
}

/* -- All of it -- */

enum status discovery_new(const struct discovery_options *options,
                          struct discovery **ret, struct error *error) {
  struct discovery *discovery = calloc(1, sizeof(*discovery));
  if (discovery) {
    *discovery =
        (struct discovery){.client = options->client,
                           .default_interval_ns = options->default_interval_ns,
                           .sink = options->sink,
                           .notices = options->notices,
                           .timer = {.fire = on_timer, .cookie = discovery}};
    if (index_settings(discovery, options->settings) &&
        add_clusters(discovery)) {
      *ret = discovery;
      return STATUS_OK;
    }
  }
  discovery_free(discovery);
  return error_set(error, STATUS_NO_MEMORY, "no memory for discovery");
}

void discovery_free(struct discovery *discovery) {
  if (!discovery)
    return;
  while (discovery->clusters.n > 0)
    remove_cluster(discovery, cluster_at(discovery, 0));
  /* Last: a probe that ends so wakes us. */
  client_timer_clear(discovery->client, &discovery->timer);
  roster_fini(&discovery->clusters);
  free(discovery->names);
  free(discovery->url_keys);
  free(discovery);
}

void discovery_round(struct discovery *discovery,
                     const struct discovery_round *round, int64_t now_ns) {
  struct discovered *cluster = cluster_of(discovery, round->settings->cluster);
  if (cluster)
    discovered_round(cluster, round, now_ns);
}

/* A cluster that does not discover any more, or has no memory to, has no
 * members but the configured ones. */
static void apply_to(struct discovery *discovery, struct discovered *cluster,
                     int64_t now_ns) {
  const struct cluster_settings *settings =
      settings_cluster(discovery->settings, cluster->name);
  bool has_changed =
      settings && !settings_discovery_is_same(cluster->settings, settings);
  if (!settings || !settings->discover || !discovered_set(cluster, settings)) {
    candidates_end(cluster);
    remove_cluster(discovery, cluster);
    return;
  }
  discovered_forget_selves(cluster);
  cluster->had_round = false;
  discovered_due(cluster, now_ns);
  candidates_apply(cluster, has_changed, now_ns);
  discovery_wake(cluster, now_ns);
}

void discovery_apply(struct discovery *discovery,
                     const struct settings *settings, int64_t now_ns) {
  bool has_memory = index_settings(discovery, settings);
  discovery->settings = settings;
  for (size_t i = discovery->clusters.n; i > 0; i--) {
    struct discovered *cluster = cluster_at(discovery, i - 1);
    if (!has_memory)
      candidates_end(cluster);
    apply_to(discovery, cluster, now_ns);
  }
  if (!add_clusters(discovery))
    log_write(LOG_LEVEL_ERROR, "no memory to discover all clusters' members");
}

/* -- What is known -- */

const char *discovery_state_name(enum discovery_state state) {
  static const char *const names[] = {[DISCOVERY_NEW] = "new",
                                      [DISCOVERY_PROBING] = "probing",
                                      [DISCOVERY_FAILED] = "failed",
                                      [DISCOVERY_REFUSED] = "refused",
                                      [DISCOVERY_ADDED] = "added"};
  return names[state];
}

static bool is_idle(const struct discovered *cluster) {
  if (cluster->asking || cluster->has_work)
    return false;
  for (const struct candidate *c = cluster->candidates; c; c = c->next)
    if (c->state == DISCOVERY_PROBING)
      return false;
  return true;
}

bool discovery_is_idle(const struct discovery *discovery) {
  for (size_t i = 0; i < discovery->clusters.n; i++)
    if (!is_idle(cluster_at(discovery, i)))
      return false;
  return true;
}

const struct error *discovery_why(const struct discovery *discovery,
                                  const char *cluster) {
  const struct discovered *found = cluster_of(discovery, cluster);
  return found && found->was_asked ? &found->why : NULL;
}

size_t discovery_n_members(const struct discovery *discovery) {
  size_t n = 0;
  for (size_t i = 0; i < discovery->clusters.n; i++)
    n += cluster_at(discovery, i)->n_candidates;
  return n;
}

void discovery_view(const struct discovery *discovery, size_t i,
                    struct discovery_view *ret) {
  size_t at = 0;
  while (i >= cluster_at(discovery, at)->n_candidates)
    i -= cluster_at(discovery, at++)->n_candidates;
  const struct discovered *cluster = cluster_at(discovery, at);
  const struct candidate *candidate = cluster->candidates;
  while (i-- > 0)
    candidate = candidate->next;
  *ret = (struct discovery_view){
      .cluster = cluster->name,
      .name = candidate->state == DISCOVERY_ADDED ? candidate->name : NULL,
      .core = candidate->core_text,
      .url = candidate->url ? candidate->url->key : NULL,
      .node_id = candidate->node_id,
      .is_backup = candidate->is_backup,
      .state = candidate->state,
      .why = &candidate->why};
}
