/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_LISTING_H
#define CONFIG_LISTING_H

/* The files that ClusterFiles names, as they are there now. */

#include "config/parse.h"

struct listed_file {
  char *path;
  size_t group;
};

/* Files that may all vanish at once when something is unmounted: those of one
 * pattern, or all that are named without one. */
struct listed_group {
  char *pattern; /* the first, for messages; NULL: none is in it */
  size_t n_files;
  struct error why; /* STATUS_OK: every folder was read to its end */
};

struct listing {
  struct listed_file *file; /* sorted by path, each once */
  size_t n;
  struct listed_group *group; /* number 0: without a pattern */
  size_t n_groups;
};

/* listing_read(root, use_default, ret, problems): by the options in the tree of
 * ${root} (as in settings_load()) or, where there is none and ${use_default},
 * by the default. At most 10,000 files, and 20,000 files and folders looked at
 * a pattern, the rest told. A path without a pattern that is not there is
 * warned of. STATUS_NO_MEMORY. To be freed in any outcome. */
enum status listing_read(const struct config_item *root, bool use_default,
                         struct listing *ret, struct problems *problems);
void listing_fini(struct listing *listing);
void listed_groups_free(struct listed_group *group, size_t n);

/* listing_folder(pattern): the folder before the first wildcard, to be freed;
 * NULL without memory. */
char *listing_folder(const char *pattern);

#endif
