/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "client/monitor.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* The monitor alone, in virtual time: the clock, the client and the scrape are
 * stand-ins, defined here in place of those of the core. */

#define S CLOCK_NS_PER_S
#define MS CLOCK_NS_PER_MS
#define START (1000 * S)
#define WALL (1700000000 * S)

static int64_t now_ns;
int64_t clock_mono_ns(void) { return now_ns; }
int64_t clock_wall_ns(void) { return WALL + now_ns; }

/* -- The client: replies come ${delay_ns} after the request -- */

enum { MAX_TIMERS = 64, MAX_JOBS = 32, MAX_SENT = 5000, MAX_NODES = 4 };

struct job {
  struct job_options options;
  struct node *node;
  int64_t reply_ns; /* CLOCK_NEVER: no reply comes */
  uint64_t rows_left;
  bool is_used;
  bool is_paused;
};

struct node {
  char name[32];
  struct node_stats stats;
  int64_t delay_ns;    /* CLOCK_NEVER: never answers */
  enum status kind;    /* how it answers */
  enum status refusal; /* of client_submit() */
  uint64_t rows;       /* of each reply */
  int64_t handling_ns; /* likewise */
  struct ceiling_settings ceiling;
  bool is_held;
  bool is_held_by_operator;
  bool is_used;
};

static bool ends_at_timeout; /* of jobs without a reply */
static struct timer *timers[MAX_TIMERS];
static struct job jobs[MAX_JOBS];
static struct node nodes[MAX_NODES];
static struct {
  int64_t at_ns;
  int64_t timeout_ns;
  int64_t deadline_ns;
  enum owner owner;
  enum request_kind kind;
  const struct node *node;
} sent[MAX_SENT];
static int n_sent;

void client_timer_set(struct client *client, struct timer *timer,
                      int64_t at_ns) {
  (void)client;
  int place = -1;
  for (int i = MAX_TIMERS - 1; i >= 0; i--)
    if (timers[i] == timer || (!timers[i] && place < 0))
      place = i;
  for (int i = 0; i < MAX_TIMERS; i++)
    if (timers[i] == timer)
      place = i;
  ck_assert_int_ge(place, 0);
  timers[place] = timer;
  timer->at_ns = at_ns;
}

void client_timer_clear(struct client *client, struct timer *timer) {
  (void)client;
  for (int i = 0; i < MAX_TIMERS; i++)
    if (timers[i] == timer)
      timers[i] = NULL;
}

enum status client_node_add(struct client *client,
                            const struct node_options *options,
                            struct node **ret, struct error *error) {
  (void)client;
  (void)error;
  for (int i = 0; i < MAX_NODES; i++) {
    if (strcmp(nodes[i].name, options->name) != 0)
      continue;
    nodes[i].is_used = true;
    nodes[i].ceiling = options->ceiling;
    *ret = &nodes[i];
    return STATUS_OK;
  }
  return error_set(error, STATUS_INVALID, "no such node");
}

static void end_job(struct job *job, enum status kind) {
  struct job ended = *job;
  struct job_result result = {.http_status = 200,
                              .handling_ns = job->node->handling_ns};
  result.error.kind = kind;
  job->is_used = false;
  ended.options.done(ended.options.cookie, &result);
}

void client_node_remove(struct node *node) {
  for (int i = 0; i < MAX_JOBS; i++)
    if (jobs[i].is_used && jobs[i].node == node)
      end_job(&jobs[i], STATUS_CLOSING);
  node->is_used = false;
}

enum status client_submit(struct node *node, const struct job_options *options,
                          struct job **ret, struct error *error) {
  if (node->refusal)
    return error_set(error, node->refusal, "refused");
  int i = 0;
  while (i < MAX_JOBS && jobs[i].is_used)
    i++;
  ck_assert_int_lt(i, MAX_JOBS);
  jobs[i] = (struct job){.options = *options,
                         .node = node,
                         .is_used = true,
                         .rows_left = node->kind ? 0 : node->rows,
                         .reply_ns = node->delay_ns == CLOCK_NEVER
                                         ? CLOCK_NEVER
                                         : now_ns + node->delay_ns};
  ck_assert_int_lt(n_sent, MAX_SENT);
  if (ends_at_timeout)
    jobs[i].reply_ns = now_ns + options->timeout_ns;
  sent[n_sent].at_ns = now_ns;
  sent[n_sent].timeout_ns = options->timeout_ns;
  sent[n_sent].deadline_ns = options->deadline_ns;
  sent[n_sent].owner = options->owner;
  sent[n_sent].kind = options->kind;
  sent[n_sent].node = node;
  n_sent++;
  *ret = &jobs[i];
  return STATUS_OK;
}

