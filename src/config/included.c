/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/included.h"

#include "base/hash.h"
#include "config/file.h"

#include <stdlib.h>
#include <string.h>

/* Past the bound each has a path that is counted. */
enum status includes_add(struct includes *includes, const char *path,
                         const char *filter) {
  if (includes->n == INCLUDED_PATHS_MAX)
    return STATUS_OK;
  struct include_line *grown =
      reallocarray(includes->line, includes->n + 1, sizeof *grown);
  if (!grown)
    return STATUS_NO_MEMORY;
  includes->line = grown;
  struct include_line line = {.path = strdup(path),
                              .filter = filter ? strdup(filter) : NULL};
  if (!line.path || (filter && !line.filter)) {
    free(line.path);
    free(line.filter);
    return STATUS_NO_MEMORY;
  }
  grown[includes->n++] = line;
  return STATUS_OK;
}

void includes_fini(struct includes *includes) {
  for (size_t i = 0; i < includes->n; i++) {
    free(includes->line[i].path);
    free(includes->line[i].filter);
  }
  free(includes->line);
  *includes = (struct includes){0};
}

bool included_count(struct included *included) {
  if (included->n_paths > INCLUDED_PATHS_MAX)
    return false;
  if (included->n_paths++ < INCLUDED_PATHS_MAX)
    return true;
  included->mark = 1;
  included->n_files = 0;
  return false;
}

/* In whatever order: files that include others are read in the midst of them.
 */
void included_add(struct included *included, const char *path) {
  struct file_mark mark;
  file_look(path, &mark);
  if (included->n_paths > INCLUDED_PATHS_MAX)
    return;
  included->mark += hash_mix(hash_more(hash_text(path), &mark, sizeof mark));
  included->n_files += mark.size > 0;
}
