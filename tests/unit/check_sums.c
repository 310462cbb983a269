/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/attributes.h"
#include "base/clock.h"
#include "client/cluster.h"
#include "client/sums.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define S CLOCK_NS_PER_S
#define INTERVAL (10 * S)
#define WALL (1500000000 * S)

/* What was handed over: "host plugin-instance/type-instance value". */
static char lines[65536];
static size_t n_lines;
static int64_t last_time_ns, last_interval_ns;

static void keep(void *cookie, const struct sample *sample) {
  (void)cookie;
  size_t len = strlen(lines);
  ck_assert(!sample->is_derive);
  snprintf(lines + len, sizeof(lines) - len, "%s %s-%s/%s-%s %g\n",
           sample->host, sample->plugin, sample->plugin_instance, sample->type,
           sample->type_instance, sample->gauge);
  last_time_ns = sample->time_ns;
  last_interval_ns = sample->interval_ns;
  n_lines++;
}

static struct cluster *cluster;
static struct member *a, *b;
static int64_t now_ns;

static struct member *join(const char *name, int64_t interval_ns) {
  struct member *member = NULL;
  const struct member_options options = {
      .name = name, .interval_ns = interval_ns, .max_queues = 3};
  ck_assert_int_eq(cluster_join(cluster, &options, &member), STATUS_OK);
  return member;
}

static void begin(bool has_partial_sums) {
  const struct cluster_options options = {.name = "orders",
                                          .samples = {.dispatch = keep},
                                          .has_partial_sums = has_partial_sums};
  lines[0] = '\0';
  n_lines = 0;
  now_ns = 1000 * S;
  cluster = cluster_new(&options);
  ck_assert_ptr_nonnull(cluster);
  a = join("a", INTERVAL);
  b = join("b", INTERVAL);
}

static void setup(void) { begin(false); }
static void teardown(void) {
  cluster_leave(a, NULL);
  cluster_leave(b, NULL);
  cluster_free(cluster);
}

/* A row as the scrape gives it: the gauge, a counter, a truth value. */
static void row(struct member *member, const char *queue, double count) {
  const struct attribute *of_queue[ATTRIBUTES_MAX];
  size_t n = attributes_of(OBJECT_QUEUE, TIER_FAST, SET_ARTEMIS, 0, of_queue);
  char instance[64];
  snprintf(instance, sizeof(instance), "queue-%s", queue);
  struct sample sample = {
      .host = "a", .plugin = "artemis", .plugin_instance = instance};
  for (size_t i = 0; i < n; i++) {
    sample.attribute = of_queue[i];
    sample.type = of_queue[i]->type;
    sample.type_instance = of_queue[i]->name;
    sample.is_derive = of_queue[i]->is_derive;
    sample.gauge = strcmp(of_queue[i]->name, "MessageCount") == 0 ? count : 1;
    if (strcmp(of_queue[i]->name, "DeliveringCount") == 0)
      continue; /* this broker lacks it */
    cluster_sample(member, &sample);
    sample.is_of_last = true;
  }
}

enum how { WHOLE, BROKEN_OFF, FAILED, AS_BACKUP, AS_STARTING };

static void end_round(struct member *member, const char *node_id,
                      enum how how) {
  struct error outcome = {.kind = how == FAILED ? STATUS_CONNECT : STATUS_OK};
  struct identity identity = {.is_known = true,
                              .is_started = true,
                              .is_active = how < AS_BACKUP,
                              .is_backup = how == AS_BACKUP};
  const struct member_round round = {.outcome = &outcome,
                                     .identity = &identity,
                                     .is_whole = how == WHOLE,
                                     .uptime_ms = now_ns / CLOCK_NS_PER_MS,
                                     .started_ns = now_ns - S,
                                     .certificate_left_ns = CLOCK_NEVER};
  snprintf(identity.node_id, sizeof(identity.node_id), "%s", node_id);
  snprintf(identity.broker_name, sizeof(identity.broker_name), "%s", node_id);
  cluster_round(member, &round, now_ns);
}

