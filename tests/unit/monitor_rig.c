/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "monitor_rig.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t now_ns;
int64_t clock_mono_ns(void) { return now_ns; }
int64_t clock_wall_ns(void) { return WALL + now_ns; }

/* -- The client: replies come ${delay_ns} after the request -- */

struct job {
  struct job_options options;
  struct node *node;
  int64_t reply_ns; /* CLOCK_NEVER: no reply comes */
  uint64_t rows_left;
  bool is_used;
  bool is_paused;
};

bool ends_at_timeout;
struct node nodes[MAX_NODES];
struct sent *sent;
int n_sent;
static int sent_room;
static struct timer_heap timers;
static struct job jobs[MAX_JOBS];
static int n_jobs; /* those behind were never used */

size_t n_timers(void) { return timers.n; }

size_t n_in_flight(void) {
  size_t n = 0;
  for (int i = 0; i < n_jobs; i++)
    n += jobs[i].is_used;
  return n;
}

void client_timer_set(struct client *client, struct timer *timer,
                      int64_t at_ns) {
  (void)client;
  ck_assert(timer_heap_reserve(&timers, timers.n + 1));
  ck_assert(timer_set(&timers, timer, at_ns));
}

void client_timer_clear(struct client *client, struct timer *timer) {
  (void)client;
  timer_clear(&timers, timer);
}

enum status client_node_add(struct client *client,
                            const struct node_options *options,
                            struct node **ret, struct error *error) {
  (void)client;
  for (int i = 0; i < MAX_NODES && nodes[i].name[0]; i++) {
    struct node *node = &nodes[i];
    if (strcmp(node->name, options->name) != 0)
      continue;
    if (node->addition)
      return error_set(error, node->addition, "refused");
    ck_assert(!node->is_used);
    node->is_used = true;
    node->is_closed = false;
    node->n_added++;
    node->ceiling = options->ceiling;
    *ret = node;
    return STATUS_OK;
  }
  return error_set(error, STATUS_INVALID, "no such node");
}

enum status client_node_reconfigure(struct node *node,
                                    const struct node_options *options,
                                    struct error *error) {
  ck_assert(node->is_used);
  if (node->change)
    return error_set(error, node->change, "refused");
  node->n_changed++;
  node->ceiling = options->ceiling;
  return STATUS_OK;
}

static void end_job(struct job *job, enum status kind) {
  struct job ended = *job;
  struct job_result result = {.http_status = 200,
                              .handling_ns = job->node->handling_ns};
  result.error.kind = kind;
  job->is_used = false;
  ended.options.done(ended.options.cookie, &result);
}

/* What is on its way may still be answered. */
void client_node_close(struct node *node) {
  ck_assert(node->is_used);
  node->is_closed = true;
}

void client_node_remove(struct node *node) {
  ck_assert(node->is_used);
  for (int i = 0; i < n_jobs; i++)
    if (jobs[i].is_used && jobs[i].node == node)
      end_job(&jobs[i], STATUS_CLOSING);
  node->is_used = false;
}

