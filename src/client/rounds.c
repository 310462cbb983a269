/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/monitor_state.h"

#include "base/clock.h"

static void advance(struct round *round);

/* -- Requests -- */

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct round *round = cookie;
  struct outflow *outflow = &round->node->monitor->outflow;
  if (round->node->is_closing)
    return true;
  outflow_row(outflow);
  scrape_row(round->node->scrape, round->tier, item, row);
  return !outflow_is_spent(outflow, round);
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct round *round = cookie;
  if (round->node->is_closing)
    return;
  scrape_item(round->node->scrape, round->tier, item, result);
}

static void on_done(void *cookie, const struct job_result *result) {
  struct round *round = cookie;
  struct monitored *node = round->node;
  struct outflow *outflow = &node->monitor->outflow;
  round->job = NULL;
  outflow_leave(outflow, round);
  if (node->is_closing)
    return;
  if (round->tier == TIER_FAST) {
    stretch_add(&node->stretch, result->bytes, result->handling_ns);
    node->permit_wait_ns += result->permit_wait_ns;
  }
  scrape_done(node->scrape, round->tier, &result->error);
  advance(round);
  outflow_resume(outflow);
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

/* -- Rounds -- */

static void begin(struct round *round, int64_t now_ns) {
  struct monitored *node = round->node;
  monitored_renew_scrape(node);
  round->is_due = false;
  round->is_running = true;
  round->started_ns = now_ns;
  if (round->tier == TIER_FAST) {
    stretch_begin(&node->stretch, now_ns);
    node->permit_wait_ns = 0;
  }
  scrape_begin(node->scrape, round->tier, clock_wall_ns());
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
  struct member_round round = {
      .outcome = outcome,
      .identity = scrape_identity(node->scrape),
      .hold = hold_of(node),
      .is_whole = scrape_is_whole(node->scrape),
      .uptime_ms = scrape_uptime_ms(node->scrape),
      .started_ns = node->rounds[TIER_FAST].started_ns,
      .permit_wait_ns = node->permit_wait_ns,
      .certificate_left_ns =
          client_node_certificate_left_ns(node->node, clock_wall_ns()),
      .has_all = scrape_has_all(node->scrape),
      .over_queues = scrape_over_queues(node->scrape),
      .over_addresses = scrape_over_addresses(node->scrape)};
  for (unsigned tier = 0; tier < TIER_COUNT; tier++)
    round.over_mbeans[tier] = scrape_over_mbeans(node->scrape, (enum tier)tier);
  enum node_state before = member_health(node->member)->state;
  cluster_round(node->member, &round, now_ns);
  begin_due(node, now_ns);
  members_round(node, before, now_ns);
}

bool rounds_are_over(const struct monitored *node) {
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
  else if (scrape_outcome(node->scrape, round->tier)->kind == STATUS_OK)
    client_node_round_over(node->node, round->tier);
  if (node->monitor->is_once && rounds_are_over(node) && !node->is_self_sent) {
    node->is_self_sent = true;
    monitored_send_self(node, now_ns);
  }
  if (node->monitor->is_once)
    members_rest(node->monitor, now_ns);
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

static void on_tick(void *cookie, int64_t now_ns) {
  struct round *round = cookie;
  struct monitored *node = round->node;
  node->n_skipped += tick_advance(&round->tick, now_ns);
  client_timer_set(node->monitor->client, &round->timer, round->tick.next_ns);
  if (round->tier == TIER_FAST) {
    monitored_send_self(node, now_ns);
    monitored_tick_cluster(node, now_ns);
  }
  if (round->is_running) {
    node->n_skipped++;
  } else if (round->tier == TIER_FAST) {
    if (!stretch_puts_off(&node->stretch, node->name, node->interval_ns,
                          now_ns))
      begin(round, now_ns);
  } else {
    round->is_due = true;
    begin_due(node, now_ns);
  }
}

static int64_t interval_of(const struct round *round) {
  const struct node_settings *settings = round->node->settings;
  const int64_t intervals[TIER_COUNT] = {
      [TIER_FAST] = round->node->interval_ns,
      [TIER_ADDRESS] = settings->address_interval_ns,
      [TIER_SLOW] = settings->slow_interval_ns};
  return intervals[round->tier];
}

/* Whenever a node came, its ticks are those of the monitor's start. */
static void set_ticks(struct round *round, int64_t first_ns) {
  const struct monitor *monitor = round->node->monitor;
  int64_t interval_ns = interval_of(round);
  tick_start(&round->tick, monitor->start_ns,
             tick_offset_ns(round->node->name, round->tier, interval_ns),
             interval_ns);
  (void)tick_advance(&round->tick, first_ns - 1);
  if (!monitor->is_once)
    client_timer_set(monitor->client, &round->timer, round->tick.next_ns);
}

void rounds_init(struct monitored *node) {
  for (unsigned tier = 0; tier < TIER_COUNT; tier++)
    node->rounds[tier] = (struct round){
        .node = node,
        .tier = (enum tier)tier,
        .timer = {.fire = on_tick, .cookie = &node->rounds[tier]},
        .is_due = tier != TIER_FAST};
}

void rounds_start(struct monitored *node, int64_t now_ns) {
  for (unsigned tier = 0; tier < TIER_COUNT; tier++)
    set_ticks(&node->rounds[tier], now_ns);
  if (node->monitor->is_once)
    begin(&node->rounds[TIER_FAST], now_ns);
}

void rounds_move(struct monitored *node, int64_t now_ns) {
  for (unsigned tier = 0; tier < TIER_COUNT; tier++) {
    struct round *round = &node->rounds[tier];
    int64_t interval_ns = interval_of(round);
    if (interval_ns == round->tick.interval_ns)
      continue;
    int64_t soonest_ns = round->started_ns + interval_ns / 2;
    set_ticks(round, soonest_ns > now_ns ? soonest_ns : now_ns);
  }
}

void rounds_fini(struct monitored *node) {
  for (unsigned tier = 0; tier < TIER_COUNT; tier++) {
    client_timer_clear(node->monitor->client, &node->rounds[tier].timer);
    outflow_leave(&node->monitor->outflow, &node->rounds[tier]);
  }
}
