/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/selfmetrics.h"

#include "base/clock.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define S INT64_C(1000000000)

struct kept {
  char series[2 * SAMPLE_NAME_MAX];
  double value;
};
static struct kept kept[200];
static int n_kept;

static void keep(void *cookie, const struct sample *sample) {
  bool is_own = cookie != NULL;
  ck_assert_int_lt(n_kept, 200);
  ck_assert_str_eq(sample->host, is_own ? "" : "node-1");
  ck_assert_str_eq(sample->plugin, "jolokia");
  ck_assert_str_eq(sample->plugin_instance, is_own ? "" : "orders");
  struct kept *k = &kept[n_kept++];
  snprintf(k->series, sizeof(k->series), "%s-%s", sample->type,
           sample->type_instance);
  k->value = sample->is_derive ? (double)sample->derive : sample->gauge;
  for (int i = 0; i < n_kept - 1; i++)
    ck_assert_str_ne(kept[i].series, k->series);
}

static const struct sample_sink sink = {.dispatch = keep};

static const struct kept *find(const char *series) {
  for (int i = 0; i < n_kept; i++)
    if (strcmp(kept[i].series, series) == 0)
      return &kept[i];
  return NULL;
}

static double value_of(const char *series) {
  const struct kept *k = find(series);
  ck_assert_msg(k != NULL, "no %s", series);
  return k->value;
}

static struct node_stats stats;
static struct host_totals host;
static struct scrape_counts counts;
static struct self_last last;
static struct self_now now;
static struct ceiling_settings ceiling;

static void setup(void) {
  n_kept = 0;
  stats = (struct node_stats){0};
  host = (struct host_totals){0};
  counts = (struct scrape_counts){0};
  last = (struct self_last){0};
  ceiling = ceiling_settings_default(10 * S);
  now = (struct self_now){.node = "node-1",
                          .cluster = "orders",
                          .level = SELF_METRICS_BASIC,
                          .mono_ns = 100 * S,
                          .wall_ns = 1000 * S,
                          .interval_ns = 10 * S,
                          .stats = &stats,
                          .host = &host,
                          .counts = &counts,
                          .ceiling = &ceiling,
                          .scrape_ns = CLOCK_NEVER,
                          .certificate_left_ns = CLOCK_NEVER};
}

START_TEST(zeros_go_out_at_the_first_tick) {
  static const char *const basic[] = {
      "total_requests-scrape",
      "total_requests-slow",
      "total_requests-discovery",
      "total_requests-command",
      "total_requests-bulk",
      "total_time_in_ms-permit_wait_scrape",
      "response_time-permit_wait_max",
      "total_events-permit_timeout",
      "total_events-permit_queue_full",
      "total_events-permit_cancelled",
      "percent-ceiling_requests",
      "percent-ceiling_changes",
      "percent-ceiling_bytes",
      "percent-ceiling_handling",
      "percent-ceiling_in_flight",
      "duration-debt_bytes",
      "duration-debt_handling",
      "total_events-scrape_stretched",
      "errors-connection",
      "errors-stopped",
      "errors-refused",
      "errors-reply",
      "errors-item",
      "gauge-state",
      "total_events-scrape_skipped",
      "total_time_in_ms-handling_listing",
  };
  ck_assert(selfmetrics_send(&last, &now, &sink));
  ck_assert_double_eq_tol(value_of(basic[_i]), 0, 1e-9);
  ck_assert_double_eq_tol(value_of("gauge-ceiling_requests"), 20, 1e-9);
  ck_assert_double_eq_tol(value_of("gauge-ceiling_changes"), 50, 1e-9);
  ck_assert_double_eq_tol(value_of("gauge-ceiling_bytes"), 2097152, 1e-9);
  ck_assert_double_eq_tol(value_of("gauge-ceiling_handling"), 0.25, 1e-9);
  ck_assert_double_eq_tol(value_of("gauge-ceiling_in_flight"), 2, 1e-9);
  ck_assert_ptr_null(find("duration-debt_requests"));
  ck_assert_ptr_null(find("total_events-blocked_requests"));
  /* nothing is known of these yet */
  ck_assert_ptr_null(find("bool-up"));
  ck_assert_double_eq_tol(value_of("bool-shared"), 0, 1e-9);
  ck_assert_ptr_null(find("response_time-scrape"));
  ck_assert_ptr_null(find("errors-connect"));
  ck_assert_ptr_null(find("total_bytes-scrape"));
}
END_TEST

