/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* A collectd plugin that writes each <Plugin dumpconfig> block, as collectd's
 * own parser read it, to the file that DUMPCONFIG names. dumptree.c prints the
 * same form. */

#include "daemon/collectd.h"

#include "daemon/plugin.h"

static FILE *out;

static void dump_text(const char *text) {
  fputc('"', out);
  for (; *text; text++)
    if ((unsigned char)*text < 0x20)
      fprintf(out, "\\x%02x", (unsigned char)*text);
    else
      fputc(*text, out);
  fputc('"', out);
}

static void dump(const oconfig_item_t *item, int depth) {
  fprintf(out, "%*s%s", 2 * depth, "", item->key);
  for (int i = 0; i < item->values_num; i++) {
    const oconfig_value_t *value = &item->values[i];
    fputc(' ', out);
    if (value->type == OCONFIG_TYPE_STRING)
      dump_text(value->value.string);
    else if (value->type == OCONFIG_TYPE_NUMBER)
      fprintf(out, "number %.17g", value->value.number);
    else
      fprintf(out, "bool %d", value->value.boolean);
  }
  fputc('\n', out);
  for (int i = 0; i < item->children_num; i++)
    dump(&item->children[i], depth + 1);
}

static int dump_block(oconfig_item_t *item) {
  const char *path = getenv("DUMPCONFIG");
  out = path ? fopen(path, "a") : NULL;
  if (!out)
    return -1;
  dump(item, 0);
  fclose(out);
  return 0;
}

static int nothing(void) { return 0; }

__attribute__((visibility("default"))) void module_register(void) {
  plugin_register_complex_config("dumpconfig", dump_block);
  plugin_register_init("dumpconfig", nothing);
}
