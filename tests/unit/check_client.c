/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* The life of clients, nodes and jobs. */

#include "client/connections.h"
#include "scripted.h"

#include "../support/prng.h"

#include <sys/resource.h>

START_TEST(what_stands_on_the_wire) {
  server.answer = well;
  struct node_options options = scripted_node("/console/jolokia/");
  options.username = "moni tor";
  options.password = "te%mp:or@l/\xc3\xa9";
  struct told told = {.is_done = 0};
  scripted_submit(scripted_add(&options), 1, &told);
  scripted_finish(&told);
  const char *head = server.last_head;
  ck_assert_int_eq(strncmp(head, "POST /console/jolokia/ HTTP/1.1\r\n", 33), 0);
  ck_assert_ptr_nonnull(strstr(head, "\r\nContent-Type: application/json"));
  ck_assert_ptr_nonnull(strstr(head, "\r\nOrigin: http://127.0.0.1"));
  ck_assert_ptr_nonnull(strstr(head, "\r\nUser-Agent: test"));
  /* "moni tor:te%mp:or@l/é" */
  ck_assert_ptr_nonnull(strstr(
      head, "\r\nAuthorization: Basic bW9uaSB0b3I6dGUlbXA6b3JAbC/DqQ=="));
  static const char *const absent[] = {"Expect",  "Accept-Encoding",
                                       "Cookie",  "Proxy",
                                       "Upgrade", "Transfer-Encoding"};
  for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
    ck_assert_ptr_null(strstr(head, absent[i]));
}
END_TEST

START_TEST(the_origin_is_an_option) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  options.origin = "http://localhost";
  struct told told = {.is_done = 0};
  scripted_submit(scripted_add(&options), 1, &told);
  scripted_finish(&told);
  ck_assert_ptr_nonnull(
      strstr(server.last_head, "\r\nOrigin: http://localhost\r\n"));
}
END_TEST

START_TEST(options_that_cannot_be_are_refused_with_a_reason) {
  static const struct {
    const char *user, *password, *origin, *words;
  } cases[] = {
      {"a:b", "p", NULL, "colon"},
      {"a", "p\r\nX: y", NULL, "control character"},
      {"a\n", "p", NULL, "control character"},
      {NULL, NULL, "http://a\r\nX: y", "Origin"},
      {NULL, NULL, "", "Origin"},
  };
  struct node_options options = scripted_node("/j");
  options.username = cases[_i].user;
  options.password = cases[_i].password;
  options.origin = cases[_i].origin;
  struct node *node = NULL;
  struct error error;
  ck_assert_int_eq(client_node_add(client, &options, &node, &error),
                   STATUS_INVALID);
  ck_assert_msg(strstr(error.text, cases[_i].words), "%s", error.text);
  ck_assert_ptr_null(node);
}
END_TEST

START_TEST(a_job_that_cannot_be_is_refused) {
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  struct job_options job = scripted_job(0, &told);
  ck_assert_int_eq(client_submit(node, &job, &told.job, NULL), STATUS_INVALID);
  operations[1].mbean = "no-colon";
  job = scripted_job(2, &told);
  ck_assert_int_eq(client_submit(node, &job, &told.job, NULL), STATUS_INVALID);
  scripted_run(NULL, 5 * MS);
  ck_assert_int_eq(told.is_done, 0);
  ck_assert_uint_eq(server.n_accepted, 0);
}
END_TEST

START_TEST(a_node_that_never_answers_times_out) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  struct job_options job = scripted_job(1, &told);
  job.timeout_ns = 30 * MS;
  int64_t since_ns = clock_mono_ns();
  ck_assert_int_eq(client_submit(node, &job, &told.job, NULL), STATUS_OK);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_TIMEOUT);
  ck_assert_int_ge(clock_mono_ns() - since_ns, 30 * MS);
  ck_assert_int_le(clock_mono_ns() - since_ns, 900 * MS);
  ck_assert_int_ge(told.result.handling_ns, 25 * MS);
  ck_assert_uint_eq(n_sent(node), 1);
}
END_TEST

