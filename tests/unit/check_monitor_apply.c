/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* Nodes that come, go and change while rounds run. */

#include "client/tick.h"
#include "monitor_rig.h"
#include "settings_rig.h"

#include "../support/prng.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* -- Settings that may be freed, as a reload makes them -- */

static struct settings *present; /* of the last apply() */

/* Node ${i} of the rig. */
static void put(struct settings *made, size_t at, size_t i) {
  struct node_settings node = settings_of(i);
  settings_put(made, at, &node);
}

static struct settings *make_range(size_t from, size_t to) {
  struct settings *made = settings_make(to - from);
  for (size_t i = from; i < to; i++)
    put(made, i - from, i);
  return made;
}

static void apply(struct settings *made) {
  monitor_apply(monitor, made, now_ns);
  settings_free(present);
  present = made;
}

static void end(void) {
  tear_down();
  settings_free(present);
  present = NULL;
}

/* -- What was sent to a node -- */

static int n_sent_to(size_t i, enum request_kind kind, int64_t from_ns) {
  int n = 0;
  for (int k = 0; k < n_sent; k++)
    n += sent[k].node == &nodes[i] && sent[k].kind == kind &&
         sent[k].at_ns >= from_ns;
  return n;
}

static int64_t offset_of(size_t i, int64_t interval_ns) {
  return tick_offset_ns(nodes[i].name, TIER_FAST, interval_ns);
}

/* Every request that begins a fast round came at one of its node's ticks, and
 * none was left out between ${from_ns} and ${to_ns}. */
static void check_ticks(size_t i, int64_t from_ns, int64_t to_ns) {
  int64_t expected_ns = START + offset_of(i, 10 * S);
  while (expected_ns < from_ns)
    expected_ns += 10 * S;
  for (int k = 0; k < n_sent; k++) {
    if (sent[k].node != &nodes[i] || sent[k].owner != OWNER_SCRAPE ||
        sent[k].at_ns < from_ns ||
        (sent[k].at_ns - START - offset_of(i, 10 * S)) % (10 * S) != 0)
      continue;
    ck_assert_int_eq(sent[k].at_ns, expected_ns);
    expected_ns += 10 * S;
  }
  ck_assert_int_gt(expected_ns, to_ns);
}

/* -- The tests -- */

/* Whatever is under way at the time, whenever it comes. */
START_TEST(the_same_settings_change_nothing) {
  set_up(3, false, true);
  nodes[1].delay_ns = 4 * S;
  nodes[2].delay_ns = CLOCK_NEVER;
  ends_at_timeout = _i == 1;
  for (int i = 0; i < 600; i++) {
    run_until(now_ns + 700 * MS);
    apply(make_range(0, 3));
  }
  for (size_t i = 0; i < 3; i++) {
    ck_assert_int_eq(nodes[i].n_added, 1);
    ck_assert_int_eq(nodes[i].n_changed, 0);
  }
  ck_assert_int_eq(n_scrapes, 3);
  for (size_t i = 0; i < (_i == 1 ? 3 : 2); i++) {
    check_ticks(i, START, now_ns);
    ck_assert_uint_eq(view_of(i).rounds, i < 2 ? 42 : 41); /* one runs */
    ck_assert_uint_eq(view_of(i).skipped, 0);
  }
  ck_assert_int_eq(count_sent(KIND_IDENTITY, 0, now_ns), _i == 1 ? 44 : 3);
  ck_assert_uint_eq(n_self, 3 * 42);
}
END_TEST

