/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/record.h"

#include "base/num.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In /proc/PID/stat; the second stands in parentheses and may have spaces. */
#define FIELD_AFTER_NAME 3
#define FIELD_STARTED 22

static bool read_started(const char *path, uint16_t *ret) {
  char text[1024];
  uint64_t ticks;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t len = read(fd, text, sizeof(text) - 1);
  close(fd);
  text[len > 0 ? len : 0] = '\0';
  const char *at = strrchr(text, ')');
  for (int field = FIELD_AFTER_NAME; at && field <= FIELD_STARTED; field++)
    at = strchr(at + 1, ' ');
  if (!at || !num_uint64(at + 1, strcspn(at + 1, " "), &ticks))
    return false;
  *ret = (uint16_t)ticks;
  return true;
}

static uint16_t own_pids(void) {
  struct stat stat_of;
  return stat("/proc/self/ns/pid", &stat_of) == 0 ? (uint16_t)stat_of.st_ino
                                                  : 0;
}

void record_process_self(struct record_process *ret) {
  *ret = (struct record_process){.pid = getpid()};
  if (read_started("/proc/self/stat", &ret->started))
    ret->pids = own_pids();
}

/* /proc may hide others' processes; a signal that is none reaches them. */
bool record_process_is_gone(const struct record_process *process) {
  char path[64];
  uint16_t started;
  if (process->pids == 0 || process->pids != own_pids())
    return false;
  if (kill(process->pid, 0) != 0 && errno == ESRCH)
    return true;
  snprintf(path, sizeof(path), "/proc/%d/stat", (int)process->pid);
  return read_started(path, &started) && started != process->started;
}