START_TEST(the_deadline_ends_it_before_the_timeout) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  struct told told = {.is_done = 0};
  struct job_options job = scripted_job(1, &told);
  job.deadline_ns = clock_mono_ns() + 30 * MS;
  ck_assert_int_eq(client_submit(scripted_add(&options), &job, &told.job, NULL),
                   STATUS_OK);
  scripted_run(&told, 300 * MS);
  ck_assert_int_eq(told.is_done, 1);
  ck_assert_int_eq(told.result.error.kind, STATUS_TIMEOUT);
}
END_TEST

/* Nothing was sent: nothing is counted, and the permit is there again. */
START_TEST(a_refused_connection_costs_no_permit) {
  struct node_options options = scripted_node("/j");
  close(server.fd);
  server.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  options.ceiling.rates.unit[UNIT_REQUESTS] =
      bucket_rate_of(1, 1); /* one in 1,000 s */
  struct node *node = scripted_add(&options);
  for (int i = 0; i < 3; i++) {
    struct told told = {.is_done = 0};
    scripted_submit(node, 1, &told);
    scripted_finish(&told);
    ck_assert_int_eq(told.result.error.kind, STATUS_CONNECT);
    ck_assert_uint_eq(told.result.requests, 0);
  }
  ck_assert_uint_eq(n_sent(node), 0);
  ck_assert_uint_eq(client_node_stats(node)->errors[STATUS_CONNECT], 3);
}
END_TEST

static bool cancel_in_row(struct told *told) {
  client_cancel(told->job);
  return true;
}

START_TEST(a_job_cancelled_from_its_row_tells_no_more) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  struct told told = {.on_row = cancel_in_row};
  scripted_submit(scripted_add(&options), 40, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_CANCELLED);
  ck_assert_uint_eq(told.rows, 1);
  ck_assert_uint_eq(told.items, 0);
  ck_assert(told.result.is_partial);
}
END_TEST

/* Two in flight, two that wait. */
START_TEST(jobs_are_cancelled_wherever_they_are) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told[4] = {{.is_done = 0}};
  for (int i = 0; i < 4; i++)
    scripted_submit(node, 1, &told[i]);
  scripted_run(NULL, 20 * MS);
  const struct node_stats *stats = client_node_stats(node);
  ck_assert_uint_eq(stats->in_flight, 2);
  ck_assert_uint_eq(stats->waiting[OWNER_SCRAPE], 2);
  for (int i = 0; i < 4; i++)
    client_cancel(told[i].job);
  client_cancel(told[0].job);
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(told[i].is_done, 0);
  client_turn(client, clock_mono_ns());
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(told[i].is_done, 1);
    ck_assert_int_eq(told[i].result.error.kind, STATUS_CANCELLED);
  }
  stats = client_node_stats(node);
  ck_assert_uint_eq(stats->in_flight, 0);
  ck_assert_uint_eq(stats->waiting[OWNER_SCRAPE], 0);
  ck_assert_uint_eq(stats->refused_cancelled, 2);
  ck_assert_uint_eq(stats->requests[OWNER_SCRAPE], 2);
}
END_TEST

START_TEST(past_max_waiting_a_job_is_refused_at_once) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  options.ceiling.max_waiting = 3;
  struct node *node = scripted_add(&options);
  struct told told[4] = {{.is_done = 0}};
  for (int i = 0; i < 3; i++)
    scripted_submit(node, 1, &told[i]);
  struct job_options job = scripted_job(1, &told[3]);
  struct error error;
  ck_assert_int_eq(client_submit(node, &job, &told[3].job, &error),
                   STATUS_PERMIT_QUEUE_FULL);
  ck_assert_ptr_nonnull(strstr(error.text, "MaxWaiting"));
  ck_assert_uint_eq(client_node_stats(node)->refused_queue_full, 1);
}
END_TEST

