/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/cluster.h"

#include "base/clock.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define S CLOCK_NS_PER_S
#define MS CLOCK_NS_PER_MS
#define INTERVAL (10 * S)
#define START (1000 * S)
#define DAY (86400 * S)

/* What the notices said, "EVENT HOST, ...". */
static char noticed[4096];
static char last_text[NOTICE_TEXT_MAX];

static void keep_notice(void *cookie, const struct notice *notice) {
  (void)cookie;
  size_t len = strlen(noticed);
  snprintf(noticed + len, sizeof(noticed) - len, "%s%s %s", len ? ", " : "",
           notice_row(notice->event)->event, notice->host);
  snprintf(last_text, sizeof(last_text), "%s", notice->text);
  ck_assert_str_eq(notice->cluster, "orders");
}

static void expect(const char *text) {
  ck_assert_str_eq(noticed, text);
  noticed[0] = '\0';
}

/* client_node_share_ceiling()'s place: whose ceiling each node has. */
struct node {
  struct node *first;
  bool is_busy;
  int calls;
};
static struct node client_nodes[4];

static enum status share(struct node *node, struct node *first) {
  node->calls++;
  if (node->is_busy)
    return STATUS_INVALID;
  node->first = first;
  return STATUS_OK;
}

static struct cluster *cluster;
static struct member *a, *b, *c;
static int64_t now_ns;

static struct member *join(const char *name, struct node *node) {
  struct member *member = NULL;
  const struct member_options options = {
      .name = name, .node = node, .interval_ns = INTERVAL, .max_queues = 100};
  ck_assert_int_eq(cluster_join(cluster, &options, &member), STATUS_OK);
  return member;
}

static void setup(void) {
  const struct cluster_options options = {
      .name = "orders", .notices = {.notify = keep_notice}, .share = share};
  memset(client_nodes, 0, sizeof(client_nodes));
  noticed[0] = '\0';
  now_ns = START;
  cluster = cluster_new(&options);
  ck_assert_ptr_nonnull(cluster);
  a = join("a", &client_nodes[0]);
  b = join("b", &client_nodes[1]);
  c = NULL;
}

static void teardown(void) {
  cluster_leave(a, NULL);
  cluster_leave(b, NULL);
  cluster_leave(c, NULL);
  cluster_free(cluster);
}

/* A broker: what a round at its URL tells. */
struct broker {
  const char *node_id;
  const char *name;
  enum node_state state; /* active, backup, starting; down: does not answer */
  int64_t boot_ns;
};

static void round_at(struct member *member, const struct broker *broker) {
  struct error outcome = {.kind = STATUS_OK};
  struct identity identity = {.is_known = true, .is_started = true};
  struct member_round round = {.outcome = &outcome,
                               .identity = &identity,
                               .uptime_ms = (now_ns - broker->boot_ns) / MS,
                               .started_ns = now_ns - 40 * MS,
                               .certificate_left_ns = CLOCK_NEVER};
  snprintf(identity.node_id, sizeof(identity.node_id), "%s", broker->node_id);
  snprintf(identity.broker_name, sizeof(identity.broker_name), "%s",
           broker->name);
  identity.is_active = broker->state == NODE_ACTIVE;
  identity.is_backup = broker->state == NODE_BACKUP;
  if (broker->state == NODE_DOWN)
    error_set(&outcome, STATUS_CONNECT, "refused");
  cluster_round(member, &round, now_ns);
}

/* An interval: a round at each, apart from each other. */
static void rounds(const struct broker *at_a, const struct broker *at_b) {
  now_ns += 6 * S;
  round_at(a, at_a);
  now_ns += 4 * S;
  round_at(b, at_b);
}

static enum bond bond_of(const struct member *member, const char *other) {
  struct member_view view;
  member_view(member, &view);
  if (other)
    ck_assert_str_eq(view.other, other);
  else
    ck_assert_ptr_null(view.other);
  return view.bond;
}

static const struct broker primary = {"id-1", "p", NODE_ACTIVE, 10 * S};
static const struct broker backup = {"id-1", "b", NODE_BACKUP, 20 * S};
static const struct broker dead = {"", "", NODE_DOWN, 0};

