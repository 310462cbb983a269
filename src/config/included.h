/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_INCLUDED_H
#define CONFIG_INCLUDED_H

/* What the Include lines of a file, and of those that it includes, name: files,
 * folders with all that is in them, patterns of both. */

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Files and folders that they come by: "/" has more. */
#define INCLUDED_PATHS_MAX 10000

/* What they come to. */
struct included {
  uint64_t
      mark; /* another one where a file came, went or is another; 0: none */
  size_t n_files; /* that have any content */
  size_t n_paths;
};

struct include_line {
  char *path;   /* as written */
  char *filter; /* NULL: none */
};

/* All zero: none. */
struct includes {
  struct include_line *line;
  size_t n;
  struct included read; /* what was read of them */
  bool is_too_deep;     /* one was too deep, which is told once */
};

/* includes_add(includes, path, filter): copies. STATUS_NO_MEMORY. */
enum status includes_add(struct includes *includes, const char *path,
                         const char *filter);
void includes_fini(struct includes *includes);

/* included_count(included): one more path; false where that passes
 * INCLUDED_PATHS_MAX: then ${included} tells no change any more.
 * included_add(included, path): a file of them. */
bool included_count(struct included *included);
void included_add(struct included *included, const char *path);

/* includes_look(includes, ret): what they come to now; reads folders, and no
 * file. STATUS_NO_MEMORY. */
enum status includes_look(const struct includes *includes,
                          struct included *ret);

/* includes_folders(includes, visit, cookie): as live_folders(). */
enum status includes_folders(const struct includes *includes,
                             enum status (*visit)(void *cookie,
                                                  const char *folder),
                             void *cookie);

#endif
