/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/engine.h"

#include "base/clock.h"
#include "base/log.h"

#include <collectd/core/daemon/plugin.h>

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>

/* A turn without work ends by itself after this; read() wakes it sooner. */
#define TURN_MAX_NS (60 * CLOCK_NS_PER_S)

struct engine {
  struct client *client;
  struct monitor *monitor;
  bool is_test;
  pthread_t thread;
  _Atomic(bool) is_stopping;
  _Atomic(int64_t) beat_ns;    /* the last turn's end */
  _Atomic(int64_t) wake_ns;    /* asked for by read(), not yet seen; 0: none */
  _Atomic(int64_t) lag_max_ns; /* since the last engine_watch() */
  pthread_mutex_t lock;        /* of what follows */
  pthread_cond_t changed;
  bool is_over;       /* the thread touches nothing any more */
  bool is_round_over; /* is_test: each node's */
  size_t n_failed;
};

/* Says how each node's round went: `collectd -T` is read by people. */
static size_t tell_round(const struct monitor *monitor) {
  size_t n_failed = 0;
  for (size_t i = 0; i < monitor_n_nodes(monitor); i++) {
    struct monitor_view view;
    monitor_view(monitor, i, &view);
    if (view.why->kind) {
      n_failed++;
      log_write(LOG_LEVEL_ERROR, "node %s (cluster %s) failed: %s: %s",
                view.name, view.cluster, status_name(view.why->kind),
                view.why->text);
    } else {
      log_write(LOG_LEVEL_INFO,
                "node %s (cluster %s) is %s: Artemis %s, %" PRIu64
                " values in %" PRId64 " ms",
                view.name, view.cluster, node_state_name(view.state),
                view.identity->version, view.counts->samples,
                view.scrape_ns / CLOCK_NS_PER_MS);
    }
  }
  return n_failed;
}

static void note_turn(struct engine *engine) {
  int64_t now_ns = clock_mono_ns();
  atomic_store(&engine->beat_ns, now_ns);
  int64_t wake_ns = atomic_exchange(&engine->wake_ns, 0);
  if (wake_ns && now_ns - wake_ns > atomic_load(&engine->lag_max_ns))
    atomic_store(&engine->lag_max_ns, now_ns - wake_ns);
}

static void note_round(struct engine *engine) {
  if (!engine->is_test || engine->is_round_over ||
      !monitor_is_done(engine->monitor))
    return;
  size_t n_failed = tell_round(engine->monitor);
  pthread_mutex_lock(&engine->lock);
  engine->n_failed = n_failed;
  engine->is_round_over = true;
  pthread_cond_broadcast(&engine->changed);
  pthread_mutex_unlock(&engine->lock);
}

static void *run(void *cookie) {
  struct engine *engine = cookie;
  monitor_start(engine->monitor, clock_mono_ns());
  while (!atomic_load(&engine->is_stopping)) {
    note_round(engine);
    client_turn(engine->client, clock_mono_ns() + TURN_MAX_NS);
    note_turn(engine);
  }
  pthread_mutex_lock(&engine->lock);
  engine->is_over = true;
  pthread_cond_broadcast(&engine->changed);
  pthread_mutex_unlock(&engine->lock);
  return NULL;
}

/* The mask is inherited: no signal of the daemon's is ever handled in there,
 * not even in the thread's first instructions. */
static int create_thread(struct engine *engine) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
    return -1;
  int result =
      plugin_thread_create(&engine->thread, run, engine, "jolokia engine");
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

static bool init_lock(struct engine *engine) {
  pthread_condattr_t attributes;
  if (pthread_mutex_init(&engine->lock, NULL) != 0)
    return false;
  bool is_well = pthread_condattr_init(&attributes) == 0;
  if (is_well) {
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    is_well = pthread_cond_init(&engine->changed, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
  }
  if (!is_well)
    pthread_mutex_destroy(&engine->lock);
  return is_well;
}

static void free_engine(struct engine *engine) {
  pthread_cond_destroy(&engine->changed);
  pthread_mutex_destroy(&engine->lock);
  free(engine);
}

enum status engine_start(struct client *client, struct monitor *monitor,
                         bool is_test, struct engine **ret,
                         struct error *error) {
  struct engine *engine = calloc(1, sizeof(*engine));
  if (!engine || !init_lock(engine)) {
    free(engine);
    return error_set(error, STATUS_NO_MEMORY, "no memory for the engine");
  }
  engine->client = client;
  engine->monitor = monitor;
  engine->is_test = is_test;
  atomic_store(&engine->beat_ns, clock_mono_ns());
  if (create_thread(engine) != 0) {
    free_engine(engine);
    return error_set(error, STATUS_NO_MEMORY,
                     "the engine's thread could not be started: look at the "
                     "limits on threads and memory");
  }
  *ret = engine;
  return STATUS_OK;
}

/* Waits for ${*flag}, which ${lock} guards, until ${timeout_ns} have gone. */
static bool wait_for(struct engine *engine, const bool *flag,
                     int64_t timeout_ns) {
  int64_t until_ns = clock_mono_ns() + timeout_ns;
  struct timespec until = {.tv_sec = until_ns / CLOCK_NS_PER_S,
                           .tv_nsec = until_ns % CLOCK_NS_PER_S};
  int result = 0;
  pthread_mutex_lock(&engine->lock);
  while (!*flag && result == 0)
    result = pthread_cond_timedwait(&engine->changed, &engine->lock, &until);
  bool is_set = *flag;
  pthread_mutex_unlock(&engine->lock);
  return is_set;
}

bool engine_stop(struct engine *engine, int64_t timeout_ns) {
  if (!engine)
    return true;
  atomic_store(&engine->is_stopping, true);
  client_wake(engine->client);
  if (!wait_for(engine, &engine->is_over, timeout_ns))
    return false;
  pthread_join(engine->thread, NULL);
  free_engine(engine);
  return true;
}

bool engine_watch(struct engine *engine, int64_t now_ns, int64_t alive_ns,
                  int64_t *ret_lag_ns) {
  int64_t lag_ns = atomic_exchange(&engine->lag_max_ns, 0);
  int64_t none = 0;
  if (!atomic_compare_exchange_strong(&engine->wake_ns, &none, now_ns) &&
      now_ns - none > lag_ns)
    lag_ns = now_ns - none; /* the last wake is not seen yet */
  client_wake(engine->client);
  *ret_lag_ns = lag_ns;
  return now_ns - atomic_load(&engine->beat_ns) <= alive_ns;
}

bool engine_wait_round(struct engine *engine, int64_t timeout_ns) {
  if (!wait_for(engine, &engine->is_round_over, timeout_ns)) {
    log_write(LOG_LEVEL_ERROR,
              "the test's round is not over after %" PRId64 " s",
              timeout_ns / CLOCK_NS_PER_S);
    return false;
  }
  pthread_mutex_lock(&engine->lock);
  size_t n_failed = engine->n_failed;
  pthread_mutex_unlock(&engine->lock);
  return n_failed == 0;
}
