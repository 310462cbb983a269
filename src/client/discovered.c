/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/discovery_state.h"

#include "base/clock.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How soon after the last a change is worth another look, and how long the
 * first waits for the cluster's other nodes. */
#define CALM_NS (10 * CLOCK_NS_PER_S)

#define FAILURES_MAX 3

/* -- Asking: lives until its job is done, the cluster may go before -- */

struct asking {
  struct discovered *cluster; /* NULL: nobody wants the answer any more */
  struct job *job;
  char *name; /* of the node that is asked */
  char broker_mbean[512];
  struct topology topology;
  struct error error; /* the item's */
};

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct asking *asking = cookie;
  (void)item;
  if (topology_row(&asking->topology, row) != STATUS_OK)
    error_set(&asking->error, STATUS_NO_MEMORY, "no memory for the members");
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct asking *asking = cookie;
  (void)item;
  if (result->status)
    error_set(&asking->error, result->status, "%s", result->error);
}

static void asking_free(struct asking *asking) {
  topology_fini(&asking->topology);
  free(asking->name);
  free(asking);
}

static void tell_failure(struct discovered *cluster, int64_t now_ns) {
  if (log_repeat_due(&cluster->repeat, now_ns))
    log_write(LOG_LEVEL_WARNING,
              "cluster %s: the members cannot be read from node %s: %s: %s",
              cluster->name, cluster->failed ? cluster->failed : "?",
              status_name(cluster->why.kind), cluster->why.text);
}

static void failed(struct discovered *cluster, struct asking *asking,
                   int64_t now_ns) {
  int64_t interval_ns = cluster->settings->discover_interval_ns;
  free(cluster->failed);
  cluster->failed = asking->name;
  asking->name = NULL;
  cluster->n_failures++;
  cluster->due_ns =
      cluster->n_failures % FAILURES_MAX == 0 ? now_ns + interval_ns : now_ns;
  if (!status_is_ours(cluster->why.kind))
    tell_failure(cluster, now_ns);
}

static void answered(struct discovered *cluster, struct asking *asking,
                     int64_t now_ns) {
  cluster->due_ns = now_ns + cluster->settings->discover_interval_ns;
  cluster->n_failures = 0;
  free(cluster->failed);
  cluster->failed = NULL;
  log_repeat_clear(&cluster->repeat);
  candidates_take(cluster, &asking->topology, now_ns);
}

static void on_done(void *cookie, const struct job_result *result) {
  struct asking *asking = cookie;
  struct discovered *cluster = asking->cluster;
  int64_t now_ns = clock_mono_ns();
  if (cluster) {
    cluster->asking = NULL;
    cluster->was_asked = true;
    cluster->why = result->error.kind ? result->error : asking->error;
    if (cluster->why.kind)
      failed(cluster, asking, now_ns);
    else
      answered(cluster, asking, now_ns);
    discovery_wake(cluster, now_ns);
  }
  asking_free(asking);
}

static enum status submit(struct asking *asking,
                          const struct discovery_round *round,
                          struct error *error) {
  struct operation operation = topology_operation(asking->broker_mbean);
  const struct job_options options = {
      .owner = OWNER_DISCOVERY,
      .kind = KIND_IDENTITY,
      .operations = &operation,
      .specs = &topology_spec,
      .n = 1,
      .timeout_ns = round->settings->timeout_ns,
      .deadline_ns = CLOCK_NEVER,
      .sink = {.row = on_row, .item = on_item, .cookie = asking},
      .done = on_done,
      .cookie = asking};
  return client_submit(round->node, &options, &asking->job, error);
}

static void ask(struct discovered *cluster, const struct discovery_round *round,
                int64_t now_ns) {
  struct asking *asking = calloc(1, sizeof(*asking));
  if (!asking)
    return; /* the next round's end tries again */
  asking->cluster = cluster;
  asking->name = strdup(round->settings->name);
  topology_init(&asking->topology);
  snprintf(asking->broker_mbean, sizeof(asking->broker_mbean), "%s",
           round->identity->broker_mbean);
  cluster->asked_ns = now_ns;
  if (submit(asking, round, &cluster->why) == STATUS_OK) {
    cluster->asking = asking;
    return;
  }
  cluster->was_asked = true;
  failed(cluster, asking, now_ns);
  asking_free(asking);
}

/* -- What nodes say of themselves -- */

static void self_free(struct discovered *cluster, struct self *self) {
  roster_remove(&cluster->selves, &self->entry);
  free(self->name);
  free(self);
}

void discovered_forget_selves(struct discovered *cluster) {
  while (cluster->selves.n > 0)
    self_free(cluster,
              (struct self *)cluster->selves.entries[cluster->selves.n - 1]);
}

