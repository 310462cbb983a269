/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/thread.h"

#include <collectd/core/daemon/plugin.h>

#include <signal.h>

/* The mask is inherited: no signal of the daemon's is ever handled in there,
 * not even in the thread's first instructions. */
int thread_create(pthread_t *ret, void *(*run)(void *), void *cookie,
                  const char *name) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
    return -1;
  int result = plugin_thread_create(ret, run, cookie, name);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}
