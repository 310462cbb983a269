/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t nearest_distance(const char *a, const char *b) {
  size_t row[NEAREST_BYTES_MAX + 1];
  size_t n = strnlen(b, NEAREST_BYTES_MAX + 1);
  if (n > NEAREST_BYTES_MAX ||
      strnlen(a, NEAREST_BYTES_MAX + 1) > NEAREST_BYTES_MAX)
    return SIZE_MAX;
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 0; a[i]; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < n; j++) {
      size_t change = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = least(change, least(row[j], row[j + 1]) + 1);
    }
  }
  return row[n];
}

size_t nearest_far(const char *name) { return strlen(name) / 4 + 2; }
