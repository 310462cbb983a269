/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_LOAD_H
#define CONFIG_LOAD_H

/* settings_load() in its parts: options into levels (level.c), nodes (node.c),
 * then what only shows over all clusters (cross.c). */

#include "config/options.h"
#include "config/settings.h"
#include "config/tree.h"

struct draft_cluster {
  const struct config_item *item;
  const char *name; /* the tree's; "" where it has none that holds */
  bool is_bad;
};

struct draft_node {
  struct node_settings node; /* name, url, url_key NULL where they are wrong */
  const struct config_item *item;
  size_t cluster; /* its number */
};

struct loader {
  const struct settings_rules *rules;
  struct settings *settings;
  struct problems *problems;
  struct node_settings defaults; /* what the plugin's level says */
  struct draft_cluster *clusters;
  size_t n_clusters;
  struct draft_node *nodes;
  size_t n_nodes;
  size_t cluster;     /* the one in hand; SIZE_MAX at the plugin's level */
  unsigned told;      /* of enum once: told for the cluster in hand */
  bool is_login_bad;  /* an option of the login in hand was refused */
  enum status status; /* STATUS_NO_MEMORY ends it all */
};

/* load_refuse(loader, item, format, ...): a mistake; it costs the cluster in
 * hand. load_warn(): the same, and costs nothing. load_refuse_cluster(): costs
 * the cluster of that number. */
void load_refuse(struct loader *loader, const struct config_item *item,
                 const char *format, ...) __attribute__((format(printf, 3, 4)));
void load_warn(struct loader *loader, const struct config_item *item,
               const char *format, ...) __attribute__((format(printf, 3, 4)));
void load_refuse_cluster(struct loader *loader, size_t cluster,
                         const struct config_item *item, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

/* One level that settings may stand in, over all of its blocks. */
struct level {
  struct node_settings *node;
  uint64_t seen; /* a bit for each option of the table */
};

/* level_apply(loader, level, item, place): the options in the block ${item}.
 * Clusters, nodes and URLs are left to others. */
void level_apply(struct loader *loader, struct level *level,
                 const struct config_item *item, enum option_place place);

/* level_defaults(loader): the table's defaults into settings and defaults. */
void level_defaults(struct loader *loader);

/* load_node(loader, item, cluster_settings): a Node of the cluster in hand. */
void load_node(struct loader *loader, const struct config_item *item,
               const struct node_settings *cluster_settings);

/* cross_check(loader): names, URLs, nodes and memory over all
 * clusters. */
void cross_check(struct loader *loader);

#endif