START_TEST(a_removed_node_is_gone_at_once) {
  set_up(3, false, true);
  nodes[1].delay_ns = 3 * S;
  nodes[1].rows = 5000;
  run_until(START + 100 * S + _i * 500 * MS);
  uint64_t self = n_self;
  uint64_t values = n_values_of[1];
  int64_t removed_ns = now_ns;
  struct settings *without = settings_make(2);
  put(without, 0, 2);
  put(without, 1, 0);
  apply(without);
  ck_assert(!nodes[1].is_used);
  ck_assert_uint_eq(monitor_n_nodes(monitor), 2);
  ck_assert_uint_eq(n_timers() % 3,
                    n_timers() - 6); /* and one of the outflow */
  run_until(now_ns + 100 * S);
  ck_assert_uint_eq(n_values_of[1], values);
  ck_assert_uint_eq(n_self - self, 20);
  ck_assert_int_eq(n_sent_to(1, KIND_LISTING, removed_ns), 0);
  check_ticks(0, START, now_ns);
  check_ticks(2, START, now_ns);
}
END_TEST

/* As if it had been there from the start; its slower tiers begin with its first
 * good round. */
START_TEST(a_new_node_ticks_on_the_grid) {
  set_up(1, false, true);
  name_node(1);
  run_until(START + 33 * S + _i * 900 * MS);
  int64_t added_ns = now_ns;
  apply(make_range(0, 2));
  ck_assert_uint_eq(monitor_n_nodes(monitor), 2);
  run_until(added_ns + 10 * S);
  ck_assert_int_eq(n_sent_to(1, KIND_IDENTITY, 0), 1);
  ck_assert_int_eq(n_sent_to(1, KIND_ADDRESSES, 0), 1);
  run_until(START + 1000 * S);
  check_ticks(1, added_ns, now_ns);
  check_ticks(0, START, now_ns);
  ck_assert_uint_eq(view_of(1).skipped, 0);
}
END_TEST

/* -- Changes -- */

static void change_ceiling(struct node_settings *node) {
  node->ceiling.requests_per_second_milli = 1000;
}
static void change_login(struct node_settings *node) {
  static char user[] = "monitor";
  node->username = user;
}
static void change_timeout(struct node_settings *node) {
  node->timeout_ns = 5 * S;
}
static void change_filter(struct node_settings *node) {
  node->queues.max_queues = 17;
}
static void change_url(struct node_settings *node) {
  free(node->url);
  node->url = strdup("http://127.0.0.2:1/j");
}
static void change_cluster(struct node_settings *node) {
  free(node->cluster);
  node->cluster = strdup("billing");
}
static void change_verify(struct node_settings *node) {
  node->verify_peer = true;
}

static const struct {
  void (*change)(struct node_settings *node);
  bool is_new;        /* it goes, and comes as new */
  bool is_scrape_new; /* its next round reads the identity again */
} changes[] = {{change_ceiling, false, false}, {change_login, false, false},
               {change_timeout, false, true},  {change_filter, false, true},
               {change_url, true, true},       {change_cluster, true, true},
               {change_verify, true, true}};
enum { N_CHANGES = sizeof(changes) / sizeof(changes[0]) };

/* Between rounds, and with a request on its way. */
START_TEST(only_what_changed_changes) {
  size_t kind = (size_t)_i / 2;
  bool is_under_way = _i % 2;
  set_up(2, false, true);
  nodes[0].delay_ns = nodes[1].delay_ns = is_under_way ? 3 * S : 10 * MS;
  int64_t tick_ns = START + 100 * S + offset_of(1, 10 * S);
  run_until(tick_ns + 1 * S);
  ck_assert_uint_eq(n_in_flight() > 0, is_under_way);
  struct settings *other = make_range(0, 2);
  changes[kind].change(&other->nodes[1]);
  apply(other);
  run_until(START + 300 * S);
  ck_assert_int_eq(nodes[0].n_added, 1);
  ck_assert_int_eq(nodes[0].n_changed, 0);
  ck_assert_int_eq(nodes[1].n_added, changes[kind].is_new ? 2 : 1);
  ck_assert_int_eq(nodes[1].n_changed, changes[kind].is_new ? 0 : 1);
  ck_assert_int_eq(n_sent_to(1, KIND_IDENTITY, 0),
                   changes[kind].is_scrape_new ? 2 : 1);
  check_ticks(0, START, now_ns);
  check_ticks(1, START, now_ns);
  ck_assert_uint_eq(view_of(1).skipped, 0);
  ck_assert_uint_eq(view_of(1).rounds, changes[kind].is_new ? 19 : 30);
  ck_assert_str_eq(view_of(1).cluster, present->nodes[1].cluster);
}
END_TEST