void client_resume(struct job *job) {
  ck_assert(job->is_used);
  ck_assert(job->is_paused);
  job->is_paused = false;
}

const struct node_stats *client_node_stats(struct node *node) {
  ck_assert(node->is_used);
  return &node->stats;
}
const struct ceiling_settings *client_node_ceiling(const struct node *node) {
  return &node->ceiling;
}

void client_node_host(struct node *node, struct host_totals *ret) {
  ck_assert(node->is_used);
  *ret = (struct host_totals){.is_shared = true};
}
void client_node_stats_reset_max(struct node *node) {
  node->stats.permit_wait_max_ns = 0;
}
enum status client_node_share_ceiling(struct node *node, struct node *first) {
  (void)node;
  (void)first;
  return STATUS_OK;
}
bool client_node_held(const struct node *node) {
  return node->is_held_by_operator;
}

/* All in one: it is the refills that end it. */
uint64_t client_turns(const struct client *client) {
  (void)client;
  return 1;
}

bool client_node_login_held(const struct node *node) { return node->is_held; }
int64_t client_node_certificate_left_ns(const struct node *node,
                                        int64_t wall_ns) {
  (void)node;
  (void)wall_ns;
  return CLOCK_NEVER;
}

/* Passes rows on until the job is paused or has no more; then ends it. */
static void serve(struct job *job) {
  struct row row = {.name = ""};
  while (job->rows_left > 0) {
    job->rows_left--;
    if (!job->options.sink.row(job->options.sink.cookie, 0, &row)) {
      job->is_paused = true;
      return;
    }
  }
  bool is_hung = job->node->delay_ns == CLOCK_NEVER;
  end_job(job, is_hung ? STATUS_TIMEOUT : job->node->kind);
}

static void run_until(int64_t until_ns) {
  for (;;) {
    int64_t next_ns = until_ns;
    struct timer *timer = NULL;
    struct job *job = NULL;
    for (int i = 0; i < MAX_JOBS; i++)
      if (jobs[i].is_used && !jobs[i].is_paused &&
          jobs[i].reply_ns <= next_ns) {
        job = &jobs[i];
        next_ns = job->reply_ns;
      }
    for (int i = 0; i < MAX_TIMERS; i++)
      if (timers[i] && timers[i]->at_ns <= next_ns &&
          (!timer || timers[i]->at_ns < timer->at_ns))
        timer = timers[i];
    if (timer && timer->at_ns < next_ns)
      job = NULL;
    if (!timer && !job)
      break;
    if (job) {
      now_ns = job->reply_ns > now_ns ? job->reply_ns : now_ns;
      serve(job);
      continue;
    }
    now_ns = timer->at_ns > now_ns ? timer->at_ns : now_ns;
    client_timer_clear(NULL, timer);
    timer->fire(timer->cookie, now_ns);
  }
  now_ns = until_ns;
}

/* -- The scrape: identity and broker; one request for the other tiers -- */

enum { SAMPLES_A_ROW = 10 };

static bool falls_back; /* a failed listing is followed by a read */

struct scrape {
  struct scrape_settings settings;
  struct sample_sink sink;
  struct identity identity;
  struct scrape_counts counts;
  struct error outcome[TIER_COUNT];
  int step[TIER_COUNT];
  bool is_running[TIER_COUNT];
  bool has_failed; /* the last fast round */
};

const char *request_kind_name(enum request_kind kind) {
  static const char *const names[KIND_COUNT] = {"a", "b", "c", "d",
                                                "e", "f", "g"};
  return names[kind];
}

struct scrape *scrape_new(const struct scrape_settings *settings,
                          const struct sample_sink *sink) {
  struct scrape *scrape = calloc(1, sizeof(*scrape));
  scrape->settings = *settings;
  scrape->sink = *sink;
  return scrape;
}

void scrape_free(struct scrape *scrape) { free(scrape); }

void scrape_begin(struct scrape *scrape, enum tier tier, int64_t wall_ns) {
  ck_assert(!scrape->is_running[tier]);
  ck_assert_int_eq(wall_ns, WALL + now_ns);
  scrape->is_running[tier] = true;
  scrape->step[tier] = 0;
  scrape->outcome[tier].kind = STATUS_OK;
}

