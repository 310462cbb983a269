/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/watch.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Not IN_MODIFY: a log file in the same folder would be told of at each line.
 */
#define EVENTS                                                                 \
  (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE |      \
   IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

struct folder {
  char *path;
  int number; /* inotify's */
  bool is_wanted;
};

struct watch {
  int wake;
  int events; /* -1: there is no inotify */
  struct folder folder[WATCH_FOLDERS_MAX];
  size_t n;
};

enum status watch_new(struct watch **ret, struct error *error) {
  struct watch *watch = calloc(1, sizeof *watch);
  if (!watch)
    return error_set(error, STATUS_NO_MEMORY, "no memory to watch files");
  watch->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  watch->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watch->wake < 0) {
    watch_free(watch);
    return error_set(error, STATUS_INVALID,
                     "no descriptor is left: raise the limit of open files "
                     "(LimitNOFILE, ulimit -n)");
  }
  *ret = watch;
  return STATUS_OK;
}

void watch_free(struct watch *watch) {
  if (!watch)
    return;
  for (size_t i = 0; i < watch->n; i++)
    free(watch->folder[i].path);
  if (watch->wake >= 0)
    close(watch->wake);
  if (watch->events >= 0)
    close(watch->events);
  free(watch);
}

void watch_begin(struct watch *watch) {
  for (size_t i = 0; i < watch->n; i++)
    watch->folder[i].is_wanted = false;
}

static struct folder *find(struct watch *watch, const char *path) {
  for (size_t i = 0; i < watch->n; i++)
    if (strcmp(watch->folder[i].path, path) == 0)
      return &watch->folder[i];
  return NULL;
}

/* Two paths of one folder have one number. */
static void unwatch(struct watch *watch, int number) {
  if (number < 0)
    return;
  for (size_t i = 0; i < watch->n; i++)
    if (watch->folder[i].is_wanted && watch->folder[i].number == number)
      return;
  inotify_rm_watch(watch->events, number);
}

/* Once more each time: another folder may have its name by now. */
enum status watch_add(struct watch *watch, const char *path) {
  struct folder *folder = find(watch, path);
  if (watch->events < 0 || (folder && folder->is_wanted) ||
      (!folder && watch->n == WATCH_FOLDERS_MAX))
    return STATUS_OK;
  if (!folder) {
    char *copy = strdup(path);
    if (!copy)
      return STATUS_NO_MEMORY;
    folder = &watch->folder[watch->n++];
    *folder = (struct folder){.path = copy, .number = -1};
  }
  int before = folder->number;
  folder->is_wanted = true;
  folder->number = inotify_add_watch(watch->events, path, EVENTS);
  if (before != folder->number)
    unwatch(watch, before);
  return STATUS_OK;
}

void watch_end(struct watch *watch) {
  size_t n = 0;
  for (size_t i = 0; i < watch->n; i++) {
    struct folder folder = watch->folder[i];
    if (folder.is_wanted) {
      watch->folder[n++] = folder;
      continue;
    }
    unwatch(watch, folder.number);
    free(folder.path);
  }
  watch->n = n;
}

static void drain(int fd) {
  _Alignas(struct inotify_event) char events[4096];
  while (read(fd, events, sizeof events) > 0)
    ;
}

enum watch_outcome watch_wait(struct watch *watch, bool with_events,
                              int64_t until_ns) {
  struct pollfd fds[] = {{.fd = watch->wake, .events = POLLIN},
                         {.fd = watch->events, .events = POLLIN}};
  for (;;) {
    int64_t left_ns = until_ns - clock_mono_ns();
    if (left_ns < 0)
      left_ns = 0;
    struct timespec left = {.tv_sec = left_ns / CLOCK_NS_PER_S,
                            .tv_nsec = left_ns % CLOCK_NS_PER_S};
    int n = ppoll(fds, with_events ? 2 : 1, &left, NULL);
    if (n == 0)
      return WATCH_TIME;
    if (n < 0 && errno != EINTR)
      return WATCH_TIME;
    if (n > 0 && fds[0].revents)
      return WATCH_WOKEN;
    if (n > 0) {
      drain(watch->events);
      return WATCH_EVENT;
    }
  }
}

void watch_wake(struct watch *watch) {
  uint64_t one = 1;
  ssize_t n = write(watch->wake, &one, sizeof one);
  (void)n; /* full: it is woken already */
}
