/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef TESTS_SHARE_RIG_H
#define TESTS_SHARE_RIG_H

#include "client/share.h"

#include "base/clock.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Shares of one node on real files, in virtual time. Two of them in one process
 * are as two processes: each opens the file for itself. */

#define MS CLOCK_NS_PER_MS
#define S CLOCK_NS_PER_S
#define URL "https://broker-a.example.net:8161/console/jolokia"
#define SIDES 3

struct side {
  struct sharing sharing;
  struct share share;
  struct ceiling ceiling;
  struct waiter waiter;
  uint64_t sent;
};
static struct side sides[SIDES];
static struct ceiling_settings settings;
static char root[64];
static char state_dir[128];
static int64_t now_ns;
static int n_lines;
static char last_line[1024];

static inline void keep_line(void *cookie, enum log_level level,
                             const char *line) {
  (void)cookie, (void)level;
  n_lines++;
  snprintf(last_line, sizeof(last_line), "%s", line);
}

static inline void open_side(int i, bool is_daemon) {
  struct side *side = &sides[i];
  *side = (struct side){.sent = 0};
  ck_assert_int_eq(sharing_init(&side->sharing, state_dir, is_daemon, false),
                   STATUS_OK);
  ceiling_init(&side->ceiling, &settings, now_ns);
  side->sharing.self.pid = 1000 + i;
  share_init(&side->share, &side->sharing, &side->ceiling, URL);
}

static inline void close_side(int i) {
  share_fini(&sides[i].share, true);
  sharing_fini(&sides[i].sharing);
}

static inline void set_up(void) {
  snprintf(root, sizeof(root), "/tmp/check_share.XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(root));
  snprintf(state_dir, sizeof(state_dir), "%s/state", root);
  settings = ceiling_settings_default(10 * S);
  now_ns = clock_mono_ns(); /* share_fini() reads the clock */
  n_lines = 0;
  log_set_sink(keep_line, NULL);
  for (int i = 0; i < SIDES; i++)
    open_side(i, i == 0);
}

static inline void tear_down(void) {
  char command[128];
  for (int i = 0; i < SIDES; i++)
    close_side(i);
  snprintf(command, sizeof(command), "rm -rf '%s'", root);
  ck_assert_int_eq(system(command), 0);
}

static inline char *record_path(void) {
  static char path[256];
  struct record record;
  struct record_folder *folder = NULL;
  ck_assert_int_eq(record_folder_open(state_dir, &folder, NULL), STATUS_OK);
  record_init(&record, folder, URL);
  snprintf(path, sizeof(path), "%s/%s", state_dir, record.name);
  record_folder_close(folder);
  return path;
}

static inline void put_file(const void *bytes, size_t len) {
  int fd = open(record_path(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, bytes, len), (ssize_t)len);
  close(fd);
}

static inline int lock_file(void) {
  int fd = open(record_path(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  ck_assert_int_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
  return fd;
}

/* As the client does it, with a request that is over at once. */
static inline void send_what_may(struct side *side) {
  struct share *share = &side->share;
  enum status status;
  for (;;) {
    share_serve(share, true, now_ns);
    struct waiter *waiter = ceiling_next(&side->ceiling, now_ns, &status);
    if (!waiter)
      return;
    if (status == STATUS_OK) {
      side->sent++;
      share->used[waiter->owner].requests++;
      ceiling_release(&side->ceiling, waiter);
      share->is_dirty = true;
    }
  }
}

static inline void want(struct side *side) {
  if (!side->waiter.is_waiting)
    (void)ceiling_enter(&side->ceiling, &side->waiter, OWNER_COMMAND, 1, 0,
                        CLOCK_NEVER, now_ns);
}

/* The first ${n} always have work, for so long; in steps of 1 ms. */
static inline uint64_t run(int n, int64_t for_ns) {
  uint64_t sent = 0;
  int64_t end_ns = now_ns + for_ns;
  for (int i = 0; i < n; i++)
    sides[i].sent = 0;
  for (; now_ns < end_ns; now_ns += MS)
    for (int i = 0; i < n; i++) {
      want(&sides[i]);
      send_what_may(&sides[i]);
    }
  for (int i = 0; i < n; i++)
    sent += sides[i].sent;
  return sent;
}

/* Nobody waits any more: what was reserved is given back. */
static inline void settle(void) {
  for (int i = SIDES - 1; i >= 0; i--) {
    ceiling_leave(&sides[i].ceiling, &sides[i].waiter);
    share_serve(&sides[i].share, true, now_ns);
  }
}

#endif