START_TEST(values_are_those_of_the_node) {
  host.owner[OWNER_SCRAPE].requests = 7;
  host.owner[OWNER_SLOW].requests = 1;
  host.owner[OWNER_SLOW].permit_wait_ns = 2999999;
  stats.permit_wait_max_ns = 1500000;
  host.refused[REFUSED_TIMEOUT] = 3;
  host.is_shared = true;
  stats.errors[STATUS_CONNECT] = 4;
  stats.errors[STATUS_RESET] = 5;
  stats.errors[STATUS_AUTH] = 6;
  stats.handling_ns[KIND_LISTING] = 12 * S;
  now.state = NODE_DOWN;
  now.is_known = true;
  now.scrape_ns = 12500000;
  now.skipped = 9;
  ck_assert(selfmetrics_send(&last, &now, &sink));
  ck_assert_double_eq_tol(value_of("total_requests-scrape"), 7, 1e-9);
  ck_assert_double_eq_tol(value_of("total_requests-slow"), 1, 1e-9);
  ck_assert_double_eq_tol(value_of("total_time_in_ms-permit_wait_slow"), 2,
                          1e-9);
  ck_assert_double_eq_tol(value_of("response_time-permit_wait_max"), 1.5, 1e-9);
  ck_assert_double_eq_tol(value_of("total_events-permit_timeout"), 3, 1e-9);
  ck_assert_double_eq_tol(value_of("errors-connection"), 9, 1e-9);
  ck_assert_double_eq_tol(value_of("errors-refused"), 6, 1e-9);
  ck_assert_double_eq_tol(value_of("total_time_in_ms-handling_listing"), 12000,
                          1e-9);
  ck_assert_double_eq_tol(value_of("gauge-state"), 4, 1e-9);
  ck_assert_double_eq_tol(value_of("bool-up"), 0, 1e-9);
  ck_assert_double_eq_tol(value_of("bool-shared"), 1, 1e-9);
  ck_assert_double_eq_tol(value_of("response_time-scrape"), 12.5, 1e-9);
  ck_assert_double_eq_tol(value_of("total_events-scrape_skipped"), 9, 1e-9);
}
END_TEST

START_TEST(full_has_more) {
  now.level = SELF_METRICS_FULL;
  stats.errors[STATUS_CONNECT] = 4;
  host.owner[OWNER_SCRAPE].operations = 30;
  host.owner[OWNER_SCRAPE].rows = 31;
  host.owner[OWNER_SCRAPE].bytes = 32;
  stats.waiting[OWNER_BULK] = 33;
  stats.connections = 2;
  stats.connects = 34;
  stats.in_flight = 1;
  counts.excluded = 35;
  counts.over_cap = 36;
  counts.invalid = 37;
  counts.clock_step = 38;
  counts.counters_held = 41;
  last.clock_step = 2;
  now.set_aside = 39;
  now.certificate_left_ns = 86400 * S;
  ck_assert(selfmetrics_send(&last, &now, &sink));
  ck_assert_double_eq_tol(value_of("errors-connection"), 4, 1e-9);
  ck_assert_double_eq_tol(value_of("errors-connect"), 4, 1e-9);
  ck_assert_double_eq_tol(value_of("errors-permit_timeout"), 0, 1e-9);
  ck_assert_double_eq_tol(value_of("total_operations-scrape"), 30, 1e-9);
  ck_assert_double_eq_tol(value_of("total_objects-scrape"), 31, 1e-9);
  ck_assert_double_eq_tol(value_of("total_bytes-scrape"), 32, 1e-9);
  ck_assert_double_eq_tol(value_of("queue_length-permit_bulk"), 33, 1e-9);
  ck_assert_double_eq_tol(value_of("current_connections-"), 2, 1e-9);
  ck_assert_double_eq_tol(value_of("total_connections-"), 34, 1e-9);
  ck_assert_double_eq_tol(value_of("pending_operations-in_flight"), 1, 1e-9);
  ck_assert_double_eq_tol(value_of("total_events-excluded"), 35, 1e-9);
  ck_assert_double_eq_tol(value_of("total_events-over_cap"), 36, 1e-9);
  ck_assert_double_eq_tol(value_of("total_events-invalid"), 37, 1e-9);
  ck_assert_double_eq_tol(value_of("total_events-clock_step"), 40, 1e-9);
  ck_assert_double_eq_tol(value_of("total_events-counters_held"), 41, 1e-9);
  ck_assert_double_eq_tol(value_of("gauge-set_aside"), 39, 1e-9);
  ck_assert_double_eq_tol(value_of("duration-certificate_left"), 86400, 1e-9);
}
END_TEST

START_TEST(off_sends_nothing) {
  now.level = SELF_METRICS_OFF;
  ck_assert(selfmetrics_send(&last, &now, &sink));
  ck_assert_int_eq(n_kept, 0);
}
END_TEST

