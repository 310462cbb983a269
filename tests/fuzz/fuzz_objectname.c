/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Any text, quoted, is a literal that unquotes to the same text; a name equals
 * and matches itself with its properties in another order. */
#include "fuzz.h"
#include "jolokia/objectname.h"

#include <string.h>

static void check_quote(const char *text, size_t size) {
  struct buf out;
  struct objectname name;
  size_t len = 0;
  char *plain = malloc(size + 1);
  FUZZ_CHECK(plain);
  buf_init(&out, 2 * size + 16);
  buf_add_text(&out, "d:q=");
  FUZZ_CHECK(objectname_quote(&out, text, size) == STATUS_OK);
  if (!memchr(text, '\0', size)) {
    FUZZ_CHECK(objectname_parse(out.data, out.len, &name, NULL) == STATUS_OK);
    FUZZ_CHECK(!name.is_pattern && name.n_properties == 1);
    FUZZ_CHECK(objectname_unquote(&name.properties[0], plain, size + 1, &len) ==
               STATUS_OK);
    FUZZ_CHECK(len == size && memcmp(plain, text, size) == 0);
  }
  buf_fini(&out);
  free(plain);
}

static void check_name(const struct objectname *name) {
  struct buf out;
  struct objectname turned;
  buf_init(&out, 1 << 20);
  buf_add(&out, name->domain.text, name->domain.len);
  buf_add_text(&out, name->is_list_pattern ? ":*" : ":");
  for (size_t i = name->n_properties; i-- > 0;) {
    const struct objectname_property *property = &name->properties[i];
    buf_add_text(&out, out.data[out.len - 1] == ':' ? "" : ",");
    buf_add(&out, property->key.text, property->key.len);
    buf_add_text(&out, "=");
    buf_add(&out, property->value.text, property->value.len);
  }
  FUZZ_CHECK(objectname_parse(out.data, out.len, &turned, NULL) == STATUS_OK);
  FUZZ_CHECK(objectname_equal(name, &turned) &&
             objectname_equal(&turned, name));
  FUZZ_CHECK(turned.is_pattern == name->is_pattern);
  FUZZ_CHECK(objectname_matches(name, &turned));
  buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  struct objectname name;
  if (size > 0)
    check_quote(text, size);
  if (size < 1 << 16 && objectname_parse(text, size, &name, NULL) == STATUS_OK)
    check_name(&name);
  return 0;
}