bool scrape_next(struct scrape *scrape, enum tier tier,
                 struct scrape_request *ret) {
  ck_assert(scrape->is_running[tier]);
  static const enum request_kind kinds[TIER_COUNT] = {
      KIND_LISTING, KIND_ADDRESSES, KIND_MBEAN};
  bool needs_identity =
      tier == TIER_FAST && (!scrape->identity.is_known || scrape->has_failed);
  bool is_over = (scrape->outcome[tier].kind && !falls_back) ||
                 scrape->step[tier] > 1 ||
                 (scrape->step[tier] == 1 && tier != TIER_FAST) ||
                 (tier != TIER_FAST && !scrape->identity.is_known);
  if (scrape->step[tier] == 0 && tier == TIER_FAST && !needs_identity)
    scrape->step[tier] = 1;
  if (is_over) {
    scrape->is_running[tier] = false;
    return false;
  }
  *ret = (struct scrape_request){
      .kind = scrape->step[tier] == 0 && tier == TIER_FAST ? KIND_IDENTITY
                                                           : kinds[tier],
      .n = 1};
  return true;
}

void scrape_row(struct scrape *scrape, enum tier tier, size_t item,
                const struct row *row) {
  (void)tier;
  (void)item;
  (void)row;
  struct sample sample = {.host = scrape->settings.host, .plugin = "artemis"};
  for (int i = 0; i < SAMPLES_A_ROW; i++)
    scrape->sink.dispatch(scrape->sink.cookie, &sample);
}

void scrape_item(struct scrape *scrape, enum tier tier, size_t item,
                 const struct item_result *result) {
  (void)scrape;
  (void)tier;
  (void)item;
  (void)result;
}

void scrape_done(struct scrape *scrape, enum tier tier,
                 const struct error *error) {
  scrape->outcome[tier] = *error;
  scrape->step[tier]++;
  if (tier == TIER_FAST) {
    scrape->has_failed = error->kind != STATUS_OK;
    scrape->identity.is_known |= !scrape->has_failed;
    scrape->identity.is_started = true;
    scrape->identity.is_active = true;
  }
}

const struct error *scrape_outcome(const struct scrape *scrape,
                                   enum tier tier) {
  return &scrape->outcome[tier];
}
const struct identity *scrape_identity(const struct scrape *scrape) {
  return &scrape->identity;
}
bool scrape_is_whole(const struct scrape *scrape) {
  return !scrape->has_failed;
}
int64_t scrape_uptime_ms(const struct scrape *scrape) {
  (void)scrape;
  return -1;
}
const struct scrape_counts *scrape_counts(const struct scrape *scrape) {
  return &scrape->counts;
}

/* -- The set-up -- */

static struct node_settings node_settings[MAX_NODES];
static struct settings settings = {.nodes = node_settings};
static struct monitor *monitor;
static uint64_t n_values; /* of the broker */
static uint64_t n_self;   /* sets of self-metrics */
static uint64_t n_values_of[MAX_NODES];
static int64_t first_value_ns, last_value_ns;

static void keep_sample(void *cookie, const struct sample *sample) {
  (void)cookie;
  if (strcmp(sample->plugin, "jolokia") == 0) {
    n_self += strcmp(sample->type_instance, "state") == 0;
    return;
  }
  if (n_values++ == 0)
    first_value_ns = now_ns;
  last_value_ns = now_ns;
  for (int i = 0; i < MAX_NODES; i++)
    n_values_of[i] += strcmp(sample->host, nodes[i].name) == 0;
}

static void set_up(size_t n, bool is_once, bool want_self_metrics) {
  static char names[MAX_NODES][8] = {"node-a", "node-b", "node-c", "node-d"};
  static char url[] = "http://127.0.0.1:8161/console/jolokia";
  static char cluster[] = "orders";
  static char domain[] = "org.apache.activemq.artemis";
  settings.n_nodes = n;
  settings.instances = 1;
  for (size_t i = 0; i < n; i++) {
    node_settings[i] =
        (struct node_settings){.name = names[i],
                               .cluster = cluster,
                               .url = url,
                               .jmx_domain = domain,
                               .address_interval_ns = 60 * S,
                               .slow_interval_ns = 300 * S,
                               .timeout_ns = 10 * S,
                               .ceiling = {.requests_per_second_milli = 20000,
                                           .burst = 1,
                                           .changes_per_second_milli = 50000,
                                           .bytes_per_second = 2 << 20,
                                           .handling_share_milli = 250,
                                           .max_in_flight = 2,
                                           .max_waiting = 64}};
    memcpy(nodes[i].name, names[i], sizeof(names[i]));
    if (nodes[i].delay_ns == 0)
      nodes[i].delay_ns = 10 * MS;
    nodes[i].rows = 1;
  }
  struct monitor_options options = {.settings = &settings,
                                    .sink = {.dispatch = keep_sample},
                                    .default_interval_ns = 10 * S,
                                    .is_once = is_once,
                                    .want_self_metrics = want_self_metrics};
  struct error error;
  now_ns = START;
  ck_assert_int_eq(monitor_new(NULL, &options, &monitor, &error), STATUS_OK);
  monitor_start(monitor, now_ns);
}

