/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/monitor.h"

#include "base/clock.h"
#include "client/budget.h"
#include "client/selfmetrics.h"
#include "client/stretch.h"
#include "client/tick.h"
#include "client/translate.h"

#include <stdlib.h>
#include <string.h>

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

struct monitored {
  struct monitor *monitor;
  const struct node_settings *settings;
  struct member *member; /* of its cluster */
  int64_t interval_ns;
  struct node *node;
  struct scrape *scrape;
  struct stretch stretch;
  struct self_last self_last;
  struct round rounds[TIER_COUNT];
  struct error why; /* of the last fast round */
  int64_t scrape_ns;
  int64_t permit_wait_ns; /* of the fast round */
  int64_t sent_ns;        /* when its last request was sent */
  bool has_new_scrape_ns;
  bool is_self_sent; /* for is_once */
  uint64_t n_rounds;
  uint64_t n_skipped;
};

struct monitor {
  struct client *client;
  const struct settings *settings;
  struct sample_sink sink;
  struct notice_sink notices;
  int64_t default_interval_ns;
  bool is_once;
  bool want_self_metrics;
  bool is_closing;
  struct monitored *nodes;
  size_t n_nodes;
  struct cluster **clusters;
  size_t n_clusters;
  struct budget budget;
  struct timer refill;
  struct round *paused_first; /* in the order in which they paused */
  struct round *paused_last;
};

static void advance(struct round *round);

/* -- Samples out, within the budget -- */

static void set_refill(struct monitor *monitor, int64_t now_ns) {
  int64_t at_ns =
      budget_next_ns(&monitor->budget, monitor->paused_first != NULL, now_ns);
  if (at_ns != CLOCK_NEVER)
    client_timer_set(monitor->client, &monitor->refill, at_ns);
}

static void dispatch(void *cookie, const struct sample *sample) {
  struct monitor *monitor = cookie;
  if (budget_is_idle(&monitor->budget)) {
    int64_t now_ns = clock_mono_ns();
    budget_begin(&monitor->budget, now_ns);
    set_refill(monitor, now_ns);
  }
  budget_spend(&monitor->budget);
  monitor->sink.dispatch(monitor->sink.cookie, sample);
}

static void pause_round(struct round *round) {
  struct monitor *monitor = round->node->monitor;
  if (round->is_paused)
    return;
  round->is_paused = true;
  round->next_paused = NULL;
  if (monitor->paused_last)
    monitor->paused_last->next_paused = round;
  else
    monitor->paused_first = round;
  monitor->paused_last = round;
  set_refill(monitor, clock_mono_ns());
}

static void unpause_round(struct round *round) {
  struct monitor *monitor = round->node->monitor;
  if (!round->is_paused)
    return;
  struct round *before = NULL;
  for (struct round *r = monitor->paused_first; r != round; r = r->next_paused)
    before = r;
  if (before)
    before->next_paused = round->next_paused;
  else
    monitor->paused_first = round->next_paused;
  if (monitor->paused_last == round)
    monitor->paused_last = before;
  round->is_paused = false;
}

/* One at a time, the longest paused first: each may spend what is left. */
static void resume_first(struct monitor *monitor) {
  struct round *round = monitor->paused_first;
  if (!round || budget_is_spent(&monitor->budget))
    return;
  unpause_round(round);
  client_resume(round->job);
}

static void on_refill(void *cookie, int64_t now_ns) {
  struct monitor *monitor = cookie;
  budget_refill(&monitor->budget, now_ns);
  resume_first(monitor);
  set_refill(monitor, now_ns);
}

/* -- Rounds -- */

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct round *round = cookie;
  struct monitor *monitor = round->node->monitor;
  budget_turn(&monitor->budget, client_turns(monitor->client));
  scrape_row(round->node->scrape, round->tier, item, row);
  if (!budget_is_spent(&monitor->budget))
    return true;
  pause_round(round);
  return false;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct round *round = cookie;
  scrape_item(round->node->scrape, round->tier, item, result);
}

static void on_done(void *cookie, const struct job_result *result) {
  struct round *round = cookie;
  struct monitor *monitor = round->node->monitor;
  round->job = NULL;
  if (round->tier == TIER_FAST) {
    stretch_add(&round->node->stretch, result->bytes, result->handling_ns);
    round->node->permit_wait_ns += result->permit_wait_ns;
  }
  unpause_round(round);
  scrape_done(round->node->scrape, round->tier, &result->error);
  if (monitor->is_closing)
    return;
  advance(round);
  resume_first(monitor);
}

