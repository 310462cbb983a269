/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "base/log.h"
#include "client/discovery.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Discovery alone, in virtual time: the clock and the client are stand-ins,
 * defined here in place of those of the core. A broker is what answers at a
 * host; replies are read by the core's own reader. */

#define S CLOCK_NS_PER_S
#define MS CLOCK_NS_PER_MS
#define START (1000 * S)
#define REPLY (10 * MS)

static int64_t now_ns;
int64_t clock_mono_ns(void) { return now_ns; }
int64_t clock_wall_ns(void) { return now_ns; }

/* -- Brokers: what a probe finds at a host -- */

struct broker {
  const char *host;
  const char *name;
  const char *node_id;
  bool is_backup;
  enum status failure; /* of its requests; STATUS_OK: it answers */
  bool is_silent;
};

static struct broker brokers[80];
static size_t n_brokers;
static const char *topology; /* of all of them, as JSON */
static enum status topology_failure;
static bool is_topology_denied; /* the item alone */

static struct broker *broker_at(const char *host) {
  for (size_t i = 0; i < n_brokers; i++)
    if (strcmp(brokers[i].host, host) == 0)
      return &brokers[i];
  return NULL;
}

static struct broker *add_broker(const char *host, const char *name,
                                 const char *node_id) {
  brokers[n_brokers] =
      (struct broker){.host = host, .name = name, .node_id = node_id};
  return &brokers[n_brokers++];
}

/* -- The client -- */

struct job {
  struct job_options options;
  struct operation operation; /* the first */
  struct node *node;
  int64_t reply_ns;
  bool is_used;
};

struct node {
  char host[256];
  char url_key[URL_MAX];
  char username[32];
  bool is_used;
};

enum { MAX_JOBS = 32, MAX_NODES = 100, MAX_SENT = 1000 };
static struct job jobs[MAX_JOBS];
static struct node nodes[MAX_NODES];
static struct {
  char host[256];
  int64_t at_ns;
  bool is_topology;
} sent[MAX_SENT];
static size_t n_sent;
static struct timer *timer;
static size_t most_probes;
static enum status add_failure;

void client_timer_set(struct client *client, struct timer *set, int64_t at_ns) {
  (void)client;
  ck_assert(timer == NULL || timer == set);
  timer = set;
  timer->at_ns = at_ns;
}
void client_timer_clear(struct client *client, struct timer *set) {
  (void)client;
  if (timer == set)
    timer = NULL;
}

static struct node *take_node(const char *host) {
  for (size_t i = 0; i < MAX_NODES; i++)
    if (!nodes[i].is_used) {
      nodes[i] = (struct node){.is_used = true};
      snprintf(nodes[i].host, sizeof(nodes[i].host), "%s", host);
      return &nodes[i];
    }
  ck_abort_msg("too many nodes");
}

static size_t n_client_nodes(void) {
  size_t n = 0;
  for (size_t i = 0; i < MAX_NODES; i++)
    n += nodes[i].is_used;
  return n;
}

enum status client_node_add(struct client *client,
                            const struct node_options *options,
                            struct node **ret, struct error *error) {
  (void)client;
  if (add_failure)
    return error_set(error, add_failure, "no room");
  *ret = take_node(options->url.host);
  snprintf((*ret)->url_key, sizeof((*ret)->url_key), "%s", options->url.key);
  if (options->username)
    snprintf((*ret)->username, sizeof((*ret)->username), "%s",
             options->username);
  return STATUS_OK;
}

static void end_job(struct job *job, enum status kind) {
  struct job ended = *job;
  struct job_result result = {.http_status = 200};
  if (kind)
    error_set(&result.error, kind, "it failed so");
  job->is_used = false;
  ended.options.done(ended.options.cookie, &result);
}

void client_node_remove(struct node *node) {
  ck_assert(node->is_used);
  for (int i = 0; i < MAX_JOBS; i++)
    if (jobs[i].is_used && jobs[i].node == node)
      end_job(&jobs[i], STATUS_CLOSING);
  node->is_used = false;
}

void client_cancel(struct job *job) { job->reply_ns = now_ns; }

enum status client_submit(struct node *node, const struct job_options *options,
                          struct job **ret, struct error *error) {
  (void)error;
  int i = 0;
  while (jobs[i].is_used)
    ck_assert_int_lt(++i, MAX_JOBS);
  ck_assert(node->is_used);
  ck_assert_int_eq(options->owner, OWNER_DISCOVERY);
  const struct broker *broker = broker_at(node->host);
  jobs[i] = (struct job){.options = *options,
                         .operation = options->operations[0],
                         .node = node,
                         .is_used = true,
                         .reply_ns = broker && broker->is_silent
                                         ? now_ns + options->timeout_ns
                                         : now_ns + REPLY};
  ck_assert_uint_lt(n_sent, MAX_SENT);
  snprintf(sent[n_sent].host, sizeof(sent[n_sent].host), "%s", node->host);
  sent[n_sent].at_ns = now_ns;
  sent[n_sent++].is_topology = options->operations[0].type == OPERATION_EXEC;
  size_t n_probes = 0;
  for (int j = 0; j < MAX_JOBS; j++)
    n_probes += jobs[j].is_used && jobs[j].operation.type == OPERATION_VERSION;
  most_probes = n_probes > most_probes ? n_probes : most_probes;
  *ret = &jobs[i];
  return STATUS_OK;
}

