/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/cluster_files.h"

#include "config/options.h"
#include "config/tree.h"

#include <dirent.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 10000, SEEN_MAX = 20000 };

/* glob() gives its functions no cookie. Entries of folders, and folders. */
static _Thread_local size_t n_seen;

/* Paths of files, each once. */
struct paths {
  char **path;
  size_t n;
};

static void paths_fini(struct paths *paths) {
  for (size_t i = 0; i < paths->n; i++)
    free(paths->path[i]);
  free(paths->path);
}

static enum status add_path(struct paths *paths, const char *path) {
  for (size_t i = 0; i < paths->n; i++)
    if (strcmp(paths->path[i], path) == 0)
      return STATUS_OK;
  char **grown = reallocarray(paths->path, paths->n + 1, sizeof *paths->path);
  if (!grown)
    return STATUS_NO_MEMORY;
  paths->path = grown;
  grown[paths->n] = strdup(path);
  if (!grown[paths->n])
    return STATUS_NO_MEMORY;
  paths->n++;
  return STATUS_OK;
}

static void *open_folder(const char *path) {
  if (n_seen >= SEEN_MAX)
    return NULL;
  n_seen++;
  return opendir(path);
}

static struct dirent *read_folder(void *folder) {
  if (n_seen >= SEEN_MAX)
    return NULL;
  n_seen++;
  return readdir(folder);
}

static void close_folder(void *folder) { closedir(folder); }

/* A pattern may match as much as there is: it looks at SEEN_MAX and no more. */
static int bounded_glob(const char *pattern, glob_t *ret) {
  *ret = (glob_t){.gl_opendir = open_folder,
                  .gl_readdir = read_folder,
                  .gl_closedir = close_folder,
                  .gl_stat = stat,
                  .gl_lstat = lstat};
  n_seen = 0;
  return glob(pattern, GLOB_ALTDIRFUNC, NULL, ret);
}

static enum status add_matches(struct paths *paths, const char *pattern,
                               const struct config_item *item,
                               struct problems *problems) {
  glob_t matches;
  int result = bounded_glob(pattern, &matches);
  if (n_seen >= SEEN_MAX)
    problems_add(problems, item, NULL, false,
                 "ClusterFiles: %.256s looks at more than %d files: the rest "
                 "of them is not read; make it narrower",
                 pattern, SEEN_MAX);
  if (result == GLOB_NOSPACE) {
    globfree(&matches);
    return STATUS_NO_MEMORY;
  }
  if (result == GLOB_NOMATCH && !strpbrk(pattern, "*?["))
    problems_add(problems, item, NULL, true,
                 "ClusterFiles: there is no file %.256s; mend the path or "
                 "remove it",
                 pattern);
  enum status status = STATUS_OK;
  for (size_t i = 0; result == 0 && i < matches.gl_pathc && !status; i++)
    if (paths->n < FILES_MAX)
      status = add_path(paths, matches.gl_pathv[i]);
    else
      problems_add(problems, item, NULL, false,
                   "ClusterFiles: more than %d files: %.256s is not read",
                   FILES_MAX, matches.gl_pathv[i]);
  if (result == 0)
    globfree(&matches);
  return status;
}

/* Values that settings_load() refuses are left to it. */
static enum status add_option(struct paths *paths,
                              const struct config_item *item, size_t *n_options,
                              struct problems *problems) {
  enum status status = STATUS_OK;
  if (!config_key_is(item, "ClusterFiles"))
    return STATUS_OK;
  ++*n_options;
  for (size_t i = 0; i < item->n_values && !status; i++)
    if (item->values[i].type == CONFIG_TEXT)
      status = add_matches(paths, item->values[i].text, item, problems);
  return status;
}

/* The default is written as a configuration has it, in quotes. */
static enum status add_default(struct paths *paths, struct problems *problems) {
  const struct option *option = option_find("ClusterFiles", IN_PLUGIN);
  char *pattern = strdup(option->fallback + 1);
  if (!pattern)
    return STATUS_NO_MEMORY;
  pattern[strcspn(pattern, "\"")] = 0;
  enum status status = add_matches(paths, pattern, NULL, problems);
  free(pattern);
  return status;
}

static enum status find_paths(const struct config_item *root, bool use_default,
                              struct paths *paths, struct problems *problems) {
  enum status status = STATUS_OK;
  size_t n_options = 0;
  bool is_conf = config_is_collectd_conf(root);
  for (size_t i = 0; i < root->n_children && !status; i++) {
    const struct config_item *item = &root->children[i];
    if (!is_conf)
      status = add_option(paths, item, &n_options, problems);
    else if (config_is_plugin_block(item))
      for (size_t j = 0; j < item->n_children && !status; j++)
        status = add_option(paths, &item->children[j], &n_options, problems);
  }
  if (!status && n_options == 0 && use_default)
    status = add_default(paths, problems);
  return status;
}

static void refuse_item(const struct config_item *item,
                        struct problems *problems) {
  problems_add(problems, item, NULL, false,
               "%s: only Cluster blocks may stand in a cluster file, which is "
               "not read; move it into a Cluster, or to collectd.conf",
               item->key);
}

static bool is_cluster_file(const struct config_item *root,
                            struct problems *problems) {
  size_t n_errors = problems->n_errors;
  for (size_t i = 0; i < root->n_children; i++) {
    const struct config_item *item = &root->children[i];
    if (config_is_plugin_block(item)) {
      for (size_t j = 0; j < item->n_children; j++)
        if (!config_key_is(&item->children[j], "Cluster"))
          refuse_item(&item->children[j], problems);
    } else if (!config_key_is(item, "Cluster")) {
      refuse_item(item, problems);
    }
  }
  return problems->n_errors == n_errors;
}

/* Where settings_load() looks for clusters. */
static struct config_item *scope_of(struct config_item *root) {
  if (!config_is_collectd_conf(root))
    return root;
  for (size_t i = 0; i < root->n_children; i++)
    if (config_is_plugin_block(&root->children[i]))
      return &root->children[i];
  struct config_item *item = config_add_item(root, "Plugin");
  return item && config_add_text(item, "jolokia") == STATUS_OK ? item : NULL;
}

static enum status graft_file(struct config_tree *tree,
                              struct config_tree *file) {
  struct config_item *scope = scope_of(config_tree_root(tree));
  struct config_item *root = config_tree_root(file);
  if (!scope)
    return STATUS_NO_MEMORY;
  enum status status = STATUS_OK;
  for (size_t i = 0; i < root->n_children && !status; i++) {
    struct config_item *item = &root->children[i];
    if (config_is_plugin_block(item))
      status =
          config_graft(tree, scope, file, item->children, item->n_children);
    else
      status = config_graft(tree, scope, file, item, 1);
  }
  return status;
}

static enum status read_file(struct config_tree *tree, const char *path,
                             struct problems *problems) {
  struct config_tree *file = config_tree_new();
  if (!file)
    return STATUS_NO_MEMORY;
  enum status status = config_parse_file(file, path, problems);
  if (!status && is_cluster_file(config_tree_root(file), problems))
    status = graft_file(tree, file);
  config_tree_free(file);
  return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

enum status cluster_files_read(struct config_tree *tree, bool use_default,
                               struct problems *problems) {
  size_t n_errors = problems->n_errors;
  struct paths paths = {0};
  enum status status =
      find_paths(config_tree_root(tree), use_default, &paths, problems);
  for (size_t i = 0; i < paths.n && !status; i++)
    status = read_file(tree, paths.path[i], problems);
  paths_fini(&paths);
  if (!status && problems->n_errors > n_errors)
    status = STATUS_INVALID;
  return status;
}
