/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/live_parts.h"

#include "base/clock.h"
#include "config/tree.h"

#include <stdlib.h>
#include <string.h>

enum status live_new(const struct live_options *options, struct live **ret) {
  struct live *live = calloc(1, sizeof *live);
  if (!live) {
    config_tree_free(options->base);
    return STATUS_NO_MEMORY;
  }
  live->rules = options->rules;
  live->use_default = options->use_default;
  live->base.tree = options->base;
  live->base.is_read = true;
  if (options->base_problems)
    problems_append(&live->base.told, options->base_problems);
  live->kept = kept_new();
  if (options->base_path) {
    live->base.path = strdup(options->base_path);
    file_look(options->base_path, &live->base.watch.read);
    live->base.watch.seen = live->base.watch.read;
  }
  if (!live->kept || (options->base_path && !live->base.path)) {
    live_free(live);
    return STATUS_NO_MEMORY;
  }
  *ret = live;
  return STATUS_OK;
}

void live_free(struct live *live) {
  if (!live)
    return;
  for (size_t i = 0; i < live->n; i++)
    live_file_fini(&live->file[i]);
  free(live->file);
  listed_groups_free(live->group, live->n_groups);
  live_file_fini(&live->base);
  kept_free(live->kept);
  free(live);
}

void live_settings_free(struct settings *settings) {
  if (settings)
    settings_fini(settings);
  free(settings);
}

/* ---- one round: what is read is tried ---- */

/* Sources, and the file that each is of. */
struct round {
  struct settings_sources sources;
  struct live_file **file;
  struct settings *settings;
  struct problems problems;
  struct problems rejected;
};

static struct config_tree *tree_of(const struct live_file *file) {
  return file->is_taken ? file->fresh : file->tree;
}

static void add_source(struct round *round, struct live_file *file) {
  size_t n = round->sources.n_files++;
  round->sources.files[n] = config_tree_root(tree_of(file));
  round->file[n] = file;
}

/* What there was comes first, then what is new, then what was rejected before.
 */
enum { RANK_GOOD, RANK_PARTLY, RANK_NEW, RANK_AGAIN, RANK_COUNT };

static int rank_of(const struct live_file *file) {
  if (file->is_taken)
    return file->is_due ? RANK_NEW : RANK_AGAIN;
  return file->is_good ? RANK_GOOD : RANK_PARTLY;
}

static void gather(struct live *live, struct round *round) {
  round->sources.n_files = 0;
  round->sources.base = config_tree_root(tree_of(&live->base));
  for (int rank = 0; rank < RANK_COUNT; rank++)
    for (size_t i = 0; i < live->n; i++)
      if (tree_of(&live->file[i]) && rank_of(&live->file[i]) == rank)
        add_source(round, &live->file[i]);
  memset(round->sources.is_bad, 0, round->sources.n_files + 1);
}

/* What was told of a source goes to those that are rejected. */
static void reject(struct round *round, struct live_file *file, size_t source) {
  struct problems *from = &round->problems;
  file->is_taken = false;
  for (size_t i = 0; i < from->n; i++) {
    if (from->list[i].source != source)
      continue;
    from->list[i].is_rejected = true;
    struct problems one = {
        .list = &from->list[i], .n = 1, .n_errors = !from->list[i].is_warning};
    problems_append(&round->rejected, &one);
  }
}

/* Whether all that were taken are well, or were never better. */
static bool settle(struct live *live, struct round *round) {
  bool is_settled = true;
  if (live->base.is_taken && round->sources.is_bad[0] && live->base.is_good) {
    reject(round, &live->base, 0);
    is_settled = false;
  }
  for (size_t i = 0; i < round->sources.n_files; i++) {
    struct live_file *file = round->file[i];
    if (!file->is_taken || !round->sources.is_bad[i + 1] || !file->is_good)
      continue;
    reject(round, file, i + 1);
    is_settled = false;
  }
  return is_settled;
}

/* Each round but the last rejects a file at least. */
static enum status try_all(struct live *live, struct round *round) {
  for (;;) {
    problems_fini(&round->problems);
    gather(live, round);
    enum status status = settings_load_all(&round->sources, live->rules,
                                           round->settings, &round->problems);
    if (status == STATUS_NO_MEMORY)
      return status;
    if (settle(live, round))
      return STATUS_OK;
    settings_fini(round->settings);
  }
}

static bool commit_file(struct live_file *file, bool is_bad) {
  if (!file->is_taken) {
    file->is_good |= !is_bad;
    return false;
  }
  config_tree_free(file->tree);
  file->tree = file->fresh;
  file->fresh = NULL;
  file->is_good = !is_bad;
  return true;
}

/* Whether anything else is in use than before. */
static bool commit(struct live *live, const struct round *round) {
  bool has_changed = false;
  has_changed |= commit_file(&live->base, round->sources.is_bad[0]);
  for (size_t i = 0; i < round->sources.n_files; i++)
    has_changed |= commit_file(round->file[i], round->sources.is_bad[i + 1]);
  return has_changed;
}