static void add_escaped(struct buf *out, const char *text) {
  for (; *text; text++)
    buf_printf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
}

static void write_reply(struct buf *out, const struct job *job,
                        const struct broker *broker) {
  if (job->operation.type == OPERATION_EXEC) {
    buf_add_text(out, "[{\"value\":\"");
    add_escaped(out, topology);
    buf_add_text(out, "\",\"status\":200}]");
    return;
  }
  buf_add_text(out, "[{\"value\":{\"agent\":\"2.1.1\"},\"status\":200},"
                    "{\"value\":[\"a:broker=\\\"b\\\"\"],\"status\":200},");
  buf_printf(out,
             "{\"value\":{\"a:broker=\\\"b\\\"\":{\"Version\":\"2.40.0\","
             "\"Name\":\"%s\",\"NodeID\":\"%s\",\"Active\":%s,\"Backup\":%s,"
             "\"Started\":true}},\"status\":200}",
             broker->name, broker->node_id,
             broker->is_backup ? "false" : "true",
             broker->is_backup ? "true" : "false");
  buf_add_text(out, ",{\"value\":true,\"status\":200},{\"value\":true,"
                    "\"status\":200}]");
}

static void serve(struct job *job) {
  const struct broker *broker = broker_at(job->node->host);
  bool is_topology = job->operation.type == OPERATION_EXEC;
  struct buf body;
  struct item_result denied = {.status = STATUS_ITEM_DENIED, .error = "no"};
  size_t consumed;
  if (is_topology && topology_failure) {
    end_job(job, topology_failure);
    return;
  }
  if (is_topology && is_topology_denied) {
    job->options.sink.item(job->options.sink.cookie, 0, &denied);
    end_job(job, STATUS_OK);
    return;
  }
  if (!broker || broker->is_silent || broker->failure) {
    end_job(job, broker && broker->failure ? broker->failure : STATUS_TIMEOUT);
    return;
  }
  buf_init(&body, 1 << 20);
  write_reply(&body, job, broker);
  struct reply *reply =
      reply_new(job->options.specs, job->options.n, 65536, &job->options.sink);
  ck_assert_int_eq(reply_feed(reply, body.data, body.len, &consumed),
                   STATUS_OK);
  ck_assert_int_eq(reply_end(reply, NULL), STATUS_OK);
  reply_free(reply);
  buf_fini(&body);
  end_job(job, STATUS_OK);
}

static void run_until(int64_t until_ns) {
  for (;;) {
    struct job *job = NULL;
    for (int i = 0; i < MAX_JOBS; i++)
      if (jobs[i].is_used && jobs[i].reply_ns <= until_ns &&
          (!job || jobs[i].reply_ns < job->reply_ns))
        job = &jobs[i];
    if (timer && (!job || timer->at_ns <= job->reply_ns)) {
      struct timer *due = timer;
      now_ns = due->at_ns > now_ns ? due->at_ns : now_ns;
      timer = NULL;
      due->fire(due->cookie, now_ns);
    } else if (job) {
      now_ns = job->reply_ns > now_ns ? job->reply_ns : now_ns;
      serve(job);
    } else {
      break;
    }
  }
  now_ns = until_ns;
}

static size_t n_sent_to(const char *host) {
  size_t n = 0;
  for (size_t i = 0; i < n_sent; i++)
    n += strcmp(sent[i].host, host) == 0;
  return n;
}

static size_t n_topologies(void) {
  size_t n = 0;
  for (size_t i = 0; i < n_sent; i++)
    n += sent[i].is_topology;
  return n;
}

/* -- Settings, as the loader makes them -- */

#define CONFIGURED 2

/* Settings own what they have: copies, of the pool. */
static char texts[200][100];
static size_t n_texts;
static char *text(const char *constant) {
  ck_assert_uint_lt(n_texts, 200);
  char *copy = texts[n_texts++];
  snprintf(copy, sizeof(texts[0]), "%s", constant);
  return copy;
}

static char *host_patterns[2];
static struct core_url node_urls[4];
static struct node_settings configured[CONFIGURED];
static struct cluster_settings cluster;
static struct settings settings;
static struct discovery *discovery;

static struct node_settings node_of(const char *name, const char *host) {
  char *url = text("");
  snprintf(url, sizeof(texts[0]), "https://%s:8161/console/jolokia", host);
  return (struct node_settings){.name = text(name),
                                .cluster = text("orders"),
                                .url = url,
                                .url_key = url,
                                .timeout_ns = 10 * S};
}

/* -- What comes of it -- */

static struct log_line { char text[1024]; } lines[200];
static size_t n_lines;
static void on_log(void *cookie, enum log_level level, const char *line) {
  (void)cookie;
  if (level > LOG_LEVEL_NOTICE)
    return;
  ck_assert_uint_lt(n_lines, 200);
  snprintf(lines[n_lines++].text, sizeof(lines->text), "%s", line);
}
static size_t n_lines_with(const char *words) {
  size_t n = 0;
  for (size_t i = 0; i < n_lines; i++)
    n += strstr(lines[i].text, words) != NULL;
  return n;
}

