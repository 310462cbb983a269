/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_WATCH_H
#define CONFIG_WATCH_H

/* Waits until something happens in a folder. The kernel tells of local folders
 * alone, and of so many: who waits looks again by himself now and then. */

#include "base/status.h"

#include <stdint.h>

/* The rest is not watched. */
#define WATCH_FOLDERS_MAX 256

struct watch;

/* watch_new(ret, error): STATUS_INVALID where there are no descriptors left,
 * STATUS_NO_MEMORY. Without inotify nothing ever happens. */
enum status watch_new(struct watch **ret, struct error *error);
void watch_free(struct watch *watch); /* NULL is fine */

/* watch_begin(watch), watch_add(watch, folder), watch_end(watch): the folders
 * to be watched from now on. One that is not there is none. STATUS_NO_MEMORY.
 */
void watch_begin(struct watch *watch);
enum status watch_add(struct watch *watch, const char *folder);
void watch_end(struct watch *watch);

enum watch_outcome { WATCH_TIME, WATCH_EVENT, WATCH_WOKEN };

/* watch_wait(watch, with_events, until_ns): until ${until_ns}
 * (CLOCK_MONOTONIC), watch_wake() or, ${with_events}, something happens in a
 * folder: a file comes, goes, is closed after writing, or changes its mode. */
enum watch_outcome watch_wait(struct watch *watch, bool with_events,
                              int64_t until_ns);

/* watch_wake(watch): ends this wait and all later ones; from any thread. */
void watch_wake(struct watch *watch);

#endif
