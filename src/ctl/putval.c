/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/putval.h"

#include "base/num.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void add_part(struct buf *out, const char *text) {
  size_t len = strnlen(text, SAMPLE_NAME_MAX - 1);
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c < ' ' || c == 0x7f || c == '/')
      c = '_';
    if (c == '"' || c == '\\')
      buf_add(out, "\\", 1);
    buf_add(out, &c, 1);
  }
}

static void add_pair(struct buf *out, const char *name, const char *instance) {
  add_part(out, name);
  if (*instance)
    buf_add(out, "-", 1);
  add_part(out, instance);
}

static void add_seconds(struct buf *out, int64_t ns) {
  int64_t ms = ns / 1000000;
  buf_printf(out, "%" PRId64 ".%03" PRId64, ms / 1000, ms % 1000);
}

static void add_value(struct buf *out, bool is_derive, int64_t derive,
                      double gauge) {
  char number[32];
  if (is_derive) {
    buf_printf(out, ":%" PRId64, derive);
  } else if (isfinite(gauge)) {
    num_format_real(number, sizeof(number), gauge);
    buf_printf(out, ":%s", number);
  } else {
    buf_add_text(out, ":U");
  }
}

enum status putval_line(struct buf *out, const struct sample *sample,
                        const char *type, const char *host) {
  size_t begin = out->len;
  buf_add_text(out, "PUTVAL \"");
  add_part(out, sample->host[0] ? sample->host : host);
  buf_add(out, "/", 1);
  add_pair(out, sample->plugin, sample->plugin_instance);
  buf_add(out, "/", 1);
  add_pair(out, type, sample->type_instance);
  buf_add_text(out, "\" interval=");
  add_seconds(out, sample->interval_ns);
  buf_add(out, " ", 1);
  if (sample->time_ns > 0)
    add_seconds(out, sample->time_ns);
  else
    buf_add(out, "N", 1);
  add_value(out, sample->is_derive, sample->derive, sample->gauge);
  for (size_t i = 0; i < sample->n_more; i++)
    add_value(out, sample->is_derive, sample->more_derive[i],
              sample->more_gauge[i]);
  enum status status = buf_add(out, "\n", 1);
  if (!status && out->len - begin > PUTVAL_LINE_MAX)
    status = STATUS_INVALID;
  if (status && out->data) {
    out->len = begin;
    out->data[begin] = '\0';
  }
  return status;
}
