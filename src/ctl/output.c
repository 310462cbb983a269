/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/output.h"

#include "artemis/attributes.h"
#include "base/line.h"
#include "base/num.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OBJECT_WIDTH 36
#define ATTRIBUTE_WIDTH 29
#define VALUE_WIDTH 16

/* -- JSON -- */

void member_begin(struct buf *out) { buf_add_text(out, "{"); }

static void add_key(struct buf *out, const char *key) {
  buf_printf(out, "%s\"%s\":", out->data[out->len - 1] == '{' ? "" : ",", key);
}

void member_text(struct buf *out, const char *key, const char *text) {
  add_key(out, key);
  if (text)
    text_add_json(out, text, strlen(text));
  else
    buf_add_text(out, "null");
}

void member_texts(struct buf *out, const char *key, const char *const *texts,
                  size_t n) {
  add_key(out, key);
  buf_add_text(out, "[");
  for (size_t i = 0; i < n; i++) {
    buf_add_text(out, i ? "," : "");
    text_add_json(out, texts[i], strlen(texts[i]));
  }
  buf_add_text(out, "]");
}

void member_int(struct buf *out, const char *key, int64_t value) {
  add_key(out, key);
  buf_printf(out, "%" PRId64, value);
}

void member_real(struct buf *out, const char *key, double value) {
  char number[32];
  add_key(out, key);
  num_format_real(number, sizeof(number), value);
  buf_add_text(out, isfinite(value) ? number : "null");
}

void member_bool(struct buf *out, const char *key, bool value) {
  add_key(out, key);
  buf_add_text(out, value ? "true" : "false");
}

void member_times(struct buf *out, const char *key, const int64_t *times_ns,
                  size_t n) {
  char number[32];
  add_key(out, key);
  buf_add_text(out, "[");
  for (size_t i = 0; i < n; i++) {
    num_format_real(number, sizeof(number), (double)(times_ns[i] / 1000) / 1e3);
    buf_printf(out, "%s%s", i ? "," : "", number);
  }
  buf_add_text(out, "]");
}

void member_end(struct buf *out) { buf_add_text(out, "}\n"); }

/* -- Values -- */

const char *output_unit(const struct sample *sample) {
  return sample->attribute ? sample->attribute->unit : "";
}

static size_t add_number(char *dst, size_t size, bool is_derive, int64_t derive,
                         double gauge) {
  if (!is_derive)
    return num_format_real(dst, size, gauge);
  int len = snprintf(dst, size, "%" PRId64, derive);
  return len > 0 && (size_t)len < size ? (size_t)len : 0;
}

void output_number(char *dst, size_t size, const struct sample *sample) {
  size_t len =
      add_number(dst, size, sample->is_derive, sample->derive, sample->gauge);
  for (size_t i = 0; i < sample->n_more && len + 1 < size; i++) {
    dst[len++] = ':';
    len += add_number(dst + len, size - len, sample->is_derive,
                      sample->more_derive[i], sample->more_gauge[i]);
  }
}

static void add_value(struct buf *out, bool is_derive, int64_t derive,
                      double gauge) {
  char number[32];
  num_format_real(number, sizeof(number), gauge);
  if (is_derive)
    buf_printf(out, "%" PRId64, derive);
  else
    buf_add_text(out, isfinite(gauge) ? number : "null");
}

/* Of a type with several data sources. */
static void add_values(struct buf *out, const struct sample *sample) {
  add_key(out, "values");
  buf_add_text(out, "[");
  add_value(out, sample->is_derive, sample->derive, sample->gauge);
  for (size_t i = 0; i < sample->n_more; i++) {
    buf_add_text(out, ",");
    add_value(out, sample->is_derive, sample->more_derive[i],
              sample->more_gauge[i]);
  }
  buf_add_text(out, "]");
}