START_TEST(a_pair_is_well) {
  for (int i = 0; i < 100; i++)
    rounds(&primary, &backup);
  ck_assert_int_eq(bond_of(a, "b"), BOND_PAIR);
  ck_assert_int_eq(bond_of(b, "a"), BOND_PAIR);
  ck_assert_int_eq(member_health(b)->state, NODE_BACKUP);
  expect("");
}
END_TEST

START_TEST(two_brokers_are_no_pair) {
  const struct broker other = {"id-2", "b", NODE_ACTIVE, 20 * S};
  const struct broker unknown = {"", "x", NODE_BACKUP, 20 * S};
  for (int i = 0; i < 10; i++)
    rounds(&primary, &other);
  ck_assert_int_eq(bond_of(a, NULL), BOND_NONE);
  for (int i = 0; i < 10; i++)
    rounds(&unknown, &unknown);
  ck_assert_int_eq(bond_of(b, NULL), BOND_NONE);
}
END_TEST

/* The killed one is down after two rounds; the other one is active before that;
 * then back again. What was last read of one is a round old meanwhile. */
START_TEST(failover_and_fail_back) {
  struct broker taken_over = backup;
  struct broker returned = primary;
  struct broker starting = {"", "b", NODE_STARTING, 20 * S};
  for (int i = 0; i < 3; i++)
    rounds(&primary, &backup);
  rounds(&dead, &starting);
  expect("");
  taken_over.state = NODE_ACTIVE;
  rounds(&dead, &taken_over);
  expect("node down a, role changed b");
  ck_assert_str_eq(last_text, "role changed: it is active now, in place of a");
  for (int i = 0; i < 100; i++)
    rounds(&dead, &taken_over);
  expect("");
  ck_assert_int_eq(bond_of(b, "a"), BOND_PAIR);

  /* It comes back as a replica without a NodeID, then takes its place back. */
  returned.boot_ns = now_ns;
  returned.state = NODE_BACKUP;
  returned.node_id = "";
  rounds(&returned, &taken_over);
  expect("node up a");
  ck_assert_int_eq(bond_of(a, "b"), BOND_PAIR);
  returned.node_id = "id-1";
  returned.state = NODE_ACTIVE;
  rounds(&returned, &starting); /* b was active when a was read */
  expect("role changed a");
  rounds(&returned, &backup);
  rounds(&returned, &backup);
  expect("");
}
END_TEST

/* The old one says that it is a backup before the new one was asked. */
START_TEST(fail_back_in_the_other_order) {
  struct broker taken_over = backup;
  struct broker returned = backup;
  taken_over.state = NODE_ACTIVE;
  returned.name = "p";
  rounds(&primary, &backup);
  rounds(&dead, &taken_over);
  rounds(&dead, &taken_over);
  rounds(&returned, &taken_over);
  expect("role changed b, node down a, node up a");
  rounds(&returned, &backup);
  rounds(&primary, &backup);
  expect("role changed a");
}
END_TEST

/* Known alone, its role is told both ways. */
START_TEST(a_lone_node_changes_its_role) {
  struct broker taken_over = backup;
  const struct broker other = {"id-2", "b", NODE_ACTIVE, 20 * S};
  taken_over.state = NODE_ACTIVE;
  rounds(&other, &backup);
  rounds(&other, &taken_over);
  expect("role changed b");
  rounds(&other, &backup);
  expect("role changed b");
}
END_TEST

START_TEST(a_split_pair_is_told_and_its_end) {
  struct broker second = backup;
  rounds(&primary, &backup);
  second.state = NODE_ACTIVE;
  rounds(&primary, &second);
  expect("role changed b");
  rounds(&primary, &second);
  rounds(&primary, &second);
  expect("pair split b");
  ck_assert_int_eq(bond_of(a, "b"), BOND_SPLIT);
  ck_assert_int_eq(bond_of(b, "a"), BOND_SPLIT);
  for (int i = 0; i < 100; i++)
    rounds(&primary, &second);
  expect("");
  rounds(&primary, &backup);
  rounds(&primary, &backup);
  expect("pair whole b");
  ck_assert_int_eq(bond_of(a, "b"), BOND_PAIR);
}
END_TEST

/* Names alike tell nothing: the primary and its backup may have one. */
START_TEST(a_split_pair_with_one_name) {
  struct broker second = primary;
  second.boot_ns += 1 * S;
  for (int i = 0; i < 3; i++)
    rounds(&primary, &second);
  expect("pair split b");
}
END_TEST