START_TEST(a_permit_that_does_not_come_is_a_kind_of_its_own) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  /* Long enough for the first two on a machine that is busy. */
  options.ceiling.permit_timeout_ns[OWNER_SCRAPE] = 400 * MS;
  struct node *node = scripted_add(&options);
  struct told told[3] = {{.is_done = 0}};
  for (int i = 0; i < 3; i++)
    scripted_submit(node, 1, &told[i]);
  scripted_run(&told[2], 5000 * MS);
  ck_assert_int_eq(told[2].is_done, 1);
  ck_assert_int_eq(told[2].result.error.kind, STATUS_PERMIT_TIMEOUT);
  ck_assert_int_ge(told[2].result.permit_wait_ns, 400 * MS);
  const struct node_stats *stats = client_node_stats(node);
  ck_assert_uint_eq(stats->refused_timeout, 1);
  ck_assert_uint_ge(stats->permit_wait_max_ns, 400 * MS);
  ck_assert_uint_ge(stats->permit_wait_ns[OWNER_SCRAPE], 400 * MS);
  client_node_stats_reset_max(node);
  ck_assert_uint_eq(client_node_stats(node)->permit_wait_max_ns, 0);
}
END_TEST

START_TEST(a_client_goes_at_once_whatever_its_nodes_do) {
  server.answer = hang;
  struct told told[6] = {{.is_done = 0}};
  struct node *node = NULL;
  for (int i = 0; i < 6; i++) {
    struct node_options options = scripted_node(i < 3 ? "/a" : "/b");
    if (i % 3 == 0)
      node = scripted_add(&options);
    scripted_submit(node, 1, &told[i]);
  }
  scripted_run(NULL, 20 * MS);
  int64_t since_ns = clock_mono_ns();
  client_free(client);
  ck_assert_int_lt(clock_mono_ns() - since_ns, 900 * MS);
  client = NULL;
  for (int i = 0; i < 6; i++) {
    ck_assert_int_eq(told[i].is_done, 1);
    ck_assert_int_eq(told[i].result.error.kind, STATUS_CLOSING);
  }
  scripted_step(&server);
  scripted_step(&server);
  ck_assert_uint_eq(scripted_n_open(&server), 0);
}
END_TEST

START_TEST(a_removed_node_leaves_no_connection) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told idle = {.is_done = 0};
  scripted_submit(node, 1, &idle);
  scripted_finish(&idle);
  ck_assert_uint_eq(scripted_n_open(&server), 1);
  ck_assert_uint_eq(client_node_stats(node)->connections, 1);
  server.answer = hang;
  struct told told[2] = {{.is_done = 0}};
  scripted_submit(node, 1, &told[0]);
  scripted_submit(node, 1, &told[1]);
  scripted_run(NULL, 20 * MS);
  client_node_remove(node);
  ck_assert_int_eq(told[0].is_done + told[1].is_done, 2);
  ck_assert_int_eq(told[0].result.error.kind, STATUS_CLOSING);
  scripted_run(NULL, 10 * MS);
  ck_assert_uint_eq(scripted_n_open(&server), 0);
}
END_TEST

static void slowly(const char *head, const char *body, size_t n,
                   struct answer *ret) {
  well(head, body, n, ret);
  ret->delay_ns = 60 * MS;
}

/* Two are on their way, of which one has a second part; the third waits. */
START_TEST(a_closed_node_is_asked_no_more) {
  server.answer = slowly;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told[4] = {{.is_done = 0}};
  scripted_submit(node, 60, &told[0]);
  scripted_submit(node, 1, &told[1]);
  scripted_submit(node, 1, &told[2]);
  for (int i = 0; i < 1000 && server.n_requests < 2; i++)
    scripted_run(NULL, MS);
  client_node_close(node);
  ck_assert_int_eq(told[0].is_done + told[1].is_done, 0);
  ck_assert_int_eq(told[2].is_done, 1);
  ck_assert_int_eq(told[2].result.error.kind, STATUS_CLOSING);
  struct job_options late = scripted_job(1, &told[3]);
  struct error error;
  ck_assert_int_eq(client_submit(node, &late, NULL, &error), STATUS_CLOSING);
  scripted_finish(&told[0]);
  scripted_finish(&told[1]);
  ck_assert_uint_eq(told[0].items, 50);
  ck_assert_int_eq(told[0].result.error.kind, STATUS_CLOSING);
  ck_assert_int_eq(told[1].result.error.kind, STATUS_OK);
  scripted_run(NULL, 20 * MS);
  ck_assert_uint_eq(server.n_requests, 2);
  client_node_remove(node);
}
END_TEST

