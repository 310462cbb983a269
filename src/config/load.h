/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_LOAD_H
#define CONFIG_LOAD_H

/* settings_load() in its parts: options into levels (level.c), clusters
 * (cluster.c), nodes (node.c), the discovery of nodes (discover.c), then what
 * only shows over all clusters (cross.c). */

#include "config/options.h"
#include "config/settings.h"
#include "config/tree.h"

struct draft_cluster {
  const struct config_item *item;
  size_t source;    /* of the items: 0 the base, then the files */
  const char *name; /* the tree's; "" where it has none that holds */
  bool is_bad;
  struct cluster_settings settings; /* its name too */
};

struct draft_node {
  struct node_settings node; /* name, url, url_key NULL where they are wrong */
  const struct config_item *item;
  size_t cluster; /* its number */
};

struct loader {
  const struct settings_rules *rules;
  const struct settings_sources *sources;
  size_t source; /* the one in hand */
  struct settings *settings;
  struct problems *problems;
  struct node_settings defaults; /* what the plugin's level says */
  struct cluster_settings cluster_defaults;
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
 * hand. load_spoilt(): a mistake that costs nothing yet. load_warn(): none, and
 * costs nothing. load_refuse_cluster(): costs the cluster of that number, for
 * what is beside it. */
void load_refuse(struct loader *loader, const struct config_item *item,
                 const char *format, ...) __attribute__((format(printf, 3, 4)));
void load_spoilt(struct loader *loader, const struct config_item *item,
                 const char *format, ...) __attribute__((format(printf, 3, 4)));
void load_warn(struct loader *loader, const struct config_item *item,
               const char *format, ...) __attribute__((format(printf, 3, 4)));
void load_refuse_cluster(struct loader *loader, size_t cluster,
                         const struct config_item *item, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

/* What is told once a cluster, as one line there mends it for all its nodes. */
enum once {
  ONCE_PASSWORD = 1,
  ONCE_USERNAME = 2,
  ONCE_PLAINTEXT = 4,
  ONCE_KEY = 8,
  ONCE_TLS = 16,
  ONCE_SERIES = 32
};
/* load_once(loader, what): whether it was not told before; now it is. */
bool load_once(struct loader *loader, enum once what);

/* One level that settings may stand in, over all of its blocks. */
struct level {
  struct node_settings *node;
  struct cluster_settings *cluster; /* of a Cluster; else NULL */
  bool has[OPTIONS_MAX];            /* that option of the table stands there */
};

/* The options that name files with secrets, and the one that is one, in
 * ${node}: as value_apply(). What is spoilt and was good before is told, and
 * costs nothing. */
enum status load_password_file(struct loader *loader,
                               struct node_settings *node,
                               const struct option *option,
                               const struct config_item *item,
                               struct error *error);
enum status load_password(struct loader *loader, struct node_settings *node,
                          const struct option *option,
                          const struct config_item *item, struct error *error);
enum status load_pem(struct loader *loader, struct node_settings *node,
                     const struct option *option,
                     const struct config_item *item, struct error *error);

/* level_apply(loader, level, item, place): the options in the block ${item}.
 * Clusters, nodes, URLs and NodeURLs are left to others. */
void level_apply(struct loader *loader, struct level *level,
                 const struct config_item *item, enum option_place place);

/* load_refuse_unknown(loader, item, place): no option of that name stands in
 * ${place}: what may be meant. */
void load_refuse_unknown(struct loader *loader, const struct config_item *item,
                         enum option_place place);

/* mbean.c: load_sets(loader, scope): the <Set> blocks of the plugin, before all
 * else. load_mbean(loader, item, list): an MBean block.
 * load_mbean_defaults(loader, mbean): what the table has for it.
 * check_set_names(loader, item): of a Set line. resolve_sets(loader, item,
 * node): the MBeans of the node's sets become its own; last of all. */
void load_sets(struct loader *loader, const struct config_item *scope);
void load_mbean(struct loader *loader, const struct config_item *item,
                struct mbean_list *list);
void load_mbean_defaults(struct loader *loader, struct mbean_settings *mbean);
void check_set_names(struct loader *loader, const struct config_item *item);
void resolve_sets(struct loader *loader, const struct config_item *item,
                  struct node_settings *node);

/* mbean_check.c: mistakes that one line alone does not show.
 * check_mbean_filters(loader, item, mbean, is_pattern): Include and Exclude
 * that would choose nothing, or leave out everything. load_is_series_of(a, b):
 * whether two values of one MBean are one series. check_mbean_series(loader,
 * item, list): blocks of one node that have a series twice, or may have; told
 * once a cluster. */
void check_mbean_filters(struct loader *loader, const struct config_item *item,
                         const struct mbean_settings *mbean, bool is_pattern);
bool load_is_series_of(const struct value_settings *a,
                       const struct value_settings *b);
void check_mbean_series(struct loader *loader, const struct config_item *item,
                        const struct mbean_list *list);

/* level_defaults(loader): the table's defaults into settings and defaults. */
void level_defaults(struct loader *loader);

/* load_cluster(loader, item): a Cluster, with its nodes. */
void load_cluster(struct loader *loader, const struct config_item *item);

/* load_node(loader, item, cluster_settings): a Node of the cluster in hand. */
void load_node(struct loader *loader, const struct config_item *item,
               const struct node_settings *cluster_settings);

/* load_node_urls(loader, item, cluster): the NodeURL lines of the cluster in
 * hand. check_discovery(loader, item, cluster, ...): what Discover needs, and
 * that no login goes where it must not. */
void load_node_urls(struct loader *loader, const struct config_item *item,
                    struct cluster_settings *cluster);
void check_discovery(struct loader *loader, const struct config_item *item,
                     const struct cluster_settings *cluster);

/* load_has_login(node): whether a password goes to it. */
bool load_has_login(const struct node_settings *node);

/* load_memory_of(node): bytes that its size limits reserve. */
uint64_t load_memory_of(const struct node_settings *node);

/* cross_check(loader): names, URLs, nodes and memory over all
 * clusters. */
void cross_check(struct loader *loader);

#endif
