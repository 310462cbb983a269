/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_WORD_H
#define CONFIG_WORD_H

/* How far a word, a number or an address reaches, by the patterns of collectd's
 * scanner. Each gives the length of the longest match at the start of ${text},
 * 0 for none. */

#include <stddef.h>

/* Letters, digits and underscores. */
size_t word_plain(const char *text, size_t len);

/* 12, +12, -12, 0x1F, 1.5, .5, 1.5e+3 (the sign of an exponent is needed, and
 * so is its point). */
size_t word_number(const char *text, size_t len);

/* 10.0.0.1, 10.0.0.1:80, fe80::1, ::ffff:10.0.0.1, [::1], [::1]:80. */
size_t word_address(const char *text, size_t len);

#endif