/* A round that runs goes on as it began; its timeout is the present one. */
START_TEST(new_settings_hold_from_the_next_round_on) {
  set_up(1, false, false);
  nodes[0].delay_ns = 3 * S;
  int64_t tick_ns = START + 100 * S + offset_of(0, 10 * S);
  run_until(tick_ns + 1 * S);
  struct settings *other = make_range(0, 1);
  change_filter(&other->nodes[0]);
  change_timeout(&other->nodes[0]);
  apply(other);
  ck_assert_int_eq(n_scrapes, 1);
  run_until(tick_ns + 9 * S);
  ck_assert_int_eq(n_scrapes, 1);
  ck_assert_uint_eq(view_of(0).rounds, 11);
  run_until(tick_ns + 11 * S);
  ck_assert_int_eq(n_scrapes, 2);
  ck_assert_int_eq(sent[n_sent - 1].kind, KIND_IDENTITY);
  ck_assert_int_eq(sent[n_sent - 1].timeout_ns, 5 * S);
}
END_TEST

/* As long as any tier's round runs, whichever began last. */
START_TEST(a_scrape_is_renewed_when_no_round_runs) {
  set_up(1, false, false);
  nodes[0].delay_ns = 8 * S;
  int64_t tick_ns = START + offset_of(0, 10 * S);
  /* 0 to 16 identity and listing, 16 to 24 the other tiers, 20 to 28 the next
   * listing. */
  run_until(tick_ns + 18 * S);
  ck_assert_uint_eq(n_in_flight(), 2);
  struct settings *other = make_range(0, 1);
  change_filter(&other->nodes[0]);
  apply(other);
  run_until(tick_ns + 21 * S);
  ck_assert_uint_eq(n_in_flight(), 3);
  ck_assert_int_eq(n_scrapes, 1);
  run_until(tick_ns + 31 * S);
  ck_assert_int_eq(n_scrapes, 2);
  ck_assert_uint_eq(view_of(0).rounds, 2);
}
END_TEST

/* The engine comes late to a tick, and the new settings before it. */
START_TEST(a_late_tick_is_not_lost) {
  set_up(1, false, false);
  int64_t tick_ns = START + 100 * S + offset_of(0, 10 * S);
  run_until(tick_ns - 1 * MS);
  now_ns = tick_ns + 40 * MS;
  struct settings *other = make_range(0, 1);
  change_ceiling(&other->nodes[0]);
  apply(other);
  run_until(now_ns + 100 * MS);
  ck_assert_int_eq(sent[n_sent - 1].at_ns, tick_ns + 40 * MS);
}
END_TEST

static int64_t last_listing_ns(void) {
  for (int k = n_sent - 1; k >= 0; k--)
    if (sent[k].kind == KIND_LISTING)
      return sent[k].at_ns;
  return INT64_MIN / 2;
}

/* The grid is the new interval's; no round begins less than half of it after
 * the last. */
START_TEST(an_interval_may_change) {
  static const int64_t intervals_ns[] = {20 * S, 1 * S, 7 * S, 60 * S, 10 * S};
  set_up(1, false, true);
  for (size_t i = 0; i < sizeof(intervals_ns) / sizeof(intervals_ns[0]); i++) {
    int64_t interval_ns = intervals_ns[i];
    run_until(now_ns + 100 * S + _i * 700 * MS);
    int64_t last_ns = last_listing_ns();
    struct settings *other = make_range(0, 1);
    other->nodes[0].interval_ns = interval_ns;
    apply(other);
    int first = n_sent;
    run_until(now_ns + 2 * interval_ns);
    ck_assert_int_gt(n_sent, first);
    ck_assert_int_eq(sent[first].kind, KIND_IDENTITY);
    ck_assert_int_eq((sent[first].at_ns - START - offset_of(0, interval_ns)) %
                         interval_ns,
                     0);
    ck_assert_int_ge(sent[first].at_ns - last_ns, interval_ns / 2);
    ck_assert_int_le(sent[first].at_ns - last_ns, 2 * interval_ns + 60 * S);
  }
}
END_TEST

