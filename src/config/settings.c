/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/settings.h"

#include "base/host.h"
#include "config/fields.h"
#include "config/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 5, 0))) static void
tell(struct loader *loader, size_t cluster, const struct config_item *item,
     enum fault fault, const char *format, va_list args) {
  struct draft_cluster *of =
      cluster < loader->n_clusters ? &loader->clusters[cluster] : NULL;
  char text[1024];
  if (vsnprintf(text, sizeof text, format, args) < 0)
    text[0] = 0;
  size_t source = of ? of->source : loader->source;
  if (of && fault)
    of->is_bad = true;
  if (loader->sources->fault && loader->sources->fault[source] < fault)
    loader->sources->fault[source] = fault;
  loader->problems->source = source;
  problems_add(loader->problems, item, of ? of->name : NULL, !fault, "%s",
               text);
}

void load_refuse(struct loader *loader, const struct config_item *item,
                 const char *format, ...) {
  va_list args;
  va_start(args, format);
  tell(loader, loader->cluster, item, FAULT_OWN, format, args);
  va_end(args);
}

void load_spoilt(struct loader *loader, const struct config_item *item,
                 const char *format, ...) {
  va_list args;
  va_start(args, format);
  char text[1024];
  if (vsnprintf(text, sizeof text, format, args) < 0)
    text[0] = 0;
  va_end(args);
  loader->problems->source = loader->source;
  problems_add(loader->problems, item, NULL, false, "%s", text);
}

void load_warn(struct loader *loader, const struct config_item *item,
               const char *format, ...) {
  va_list args;
  va_start(args, format);
  tell(loader, loader->cluster, item, FAULT_NONE, format, args);
  va_end(args);
}

void load_refuse_cluster(struct loader *loader, size_t cluster,
                         const struct config_item *item, const char *format,
                         ...) {
  va_list args;
  va_start(args, format);
  tell(loader, cluster, item, FAULT_BESIDE, format, args);
  va_end(args);
}

static void load_clusters(struct loader *loader,
                          const struct config_item *scope) {
  for (size_t i = 0; i < scope->n_children && !loader->status; i++)
    if (config_key_is(&scope->children[i], "Cluster"))
      load_cluster(loader, &scope->children[i]);
}

static void load_blocks(struct loader *loader, const struct config_item *root) {
  for (size_t i = 0; i < root->n_children; i++)
    if (config_is_plugin_block(&root->children[i]))
      load_clusters(loader, &root->children[i]);
}

/* The plugin's sets and options are all known before the first cluster is
 * looked at. */
static void load_base(struct loader *loader, const struct config_item *root) {
  bool is_conf = config_is_collectd_conf(root);
  struct level level = {.node = &loader->defaults};
  if (!is_conf)
    load_sets(loader, root);
  for (size_t i = 0; i < root->n_children && is_conf; i++)
    if (config_is_plugin_block(&root->children[i]))
      load_sets(loader, &root->children[i]);
  if (!is_conf)
    level_apply(loader, &level, root, IN_PLUGIN);
  for (size_t i = 0; i < root->n_children && is_conf; i++)
    if (config_is_plugin_block(&root->children[i]))
      level_apply(loader, &level, &root->children[i], IN_PLUGIN);
  if (!is_conf)
    load_clusters(loader, root);
  load_blocks(loader, root);
}

static void load_scopes(struct loader *loader) {
  const struct settings_sources *sources = loader->sources;
  loader->cluster = SIZE_MAX;
  load_base(loader, sources->base);
  for (size_t i = 0; i < sources->n_files && !loader->status; i++) {
    loader->source = i + 1;
    load_clusters(loader, sources->files[i]);
    load_blocks(loader, sources->files[i]);
  }
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

static enum status take_clusters(struct loader *loader) {
  struct settings *settings = loader->settings;
  settings->clusters =
      calloc(loader->n_clusters + 1, sizeof *settings->clusters);
  if (!settings->clusters)
    return STATUS_NO_MEMORY;
  for (size_t i = 0; i < loader->n_clusters; i++) {
    struct draft_cluster *draft = &loader->clusters[i];
    if (draft->is_bad) {
      settings->n_clusters_left_out++;
      continue;
    }
    settings->clusters[settings->n_clusters++] = draft->settings;
    draft->settings = (struct cluster_settings){0};
  }
  return STATUS_OK;
}

static void loader_fini(struct loader *loader) {
  for (size_t i = 0; i < loader->n_nodes; i++)
    node_fini(&loader->nodes[i].node);
  free(loader->nodes);
  for (size_t i = 0; i < loader->n_clusters; i++)
    cluster_fini(&loader->clusters[i].settings);
  free(loader->clusters);
  node_fini(&loader->defaults);
  cluster_fini(&loader->cluster_defaults);
}

enum status settings_load(const struct settings_sources *sources,
                          const struct settings_rules *rules,
                          struct settings *ret, struct problems *problems) {
  size_t n_errors = problems->n_errors;
  struct loader loader = {.rules = rules,
                          .sources = sources,
                          .settings = ret,
                          .problems = problems};
  *ret = (struct settings){0};
  level_defaults(&loader);
  if (!loader.status)
    load_scopes(&loader);
  if (!loader.status)
    cross_check(&loader);
  if (!loader.status)
    loader.status = take_nodes(&loader);
  if (!loader.status)
    loader.status = take_clusters(&loader);
  if (loader.status)
    settings_fini(ret);
  loader_fini(&loader);
  problems->source = 0;
  if (loader.status)
    return STATUS_NO_MEMORY;
  return problems->n_errors > n_errors ? STATUS_INVALID : STATUS_OK;
}

void settings_fini(struct settings *settings) {
  for (size_t i = 0; i < settings->n_nodes; i++)
    node_fini(&settings->nodes[i]);
  free(settings->nodes);
  for (size_t i = 0; i < settings->n_clusters; i++)
    cluster_fini(&settings->clusters[i]);
  free(settings->clusters);
  for (size_t i = 0; i < settings->n_sets; i++) {
    free(settings->sets[i].name);
    mbean_list_fini(&settings->sets[i].mbeans);
  }
  free(settings->sets);
  free(settings->state_dir);
  patterns_fini(&settings->cluster_files);
  *settings = (struct settings){0};
}

const struct cluster_settings *settings_cluster(const struct settings *settings,
                                                const char *name) {
  for (size_t i = 0; i < settings->n_clusters; i++)
    if (strcmp(settings->clusters[i].name, name) == 0)
      return &settings->clusters[i];
  return NULL;
}

bool settings_host_is_allowed(const struct cluster_settings *cluster,
                              const char *host) {
  return host_matches((const char *const *)cluster->discover_hosts.pattern,
                      cluster->discover_hosts.n, host);
}

uint64_t load_memory_of(const struct node_settings *node) {
  const struct ceiling_numbers *ceiling = &node->ceiling;
  return (16384 + ceiling->max_object_bytes) * ceiling->max_in_flight;
}

uint64_t settings_memory(const struct settings *settings) {
  uint64_t bytes = 0;
  size_t at = 0;
  for (size_t i = 0; i < settings->n_nodes; i++)
    bytes += load_memory_of(&settings->nodes[i]);
  for (size_t i = 0; i < settings->n_clusters; i++) {
    const struct cluster_settings *cluster = &settings->clusters[i];
    size_t first = at;
    while (at < settings->n_nodes &&
           strcmp(settings->nodes[at].cluster, cluster->name) == 0)
      at++;
    if (cluster->discover)
      bytes += (cluster->max_nodes - (at - first)) *
               load_memory_of(&cluster->member);
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
