/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/listing.h"

#include "config/options.h"
#include "config/tree.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 10000, SEEN_MAX = 20000 };

#define WILDCARDS "*?["

/* glob() gives its functions no cookie. */
static _Thread_local struct {
  size_t n_seen; /* entries of folders, and folders */
  int failure;   /* errno of the first folder that could not be read */
  char folder[256];
} look;

/* ---- one pattern ---- */

static void *open_folder(const char *path) {
  if (look.n_seen >= SEEN_MAX)
    return NULL;
  look.n_seen++;
  return opendir(path);
}

static struct dirent *read_folder(void *folder) {
  if (look.n_seen >= SEEN_MAX)
    return NULL;
  look.n_seen++;
  errno = 0;
  struct dirent *entry = readdir(folder);
  if (!entry && errno && !look.failure)
    look.failure = errno;
  return entry;
}

static void close_folder(void *folder) { closedir(folder); }

/* What opendir() failed with; glob() itself passes over what is no folder. */
static int on_failure(const char *path, int failure) {
  if (!look.failure) {
    look.failure = failure;
    snprintf(look.folder, sizeof look.folder, "%s", path);
  }
  return 0;
}

/* A pattern may match as much as there is: it looks at SEEN_MAX and no more. */
static int bounded_glob(const char *pattern, glob_t *ret) {
  *ret = (glob_t){.gl_opendir = open_folder,
                  .gl_readdir = read_folder,
                  .gl_closedir = close_folder,
                  .gl_stat = stat,
                  .gl_lstat = lstat};
  memset(&look, 0, sizeof look);
  return glob(pattern, GLOB_ALTDIRFUNC, on_failure, ret);
}

static enum status add_file(struct listing *listing, const char *path,
                            size_t group) {
  if ((listing->n & (listing->n - 1)) == 0) {
    size_t capacity = listing->n ? 2 * listing->n : 1;
    struct listed_file *grown =
        reallocarray(listing->file, capacity, sizeof *grown);
    if (!grown)
      return STATUS_NO_MEMORY;
    listing->file = grown;
  }
  char *copy = strdup(path);
  if (!copy)
    return STATUS_NO_MEMORY;
  listing->file[listing->n++] =
      (struct listed_file){.path = copy, .group = group};
  return STATUS_OK;
}

static enum status add_group(struct listing *listing, const char *pattern,
                             size_t *ret) {
  struct listed_group *grown =
      reallocarray(listing->group, listing->n_groups + 1, sizeof *grown);
  if (!grown)
    return STATUS_NO_MEMORY;
  listing->group = grown;
  *ret = listing->n_groups;
  char *copy = pattern ? strdup(pattern) : NULL;
  if (pattern && !copy)
    return STATUS_NO_MEMORY;
  grown[listing->n_groups++] =
      (struct listed_group){.pattern = copy, .why = {.kind = STATUS_OK}};
  return STATUS_OK;
}

static void note_failure(struct listed_group *group, const char *pattern,
                         const struct config_item *item,
                         struct problems *problems) {
  char reason[128];
  if (look.n_seen >= SEEN_MAX) {
    problems_add(problems, item, NULL, false,
                 "ClusterFiles: %.256s looks at more than %d files: the rest "
                 "of them is not read; make it narrower",
                 pattern, SEEN_MAX);
    error_set(&group->why, STATUS_INVALID, "too many files");
  } else if (look.failure) {
    error_set(&group->why, STATUS_INVALID, "%.128s: %s",
              look.folder[0] ? look.folder : pattern,
              strerror_r(look.failure, reason, sizeof reason));
  }
}