static char notices[4000]; /* "EVENT HOST;" each */
static void on_notice(void *cookie, const struct notice *notice) {
  (void)cookie;
  size_t len = strlen(notices);
  ck_assert_str_eq(notice->cluster, "orders");
  snprintf(notices + len, sizeof(notices) - len, "%s %s;",
           notice_row(notice->event)->event, notice->host);
}

enum { MAX_ADDED = 100 };
static struct {
  const struct node_settings *settings;
  struct node *node;
} added[MAX_ADDED];
static size_t n_added;
static size_t n_readded;
static enum status sink_failure;

static size_t place_of(const char *name) {
  size_t i = 0;
  while (i < n_added && strcmp(added[i].settings->name, name) != 0)
    i++;
  return i;
}

static enum status on_add(void *cookie, const struct node_settings *node,
                          int64_t at_ns, struct error *error) {
  (void)cookie;
  ck_assert_int_eq(at_ns, now_ns);
  size_t i = place_of(node->name);
  if (sink_failure) {
    if (i < n_added)
      added[i] = added[--n_added];
    return error_set(error, sink_failure, "no room");
  }
  n_readded += i < n_added;
  if (i == n_added) {
    ck_assert_uint_lt(n_added, MAX_ADDED);
    struct url url;
    ck_assert_int_eq(url_parse(node->url, &url, NULL), STATUS_OK);
    ck_assert_str_eq(url.key, node->url_key);
    added[n_added++].node = take_node(url.host);
  }
  added[i].settings = node;
  return STATUS_OK;
}

static void on_remove(void *cookie, const char *name) {
  (void)cookie;
  size_t i = place_of(name);
  ck_assert_uint_lt(i, n_added);
  client_node_remove(added[i].node);
  added[i] = added[--n_added];
}

static bool is_added(const char *name) { return place_of(name) < n_added; }

/* -- Rounds -- */

static struct identity identity_of(const struct broker *broker) {
  struct identity identity = {.is_known = true,
                              .is_started = true,
                              .is_active = !broker->is_backup,
                              .is_backup = broker->is_backup};
  snprintf(identity.broker_mbean, sizeof(identity.broker_mbean),
           "a:broker=\"b\"");
  snprintf(identity.node_id, sizeof(identity.node_id), "%s", broker->node_id);
  snprintf(identity.broker_name, sizeof(identity.broker_name), "%s",
           broker->name);
  return identity;
}

/* A round of a node ends; its broker is the one at the URL's host. */
static void round_of(const struct node_settings *node, struct node *client_node,
                     bool has_changed) {
  struct url url;
  struct identity identity = {.is_known = false};
  ck_assert_int_eq(url_parse(node->url, &url, NULL), STATUS_OK);
  const struct broker *broker = broker_at(url.host);
  bool is_well = broker && !broker->failure && !broker->is_silent;
  if (is_well)
    identity = identity_of(broker);
  const struct discovery_round round = {.settings = node,
                                        .node = client_node,
                                        .identity = &identity,
                                        .state = !is_well ? NODE_DOWN
                                                 : broker->is_backup
                                                     ? NODE_BACKUP
                                                     : NODE_ACTIVE,
                                        .has_changed = has_changed};
  discovery_round(discovery, &round, now_ns);
}

static struct node *configured_node[CONFIGURED];

static void rounds(bool has_changed) {
  for (size_t i = 0; i < settings.n_nodes; i++)
    round_of(&configured[i], configured_node[i], has_changed);
  for (size_t i = 0; i < n_added; i++)
    round_of(added[i].settings, added[i].node, has_changed);
}

/* Rounds every 10 s. */
static void go(int64_t for_ns) {
  int64_t until_ns = now_ns + for_ns;
  while (now_ns < until_ns) {
    rounds(false);
    run_until(now_ns + 10 * S);
  }
}

static void expect_view(const char *core, enum discovery_state state,
                        const char *words) {
  for (size_t i = 0; i < discovery_n_members(discovery); i++) {
    struct discovery_view view;
    discovery_view(discovery, i, &view);
    if (strcmp(view.core, core) != 0)
      continue;
    ck_assert_str_eq(discovery_state_name(view.state),
                     discovery_state_name(state));
    ck_assert_msg(strstr(view.why->text, words) != NULL, "%s", view.why->text);
    ck_assert_int_eq(view.name != NULL, state == DISCOVERY_ADDED);
    return;
  }
  ck_abort_msg("%s is no member", core);
}

/* -- The tests' own cluster: a is configured, b and c are not -- */

#define MEMBER(id, core)                                                       \
  "{\"nodeID\":\"" id "\",\"live\":\"" core "\",\"primary\":\"" core "\"}"
#define A MEMBER("na", "a.example.net:61616")
#define B MEMBER("nb", "b.example.net:61616")
#define C MEMBER("nc", "c.example.net:61616")

static void begin(size_t n_configured) {
  const struct discovery_options options = {
      .settings = &settings,
      .default_interval_ns = 10 * S,
      .sink = {.add = on_add, .remove = on_remove},
      .notices = {.notify = on_notice}};
  settings.n_nodes = n_configured;
  for (size_t i = 0; i < n_configured; i++)
    configured_node[i] = take_node("configured");
  for (size_t i = 0; i < n_configured; i++) {
    struct url url;
    ck_assert_int_eq(url_parse(configured[i].url, &url, NULL), STATUS_OK);
    snprintf(configured_node[i]->host, sizeof(configured_node[i]->host), "%s",
             url.host);
  }
  ck_assert_int_eq(discovery_new(&options, &discovery, NULL), STATUS_OK);
}