/* One that has its permit, and no connection yet. */
START_TEST(what_a_closed_node_was_not_sent_is_not) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 1, &told);
  client_turn(client, clock_mono_ns());
  ck_assert_uint_eq(client_node_stats(node)->in_flight, 1);
  client_node_close(node);
  ck_assert_int_eq(told.is_done, 1);
  scripted_run(NULL, 20 * MS);
  ck_assert_uint_eq(server.n_requests, 0);
  client_node_remove(node);
}
END_TEST

/* Its idle connection too, which libcurl itself would keep. */
START_TEST(a_removed_node_closes_what_is_idle) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 1, &told);
  scripted_finish(&told);
  client_node_remove(node);
  scripted_run(NULL, 5 * MS);
  ck_assert_uint_eq(scripted_n_open(&server), 0);
}
END_TEST

/* libcurl knows hosts and ports, not nodes. */
START_TEST(a_connection_is_the_last_ones_that_used_it) {
  server.answer = well;
  struct node_options options = scripted_node("/a");
  struct node *a = scripted_add(&options);
  options = scripted_node("/b");
  struct node *b = scripted_add(&options);
  struct told told[2] = {{.is_done = 0}};
  scripted_submit(a, 1, &told[0]);
  scripted_finish(&told[0]);
  scripted_submit(b, 1, &told[1]);
  scripted_finish(&told[1]);
  ck_assert_uint_eq(server.n_accepted, 1);
  ck_assert_uint_eq(client_node_stats(a)->connections, 0);
  ck_assert_uint_eq(client_node_stats(b)->connections, 1);
  client_node_remove(a);
  scripted_run(NULL, 5 * MS);
  ck_assert_uint_eq(scripted_n_open(&server), 1);
  client_node_remove(b);
  scripted_run(NULL, 5 * MS);
  ck_assert_uint_eq(scripted_n_open(&server), 0);
}
END_TEST

static struct node *removed;

static void remove_node(void *cookie, const struct job_result *result) {
  told_done(cookie, result);
  struct node *node = removed;
  removed = NULL;
  if (node)
    client_node_remove(node);
}

START_TEST(a_node_may_be_removed_from_done) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  removed = scripted_add(&options);
  struct told told[4] = {{.is_done = 0}};
  for (int i = 0; i < 4; i++) {
    struct job_options job = scripted_job(1, &told[i]);
    job.done = remove_node;
    ck_assert_int_eq(client_submit(removed, &job, &told[i].job, NULL),
                     STATUS_OK);
  }
  scripted_run(&told[3], 5000 * MS);
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(told[i].is_done, 1);
  ck_assert_int_eq(told[0].result.error.kind, STATUS_OK);
  ck_assert_int_eq(told[3].result.error.kind, STATUS_CLOSING);
}
END_TEST

START_TEST(two_nodes_with_one_url_share_its_ceiling) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  options.ceiling.rates.unit[UNIT_REQUESTS] = bucket_rate_of(20000, 1);
  struct node *nodes[2] = {scripted_add(&options), scripted_add(&options)};
  struct told told[4] = {{.is_done = 0}};
  int64_t since_ns = clock_mono_ns();
  for (int i = 0; i < 4; i++)
    scripted_submit(nodes[i % 2], 1, &told[i]);
  for (int i = 0; i < 4; i++)
    scripted_finish(&told[i]);
  ck_assert_int_ge(clock_mono_ns() - since_ns, 150 * MS);
  ck_assert_uint_eq(n_sent(nodes[0]), 2);
  ck_assert_uint_eq(n_sent(nodes[1]), 2);
}
END_TEST

/* Nodes of one URL come and go, with all kinds of ceilings: what holds is never
 * more than the slowest that is there, unit by unit, and no less. */
