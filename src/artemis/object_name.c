/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/object_name.h"

#include "jolokia/objectname.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_property(struct buf *out, const char *key, const char *value) {
  buf_printf(out, ",%s=", key);
  if (value)
    objectname_quote(out, value, strlen(value));
  else
    buf_add_text(out, "*");
}

void object_name_address(struct buf *out, const char *broker,
                         const char *address) {
  buf_clear(out);
  buf_printf(out, "%s,component=addresses", broker);
  add_property(out, "address", address);
}

void object_name_queue(struct buf *out, const char *broker, const char *address,
                       const char *routing_type, const char *queue) {
  object_name_address(out, broker, address);
  buf_add_text(out, ",subcomponent=queues");
  add_property(out, "routing-type", routing_type);
  add_property(out, "queue", queue);
}

void object_name_divert(struct buf *out, const char *broker,
                        const char *address, const char *divert) {
  object_name_address(out, broker, address);
  buf_add_text(out, ",subcomponent=diverts");
  add_property(out, "divert", divert);
}

char *object_name_brokers(const char *jmx_domain) {
  char *name;
  return asprintf(&name, "%s:broker=*", jmx_domain) < 0 ? NULL : name;
}

char *object_name_key(const char *name, size_t len, const char *key) {
  struct objectname parsed;
  struct error error;
  size_t plain_len;
  char *plain = malloc(len + 1);
  if (plain && !objectname_parse(name, len, &parsed, &error)) {
    const struct objectname_property *property = objectname_get(&parsed, key);
    if (property && !objectname_unquote(property, plain, len + 1, &plain_len))
      return plain;
  }
  free(plain);
  return NULL;
}
