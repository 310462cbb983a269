/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_FOLLOWING_H
#define CTL_FOLLOWING_H

/* The settings of a command that runs on, as its files change: read on a thread
 * of their own, taken between the turns of the client. */

#include "client/monitor.h"
#include "ctl/subject.h"

struct following;

/* following_start(subject, target, client, ret, error): from now on, what
 * ${subject} was read from; it gives up its ${live}. Client and subject must
 * stay until following_stop(). STATUS_INVALID, STATUS_NO_MEMORY: nothing is
 * followed. */
enum status following_start(struct subject *subject, const char *target,
                            struct client *client, struct following **ret,
                            struct error *error);

/* following_take(following, monitor, now_ns): gives new settings to the
 * monitor, where there are any. Those without the target leave it no node. NULL
 * is fine.
 */
void following_take(struct following *following, struct monitor *monitor,
                    int64_t now_ns);

/* following_tell(following, sink): a file that was rejected, or that all are
 * mended, where that is news; ${sink} has a notify. NULL is fine. */
void following_tell(struct following *following,
                    const struct notice_sink *sink);

/* following_status(): as follow_status(); of NULL: as at the start. */
void following_status(const struct following *following,
                      const struct subject *subject, bool *ret_is_current,
                      uint64_t *ret_n_rejected);

/* following_stop(following): before the client goes. following_free(following):
 * after the monitor has gone; a thread that hangs in a file is left to the
 * program's end. NULL is fine. */
void following_stop(struct following *following);
void following_free(struct following *following);

#endif