/* One round of each is all that there is. */
START_TEST(by_one_round_alone) {
  struct broker second = primary;
  const struct cluster_options options = {.name = "orders",
                                          .notices = {.notify = keep_notice},
                                          .is_once = true,
                                          .share = share};
  for (int i = 0; i < 2; i++) {
    teardown();
    cluster = cluster_new(&options);
    a = join("a", &client_nodes[0]);
    b = join("b", &client_nodes[1]);
    second.boot_ns += i * S;
    rounds(&primary, &second);
    ck_assert_int_eq(bond_of(b, "a"), i ? BOND_SPLIT : BOND_ALIAS);
  }
  expect("alias b, pair split b");
}
END_TEST

START_TEST(an_alias_shares_the_first_ones_ceiling) {
  rounds(&primary, &primary);
  expect("");
  rounds(&primary, &primary);
  expect("alias b");
  ck_assert_int_eq(bond_of(b, "a"), BOND_ALIAS);
  ck_assert_int_eq(bond_of(a, NULL), BOND_NONE);
  ck_assert_ptr_eq(client_nodes[1].first, &client_nodes[0]);
  ck_assert_ptr_null(client_nodes[0].first);
  for (int i = 0; i < 100; i++)
    rounds(&primary, &primary);
  rounds(&dead, &dead); /* nothing is heard: nothing changes */
  for (int i = 0; i < 5; i++)
    rounds(&dead, &primary);
  expect("node down a");
  ck_assert_int_eq(bond_of(b, "a"), BOND_ALIAS);
  ck_assert_int_eq(client_nodes[1].calls, 1);
}
END_TEST

/* What began at one instant with one NodeID may be two brokers yet. */
START_TEST(no_alias) {
  struct broker named = primary;
  struct broker standing_by = primary;
  named.name = "x";
  standing_by.state = NODE_BACKUP;
  for (int i = 0; i < 4; i++)
    rounds(&primary, &standing_by);
  ck_assert_int_eq(bond_of(b, "a"), BOND_PAIR);
  expect("");
  for (int i = 0; i < 4; i++)
    rounds(&primary, &named);
  ck_assert_int_eq(bond_of(b, "a"), BOND_SPLIT);
}
END_TEST

START_TEST(an_alias_no_more) {
  const struct broker other = {"id-2", "b", NODE_ACTIVE, 20 * S};
  for (int i = 0; i < 3; i++)
    rounds(&primary, &primary);
  expect("alias b");
  rounds(&primary, &other);
  rounds(&primary, &other);
  expect("alias over b");
  ck_assert_ptr_null(client_nodes[1].first);
  ck_assert_int_eq(client_nodes[1].calls, 2);
}
END_TEST

START_TEST(an_alias_shares_when_it_has_no_job) {
  client_nodes[1].is_busy = true;
  for (int i = 0; i < 4; i++)
    rounds(&primary, &primary);
  expect("alias b");
  ck_assert_ptr_null(client_nodes[1].first);
  client_nodes[1].is_busy = false;
  rounds(&primary, &primary);
  ck_assert_ptr_eq(client_nodes[1].first, &client_nodes[0]);
}
END_TEST

START_TEST(an_alias_whose_first_leaves) {
  for (int i = 0; i < 3; i++)
    rounds(&primary, &primary);
  cluster_leave(a, NULL);
  a = NULL;
  ck_assert_int_eq(bond_of(b, NULL), BOND_NONE);
  now_ns += INTERVAL;
  round_at(b, &primary);
  ck_assert_ptr_null(client_nodes[1].first);
  ck_assert_int_eq(client_nodes[1].calls, 2);
}
END_TEST

/* -- Those that leave -- */

/* Each trouble that was told, and no other. */
START_TEST(the_troubles_of_one_that_leaves_are_over) {
  rounds(&dead, &backup);
  rounds(&dead, &backup);
  expect("node down a");
  cluster_leave(b, "no longer configured");
  b = NULL;
  expect("");
  cluster_leave(a, "no longer configured");
  a = NULL;
  expect("node up a");
  ck_assert_str_eq(last_text, "no longer configured");
}
END_TEST

/* As long as one of its nodes is there it is down. */
START_TEST(a_cluster_that_goes_is_down_no_longer) {
  rounds(&dead, &dead);
  rounds(&dead, &dead);
  expect("node down a, cluster down orders");
  cluster_leave(b, "no longer configured");
  b = NULL;
  expect("");
  cluster_leave(a, "no longer configured");
  a = NULL;
  expect("node up a, cluster up orders");
  ck_assert_str_eq(last_text, "no longer configured");
}
END_TEST