void output_value_json(struct buf *out, const char *cluster,
                       const struct sample *sample) {
  member_begin(out);
  member_text(out, "cluster", cluster);
  member_text(out, "node", sample->host);
  member_text(out, "object", sample->plugin_instance);
  member_text(out, "attribute", sample->type_instance);
  member_text(out, "type", sample->type);
  if (sample->is_derive)
    member_int(out, "value", sample->derive);
  else
    member_real(out, "value", sample->gauge);
  if (sample->n_more > 0)
    add_values(out, sample);
  member_text(out, "unit", output_unit(sample));
  member_real(out, "time", (double)(sample->time_ns / 1000000) / 1000);
  member_end(out);
}

/* Columns that ${text} takes: characters, for names as people give them. */
static size_t width_of(const char *text) {
  size_t width = 0;
  for (; *text; text++)
    width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

static void add_column(struct buf *out, const char *text, size_t width,
                       bool is_right) {
  size_t used = width_of(text);
  int gap = used < width ? (int)(width - used) : 0;
  if (is_right)
    buf_printf(out, "%*s%s ", gap, "", text);
  else
    buf_printf(out, "%s%*s ", text, gap, "");
}

static void add_row(struct buf *out, const char *object, const char *attribute,
                    const char *value, const char *unit) {
  add_column(out, object, OBJECT_WIDTH, false);
  add_column(out, attribute, ATTRIBUTE_WIDTH, false);
  add_column(out, value, VALUE_WIDTH, true);
  buf_add_text(out, unit);
  buf_add_text(out, "\n");
}

void output_value_head(struct buf *out) {
  add_row(out, "OBJECT", "ATTRIBUTE", "VALUE", "UNIT");
}

void output_value_row(struct buf *out, const struct sample *sample) {
  char number[OUTPUT_NUMBER_MAX];
  output_number(number, sizeof(number), sample);
  add_row(out, sample->plugin_instance, sample->type_instance, number,
          output_unit(sample));
}

/* -- Standard output -- */

struct output output_begin(bool is_json) {
  const char *no_color = getenv("NO_COLOR");
  const char *term = getenv("TERM");
  return (struct output){.is_json = is_json,
                         .has_color = !is_json && isatty(STDOUT_FILENO) == 1 &&
                                      !(no_color && *no_color) && term &&
                                      strcmp(term, "dumb") != 0};
}

static void note_failure(struct output *output) {
  if (!output->is_broken && errno != EPIPE)
    perror("jolokiactl: standard output");
  output->is_broken = true;
}

/* The length of a colour at ${text}, a 0-terminated string; 0: there is none.
 */
static size_t color_len(const char *text) {
  size_t n = strncmp(text, "\033[", 2) == 0 ? strspn(text + 2, "0123") : 0;
  return n > 0 && text[2 + n] == 'm' ? n + 3 : 0;
}

void output_clean(struct buf *buf) {
  for (size_t i = 0; i < buf->len;) {
    unsigned char c = (unsigned char)buf->data[i];
    size_t color = color_len(buf->data + i);
    if (!color && (c < 32 || c == 127) && c != '\n' && c != '\t')
      buf->data[i] = '?';
    i += color ? color : 1;
  }
}

void output_write(struct output *output, struct buf *buf) {
  output_clean(buf);
  if (!output->is_broken && buf->len > 0 &&
      fwrite(buf->data, 1, buf->len, stdout) != buf->len)
    note_failure(output);
  buf_clear(buf);
}

void output_note(const char *format, ...) {
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  line_format(line, sizeof(line), format, arguments);
  va_end(arguments);
  fprintf(stderr, "%s\n", line);
}

bool output_end(struct output *output) {
  if (!output->is_broken && fflush(stdout) != 0)
    note_failure(output);
  return !output->is_broken;
}

void output_colored(const struct output *output, struct buf *out,
                    enum output_color color, const char *text) {
  static const char *const codes[] = {[COLOR_NONE] = "",
                                      [COLOR_BOLD] = "\033[1m",
                                      [COLOR_GOOD] = "\033[32m",
                                      [COLOR_BAD] = "\033[31m",
                                      [COLOR_WARN] = "\033[33m"};
  bool has_color = output->has_color && color != COLOR_NONE;
  if (has_color)
    buf_add_text(out, codes[color]);
  buf_add_text(out, text);
  if (has_color)
    buf_add_text(out, "\033[0m");
}
