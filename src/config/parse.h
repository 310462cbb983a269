/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_PARSE_H
#define CONFIG_PARSE_H

/* collectd's configuration grammar, as a tree; and the list of what is wrong.
 *
 * The tree is the form that settings are checked in, wherever they came from:
 * a file read by config_parse_file(), or collectd's own oconfig tree, which the
 * plugin copies item by item (then ${file} is NULL and ${line} 0, and a mistake
 * is placed by the path of its blocks). */

#include "base/status.h"

#include <stdarg.h>
#include <stddef.h>

enum config_value_type { CONFIG_TEXT, CONFIG_NUMBER, CONFIG_BOOL };

struct config_value {
  enum config_value_type type;
  char *text;    /* CONFIG_TEXT: the string; else as written */
  double number; /* CONFIG_NUMBER; CONFIG_BOOL: 0 or 1 */
};

struct config_item {
  char *key; /* of the root: "" */
  struct config_value *values;
  size_t n_values;
  struct config_item *children;
  size_t n_children;
  const struct config_item *parent; /* NULL for the root */
  const char *file;                 /* owned by the tree */
  int line;
  bool is_broken; /* a line in it, or in a block below, could not be read */
};

/* One thing that is wrong. */
struct problem {
  char place[512]; /* "FILE:LINE" or "<Plugin jolokia>/<Cluster orders>/..." */
  char text[512];  /* item, reason, remedy; never a secret */
  char cluster[128]; /* the cluster that it costs; "" if none */
  bool is_warning;   /* told, but nothing is left out for it */
  bool is_rejected;  /* the file is not taken: what was good before stays */
  size_t source;     /* of the settings: 0 the base, then the files */
};

/* At most PROBLEMS_MAX are kept; the rest are counted. */
#define PROBLEMS_MAX 1000
struct problems {
  struct problem *list;
  size_t n;
  size_t n_errors; /* of all, kept or not */
  size_t n_dropped;
  size_t source; /* of those that are added */
};

void problems_init(struct problems *problems);
void problems_fini(struct problems *problems);

/* problems_add(problems, item, cluster, is_warning, format, ...): places it at
 * ${item} (may be NULL: no place). Never fails: without memory it is counted.
 * problems_add_at(), problems_vadd_at(): the same for a line of a file.
 * ${cluster} may be NULL. */
void problems_add(struct problems *problems, const struct config_item *item,
                  const char *cluster, bool is_warning, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void problems_add_at(struct problems *problems, const char *file, int line,
                     const char *cluster, bool is_warning, const char *format,
                     ...) __attribute__((format(printf, 6, 7)));
void problems_vadd_at(struct problems *problems, const char *file, int line,
                      const char *cluster, bool is_warning, const char *format,
                      va_list args) __attribute__((format(printf, 6, 0)));

/* problems_append(problems, from): those of ${from}, as they are. */
void problems_append(struct problems *problems, const struct problems *from);

/* problems_log(problems, before): a line of the log for each that ${before}
 * (may be NULL) has not. */
void problems_log(const struct problems *problems,
                  const struct problems *before);

struct config_tree; /* a root item and all that it owns */

/* config_tree_new(): an empty root. config_tree_free(tree): NULL is fine; every
 * value is wiped first, as any may be a password. */
struct config_tree *config_tree_new(void);
void config_tree_free(struct config_tree *tree);
struct config_item *config_tree_root(struct config_tree *tree);

/* config_add_item(parent, key), config_add_text/number/bool(item, ...): build a
 * tree by hand (the plugin does). An item's address holds only until its parent
 * gets another child. NULL, STATUS_NO_MEMORY. */
struct config_item *config_add_item(struct config_item *parent,
                                    const char *key);
enum status config_add_text(struct config_item *item, const char *text);
enum status config_add_number(struct config_item *item, double number);
enum status config_add_bool(struct config_item *item, bool is_true);

/* config_parse_file(tree, path, problems): adds the items of ${path} to the
 * root, with Include "GLOB" and <Include "GLOB"> Filter "*.conf" </Include>
 * followed as collectd does (words and globs expanded by wordexp(), sorted,
 * folders recursively, at most 8 deep; outside of blocks only).
 * Every mistake is added to ${problems} with file and line, and reading goes on
 * at the next line where that is safe. At most 16 MiB a file and 100,000 lines
 * and blocks a tree. Agrees with collectd's own parser on what both accept;
 * what this one refuses and collectd does not: bytes outside quotes that
 * collectd skips without a word, and NUL bytes. STATUS_INVALID where an error
 * was added (the tree has all that is well), STATUS_NO_MEMORY. */
enum status config_parse_file(struct config_tree *tree, const char *path,
                              struct problems *problems);

/* config_parse_text(tree, text, len, name, problems): the same for text in
 * memory; ${name} stands as the file's name; Include is refused. */
enum status config_parse_text(struct config_tree *tree, const char *text,
                              size_t len, const char *name,
                              struct problems *problems);

#endif