/* At the program's end nothing is over. */
START_TEST(the_end_of_the_program_ends_no_trouble) {
  rounds(&dead, &dead);
  rounds(&dead, &dead);
  expect("node down a, cluster down orders");
  cluster_leave(b, NULL);
  cluster_leave(a, NULL);
  a = b = NULL;
  expect("");
}
END_TEST

/* Whichever of the two leaves. */
START_TEST(bonds_of_one_that_leaves_are_over) {
  struct broker second = primary;
  bool is_split = _i / 2;
  if (is_split)
    second.boot_ns = 300 * S;
  for (int i = 0; i < 4; i++)
    rounds(&primary, &second);
  expect(is_split ? "pair split b" : "alias b");
  struct member **gone = _i % 2 ? &a : &b;
  cluster_leave(*gone, "no longer configured");
  expect(is_split ? "pair whole b" : "alias over b");
  ck_assert_str_eq(last_text,
                   _i % 2 ? "a: no longer configured" : "no longer configured");
  *gone = NULL;
  if (_i % 2)
    cluster_leave(b, "no longer configured");
  else
    cluster_leave(a, "no longer configured");
  a = b = NULL;
  expect("");
}
END_TEST

/* Of three, the later two are the first one's. */
START_TEST(two_aliases_of_one) {
  c = join("c", &client_nodes[2]);
  for (int i = 0; i < 3; i++) {
    rounds(&primary, &primary);
    round_at(c, &primary);
  }
  expect("alias b, alias c");
  ck_assert_ptr_eq(client_nodes[2].first, &client_nodes[0]);
}
END_TEST

/* Behind a load balancer: first as another node, then as the next. */
START_TEST(an_alternating_url) {
  const struct broker other = {"id-2", "x", NODE_ACTIVE, 20 * S};
  const struct broker third = {"id-3", "y", NODE_ACTIVE, 20 * S};
  rounds(&primary, &other);
  expect("");
  rounds(&primary, &third);
  expect("");
  for (int i = 0; i < 60; i++)
    rounds(&primary, i % 2 ? &other : &third);
  expect("alternating URL b");
  struct member_view view;
  member_view(b, &view);
  ck_assert(view.is_alternating);
  for (int i = 0; i < 62; i++)
    rounds(&primary, &other);
  expect("URL steady b");
  member_view(b, &view);
  ck_assert(!view.is_alternating);
}
END_TEST

START_TEST(a_broker_made_anew_does_not_alternate) {
  const struct broker other = {"id-2", "p", NODE_ACTIVE, 20 * S};
  const struct broker third = {"id-3", "p", NODE_ACTIVE, 20 * S};
  rounds(&primary, &backup);
  rounds(&other, &backup);
  for (int i = 0; i < 61; i++)
    rounds(&other, &backup);
  rounds(&third, &backup);
  struct member_view view;
  member_view(a, &view);
  ck_assert(!view.is_alternating);
  ck_assert_ptr_null(strstr(noticed, "URL"));
}
END_TEST

START_TEST(each_change_is_told_however_often) {
  for (int i = 0; i < 5; i++) {
    rounds(&dead, &backup);
    expect("");
    rounds(&dead, &backup);
    rounds(&dead, &backup);
    expect("node down a");
    rounds(&primary, &backup);
    expect("node up a");
  }
}
END_TEST

/* The last one has none of its own; when another one answers, it gets one. */
START_TEST(a_whole_cluster_is_told_once) {
  rounds(&dead, &dead);
  rounds(&dead, &dead);
  expect("node down a, cluster down orders");
  for (int i = 0; i < 50; i++)
    rounds(&dead, &dead);
  expect("");
  rounds(&primary, &dead);
  expect("cluster up orders, node up a, node down b");
  rounds(&primary, &backup);
  expect("node up b");
}
END_TEST

