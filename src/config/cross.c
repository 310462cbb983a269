/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One text that should be unique, in the order of the configuration. */
struct entry {
  const char *text;
  size_t number;
};

static int by_text(const void *a, const void *b) {
  const struct entry *left = a;
  const struct entry *right = b;
  int order = strcmp(left->text, right->text);
  if (order != 0)
    return order;
  return (left->number > right->number) - (left->number < right->number);
}

static int by_name(const void *a, const void *b) {
  const struct entry *left = a;
  const struct entry *right = b;
  return strcmp(left->text, right->text);
}

/* Calls ${twice} for each entry whose text an earlier one has. */
static void find_doubles(struct loader *loader, struct entry *entries, size_t n,
                         void (*twice)(struct loader *, size_t number,
                                       size_t first)) {
  if (n > 0)
    qsort(entries, n, sizeof *entries, by_text);
  size_t first = 0;
  for (size_t i = 1; i < n; i++) {
    if (strcmp(entries[i].text, entries[first].text) == 0)
      twice(loader, entries[i].number, entries[first].number);
    else
      first = i;
  }
}

static const char *place_of(const struct config_item *item, char *dst,
                            size_t size) {
  struct problems one;
  problems_init(&one);
  problems_add(&one, item, NULL, false, "%s", "");
  size_t len = one.n ? strlen(one.list[0].place) : 0;
  if (len >= size)
    len = size - 1;
  if (one.n)
    memcpy(dst, one.list[0].place, len);
  dst[len] = 0;
  problems_fini(&one);
  return dst;
}

static void cluster_twice(struct loader *loader, size_t number, size_t first) {
  char place[200];
  load_refuse_cluster(
      loader, number, loader->clusters[number].item,
      "Cluster: its name stands twice, also at %s; give it another name",
      place_of(loader->clusters[first].item, place, sizeof place));
}

static void node_twice(struct loader *loader, size_t number, size_t first) {
  char place[200];
  load_refuse_cluster(
      loader, loader->nodes[number].cluster, loader->nodes[number].item,
      "Node: its name stands twice, also at %s; the values of both would be "
      "mixed: give it another name",
      place_of(loader->nodes[first].item, place, sizeof place));
}

static void url_twice(struct loader *loader, size_t number, size_t first) {
  char place[200];
  const struct draft_node *node = &loader->nodes[number];
  place_of(loader->nodes[first].item, place, sizeof place);
  if (node->cluster == loader->nodes[first].cluster) {
    load_refuse_cluster(loader, node->cluster, node->item,
                        "Node: its URL is the one of the node at %s; remove "
                        "one of them",
                        place);
    return;
  }
  problems_add(loader->problems, node->item,
               loader->clusters[node->cluster].name, true,
               "Node: its URL is the one of the node at %s in another cluster; "
               "both share one ceiling, the slower of theirs",
               place);
}

static void check_clusters(struct loader *loader, struct entry *entries) {
  size_t n = 0;
  for (size_t i = 0; i < loader->n_clusters; i++)
    if (*loader->clusters[i].name)
      entries[n++] =
          (struct entry){.text = loader->clusters[i].name, .number = i};
  find_doubles(loader, entries, n, cluster_twice);
}

static void check_nodes(struct loader *loader, struct entry *entries) {
  size_t n = 0;
  for (size_t i = 0; i < loader->n_nodes; i++)
    if (loader->nodes[i].node.name)
      entries[n++] =
          (struct entry){.text = loader->nodes[i].node.name, .number = i};
  find_doubles(loader, entries, n, node_twice);
  n = 0;
  for (size_t i = 0; i < loader->n_nodes; i++)
    if (loader->nodes[i].node.url_key)
      entries[n++] =
          (struct entry){.text = loader->nodes[i].node.url_key, .number = i};
  find_doubles(loader, entries, n, url_twice);
}