static enum status add_matches(struct listing *listing, const char *pattern,
                               const struct config_item *item,
                               struct problems *problems) {
  glob_t matches;
  size_t at = 0;
  bool has_wildcard = strpbrk(pattern, WILDCARDS) != NULL;
  if (has_wildcard && add_group(listing, pattern, &at))
    return STATUS_NO_MEMORY;
  int result = bounded_glob(pattern, &matches);
  note_failure(&listing->group[at], pattern, item, problems);
  if (result == GLOB_NOSPACE) {
    globfree(&matches);
    return STATUS_NO_MEMORY;
  }
  if (result == GLOB_NOMATCH && !has_wildcard)
    problems_add(problems, item, NULL, true,
                 "ClusterFiles: there is no file %.256s; mend the path or "
                 "remove it",
                 pattern);
  enum status status = STATUS_OK;
  for (size_t i = 0; result == 0 && i < matches.gl_pathc && !status; i++) {
    listing->group[at].n_files++;
    if (listing->n < FILES_MAX)
      status = add_file(listing, matches.gl_pathv[i], at);
    else
      problems_add(problems, item, NULL, false,
                   "ClusterFiles: more than %d files: %.256s is not read",
                   FILES_MAX, matches.gl_pathv[i]);
  }
  if (result == 0)
    globfree(&matches);
  return status;
}

/* ---- all of them ---- */

/* Values that settings_load() refuses are left to it. */
static enum status add_option(struct listing *listing,
                              const struct config_item *item, size_t *n_options,
                              struct problems *problems) {
  enum status status = STATUS_OK;
  if (!config_key_is(item, "ClusterFiles"))
    return STATUS_OK;
  ++*n_options;
  for (size_t i = 0; i < item->n_values && !status; i++)
    if (item->values[i].type == CONFIG_TEXT)
      status = add_matches(listing, item->values[i].text, item, problems);
  return status;
}

/* The default is written as a configuration has it, in quotes. */
static enum status add_default(struct listing *listing,
                               struct problems *problems) {
  const struct option *option = option_find("ClusterFiles", IN_PLUGIN);
  char *pattern = strdup(option->fallback + 1);
  if (!pattern)
    return STATUS_NO_MEMORY;
  pattern[strcspn(pattern, "\"")] = 0;
  enum status status = add_matches(listing, pattern, NULL, problems);
  free(pattern);
  return status;
}

static enum status find_files(const struct config_item *root, bool use_default,
                              struct listing *listing,
                              struct problems *problems) {
  enum status status = STATUS_OK;
  size_t n_options = 0;
  bool is_conf = config_is_collectd_conf(root);
  for (size_t i = 0; i < root->n_children && !status; i++) {
    const struct config_item *item = &root->children[i];
    if (!is_conf)
      status = add_option(listing, item, &n_options, problems);
    else if (config_is_plugin_block(item))
      for (size_t j = 0; j < item->n_children && !status; j++)
        status = add_option(listing, &item->children[j], &n_options, problems);
  }
  if (!status && n_options == 0 && use_default)
    status = add_default(listing, problems);
  return status;
}

static int by_path(const void *a, const void *b) {
  const struct listed_file *left = a;
  const struct listed_file *right = b;
  int order = strcmp(left->path, right->path);
  if (order != 0)
    return order;
  return (left->group > right->group) - (left->group < right->group);
}

static void sort_files(struct listing *listing) {
  size_t n = 0;
  if (listing->n > 0)
    qsort(listing->file, listing->n, sizeof *listing->file, by_path);
  for (size_t i = 0; i < listing->n; i++)
    if (n > 0 && strcmp(listing->file[n - 1].path, listing->file[i].path) == 0)
      free(listing->file[i].path);
    else
      listing->file[n++] = listing->file[i];
  listing->n = n;
}

enum status listing_read(const struct config_item *root, bool use_default,
                         struct listing *ret, struct problems *problems) {
  size_t first;
  *ret = (struct listing){0};
  if (add_group(ret, NULL, &first) ||
      find_files(root, use_default, ret, problems))
    return STATUS_NO_MEMORY;
  sort_files(ret);
  return STATUS_OK;
}

void listed_groups_free(struct listed_group *group, size_t n) {
  for (size_t i = 0; i < n; i++)
    free(group[i].pattern);
  free(group);
}

void listing_fini(struct listing *listing) {
  for (size_t i = 0; i < listing->n; i++)
    free(listing->file[i].path);
  free(listing->file);
  listed_groups_free(listing->group, listing->n_groups);
  *listing = (struct listing){0};
}

char *listing_folder(const char *pattern) {
  size_t len = strcspn(pattern, WILDCARDS);
  while (len > 0 && pattern[len - 1] != '/')
    len--;
  while (len > 1 && pattern[len - 1] == '/')
    len--;
  return len > 0 ? strndup(pattern, len) : strdup(".");
}