START_TEST(other_instances_change_every_ceiling) {
  set_up(2, false, false);
  struct settings *other = make_range(0, 2);
  other->instances = 2;
  apply(other);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(nodes[i].n_changed, 1);
    ck_assert_uint_eq(nodes[i].ceiling.rates.unit[UNIT_REQUESTS].rate, 10000);
  }
}
END_TEST

/* What cannot be changed goes and comes; what cannot come is left out, until
 * the next settings. */
START_TEST(what_is_refused_is_left_out) {
  set_up(3, false, false);
  run_until(START + 50 * S);
  nodes[1].change = STATUS_NO_MEMORY;
  nodes[1].addition = STATUS_INVALID;
  struct settings *other = make_range(0, 3);
  change_ceiling(&other->nodes[1]);
  apply(other);
  ck_assert_uint_eq(monitor_n_nodes(monitor), 2);
  ck_assert(!nodes[1].is_used);
  run_until(START + 100 * S);
  nodes[1].addition = STATUS_OK;
  apply(make_range(0, 3));
  ck_assert_uint_eq(monitor_n_nodes(monitor), 3);
  ck_assert_int_eq(nodes[1].n_added, 2);
  run_until(START + 200 * S);
  for (size_t i = 0; i < 3; i += 2)
    check_ticks(i, START, now_ns);
}
END_TEST

/* Of three replies that wait for the budget one goes, in whatever place. */
START_TEST(a_paused_round_may_go) {
  set_up(3, true, false);
  for (int i = 0; i < 3; i++)
    nodes[i].rows = 6000;
  run_until(START + (_i / 3) * 130 * MS);
  size_t gone = (size_t)_i % 3;
  struct settings *without = settings_make(2);
  put(without, 0, (gone + 1) % 3);
  put(without, 1, (gone + 2) % 3);
  uint64_t values = n_values_of[gone];
  apply(without);
  run_until(START + 100 * S);
  ck_assert(monitor_is_done(monitor));
  ck_assert_uint_eq(n_values_of[gone], values);
  /* Three tiers, and one row of the identity. */
  ck_assert_uint_eq(n_values_of[(gone + 1) % 3], 180010);
  ck_assert_uint_eq(n_values_of[(gone + 2) % 3], 180010);
}
END_TEST

static void expect_notice(const char *text) {
  ck_assert_str_eq(last_notice, text);
  last_notice[0] = '\0';
}

/* Who was told of a trouble is told of its end; at the program's own end there
 * is none. */
START_TEST(a_trouble_goes_with_its_node) {
  static const char down[] = "node-a: node down: timeout: ";
  set_up(2, false, false);
  nodes[0].kind = STATUS_TIMEOUT;
  run_until(START + 30 * S);
  expect_notice(down);
  struct settings *other = make_range(0, 2);
  change_url(&other->nodes[0]);
  apply(other);
  expect_notice("node-a: configured anew");
  run_until(now_ns + 30 * S);
  expect_notice(down);
  apply(make_range(1, 2));
  expect_notice("node-a: no longer configured");
  apply(make_range(0, 2));
  run_until(now_ns + 30 * S);
  expect_notice(down);
  monitor_free(monitor);
  monitor = NULL;
  expect_notice("");
}
END_TEST

static size_t n_used(void) {
  size_t n = 0;
  for (size_t i = 0; i < MAX_NODES; i++)
    n += nodes[i].is_used;
  return n;
}

/* Those that wait to be taken down are answered meanwhile: the turn comes late,
 * and all replies are there. */