/* The sums over a cluster have its name as their host. */
static void check_sums(struct loader *loader, struct entry *entries) {
  size_t n = 0;
  size_t at = 0;
  for (size_t i = 0; i < loader->n_nodes; i++)
    if (loader->nodes[i].node.name)
      entries[n++] =
          (struct entry){.text = loader->nodes[i].node.name, .number = i};
  qsort(entries, n, sizeof *entries, by_text);
  for (size_t i = 0; i < loader->n_clusters; i++) {
    const struct draft_cluster *cluster = &loader->clusters[i];
    struct entry key = {.text = cluster->name};
    size_t n_nodes = 0;
    for (; at < loader->n_nodes && loader->nodes[at].cluster == i; at++)
      n_nodes++;
    if (n_nodes < 2 && !cluster->settings.discover)
      continue;
    char place[200];
    const struct entry *node = bsearch(&key, entries, n, sizeof key, by_name);
    if (node)
      load_refuse_cluster(
          loader, i, cluster->item,
          "Cluster: its name is also that of the node at %s; the sums over the "
          "cluster have its name as their host: give one of them another name",
          place_of(loader->nodes[node->number].item, place, sizeof place));
  }
}

/* What there is room for. Nodes of one cluster stand together, in the clusters'
 * order. */
static void check_room(struct loader *loader) {
  uint64_t reserved = 0;
  size_t n_kept = 0;
  size_t at = 0;
  for (size_t i = 0; i < loader->n_clusters; i++) {
    uint64_t wanted = 0;
    size_t n = 0;
    for (; at < loader->n_nodes && loader->nodes[at].cluster == i; at++, n++)
      wanted += load_memory_of(&loader->nodes[at].node);
    if (loader->clusters[i].is_bad)
      continue;
    const struct cluster_settings *cluster = &loader->clusters[i].settings;
    if (cluster->discover && cluster->max_nodes > n) {
      wanted += (cluster->max_nodes - n) * load_memory_of(&cluster->member);
      n = cluster->max_nodes;
    }
    if (n_kept + n > SETTINGS_NODES_MAX)
      load_refuse_cluster(
          loader, i, loader->clusters[i].item,
          "Cluster: its nodes are up to %zu, with those before it %zu, more "
          "than "
          "%d; lower MaxNodes, or leave some to another collectd",
          n, n_kept + n, SETTINGS_NODES_MAX);
    else if (reserved + wanted > loader->settings->max_memory)
      load_refuse_cluster(
          loader, i, loader->clusters[i].item,
          "Cluster: its size limits reserve %" PRIu64
          " bytes, with those before it %" PRIu64
          ", more than MaxMemory %" PRIu64
          "; raise MaxMemory, or lower MaxObjectBytes, MaxInFlight or "
          "MaxNodes",
          wanted, reserved + wanted, loader->settings->max_memory);
    else {
      reserved += wanted;
      n_kept += n;
    }
  }
}

/* What is left of a rate after Instances must not be rounded up. */
static void check_instances(struct loader *loader) {
  uint64_t instances = loader->settings->instances;
  for (size_t i = 0; i < loader->n_nodes; i++) {
    const struct draft_node *draft = &loader->nodes[i];
    const struct ceiling_numbers *ceiling = &draft->node.ceiling;
    const char *name = NULL;
    if (ceiling->changes_per_second_milli < instances)
      name = "ChangesPerSecond";
    if (ceiling->requests_per_second_milli < instances)
      name = "RequestsPerSecond";
    if (name)
      load_refuse_cluster(loader, draft->cluster, draft->item,
                          "%s: divided by Instances %" PRIu64
                          " it is below 0.001 a second; raise it, or lower "
                          "Instances",
                          name, instances);
  }
}

void cross_check(struct loader *loader) {
  size_t n = loader->n_clusters + loader->n_nodes;
  struct entry *entries = calloc(n ? n : 1, sizeof *entries);
  if (!entries) {
    loader->status = STATUS_NO_MEMORY;
    return;
  }
  check_clusters(loader, entries);
  check_nodes(loader, entries);
  check_sums(loader, entries);
  check_instances(loader);
  check_room(loader);
  free(entries);
}
