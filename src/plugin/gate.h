/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef PLUGIN_GATE_H
#define PLUGIN_GATE_H

/* A gate that one thread opens, once, and others wait at. */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool is_open;
};

/* gate_init(gate): false without memory. */
bool gate_init(struct gate *gate);
void gate_fini(struct gate *gate);

void gate_open(struct gate *gate);

/* gate_wait(gate, timeout_ns): whether it was open in time. */
bool gate_wait(struct gate *gate, int64_t timeout_ns);

#endif
