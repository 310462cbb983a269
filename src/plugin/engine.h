/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef PLUGIN_ENGINE_H
#define PLUGIN_ENGINE_H

/* The engine's thread, and the watch over it. */

#include "client/monitor.h"

struct engine;

/* engine_start(client, monitor, is_test, ret, error): a thread of its own, with
 * all signals blocked, drives ${client} and begins the ticks of ${monitor},
 * which is for one round alone where ${is_test}. Both belong to the thread
 * until engine_stop() returned true. STATUS_NO_MEMORY: no thread. */
enum status engine_start(struct client *client, struct monitor *monitor,
                         bool is_test, struct engine **ret,
                         struct error *error);

/* engine_stop(engine, timeout_ns): asks it to end and waits that long at most.
 * True: it is over and ${engine} is freed. False: it hangs; nothing of it, of
 * its client or monitor may be freed. NULL is fine: true. */
bool engine_stop(struct engine *engine, int64_t timeout_ns);

/* engine_watch(engine, now_ns, alive_ns, ret_lag_ns): wakes the engine; never
 * waits. Whether it has looped within the last ${alive_ns}; *${ret_lag_ns} is
 * its worst delay from a wake to the end of the turn since the last call. One
 * thread at a time. */
bool engine_watch(struct engine *engine, int64_t now_ns, int64_t alive_ns,
                  int64_t *ret_lag_ns);

/* engine_wait_round(engine, timeout_ns): with is_test: waits until each node's
 * round is over. True where that was in time and every node is well. */
bool engine_wait_round(struct engine *engine, int64_t timeout_ns);

#endif