static void tear_down(void) { monitor_free(monitor); }

static struct monitor_view view_of(size_t i) {
  struct monitor_view view;
  monitor_view(monitor, i, &view);
  return view;
}

static int count_sent(enum request_kind kind, int64_t from_ns, int64_t to_ns) {
  int n = 0;
  for (int i = 0; i < n_sent; i++)
    n += sent[i].kind == kind && sent[i].at_ns >= from_ns &&
         sent[i].at_ns < to_ns;
  return n;
}

/* -- The tests -- */

START_TEST(ticks_stay_on_the_grid) {
  set_up(1, false, false);
  for (int i = 0; i < 1000; i++) {
    nodes[0].delay_ns = (i * 37 % 900) * MS;
    run_until(START + (i + 1) * 10 * S);
  }
  int64_t first_ns = sent[0].at_ns;
  ck_assert_int_lt(first_ns - START, 10 * S);
  int n = 0;
  for (int i = 1; i < n_sent; i++) {
    if (sent[i].kind != KIND_LISTING || sent[i].at_ns < first_ns + 10 * S)
      continue;
    n++;
    ck_assert_int_eq((sent[i].at_ns - first_ns) % (10 * S), 0);
    ck_assert_int_eq(sent[i].timeout_ns, 9800 * MS);
  }
  ck_assert_int_eq(n, 999);
  ck_assert_uint_eq(view_of(0).rounds, 1000);
  ck_assert_uint_eq(view_of(0).skipped, 0);
}
END_TEST

/* With a Timeout of the interval (10 s) each tick asks a node that hangs. */
START_TEST(a_hung_node_is_asked_at_each_tick) {
  set_up(1, false, false);
  nodes[0].delay_ns = CLOCK_NEVER;
  ends_at_timeout = true;
  run_until(START + 100 * S);
  ck_assert_int_eq(n_sent, 10);
  ck_assert_uint_eq(view_of(0).skipped, 0);
  ck_assert_int_eq(view_of(0).state, NODE_DOWN);
}
END_TEST

/* One that takes longer than the interval, within its Timeout, is not down: the
 * ticks that find it at work are skipped. */
START_TEST(a_slow_node_is_waited_for) {
  set_up(1, false, false);
  node_settings[0].timeout_ns = 30 * S;
  nodes[0].delay_ns = 14 * S;
  run_until(START + 200 * S);
  ck_assert_int_eq(view_of(0).state, NODE_ACTIVE);
  ck_assert_uint_ge(view_of(0).rounds, 8);
  ck_assert_uint_ge(view_of(0).skipped, 8);
  for (int i = 0; i < n_sent; i++) {
    ck_assert_int_eq(sent[i].timeout_ns, 30 * S);
    ck_assert_int_eq(sent[i].deadline_ns, CLOCK_NEVER);
  }
}
END_TEST

START_TEST(owners_are_by_tier) {
  set_up(1, false, false);
  run_until(START + 600 * S);
  for (int i = 0; i < n_sent; i++) {
    bool is_fast =
        sent[i].kind == KIND_IDENTITY || sent[i].kind == KIND_LISTING;
    ck_assert_int_eq(sent[i].owner, is_fast ? OWNER_SCRAPE : OWNER_SLOW);
  }
}
END_TEST

/* The slower tiers begin with the first good round, then keep their interval;
 * never two rounds closer than half of it. */
