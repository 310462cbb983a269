/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/gate.h"

#include "base/clock.h"

#include <time.h>

bool gate_init(struct gate *gate) {
  pthread_condattr_t attributes;
  gate->is_open = false;
  if (pthread_mutex_init(&gate->lock, NULL) != 0)
    return false;
  bool is_well = pthread_condattr_init(&attributes) == 0;
  if (is_well) {
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    is_well = pthread_cond_init(&gate->opened, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
  }
  if (!is_well)
    pthread_mutex_destroy(&gate->lock);
  return is_well;
}

void gate_fini(struct gate *gate) {
  pthread_cond_destroy(&gate->opened);
  pthread_mutex_destroy(&gate->lock);
}

void gate_open(struct gate *gate) {
  pthread_mutex_lock(&gate->lock);
  gate->is_open = true;
  pthread_cond_broadcast(&gate->opened);
  pthread_mutex_unlock(&gate->lock);
}

bool gate_wait(struct gate *gate, int64_t timeout_ns) {
  int64_t until_ns = clock_mono_ns() + timeout_ns;
  struct timespec until = {.tv_sec = until_ns / CLOCK_NS_PER_S,
                           .tv_nsec = until_ns % CLOCK_NS_PER_S};
  int result = 0;
  pthread_mutex_lock(&gate->lock);
  while (!gate->is_open && result == 0)
    result = pthread_cond_timedwait(&gate->opened, &gate->lock, &until);
  bool is_open = gate->is_open;
  pthread_mutex_unlock(&gate->lock);
  return is_open;
}