static void setup(void) {
  now_ns = START;
  n_texts = 0;
  host_patterns[0] = text("*.example.net");
  host_patterns[1] = text("127.0.0.1");
  n_sent = n_brokers = n_lines = n_added = n_readded = most_probes = 0;
  topology_failure = add_failure = sink_failure = STATUS_OK;
  is_topology_denied = false;
  notices[0] = 0;
  timer = NULL;
  memset(jobs, 0, sizeof(jobs));
  memset(nodes, 0, sizeof(nodes));
  log_set_sink(on_log, NULL);
  add_broker("a.example.net", "broker-a", "na");
  add_broker("b.example.net", "broker-b", "nb");
  add_broker("c.example.net", "broker-c", "nc");
  topology = "[" A "," B "]";
  configured[0] = node_of("broker-a", "a.example.net");
  configured[1] = node_of("second", "z.example.net");
  cluster = (struct cluster_settings){
      .name = text("orders"),
      .discover = true,
      .discover_hosts = {.pattern = host_patterns, .n = 2},
      .url_template = text("https://{host}:8161/console/jolokia"),
      .node_urls = node_urls,
      .node_name = text("{name}"),
      .discover_interval_ns = 300 * S,
      .forget_after_ns = 600 * S,
      .max_nodes = 64,
      .member = {.cluster = text("orders"),
                 .username = text("monitor"),
                 .password = text("secret"),
                 .jmx_domain = text("a"),
                 .timeout_ns = 10 * S,
                 .connect_timeout_ns = 3 * S,
                 .ceiling = {.requests_per_second_milli = 20000,
                             .burst = 1,
                             .changes_per_second_milli = 50000,
                             .bytes_per_second = 2097152,
                             .handling_share_milli = 250,
                             .max_in_flight = 2,
                             .max_waiting = 64,
                             .max_request_bytes = 1048576,
                             .max_response_bytes = 67108864,
                             .max_object_bytes = 65536}}};
  settings = (struct settings){.nodes = configured,
                               .clusters = &cluster,
                               .n_clusters = 1,
                               .instances = 1};
}

/* Whatever happened: no node of its own is left, no job's memory either. */
static void teardown(void) {
  discovery_free(discovery);
  discovery = NULL;
  run_until(now_ns + 100 * S);
  for (size_t i = 0; i < MAX_JOBS; i++)
    ck_assert(!jobs[i].is_used);
  ck_assert_uint_eq(n_client_nodes(), n_added + settings.n_nodes);
}

START_TEST(finds_members) {
  begin(1);
  rounds(true);
  run_until(now_ns + S);
  ck_assert_uint_eq(n_sent, 2);
  ck_assert(sent[0].is_topology);
  ck_assert_str_eq(sent[0].host, "a.example.net");
  ck_assert_str_eq(sent[1].host, "b.example.net");
  ck_assert_uint_eq(n_added, 1);
  const struct node_settings *node = added[0].settings;
  ck_assert_str_eq(node->name, "broker-b");
  ck_assert_str_eq(node->cluster, "orders");
  ck_assert_str_eq(node->url_key, "https://b.example.net:8161/console/jolokia");
  ck_assert_str_eq(node->username, "monitor");
  ck_assert_str_eq(notices, "member added broker-b;");
  ck_assert_uint_eq(n_lines_with("node broker-b was found"), 1);
  expect_view("b.example.net:61616", DISCOVERY_ADDED, "");
  ck_assert(discovery_is_idle(discovery));
  /* again every DiscoverInterval, from whichever node; b is not probed again */
  go(600 * S);
  ck_assert_uint_eq(n_topologies(), 2);
  topology = "[" A "," B "," C "]";
  go(300 * S);
  ck_assert_uint_eq(n_topologies(), 3);
  ck_assert(is_added("broker-c"));
  ck_assert_uint_eq(n_sent, 5);
}
END_TEST

/* Its Core address leads by no template to its own URL: its NodeID tells. */
START_TEST(waits_for_all_nodes) {
  begin(2);
  add_broker("z.example.net", "zed", "nz");
  topology = "[" A "," MEMBER("nz", "10.0.0.5:61616") "]";
  round_of(&configured[0], configured_node[0], true);
  run_until(now_ns + S);
  ck_assert_uint_eq(n_sent, 0);
  round_of(&configured[1], configured_node[1], true);
  run_until(now_ns + S);
  ck_assert_uint_eq(n_sent, 1);
  ck_assert_uint_eq(discovery_n_members(discovery), 0);
  ck_assert_uint_eq(n_lines, 0);
}
END_TEST

START_TEST(waits_not_for_ever) {
  begin(2);
  round_of(&configured[0], configured_node[0], true);
  run_until(now_ns + 10 * S);
  ck_assert_uint_eq(n_sent, 0);
  round_of(&configured[0], configured_node[0], false);
  run_until(now_ns + S);
  ck_assert(is_added("broker-b"));
}
END_TEST