START_TEST(slower_tiers_keep_their_interval) {
  static const struct {
    enum request_kind kind;
    int64_t interval_ns;
  } cases[] = {{KIND_ADDRESSES, 60 * S}, {KIND_MBEAN, 300 * S}};
  set_up(1, false, false);
  run_until(START + 3000 * S);
  int64_t last_ns = 0;
  int n = 0;
  for (int i = 0; i < n_sent; i++) {
    if (sent[i].kind != cases[_i].kind)
      continue;
    if (n == 0)
      ck_assert_int_lt(sent[i].at_ns, START + 11 * S);
    else
      ck_assert_int_ge(sent[i].at_ns - last_ns, cases[_i].interval_ns / 2);
    if (n > 1)
      ck_assert_int_eq(sent[i].at_ns - last_ns, cases[_i].interval_ns);
    last_ns = sent[i].at_ns;
    n++;
  }
  ck_assert_int_ge(n, (int)(3000 * S / cases[_i].interval_ns) - 1);
}
END_TEST

START_TEST(a_round_that_runs_is_not_joined) {
  set_up(1, false, false);
  nodes[0].delay_ns = CLOCK_NEVER;
  run_until(START + 40 * S);
  ck_assert_int_eq(n_sent, 1);
  ck_assert_uint_eq(view_of(0).skipped, 3);
  ck_assert_uint_eq(view_of(0).rounds, 0);
}
END_TEST

START_TEST(a_failed_node_is_asked_for_its_identity_alone) {
  set_up(1, false, false);
  run_until(START + 100 * S);
  nodes[0].kind = STATUS_TIMEOUT;
  run_until(START + 130 * S);
  ck_assert_int_eq(view_of(0).state, NODE_DOWN);
  ck_assert(!view_of(0).is_up);
  run_until(START + 1130 * S);
  int64_t from_ns = START + 120 * S, to_ns = START + 1130 * S;
  ck_assert_int_eq(count_sent(KIND_IDENTITY, from_ns, to_ns), 101);
  ck_assert_int_eq(count_sent(KIND_LISTING, from_ns, to_ns), 0);
  ck_assert_int_eq(count_sent(KIND_ADDRESSES, from_ns, to_ns), 0);
  ck_assert_int_eq(count_sent(KIND_MBEAN, from_ns, to_ns), 0);
  nodes[0].kind = STATUS_OK;
  run_until(to_ns + 20 * S);
  ck_assert_int_eq(view_of(0).state, NODE_ACTIVE);
  ck_assert_int_ge(count_sent(KIND_LISTING, to_ns, to_ns + 20 * S), 1);
  ck_assert_int_eq(count_sent(KIND_ADDRESSES, to_ns, to_ns + 20 * S), 1);
  ck_assert_int_eq(count_sent(KIND_MBEAN, to_ns, to_ns + 20 * S), 1);
}
END_TEST

/* 5 s of handling a round take 20 s to come back at a share of 0.25: every
 * other tick of 10 s is put off, counted, and none skipped. */
START_TEST(a_scrape_that_costs_more_than_its_share_is_stretched) {
  set_up(1, false, false);
  run_until(START + 10 * S);
  nodes[0].handling_ns = 5 * S;
  run_until(START + 110 * S);
  ck_assert_int_eq(count_sent(KIND_LISTING, START + 10 * S, START + 110 * S),
                   5);
  ck_assert_uint_eq(view_of(0).stretched, 5);
  ck_assert_uint_eq(view_of(0).skipped, 0);
  ck_assert_int_eq(view_of(0).affords_ns, 20 * S);
}
END_TEST

/* A hold is no failure, and the next round after it is a whole one. */
START_TEST(a_held_node_is_neither_up_nor_down) {
  set_up(1, false, false);
  run_until(START + 100 * S);
  ck_assert_int_eq(view_of(0).state, NODE_ACTIVE);
  nodes[0].is_held_by_operator = true;
  nodes[0].refusal = STATUS_HELD;
  run_until(START + 200 * S);
  ck_assert_int_eq(view_of(0).state, NODE_HELD);
  nodes[0].is_held_by_operator = false;
  nodes[0].refusal = STATUS_OK;
  run_until(START + 220 * S);
  ck_assert_int_eq(view_of(0).state, NODE_ACTIVE);
}
END_TEST

START_TEST(what_our_side_keeps_back_is_not_a_failure) {
  set_up(1, false, false);
  run_until(START + 50 * S);
  nodes[0].refusal = STATUS_PERMIT_QUEUE_FULL;
  run_until(START + 200 * S);
  ck_assert_int_eq(view_of(0).state, NODE_ACTIVE);
  ck_assert_int_eq(view_of(0).why->kind, STATUS_PERMIT_QUEUE_FULL);
  nodes[0].refusal = STATUS_HELD;
  nodes[0].is_held = true;
  run_until(START + 220 * S);
  ck_assert_int_eq(view_of(0).state, NODE_LOGIN_HELD);
}
END_TEST

