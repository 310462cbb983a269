/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_FILE_H
#define CONFIG_FILE_H

/* Files that a configuration consists of or names. */

#include "base/status.h"

#include <stdint.h>
#include <sys/types.h>

struct file_text {
  char *bytes; /* ${len} bytes and a 0 */
  size_t len;
  mode_t mode;
};

/* file_read(path, max, ret, error): the whole of a regular file, links
 * followed; never waits, whatever ${path} is. To be freed with file_fini(),
 * which wipes it first. STATUS_INVALID with the reason (it may hold a secret,
 * and the text never does), STATUS_NO_MEMORY. */
enum status file_read(const char *path, size_t max, struct file_text *ret,
                      struct error *error);
void file_fini(struct file_text *file);

/* What tells whether a file is still the same; all 0: there is none. A change
 * of its owner or mode shows, too. */
struct file_mark {
  uint64_t device, inode, size;
  int64_t modified_ns, changed_ns;
  uint64_t included; /* as of struct included; file_look() leaves it 0 */
};

/* file_look(path, ret): links followed; does not open it. */
void file_look(const char *path, struct file_mark *ret);
bool file_mark_is_same(const struct file_mark *a, const struct file_mark *b);

/* A file that is being written is not read: it has to be the same for this
 * long. An editor that writes in several steps takes a few ms. */
#define FILE_SETTLE_NS INT64_C(200000000)

/* One file as it is seen, time after time. */
struct file_watch {
  struct file_mark seen;
  int64_t seen_ns;       /* since when it is like that */
  struct file_mark read; /* as it was when it was read last */
};

/* file_watch_look(watch, path, now_ns, settle_ns): looks. Whether it is to be
 * read: it is another one than was read, and has been so for ${settle_ns}.
 * *${ret_due_ns} is when it will have been, where that is earlier. */
bool file_watch_look(struct file_watch *watch, const char *path, int64_t now_ns,
                     int64_t settle_ns, int64_t *ret_due_ns);

/* file_watch_see(watch, mark, now_ns, settle_ns, ret_due_ns): the same where it
 * is seen already: it is like ${mark}. */
bool file_watch_see(struct file_watch *watch, const struct file_mark *mark,
                    int64_t now_ns, int64_t settle_ns, int64_t *ret_due_ns);

#endif
