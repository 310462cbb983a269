/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_DIALOG_H
#define CTL_DIALOG_H

/* One job of one node, waited for. */

#include "ctl/change.h"

struct dialog {
  struct change *change;
  size_t node;
  int64_t deadline_ns; /* of the command; CLOCK_NEVER: none */
  void (*tick)(void *cookie, int64_t now_ns); /* now and then; NULL: none */
  void *cookie;
  int64_t permit_wait_ns; /* of all so far */
};

/* What is asked. Reads go as a command's, changes as a bulk's. */
struct dialog_bulk {
  enum request_kind kind; /* KIND_CHANGE: with the settings' ChangeTimeout */
  const struct operation *operations;
  const struct item_spec *specs;
  size_t n;
  struct reply_sink sink;
};

/* dialog_wait(dialog, bulk, ret): returns ret->error.kind. Once a signal has
 * asked for the end, or the deadline is past, what only waits for its permit is
 * cancelled (STATUS_CANCELLED, STATUS_TIMEOUT), and so are reads; changes that
 * are on their way are waited for. */
enum status dialog_wait(struct dialog *dialog, const struct dialog_bulk *bulk,
                        struct job_result *ret);

/* dialog_pause(dialog, ns): lets so much time go by; false: it was cut short.
 */
bool dialog_pause(struct dialog *dialog, int64_t ns);

#endif
