/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef HARNESS_FLOOR_H
#define HARNESS_FLOOR_H

/* floor_report(url): the least that a scrape can cost: libcurl alone asks
 * ${url} for the listing of all queues, reads the reply and discards it.
 * Prints floor_cpu_ms=, the CPU of one such request on this thread, the least
 * of several; and floor_bytes=, of the reply. */
void floor_report(const char *url);

#endif
