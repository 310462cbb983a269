/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* A monitor on a real client, whose settings change all the time while nodes
 * answer, hang, close and cannot be reached: what is left of the nodes that
 * went. */

#include "left_rig.h"
#include "settings_rig.h"

#include "../support/prng.h"

#include <malloc.h>

enum { N_NODES = 16, N_APPLIES = 1000 };

/* Rates at which what was used is soon back, so that all is forgotten. */
static struct node_settings node_of(size_t i, size_t url) {
  static char name[32], text[64], domain[] = "d", user[] = "monitor";
  static char clusters[2][8] = {"orders", "billing"};
  static char password[] = "secret";
  snprintf(name, sizeof(name), "node-%zu", i);
  snprintf(text, sizeof(text), "http://127.0.0.1:%u/%zu",
           url == 9 ? 1 : server.port, url);
  return (struct node_settings){
      .name = name,
      .cluster = clusters[i % 2],
      .url = text,
      .url_key = text,
      .jmx_domain = domain,
      .username = user,
      .password = password,
      .interval_ns = 20 * MS,
      .address_interval_ns = 50 * MS,
      .slow_interval_ns = 50 * MS,
      .timeout_ns = 15 * MS,
      .connect_timeout_ns = 1000 * MS,
      .ceiling = {.requests_per_second_milli = 1000000,
                  .burst = 1,
                  .changes_per_second_milli = 1000000,
                  .bytes_per_second = 1 << 30,
                  .handling_share_milli = 64000,
                  .max_in_flight = 2,
                  .max_waiting = 64,
                  .max_request_bytes = 65536,
                  .max_response_bytes = 65536,
                  .max_object_bytes = 65536}};
}

/* What each node is like in the present settings. */
static struct {
  bool is_in;
  size_t url;
  bool is_slow, is_seldom, is_filtered;
} wanted[N_NODES];

static void mutate(struct prng *prng) {
  size_t i = prng_below(prng, N_NODES);
  switch (prng_below(prng, 5)) {
  case 0:
    wanted[i].url = prng_below(prng, 10);
    break;
  case 1:
    wanted[i].is_slow = !wanted[i].is_slow;
    break;
  case 2:
    wanted[i].is_seldom = !wanted[i].is_seldom;
    break;
  case 3:
    wanted[i].is_filtered = !wanted[i].is_filtered;
    break;
  default:
    wanted[i].is_in = !wanted[i].is_in;
  }
}

static struct settings *make_random(struct prng *prng) {
  for (size_t n = prng_below(prng, 3); n > 0; n--)
    mutate(prng);
  struct settings *made = settings_make(N_NODES);
  made->n_nodes = 0;
  for (size_t i = 0; i < N_NODES; i++) {
    if (!wanted[i].is_in)
      continue;
    struct node_settings node = node_of(i, wanted[i].url);
    if (wanted[i].is_slow)
      node.ceiling.requests_per_second_milli = 500000;
    if (wanted[i].is_seldom)
      node.interval_ns = 30 * MS;
    if (wanted[i].is_filtered)
      node.queues.max_queues = 10;
    settings_put(made, made->n_nodes++, &node);
  }
  return made;
}

static struct settings *present;

static void apply(struct settings *made) {
  monitor_apply(monitor, made, clock_mono_ns());
  settings_free(present);
  present = made;
}

static void check_counts(size_t timers) {
  size_t n = monitor_n_nodes(monitor);
  ck_assert_uint_eq(client->n_nodes, n);
  /* Of each node three ticks, jobs and its endpoint; the sweep, libcurl's. */
  ck_assert_uint_le(loop_timers(client->loop)->n, timers + 8 * n + 10);
  ck_assert_uint_le(registry_count(client->registry), 10);
}

/* Without a node, and with nothing under way: what is taken then. */
static size_t memory_at_rest(void) {
  apply(settings_make(0));
  scripted_run(NULL, 30 * MS);
  return mallinfo2().uordblks;
}