START_TEST(hostile_host) {
  begin(1);
  topology = "[" A "," MEMBER("ne", "evil.example.org:61616") "]";
  go(1200 * S);
  ck_assert_uint_eq(n_topologies(), 4);
  ck_assert_uint_eq(n_sent, 4); /* and nothing else */
  ck_assert_uint_eq(n_client_nodes(), 1);
  ck_assert_uint_eq(n_lines_with("evil.example.org:61616"), 1);
  ck_assert_uint_eq(n_lines_with("DiscoverHosts"), 1);
  ck_assert_str_eq(notices, "member refused orders;");
  expect_view("evil.example.org:61616", DISCOVERY_REFUSED, "DiscoverHosts");
}
END_TEST

START_TEST(a_flood_of_hosts) {
  static char flood[200000];
  size_t len = (size_t)snprintf(flood, sizeof(flood), "[" A "," B);
  begin(1);
  for (unsigned i = 0; i < 2000; i++)
    len +=
        (size_t)snprintf(flood + len, sizeof(flood) - len,
                         ",{\"nodeID\":\"n%u\",\"live\":\"h%u.org:1\"}", i, i);
  snprintf(flood + len, sizeof(flood) - len, "]");
  topology = flood;
  go(1200 * S);
  ck_assert_uint_eq(n_sent, 5);
  ck_assert(is_added("broker-b"));
  ck_assert_uint_le(n_lines, 4 * 8 + 3);
  ck_assert_uint_le(discovery_n_members(discovery), 128);
}
END_TEST

START_TEST(odd_entries) {
  begin(1);
  topology = "[{},{\"nodeID\":\"x\",\"live\":\"null:null\"},"
             "{\"nodeID\":\"y\",\"live\":\"0.0.0.0:1\"}," A "," B "]";
  go(10 * S);
  ck_assert(is_added("broker-b"));
  ck_assert_uint_eq(discovery_n_members(discovery), 1);
  topology = "[]"; /* not clustered: no error */
  go(300 * S);
  ck_assert_uint_eq(n_lines, 1);
  ck_assert_int_eq(discovery_why(discovery, "orders")->kind, STATUS_OK);
  ck_assert_ptr_null(discovery_why(discovery, "other"));
}
END_TEST

/* Four members, a few at a time. */
START_TEST(few_probes_at_once) {
  begin(1);
  static char names[40][40];
  static char many[4000];
  size_t len = (size_t)snprintf(many, sizeof(many), "[" A);
  for (unsigned i = 0; i < 20; i++) {
    snprintf(names[i], 40, "m%u.example.net", i);
    snprintf(names[20 + i], 40, "m%u", i);
    add_broker(names[i], names[20 + i], names[20 + i]);
    len += (size_t)snprintf(many + len, sizeof(many) - len,
                            ",{\"nodeID\":\"m%u\",\"live\":\"%s:1\"}", i,
                            names[i]);
  }
  snprintf(many + len, sizeof(many) - len, "]");
  topology = many;
  cluster.max_nodes = 16;
  rounds(true);
  run_until(now_ns + S);
  ck_assert_uint_eq(most_probes, 2);
  ck_assert_uint_eq(n_added, 15);
  ck_assert_uint_eq(n_sent, 16);
  expect_view("m19.example.net:1", DISCOVERY_REFUSED, "raise MaxNodes");
}
END_TEST

START_TEST(probes_again_at_the_next_discovery) {
  begin(1);
  brokers[1].failure = STATUS_CONNECT;
  go(290 * S);
  ck_assert_uint_eq(n_sent_to("b.example.net"), 1);
  expect_view("b.example.net:61616", DISCOVERY_FAILED, "it failed so");
  ck_assert_uint_eq(n_lines_with("does not answer as a broker at "
                                 "https://b.example.net:8161/console/jolokia: "
                                 "connect: "),
                    1);
  go(600 * S);
  ck_assert_uint_eq(n_sent_to("b.example.net"), 3);
  ck_assert_uint_eq(n_lines, 1); /* said once */
  brokers[1].failure = STATUS_OK;
  go(300 * S);
  ck_assert(is_added("broker-b"));
}
END_TEST

/* What kept it back is ours, and says nothing of the broker. */
START_TEST(a_probe_without_a_permit) {
  begin(1);
  brokers[1].failure = STATUS_PERMIT_TIMEOUT;
  go(290 * S);
  expect_view("b.example.net:61616", DISCOVERY_FAILED, "it failed so");
  ck_assert_uint_eq(n_lines_with("could not be asked at "
                                 "https://b.example.net:8161/console/jolokia: "
                                 "permit_timeout: it failed so"),
                    1);
  ck_assert_uint_eq(n_lines_with("does not answer"), 0);
  brokers[1].failure = STATUS_OK;
  go(310 * S);
  ck_assert(is_added("broker-b"));
}
END_TEST

/* Three refusals in 15 minutes lock accounts. */
START_TEST(refused_logins_are_rare) {
  begin(1);
  brokers[1].failure = STATUS_AUTH;
  go(3600 * S);
  ck_assert_uint_eq(n_topologies(), 12);
  ck_assert_uint_eq(n_sent_to("b.example.net"), 3);
  int64_t last_ns = 0;
  for (size_t i = 0; i < n_sent; i++)
    if (!sent[i].is_topology) {
      ck_assert(last_ns == 0 || sent[i].at_ns - last_ns >= 900 * S);
      last_ns = sent[i].at_ns;
    }
  /* another password is tried at once */
  struct cluster_settings other = cluster;
  struct settings next = settings;
  other.member.password = text("another");
  next.clusters = &other;
  discovery_apply(discovery, &next, now_ns);
  go(20 * S);
  ck_assert_uint_eq(n_sent_to("b.example.net"), 4);
}
END_TEST

