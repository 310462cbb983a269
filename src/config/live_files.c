/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/live_parts.h"

#include "base/hash.h"
#include "config/tree.h"

#include <stdlib.h>
#include <string.h>

void live_file_fini(struct live_file *file) {
  free(file->path);
  config_tree_free(file->tree);
  config_tree_free(file->fresh);
  problems_fini(&file->told);
  problems_fini(&file->rejected);
  includes_fini(&file->includes);
}

void live_file_keep_includes(struct live_file *file, struct config_tree *tree) {
  includes_fini(&file->includes);
  file->includes = *config_tree_includes(tree);
  *config_tree_includes(tree) = (struct includes){0};
  file->watch.seen.included = file->watch.read.included =
      file->includes.read.mark;
}

/* ---- which there are ---- */

static void sooner(int64_t *due_ns, int64_t at_ns) {
  if (at_ns < *due_ns)
    *due_ns = at_ns;
}

static bool is_held(const struct listed_group *group) {
  return group->why.kind || group->n_files == 0;
}

/* NULL: its pattern is not there any more. */
static const struct listed_group *group_of(const struct live *live,
                                           const struct live_file *file) {
  return file->group < live->n_groups ? &live->group[file->group] : NULL;
}

/* A file that is not in the listing: whether it is to be removed. */
static bool is_gone(struct live_file *file, const struct listed_group *group,
                    int64_t now_ns, int64_t *due_ns) {
  if (!file->is_missing || (group && group->why.kind))
    file->missing_ns = now_ns;
  file->is_missing = true;
  file->is_held |= group && is_held(group);
  int64_t at_ns =
      file->missing_ns + (file->is_held ? LIVE_HOLD_NS : LIVE_GONE_NS);
  if (now_ns >= at_ns)
    return true;
  sooner(due_ns, at_ns);
  return false;
}

/* Takes the listed path. */
static struct live_file new_file(struct listed_file *listed) {
  struct live_file file = {.path = listed->path, .group = listed->group};
  listed->path = NULL;
  return file;
}

/* Both are sorted by path. */
static bool merge(struct live *live, struct listing *listing,
                  struct live_file *merged, int64_t now_ns, int64_t *due_ns) {
  size_t n = 0;
  size_t i = 0;
  size_t j = 0;
  bool is_removed = false;
  while (i < live->n || j < listing->n) {
    int order = i == live->n ? 1
                : j == listing->n
                    ? -1
                    : strcmp(live->file[i].path, listing->file[j].path);
    if (order > 0) {
      merged[n++] = new_file(&listing->file[j++]);
      continue;
    }
    struct live_file *file = &live->file[i++];
    if (order == 0) {
      file->is_missing = file->is_held = false;
      file->group = listing->file[j++].group;
    } else if (is_gone(file, group_of(live, file), now_ns, due_ns)) {
      is_removed = true;
      live_file_fini(file);
      continue;
    }
    merged[n++] = *file;
  }
  free(live->file);
  live->file = merged;
  live->n = n;
  return is_removed;
}

static uint64_t holds_of(const struct live *live) {
  uint64_t hash = 0;
  for (size_t i = 0; i < live->n; i++) {
    const struct listed_group *group = group_of(live, &live->file[i]);
    if (live->file[i].is_held && group)
      hash = hash_more(hash + 1, group->why.text,
                       group->why.kind ? strlen(group->why.text) : 1);
  }
  return hash;
}

/* ---- which are due ---- */

/* Without memory what it includes counts as it was. */
static void look_at(const struct live_file *file, struct file_mark *ret,
                    struct included *ret_included) {
  file_look(file->path, ret);
  if (includes_look(&file->includes, ret_included))
    *ret_included = file->includes.read;
  ret->included = ret_included->mark;
}

/* It is not read anew for what it includes alone. */
static bool has_changed_itself(const struct file_watch *watch) {
  struct file_mark mark = watch->seen;
  mark.included = watch->read.included;
  return !file_mark_is_same(&mark, &watch->read);
}

/* It, or something that it includes, may come back in a moment. */
static bool is_emptied(const struct live_file *file,
                       const struct included *included) {
  return file->watch.seen.size == 0 ||
         (!has_changed_itself(&file->watch) &&
          included->n_files < file->includes.read.n_files);
}

