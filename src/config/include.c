/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/included.h"
#include "config/listing.h"
#include "config/reader.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wordexp.h>

enum { FOLDERS_MAX = 8 };

/* One Include: its files are read into a tree, or only looked at, or all
 * folders that its paths lie in are visited. */
struct include {
  const char *filter; /* NULL: none */
  struct included *included;
  struct problems *problems;
  struct config_tree *tree; /* NULL: they are not read */
  struct config_item *parent;
  const struct config_item *item;
  int depth; /* of the files to be read */
  enum status (*visit)(void *cookie, const char *folder); /* may be NULL */
  void *cookie;
};

/* STATUS_INVALID: too much is included already; it is told. */
static enum status include_path(const struct include *include, const char *path,
                                int folders);

static enum status visit_folder_of(const struct include *include,
                                   const char *path) {
  if (!include->visit)
    return STATUS_OK;
  char *folder = listing_folder(path);
  enum status status =
      folder ? include->visit(include->cookie, folder) : STATUS_NO_MEMORY;
  free(folder);
  return status;
}

/* Looked at before it is read: what is written meanwhile is seen later. */
static enum status include_file(const struct include *include,
                                const char *path) {
  const char *slash = strrchr(path, '/');
  if (include->filter &&
      fnmatch(include->filter, slash ? slash + 1 : path, 0) != 0)
    return STATUS_OK;
  included_add(include->included, path);
  if (!include->tree)
    return STATUS_OK;
  enum status status = reader_file(include->tree, include->parent, path,
                                   include->depth, include->problems);
  return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

static int is_shown(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static enum status include_folder(const struct include *include,
                                  const char *path, int folders) {
  if (folders == FOLDERS_MAX) {
    problems_add(include->problems, include->item, NULL, false,
                 "Include: %s lies more than %d folders deep: not read", path,
                 FOLDERS_MAX);
    return STATUS_OK;
  }
  struct dirent **entries;
  int n = scandir(path, &entries, is_shown, by_bytes);
  if (n < 0) {
    char reason[128];
    problems_add(include->problems, include->item, NULL, false,
                 "Include: %s cannot be read: %s", path,
                 strerror_r(errno, reason, sizeof reason));
    return STATUS_OK;
  }
  enum status status =
      include->visit ? include->visit(include->cookie, path) : STATUS_OK;
  for (int i = 0; i < n; i++) {
    char *entry = NULL;
    if (status == STATUS_OK &&
        asprintf(&entry, "%s/%s", path, entries[i]->d_name) < 0) {
      entry = NULL;
      status = STATUS_NO_MEMORY;
    }
    if (entry)
      status = include_path(include, entry, folders + 1);
    free(entry);
    free(entries[i]);
  }
  free(entries);
  return status;
}

static enum status include_path(const struct include *include, const char *path,
                                int folders) {
  struct stat stat_of;
  if (!included_count(include->included)) {
    problems_add(include->problems, include->item, NULL, false,
                 "Include: more than %d files and folders: from %s on nothing "
                 "is read; name fewer",
                 INCLUDED_PATHS_MAX, path);
    return STATUS_INVALID;
  }
  enum status status = visit_folder_of(include, path);
  if (status)
    return status;
  if (stat(path, &stat_of) != 0) {
    char reason[128];
    problems_add(include->problems, include->item, NULL, true,
                 "Include: %s: %s; nothing is included", path,
                 strerror_r(errno, reason, sizeof reason));
    return STATUS_OK;
  }
  if (S_ISDIR(stat_of.st_mode))
    return include_folder(include, path, folders);
  if (S_ISREG(stat_of.st_mode))
    return include_file(include, path);
  problems_add(include->problems, include->item, NULL, true,
               "Include: %s is neither a file nor a folder: not read", path);
  return STATUS_OK;
}

static int by_text(const void *a, const void *b) {
  const char *const *left = a;
  const char *const *right = b;
  return strcmp(*left, *right);
}

static enum status include_words(const struct include *include,
                                 const char *text) {
  wordexp_t words;
  int result = wordexp(text, &words, WRDE_NOCMD);
  if (result == WRDE_NOSPACE) {
    wordfree(&words);
    return STATUS_NO_MEMORY;
  }
  if (result != 0) {
    problems_add(include->problems, include->item, NULL, false,
                 "Include: the path has a character that the shell would not "
                 "take (one of | & ; < > ( ) { } $): quote it with \\");
    return STATUS_OK;
  }
  qsort(words.we_wordv, words.we_wordc, sizeof *words.we_wordv, by_text);
  enum status status = STATUS_OK;
  for (size_t i = 0; i < words.we_wordc && !status; i++)
    status = include_path(include, words.we_wordv[i], 0);
  wordfree(&words);
  return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* The last Filter counts, as in collectd. */
static const char *filter_of(const struct config_item *item,
                             struct problems *problems) {
  const char *filter = NULL;
  for (size_t i = 0; i < item->n_children; i++) {
    const struct config_item *child = &item->children[i];
    if (!config_key_is(child, "Filter"))
      problems_add(problems, child, NULL, false,
                   "%s: unknown option; only Filter may stand in <Include>",
                   child->key);
    else if (child->n_values != 1 || child->values[0].type != CONFIG_TEXT)
      problems_add(problems, child, NULL, false,
                   "Filter: needs one pattern, like Filter \"*.conf\"");
    else
      filter = child->values[0].text;
  }
  return filter;
}

enum status reader_include(struct config_tree *tree, struct config_item *parent,
                           const struct config_item *item, int depth,
                           struct problems *problems) {
  if (item->n_values != 1 || item->values[0].type != CONFIG_TEXT) {
    problems_add(problems, item, NULL, false,
                 "Include: needs one path, like Include "
                 "\"/etc/collectd/collectd.conf.d/*.conf\"");
    return STATUS_OK;
  }
  struct includes *includes = config_tree_includes(tree);
  if (depth + 1 >= READER_DEPTH_MAX) {
    if (!includes->is_too_deep)
      problems_add(problems, item, NULL, false,
                   "Include: %d files deep in each other already: not read; "
                   "does a file include itself?",
                   READER_DEPTH_MAX);
    includes->is_too_deep = true;
    return STATUS_OK;
  }
  struct include include = {.filter = filter_of(item, problems),
                            .included = &includes->read,
                            .problems = problems,
                            .tree = tree,
                            .parent = parent,
                            .item = item,
                            .depth = depth + 1};
  const char *path = item->values[0].text;
  if (includes_add(includes, path, include.filter))
    return STATUS_NO_MEMORY;
  return include_words(&include, path);
}

/* Mistakes were told when they were read. */
static enum status walk(const struct includes *includes,
                        struct include include) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < includes->n && !status; i++) {
    struct problems told;
    problems_init(&told);
    include.filter = includes->line[i].filter;
    include.problems = &told;
    status = include_words(&include, includes->line[i].path);
    problems_fini(&told);
  }
  return status;
}

enum status includes_look(const struct includes *includes,
                          struct included *ret) {
  *ret = (struct included){0};
  return walk(includes, (struct include){.included = ret});
}

enum status includes_folders(const struct includes *includes,
                             enum status (*visit)(void *cookie,
                                                  const char *folder),
                             void *cookie) {
  struct included unused = {0};
  return walk(
      includes,
      (struct include){.included = &unused, .visit = visit, .cookie = cookie});
}
