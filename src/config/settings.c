/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/settings.h"

#include "config/load.h"
#include "config/value.h"

#include <stdio.h>
#include <stdlib.h>

__attribute__((format(printf, 5, 0))) static void
tell(struct loader *loader, size_t cluster, const struct config_item *item,
     bool is_warning, const char *format, va_list args) {
  struct draft_cluster *of =
      cluster < loader->n_clusters ? &loader->clusters[cluster] : NULL;
  char text[1024];
  if (vsnprintf(text, sizeof text, format, args) < 0)
    text[0] = 0;
  if (of && !is_warning)
    of->is_bad = true;
  problems_add(loader->problems, item, of ? of->name : NULL, is_warning, "%s",
               text);
}

void load_refuse(struct loader *loader, const struct config_item *item,
                 const char *format, ...) {
  va_list args;
  va_start(args, format);
  tell(loader, loader->cluster, item, false, format, args);
  va_end(args);
}

void load_warn(struct loader *loader, const struct config_item *item,
               const char *format, ...) {
  va_list args;
  va_start(args, format);
  tell(loader, loader->cluster, item, true, format, args);
  va_end(args);
}

void load_refuse_cluster(struct loader *loader, size_t cluster,
                         const struct config_item *item, const char *format,
                         ...) {
  va_list args;
  va_start(args, format);
  tell(loader, cluster, item, false, format, args);
  va_end(args);
}

static bool add_cluster(struct loader *loader, const struct config_item *item) {
  struct draft_cluster *clusters =
      reallocarray(loader->clusters, loader->n_clusters + 1, sizeof *clusters);
  if (!clusters) {
    loader->status = STATUS_NO_MEMORY;
    return false;
  }
  loader->clusters = clusters;
  loader->cluster = loader->n_clusters++;
  loader->told = 0;
  loader->is_login_bad = false;
  clusters[loader->cluster] = (struct draft_cluster){
      .item = item, .name = "", .is_bad = item->is_broken};
  return true;
}

static void name_cluster(struct loader *loader,
                         const struct config_item *item) {
  if (item->n_values != 1 || item->values[0].type != CONFIG_TEXT) {
    load_refuse(loader, item,
                "Cluster: needs one name, in quotes; write <Cluster \"NAME\">");
    return;
  }
  const char *reason = value_name_error(item->values[0].text);
  if (reason)
    load_refuse(loader, item, "Cluster: its name %s", reason);
  else
    loader->clusters[loader->cluster].name = item->values[0].text;
}

static void load_cluster(struct loader *loader,
                         const struct config_item *item) {
  if (!add_cluster(loader, item))
    return;
  name_cluster(loader, item);
  struct node_settings node;
  struct level level = {.node = &node};
  loader->status = node_copy(&node, &loader->defaults);
  if (!loader->status &&
      text_set(&node.cluster, loader->clusters[loader->cluster].name))
    loader->status = STATUS_NO_MEMORY;
  if (!loader->status)
    level_apply(loader, &level, item, IN_CLUSTER);
  bool has_node = false;
  for (size_t i = 0; i < item->n_children && !loader->status; i++)
    if (config_key_is(&item->children[i], "Node")) {
      has_node = true;
      load_node(loader, &item->children[i], &node);
    }
  /* Where a line could not be read, it may have been that one. */
  if (!has_node && !item->is_broken && !loader->status)
    load_refuse(loader, item,
                "Cluster: has no node; write Node \"NAME\" \"URL\" in it");
  node_fini(&node);
}

static void load_clusters(struct loader *loader,
                          const struct config_item *scope) {
  for (size_t i = 0; i < scope->n_children && !loader->status; i++)
    if (config_key_is(&scope->children[i], "Cluster"))
      load_cluster(loader, &scope->children[i]);
}

/* The plugin's options are all known before the first cluster is looked at. */
static void load_scopes(struct loader *loader, const struct config_item *root) {
  bool is_conf = config_is_collectd_conf(root);
  struct level level = {.node = &loader->defaults};
  loader->cluster = SIZE_MAX;
  if (!is_conf)
    level_apply(loader, &level, root, IN_PLUGIN);
  for (size_t i = 0; i < root->n_children && is_conf; i++)
    if (config_is_plugin_block(&root->children[i]))
      level_apply(loader, &level, &root->children[i], IN_PLUGIN);
  if (!is_conf)
    load_clusters(loader, root);
  for (size_t i = 0; i < root->n_children && is_conf; i++)
    if (config_is_plugin_block(&root->children[i]))
      load_clusters(loader, &root->children[i]);
}

static enum status take_nodes(struct loader *loader) {
  struct settings *settings = loader->settings;
  if (loader->n_nodes == 0)
    return STATUS_OK;
  settings->nodes = calloc(loader->n_nodes, sizeof *settings->nodes);
  if (!settings->nodes)
    return STATUS_NO_MEMORY;
  for (size_t i = 0; i < loader->n_nodes; i++) {
    struct draft_node *draft = &loader->nodes[i];
    if (loader->clusters[draft->cluster].is_bad)
      continue;
    settings->nodes[settings->n_nodes++] = draft->node;
    draft->node = (struct node_settings){0};
  }
  return STATUS_OK;
}

static void count_clusters(const struct loader *loader) {
  for (size_t i = 0; i < loader->n_clusters; i++)
    if (loader->clusters[i].is_bad)
      loader->settings->n_clusters_left_out++;
    else
      loader->settings->n_clusters++;
}

static void loader_fini(struct loader *loader) {
  for (size_t i = 0; i < loader->n_nodes; i++)
    node_fini(&loader->nodes[i].node);
  free(loader->nodes);
  free(loader->clusters);
  node_fini(&loader->defaults);
}

enum status settings_load(struct config_tree *tree,
                          const struct settings_rules *rules,
                          struct settings *ret, struct problems *problems) {
  size_t n_errors = problems->n_errors;
  struct loader loader = {
      .rules = rules, .settings = ret, .problems = problems};
  const struct config_item *root = config_tree_root(tree);
  *ret = (struct settings){0};
  level_defaults(&loader);
  if (!loader.status)
    load_scopes(&loader, root);
  if (!loader.status)
    cross_check(&loader);
  if (!loader.status)
    loader.status = take_nodes(&loader);
  if (!loader.status)
    count_clusters(&loader);
  else
    settings_fini(ret);
  loader_fini(&loader);
  if (loader.status)
    return STATUS_NO_MEMORY;
  return problems->n_errors > n_errors ? STATUS_INVALID : STATUS_OK;
}

void settings_fini(struct settings *settings) {
  for (size_t i = 0; i < settings->n_nodes; i++)
    node_fini(&settings->nodes[i]);
  free(settings->nodes);
  free(settings->state_dir);
  patterns_fini(&settings->cluster_files);
  *settings = (struct settings){0};
}

uint64_t settings_memory(const struct settings *settings) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < settings->n_nodes; i++) {
    const struct ceiling_numbers *ceiling = &settings->nodes[i].ceiling;
    bytes += (16384 + ceiling->max_object_bytes) * ceiling->max_in_flight;
  }
  return bytes;
}

uint64_t settings_broker_memory(const struct settings *settings,
                                const struct node_settings *node) {
  return node->ceiling.max_response_bytes * node->ceiling.max_in_flight *
         settings->instances;
}

const char *settings_empty_remedy(bool has_mistakes) {
  return has_mistakes ? "mend the mistakes told above"
                      : "add <Cluster> blocks with Node lines";
}