/* Half of what each ceiling gives in 10 s. */
START_TEST(use_is_told_for_each_unit) {
  ck_assert(selfmetrics_send(&last, &now, &sink));
  n_kept = 0;
  host.owner[OWNER_BULK].requests = 100;
  host.changes = 250;
  host.owner[OWNER_SCRAPE].bytes = 10485760;
  host.handling_ns = S + S / 4;
  stats.in_flight_ns = 10 * S;
  stats.debt_ns[UNIT_BYTES] = S / 2;
  stats.debt_ns[UNIT_HANDLING] = 3 * S;
  now.stretched = 7;
  now.mono_ns += 10 * S;
  now.wall_ns += 10 * S;
  ck_assert(selfmetrics_send(&last, &now, &sink));
  for (enum unit unit = UNIT_REQUESTS; unit <= UNIT_IN_FLIGHT; unit++) {
    char series[64];
    snprintf(series, sizeof(series), "percent-ceiling_%s", unit_name(unit));
    ck_assert_double_eq_tol(value_of(series), 50, 1e-9);
  }
  ck_assert_double_eq_tol(value_of("duration-debt_bytes"), 0.5, 1e-9);
  ck_assert_double_eq_tol(value_of("duration-debt_handling"), 3, 1e-9);
  ck_assert_double_eq_tol(value_of("total_events-scrape_stretched"), 7, 1e-9);
}
END_TEST

START_TEST(what_held_the_first_is_told_in_full) {
  now.level = SELF_METRICS_FULL;
  for (unsigned i = 0; i < UNIT_COUNT; i++)
    stats.blocked[i] = i + 1;
  stats.forgiven = 9;
  ck_assert(selfmetrics_send(&last, &now, &sink));
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_COUNT; unit++) {
    char series[64];
    snprintf(series, sizeof(series), "total_events-blocked_%s",
             unit_name(unit));
    ck_assert_double_eq_tol(value_of(series), (double)unit + 1, 1e-9);
  }
  ck_assert_double_eq_tol(value_of("total_events-debt_forgiven"), 9, 1e-9);
}
END_TEST

/* 20/s over 10 s are 200 requests. */
START_TEST(use_is_of_the_time_since_the_last) {
  static const struct {
    uint64_t requests;
    double percent;
  } cases[] = {{0, 0}, {1, 0.5}, {100, 50}, {200, 100}, {201, 100}};
  host.owner[OWNER_SCRAPE].requests = 1000;
  ck_assert(selfmetrics_send(&last, &now, &sink));
  n_kept = 0;
  host.owner[OWNER_BULK].requests = cases[_i].requests;
  now.mono_ns += 10 * S;
  now.wall_ns += 10 * S;
  ck_assert(selfmetrics_send(&last, &now, &sink));
  ck_assert_double_eq_tol(value_of("percent-ceiling_requests"),
                          cases[_i].percent, 1e-9);
}
END_TEST

START_TEST(a_clock_that_steps_back_is_counted) {
  static const struct {
    int64_t step_ns;
    bool is_sent;
  } cases[] = {{10 * S, true}, {5 * S, true},      {5 * S - 1, false},
               {0, false},     {-3600 * S, false}, {3600 * S, true}};
  ck_assert(selfmetrics_send(&last, &now, &sink));
  n_kept = 0;
  now.wall_ns += cases[_i].step_ns;
  now.mono_ns += 10 * S;
  ck_assert_int_eq(selfmetrics_send(&last, &now, &sink), cases[_i].is_sent);
  ck_assert_int_eq(n_kept > 0, cases[_i].is_sent);
  ck_assert_uint_eq(last.clock_step, !cases[_i].is_sent);
}
END_TEST

START_TEST(those_about_the_process) {
  const struct self_own own = {.is_config_current = _i & 1,
                               .n_rejected = 3,
                               .n_nodes = 12,
                               .is_engine_well = _i & 2,
                               .lag_ns = 1500000,
                               .wall_ns = 5 * S,
                               .interval_ns = 10 * S};
  const struct sample_sink to = {.dispatch = keep, .cookie = kept};
  selfmetrics_send_own(&own, &to);
  ck_assert_int_eq(n_kept, 5);
  ck_assert_double_eq_tol(value_of("total_events-reload_rejected"), 3, 1e-9);
  ck_assert_double_eq_tol(value_of("bool-config_current"), _i & 1, 1e-9);
  ck_assert_double_eq_tol(value_of("gauge-nodes"), 12, 1e-9);
  ck_assert_double_eq_tol(value_of("bool-engine"), _i & 2 ? 1 : 0, 1e-9);
  ck_assert_double_eq_tol(value_of("response_time-engine_lag_max"), 1.5, 1e-9);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("selfmetrics");
  TCase *t = tcase_create("selfmetrics");
  tcase_add_checked_fixture(t, setup, NULL);
  tcase_add_loop_test(t, zeros_go_out_at_the_first_tick, 0, 26);
  tcase_add_test(t, values_are_those_of_the_node);
  tcase_add_test(t, full_has_more);
  tcase_add_test(t, off_sends_nothing);
  tcase_add_test(t, use_is_told_for_each_unit);
  tcase_add_test(t, what_held_the_first_is_told_in_full);
  tcase_add_loop_test(t, use_is_of_the_time_since_the_last, 0, 5);
  tcase_add_loop_test(t, a_clock_that_steps_back_is_counted, 0, 6);
  tcase_add_loop_test(t, those_about_the_process, 0, 4);
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
