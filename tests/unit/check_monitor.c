/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* Ticks and rounds of nodes that stay. */

#include "monitor_rig.h"

#include <check.h>
#include <stdlib.h>

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
    enum tier tier;
    int64_t interval_ns;
  } cases[] = {{KIND_ADDRESSES, TIER_ADDRESS, 60 * S},
               {KIND_MBEAN, TIER_SLOW, 300 * S}};
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
  ck_assert_int_ge(nodes[0].n_over[cases[_i].tier], n - 1);
  ck_assert_int_le(nodes[0].n_over[cases[_i].tier], n);
  ck_assert_int_eq(nodes[0].n_over[TIER_FAST], 0);
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
  ck_assert_uint_eq(n_timers(), 0);
  ck_assert_uint_eq(n_in_flight(), 0);
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