START_TEST(the_slowest_node_of_a_url_is_its_ceiling) {
  enum { NODES = 6, STEPS = 300 };
  struct node *nodes[NODES] = {NULL};
  struct ceiling_settings ceilings[NODES];
  struct prng prng = prng_seeded((uint64_t)_i);
  for (int step = 0; step < STEPS; step++) {
    uint64_t at = prng_below(&prng, NODES);
    if (nodes[at]) {
      client_node_remove(nodes[at]);
      nodes[at] = NULL;
    } else {
      struct node_options options = scripted_node("/j");
      struct ceiling_settings *own = &options.ceiling;
      own->rates.unit[UNIT_REQUESTS] =
          bucket_rate_of(1 + prng_below(&prng, 50), 1 + prng_below(&prng, 9));
      own->rates.unit[UNIT_CHANGES] =
          bucket_rate_of(1 + prng_below(&prng, 50), 1 + prng_below(&prng, 9));
      own->max_in_flight = 1 + (uint32_t)prng_below(&prng, 9);
      ceilings[at] = *own;
      nodes[at] = scripted_add(&options);
    }
    const struct ceiling_settings *slowest[3] = {NULL};
    const struct node *any = NULL;
    for (int i = 0; i < NODES; i++) {
      const struct ceiling_settings *own = &ceilings[i];
      if (!nodes[i])
        continue;
      any = nodes[i];
      if (!slowest[0] || own->rates.unit[UNIT_REQUESTS].rate <
                             slowest[0]->rates.unit[UNIT_REQUESTS].rate)
        slowest[0] = own;
      if (!slowest[1] || own->rates.unit[UNIT_CHANGES].cap <
                             slowest[1]->rates.unit[UNIT_CHANGES].cap)
        slowest[1] = own;
      if (!slowest[2] || own->max_in_flight < slowest[2]->max_in_flight)
        slowest[2] = own;
    }
    if (!any)
      continue;
    const struct ceiling_settings *held = client_node_ceiling(any);
    REQUIRE(held->rates.unit[UNIT_REQUESTS].rate ==
                slowest[0]->rates.unit[UNIT_REQUESTS].rate,
            (uint64_t)_i, step);
    REQUIRE(held->rates.unit[UNIT_CHANGES].cap ==
                slowest[1]->rates.unit[UNIT_CHANGES].cap,
            (uint64_t)_i, step);
    REQUIRE(held->max_in_flight == slowest[2]->max_in_flight, (uint64_t)_i,
            step);
  }
}
END_TEST

/* By the grants: one each 50 ms while the slower is there, and 1 ms after it
 * went, with no permit more for the change. */
START_TEST(the_slower_ceiling_of_a_url_holds_while_its_node_is_there) {
  server.answer = well;
  struct node_options slow = scripted_node("/j");
  struct node_options fast = scripted_node("/j");
  slow.ceiling.rates.unit[UNIT_REQUESTS] = bucket_rate_of(20000, 1);
  fast.ceiling.rates.unit[UNIT_REQUESTS] = bucket_rate_of(1000000, 20);
  struct node *slower = _i ? scripted_add(&slow) : NULL;
  struct node *node = scripted_add(&fast);
  if (!slower)
    slower = scripted_add(&slow);
  struct told told[8] = {{.is_done = 0}};
  int64_t since_ns = clock_mono_ns();
  for (int i = 0; i < 4; i++)
    scripted_submit(node, 1, &told[i]);
  for (int i = 0; i < 4; i++)
    scripted_finish(&told[i]);
  ck_assert_int_ge(clock_mono_ns() - since_ns, 150 * MS);
  client_node_remove(slower);
  /* A machine that is busy may take as long, but not each time. */
  int64_t took_ns = 150 * MS;
  for (int try = 0; try < 10 && took_ns >= 150 * MS; try++) {
    since_ns = clock_mono_ns();
    for (int i = 4; i < 8; i++) {
      told[i] = (struct told){.is_done = 0};
      scripted_submit(node, 1, &told[i]);
    }
    for (int i = 4; i < 8; i++)
      scripted_finish(&told[i]);
    took_ns = clock_mono_ns() - since_ns;
  }
  ck_assert_int_ge(took_ns, 3 * MS);
  ck_assert_int_lt(took_ns, 150 * MS);
}
END_TEST