START_TEST(a_silent_candidate) {
  begin(1);
  brokers[1].is_silent = true;
  topology = "[" A "," B "," C "]";
  go(10 * S);
  ck_assert(is_added("broker-c"));
  go(20 * S);
  expect_view("b.example.net:61616", DISCOVERY_FAILED, "");
  ck_assert_uint_eq(n_client_nodes(), 2);
}
END_TEST

START_TEST(asks_another_node) {
  begin(2);
  add_broker("z.example.net", "zed", "nz");
  topology_failure = STATUS_TIMEOUT;
  go(10 * S);
  ck_assert_uint_eq(n_sent, 1);
  ck_assert_str_eq(sent[0].host, "z.example.net");
  ck_assert_int_eq(discovery_why(discovery, "orders")->kind, STATUS_TIMEOUT);
  topology_failure = STATUS_OK;
  go(10 * S);
  ck_assert_str_eq(sent[1].host, "a.example.net");
  ck_assert(is_added("broker-b"));
}
END_TEST

/* One node alone, that refuses: not at each of its rounds. */
START_TEST(refused_topologies_are_rare) {
  begin(1);
  is_topology_denied = true;
  go(1200 * S);
  ck_assert_uint_eq(n_sent, 4);
  ck_assert_uint_ge(n_lines_with("cannot be read from node broker-a: "
                                 "item_denied"),
                    1);
  ck_assert_uint_le(n_lines, 4);
}
END_TEST

START_TEST(asks_after_changes) {
  begin(1);
  go(100 * S);
  ck_assert_uint_eq(n_topologies(), 1);
  topology = "[" A "," B "," C "]";
  rounds(true);
  run_until(now_ns + 10 * S);
  ck_assert_uint_eq(n_topologies(), 2);
  ck_assert(is_added("broker-c"));
  /* not more often than that */
  for (int i = 0; i < 20; i++) {
    rounds(true);
    run_until(now_ns + S);
  }
  ck_assert_uint_le(n_topologies(), 5);
}
END_TEST

/* A backup is asked where there is no active node, and only then. */
START_TEST(asks_a_backup_last) {
  begin(2);
  add_broker("z.example.net", "zed", "na")->is_backup = true;
  brokers[0].failure = STATUS_CONNECT;
  go(10 * S);
  ck_assert_uint_eq(n_sent_to("z.example.net"), 1);
  brokers[0].failure = STATUS_OK;
  go(600 * S);
  ck_assert_uint_eq(n_sent_to("z.example.net"), 1);
  ck_assert_uint_ge(n_topologies(), 2);
}
END_TEST

START_TEST(takes_backups) {
  begin(1);
  add_broker("d.example.net", "broker-d", "na")->is_backup = true;
  topology = "[{\"nodeID\":\"na\",\"live\":\"a.example.net:61616\","
             "\"backup\":\"d.example.net:61616\"}]";
  go(10 * S);
  ck_assert(is_added("broker-d"));
  struct discovery_view view;
  discovery_view(discovery, 0, &view);
  ck_assert(view.is_backup);
  ck_assert_str_eq(view.node_id, "na");
}
END_TEST

START_TEST(forgets_who_is_gone) {
  begin(1);
  go(10 * S);
  ck_assert(is_added("broker-b"));
  /* silent but named: it stays */
  brokers[1].is_silent = true;
  go(1200 * S);
  ck_assert(is_added("broker-b"));
  topology = "[" A "]";
  go(590 * S);
  ck_assert(is_added("broker-b"));
  go(310 * S);
  ck_assert(!is_added("broker-b"));
  ck_assert_uint_eq(discovery_n_members(discovery), 0);
  ck_assert_ptr_nonnull(strstr(notices, "member dropped broker-b;"));
}
END_TEST

START_TEST(keeps_who_answers) {
  begin(1);
  go(10 * S);
  topology = "[" A "]";
  go(3600 * S);
  ck_assert(is_added("broker-b"));
  brokers[1].is_silent = true;
  go(620 * S);
  ck_assert(!is_added("broker-b"));
}
END_TEST

START_TEST(names_twice) {
  begin(1);
  brokers[1].name = "broker-a"; /* as the configured node's */
  brokers[2].name = "orders";   /* as the cluster's own */
  topology = "[" A "," B "," C "]";
  go(20 * S);
  ck_assert_uint_eq(n_added, 0);
  expect_view("b.example.net:61616", DISCOVERY_REFUSED,
              "something else is named \"broker-a\"");
  expect_view("c.example.net:61616", DISCOVERY_REFUSED, "NodeName");
  ck_assert_uint_eq(n_lines, 2);
  go(290 * S);
  ck_assert_uint_eq(n_lines, 2);
  brokers[1].name = brokers[2].name = "same";
  go(310 * S);
  ck_assert_uint_eq(n_added, 1);
  cluster.node_name = text("n-{host}/x");
  discovery_apply(discovery, &settings, now_ns);
  go(20 * S);
  ck_assert_uint_eq(n_added, 0);
  cluster.node_name = text("n-{host}-{name}");
  discovery_apply(discovery, &settings, now_ns);
  go(20 * S);
  ck_assert(is_added("n-b.example.net-same"));
  ck_assert(is_added("n-c.example.net-same"));
}
END_TEST

