/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/engine.h"

#include "base/clock.h"
#include "base/log.h"
#include "plugin/gate.h"
#include "plugin/thread.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A turn without work ends by itself after this; read() wakes it sooner. */
#define TURN_MAX_NS (60 * CLOCK_NS_PER_S)

struct engine {
  struct engine_options options;
  pthread_t thread;
  _Atomic(bool) is_stopping;
  _Atomic(int64_t) beat_ns;    /* the last turn's end */
  _Atomic(int64_t) wake_ns;    /* asked for by read(), not yet seen; 0: none */
  _Atomic(int64_t) lag_max_ns; /* since the last engine_watch() */
  _Atomic(size_t) n_nodes;
  struct gate over;       /* the thread touches nothing any more */
  struct gate round_over; /* is_test: each node's */
  bool is_round_told;
  size_t n_failed; /* before ${round_over} opens */
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
  if (!engine->options.is_test || engine->is_round_told ||
      !monitor_is_done(engine->options.monitor))
    return;
  engine->n_failed = tell_round(engine->options.monitor);
  engine->is_round_told = true;
  gate_open(&engine->round_over);
}

/* What was used until now is freed by the thread that reads. */
static void take_settings(struct engine *engine) {
  const struct engine_options *options = &engine->options;
  struct settings *settings =
      options->follow ? follow_take(options->follow) : NULL;
  if (settings) {
    monitor_apply(options->monitor, settings, clock_mono_ns());
    follow_give_back(options->follow, *options->settings);
    *options->settings = settings;
  }
  atomic_store(&engine->n_nodes, monitor_n_nodes(options->monitor));
}

static void *run(void *cookie) {
  struct engine *engine = cookie;
  monitor_start(engine->options.monitor, clock_mono_ns());
  while (!atomic_load(&engine->is_stopping)) {
    take_settings(engine);
    note_round(engine);
    client_turn(engine->options.client, clock_mono_ns() + TURN_MAX_NS);
    note_turn(engine);
  }
  gate_open(&engine->over);
  return NULL;
}

static bool init_gates(struct engine *engine) {
  if (!gate_init(&engine->over))
    return false;
  if (gate_init(&engine->round_over))
    return true;
  gate_fini(&engine->over);
  return false;
}

static void free_engine(struct engine *engine) {
  gate_fini(&engine->round_over);
  gate_fini(&engine->over);
  free(engine);
}

enum status engine_start(const struct engine_options *options,
                         struct engine **ret, struct error *error) {
  struct engine *engine = calloc(1, sizeof(*engine));
  if (!engine || !init_gates(engine)) {
    free(engine);
    return error_set(error, STATUS_NO_MEMORY, "no memory for the engine");
  }
  engine->options = *options;
  atomic_store(&engine->beat_ns, clock_mono_ns());
  if (thread_create(&engine->thread, run, engine, "jolokia engine") != 0) {
    free_engine(engine);
    return error_set(error, STATUS_NO_MEMORY,
                     "the engine's thread could not be started: look at the "
                     "limits on threads and memory");
  }
  *ret = engine;
  return STATUS_OK;
}

bool engine_stop(struct engine *engine, int64_t timeout_ns) {
  if (!engine)
    return true;
  atomic_store(&engine->is_stopping, true);
  client_wake(engine->options.client);
  if (!gate_wait(&engine->over, timeout_ns))
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
  client_wake(engine->options.client);
  *ret_lag_ns = lag_ns;
  return now_ns - atomic_load(&engine->beat_ns) <= alive_ns;
}

size_t engine_n_nodes(const struct engine *engine) {
  return atomic_load(&engine->n_nodes);
}

bool engine_wait_round(struct engine *engine, int64_t timeout_ns) {
  if (gate_wait(&engine->round_over, timeout_ns))
    return engine->n_failed == 0;
  log_write(LOG_LEVEL_ERROR, "the test's round is not over after %" PRId64 " s",
            timeout_ns / CLOCK_NS_PER_S);
  return false;
}