START_TEST(descriptors_lie_high_and_are_close_on_exec) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  struct told told = {.is_done = 0};
  scripted_submit(scripted_add(&options), 1, &told);
  scripted_run(NULL, 10 * MS);
  bool is_found = false;
  for (int fd = 0; fd < 2048; fd++) {
    struct sockaddr_in peer;
    socklen_t len = sizeof(peer);
    if (getpeername(fd, (struct sockaddr *)&peer, &len) != 0 ||
        peer.sin_family != AF_INET || ntohs(peer.sin_port) != server.port)
      continue;
    is_found = true;
    if (sysconf(_SC_OPEN_MAX) > 1024)
      ck_assert_int_ge(fd, 1024);
    ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  }
  ck_assert(is_found);
}
END_TEST

START_TEST(a_wake_ends_a_turn) {
  client_wake(client);
  client_wake(client);
  int64_t since_ns = clock_mono_ns();
  client_turn(client, since_ns + 2000 * MS);
  ck_assert_int_lt(clock_mono_ns() - since_ns, 1900 * MS);
  since_ns = clock_mono_ns();
  client_turn(client, since_ns + 20 * MS);
  ck_assert_int_ge(clock_mono_ns() - since_ns, 20 * MS);
}
END_TEST

static void fired(void *cookie, int64_t now_ns) {
  ck_assert_int_le(now_ns, clock_mono_ns());
  ++*(int *)cookie;
}

START_TEST(timers_fire_in_turns) {
  int count = 0;
  struct timer timer = {.fire = fired, .cookie = &count};
  client_timer_set(client, &timer, clock_mono_ns() + 800 * MS);
  client_turn(client, clock_mono_ns() + 2 * MS);
  ck_assert_int_eq(count, 0);
  int64_t since_ns = clock_mono_ns();
  client_turn(client, since_ns + 5000 * MS);
  ck_assert_int_eq(count, 1);
  ck_assert_int_lt(clock_mono_ns() - since_ns, 4900 * MS);
  client_timer_set(client, &timer, clock_mono_ns());
  client_timer_clear(client, &timer);
  client_turn(client, clock_mono_ns());
  ck_assert_int_eq(count, 1);
}
END_TEST

START_TEST(too_few_descriptors_are_refused_with_the_remedy) {
  struct rlimit limit;
  ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = 200;
  ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  struct client_options options = {.user_agent = "test"};
  struct client *none = NULL;
  struct error error;
  ck_assert_int_eq(client_new(&options, &none, &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "LimitNOFILE"));
  ck_assert_ptr_null(none);
}
END_TEST

START_TEST(up_to_ten_thousand_nodes) {
  struct node_options options = scripted_node("/j");
  struct node *node = NULL;
  struct error error;
  for (int i = 0; i < 10000; i++) {
    snprintf(options.url.key, sizeof(options.url.key), "http://n%d:1/j", i);
    node = scripted_add(&options);
  }
  struct node *none = NULL;
  ck_assert_int_eq(client_node_add(client, &options, &none, &error),
                   STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "more than 10000 nodes"));
  client_node_remove(node);
  scripted_add(&options);
}
END_TEST

static size_t n_granted;

static void granted(void *cookie, const char *url_key, enum owner owner,
                    uint32_t cost, int64_t now_ns) {
  (void)cookie;
  ck_assert_ptr_nonnull(strstr(url_key, "/j"));
  ck_assert_int_eq(owner, OWNER_SCRAPE);
  ck_assert_uint_eq(cost, 1);
  ck_assert_int_le(now_ns, clock_mono_ns());
  n_granted++;
}

START_TEST(grants_can_be_traced) {
  server.answer = well;
  n_granted = 0;
  client_trace_grants(client, granted, NULL);
  struct node_options options = scripted_node("/j");
  struct told told = {.is_done = 0};
  scripted_submit(scripted_add(&options), 120, &told);
  scripted_finish(&told);
  ck_assert_uint_eq(n_granted, 3);
}
END_TEST

/* -- Two URLs of one broker -- */

static size_t n_of_first, n_of_alias;

static void granted_to(void *cookie, const char *url_key, enum owner owner,
                       uint32_t cost, int64_t now_ns) {
  (void)cookie;
  (void)owner;
  (void)cost;
  (void)now_ns;
  if (strstr(url_key, "/alias"))
    n_of_alias++;
  else
    n_of_first++;
}

static struct node *first, *alias;