/* A Timeout as long as the interval ends a little before it: a node that hangs
 * fails in time to be asked again at the next tick. A longer one is the
 * operator's choice: the ticks in between are skipped. */
static int64_t timeout_ns(const struct monitored *node) {
  int64_t timeout_ns = node->settings->timeout_ns;
  int64_t before_ns = node->interval_ns - node->interval_ns / 50;
  return timeout_ns > before_ns && timeout_ns <= node->interval_ns ? before_ns
                                                                   : timeout_ns;
}

static bool submit(struct round *round, const struct scrape_request *request,
                   struct error *error) {
  struct monitored *node = round->node;
  bool is_fast = round->tier == TIER_FAST;
  if (is_fast)
    node->sent_ns = clock_mono_ns();
  struct job_options options = {
      .owner = is_fast ? OWNER_SCRAPE : OWNER_SLOW,
      .kind = request->kind,
      .operations = request->operations,
      .specs = request->specs,
      .n = request->n,
      .timeout_ns = timeout_ns(node),
      .deadline_ns = CLOCK_NEVER,
      .sink = {.row = on_row, .item = on_item, .cookie = round},
      .done = on_done,
      .cookie = round};
  return client_submit(node->node, &options, &round->job, error) == STATUS_OK;
}

static void begin(struct round *round, int64_t now_ns) {
  round->is_due = false;
  round->is_running = true;
  round->started_ns = now_ns;
  if (round->tier == TIER_FAST) {
    stretch_begin(&round->node->stretch, now_ns);
    round->node->permit_wait_ns = 0;
  }
  scrape_begin(round->node->scrape, round->tier, clock_wall_ns());
  advance(round);
}

/* A node that failed is asked for nothing but its identity, which is the fast
 * tier's. */
static bool is_well(const struct monitored *node) {
  const struct health *health = member_health(node->member);
  return health->is_up && health->failures == 0 &&
         scrape_identity(node->scrape)->is_known;
}

static void begin_due(struct monitored *node, int64_t now_ns) {
  for (unsigned tier = TIER_FAST + 1; tier < TIER_COUNT; tier++) {
    struct round *round = &node->rounds[tier];
    if (!round->is_due || round->is_running || !is_well(node))
      continue;
    tick_started_late(&round->tick, now_ns);
    if (!node->monitor->is_once)
      client_timer_set(node->monitor->client, &round->timer,
                       round->tick.next_ns);
    begin(round, now_ns);
  }
}

static enum health_hold hold_of(const struct monitored *node) {
  if (client_node_held(node->node))
    return HEALTH_HELD_BY_OPERATOR;
  return client_node_login_held(node->node) ? HEALTH_LOGIN_HELD : HEALTH_FREE;
}

static void end_fast(struct monitored *node, int64_t now_ns) {
  const struct error *outcome = scrape_outcome(node->scrape, TIER_FAST);
  node->why = *outcome;
  node->n_rounds++;
  stretch_end(&node->stretch, &client_node_ceiling(node->node)->rates,
              outcome->kind == STATUS_OK);
  node->scrape_ns = now_ns - node->rounds[TIER_FAST].started_ns;
  node->has_new_scrape_ns = outcome->kind == STATUS_OK;
  const struct member_round round = {
      .outcome = outcome,
      .identity = scrape_identity(node->scrape),
      .hold = hold_of(node),
      .is_whole = scrape_is_whole(node->scrape),
      .uptime_ms = scrape_uptime_ms(node->scrape),
      .started_ns = node->sent_ns,
      .permit_wait_ns = node->permit_wait_ns,
      .certificate_left_ns =
          client_node_certificate_left_ns(node->node, clock_wall_ns())};
  cluster_round(node->member, &round, now_ns);
  begin_due(node, now_ns);
}

static void send_self(struct monitored *node, int64_t now_ns);

static bool is_node_done(const struct monitored *node) {
  for (unsigned tier = 0; tier < TIER_COUNT; tier++) {
    const struct round *round = &node->rounds[tier];
    if (round->is_running || (tier == TIER_FAST && !round->is_over))
      return false;
  }
  return true;
}

static void end(struct round *round) {
  struct monitored *node = round->node;
  int64_t now_ns = clock_mono_ns();
  round->is_running = false;
  round->is_over = true;
  if (round->tier == TIER_FAST)
    end_fast(node, now_ns);
  if (node->monitor->is_once && is_node_done(node) && !node->is_self_sent) {
    node->is_self_sent = true;
    send_self(node, now_ns);
  }
}

