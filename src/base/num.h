/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_NUM_H
#define BASE_NUM_H

/* Strict numbers: the whole text or nothing, independent of the locale; and
 * which of two is less. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The grammar is JSON's: "-" only in front, no "+", no white space, no leading
 * zero ("010" is refused), no hexadecimal, no "nan". ${text} need not end in 0.
 * All return false and leave ${ret} untouched on anything else. */

/* num_int64(text, len, ret): an integer of -2^63 .. 2^63-1. */
bool num_int64(const char *text, size_t len, int64_t *ret);

/* num_uint64(text, len, ret): an integer of 0 .. 2^64-1, without a sign. */
bool num_uint64(const char *text, size_t len, uint64_t *ret);

/* num_real(text, len, ret): an integer, fraction or exponent form of at most
 * NUM_REAL_MAX bytes; finite (what is too small to be told from 0 is 0). */
#define NUM_REAL_MAX 511
bool num_real(const char *text, size_t len, double *ret);

/* num_milli(text, len, ret): a number of 0 .. 2^53/1000 in thousandths, exact;
 * false where it is no whole number of thousandths ("0.0015"), or has a sign.
 * "1e3" is taken, as collectd's grammar has it. */
bool num_milli(const char *text, size_t len, uint64_t *ret);

/* num_format_real(dst, size, value): the shortest form of %.15g .. %.17g that
 * reads back as ${value}, with a point in every locale; "nan" for what is not
 * finite. Returns the length; ${size} of 32 always suffices. */
size_t num_format_real(char *dst, size_t size, double value);

/* Of two: instants (the earlier, the later), amounts. */
static inline int64_t num_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t num_max(int64_t a, int64_t b) { return a > b ? a : b; }

#endif
