/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/health.h"

#include <check.h>
#include <string.h>

#define S INT64_C(1000000000)

static const struct identity active = {
    .is_known = true, .is_started = true, .is_active = true};
static const struct identity backup = {
    .is_known = true, .is_started = true, .is_backup = true};
static const struct identity neither = {.is_known = true, .is_started = true};
static const struct identity unknown = {.is_known = false};

static int n_lines;
static char last_line[1024];

static void keep_line(void *cookie, enum log_level level, const char *line) {
  (void)cookie;
  (void)level;
  n_lines++;
  strncat(strcpy(last_line, ""), line, sizeof(last_line) - 1);
}

static void setup(void) {
  n_lines = 0;
  last_line[0] = '\0';
  log_set_sink(keep_line, NULL);
}

/* One round; returns the state. */
static enum node_state round_of(struct health *health,
                                struct cluster_health *cluster,
                                enum status kind,
                                const struct identity *identity,
                                enum health_hold hold, int64_t now_ns) {
  struct error outcome;
  error_set(&outcome, kind, "because");
  bool has_changed =
      health_round(health, cluster, &outcome, identity, hold, now_ns);
  health_tell(health, cluster, "node-1", &outcome, has_changed, now_ns);
  return health->state;
}

/* Each case: outcomes of a node's first rounds, and the state after them. */
START_TEST(state_after_rounds) {
  static const struct {
    enum status kinds[4];
    int n;
    const struct identity *identity;
    enum health_hold hold;
    enum node_state state;
    bool is_up;
  } cases[] = {
      {{STATUS_OK}, 1, &active, HEALTH_FREE, NODE_ACTIVE, true},
      {{STATUS_OK}, 1, &backup, HEALTH_FREE, NODE_BACKUP, true},
      {{STATUS_OK}, 1, &neither, HEALTH_FREE, NODE_STARTING, true},
      {{STATUS_NOT_STARTED}, 1, &unknown, HEALTH_FREE, NODE_STARTING, true},
      {{STATUS_CONNECT}, 1, &unknown, HEALTH_FREE, NODE_UNKNOWN, false},
      {{STATUS_CONNECT, STATUS_CONNECT},
       2,
       &unknown,
       HEALTH_FREE,
       NODE_DOWN,
       false},
      {{STATUS_TIMEOUT, STATUS_NOT_JOLOKIA},
       2,
       &active,
       HEALTH_FREE,
       NODE_DOWN,
       false},
      {{STATUS_OK, STATUS_CONNECT},
       2,
       &active,
       HEALTH_FREE,
       NODE_ACTIVE,
       false},
      /* the server's own 413, to so little */
      {{STATUS_OK, STATUS_REQUEST_TOO_LARGE, STATUS_REQUEST_TOO_LARGE},
       3,
       &active,
       HEALTH_FREE,
       NODE_DOWN,
       false},
      {{STATUS_CONNECT, STATUS_OK, STATUS_CONNECT},
       3,
       &active,
       HEALTH_FREE,
       NODE_ACTIVE,
       false},
      {{STATUS_CONNECT, STATUS_CONNECT, STATUS_OK},
       3,
       &active,
       HEALTH_FREE,
       NODE_ACTIVE,
       true},
      /* ours: nothing was sent, nothing is known of the node */
      {{STATUS_PERMIT_TIMEOUT, STATUS_PERMIT_TIMEOUT, STATUS_PERMIT_QUEUE_FULL,
        STATUS_CLOSING},
       4,
       &unknown,
       HEALTH_FREE,
       NODE_UNKNOWN,
       false},
      {{STATUS_OK, STATUS_PERMIT_TIMEOUT, STATUS_PERMIT_TIMEOUT},
       3,
       &active,
       HEALTH_FREE,
       NODE_ACTIVE,
       true},
      {{STATUS_CONNECT, STATUS_PERMIT_TIMEOUT, STATUS_CONNECT},
       3,
       &unknown,
       HEALTH_FREE,
       NODE_DOWN,
       false},
      {{STATUS_AUTH}, 1, &unknown, HEALTH_LOGIN_HELD, NODE_LOGIN_HELD, false},
      {{STATUS_HELD}, 1, &unknown, HEALTH_LOGIN_HELD, NODE_LOGIN_HELD, false},
      /* neither up nor down, and two failures are needed anew */
      {{STATUS_HELD}, 1, &unknown, HEALTH_HELD_BY_OPERATOR, NODE_HELD, false},
      {{STATUS_CONNECT, STATUS_CONNECT, STATUS_HELD},
       3,
       &unknown,
       HEALTH_HELD_BY_OPERATOR,
       NODE_HELD,
       false},
      {{STATUS_CONNECT, STATUS_HELD, STATUS_CONNECT},
       3,
       &unknown,
       HEALTH_HELD_BY_OPERATOR,
       NODE_HELD,
       false},
  };
  struct health health = {0};
  struct cluster_health cluster = {.name = "c", .n_nodes = 2};
  for (int i = 0; i < cases[_i].n; i++)
    round_of(&health, &cluster, cases[_i].kinds[i], cases[_i].identity,
             cases[_i].hold, i * 10 * S);
  ck_assert_int_eq(health.state, cases[_i].state);
  ck_assert_int_eq(health.is_up, cases[_i].is_up);
  bool is_bad = health.state == NODE_DOWN || health.state == NODE_LOGIN_HELD;
  ck_assert_uint_eq(cluster.n_down, is_bad);
}
END_TEST

