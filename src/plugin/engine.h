/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef PLUGIN_ENGINE_H
#define PLUGIN_ENGINE_H

/* The engine's thread, and the watch over it. */

#include "client/monitor.h"
#include "config/follow.h"

struct engine;

struct engine_options {
  struct client *client;
  struct monitor *monitor;
  struct follow *follow;      /* NULL: the settings stay as they are */
  struct settings **settings; /* those in use; set as new ones are taken */
  bool is_test;               /* ${monitor} is for one round alone */
};

/* engine_start(options, ret, error): a thread of its own, with all signals
 * blocked, drives the client, begins the ticks of the monitor, and takes new
 * settings from ${follow}. All belong to the thread until engine_stop()
 * returned true. STATUS_NO_MEMORY: no thread. */
enum status engine_start(const struct engine_options *options,
                         struct engine **ret, struct error *error);

/* engine_stop(engine, timeout_ns): asks it to end and waits that long at most.
 * True: it is over and ${engine} is freed. False: it hangs; nothing of what it
 * was given may be freed. NULL is fine: true. */
bool engine_stop(struct engine *engine, int64_t timeout_ns);

/* engine_watch(engine, now_ns, alive_ns, ret_lag_ns): wakes the engine; never
 * waits. Whether it has looped within the last ${alive_ns}; *${ret_lag_ns} is
 * its worst delay from a wake to the end of the turn since the last call. One
 * thread at a time. */
bool engine_watch(struct engine *engine, int64_t now_ns, int64_t alive_ns,
                  int64_t *ret_lag_ns);

/* engine_n_nodes(engine): how many there are now. From any thread. */
size_t engine_n_nodes(const struct engine *engine);

/* engine_wait_round(engine, timeout_ns): with is_test: waits until each node's
 * round is over. True where that was in time and every node is well. */
bool engine_wait_round(struct engine *engine, int64_t timeout_ns);

#endif