START_TEST(no_sample_of_those_that_wait_to_go) {
  enum { MANY = 200 };
  set_up(MANY, false, true);
  for (size_t i = 0; i < MANY; i++)
    nodes[i].delay_ns = 4 * S;
  run_until(START + 15 * S);
  ck_assert_uint_gt(n_in_flight(), 50);
  uint64_t before = n_values + n_self;
  int sent_before = n_sent;
  now_ns += 5 * S;
  apply(settings_make(0));
  ck_assert_uint_eq(n_used(), MANY - MONITOR_TURN_MAX);
  for (size_t i = 0; i < MANY; i++)
    ck_assert(!nodes[i].is_used || nodes[i].is_closed);
  run_until(now_ns + 30 * S);
  ck_assert_uint_eq(n_used(), 0);
  ck_assert_uint_eq(n_values + n_self, before);
  ck_assert_int_eq(n_sent, sent_before);
}
END_TEST

/* More than come in one turn. */
START_TEST(many_come_and_go) {
  enum { MANY = 500 };
  set_up(1, false, false);
  for (size_t i = 1; i < MANY; i++)
    name_node(i);
  run_until(START + 10 * S);
  apply(make_range(0, MANY));
  ck_assert_uint_eq(monitor_n_nodes(monitor), 1 + MONITOR_TURN_MAX);
  apply(make_range(50, MANY)); /* while they come */
  run_until(now_ns + MS);
  ck_assert_uint_eq(monitor_n_nodes(monitor), MANY - 50);
  ck_assert_uint_eq(n_timers(), 3 * (MANY - 50));
  int64_t added_ns = now_ns;
  run_until(now_ns + 30 * S);
  for (size_t i = 50; i < MANY; i++)
    check_ticks(i, added_ns, now_ns);
  apply(make_range(0, 1));
  ck_assert_uint_eq(monitor_n_nodes(monitor), 0);
  ck_assert_uint_le(n_timers(), 1 + 1);
  ck_assert_uint_eq(n_used(), MANY - 50 - MONITOR_TURN_MAX);
  run_until(now_ns + MS);
  ck_assert_uint_eq(n_used(), 1);
  ck_assert_uint_eq(monitor_n_nodes(monitor), 1);
}
END_TEST

START_TEST(discovered_nodes_are_not_the_settings) {
  set_up(1, false, false);
  name_node(1);
  name_node(2);
  struct node_settings found = settings_of(1);
  struct error error;
  run_until(START + 25 * S);
  ck_assert_int_eq(monitor_add(monitor, &found, now_ns, &error), STATUS_OK);
  ck_assert(view_of(1).is_discovered);
  struct node_settings again = settings_of(0);
  ck_assert_int_eq(monitor_add(monitor, &again, now_ns, &error),
                   STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "node-a"));
  monitor_remove(monitor, "node-a"); /* one of the settings */
  monitor_remove(monitor, "node-z");
  ck_assert_uint_eq(monitor_n_nodes(monitor), 2);
  int64_t added_ns = now_ns;
  run_until(START + 100 * S);
  struct settings *other = settings_make(1);
  put(other, 0, 2);
  apply(other);
  run_until(START + 200 * S);
  check_ticks(1, added_ns, now_ns);
  ck_assert_uint_eq(monitor_n_nodes(monitor), 2);
  monitor_remove(monitor, "node-b");
  ck_assert_uint_eq(monitor_n_nodes(monitor), 1);
  run_until(now_ns + 1);
  ck_assert(!nodes[1].is_used);
}
END_TEST

/* -- At random -- */

enum { N_RANDOM = 12 };

static struct settings *make_random(struct prng *prng) {
  size_t picked[N_RANDOM];
  size_t n = 0;
  for (size_t i = 0; i < N_RANDOM; i++)
    if (prng_below(prng, 4) > 0)
      picked[n++] = i;
  struct settings *made = settings_make(n);
  for (size_t i = 0; i < n; i++) {
    put(made, i, picked[n - 1 - i]);
    if (prng_below(prng, 3) == 0)
      changes[prng_below(prng, N_CHANGES)].change(&made->nodes[i]);
  }
  return made;
}

