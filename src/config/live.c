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
    live_file_keep_includes(&live->base, options->base);
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

struct round {
  struct settings_sources sources;
  struct live_file **file; /* of each source, by its number */
  struct settings *settings;
  struct problems problems;
};

static struct config_tree *tree_of(const struct live_file *file) {
  return file->is_taken ? file->fresh : file->tree;
}

static void add_source(struct round *round, struct live_file *file) {
  size_t n = round->sources.n_files++;
  round->sources.files[n] = config_tree_root(tree_of(file));
  round->file[n + 1] = file;
}

/* What there was comes first, then what is new, then what was rejected before.
 */
enum { RANK_GOOD, RANK_PARTLY, RANK_EDITED, RANK_NEW, RANK_AGAIN, RANK_COUNT };

static int rank_of(const struct live_file *file) {
  if (!file->is_taken)
    return file->is_good ? RANK_GOOD : RANK_PARTLY;
  if (!file->is_due)
    return RANK_AGAIN;
  return file->tree ? RANK_EDITED : RANK_NEW;
}

static void gather(struct live *live, struct round *round) {
  round->sources.n_files = 0;
  round->sources.base = config_tree_root(tree_of(&live->base));
  round->file[0] = &live->base;
  for (int rank = 0; rank < RANK_COUNT; rank++)
    for (size_t i = 0; i < live->n; i++)
      if (tree_of(&live->file[i]) && rank_of(&live->file[i]) == rank)
        add_source(round, &live->file[i]);
  memset(round->sources.fault, 0,
         (round->sources.n_files + 1) * sizeof *round->sources.fault);
}

static enum status load(struct live *live, struct round *round) {
  problems_fini(&round->problems);
  settings_fini(round->settings);
  gather(live, round);
  enum status status = settings_load(&round->sources, live->rules,
                                     round->settings, &round->problems);
  return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* It was better before. */
static bool is_worse(const struct round *round, size_t source) {
  const struct live_file *file = round->file[source];
  return file->is_taken && file->is_good && round->sources.fault[source];
}

static void reject(struct round *round, size_t source) {
  const struct problems *from = &round->problems;
  struct live_file *file = round->file[source];
  file->is_taken = false;
  file->is_clashing = round->sources.fault[source] == FAULT_BESIDE;
  for (size_t i = 0; i < from->n; i++) {
    if (from->list[i].source != source)
      continue;
    from->list[i].is_rejected = true;
    struct problems one = {
        .list = &from->list[i], .n = 1, .n_errors = !from->list[i].is_warning};
    problems_append(&file->rejected, &one);
  }
}

static size_t reject_worse(struct round *round) {
  size_t n = 0;
  for (size_t i = 0; i <= round->sources.n_files; i++) {
    if (!is_worse(round, i))
      continue;
    reject(round, i);
    n++;
  }
  return n;
}

static bool has_worse(const struct round *round) {
  for (size_t i = 0; i <= round->sources.n_files; i++)
    if (is_worse(round, i))
      return true;
  return false;
}

/* What clashed may have done so with one that is rejected itself: each is tried
 * once more, beside what stays. */
static enum status try_clashing(struct live *live, struct round *round) {
  bool is_undone = false;
  for (size_t i = 0; i < live->n; i++) {
    struct live_file *file = &live->file[i];
    if (!file->is_clashing)
      continue;
    file->is_taken = true;
    if (load(live, round))
      return STATUS_NO_MEMORY;
    is_undone = has_worse(round);
    file->is_taken = !is_undone;
    if (!is_undone)
      problems_fini(&file->rejected);
  }
  return is_undone ? load(live, round) : STATUS_OK;
}

/* Each round but the last rejects a file at least. */
static enum status try_all(struct live *live, struct round *round) {
  size_t n_rejected = 0;
  for (;;) {
    if (load(live, round))
      return STATUS_NO_MEMORY;
    size_t n = reject_worse(round);
    if (n == 0)
      break;
    n_rejected += n;
  }
  return n_rejected > 1 ? try_clashing(live, round) : STATUS_OK;
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
static bool commit(const struct round *round) {
  bool has_changed = false;
  for (size_t i = 0; i <= round->sources.n_files; i++)
    has_changed |= commit_file(round->file[i], round->sources.fault[i]);
  return has_changed;
}

static void tell_file(const struct live_file *file, struct problems *problems) {
  size_t first = problems->n;
  problems_append(problems, &file->told);
  for (size_t i = first; i < problems->n; i++)
    problems->list[i].is_rejected = file->is_refused && file->tree;
  problems_append(problems, &file->rejected);
}

static void tell(const struct live *live, const struct round *round,
                 struct problems *problems) {
  tell_file(&live->base, problems);
  for (size_t i = 0; i < live->n; i++)
    tell_file(&live->file[i], problems);
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

/* Reads it, where it is due; what was read and not taken is tried again. */
static enum status prepare(struct live_file *file, bool is_base) {
  enum status status = file->is_due ? live_file_read(file, is_base) : STATUS_OK;
  file->is_taken = file->fresh != NULL;
  file->is_clashing = false;
  problems_fini(&file->rejected);
  return status;
}

static enum status prepare_all(struct live *live) {
  enum status status = prepare(&live->base, true);
  for (size_t i = 0; i < live->n && !status; i++)
    status = prepare(&live->file[i], false);
  return status;
}

static enum status round_init(struct round *round, const struct live *live) {
  *round = (struct round){.sources = {.kept = live->kept}};
  round->sources.files = calloc(live->n + 1, sizeof *round->sources.files);
  round->sources.fault = calloc(live->n + 1, sizeof *round->sources.fault);
  round->file = calloc(live->n + 1, sizeof *round->file);
  round->settings = calloc(1, sizeof *round->settings);
  return round->sources.files && round->sources.fault && round->file &&
                 round->settings
             ? STATUS_OK
             : STATUS_NO_MEMORY;
}

static void round_fini(struct round *round) {
  free(round->sources.files);
  free(round->sources.fault);
  free(round->file);
  problems_fini(&round->problems);
  live_settings_free(round->settings);
}

static enum status evaluate(struct live *live, bool has_changed, int64_t now_ns,
                            struct live_result *ret) {
  struct round round;
  enum status status = prepare_all(live);
  if (!status)
    status = round_init(&round, live);
  else
    return status;
  kept_begin(live->kept, now_ns);
  if (!status)
    status = try_all(live, &round);
  if (!status) {
    kept_end(live->kept);
    has_changed |= commit(&round);
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

static enum status visit_folders_of(const struct live_file *file,
                                    enum status (*visit)(void *, const char *),
                                    void *cookie) {
  enum status status = visit_folder_of(file->path, visit, cookie);
  return status ? status : includes_folders(&file->includes, visit, cookie);
}

enum status live_folders(const struct live *live,
                         enum status (*visit)(void *cookie, const char *folder),
                         void *cookie) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < live->n_groups && !status; i++)
    if (live->group[i].pattern)
      status = visit_folder_of(live->group[i].pattern, visit, cookie);
  for (size_t i = 0; i < live->n && !status; i++)
    status = visit_folders_of(&live->file[i], visit, cookie);
  if (live->base.path && !status)
    status = visit_folders_of(&live->base, visit, cookie);
  const char *path;
  for (size_t i = 0; !status && (path = kept_path(live->kept, i)); i++)
    status = visit_folder_of(path, visit, cookie);
  return status;
}