/* The ticks of both; what is handed over. */
static void tick(void) {
  lines[0] = '\0';
  n_lines = 0;
  if (cluster_tick(b, now_ns, WALL + now_ns))
    ck_abort_msg("b's ticks are not the cluster's");
  if (cluster_tick(a, now_ns, WALL + now_ns))
    while (cluster_send(cluster, 1))
      ;
}

static bool has(const char *line) { return strstr(lines, line) != NULL; }

/* An interval: a round of each with two queues, then a tick. */
static void interval(enum how of_a, enum how of_b) {
  now_ns += INTERVAL;
  row(a, "x", 3);
  row(a, "only-a", 5);
  end_round(a, "id-a", of_a);
  row(b, "x", 4);
  row(b, "only-b", -1);
  end_round(b, "id-b", of_b);
  tick();
}

/* The first rounds of a cluster begin before it has two nodes. */
static void settle(void) {
  interval(WHOLE, WHOLE);
  ck_assert_uint_eq(n_lines, 2);
}

START_TEST(sums_of_two_nodes) {
  settle();
  interval(WHOLE, WHOLE);
  ck_assert(has("orders artemis-queue-x/gauge-MessageCount 7\n"));
  ck_assert(has("orders artemis-queue-x/count-ConsumerCount 2\n"));
  ck_assert(has("orders artemis-queue-only-a/gauge-MessageCount 5\n"));
  ck_assert(has("orders artemis-queue-only-b/gauge-MessageCount -1\n"));
  ck_assert(has("orders jolokia-orders/gauge-nodes 2\n"));
  ck_assert(has("orders jolokia-orders/gauge-nodes_answered 2\n"));
  ck_assert_uint_eq(n_lines, 2 + 3 * 3); /* no counter, no truth value */
  ck_assert_int_eq(last_time_ns, WALL + now_ns);
  ck_assert_int_eq(last_interval_ns, INTERVAL);
}
END_TEST

START_TEST(how_many_answered_is_told_from_the_first_tick) {
  tick();
  ck_assert(has("orders jolokia-orders/gauge-nodes 2\n"));
  ck_assert(has("orders jolokia-orders/gauge-nodes_answered 0\n"));
  ck_assert_uint_eq(n_lines, 2);
}
END_TEST

START_TEST(a_node_that_fails_or_breaks_off) {
  settle();
  interval(WHOLE, FAILED);
  ck_assert(has("nodes_answered 1\n"));
  ck_assert_uint_eq(n_lines, 2);
  interval(BROKEN_OFF, WHOLE);
  ck_assert(has("nodes_answered 2\n"));
  ck_assert_uint_gt(n_lines, 2); /* its last whole one is an interval old */
  interval(BROKEN_OFF, WHOLE);
  ck_assert(has("nodes_answered 2\n"));
  ck_assert_uint_eq(n_lines, 2);
  interval(WHOLE, WHOLE);
  ck_assert_uint_eq(n_lines, 2 + 3 * 3);
}
END_TEST

/* A round that broke off leaves the last whole one, which is too old after one
 * and a half intervals. */
START_TEST(a_round_is_used_for_an_interval_and_a_half) {
  settle();
  interval(WHOLE, WHOLE);
  now_ns += INTERVAL;
  row(a, "x", 8);
  end_round(a, "id-a", WHOLE);
  tick(); /* b's round is late; it was begun 11 s ago */
  ck_assert(has("orders artemis-queue-x/gauge-MessageCount 12\n"));
  now_ns += INTERVAL;
  row(a, "x", 9);
  end_round(a, "id-a", WHOLE);
  tick();
  ck_assert_uint_eq(n_lines, 2);
  ck_assert(has("nodes_answered 1\n"));
}
END_TEST

START_TEST(partial_sums_when_wanted) {
  teardown();
  begin(true);
  settle();
  interval(WHOLE, FAILED);
  ck_assert(has("orders artemis-queue-x/gauge-MessageCount 3\n"));
  ck_assert(has("nodes_answered 1\n"));
  interval(FAILED, FAILED);
  ck_assert_uint_eq(n_lines, 2);
}
END_TEST