static void add_alias(void) {
  server.answer = well;
  n_of_first = n_of_alias = 0;
  client_trace_grants(client, granted_to, NULL);
  struct node_options options = scripted_node("/j");
  options.ceiling.rates.unit[UNIT_REQUESTS] = bucket_rate_of(20000, 1);
  first = scripted_add(&options);
  options = scripted_node("/alias");
  options.ceiling.rates.unit[UNIT_REQUESTS] = bucket_rate_of(1000000, 20);
  alias = scripted_add(&options);
}

/* How long four requests take, in turn of both. */
static int64_t four(struct node *a, struct node *b) {
  struct told told[4] = {{.is_done = 0}};
  int64_t since_ns = clock_mono_ns();
  for (int i = 0; i < 4; i++)
    scripted_submit(i % 2 ? b : a, 1, &told[i]);
  for (int i = 0; i < 4; i++) {
    scripted_finish(&told[i]);
    ck_assert_int_eq(told[i].result.error.kind, STATUS_OK);
  }
  return clock_mono_ns() - since_ns;
}

START_TEST(an_alias_takes_its_permits_from_the_first) {
  add_alias();
  ck_assert_int_eq(client_node_share_ceiling(alias, first), STATUS_OK);
  ck_assert_int_eq(client_node_share_ceiling(alias, first), STATUS_OK);
  ck_assert_int_ge(four(first, alias), 150 * MS);
  ck_assert_uint_eq(n_of_first, 4);
  ck_assert_uint_eq(n_of_alias, 0);
  ck_assert_ptr_nonnull(strstr(server.last_head, "POST /alias "));
  ck_assert_uint_eq(client_node_ceiling(alias)->rates.unit[UNIT_REQUESTS].rate,
                    client_node_ceiling(first)->rates.unit[UNIT_REQUESTS].rate);

  ck_assert_int_eq(client_node_share_ceiling(alias, NULL), STATUS_OK);
  size_t tries = 0; /* a machine that is busy may take as long once */
  do
    tries++;
  while (four(alias, alias) >= 150 * MS && tries < 10);
  ck_assert_uint_lt(tries, 10);
  ck_assert_uint_eq(n_of_first, 4);
  ck_assert_uint_eq(n_of_alias, 4 * tries);
}
END_TEST

/* The first's levels hold: no permit more for the change. */
START_TEST(an_alias_brings_no_permit) {
  add_alias();
  struct told told[2] = {{.is_done = 0}};
  scripted_submit(first, 1, &told[0]);
  scripted_finish(&told[0]);
  int64_t since_ns = clock_mono_ns();
  ck_assert_int_eq(client_node_share_ceiling(alias, first), STATUS_OK);
  ck_assert_int_eq(client_node_share_ceiling(alias, NULL), STATUS_OK);
  ck_assert_int_eq(client_node_share_ceiling(alias, first), STATUS_OK);
  four(alias, alias);
  ck_assert_int_ge(clock_mono_ns() - since_ns, 150 * MS);
}
END_TEST

static void share_at_done(void *cookie, const struct job_result *result) {
  told_done(cookie, result);
  ck_assert_int_eq(client_node_share_ceiling(alias, first), STATUS_OK);
}

START_TEST(an_alias_moves_when_it_has_no_job) {
  add_alias();
  struct told told = {.is_done = 0};
  struct job_options job = scripted_job(1, &told);
  job.done = share_at_done;
  ck_assert_int_eq(client_submit(alias, &job, &told.job, NULL), STATUS_OK);
  ck_assert_int_eq(client_node_share_ceiling(alias, first), STATUS_INVALID);
  scripted_finish(&told);
  ck_assert_uint_eq(n_of_alias, 1);
  four(alias, alias);
  ck_assert_uint_eq(n_of_alias, 1);
  ck_assert_uint_eq(n_of_first, 4);
}
END_TEST

/* Its ceiling stays while the alias uses it, and goes with it. */
START_TEST(an_alias_whose_first_is_removed) {
  add_alias();
  ck_assert_int_eq(client_node_share_ceiling(alias, first), STATUS_OK);
  client_node_remove(first);
  four(alias, alias);
  ck_assert_uint_eq(n_of_first, 4);
  if (_i == 0)
    ck_assert_int_eq(client_node_share_ceiling(alias, NULL), STATUS_OK);
  client_node_remove(alias);
}
END_TEST

