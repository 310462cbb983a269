/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* Nodes that come back after an outage: each within two intervals, and not all
 * at once. */

#include "client/tick.h"
#include "monitor_rig.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

/* How a node is away. */
enum away { REFUSES, HANGS, NOT_STARTED, N_AWAY };

static void go(struct node *node, enum away away) {
  node->kind = away == NOT_STARTED ? STATUS_NOT_STARTED : STATUS_CONNECT;
  node->delay_ns = away == HANGS ? CLOCK_NEVER : 10 * MS;
}

static void come_back(struct node *node) {
  node->kind = STATUS_OK;
  node->delay_ns = 10 * MS;
}

static const int64_t outages_ns[] = {10 * S, 35 * S, 3600 * S};
enum { N_OUTAGES = sizeof(outages_ns) / sizeof(outages_ns[0]) };

/* Wherever in the interval it begins and ends. */
START_TEST(a_node_is_back_within_two_intervals) {
  enum away away = (enum away)(_i % N_AWAY);
  int64_t outage_ns = outages_ns[_i / N_AWAY % N_OUTAGES];
  int64_t phase_ns = (_i / N_AWAY / N_OUTAGES) * 1700 * MS;
  set_up(1, false, false);
  ends_at_timeout = true;
  run_until(START + 100 * S + phase_ns);
  go(&nodes[0], away);
  run_until(now_ns + outage_ns);
  come_back(&nodes[0]);
  int64_t back_ns = now_ns;
  run_until(back_ns + 20 * S);
  ck_assert_int_eq(view_of(0).state, NODE_ACTIVE);
  ck_assert(view_of(0).is_up);
  ck_assert_int_ge(count_sent(KIND_LISTING, back_ns, now_ns), 1);
  run_until(back_ns + 100 * S);
  ck_assert_int_ge(count_sent(KIND_LISTING, back_ns, now_ns), 9);
}
END_TEST

/* -- A thousand at once -- */

enum { MANY = 1000, INTERVAL_S = 10, PARTS = 100, MOST = MANY / 20 };
#define INTERVAL_NS (INTERVAL_S * S)

static int compare(const void *a, const void *b) {
  const int64_t *x = a;
  const int64_t *y = b;
  return (*x > *y) - (*x < *y);
}

/* The most of ${at_ns}, which it sorts, in any hundredth of the interval. */
static int most_at_once(int64_t *at_ns, int n) {
  int most = 0;
  qsort(at_ns, (size_t)n, sizeof(*at_ns), compare);
  for (int from = 0, to = 0; from < n; from++) {
    while (to < n && at_ns[to] - at_ns[from] < INTERVAL_NS / PARTS)
      to++;
    most = to - from > most ? to - from : most;
  }
  return most;
}

/* The rounds that begin in ${n} intervals: each node's, spread. */
static void check_spread(int64_t from_ns, int n_intervals) {
  static int64_t at_ns[3 * MANY];
  int n = 0;
  for (int i = 0; i < n_sent; i++) {
    int64_t offset_ns =
        tick_offset_ns(sent[i].node->name, TIER_FAST, INTERVAL_NS);
    if (sent[i].owner != OWNER_SCRAPE || sent[i].at_ns < from_ns ||
        sent[i].at_ns >= from_ns + n_intervals * INTERVAL_NS ||
        (sent[i].at_ns - START - offset_ns) % INTERVAL_NS != 0)
      continue;
    ck_assert_int_lt(n, 3 * MANY);
    at_ns[n++] = sent[i].at_ns;
  }
  ck_assert_int_eq(n, n_intervals * MANY);
  ck_assert_int_le(most_at_once(at_ns, n), MOST);
}

/* Names as people give them. */
START_TEST(offsets_are_spread_by_name) {
  static const struct {
    const char *before, *behind;
  } parts[] = {{"node-", ""},
               {"broker", ".mgmt.example.net"},
               {"", ""},
               {"b-", "-primary"}};
  static int64_t at_ns[MANY];
  for (int i = 0; i < MANY; i++) {
    char name[64];
    snprintf(name, sizeof(name), "%s%d%s", parts[_i / TIER_COUNT].before, i,
             parts[_i / TIER_COUNT].behind);
    at_ns[i] = tick_offset_ns(name, (enum tier)(_i % TIER_COUNT), INTERVAL_NS);
  }
  ck_assert_int_le(most_at_once(at_ns, MANY), MOST);
}
END_TEST

START_TEST(a_thousand_nodes_come_back_spread) {
  enum away away = (enum away)(_i % N_AWAY);
  int64_t outage_ns = outages_ns[_i / N_AWAY];
  set_up(MANY, false, false);
  ends_at_timeout = true;
  run_until(START + 3 * INTERVAL_NS);
  check_spread(START, 3);
  for (int i = 0; i < MANY; i++)
    go(&nodes[i], away);
  run_until(now_ns + outage_ns);
  for (int i = 0; i < MANY; i++)
    come_back(&nodes[i]);
  int64_t back_ns = now_ns;
  run_until(back_ns + 2 * INTERVAL_NS);
  for (size_t i = 0; i < MANY; i++)
    ck_assert_int_eq(view_of(i).state, NODE_ACTIVE);
  check_spread(back_ns, 2);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("recovery");
  TCase *t = tcase_create("recovery");
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, NULL, tear_down);
  tcase_add_loop_test(t, a_node_is_back_within_two_intervals, 0,
                      6 * N_AWAY * N_OUTAGES);
  tcase_add_loop_test(t, a_thousand_nodes_come_back_spread, 0, N_AWAY * 2);
  suite_add_tcase(s, t);
  TCase *offsets = tcase_create("offsets");
  tcase_add_loop_test(offsets, offsets_are_spread_by_name, 0, 4 * TIER_COUNT);
  suite_add_tcase(s, offsets);
  return s;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