START_TEST(a_held_login_is_told_and_its_end) {
  struct error outcome = {.kind = STATUS_HELD};
  struct identity identity = {.is_known = false};
  const struct member_round round = {.outcome = &outcome,
                                     .identity = &identity,
                                     .hold = HEALTH_LOGIN_HELD,
                                     .uptime_ms = -1,
                                     .certificate_left_ns = CLOCK_NEVER};
  rounds(&primary, &backup);
  for (int i = 0; i < 5; i++)
    cluster_round(a, &round, now_ns += INTERVAL);
  expect("login held a");
  rounds(&dead, &backup);
  rounds(&dead, &backup);
  expect("node down a");
  rounds(&primary, &backup);
  expect("node up a, login accepted a");
}
END_TEST

START_TEST(a_held_node_is_no_trouble) {
  struct error outcome = {.kind = STATUS_HELD};
  struct identity identity = {.is_known = false};
  const struct member_round round = {.outcome = &outcome,
                                     .identity = &identity,
                                     .hold = HEALTH_HELD_BY_OPERATOR,
                                     .uptime_ms = -1,
                                     .certificate_left_ns = CLOCK_NEVER};
  rounds(&primary, &backup);
  for (int i = 0; i < 5; i++)
    cluster_round(a, &round, now_ns += INTERVAL);
  rounds(&primary, &backup);
  expect("");
}
END_TEST

static void waits(int64_t wait_ns, enum status kind) {
  struct error outcome = {.kind = kind};
  struct identity identity = {.is_known = true, .is_active = true};
  const struct member_round round = {.outcome = &outcome,
                                     .identity = &identity,
                                     .uptime_ms = -1,
                                     .started_ns = now_ns,
                                     .permit_wait_ns = wait_ns,
                                     .certificate_left_ns = CLOCK_NEVER};
  now_ns += INTERVAL;
  cluster_round(a, &round, now_ns);
}

START_TEST(a_pinched_scrape_is_told_after_three_rounds) {
  for (int i = 0; i < 5; i++) {
    waits(INTERVAL / 2 + 1, STATUS_OK);
    waits(0, STATUS_PERMIT_TIMEOUT);
    waits(INTERVAL / 2, STATUS_OK);
  }
  expect("");
  waits(INTERVAL / 2 + 1, STATUS_OK);
  waits(0, STATUS_PERMIT_TIMEOUT);
  waits(0, STATUS_PERMIT_QUEUE_FULL);
  waits(0, STATUS_PERMIT_TIMEOUT);
  expect("scrape pinched a");
  waits(0, STATUS_OK);
  waits(0, STATUS_OK);
  waits(0, STATUS_PERMIT_TIMEOUT);
  waits(0, STATUS_OK);
  waits(0, STATUS_OK);
  expect("");
  waits(0, STATUS_OK);
  waits(0, STATUS_OK);
  expect("scrape easy a");
}
END_TEST

static void over(uint64_t queues, uint64_t addresses, uint64_t mbeans,
                 bool has_all) {
  struct error outcome = {.kind = STATUS_OK};
  struct identity identity = {.is_known = true, .is_active = true};
  struct left_out over_queues = {.n = queues, .names = {"queue-q"}};
  struct left_out over_addresses = {.n = addresses, .names = {"address-a"}};
  struct left_out over_mbeans = {.n = mbeans, .names = {"pool-m"}};
  const struct member_round round = {
      .outcome = &outcome,
      .identity = &identity,
      .has_all = has_all,
      .uptime_ms = -1,
      .started_ns = now_ns,
      .certificate_left_ns = CLOCK_NEVER,
      .over_queues = &over_queues,
      .over_addresses = &over_addresses,
      .over_mbeans = {[TIER_SLOW] = &over_mbeans}};
  now_ns += INTERVAL;
  cluster_round(a, &round, now_ns);
}

START_TEST(what_the_cap_leaves_out_is_told_once) {
  over(0, 0, 0, true);
  over(3, 0, 0, false); /* nobody knows */
  expect("");
  over(3, 1, 0, true);
  expect("over the cap a");
  ck_assert_ptr_nonnull(
      strstr(last_text, "leaves out 3 queues and 0 MBeans, "));
  ck_assert_ptr_nonnull(strstr(last_text, "queue-q first"));
  over(9, 0, 0, true);
  over(0, 0, 0, true);
  over(0, 0, 0, true);
  over(0, 1, 0, true);
  over(0, 0, 0, true);
  over(0, 0, 0, true);
  over(0, 0, 0, false);
  expect("");
  over(0, 0, 0, true);
  expect("within the cap a");
  over(0, 2, 0, true);
  expect("over the cap a");
  ck_assert_ptr_nonnull(strstr(last_text, "address-a first"));
  for (size_t i = 0; i < 3; i++)
    over(0, 0, 0, true);
  expect("within the cap a");
  over(0, 0, 4, false);
  expect("");
  over(0, 0, 4, true);
  expect("over the cap a");
  ck_assert_ptr_nonnull(strstr(last_text, " 4 MBeans, "));
  ck_assert_ptr_nonnull(strstr(last_text, "pool-m first"));
}
END_TEST

