/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/tree.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct file_name {
  struct file_name *next;
  char text[];
};

struct config_tree {
  struct config_item root;
  struct file_name *names;
  size_t n_items;
  struct includes includes;
};

struct config_tree *config_tree_new(void) {
  struct config_tree *tree = calloc(1, sizeof *tree);
  if (!tree)
    return NULL;
  tree->root.key = strdup("");
  if (!tree->root.key) {
    free(tree);
    return NULL;
  }
  return tree;
}

void config_item_fini(struct config_item *item) {
  for (size_t i = 0; i < item->n_values; i++) {
    char *text = item->values[i].text;
    if (text)
      explicit_bzero(text, strlen(text));
    free(text);
  }
  free(item->values);
  config_truncate(item, 0);
  free(item->children);
  free(item->key);
}

void config_truncate(struct config_item *item, size_t n) {
  while (item->n_children > n)
    config_item_fini(&item->children[--item->n_children]);
}

void config_tree_free(struct config_tree *tree) {
  if (!tree)
    return;
  config_item_fini(&tree->root);
  includes_fini(&tree->includes);
  while (tree->names) {
    struct file_name *name = tree->names;
    tree->names = name->next;
    free(name);
  }
  free(tree);
}

struct config_item *config_tree_root(struct config_tree *tree) {
  return &tree->root;
}

const char *config_tree_name(struct config_tree *tree, const char *name) {
  size_t size = strlen(name) + 1;
  struct file_name *copy = malloc(sizeof *copy + size);
  if (!copy)
    return NULL;
  memcpy(copy->text, name, size);
  copy->next = tree->names;
  tree->names = copy;
  return copy->text;
}

bool config_tree_count(struct config_tree *tree) {
  if (tree->n_items >= CONFIG_ITEMS_MAX)
    return false;
  tree->n_items++;
  return true;
}

struct includes *config_tree_includes(struct config_tree *tree) {
  return &tree->includes;
}

/* Arrays have no capacity of their own: they double at each power of two. */
static bool is_full(size_t n) { return (n & (n - 1)) == 0; }

static enum status children_grow(struct config_item *parent) {
  if (!is_full(parent->n_children))
    return STATUS_OK;
  size_t capacity = parent->n_children ? 2 * parent->n_children : 1;
  struct config_item *children =
      reallocarray(parent->children, capacity, sizeof *children);
  if (!children)
    return STATUS_NO_MEMORY;
  parent->children = children;
  for (size_t i = 0; i < parent->n_children; i++)
    for (size_t j = 0; j < children[i].n_children; j++)
      children[i].children[j].parent = &children[i];
  return STATUS_OK;
}

struct config_item *config_add_item(struct config_item *parent,
                                    const char *key) {
  char *copy = strdup(key);
  if (!copy || children_grow(parent)) {
    free(copy);
    return NULL;
  }
  struct config_item *item = &parent->children[parent->n_children++];
  *item = (struct config_item){.key = copy, .parent = parent};
  return item;
}

void config_detach_last(struct config_item *parent, struct config_item *ret) {
  *ret = parent->children[--parent->n_children];
}

static enum status add_value(struct config_item *item,
                             const struct config_value *value) {
  if (!value->text)
    return STATUS_NO_MEMORY;
  if (is_full(item->n_values)) {
    size_t capacity = item->n_values ? 2 * item->n_values : 1;
    struct config_value *values =
        reallocarray(item->values, capacity, sizeof *values);
    if (!values) {
      explicit_bzero(value->text, strlen(value->text));
      free(value->text);
      return STATUS_NO_MEMORY;
    }
    item->values = values;
  }
  item->values[item->n_values++] = *value;
  return STATUS_OK;
}

enum status config_take_text(struct config_item *item, char *text) {
  return add_value(item,
                   &(struct config_value){.type = CONFIG_TEXT, .text = text});
}

enum status config_add_text(struct config_item *item, const char *text) {
  return config_take_text(item, strdup(text));
}

enum status config_add_number(struct config_item *item, double number) {
  char text[32];
  num_format_real(text, sizeof text, number);
  return add_value(item, &(struct config_value){.type = CONFIG_NUMBER,
                                                .text = strdup(text),
                                                .number = number});
}

enum status config_add_bool(struct config_item *item, bool is_true) {
  return add_value(
      item, &(struct config_value){.type = CONFIG_BOOL,
                                   .text = strdup(is_true ? "true" : "false"),
                                   .number = is_true ? 1 : 0});
}

bool config_key_is(const struct config_item *item, const char *key) {
  return item->key && strcasecmp(item->key, key) == 0;
}

bool config_first_text_is(const struct config_item *item, const char *text) {
  return item->n_values > 0 && item->values[0].type == CONFIG_TEXT &&
         strcasecmp(item->values[0].text, text) == 0;
}

bool config_is_plugin_block(const struct config_item *item) {
  return config_key_is(item, "Plugin") && config_first_text_is(item, "jolokia");
}

bool config_is_collectd_conf(const struct config_item *root) {
  for (size_t i = 0; i < root->n_children; i++)
    if (config_key_is(&root->children[i], "Plugin") ||
        config_key_is(&root->children[i], "LoadPlugin"))
      return true;
  return false;
}

const char *config_cluster_of(const struct config_item *item) {
  for (; item; item = item->parent)
    if (config_key_is(item, "Cluster") && item->n_values > 0 &&
        item->values[0].type == CONFIG_TEXT)
      return item->values[0].text;
  return "";
}