static struct self *self_of(struct discovered *cluster, const char *name) {
  struct self *self = (struct self *)roster_find(&cluster->selves, name);
  if (self)
    return self;
  self = calloc(1, sizeof(*self));
  if (self)
    self->name = strdup(name);
  if (self && self->name &&
      roster_add(&cluster->selves, &self->entry, self->name) == STATUS_OK)
    return self;
  if (self)
    free(self->name);
  free(self);
  return NULL;
}

static void learn(struct discovered *cluster,
                  const struct discovery_round *round, int64_t now_ns) {
  struct self *self = self_of(cluster, round->settings->name);
  struct candidate *candidate =
      candidate_of_node(cluster, round->settings->name);
  bool is_well = round->state == NODE_ACTIVE || round->state == NODE_BACKUP ||
                 round->state == NODE_STARTING;
  if (candidate && is_well)
    candidate->answered_ns = now_ns;
  if (!self)
    return;
  self->state = round->state;
  self->url_hash = hash_text(round->settings->url_key);
  snprintf(self->node_id, sizeof(self->node_id), "%s",
           is_well ? round->identity->node_id : "");
  snprintf(self->broker_name, sizeof(self->broker_name), "%s",
           is_well ? round->identity->broker_name : "");
}

static bool has_active(const struct discovered *cluster) {
  for (size_t i = 0; i < cluster->selves.n; i++)
    if (((struct self *)cluster->selves.entries[i])->state == NODE_ACTIVE)
      return true;
  return false;
}

/* -- When one is asked -- */

void discovered_due(struct discovered *cluster, int64_t at_ns) {
  if (cluster->due_ns > at_ns)
    cluster->due_ns = at_ns;
}

/* All nodes are known, so that none of them is taken for a stranger. */
static bool is_settled(const struct discovered *cluster, int64_t now_ns) {
  return cluster->selves.n >= cluster->n_configured ||
         now_ns - cluster->first_ns >= CALM_NS;
}

static bool may_ask(const struct discovered *cluster,
                    const struct discovery_round *round, int64_t now_ns) {
  if (cluster->asking || now_ns < cluster->due_ns ||
      !round->identity->is_known || !is_settled(cluster, now_ns))
    return false;
  if (round->state != NODE_ACTIVE &&
      (round->state != NODE_BACKUP || has_active(cluster)))
    return false;
  return !cluster->failed || cluster->n_failures % FAILURES_MAX == 0 ||
         strcmp(cluster->failed, round->settings->name) != 0 ||
         now_ns - cluster->asked_ns >= cluster->settings->discover_interval_ns;
}

void discovered_round(struct discovered *cluster,
                      const struct discovery_round *round, int64_t now_ns) {
  if (!cluster->had_round)
    cluster->first_ns = now_ns;
  cluster->had_round = true;
  learn(cluster, round, now_ns);
  if (round->has_changed && cluster->was_asked && cluster->n_failures == 0)
    discovered_due(cluster, cluster->asked_ns + CALM_NS);
  if (may_ask(cluster, round, now_ns))
    ask(cluster, round, now_ns);
  if (cluster->candidates)
    discovery_wake(cluster, now_ns);
}

/* -- One cluster -- */

bool discovered_set(struct discovered *cluster,
                    const struct cluster_settings *settings) {
  size_t n = settings->n_node_urls;
  struct topology_override *overrides = calloc(n + 1, sizeof(*overrides));
  if (!overrides)
    return false;
  for (size_t i = 0; i < n; i++)
    overrides[i] = (struct topology_override){
        .core = settings->node_urls[i].core, .url = settings->node_urls[i].url};
  free(cluster->overrides);
  cluster->overrides = overrides;
  cluster->settings = settings;
  cluster->rules = (struct topology_rules){
      .url_template = settings->url_template,
      .overrides = overrides,
      .n_overrides = n,
      .hosts = (const char *const *)settings->discover_hosts.pattern,
      .n_hosts = settings->discover_hosts.n};
  const struct settings *all = cluster->discovery->settings;
  cluster->n_configured = 0;
  for (size_t i = 0; i < all->n_nodes; i++)
    cluster->n_configured += strcmp(all->nodes[i].cluster, settings->name) == 0;
  return true;
}

struct discovered *discovered_new(struct discovery *discovery,
                                  const struct cluster_settings *settings) {
  struct discovered *cluster = calloc(1, sizeof(*cluster));
  if (!cluster)
    return NULL;
  cluster->discovery = discovery;
  cluster->name = strdup(settings->name);
  if (cluster->name && discovered_set(cluster, settings))
    return cluster;
  discovered_free(cluster);
  return NULL;
}

void discovered_free(struct discovered *cluster) {
  if (cluster->asking) {
    cluster->asking->cluster = NULL;
    client_cancel(cluster->asking->job);
  }
  candidates_fini(cluster);
  discovered_forget_selves(cluster);
  roster_fini(&cluster->selves);
  free(cluster->failed);
  free(cluster->overrides);
  free(cluster->name);
  free(cluster);
}
