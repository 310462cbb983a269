/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/pem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status refuse(const char *path, const char *option, const char *why,
                          struct error *error) {
  return error_set(error, STATUS_INVALID,
                   "%s \"%s\": %s: name a readable PEM file of at most 1 MiB",
                   option, path, why);
}

static enum status read_all(int fd, struct buf *ret) {
  char piece[4096];
  for (;;) {
    ssize_t n = read(fd, piece, sizeof(piece));
    if (n < 0)
      return STATUS_INVALID;
    if (n == 0)
      return STATUS_OK;
    enum status status = buf_add(ret, piece, (size_t)n);
    explicit_bzero(piece, sizeof(piece));
    if (status != STATUS_OK)
      return status;
  }
}

enum status pem_read(const char *path, const char *option, struct buf *ret,
                     struct error *error) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return refuse(path, option, strerrorname_np(errno), error);
  struct stat file;
  if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) {
    close(fd);
    return refuse(path, option, "not a regular file", error);
  }
  buf_init(ret, PEM_MAX);
  enum status status = read_all(fd, ret);
  close(fd);
  if (status == STATUS_OK && strstr(buf_text(ret), "-----BEGIN "))
    return STATUS_OK;
  buf_wipe(ret);
  if (status == STATUS_NO_MEMORY)
    return error_set(error, status, "no memory for %s", option);
  if (status == STATUS_OK)
    return refuse(path, option, "no PEM in it", error);
  return refuse(path, option, "it cannot be read whole", error);
}