/* Nodes that answer, hang, fail or are refused, in turn. */
static void disturb(struct prng *prng) {
  static const int64_t delays_ns[] = {10 * MS, 4 * S, 14 * S, CLOCK_NEVER};
  static const enum status kinds[] = {STATUS_OK, STATUS_OK, STATUS_TIMEOUT};
  struct node *node = &nodes[prng_below(prng, N_RANDOM)];
  node->delay_ns = delays_ns[prng_below(prng, 4)];
  node->kind = kinds[prng_below(prng, 3)];
  node->refusal = prng_below(prng, 5) ? STATUS_OK : STATUS_PERMIT_QUEUE_FULL;
  node->addition = prng_below(prng, 9) ? STATUS_OK : STATUS_NO_MEMORY;
  node->change = prng_below(prng, 9) ? STATUS_OK : STATUS_NO_MEMORY;
  node->rows = prng_below(prng, 3) ? 1 : 3000;
}

START_TEST(a_thousand_applies_at_random) {
  struct prng prng = prng_seeded((uint64_t)_i);
  for (size_t i = 0; i < N_RANDOM; i++)
    name_node(i);
  set_up(3, false, true);
  ends_at_timeout = true;
  for (int i = 0; i < 1000; i++) {
    disturb(&prng);
    run_until(now_ns + (int64_t)prng_below(&prng, 3000) * MS);
    apply(make_random(&prng));
    ck_assert_uint_le(n_timers(), 3 * monitor_n_nodes(monitor) + 1);
    ck_assert_uint_ge(n_timers(), 3 * monitor_n_nodes(monitor));
    ck_assert_uint_le(n_in_flight(), 3 * monitor_n_nodes(monitor));
  }
  for (size_t i = 0; i < N_RANDOM; i++) {
    struct node *node = &nodes[i];
    node->kind = node->refusal = node->addition = node->change = STATUS_OK;
    node->delay_ns = 10 * MS;
    node->rows = 1;
  }
  apply(make_range(0, N_RANDOM));
  run_until(now_ns + 40 * S);
  int64_t from_ns = now_ns;
  run_until(now_ns + 100 * S);
  for (size_t i = 0; i < N_RANDOM; i++) {
    check_ticks(i, from_ns, now_ns);
    ck_assert_int_eq(view_of(i).state, NODE_ACTIVE);
  }
  apply(settings_make(0));
  ck_assert_uint_eq(monitor_n_nodes(monitor), 0);
  ck_assert_uint_le(n_timers(), 1);
  ck_assert_uint_eq(n_in_flight(), 0);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("monitor_apply");
  TCase *t = tcase_create("apply");
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, NULL, end);
  tcase_add_loop_test(t, the_same_settings_change_nothing, 0, 2);
  tcase_add_loop_test(t, a_removed_node_is_gone_at_once, 0, 20);
  tcase_add_loop_test(t, a_new_node_ticks_on_the_grid, 0, 12);
  tcase_add_loop_test(t, only_what_changed_changes, 0, 2 * N_CHANGES);
  tcase_add_test(t, new_settings_hold_from_the_next_round_on);
  tcase_add_test(t, a_scrape_is_renewed_when_no_round_runs);
  tcase_add_test(t, a_late_tick_is_not_lost);
  tcase_add_loop_test(t, an_interval_may_change, 0, 10);
  tcase_add_test(t, other_instances_change_every_ceiling);
  tcase_add_test(t, what_is_refused_is_left_out);
  tcase_add_loop_test(t, a_paused_round_may_go, 0, 18);
  tcase_add_test(t, a_trouble_goes_with_its_node);
  tcase_add_test(t, no_sample_of_those_that_wait_to_go);
  tcase_add_test(t, many_come_and_go);
  tcase_add_test(t, discovered_nodes_are_not_the_settings);
  tcase_add_loop_test(t, a_thousand_applies_at_random, 0, 2);
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
