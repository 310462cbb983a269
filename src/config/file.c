/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/file.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status set_errno(struct error *error) {
  char reason[128];
  return error_set(error, STATUS_INVALID, "%s",
                   strerror_r(errno, reason, sizeof reason));
}

/* Looked at before it is opened: that alone starts a watchdog or winds back a
 * tape. O_NONBLOCK: a FIFO that took its place would be waited for. */
static enum status open_regular(const char *path, int *ret_fd,
                                struct stat *ret_stat, struct error *error) {
  if (stat(path, ret_stat) != 0)
    return set_errno(error);
  if (!S_ISREG(ret_stat->st_mode))
    return error_set(error, STATUS_INVALID, "not a regular file");
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0)
    return set_errno(error);
  enum status status = STATUS_OK;
  if (fstat(fd, ret_stat) != 0)
    status = set_errno(error);
  else if (!S_ISREG(ret_stat->st_mode))
    status = error_set(error, STATUS_INVALID, "not a regular file");
  if (status) {
    close(fd);
    return status;
  }
  *ret_fd = fd;
  return STATUS_OK;
}

void file_fini(struct file_text *file) {
  if (file->bytes)
    explicit_bzero(file->bytes, file->len);
  free(file->bytes);
  *file = (struct file_text){0};
}

/* One byte more than ${size} shows a file that has grown meanwhile. */
static enum status read_all(int fd, size_t size, struct file_text *ret,
                            struct error *error) {
  struct file_text file = {.bytes = malloc(size + 1)};
  if (!file.bytes)
    return error_set(error, STATUS_NO_MEMORY, "no memory");
  ssize_t n;
  do {
    n = read(fd, file.bytes + file.len, size + 1 - file.len);
    if (n > 0)
      file.len += (size_t)n;
  } while ((n > 0 && file.len <= size) || (n < 0 && errno == EINTR));
  enum status status = STATUS_OK;
  if (n < 0)
    status = set_errno(error);
  else if (file.len > size)
    status = error_set(error, STATUS_INVALID, "changed while it was read");
  if (status) {
    file_fini(&file);
    return status;
  }
  file.bytes[file.len] = 0;
  *ret = file;
  return STATUS_OK;
}

enum status file_read(const char *path, size_t max, struct file_text *ret,
                      struct error *error) {
  struct stat stat;
  int fd = -1;
  enum status status = open_regular(path, &fd, &stat, error);
  if (status)
    return status;
  if (stat.st_size < 0 || (size_t)stat.st_size > max)
    status = error_set(error, STATUS_INVALID,
                       "longer than the %zu bytes that it may have", max);
  else
    status = read_all(fd, (size_t)stat.st_size, ret, error);
  if (!status)
    ret->mode = stat.st_mode;
  close(fd);
  return status;
}

void file_look(const char *path, struct file_mark *ret) {
  struct stat info;
  *ret = (struct file_mark){0};
  if (stat(path, &info) != 0)
    return;
  ret->device = (uint64_t)info.st_dev;
  ret->inode = (uint64_t)info.st_ino;
  ret->size = (uint64_t)info.st_size;
  ret->modified_ns =
      info.st_mtim.tv_sec * CLOCK_NS_PER_S + info.st_mtim.tv_nsec;
  ret->changed_ns = info.st_ctim.tv_sec * CLOCK_NS_PER_S + info.st_ctim.tv_nsec;
}

bool file_mark_is_same(const struct file_mark *a, const struct file_mark *b) {
  return a->device == b->device && a->inode == b->inode && a->size == b->size &&
         a->modified_ns == b->modified_ns && a->changed_ns == b->changed_ns &&
         a->included == b->included;
}

bool file_watch_look(struct file_watch *watch, const char *path, int64_t now_ns,
                     int64_t settle_ns, int64_t *ret_due_ns) {
  struct file_mark mark;
  file_look(path, &mark);
  return file_watch_see(watch, &mark, now_ns, settle_ns, ret_due_ns);
}

bool file_watch_see(struct file_watch *watch, const struct file_mark *mark,
                    int64_t now_ns, int64_t settle_ns, int64_t *ret_due_ns) {
  if (!file_mark_is_same(mark, &watch->seen)) {
    watch->seen = *mark;
    watch->seen_ns = now_ns;
  }
  if (file_mark_is_same(mark, &watch->read))
    return false;
  int64_t due_ns = watch->seen_ns + settle_ns;
  if (now_ns >= due_ns)
    return true;
  if (due_ns < *ret_due_ns)
    *ret_due_ns = due_ns;
  return false;
}
