/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_DURATION_H
#define CTL_DURATION_H

/* Durations as people write and read them. Pure. */

#include <stdbool.h>
#include <stdint.h>

/* duration_read(text, max_ns, ret): "30s", "30m", "2h", "7d": a whole number
 * from 1 on and its unit; false, and ${ret} untouched, on all else and beyond
 * ${max_ns}. */
bool duration_read(const char *text, int64_t max_ns, int64_t *ret);

/* duration_text(dst, ns): "0.4 s", "59.9 s", "12m 5s", "3h 4m", "30d 2h";
 * the last is cut, not rounded. ${dst} has DURATION_TEXT_SIZE bytes. */
#define DURATION_TEXT_SIZE 32
void duration_text(char *dst, int64_t ns);

#endif