/* Sends the round's next request; what cannot be sent is told to the scrape as
 * its failure. The round is over when it has no more. */
static void advance(struct round *round) {
  struct scrape *scrape = round->node->scrape;
  struct scrape_request request;
  while (scrape_next(scrape, round->tier, &request)) {
    struct error error = {.kind = STATUS_OK};
    if (submit(round, &request, &error))
      return;
    scrape_done(scrape, round->tier, &error);
  }
  end(round);
}

/* -- Ticks -- */

static void send_self(struct monitored *node, int64_t now_ns) {
  struct monitor *monitor = node->monitor;
  if (!monitor->want_self_metrics)
    return;
  int64_t wall_ns = clock_wall_ns();
  const struct health *health = member_health(node->member);
  struct host_totals host;
  client_node_host(node->node, &host);
  struct self_now now = {
      .node = node->settings->name,
      .cluster = node->settings->cluster,
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
  struct sample_sink sink = {.dispatch = dispatch, .cookie = monitor};
  if (!selfmetrics_send(&node->self_last, &now, &sink))
    return;
  node->has_new_scrape_ns = false;
  client_node_stats_reset_max(node->node);
}

static void on_tick(void *cookie, int64_t now_ns) {
  struct round *round = cookie;
  struct monitored *node = round->node;
  node->n_skipped += tick_advance(&round->tick, now_ns);
  client_timer_set(node->monitor->client, &round->timer, round->tick.next_ns);
  if (round->tier == TIER_FAST)
    send_self(node, now_ns);
  if (round->is_running) {
    node->n_skipped++;
  } else if (round->tier == TIER_FAST) {
    if (!stretch_puts_off(&node->stretch, node->settings->name,
                          node->interval_ns, now_ns))
      begin(round, now_ns);
  } else {
    round->is_due = true;
    begin_due(node, now_ns);
  }
}

/* -- Building up and taking down -- */

static enum status node_init(struct monitored *node, struct monitor *monitor,
                             const struct node_settings *settings,
                             struct error *error) {
  struct node_options options;
  enum status status =
      translate_node(monitor->settings, settings, monitor->default_interval_ns,
                     &options, error);
  if (status)
    return status;
  node->monitor = monitor;
  node->settings = settings;
  node->interval_ns =
      translate_interval_ns(settings, monitor->default_interval_ns);
  struct scrape_settings scrape =
      translate_scrape(settings, monitor->default_interval_ns);
  struct sample_sink sink = {.dispatch = dispatch, .cookie = monitor};
  node->scrape = scrape_new(&scrape, &sink);
  if (!node->scrape)
    return error_set(error, STATUS_NO_MEMORY, "node %s: no memory",
                     settings->name);
  for (unsigned tier = 0; tier < TIER_COUNT; tier++) {
    struct round *round = &node->rounds[tier];
    round->node = node;
    round->tier = (enum tier)tier;
    round->timer.fire = on_tick;
    round->timer.cookie = round;
  }
  return client_node_add(monitor->client, &options, &node->node, error);
}

static struct cluster *cluster_of(struct monitor *monitor, const char *name) {
  for (size_t i = 0; i < monitor->n_clusters; i++)
    if (strcmp(cluster_name(monitor->clusters[i]), name) == 0)
      return monitor->clusters[i];
  const struct cluster_options options = {
      .name = name,
      .notices = monitor->notices,
      .samples = {.dispatch = dispatch, .cookie = monitor},
      .share = client_node_share_ceiling};
  struct cluster *cluster = cluster_new(&options);
  if (cluster)
    monitor->clusters[monitor->n_clusters++] = cluster;
  return cluster;
}

static enum status join_cluster(struct monitored *node, struct error *error) {
  struct cluster *cluster = cluster_of(node->monitor, node->settings->cluster);
  const struct member_options options = {.name = node->settings->name,
                                         .node = node->node,
                                         .interval_ns = node->interval_ns,
                                         .max_queues =
                                             node->settings->queues.max_queues};
  if (!cluster || cluster_join(cluster, &options, &node->member))
    return error_set(error, STATUS_NO_MEMORY, "node %s: no memory",
                     node->settings->name);
  return STATUS_OK;
}

static enum status add_nodes(struct monitor *monitor, struct error *error) {
  const struct settings *settings = monitor->settings;
  for (size_t i = 0; i < settings->n_nodes; i++) {
    struct monitored *node = &monitor->nodes[monitor->n_nodes++];
    enum status status = node_init(node, monitor, &settings->nodes[i], error);
    if (!status)
      status = join_cluster(node, error);
    if (status)
      return status;
  }
  return STATUS_OK;
}

enum status monitor_new(struct client *client,
                        const struct monitor_options *options,
                        struct monitor **ret, struct error *error) {
  size_t n = options->settings->n_nodes;
  struct monitor *monitor = calloc(1, sizeof(*monitor));
  if (!monitor)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the monitor");
  *monitor =
      (struct monitor){.client = client,
                       .settings = options->settings,
                       .sink = options->sink,
                       .notices = options->notices,
                       .default_interval_ns = options->default_interval_ns,
                       .is_once = options->is_once,
                       .want_self_metrics = options->want_self_metrics};
  monitor->refill.fire = on_refill;
  monitor->refill.cookie = monitor;
  budget_init(&monitor->budget);
  monitor->nodes = calloc(n + 1, sizeof(*monitor->nodes));
  monitor->clusters = calloc(n + 1, sizeof(*monitor->clusters));
  enum status status =
      monitor->nodes && monitor->clusters
          ? add_nodes(monitor, error)
          : error_set(error, STATUS_NO_MEMORY, "no memory for %zu nodes", n);
  if (status) {
    monitor_free(monitor);
    return status;
  }
  *ret = monitor;
  return STATUS_OK;
}

static void node_fini(struct monitored *node) {
  for (unsigned tier = 0; tier < TIER_COUNT; tier++)
    if (node->rounds[tier].timer.fire)
      client_timer_clear(node->monitor->client, &node->rounds[tier].timer);
  cluster_leave(node->member);
  if (node->node)
    client_node_remove(node->node);
  scrape_free(node->scrape);
}

void monitor_free(struct monitor *monitor) {
  if (!monitor)
    return;
  monitor->is_closing = true;
  client_timer_clear(monitor->client, &monitor->refill);
  for (size_t i = 0; i < monitor->n_nodes; i++)
    node_fini(&monitor->nodes[i]);
  for (size_t i = 0; i < monitor->n_clusters; i++)
    cluster_free(monitor->clusters[i]);
  free(monitor->clusters);
  free(monitor->nodes);
  free(monitor);
}

static void start_node(struct monitored *node, int64_t now_ns) {
  const struct node_settings *settings = node->settings;
  const int64_t intervals[TIER_COUNT] = {
      [TIER_FAST] = node->interval_ns,
      [TIER_ADDRESS] = settings->address_interval_ns,
      [TIER_SLOW] = settings->slow_interval_ns};
  bool is_once = node->monitor->is_once;
  for (unsigned tier = 0; tier < TIER_COUNT; tier++) {
    struct round *round = &node->rounds[tier];
    int64_t offset =
        tick_offset_ns(settings->name, (enum tier)tier, intervals[tier]);
    tick_start(&round->tick, now_ns, offset, intervals[tier]);
    round->is_due = tier != TIER_FAST;
    if (!is_once)
      client_timer_set(node->monitor->client, &round->timer,
                       round->tick.next_ns);
  }
  if (is_once)
    begin(&node->rounds[TIER_FAST], now_ns);
}

void monitor_start(struct monitor *monitor, int64_t now_ns) {
  for (size_t i = 0; i < monitor->n_nodes; i++)
    start_node(&monitor->nodes[i], now_ns);
}

bool monitor_is_done(const struct monitor *monitor) {
  if (!monitor->is_once)
    return false;
  for (size_t i = 0; i < monitor->n_nodes; i++)
    if (!is_node_done(&monitor->nodes[i]))
      return false;
  return true;
}

size_t monitor_n_nodes(const struct monitor *monitor) {
  return monitor->n_nodes;
}

void monitor_view(const struct monitor *monitor, size_t i,
                  struct monitor_view *ret) {
  const struct monitored *node = &monitor->nodes[i];
  *ret = (struct monitor_view){.name = node->settings->name,
                               .cluster = node->settings->cluster,
                               .url_key = node->settings->url_key,
                               .state = member_health(node->member)->state,
                               .is_up = member_health(node->member)->is_up,
                               .why = &node->why,
                               .identity = scrape_identity(node->scrape),
                               .counts = scrape_counts(node->scrape),
                               .stats = client_node_stats(node->node),
                               .scrape_ns = node->scrape_ns,
                               .rounds = node->n_rounds,
                               .skipped = node->n_skipped,
                               .stretched = node->stretch.n,
                               .affords_ns = node->stretch.cost_ns};
  member_view(node->member, &ret->bonds);
}