START_TEST(nothing_is_left_of_what_went) {
  struct prng prng = prng_seeded(7);
  present = settings_make(0);
  start_monitor(present, 10 * CLOCK_NS_PER_S);
  size_t timers = loop_timers(client->loop)->n;
  size_t descriptors = n_descriptors();
  size_t memory = 0;
  for (int i = 0; i < N_APPLIES; i++) {
    apply(make_random(&prng));
    check_counts(timers);
    scripted_run(NULL, (int64_t)prng_below(&prng, 7) * MS);
    if (i == 100)
      memory = memory_at_rest();
  }
  ck_assert_uint_gt(server.n_requests, 100);
  size_t grown = memory_at_rest();
  ck_assert_msg(grown < memory + 256 * 1024, "from %zu to %zu", memory, grown);
  check_nothing_is_left(descriptors);
  ck_assert_uint_le(loop_timers(client->loop)->n, timers);
}
END_TEST

/* -- Many at once -- */

enum { MANY = 500 };

/* Its connections are made, and nobody answers. */
static int silent_listen(uint16_t *ret_port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t len = sizeof(address);
  ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, len), 0);
  ck_assert_int_eq(listen(fd, MANY), 0);
  ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&address, &len), 0);
  *ret_port = ntohs(address.sin_port);
  return fd;
}

static struct settings *make_many(uint16_t port) {
  struct settings *made = settings_make(MANY);
  for (size_t i = 0; i < MANY; i++) {
    struct node_settings node = node_of(i, 0);
    char url[80];
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/%zu", port, i);
    node.url = node.url_key = url;
    node.timeout_ns = 60 * CLOCK_NS_PER_S;
    settings_put(made, i, &node);
  }
  return made;
}

static size_t n_granted;

static void granted(void *cookie, const char *url_key, enum owner owner,
                    uint32_t cost, int64_t at_ns) {
  (void)cookie, (void)url_key, (void)owner, (void)cost, (void)at_ns;
  n_granted++;
}

/* No turn takes longer than what it takes for so many. */
START_TEST(many_go_some_in_each_turn) {
  uint16_t port;
  int fd = silent_listen(&port);
  present = make_many(port);
  struct monitor_options options = {.settings = present,
                                    .sink = {.dispatch = drop_sample},
                                    .default_interval_ns = 10 * CLOCK_NS_PER_S};
  ck_assert_int_eq(monitor_new(client, &options, &monitor, NULL), STATUS_OK);
  client_trace_grants(client, granted, NULL);
  monitor_start(monitor, clock_mono_ns());
  for (int i = 0; i < 3000 && client->in_flight < MANY; i++)
    scripted_run(NULL, 10 * MS);
  ck_assert_uint_eq(client->in_flight, MANY);
  n_granted = 0;
  size_t left = MANY;
  apply(settings_make(0));
  ck_assert_uint_eq(monitor_n_nodes(monitor), 0);
  for (;;) {
    ck_assert_uint_eq(client->n_nodes,
                      left > MONITOR_TURN_MAX ? left - MONITOR_TURN_MAX : 0);
    left = client->n_nodes;
    if (left == 0)
      break;
    client_turn(client, clock_mono_ns() + 1000 * MS);
  }
  ck_assert_uint_eq(n_granted, 0);
  ck_assert_uint_eq(client->in_flight, 0);
  close(fd);
}
END_TEST

static void teardown(void) {
  monitor_free(monitor);
  settings_free(present);
  scripted_teardown();
}

int main(void) {
  Suite *suite = suite_create("come_and_go");
  TCase *tcase = tcase_create("come_and_go");
  tcase_set_timeout(tcase, 60);
  tcase_add_checked_fixture(tcase, scripted_setup, teardown);
  tcase_add_test(tcase, nothing_is_left_of_what_went);
  tcase_add_test(tcase, many_go_some_in_each_turn);
  suite_add_tcase(suite, tcase);
  return scripted_main(suite);
}
