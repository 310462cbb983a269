/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_BROWSE_H
#define CTL_BROWSE_H

/* A queue's messages looked at, a page at a time, and not more than was said.
 */

#include "artemis/messages.h"
#include "ctl/dialog.h"

struct browse {
  const char *mbean;
  const char *filter; /* NULL: none */
  uint64_t limit;     /* messages looked at */
  /* Of each message, in the queue's order; ${columns} by BROWSE_...; false:
   * enough was seen. */
  bool (*message)(void *cookie, int64_t id, const struct value *columns);
  void *cookie;
  /* what it came to */
  uint64_t n_seen;
  uint64_t n_unreadable;
  bool is_complete; /* all that can be seen was */
};

/* browse_run(browse, dialog, error): STATUS_OK also where the limit ended it
 * (${browse->is_complete} false). Else what the requests met, or
 * STATUS_ITEM_ERROR: the broker could not show them. */
enum status browse_run(struct browse *browse, struct dialog *dialog,
                       struct error *error);

#endif
