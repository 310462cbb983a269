/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/difference.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 5 };

static int by_name(const void *a, const void *b) {
  const struct node_settings *const *left = a;
  const struct node_settings *const *right = b;
  return strcmp((*left)->name, (*right)->name);
}

/* Ends with NULL. */
static const struct node_settings **sorted(const struct settings *settings) {
  const struct node_settings **nodes =
      calloc(settings->n_nodes + 1, sizeof(*nodes));
  for (size_t i = 0; nodes && i < settings->n_nodes; i++)
    nodes[i] = &settings->nodes[i];
  if (nodes)
    qsort(nodes, settings->n_nodes, sizeof(*nodes), by_name);
  return nodes;
}

struct group {
  const char *what;
  size_t n;
  const char *name[NAMES_MAX];
};

static void count(struct group *group, const struct node_settings *node) {
  if (group->n < NAMES_MAX)
    group->name[group->n] = node->name;
  group->n++;
}

static void write_group(const struct group *group, struct buf *ret) {
  if (group->n == 0)
    return;
  buf_printf(ret, "%s%zu node%s %s (", ret->len ? ", " : "", group->n,
             group->n == 1 ? "" : "s", group->what);
  for (size_t i = 0; i < group->n && i < NAMES_MAX; i++)
    buf_printf(ret, "%s%s", i ? ", " : "", group->name[i]);
  buf_add_text(ret, group->n > NAMES_MAX ? ", ...)" : ")");
}

static bool has_changed(const struct node_settings *a,
                        const struct node_settings *b) {
  return strcmp(a->cluster, b->cluster) != 0 || settings_node_changes(a, b);
}

void difference_text(const struct settings *before,
                     const struct settings *after, struct buf *ret) {
  struct group came = {.what = "came"};
  struct group went = {.what = "went"};
  struct group changed = {.what = "changed"};
  const struct node_settings **old = sorted(before);
  const struct node_settings **new = sorted(after);
  size_t i = 0;
  size_t j = 0;
  while (old && new && (old[i] || new[j])) {
    int order = !old[i] ? 1 : !new[j] ? -1 : by_name(&old[i], &new[j]);
    if (order == 0 && has_changed(old[i], new[j]))
      count(&changed, new[j]);
    if (order < 0)
      count(&went, old[i]);
    if (order > 0)
      count(&came, new[j]);
    i += order <= 0;
    j += order >= 0;
  }
  write_group(&came, ret);
  write_group(&went, ret);
  write_group(&changed, ret);
  free(old);
  free(new);
}