/* Two brokers on one host need a NodeURL each. */
START_TEST(urls_twice) {
  begin(1);
  topology = "[" A "," MEMBER("nx", "a.example.net:61617") "," B "," MEMBER(
      "ny", "b.example.net:61617") "]";
  go(10 * S);
  expect_view("a.example.net:61617", DISCOVERY_REFUSED, "is node broker-a's");
  expect_view("b.example.net:61617", DISCOVERY_REFUSED,
              "b.example.net:61616 has the URL");
  ck_assert_uint_eq(n_added, 1);
  node_urls[0] =
      (struct core_url){text("b.example.net:61617"),
                        text("https://c.example.net/console/jolokia")};
  cluster.n_node_urls = 1;
  discovery_apply(discovery, &settings, now_ns);
  go(20 * S);
  ck_assert(is_added("broker-c"));
}
END_TEST

START_TEST(same_broker_under_another_url) {
  begin(1);
  add_broker("alias.example.net", "broker-a", "na");
  topology = "[" MEMBER("nz", "alias.example.net:1") "]";
  go(10 * S);
  ck_assert_uint_eq(n_added, 0);
  expect_view("alias.example.net:1", DISCOVERY_REFUSED,
              "leads to the broker that node broker-a has");
}
END_TEST

START_TEST(no_password_in_the_clear) {
  begin(1);
  cluster.url_template = text("http://{host}:8161/console/jolokia");
  topology = "[" B "," MEMBER("nl", "127.0.0.1:1") "]";
  add_broker("127.0.0.1", "near", "nl");
  discovery_apply(discovery, &settings, now_ns);
  go(20 * S);
  ck_assert_uint_eq(n_sent_to("b.example.net"), 0);
  expect_view("b.example.net:61616", DISCOVERY_REFUSED, "AllowPlaintext true");
  ck_assert(is_added("near"));
  cluster.member.allow_plaintext = true;
  discovery_apply(discovery, &settings, now_ns);
  go(20 * S);
  ck_assert(is_added("broker-b"));
}
END_TEST

START_TEST(no_room) {
  begin(1);
  add_failure = STATUS_INVALID;
  go(10 * S);
  expect_view("b.example.net:61616", DISCOVERY_FAILED, "no room");
  add_failure = STATUS_OK;
  sink_failure = STATUS_INVALID;
  go(310 * S);
  expect_view("b.example.net:61616", DISCOVERY_REFUSED, "no room");
  sink_failure = STATUS_OK;
  go(310 * S);
  ck_assert(is_added("broker-b"));
}
END_TEST

/* -- Other settings -- */

static void apply(const struct settings *next) {
  discovery_apply(discovery, next, now_ns);
}

START_TEST(keeps_members_over_a_reload) {
  begin(1);
  go(20 * S);
  struct cluster_settings other = cluster;
  struct settings next = settings;
  other.member.username = text("another");
  next.clusters = &other;
  apply(&next);
  ck_assert_uint_eq(n_added, 1);
  ck_assert_uint_eq(n_readded, 1);
  ck_assert_str_eq(added[0].settings->username, "another");
  ck_assert_str_eq(added[0].settings->name, "broker-b");
  ck_assert_uint_eq(n_sent, 2); /* not probed again */
  /* the sink refuses it: gone, and tried again */
  sink_failure = STATUS_INVALID;
  apply(&next);
  ck_assert_uint_eq(n_added, 0);
  client_node_remove(&nodes[1]);
  sink_failure = STATUS_OK;
  go(20 * S);
  ck_assert(is_added("broker-b"));
}
END_TEST

START_TEST(drops_members_that_are_not_allowed_any_more) {
  begin(1);
  topology = "[" A "," B "," C "]";
  go(20 * S);
  ck_assert_uint_eq(n_added, 2);
  char *hosts[] = {text("a.example.net"), text("b.example.net")};
  cluster.discover_hosts.pattern = hosts;
  apply(&settings);
  ck_assert_uint_eq(n_added, 1);
  ck_assert(is_added("broker-b"));
  expect_view("c.example.net:61616", DISCOVERY_REFUSED, "DiscoverHosts");
  /* another template: another URL */
  cluster.url_template = text("https://{host}/console/jolokia");
  apply(&settings);
  ck_assert_uint_eq(n_added, 0);
  go(20 * S);
  ck_assert(is_added("broker-b"));
  /* it is configured now */
  configured[1] = node_of("broker-b", "b.example.net");
  configured[1].url_key = text("https://b.example.net:443/console/jolokia");
  settings.n_nodes = 2;
  configured_node[1] = take_node("b.example.net");
  apply(&settings);
  ck_assert_uint_eq(n_added, 0);
}
END_TEST

