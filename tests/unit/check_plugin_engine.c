/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/engine.h"

#include "base/clock.h"

#include <collectd/core/daemon/plugin.h>

#include <check.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

#define S CLOCK_NS_PER_S

/* The clock, the client and the monitor are stand-ins: a turn ends when the
 * engine is woken, or hangs, and the test waits for what it causes. */
static _Atomic(int64_t) now_ns;
int64_t clock_mono_ns(void) { return atomic_load(&now_ns); }
int64_t clock_wall_ns(void) { return 0; }

static sem_t wakes;     /* posted by client_wake() */
static sem_t turns;     /* posted with each turn that begins */
static sem_t may_go_on; /* a hung turn waits for it */
static _Atomic(bool) is_hung;
static _Atomic(bool) is_round_done;
static sigset_t engine_mask;
static enum status node_kind;

void client_turn(struct client *client, int64_t until_ns) {
  (void)client;
  (void)until_ns;
  pthread_sigmask(SIG_SETMASK, NULL, &engine_mask);
  sem_post(&turns);
  sem_wait(&wakes);
  if (atomic_load(&is_hung))
    sem_wait(&may_go_on);
}

void client_wake(struct client *client) {
  (void)client;
  sem_post(&wakes);
}

void monitor_start(struct monitor *monitor, int64_t start_ns) {
  (void)monitor;
  (void)start_ns;
}
static const struct settings *applied;
void monitor_apply(struct monitor *monitor, const struct settings *settings,
                   int64_t at_ns) {
  (void)monitor;
  (void)at_ns;
  applied = settings;
}

static _Atomic(struct settings *) news;
struct settings *follow_take(struct follow *follow) {
  (void)follow;
  return atomic_exchange(&news, NULL);
}

static struct settings *given_back;
void follow_give_back(struct follow *follow, struct settings *settings) {
  (void)follow;
  given_back = settings;
}

bool monitor_is_done(const struct monitor *monitor) {
  (void)monitor;
  return atomic_load(&is_round_done);
}
size_t monitor_n_nodes(const struct monitor *monitor) {
  (void)monitor;
  return 1;
}
void monitor_view(const struct monitor *monitor, size_t i,
                  struct monitor_view *ret) {
  static struct error why;
  static const struct identity identity;
  static const struct scrape_counts counts;
  (void)monitor;
  (void)i;
  why.kind = node_kind;
  *ret = (struct monitor_view){.name = "n",
                               .cluster = "c",
                               .why = &why,
                               .identity = &identity,
                               .counts = &counts};
}
const char *node_state_name(enum node_state state) {
  (void)state;
  return "";
}

int plugin_thread_create(pthread_t *thread, void *(*start)(void *), void *arg,
                         char const *name) {
  (void)name;
  return pthread_create(thread, NULL, start, arg);
}

static struct engine *engine;

static struct settings *in_use;

static void start(bool is_test) {
  sem_init(&wakes, 0, 0);
  sem_init(&turns, 0, 0);
  sem_init(&may_go_on, 0, 0);
  atomic_store(&now_ns, 1000 * S);
  struct error error;
  const struct engine_options options = {
      .follow = (struct follow *)&in_use, /* a stand-in's; never looked at */
      .settings = &in_use,
      .is_test = is_test};
  ck_assert_int_eq(engine_start(&options, &engine, &error), STATUS_OK);
  sem_wait(&turns);
}

/* Waits are real: an instant that never comes is far in the clock's future. */
static void let_waits_wait(void) {
  atomic_store(&now_ns, INT64_C(4000000000) * S);
}

static void stop(void) {
  let_waits_wait();
  ck_assert(engine_stop(engine, S));
}

/* Wakes it and waits until the turn after has begun. */
static bool watch_and_turn(int64_t *ret_lag_ns) {
  bool is_alive = engine_watch(engine, clock_mono_ns(), 20 * S, ret_lag_ns);
  sem_wait(&turns);
  return is_alive;
}

