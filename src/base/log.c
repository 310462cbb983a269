/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/log.h"

#include "base/clock.h"
#include "base/line.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

#define LINE_MAX_BYTES 1000
#define REPEAT_FIRST_NS (60 * CLOCK_NS_PER_S)
#define REPEAT_MAX_NS (3600 * CLOCK_NS_PER_S)

static struct {
  log_sink_f *write;
  void *cookie;
} log_sink;

void log_set_sink(log_sink_f *sink, void *cookie) {
  log_sink.write = sink;
  log_sink.cookie = cookie;
}

void log_write(enum log_level level, const char *format, ...) {
  if (!log_sink.write)
    return;
  int saved_errno = errno;
  char line[LINE_MAX_BYTES + 1];
  va_list args;
  va_start(args, format);
  line_format(line, sizeof(line), format, args);
  va_end(args);
  log_sink.write(log_sink.cookie, level, line);
  errno = saved_errno;
}

bool log_repeat_due(struct log_repeat *repeat, int64_t now_ns) {
  if (repeat->has_passed) {
    repeat->has_passed = false;
    repeat->held_back = 0;
  }
  if (repeat->interval_ns == 0)
    repeat->interval_ns = REPEAT_FIRST_NS;
  else if (now_ns < repeat->next_ns) {
    repeat->held_back++;
    return false;
  } else if (repeat->interval_ns < REPEAT_MAX_NS / 2)
    repeat->interval_ns *= 2;
  else
    repeat->interval_ns = REPEAT_MAX_NS;
  repeat->next_ns = now_ns + repeat->interval_ns;
  repeat->has_passed = true;
  return true;
}

bool log_repeat_clear(struct log_repeat *repeat) {
  bool was_told = repeat->interval_ns != 0;
  *repeat = (struct log_repeat){0};
  return was_told;
}