START_TEST(drops_a_name_that_is_configured_now) {
  begin(1);
  go(20 * S);
  configured[1] = node_of("broker-b", "elsewhere.example.net");
  settings.n_nodes = 2;
  configured_node[1] = take_node("elsewhere.example.net");
  apply(&settings);
  ck_assert_uint_eq(n_added, 0);
}
END_TEST

START_TEST(fewer_may_be_there_after_a_reload) {
  begin(1);
  topology = "[" A "," B "," C "]";
  go(20 * S);
  ck_assert_uint_eq(n_added, 2);
  cluster.max_nodes = 2;
  apply(&settings);
  ck_assert_uint_eq(n_added, 1);
  ck_assert(is_added("broker-b"));
  expect_view("c.example.net:61616", DISCOVERY_REFUSED, "raise MaxNodes");
  go(310 * S);
  ck_assert_uint_eq(n_added, 1);
  cluster.max_nodes = 3;
  apply(&settings);
  go(20 * S);
  ck_assert(is_added("broker-c"));
}
END_TEST

/* What another cluster's file has is no news of this one's members. */
START_TEST(another_clusters_reload_tells_nothing_again) {
  begin(1);
  topology = "[" A "," B "," MEMBER("ne", "evil.example.org:61616") "]";
  brokers[1].failure = STATUS_AUTH;
  go(20 * S);
  ck_assert_uint_eq(n_lines_with("is not watched"), 1);
  ck_assert_uint_eq(n_sent_to("b.example.net"), 1);
  for (int i = 0; i < 5; i++) {
    apply(&settings);
    go(20 * S);
  }
  ck_assert_uint_eq(n_lines_with("is not watched"), 1);
  ck_assert_uint_eq(n_sent_to("b.example.net"), 1);
  ck_assert_str_eq(notices, "member refused orders;member refused orders;");
  /* its own, with another login */
  struct cluster_settings other = cluster;
  struct settings next = settings;
  other.member.username = text("another");
  next.clusters = &other;
  brokers[1].failure = STATUS_OK;
  apply(&next);
  ck_assert_uint_eq(n_lines_with("is not watched"), 2);
  go(20 * S);
  ck_assert(is_added("broker-b"));
}
END_TEST

START_TEST(ends_with_its_cluster) {
  begin(1);
  go(20 * S);
  struct settings none = settings;
  none.n_clusters = 0;
  apply(&none);
  ck_assert_uint_eq(n_added, 0);
  ck_assert_uint_eq(discovery_n_members(discovery), 0);
  go(600 * S);
  ck_assert_uint_eq(n_sent, 2);
  /* and comes again with it */
  apply(&settings);
  go(20 * S);
  ck_assert(is_added("broker-b"));
  cluster.discover = false;
  apply(&settings);
  ck_assert_uint_eq(n_added, 0);
}
END_TEST

/* While the topology's and a candidate's answers are awaited. */
START_TEST(ends_at_any_time) {
  begin(1);
  rounds(true);
  struct settings none = settings;
  none.n_clusters = 0;
  apply(&none);
  apply(&settings);
  run_until(now_ns + S);
  ck_assert_uint_eq(n_added, 0);
  rounds(true);
  run_until(now_ns + REPLY); /* the probe is on its way */
  ck_assert(!discovery_is_idle(discovery));
  apply(&settings);
  go(20 * S);
  ck_assert(is_added("broker-b"));
  topology = "[" A "," B "," C "]";
  rounds(true);
  run_until(now_ns + REPLY);
  ck_assert(!discovery_is_idle(discovery));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("discovery");
  TCase *tcase = tcase_create("discovery");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, finds_members);
  tcase_add_test(tcase, waits_for_all_nodes);
  tcase_add_test(tcase, waits_not_for_ever);
  tcase_add_test(tcase, hostile_host);
  tcase_add_test(tcase, a_flood_of_hosts);
  tcase_add_test(tcase, odd_entries);
  tcase_add_test(tcase, few_probes_at_once);
  tcase_add_test(tcase, probes_again_at_the_next_discovery);
  tcase_add_test(tcase, a_probe_without_a_permit);
  tcase_add_test(tcase, refused_logins_are_rare);
  tcase_add_test(tcase, a_silent_candidate);
  tcase_add_test(tcase, asks_another_node);
  tcase_add_test(tcase, refused_topologies_are_rare);
  tcase_add_test(tcase, asks_after_changes);
  tcase_add_test(tcase, asks_a_backup_last);
  tcase_add_test(tcase, takes_backups);
  tcase_add_test(tcase, forgets_who_is_gone);
  tcase_add_test(tcase, keeps_who_answers);
  tcase_add_test(tcase, names_twice);
  tcase_add_test(tcase, urls_twice);
  tcase_add_test(tcase, same_broker_under_another_url);
  tcase_add_test(tcase, no_password_in_the_clear);
  tcase_add_test(tcase, no_room);
  tcase_add_test(tcase, keeps_members_over_a_reload);
  tcase_add_test(tcase, drops_members_that_are_not_allowed_any_more);
  tcase_add_test(tcase, drops_a_name_that_is_configured_now);
  tcase_add_test(tcase, fewer_may_be_there_after_a_reload);
  tcase_add_test(tcase, another_clusters_reload_tells_nothing_again);
  tcase_add_test(tcase, ends_with_its_cluster);
  tcase_add_test(tcase, ends_at_any_time);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
