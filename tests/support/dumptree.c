/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* dumptree FILE BLOCK: parses a collectd.conf with our parser and prints what
 * stands in its <Plugin BLOCK> blocks, in the form of dumpconfig.c. Mistakes go
 * to standard error, and make the exit status 1. */

#include "config/parse.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static void dump_text(const char *text) {
  putchar('"');
  for (; *text; text++)
    if ((unsigned char)*text < 0x20)
      printf("\\x%02x", (unsigned char)*text);
    else
      putchar(*text);
  putchar('"');
}

static void dump(const struct config_item *item, int depth) {
  printf("%*s%s", 2 * depth, "", item->key);
  for (size_t i = 0; i < item->n_values; i++) {
    const struct config_value *value = &item->values[i];
    putchar(' ');
    if (value->type == CONFIG_TEXT)
      dump_text(value->text);
    else
      printf(value->type == CONFIG_NUMBER ? "number %.17g" : "bool %.0f",
             value->number);
  }
  putchar('\n');
  for (size_t i = 0; i < item->n_children; i++)
    dump(&item->children[i], depth + 1);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: dumptree FILE BLOCK\n");
    return 2;
  }
  struct problems problems;
  problems_init(&problems);
  struct config_tree *tree = config_tree_new();
  if (!tree)
    return 2;
  enum status status = config_parse_file(tree, argv[1], &problems);
  const struct config_item *root = config_tree_root(tree);
  for (size_t i = 0; i < root->n_children; i++)
    if (strcasecmp(root->children[i].key, "Plugin") == 0 &&
        root->children[i].n_values > 0 && root->children[i].n_children > 0 &&
        strcasecmp(root->children[i].values[0].text, argv[2]) == 0)
      dump(&root->children[i], 0);
  for (size_t i = 0; i < problems.n; i++)
    fprintf(stderr, "%s: %s%s\n", problems.list[i].place,
            problems.list[i].is_warning ? "warning: " : "",
            problems.list[i].text);
  config_tree_free(tree);
  problems_fini(&problems);
  return status ? 1 : 0;
}
