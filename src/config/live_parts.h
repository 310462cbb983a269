/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_LIVE_PARTS_H
#define CONFIG_LIVE_PARTS_H

/* live.c in its parts: which files there are (live_files.c), and what becomes
 * of their contents. */

#include "config/included.h"
#include "config/kept.h"
#include "config/listing.h"
#include "config/live.h"

struct live_file {
  char *path; /* NULL: a base that is not read again */
  size_t group;
  struct file_watch watch;
  struct includes includes;  /* of what was read last */
  struct config_tree *tree;  /* in use; NULL: none yet */
  struct config_tree *fresh; /* read, and not taken; NULL: none, or no tree */
  struct problems told;      /* of reading ${fresh}, or what would be */
  struct problems rejected;  /* why ${fresh} was, in this round */
  bool is_good;              /* ${tree} has no mistake */
  bool is_read;              /* once at least */
  bool is_refused;           /* its content is no cluster file */
  bool is_due;               /* to be read in this round */
  bool is_taken;             /* ${fresh} is tried in this round */
  bool is_clashing;          /* ... and was rejected for what others have */
  bool is_missing;
  bool is_held;       /* missing, and at once with all others of its group */
  int64_t missing_ns; /* since when; of a folder that is read to its end */
};

struct live {
  const struct settings_rules *rules;
  bool use_default;
  bool is_begun;
  bool is_undone; /* the last round ran out of memory */
  struct live_file base;
  struct live_file *file; /* sorted by path */
  size_t n;
  struct kept *kept;
  struct listed_group *group; /* of the last listing */
  size_t n_groups;
  uint64_t holds; /* which groups are held and why, as a hash */
};

void live_file_fini(struct live_file *file);

/* live_file_keep_includes(file, tree): those of ${tree}, in place of the ones
 * before. */
void live_file_keep_includes(struct live_file *file, struct config_tree *tree);

/* live_files_look(live, listing, now_ns, ret_is_due, ret_is_removed,
 * ret_due_ns): what there is becomes what ${listing} says (its paths and groups
 * are taken), and files that are to be read are marked. *${ret_is_due}: there
 * is something to do, or to tell. STATUS_NO_MEMORY: nothing has changed. */
enum status live_files_look(struct live *live, struct listing *listing,
                            int64_t now_ns, bool *ret_is_due,
                            bool *ret_is_removed, int64_t *ret_due_ns);

/* live_files_tell(live, problems): what is held, and why. */
void live_files_tell(const struct live *live, struct problems *problems);

/* live_file_read(file, is_base): reads a file that is due. One that was written
 * meanwhile is due no more. STATUS_NO_MEMORY. */
enum status live_file_read(struct live_file *file, bool is_base);

#endif
