/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef UNIT_SETTINGS_RIG_H
#define UNIT_SETTINGS_RIG_H

/* Settings on the heap, as a reload makes and frees them. */

#include "config/settings.h"

#include <stdlib.h>
#include <string.h>

static inline struct settings *settings_make(size_t n) {
  struct settings *made = calloc(1, sizeof(*made));
  made->nodes = calloc(n + 1, sizeof(*made->nodes));
  made->n_nodes = n;
  made->instances = 1;
  return made;
}

/* With its own copies of what every node must have. */
static inline void settings_put(struct settings *made, size_t at,
                                const struct node_settings *node) {
  struct node_settings *to = &made->nodes[at];
  *to = *node;
  to->name = strdup(node->name);
  to->cluster = strdup(node->cluster);
  to->url = strdup(node->url);
  to->url_key = strdup(node->url_key);
  to->jmx_domain = strdup(node->jmx_domain);
}

static inline void settings_free(struct settings *made) {
  if (!made)
    return;
  for (size_t i = 0; i < made->n_nodes; i++) {
    struct node_settings *node = &made->nodes[i];
    free(node->name);
    free(node->cluster);
    free(node->url);
    free(node->url_key);
    free(node->jmx_domain);
  }
  free(made->nodes);
  free(made);
}

#endif
