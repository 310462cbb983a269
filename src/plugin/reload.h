/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef PLUGIN_RELOAD_H
#define PLUGIN_RELOAD_H

/* The thread that reads the settings again, as files may hang. */

#include "config/follow.h"

struct reload;

/* reload_start(follow, ret, error): the thread runs follow_run() from now on.
 * STATUS_NO_MEMORY: there is none. */
enum status reload_start(struct follow *follow, struct reload **ret,
                         struct error *error);

/* reload_stop(reload, timeout_ns): stops ${follow}, and waits that long at
 * most. True: the thread is over and ${reload} is freed. False: it hangs in a
 * file; neither ${follow} nor any settings may be freed. NULL is fine: true. */
bool reload_stop(struct reload *reload, int64_t timeout_ns);

#endif
