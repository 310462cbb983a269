/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_OUTPUT_H
#define CTL_OUTPUT_H

/* Results: tables for people, JSON lines for programs. The functions that
 * write into a buffer are pure; none depends on the locale. */

#include "artemis/sample.h"
#include "base/buf.h"

#include <stdio.h>

/* -- JSON: one object a line -- */

/* member_begin(out), then a member each, then member_end(out): an object and
 * its line feed. Text that is no UTF-8 gets U+FFFD; a NULL text is null, and so
 * is a number that is not finite. */
void member_begin(struct buf *out);
void member_text(struct buf *out, const char *key, const char *text);
void member_texts(struct buf *out, const char *key, const char *const *texts,
                  size_t n); /* an array */
void member_int(struct buf *out, const char *key, int64_t value);
void member_real(struct buf *out, const char *key, double value);
void member_bool(struct buf *out, const char *key, bool value);
void member_times(struct buf *out, const char *key, const int64_t *times_ns,
                  size_t n); /* an array, in milliseconds */
void member_end(struct buf *out);

/* -- Values -- */

/* output_unit(sample): for people ("messages"); "" where there is none. */
const char *output_unit(const struct sample *sample);

/* output_number(dst, size, sample): the value as text; ${size} of
 * OUTPUT_NUMBER_MAX suffices. "nan" where a gauge has none; "1:2" where there
 * are several. */
#define OUTPUT_NUMBER_MAX 128
void output_number(char *dst, size_t size, const struct sample *sample);

/* output_value_json(out, cluster, sample): one line. */
void output_value_json(struct buf *out, const char *cluster,
                       const struct sample *sample);

/* output_value_head(out), output_value_row(out, sample): a table's first line
 * and its rows: object, attribute, value, unit. Columns are as wide as names
 * mostly are, so that a row can be written when its value comes. */
void output_value_head(struct buf *out);
void output_value_row(struct buf *out, const struct sample *sample);

/* -- Standard output -- */

struct output {
  bool is_json;
  bool has_color;
  bool is_broken; /* it could not be written; the reader may have gone */
};

/* output_begin(is_json): colours on a terminal alone, and without NO_COLOR. */
struct output output_begin(bool is_json);

/* output_clean(buf): control bytes but line ends, tabs and colours become '?':
 * a terminal would obey them, and names are the brokers' and their clients'. */
void output_clean(struct buf *buf);

/* output_write(output, buf): writes and empties ${buf}, cleaned. */
void output_write(struct output *output, struct buf *buf);

/* output_note(format, ...): a line on standard error; all control bytes become
 * '?'. At most 2,047 bytes. */
void output_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* output_end(output): flushes; false, and told on standard error, where not all
 * was written. */
bool output_end(struct output *output);

enum output_color { COLOR_NONE, COLOR_BOLD, COLOR_GOOD, COLOR_BAD, COLOR_WARN };

/* output_colored(output, out, color, text): ${text} in a colour. */
void output_colored(const struct output *output, struct buf *out,
                    enum output_color color, const char *text);

#endif