/* A pair's interval: the queues are the active one's. */
static void pair(enum how of_a, enum how of_b) {
  now_ns += INTERVAL;
  if (of_a == WHOLE)
    row(a, "x", 3);
  end_round(a, "id", of_a);
  if (of_b == WHOLE)
    row(b, "x", 4);
  end_round(b, "id", of_b);
  tick();
}

START_TEST(a_pair_has_its_queues_once) {
  pair(WHOLE, AS_BACKUP);
  pair(WHOLE, AS_BACKUP);
  ck_assert(has("orders artemis-queue-x/gauge-MessageCount 3\n"));
  pair(FAILED, AS_STARTING);
  ck_assert_uint_eq(n_lines, 2);
  pair(FAILED, WHOLE);
  ck_assert(has("orders artemis-queue-x/gauge-MessageCount 4\n"));
  ck_assert(has("nodes_answered 1\n"));
  pair(FAILED, AS_BACKUP); /* of which nobody is active */
  ck_assert_uint_eq(n_lines, 2);
}
END_TEST

/* Another one's backup has no queues either. */
START_TEST(a_backup_alone_is_accounted_for) {
  settle();
  interval(WHOLE, AS_BACKUP);
  ck_assert(has("orders artemis-queue-x/gauge-MessageCount 3\n"));
  interval(WHOLE, AS_STARTING);
  ck_assert_uint_eq(n_lines, 2);
}
END_TEST

/* By its NodeID, name and start, as these rounds tell it of both. */
START_TEST(an_alias_counts_once) {
  pair(WHOLE, WHOLE);
  pair(WHOLE, WHOLE);
  pair(WHOLE, WHOLE);
  struct member_view view;
  member_view(b, &view);
  ck_assert_int_eq(view.bond, BOND_ALIAS);
  ck_assert(has("orders artemis-queue-x/gauge-MessageCount 3\n"));
  ck_assert(has("nodes_answered 2\n"));
}
END_TEST

/* More than MaxQueues: the scrape gives no more; so it is no whole set. */
START_TEST(more_queues_than_there_may_be) {
  settle();
  now_ns += INTERVAL;
  for (int i = 0; i < 4; i++)
    row(a, &"xyzw"[i], 1);
  end_round(a, "id-a", WHOLE);
  end_round(b, "id-b", WHOLE);
  tick();
  ck_assert_uint_eq(n_lines, 2);
}
END_TEST

START_TEST(one_node_has_no_sums) {
  settle();
  cluster_leave(b, NULL);
  b = NULL;
  now_ns += INTERVAL;
  row(a, "x", 1);
  end_round(a, "id-a", WHOLE);
  ck_assert(!cluster_tick(a, now_ns, WALL + now_ns));
}
END_TEST

/* The one with the longest interval leads; another leader, or a clock that is
 * set back, brings no second sums in an interval. */
START_TEST(the_slowest_node_leads) {
  struct member *c = join("c", 3 * INTERVAL);
  ck_assert(!cluster_tick(a, now_ns, WALL + now_ns));
  ck_assert_uint_eq(n_lines, 0);
  ck_assert(!cluster_tick(c, now_ns, WALL + now_ns));
  ck_assert_uint_eq(n_lines, 2);
  ck_assert_int_eq(last_interval_ns, 3 * INTERVAL);
  cluster_leave(c, NULL);
  now_ns += INTERVAL / 2 - 1;
  cluster_tick(a, now_ns, WALL + now_ns);
  ck_assert_uint_eq(n_lines, 2);
  cluster_tick(a, now_ns, WALL + now_ns + INTERVAL);
  ck_assert_uint_eq(n_lines, 2);
  now_ns += INTERVAL;
  cluster_tick(a, now_ns, WALL);
  ck_assert_uint_eq(n_lines, 2);
  cluster_tick(a, now_ns, WALL + now_ns);
  ck_assert_uint_eq(n_lines, 4);
}
END_TEST

