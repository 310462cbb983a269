/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef TESTS_LEFT_RIG_H
#define TESTS_LEFT_RIG_H

/* A monitor on a real client, whose nodes answer, hang, close and cannot be
 * reached; and what may be left when none has stayed. */

#include "client/monitor.h"
#include "client/state.h"
#include "scripted.h"

#include <dirent.h>

static struct monitor *monitor;

/* By its path: /0 answers, /1 hangs, /2 closes, /3 answers slowly, and so on.
 */
static inline void answer_by_path(const char *head, const char *body, size_t n,
                                  struct answer *ret) {
  (void)n;
  ck_assert_int_eq(strncmp(head, "POST /", 6), 0);
  switch ((head[6] - '0') % 4) {
  case 0:
    answer_items(body, ret);
    break;
  case 1:
    ret->is_held = true;
    break;
  case 2:
    ret->is_closed = true;
    break;
  default:
    answer_items(body, ret);
    ret->delay_ns = 20 * MS;
  }
}

static inline void drop_sample(void *cookie, const struct sample *sample) {
  (void)cookie;
  (void)sample;
}

static inline void start_monitor(struct settings *settings,
                                 int64_t default_interval_ns) {
  server.answer = answer_by_path;
  const struct monitor_options options = {.settings = settings,
                                          .sink = {.dispatch = drop_sample},
                                          .default_interval_ns =
                                              default_interval_ns,
                                          .want_self_metrics = true};
  ck_assert_int_eq(monitor_new(client, &options, &monitor, NULL), STATUS_OK);
  monitor_start(monitor, clock_mono_ns());
  scripted_run(NULL, MS);
}

static inline size_t n_descriptors(void) {
  DIR *entries = opendir("/proc/self/fd");
  ck_assert_ptr_nonnull(entries);
  size_t n = 0;
  while (readdir(entries))
    n++;
  closedir(entries);
  return n;
}

/* ${descriptors}: as many as there were before. */
static inline void check_nothing_is_left(size_t descriptors) {
  ck_assert_uint_eq(monitor_n_nodes(monitor), 0);
  for (int i = 0; i < 100 && registry_count(client->registry) > 0; i++)
    scripted_run(NULL, 100 * MS);
  ck_assert_uint_eq(registry_count(client->registry), 0);
  ck_assert_uint_eq(client->n_nodes, 0);
  ck_assert_uint_eq(client->slots.held, 0);
  ck_assert_uint_eq(client->max_in_flight, 0);
  ck_assert_uint_eq(client->in_flight, 0);
  ck_assert_ptr_null(client->credentials);
  ck_assert_uint_eq(scripted_n_open(&server), 0);
  /* libcurl keeps what is shut until it next looks for a connection. */
  ck_assert_uint_le(n_descriptors(), descriptors + 4);
}

#endif