START_TEST(a_hold_silences_down) {
  struct health health = {0};
  struct cluster_health cluster = {.name = "c", .n_nodes = 2};
  for (int i = 0; i < 2; i++)
    round_of(&health, &cluster, STATUS_CONNECT, &unknown, HEALTH_FREE,
             i * 10 * S);
  ck_assert_int_eq(n_lines, 1);
  ck_assert(health.is_known);
  for (int i = 2; i < 400; i++)
    round_of(&health, &cluster, STATUS_HELD, &unknown, HEALTH_HELD_BY_OPERATOR,
             i * 10 * S);
  ck_assert_int_eq(n_lines, 2);
  ck_assert_ptr_nonnull(strstr(last_line, "held by the operator"));
  ck_assert(!health.is_known);
  ck_assert_uint_eq(cluster.n_down, 0);
  round_of(&health, &cluster, STATUS_OK, &active, HEALTH_FREE, 4000 * S);
  ck_assert_ptr_nonnull(strstr(last_line, "answers again"));
}
END_TEST

START_TEST(the_log_says_that_a_hold_is_over) {
  struct health health = {0};
  struct cluster_health cluster = {.name = "c", .n_nodes = 1};
  round_of(&health, &cluster, STATUS_OK, &active, HEALTH_FREE, 10 * S);
  round_of(&health, &cluster, STATUS_HELD, &unknown, HEALTH_HELD_BY_OPERATOR,
           20 * S);
  ck_assert_ptr_nonnull(strstr(last_line, "held by the operator"));
  round_of(&health, &cluster, STATUS_OK, &active, HEALTH_FREE, 30 * S);
  ck_assert_ptr_nonnull(strstr(last_line, "answers again: active"));
  ck_assert_int_eq(n_lines, 3);
}
END_TEST

START_TEST(a_dead_hour_is_a_few_lines) {
  struct health health = {0};
  struct cluster_health cluster = {.name = "c", .n_nodes = 2};
  for (int i = 0; i < 360; i++)
    round_of(&health, &cluster, STATUS_CONNECT, &unknown, HEALTH_FREE,
             i * 10 * S);
  ck_assert_int_ge(n_lines, 2);
  ck_assert_int_le(n_lines, 8);
  ck_assert_ptr_nonnull(strstr(last_line, "node-1"));
  ck_assert_ptr_nonnull(strstr(last_line, "connect"));
  ck_assert_ptr_nonnull(strstr(last_line, "because"));
  round_of(&health, &cluster, STATUS_OK, &active, HEALTH_FREE, 3600 * S);
  ck_assert_ptr_nonnull(strstr(last_line, "answers again"));
}
END_TEST

START_TEST(a_flapping_day_is_a_few_lines) {
  struct health health = {0};
  struct cluster_health cluster = {.name = "c", .n_nodes = 2};
  for (int i = 0; i < 8640; i++)
    round_of(&health, &cluster, i % 6 < 3 ? STATUS_CONNECT : STATUS_OK,
             i % 2 ? &active : &neither, HEALTH_FREE, i * 10 * S);
  ck_assert_int_le(n_lines, 24 * 4 + 30);
}
END_TEST

/* A fault after a long calm is told at once, whatever went before. */
START_TEST(a_new_fault_after_a_calm_is_told_at_once) {
  struct health health = {0};
  struct cluster_health cluster = {.name = "c", .n_nodes = 2};
  int64_t now_ns = 0;
  for (int i = 0; i < 740; i++, now_ns += 10 * S)
    round_of(&health, &cluster, STATUS_CONNECT, &unknown, HEALTH_FREE, now_ns);
  for (int i = 0; i < 100; i++, now_ns += 10 * S)
    round_of(&health, &cluster, STATUS_OK, &active, HEALTH_FREE, now_ns);
  int before = n_lines;
  round_of(&health, &cluster, STATUS_CONNECT, &unknown, HEALTH_FREE, now_ns);
  round_of(&health, &cluster, STATUS_CONNECT, &unknown, HEALTH_FREE,
           now_ns + 1);
  ck_assert_int_eq(n_lines, before + 1);
}
END_TEST

START_TEST(a_whole_cluster_is_told_once) {
  enum { NODES = 50 };
  static struct health health[NODES];
  memset(health, 0, sizeof(health));
  struct cluster_health cluster = {.name = "c", .n_nodes = NODES};
  for (int i = 0; i < 2; i++)
    for (int node = 0; node < NODES; node++)
      round_of(&health[node], &cluster, STATUS_CONNECT, &unknown, HEALTH_FREE,
               i * 10 * S);
  ck_assert_int_eq(n_lines, NODES);
  ck_assert_ptr_nonnull(strstr(last_line, "all 50 nodes"));
  for (int i = 2; i < 360; i++)
    for (int node = 0; node < NODES; node++)
      round_of(&health[node], &cluster, STATUS_CONNECT, &unknown, HEALTH_FREE,
               i * 10 * S);
  ck_assert_int_le(n_lines, NODES + 7);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("health");
  TCase *t = tcase_create("health");
  tcase_add_checked_fixture(t, setup, NULL);
  tcase_add_loop_test(t, state_after_rounds, 0, 15);
  tcase_add_test(t, a_hold_silences_down);
  tcase_add_test(t, the_log_says_that_a_hold_is_over);
  tcase_add_test(t, a_dead_hour_is_a_few_lines);
  tcase_add_test(t, a_flapping_day_is_a_few_lines);
  tcase_add_test(t, a_new_fault_after_a_calm_is_told_at_once);
  tcase_add_test(t, a_whole_cluster_is_told_once);
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