START_TEST(self_metrics_need_no_reply) {
  set_up(2, false, true);
  nodes[0].delay_ns = CLOCK_NEVER;
  nodes[1].refusal = STATUS_HELD;
  run_until(START + 100 * S);
  ck_assert_uint_eq(n_self, 20);
}
END_TEST

START_TEST(samples_go_out_within_the_budget) {
  set_up(1, true, false);
  nodes[0].rows = 2000; /* of 10 samples each */
  run_until(START + 60 * S);
  ck_assert(monitor_is_done(monitor));
  ck_assert_uint_eq(n_values, 3 * 20000 + 10);
  uint64_t windows = (uint64_t)((last_value_ns - first_value_ns) / (250 * MS));
  ck_assert_uint_le(n_values, (windows + 1) * 12500 + SAMPLES_A_ROW);
  ck_assert_uint_ge(windows, 4);
}
END_TEST

/* Two replies at one time share the windows: neither waits for the whole of the
 * other. */
START_TEST(paused_replies_take_turns) {
  set_up(2, true, false);
  nodes[0].rows = nodes[1].rows = 10000;
  run_until(START + 500 * MS);
  ck_assert_uint_gt(n_values_of[0], 8000);
  ck_assert_uint_gt(n_values_of[1], 8000);
  run_until(START + 60 * S);
  ck_assert(monitor_is_done(monitor));
  ck_assert_uint_eq(n_values_of[0], n_values_of[1]);
  ck_assert_uint_eq(n_values_of[0], 300010);
}
END_TEST

START_TEST(once_is_one_round_of_each_tier) {
  set_up(2, true, true);
  ck_assert(!monitor_is_done(monitor));
  nodes[1].kind = STATUS_CONNECT;
  run_until(START + 5 * S);
  ck_assert(monitor_is_done(monitor));
  ck_assert_uint_eq(n_self, 2);
  run_until(START + 1000 * S);
  ck_assert_int_eq(count_sent(KIND_LISTING, 0, now_ns), 1);
  ck_assert_int_eq(count_sent(KIND_ADDRESSES, 0, now_ns), 1);
  ck_assert_int_eq(count_sent(KIND_MBEAN, 0, now_ns), 1);
  ck_assert_int_eq(view_of(1).why->kind, STATUS_CONNECT);
}
END_TEST

/* Whatever is under way: free() ends all of it, and nothing is sent after. */
START_TEST(free_in_the_middle) {
  nodes[1].delay_ns = 3 * S;
  set_up(2, true, true);
  nodes[0].rows = 100000;
  falls_back = true;
  for (int i = 0; i <= _i; i++)
    run_until(now_ns + 100 * MS);
  int before = n_sent;
  monitor_free(monitor);
  monitor = NULL;
  ck_assert_int_eq(n_sent, before);
  for (int i = 0; i < MAX_TIMERS; i++)
    ck_assert_ptr_null(timers[i]);
  for (int i = 0; i < MAX_JOBS; i++)
    ck_assert(!jobs[i].is_used);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("monitor");
  TCase *t = tcase_create("monitor");
  tcase_add_checked_fixture(t, NULL, tear_down);
  tcase_add_test(t, ticks_stay_on_the_grid);
  tcase_add_test(t, a_hung_node_is_asked_at_each_tick);
  tcase_add_test(t, a_slow_node_is_waited_for);
  tcase_add_test(t, owners_are_by_tier);
  tcase_add_loop_test(t, slower_tiers_keep_their_interval, 0, 2);
  tcase_add_test(t, a_round_that_runs_is_not_joined);
  tcase_add_test(t, a_failed_node_is_asked_for_its_identity_alone);
  tcase_add_test(t, a_scrape_that_costs_more_than_its_share_is_stretched);
  tcase_add_test(t, a_held_node_is_neither_up_nor_down);
  tcase_add_test(t, what_our_side_keeps_back_is_not_a_failure);
  tcase_add_test(t, self_metrics_need_no_reply);
  tcase_add_test(t, samples_go_out_within_the_budget);
  tcase_add_test(t, paused_replies_take_turns);
  tcase_add_test(t, once_is_one_round_of_each_tier);
  tcase_add_loop_test(t, free_in_the_middle, 0, 20);
  suite_add_tcase(s, t);
  return s;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
