/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/putnotif.h"

#include "artemis/sample.h"
#include "base/clock.h"

#include <inttypes.h>
#include <string.h>

static void add_option(struct buf *out, const char *name, const char *value,
                       size_t max) {
  size_t len = strnlen(value, max - 1);
  buf_printf(out, " %s=\"", name);
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)value[i];
    if (c < ' ' || c == 0x7f)
      c = '_';
    if (c == '"' || c == '\\')
      buf_add(out, "\\", 1);
    buf_add(out, &c, 1);
  }
  buf_add(out, "\"", 1);
}

enum status putnotif_line(struct buf *out, const struct notice *notice,
                          const char *host) {
  const struct notice_row *row = notice_row(notice->event);
  buf_printf(out, "PUTNOTIF severity=%s time=%" PRId64,
             severity_name(row->severity), notice->time_ns / CLOCK_NS_PER_S);
  add_option(out, "host", notice->host[0] ? notice->host : host,
             SAMPLE_NAME_MAX);
  add_option(out, "plugin", NOTICE_PLUGIN, SAMPLE_NAME_MAX);
  if (notice->cluster[0])
    add_option(out, "plugin_instance", notice->cluster, SAMPLE_NAME_MAX);
  add_option(out, "type", NOTICE_TYPE, SAMPLE_NAME_MAX);
  add_option(out, "type_instance", row->instance, SAMPLE_NAME_MAX);
  add_option(out, "message", notice->text, NOTICE_TEXT_MAX);
  return buf_add(out, "\n", 1);
}
