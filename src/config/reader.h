/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_READER_H
#define CONFIG_READER_H

/* Reading files into a tree: the grammar (parse.c) and Include (include.c),
 * which call each other. */

#include "config/tree.h"

enum { READER_DEPTH_MAX = 8 }; /* of files that include files; collectd's own */

/* reader_file(tree, parent, path, depth, problems): adds the items of a file
 * under ${parent}, and of those that it includes. STATUS_INVALID: it cannot be
 * read at all, and ${parent} is as it was; mistakes in it are only added to
 * ${problems}. STATUS_NO_MEMORY. */
enum status reader_file(struct config_tree *tree, struct config_item *parent,
                        const char *path, int depth, struct problems *problems);

/* reader_include(tree, parent, include, depth, problems): what an Include, that
 * is out of the tree by now, asks for. STATUS_NO_MEMORY. */
enum status reader_include(struct config_tree *tree, struct config_item *parent,
                           const struct config_item *include, int depth,
                           struct problems *problems);

#endif