/* What was read of it before is given back: seen with the sanitizers. */
START_TEST(a_member_that_is_changed_may_lead) {
  const struct member_options slow = {
      .name = "b", .interval_ns = 3 * INTERVAL, .max_queues = 3};
  settle();
  interval(WHOLE, WHOLE);
  member_set(b, &slow);
  now_ns += 3 * INTERVAL;
  n_lines = 0;
  ck_assert(!cluster_tick(a, now_ns, WALL + now_ns));
  ck_assert_uint_eq(n_lines, 0);
  (void)cluster_tick(b, now_ns, WALL + now_ns);
  ck_assert_uint_eq(n_lines, 2);
  ck_assert_int_eq(last_interval_ns, 3 * INTERVAL);
}
END_TEST

/* -- The sums alone -- */

static struct sums_part part_of(int first, int n) {
  const struct attribute *of_queue[ATTRIBUTES_MAX];
  attributes_of(OBJECT_QUEUE, TIER_FAST, SET_ARTEMIS, 0, of_queue);
  struct sums_part part;
  sums_part_init(&part, (size_t)n);
  sums_part_end(&part, true, 1, true);
  ck_assert(!part.has_whole); /* of what was before, nothing is known */
  for (int i = first; i < first + n; i++) {
    char instance[32];
    snprintf(instance, sizeof(instance), "queue-%d", i);
    const struct sample sample = {
        .plugin_instance = instance, .attribute = of_queue[0], .gauge = i};
    sums_part_sample(&part, &sample);
  }
  sums_part_end(&part, true, 1, true);
  ck_assert(part.has_whole);
  ck_assert_uint_eq(part.whole.n, (size_t)n);
  return part;
}

static uint64_t n_sent;
static double total;
static void count(void *cookie, const struct sample *sample) {
  (void)cookie;
  n_sent++;
  total += sample->gauge;
}

START_TEST(many_queues_in_slices) {
  struct sums_part one = part_of(0, 20000);
  struct sums_part two = part_of(10000, 20000);
  const struct sample_sink sink = {.dispatch = count};
  struct sample sample = {.host = "h"};
  struct sums sums;
  sums_init(&sums);
  for (int round = 0; round < 2; round++) {
    n_sent = 0;
    total = 0;
    sums_begin(&sums);
    ck_assert(sums_add(&sums, &one));
    ck_assert(sums_add(&sums, &two));
    int n_slices = 1;
    while (sums_send(&sums, &sample, &sink, 500))
      n_slices++;
    ck_assert_int_eq(n_slices, 60);
    ck_assert_uint_eq(n_sent, 30000);
    ck_assert_double_eq_tol(total, 10000.0 * 19999 + 10000.0 * 39999, 0.5);
  }
  sums_fini(&sums);
  sums_part_fini(&one);
  sums_part_fini(&two);
}
END_TEST

START_TEST(past_the_most) {
  struct sums_part part = part_of(0, SUMS_ENTRIES_MAX / 2);
  struct sums sums;
  sums_init(&sums);
  sums_begin(&sums);
  ck_assert(sums_add(&sums, &part));
  ck_assert(sums_add(&sums, &part));
  ck_assert(!sums_add(&sums, &part));
  sums_fini(&sums);
  sums_part_fini(&part);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("sums");
  TCase *tcase = tcase_create("clusters");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, sums_of_two_nodes);
  tcase_add_test(tcase, how_many_answered_is_told_from_the_first_tick);
  tcase_add_test(tcase, a_node_that_fails_or_breaks_off);
  tcase_add_test(tcase, a_round_is_used_for_an_interval_and_a_half);
  tcase_add_test(tcase, partial_sums_when_wanted);
  tcase_add_test(tcase, a_pair_has_its_queues_once);
  tcase_add_test(tcase, a_backup_alone_is_accounted_for);
  tcase_add_test(tcase, an_alias_counts_once);
  tcase_add_test(tcase, more_queues_than_there_may_be);
  tcase_add_test(tcase, one_node_has_no_sums);
  tcase_add_test(tcase, the_slowest_node_leads);
  tcase_add_test(tcase, a_member_that_is_changed_may_lead);
  suite_add_tcase(suite, tcase);
  tcase = tcase_create("sums");
  tcase_add_test(tcase, many_queues_in_slices);
  tcase_add_test(tcase, past_the_most);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed > 0;
}
