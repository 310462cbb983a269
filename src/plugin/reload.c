/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/reload.h"

#include "plugin/gate.h"
#include "plugin/thread.h"

#include <stdlib.h>

struct reload {
  struct follow *follow;
  pthread_t thread;
  struct gate over;
};

static void *run(void *cookie) {
  struct reload *reload = cookie;
  follow_run(reload->follow);
  gate_open(&reload->over);
  return NULL;
}

enum status reload_start(struct follow *follow, struct reload **ret,
                         struct error *error) {
  struct reload *reload = calloc(1, sizeof(*reload));
  if (!reload || !gate_init(&reload->over)) {
    free(reload);
    return error_set(error, STATUS_NO_MEMORY, "no memory for a thread");
  }
  reload->follow = follow;
  if (thread_create(&reload->thread, run, reload, "jolokia reload") != 0) {
    gate_fini(&reload->over);
    free(reload);
    return error_set(error, STATUS_NO_MEMORY,
                     "the thread that follows files could not be started: look "
                     "at the limits on threads and memory");
  }
  *ret = reload;
  return STATUS_OK;
}

bool reload_stop(struct reload *reload, int64_t timeout_ns) {
  if (!reload)
    return true;
  follow_stop(reload->follow);
  if (!gate_wait(&reload->over, timeout_ns))
    return false;
  pthread_join(reload->thread, NULL);
  gate_fini(&reload->over);
  free(reload);
  return true;
}
