/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef HARNESS_FLOOR_H
#define HARNESS_FLOOR_H

/* The least that a scrape can cost: libcurl alone asks for the listing of all
 * queues, reads the reply and discards it, on a connection that stays, as often
 * as the module does, so that both find the same caches. */

/* floor_ask(url): one such request, measured on this thread. */
void floor_ask(const char *url);

/* floor_report(): prints floor_median_ms= and floor_least_ms=, the CPU of the
 * requests after the first, and floor_bytes=, of the last reply; frees all. */
void floor_report(void);

#endif
