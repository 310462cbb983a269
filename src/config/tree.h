/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_TREE_H
#define CONFIG_TREE_H

/* What the readers of this folder do to a tree, beyond building it by hand. */

#include "config/included.h"
#include "config/parse.h"

/* Lines and blocks of one tree, those of included files too. */
#define CONFIG_ITEMS_MAX 100000

/* config_tree_name(tree, name): a copy of a file's name that lives as long as
 * the tree. NULL without memory. */
const char *config_tree_name(struct config_tree *tree, const char *name);

/* config_tree_count(tree): counts one more item; false where that passes
 * CONFIG_ITEMS_MAX, from then on. */
bool config_tree_count(struct config_tree *tree);

/* config_tree_includes(tree): the Includes that were read into it; who wants to
 * keep them takes them out. */
struct includes *config_tree_includes(struct config_tree *tree);

/* config_take_text(item, text): adds a value that owns ${text} (malloc'd), in
 * any outcome. STATUS_NO_MEMORY. */
enum status config_take_text(struct config_item *item, char *text);

/* config_truncate(item, n): frees the children from number ${n} on. */
void config_truncate(struct config_item *item, size_t n);

/* config_detach_last(parent, ret): takes the last child out of the tree; to be
 * freed with config_item_fini(). */
void config_detach_last(struct config_item *parent, struct config_item *ret);
void config_item_fini(struct config_item *item);

/* config_key_is(item, key): as collectd compares keys, without case. */
bool config_key_is(const struct config_item *item, const char *key);

/* config_is_plugin_block(item): <Plugin jolokia>. */
bool config_is_plugin_block(const struct config_item *item);

/* config_first_text_is(item, text): without regard to case, as collectd takes
 * the names of plugins. */
bool config_first_text_is(const struct config_item *item, const char *text);

/* config_is_collectd_conf(root): whether the tree is a collectd.conf, where our
 * settings stand in Plugin blocks, and not a cluster file. */
bool config_is_collectd_conf(const struct config_item *root);

/* config_cluster_of(item): the name of the cluster whose block ${item} is or
 * stands in; "" if none. */
const char *config_cluster_of(const struct config_item *item);

#endif
