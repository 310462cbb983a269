/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/host.h"

#include <fnmatch.h>
#include <string.h>

static size_t length_without_dot(const char *name) {
  size_t len = strlen(name);
  return len > 1 && name[len - 1] == '.' ? len - 1 : len;
}

bool host_matches(const char *const *patterns, size_t n, const char *host) {
  char name[256];
  char pattern[1024];
  size_t len = length_without_dot(host);
  if (len == 0 || len >= sizeof name)
    return false;
  memcpy(name, host, len);
  name[len] = '\0';
  for (size_t i = 0; i < n; i++) {
    size_t pattern_len = length_without_dot(patterns[i]);
    if (pattern_len >= sizeof pattern)
      continue;
    memcpy(pattern, patterns[i], pattern_len);
    pattern[pattern_len] = '\0';
    if (fnmatch(pattern, name, FNM_CASEFOLD) == 0)
      return true;
  }
  return false;
}
