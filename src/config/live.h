/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_LIVE_H
#define CONFIG_LIVE_H

/* The settings as they are now: the base (the blocks of collectd.conf, or a
 * file of its own), the cluster files that its ClusterFiles names, and the
 * files that options name. Read again and again; what is not well changes
 * nothing of what was. Reads files, which may block; time is an argument.
 *
 * - A file with a mistake, in its grammar or in a cluster: what was last good
 *   of it stays, whole, and it is told. One that was never good counts with
 *   what is well in it. Of clusters that cannot both be, the one that was there
 *   first stays; of two that are new, the first in the order of their paths.
 * - A file is taken when it has been the same for 200 ms (FILE_SETTLE_NS); an
 *   empty one that had clusters, after LIVE_HOLD_NS.
 * - What a file includes is a part of it: it is read again, whole, when that is
 *   another. Where that alone became less (gone or empty), after LIVE_HOLD_NS.
 * - A file that is gone while others of its pattern are there is removed after
 *   LIVE_GONE_NS, as editors take one away for a moment. Where all of a pattern
 *   are gone at once, or a folder cannot be read to its end, none of them is
 *   removed before it has been missing for LIVE_HOLD_NS in a folder that was
 *   read to its end all the time: it is empty while it is mounted anew. */

#include "config/settings.h"

#define LIVE_HOLD_NS INT64_C(60000000000)
#define LIVE_GONE_NS INT64_C(500000000)

struct live;

struct live_options {
  struct config_tree *base; /* owned by it from now on, in any outcome */
  const char *base_path; /* read again when it changes; NULL: never; copied */
  const struct problems *base_problems; /* of reading ${base}; copied */
  bool use_default; /* the default of ClusterFiles, where it is not set */
  const struct settings_rules *rules; /* must stay */
};

/* live_new(options, ret): reads nothing yet. STATUS_NO_MEMORY. */
enum status live_new(const struct live_options *options, struct live **ret);
void live_free(struct live *live); /* NULL is fine */

struct live_result {
  struct settings *settings; /* NULL: as they were; else to be freed with
                                live_settings_free() */
  bool is_new;               /* ${problems} are to be looked at */
  struct problems problems;  /* all that is wrong now; to be freed */
  size_t n_rejected; /* files that were rejected in this read, and not before */
  int64_t next_ns;   /* read again then, without any event; CLOCK_NEVER */
};

/* live_read(live, now_ns, ret): looks at all files, and reads those that are
 * due. The first time it always gives settings, with what is well, as at a
 * start. STATUS_NO_MEMORY: nothing has changed, and ${ret} holds nothing. */
enum status live_read(struct live *live, int64_t now_ns,
                      struct live_result *ret);

void live_settings_free(struct settings *settings); /* NULL is fine */

/* live_root(live, i): the items of source number ${i} that are in use: 0 is the
 * base, then the files; NULL past the last. */
const struct config_item *live_root(const struct live *live, size_t i);

/* live_folders(live, visit, cookie): each folder in which something that it
 * reads may come, change or go; some more than once. STATUS_NO_MEMORY. */
enum status live_folders(const struct live *live,
                         enum status (*visit)(void *cookie, const char *folder),
                         void *cookie);

#endif