static void certificate(int64_t left_ns) {
  struct error outcome = {.kind = STATUS_OK};
  struct identity identity = {.is_known = true, .is_active = true};
  const struct member_round round = {.outcome = &outcome,
                                     .identity = &identity,
                                     .uptime_ms = -1,
                                     .started_ns = now_ns,
                                     .certificate_left_ns = left_ns};
  now_ns += INTERVAL;
  cluster_round(a, &round, now_ns);
}

START_TEST(a_certificate_that_ends) {
  certificate(30 * DAY);
  expect("");
  certificate(30 * DAY - 1);
  certificate(30 * DAY - 2);
  expect("certificate expires a");
  certificate(CLOCK_NEVER);
  certificate(7 * DAY);
  expect("");
  certificate(7 * DAY - 1);
  certificate(-1);
  expect("certificate expires soon a");
  certificate(40 * DAY);
  expect("certificate renewed a");
  certificate(-1);
  expect("certificate expires soon a");
  ck_assert_str_eq(last_text,
                   "certificate expires soon: its certificate has expired");
}
END_TEST

/* With whatever was told of it. */
START_TEST(warnings_of_one_that_leaves_are_over) {
  over(3, 0, 0, true);
  for (int i = 0; i < 3; i++)
    waits(INTERVAL, STATUS_OK);
  certificate(3 * DAY);
  expect("over the cap a, scrape pinched a, certificate expires soon a");
  cluster_leave(a, "no longer configured");
  a = NULL;
  expect("scrape easy a, within the cap a, certificate renewed a");
  cluster_leave(b, "no longer configured");
  b = NULL;
  expect("");
}
END_TEST

static Suite *suite(void) {
  Suite *suite = suite_create("cluster");
  TCase *tcase = tcase_create("bonds");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, a_pair_is_well);
  tcase_add_test(tcase, two_brokers_are_no_pair);
  tcase_add_test(tcase, failover_and_fail_back);
  tcase_add_test(tcase, fail_back_in_the_other_order);
  tcase_add_test(tcase, a_lone_node_changes_its_role);
  tcase_add_test(tcase, a_split_pair_is_told_and_its_end);
  tcase_add_test(tcase, a_split_pair_with_one_name);
  tcase_add_test(tcase, by_one_round_alone);
  tcase_add_test(tcase, an_alias_shares_the_first_ones_ceiling);
  tcase_add_test(tcase, no_alias);
  tcase_add_test(tcase, an_alias_no_more);
  tcase_add_test(tcase, an_alias_shares_when_it_has_no_job);
  tcase_add_test(tcase, an_alias_whose_first_leaves);
  tcase_add_test(tcase, two_aliases_of_one);
  tcase_add_test(tcase, an_alternating_url);
  tcase_add_test(tcase, a_broker_made_anew_does_not_alternate);
  tcase_add_loop_test(tcase, bonds_of_one_that_leaves_are_over, 0, 4);
  suite_add_tcase(suite, tcase);
  tcase = tcase_create("warnings");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, each_change_is_told_however_often);
  tcase_add_test(tcase, a_whole_cluster_is_told_once);
  tcase_add_test(tcase, a_held_login_is_told_and_its_end);
  tcase_add_test(tcase, a_held_node_is_no_trouble);
  tcase_add_test(tcase, a_pinched_scrape_is_told_after_three_rounds);
  tcase_add_test(tcase, what_the_cap_leaves_out_is_told_once);
  tcase_add_test(tcase, a_certificate_that_ends);
  tcase_add_test(tcase, the_troubles_of_one_that_leaves_are_over);
  tcase_add_test(tcase, a_cluster_that_goes_is_down_no_longer);
  tcase_add_test(tcase, the_end_of_the_program_ends_no_trouble);
  tcase_add_test(tcase, warnings_of_one_that_leaves_are_over);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed > 0;
}