START_TEST(signals_are_blocked_in_there_alone) {
  sigset_t before, after;
  pthread_sigmask(SIG_SETMASK, NULL, &before);
  start(false);
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  ck_assert_int_eq(sigismember(&engine_mask, SIGTERM), 1);
  ck_assert_int_eq(sigismember(&engine_mask, SIGUSR1), 1);
  ck_assert_int_eq(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
  stop();
}
END_TEST

START_TEST(it_is_alive_while_it_loops) {
  int64_t lag_ns = -1;
  start(false);
  for (int i = 0; i < 100; i++) {
    ck_assert(watch_and_turn(&lag_ns));
    ck_assert_int_eq(lag_ns, 0);
    atomic_fetch_add(&now_ns, 10 * S);
  }
  stop();
}
END_TEST

/* A hung turn: the watch says so after its limit, its lag grows with each
 * call, and stopping gives up instead of waiting. */
START_TEST(a_hung_engine_is_seen) {
  int64_t lag_ns = -1;
  start(false);
  ck_assert(watch_and_turn(&lag_ns));
  atomic_store(&is_hung, true);
  ck_assert(engine_watch(engine, clock_mono_ns(), 20 * S, &lag_ns));
  atomic_fetch_add(&now_ns, 10 * S);
  ck_assert(engine_watch(engine, clock_mono_ns(), 20 * S, &lag_ns));
  ck_assert_int_eq(lag_ns, 10 * S);
  atomic_fetch_add(&now_ns, 20 * S);
  ck_assert(!engine_watch(engine, clock_mono_ns(), 20 * S, &lag_ns));
  ck_assert_int_eq(lag_ns, 30 * S);
  ck_assert(!engine_stop(engine, -1000 * S));
  atomic_store(&is_hung, false);
  sem_post(&may_go_on);
  stop();
}
END_TEST

START_TEST(a_late_turn_is_a_lag) {
  int64_t lag_ns = -1;
  start(false);
  atomic_store(&is_hung, true);
  engine_watch(engine, clock_mono_ns(), 20 * S, &lag_ns);
  atomic_fetch_add(&now_ns, 3 * S);
  atomic_store(&is_hung, false);
  sem_post(&may_go_on);
  sem_wait(&turns);
  ck_assert(watch_and_turn(&lag_ns));
  ck_assert_int_eq(lag_ns, 3 * S);
  ck_assert(watch_and_turn(&lag_ns));
  ck_assert_int_eq(lag_ns, 0);
  stop();
}
END_TEST

/* Between turns; the ones before go back. */
START_TEST(new_settings_are_taken) {
  static struct settings settings[3];
  int64_t lag_ns;
  in_use = &settings[0];
  start(false);
  ck_assert_uint_eq(engine_n_nodes(engine), 1);
  ck_assert_ptr_null(applied);
  for (int i = 1; i < 3; i++) {
    atomic_store(&news, &settings[i]);
    watch_and_turn(&lag_ns);
    ck_assert_ptr_eq(applied, &settings[i]);
    ck_assert_ptr_eq(given_back, &settings[i - 1]);
    ck_assert_ptr_eq(in_use, &settings[i]);
  }
  stop();
}
END_TEST

START_TEST(a_test_round_tells_the_truth) {
  static const enum status kinds[] = {STATUS_OK, STATUS_CONNECT};
  node_kind = kinds[_i];
  atomic_store(&is_round_done, true);
  start(true);
  let_waits_wait();
  ck_assert_int_eq(engine_wait_round(engine, S), node_kind == STATUS_OK);
  ck_assert(engine_stop(engine, S));
}
END_TEST

START_TEST(a_test_round_that_does_not_end_is_given_up) {
  start(true);
  ck_assert(!engine_wait_round(engine, -1000 * S));
  stop();
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("engine");
  TCase *t = tcase_create("engine");
  tcase_add_test(t, signals_are_blocked_in_there_alone);
  tcase_add_test(t, it_is_alive_while_it_loops);
  tcase_add_test(t, a_hung_engine_is_seen);
  tcase_add_test(t, a_late_turn_is_a_lag);
  tcase_add_test(t, new_settings_are_taken);
  tcase_add_loop_test(t, a_test_round_tells_the_truth, 0, 2);
  tcase_add_test(t, a_test_round_that_does_not_end_is_given_up);
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