static void look(struct live_file *file, bool is_first, int64_t now_ns,
                 int64_t *due_ns) {
  struct file_watch *watch = &file->watch;
  struct file_mark mark;
  struct included included;
  look_at(file, &mark, &included);
  bool is_due = file_watch_see(watch, &mark, now_ns,
                               is_first ? 0 : FILE_SETTLE_NS, due_ns);
  /* What does not say what it is (a link to nowhere) is read once all the same.
   */
  is_due |= !file->is_read && watch->seen.inode == 0;
  if (is_due && file->tree && is_emptied(file, &included) &&
      now_ns < watch->seen_ns + LIVE_HOLD_NS) {
    sooner(due_ns, watch->seen_ns + LIVE_HOLD_NS);
    is_due = false;
  }
  file->is_due = is_due;
}

enum status live_files_look(struct live *live, struct listing *listing,
                            int64_t now_ns, bool *ret_is_due,
                            bool *ret_is_removed, int64_t *ret_due_ns) {
  struct live_file *merged = calloc(live->n + listing->n + 1, sizeof *merged);
  if (!merged)
    return STATUS_NO_MEMORY;
  listed_groups_free(live->group, live->n_groups);
  live->group = listing->group;
  live->n_groups = listing->n_groups;
  listing->group = NULL;
  listing->n_groups = 0;
  *ret_is_removed = merge(live, listing, merged, now_ns, ret_due_ns);
  bool is_due = *ret_is_removed;
  for (size_t i = 0; i < live->n; i++) {
    struct live_file *file = &live->file[i];
    file->is_due = false;
    if (!file->is_missing)
      look(file, !live->is_begun, now_ns, ret_due_ns);
    is_due |= file->is_due;
  }
  live->base.is_due = false;
  if (live->base.path && live->is_begun)
    look(&live->base, false, now_ns, ret_due_ns);
  uint64_t holds = holds_of(live);
  is_due |= live->base.is_due || holds != live->holds;
  live->holds = holds;
  *ret_is_due = is_due;
  return STATUS_OK;
}

/* Without a count: files that come back one by one would be told of each time.
 */
void live_files_tell(const struct live *live, struct problems *problems) {
  for (size_t i = 0; i < live->n_groups; i++) {
    const struct listed_group *group = &live->group[i];
    const char *pattern = group->pattern ? group->pattern : "those named";
    bool has_held = false;
    for (size_t j = 0; j < live->n && !has_held; j++)
      has_held = live->file[j].is_held && live->file[j].group == i;
    if (has_held && group->why.kind)
      problems_add(problems, NULL, NULL, false,
                   "ClusterFiles: %.200s; the files that are missing count as "
                   "they were; mend the folder or its permissions",
                   group->why.text);
    else if (has_held)
      problems_add(problems, NULL, NULL, true,
                   "ClusterFiles: all of %.256s were gone at once; those that "
                   "are not back after 60 seconds are removed with their "
                   "clusters",
                   pattern);
  }
}

/* ---- what they have ---- */

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

/* A file that was written meanwhile is left for the next look. */
enum status live_file_read(struct live_file *file, bool is_base) {
  struct config_tree *tree = config_tree_new();
  struct problems problems;
  struct file_mark after;
  if (!tree)
    return STATUS_NO_MEMORY;
  problems_init(&problems);
  enum status status = config_parse_file(tree, file->path, &problems);
  bool is_well =
      status == STATUS_OK &&
      (is_base || is_cluster_file(config_tree_root(tree), &problems));
  file_look(file->path, &after);
  after.included = file->watch.seen.included;
  file->is_due = file_mark_is_same(&after, &file->watch.seen);
  if (status == STATUS_NO_MEMORY || !file->is_due) {
    config_tree_free(tree);
    problems_fini(&problems);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
  }
  file->watch.read = file->watch.seen;
  live_file_keep_includes(file, tree);
  file->is_read = true;
  config_tree_free(file->fresh);
  problems_fini(&file->told);
  file->fresh = is_well ? tree : NULL;
  file->told = problems;
  file->is_refused = !is_well;
  if (!is_well)
    config_tree_free(tree);
  return STATUS_OK;
}
