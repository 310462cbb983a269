/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_LOG_H
#define BASE_LOG_H

/* Where the core's messages go, and the limit on how often one is repeated. */

#include <stdbool.h>
#include <stdint.h>

enum log_level {
  LOG_LEVEL_ERROR,
  LOG_LEVEL_WARNING,
  LOG_LEVEL_NOTICE,
  LOG_LEVEL_INFO,
  LOG_LEVEL_DEBUG
};

/* Takes one finished line, without a newline. Called on any thread. */
typedef void log_sink_f(void *cookie, enum log_level level, const char *line);

/* log_set_sink(sink, cookie): one sink for the process; NULL discards. Set it
 * before a second thread runs. */
void log_set_sink(log_sink_f *sink, void *cookie);

/* log_write(level, format, ...): at most 1,000 bytes a line, cut at a whole
 * UTF-8 character, control bytes as '?'. Leaves errno as it was. Never blocks
 * by itself. */
void log_write(enum log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The limiter of one repeated message: the first passes at once, then one after
 * 1 min, 2 min, 4 min ... at most an hour apart (collectd's own c_complain
 * doubles in the same way, up to a day), until log_repeat_clear(). */
struct log_repeat {
  int64_t next_ns;     /* CLOCK_MONOTONIC; 0 before the first */
  int64_t interval_ns; /* 0 before the first */
  uint64_t held_back;  /* since the last that passed */
  bool has_passed;     /* the last call returned true */
};

/* log_repeat_due(repeat, now_ns): true when the message may be written now;
 * counts it as held back otherwise. ${repeat->held_back} still holds the number
 * held back before this one when true is returned, and is 0 from the next
 * call. */
bool log_repeat_due(struct log_repeat *repeat, int64_t now_ns);

/* log_repeat_clear(repeat): the trouble is over. True if it had been told, so
 * that the end of it is worth a line. */
bool log_repeat_clear(struct log_repeat *repeat);

#endif