static void tell_file(const struct live_file *file, struct problems *problems) {
  size_t first = problems->n;
  problems_append(problems, &file->told);
  for (size_t i = first; i < problems->n; i++)
    problems->list[i].is_rejected = file->is_refused && file->tree;
}

static void tell(const struct live *live, const struct round *round,
                 struct problems *problems) {
  tell_file(&live->base, problems);
  for (size_t i = 0; i < live->n; i++)
    tell_file(&live->file[i], problems);
  problems_append(problems, &round->rejected);
  problems_append(problems, &round->problems);
}

/* What was read just now, and is not wholly well. */
static bool is_rejected(const struct live_file *file) {
  return file->is_due && (file->is_refused || file->fresh || !file->is_good);
}

static size_t count_rejected(const struct live *live) {
  size_t n = is_rejected(&live->base);
  for (size_t i = 0; i < live->n; i++)
    n += is_rejected(&live->file[i]);
  return n;
}

static enum status read_due(struct live *live) {
  enum status status = STATUS_OK;
  if (live->base.is_due)
    status = live_file_read(&live->base, true);
  for (size_t i = 0; i < live->n && !status; i++)
    if (live->file[i].is_due)
      status = live_file_read(&live->file[i], false);
  live->base.is_taken = live->base.fresh != NULL;
  for (size_t i = 0; i < live->n; i++)
    live->file[i].is_taken = live->file[i].fresh != NULL;
  return status;
}

static enum status round_init(struct round *round, const struct live *live) {
  *round = (struct round){.sources = {.kept = live->kept}};
  round->sources.files = calloc(live->n + 1, sizeof *round->sources.files);
  round->sources.is_bad = calloc(live->n + 1, sizeof *round->sources.is_bad);
  round->file = calloc(live->n + 1, sizeof *round->file);
  round->settings = calloc(1, sizeof *round->settings);
  return round->sources.files && round->sources.is_bad && round->file &&
                 round->settings
             ? STATUS_OK
             : STATUS_NO_MEMORY;
}

static void round_fini(struct round *round) {
  free(round->sources.files);
  free(round->sources.is_bad);
  free(round->file);
  problems_fini(&round->problems);
  problems_fini(&round->rejected);
  live_settings_free(round->settings);
}

static enum status evaluate(struct live *live, bool has_changed, int64_t now_ns,
                            struct live_result *ret) {
  struct round round;
  enum status status = read_due(live);
  if (!status)
    status = round_init(&round, live);
  else
    return status;
  kept_begin(live->kept, now_ns);
  if (!status)
    status = try_all(live, &round);
  if (!status) {
    kept_end(live->kept);
    has_changed |= commit(live, &round);
    ret->n_rejected = live->is_begun ? count_rejected(live) : 0;
    tell(live, &round, &ret->problems);
    ret->is_new = true;
    if (has_changed) {
      ret->settings = round.settings;
      round.settings = NULL;
    }
  }
  round_fini(&round);
  return status;
}

enum status live_read(struct live *live, int64_t now_ns,
                      struct live_result *ret) {
  struct listing listing;
  bool is_due = false;
  bool is_removed = false;
  *ret = (struct live_result){.next_ns = CLOCK_NEVER};
  enum status status =
      listing_read(config_tree_root(live->base.tree), live->use_default,
                   &listing, &ret->problems);
  if (!status)
    status = live_files_look(live, &listing, now_ns, &is_due, &is_removed,
                             &ret->next_ns);
  bool is_kept_due = kept_is_due(live->kept, now_ns, &ret->next_ns);
  bool is_again = live->is_undone || !live->is_begun;
  if (!status && (is_due || is_kept_due || is_again)) {
    live_files_tell(live, &ret->problems);
    status = evaluate(live, is_removed || is_kept_due || is_again, now_ns, ret);
  }
  listing_fini(&listing);
  live->is_undone = status != STATUS_OK;
  if (status)
    problems_fini(&ret->problems);
  else
    live->is_begun = true;
  return status;
}

/* ---- what it looks at ---- */

const struct config_item *live_root(const struct live *live, size_t i) {
  if (i == 0)
    return config_tree_root(live->base.tree);
  for (size_t j = 0; j < live->n; j++)
    if (live->file[j].tree && --i == 0)
      return config_tree_root(live->file[j].tree);
  return NULL;
}

static enum status visit_folder_of(const char *path,
                                   enum status (*visit)(void *, const char *),
                                   void *cookie) {
  char *folder = listing_folder(path);
  enum status status = folder ? visit(cookie, folder) : STATUS_NO_MEMORY;
  free(folder);
  return status;
}

enum status live_folders(const struct live *live,
                         enum status (*visit)(void *cookie, const char *folder),
                         void *cookie) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < live->n_groups && !status; i++)
    if (live->group[i].pattern)
      status = visit_folder_of(live->group[i].pattern, visit, cookie);
  for (size_t i = 0; i < live->n && !status; i++)
    status = visit_folder_of(live->file[i].path, visit, cookie);
  if (live->base.path && !status)
    status = visit_folder_of(live->base.path, visit, cookie);
  const char *path;
  for (size_t i = 0; !status && (path = kept_path(live->kept, i)); i++)
    status = visit_folder_of(path, visit, cookie);
  return status;
}
