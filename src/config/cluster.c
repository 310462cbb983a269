/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include "config/fields.h"
#include "config/value.h"

#include <stdlib.h>

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
  clusters[loader->cluster] = (struct draft_cluster){.item = item,
                                                     .source = loader->source,
                                                     .name = "",
                                                     .is_bad = item->is_broken};
  loader->status = cluster_copy(&clusters[loader->cluster].settings,
                                &loader->cluster_defaults);
  return !loader->status;
}

static void name_cluster(struct loader *loader,
                         const struct config_item *item) {
  struct draft_cluster *draft = &loader->clusters[loader->cluster];
  if (item->n_values != 1 || item->values[0].type != CONFIG_TEXT) {
    load_refuse(loader, item,
                "Cluster: needs one name, in quotes; write <Cluster \"NAME\">");
    return;
  }
  const char *reason = value_name_error(item->values[0].text);
  if (reason)
    load_refuse(loader, item, "Cluster: its name %s", reason);
  else
    draft->name = item->values[0].text;
}

static void load_nodes(struct loader *loader, const struct config_item *item,
                       const struct node_settings *node) {
  bool has_node = false;
  for (size_t i = 0; i < item->n_children && !loader->status; i++)
    if (config_key_is(&item->children[i], "Node")) {
      has_node = true;
      load_node(loader, &item->children[i], node);
    }
  /* Where a line could not be read, it may have been that one. */
  if (!has_node && !item->is_broken && !loader->status)
    load_refuse(loader, item,
                "Cluster: has no node; write Node \"NAME\" \"URL\" in it");
}

void load_cluster(struct loader *loader, const struct config_item *item) {
  if (!add_cluster(loader, item))
    return;
  name_cluster(loader, item);
  struct draft_cluster *draft = &loader->clusters[loader->cluster];
  struct cluster_settings *cluster = &draft->settings;
  struct level level = {.node = &cluster->member, .cluster = cluster};
  loader->status = node_copy(&cluster->member, &loader->defaults);
  if (!loader->status)
    loader->status = text_set(&cluster->name, draft->name);
  if (!loader->status)
    loader->status = text_set(&cluster->member.cluster, draft->name);
  if (!loader->status)
    level_apply(loader, &level, item, IN_CLUSTER);
  if (!loader->status)
    load_nodes(loader, item, &cluster->member);
  if (!loader->status)
    load_node_urls(loader, item, cluster);
  if (!loader->status)
    check_discovery(loader, item, cluster);
  if (!loader->status)
    resolve_sets(loader, item, &cluster->member);
}