/* Two connections for three nodes: the third waits its turn without a permit,
 * and its node is not held to be one whose name is being looked up. */
START_TEST(no_permit_is_taken_where_descriptors_are_short) {
  struct rlimit limit;
  ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = CONNECTIONS_FD_RESERVE + 2;
  ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  server.answer = hang;
  n_granted = 0;
  client_trace_grants(client, granted, NULL);
  struct told told[3] = {{.is_done = 0}};
  for (int i = 0; i < 3; i++) {
    char path[16];
    snprintf(path, sizeof(path), "/j%d", i);
    struct node_options options = scripted_node(path);
    struct job_options job = scripted_job(1, &told[i]);
    job.timeout_ns = 500 * MS;
    ck_assert_int_eq(
        client_submit(scripted_add(&options), &job, &told[i].job, NULL),
        STATUS_OK);
  }
  scripted_run(NULL, 30 * MS);
  ck_assert_uint_eq(n_granted, 2);
  scripted_finish(&told[2]);
  ck_assert_uint_eq(n_granted, 3);
  ck_assert_int_eq(told[2].result.error.kind, STATUS_TIMEOUT);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("client");
  TCase *tcase = tcase_create("client");
  tcase_add_checked_fixture(tcase, scripted_setup, scripted_teardown);
  tcase_add_test(tcase, what_stands_on_the_wire);
  tcase_add_test(tcase, the_origin_is_an_option);
  tcase_add_loop_test(tcase, options_that_cannot_be_are_refused_with_a_reason,
                      0, 5);
  tcase_add_test(tcase, a_job_that_cannot_be_is_refused);
  tcase_add_test(tcase, a_node_that_never_answers_times_out);
  tcase_add_test(tcase, the_deadline_ends_it_before_the_timeout);
  tcase_add_test(tcase, a_refused_connection_costs_no_permit);
  tcase_add_test(tcase, a_job_cancelled_from_its_row_tells_no_more);
  tcase_add_test(tcase, jobs_are_cancelled_wherever_they_are);
  tcase_add_test(tcase, past_max_waiting_a_job_is_refused_at_once);
  tcase_add_test(tcase, a_permit_that_does_not_come_is_a_kind_of_its_own);
  tcase_add_test(tcase, a_client_goes_at_once_whatever_its_nodes_do);
  tcase_add_test(tcase, a_removed_node_leaves_no_connection);
  tcase_add_test(tcase, a_closed_node_is_asked_no_more);
  tcase_add_test(tcase, what_a_closed_node_was_not_sent_is_not);
  tcase_add_test(tcase, a_removed_node_closes_what_is_idle);
  tcase_add_test(tcase, a_connection_is_the_last_ones_that_used_it);
  tcase_add_test(tcase, a_node_may_be_removed_from_done);
  tcase_add_test(tcase, two_nodes_with_one_url_share_its_ceiling);
  tcase_add_loop_test(tcase, the_slowest_node_of_a_url_is_its_ceiling, 0, 10);
  tcase_add_loop_test(
      tcase, the_slower_ceiling_of_a_url_holds_while_its_node_is_there, 0, 2);
  tcase_add_test(tcase, descriptors_lie_high_and_are_close_on_exec);
  tcase_add_test(tcase, a_wake_ends_a_turn);
  tcase_add_test(tcase, timers_fire_in_turns);
  tcase_add_test(tcase, too_few_descriptors_are_refused_with_the_remedy);
  tcase_add_test(tcase, up_to_ten_thousand_nodes);
  tcase_add_test(tcase, grants_can_be_traced);
  tcase_add_test(tcase, an_alias_takes_its_permits_from_the_first);
  tcase_add_test(tcase, an_alias_brings_no_permit);
  tcase_add_test(tcase, an_alias_moves_when_it_has_no_job);
  tcase_add_loop_test(tcase, an_alias_whose_first_is_removed, 0, 2);
  tcase_add_test(tcase, no_permit_is_taken_where_descriptors_are_short);
  suite_add_tcase(suite, tcase);
  return scripted_main(suite);
}
