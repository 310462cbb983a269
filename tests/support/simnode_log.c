/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int log_fd = -1;

int64_t now_ns(void) {
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void log_open(const char *path) {
  log_fd =
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  if (log_fd < 0) {
    perror(path);
    exit(2);
  }
}

/* One write a line: who reads the log sees whole lines, at once. */
__attribute__((format(printf, 3, 0))) static void
add_line(const struct conn *conn, int64_t at_ns, const char *format,
         va_list arguments) {
  struct text line = {0};
  char *words;
  char head[96];

  if (log_fd < 0)
    return;
  if (vasprintf(&words, format, arguments) < 0)
    exit(1);
  snprintf(head, sizeof head, "%" PRId64 " %u %" PRIu64 " ", at_ns,
           conn->port->number, conn->number);
  text_addz(&line, head);
  text_addz(&line, words);
  text_addz(&line, "\n");
  if (write(log_fd, line.bytes, line.len) < 0)
    perror("simnode: log");
  text_free(&line);
  free(words);
}

void log_line(const struct conn *conn, const char *format, ...) {
  va_list arguments;

  va_start(arguments, format);
  add_line(conn, now_ns(), format, arguments);
  va_end(arguments);
}

void log_arrival(const struct conn *conn, const char *format, ...) {
  va_list arguments;

  va_start(arguments, format);
  add_line(conn, conn->arrived_ns, format, arguments);
  va_end(arguments);
}