enum status client_submit(struct node *node, const struct job_options *options,
                          struct job **ret, struct error *error) {
  ck_assert(node->is_used);
  ck_assert(!node->is_closed);
  if (node->refusal)
    return error_set(error, node->refusal, "refused");
  int i = 0;
  while (i < MAX_JOBS && jobs[i].is_used)
    i++;
  ck_assert_int_lt(i, MAX_JOBS);
  n_jobs = i < n_jobs ? n_jobs : i + 1;
  jobs[i] = (struct job){.options = *options,
                         .node = node,
                         .is_used = true,
                         .rows_left = node->kind ? 0 : node->rows,
                         .reply_ns = node->delay_ns == CLOCK_NEVER
                                         ? CLOCK_NEVER
                                         : now_ns + node->delay_ns};
  if (n_sent == sent_room) {
    sent_room = sent_room ? 2 * sent_room : 1024;
    sent = realloc(sent, (size_t)sent_room * sizeof(*sent));
  }
  if (ends_at_timeout && node->delay_ns == CLOCK_NEVER)
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

void client_cancel(struct job *job) { job->reply_ns = now_ns; }

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

void client_node_round_over(struct node *node, enum tier tier) {
  node->n_over[tier]++;
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

void run_until(int64_t until_ns) {
  for (;;) {
    int64_t next_ns = until_ns;
    struct timer *timer = NULL;
    struct job *job = NULL;
    for (int i = 0; i < n_jobs; i++)
      if (jobs[i].is_used && !jobs[i].is_paused &&
          jobs[i].reply_ns <= next_ns) {
        job = &jobs[i];
        next_ns = job->reply_ns;
      }
    if (timer_next_ns(&timers) <= next_ns)
      timer = timers.slot[1];
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

bool falls_back;
int n_scrapes;

struct scrape {
  char host[NAME_ROOM];
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

struct scrape *scrape_new(const struct scrape_settings *options,
                          const struct sample_sink *sink) {
  struct scrape *scrape = calloc(1, sizeof(*scrape));
  n_scrapes++;
  scrape->settings = *options;
  scrape->settings.host = scrape->host;
  snprintf(scrape->host, sizeof(scrape->host), "%s", options->host);
  scrape->sink = *sink;
  return scrape;
}

void scrape_free(struct scrape *scrape) { free(scrape); }

enum status scrape_add_mbean(struct scrape *scrape,
                             const struct mbean_block *block,
                             const struct mbean_value *value,
                             struct error *error) {
  (void)scrape;
  (void)block;
  (void)value;
  (void)error;
  return STATUS_OK;
}

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
bool scrape_has_all(const struct scrape *scrape) { return !scrape->has_failed; }
int64_t scrape_uptime_ms(const struct scrape *scrape) {
  (void)scrape;
  return -1;
}
static const struct left_out none_over;
const struct left_out *scrape_over_queues(const struct scrape *scrape) {
  (void)scrape;
  return &none_over;
}
const struct left_out *scrape_over_addresses(const struct scrape *scrape) {
  (void)scrape;
  return &none_over;
}
const struct left_out *scrape_over_mbeans(const struct scrape *scrape,
                                          enum tier tier) {
  (void)scrape;
  (void)tier;
  return &none_over;
}
const struct left_out *scrape_taken_mbeans(const struct scrape *scrape,
                                           enum tier tier) {
  (void)scrape;
  (void)tier;
  return &none_over;
}
const struct scrape_counts *scrape_counts(const struct scrape *scrape) {
  return &scrape->counts;
}

/* -- The set-up -- */

struct node_settings node_settings[MAX_NODES];
struct settings settings = {.nodes = node_settings};
struct monitor *monitor;
uint64_t n_values, n_self;
uint64_t n_values_of[N_VALUES_OF];
int64_t first_value_ns, last_value_ns;

static void keep_sample(void *cookie, const struct sample *sample) {
  (void)cookie;
  if (strcmp(sample->plugin, "jolokia") == 0) {
    n_self += strcmp(sample->type_instance, "state") == 0;
    return;
  }
  if (n_values++ == 0)
    first_value_ns = now_ns;
  last_value_ns = now_ns;
  for (int i = 0; i < N_VALUES_OF; i++)
    n_values_of[i] += strcmp(sample->host, nodes[i].name) == 0;
}

static char names[MAX_NODES][NAME_ROOM];
static char urls[MAX_NODES][64];

void name_node(size_t i) {
  if (i < 26)
    snprintf(names[i], NAME_ROOM, "node-%c", 'a' + (int)i);
  else
    snprintf(names[i], NAME_ROOM, "node-%zu", i);
  snprintf(urls[i], sizeof(urls[i]), "http://127.0.0.1:%zu/console/jolokia",
           8161 + i);
  memcpy(nodes[i].name, names[i], NAME_ROOM);
  if (nodes[i].delay_ns == 0)
    nodes[i].delay_ns = 10 * MS;
  nodes[i].rows = 1;
}

struct node_settings settings_of(size_t i) {
  static char cluster[] = "orders";
  static char domain[] = "org.apache.activemq.artemis";
  return (struct node_settings){.name = names[i],
                                .cluster = cluster,
                                .url = urls[i],
                                .url_key = urls[i],
                                .jmx_domain = domain,
                                .address_interval_ns = 60 * S,
                                .slow_interval_ns = 300 * S,
                                .timeout_ns = 10 * S,
                                .connect_timeout_ns = 3 * S,
                                .ceiling = {.requests_per_second_milli = 20000,
                                            .burst = 1,
                                            .changes_per_second_milli = 50000,
                                            .bytes_per_second = 2 << 20,
                                            .handling_share_milli = 250,
                                            .max_in_flight = 2,
                                            .max_waiting = 64}};
}

char last_notice[512];

static void keep_notice(void *cookie, const struct notice *notice) {
  (void)cookie;
  snprintf(last_notice, sizeof(last_notice), "%s: %s", notice->host,
           notice->text);
}

void set_up(size_t n, bool is_once, bool want_self_metrics) {
  settings.n_nodes = n;
  settings.instances = 1;
  for (size_t i = 0; i < n; i++) {
    name_node(i);
    node_settings[i] = settings_of(i);
  }
  struct monitor_options options = {.settings = &settings,
                                    .sink = {.dispatch = keep_sample},
                                    .notices = {.notify = keep_notice},
                                    .default_interval_ns = 10 * S,
                                    .is_once = is_once,
                                    .want_self_metrics = want_self_metrics};
  struct error error;
  now_ns = START;
  timer_heap_init(&timers);
  ck_assert_int_eq(monitor_new(NULL, &options, &monitor, &error), STATUS_OK);
  monitor_start(monitor, now_ns);
}

void tear_down(void) {
  monitor_free(monitor);
  monitor = NULL;
  ck_assert_uint_eq(n_timers(), 0);
  ck_assert_uint_eq(n_in_flight(), 0);
  timer_heap_fini(&timers);
  free(sent);
}

struct monitor_view view_of(size_t i) {
  struct monitor_view view;
  monitor_view(monitor, i, &view);
  return view;
}

int count_sent(enum request_kind kind, int64_t from_ns, int64_t to_ns) {
  int n = 0;
  for (int i = 0; i < n_sent; i++)
    n += sent[i].kind == kind && sent[i].at_ns >= from_ns &&
         sent[i].at_ns < to_ns;
  return n;
}
