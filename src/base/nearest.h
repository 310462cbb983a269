/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

/* Which name was most likely meant. Pure. */

#include <stddef.h>

#define NEAREST_BYTES_MAX 127 /* of a name; a longer one is like nothing */

/* nearest_distance(a, b): Levenshtein's distance, without the case of letters;
 * SIZE_MAX where one is longer than NEAREST_BYTES_MAX. */
size_t nearest_distance(const char *a, const char *b);

/* nearest_far(name): from this distance on another is not like it. */
size_t nearest_far(const char *name);

#endif
