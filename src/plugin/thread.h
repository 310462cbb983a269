/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef PLUGIN_THREAD_H
#define PLUGIN_THREAD_H

/* Threads of our own inside collectd. */

#include <pthread.h>

/* thread_create(ret, run, cookie, name): collectd's way, which gives it the
 * plugin's context, with all signals blocked. 0, or an error's number. */
int thread_create(pthread_t *ret, void *(*run)(void *), void *cookie,
                  const char *name);

#endif
