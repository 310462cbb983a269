/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_LINE_H
#define BASE_LINE_H

/* One line of text for people, whatever the bytes that went into it: messages
 * carry names and answers of brokers. */

#include <stdarg.h>
#include <stddef.h>

/* line_format(dst, size, format, args): fills ${dst} with at most ${size} - 1
 * bytes (${size} >= 1) and a final 0. What does not fit is cut at a whole UTF-8
 * character; control bytes (below 32, and 127) become '?'. The arguments may
 * not point into ${dst}. Returns the length. */
size_t line_format(char *dst, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
