/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include "config/fields.h"
#include "config/value.h"

#include <stdlib.h>
#include <string.h>

bool load_once(struct loader *loader, enum once what) {
  bool is_first = (loader->told & what) == 0;
  loader->told |= what;
  return is_first;
}

static struct draft_node *add_node(struct loader *loader,
                                   const struct config_item *item) {
  if ((loader->n_nodes & (loader->n_nodes - 1)) == 0) {
    size_t capacity = loader->n_nodes ? 2 * loader->n_nodes : 1;
    struct draft_node *nodes =
        reallocarray(loader->nodes, capacity, sizeof *nodes);
    if (!nodes)
      return NULL;
    loader->nodes = nodes;
  }
  struct draft_node *draft = &loader->nodes[loader->n_nodes++];
  *draft = (struct draft_node){.item = item, .cluster = loader->cluster};
  return draft;
}

static void set_name(struct loader *loader, struct draft_node *draft) {
  const struct config_item *item = draft->item;
  if (item->n_values == 0 || item->n_values > 2 ||
      item->values[0].type != CONFIG_TEXT) {
    load_refuse(loader, item,
                "Node: needs a name and a URL; write Node \"NAME\" \"URL\", "
                "both in quotes");
    return;
  }
  const char *reason = value_name_error(item->values[0].text);
  if (reason)
    load_refuse(loader, item, "Node: its name %s", reason);
  else if (text_set(&draft->node.name, item->values[0].text))
    loader->status = STATUS_NO_MEMORY;
}

/* From the second value of the Node, or its URL line; never both. */
static const char *find_url(struct loader *loader,
                            const struct config_item *node) {
  const char *url = NULL;
  size_t n = 0;
  if (node->n_values == 2) {
    n++;
    if (node->values[1].type == CONFIG_TEXT)
      url = node->values[1].text;
  }
  for (size_t i = 0; i < node->n_children; i++) {
    const struct config_item *child = &node->children[i];
    if (!config_key_is(child, "URL"))
      continue;
    n++;
    if (child->n_values == 1 && child->n_children == 0 &&
        child->values[0].type == CONFIG_TEXT)
      url = child->values[0].text;
  }
  if (n == 1 && url)
    return url;
  if (n == 0 && node->n_values != 1)
    return NULL; /* the Node line's shape was refused */
  load_refuse(loader, node,
              n > 1 ? "Node: has more than one URL; leave one"
                    : "Node: needs one URL; write Node \"NAME\" \"URL\", both "
                      "in quotes");
  return NULL;
}

static void set_url(struct loader *loader, struct draft_node *draft,
                    bool *ret_is_plaintext) {
  char key[4096];
  struct error error;
  const char *url = find_url(loader, draft->item);
  if (!url)
    return;
  if (loader->rules->check_url(url, key, sizeof key, ret_is_plaintext,
                               &error)) {
    load_refuse(loader, draft->item, "Node: %s", error.text);
    return;
  }
  if (text_set(&draft->node.url, url) || text_set(&draft->node.url_key, key))
    loader->status = STATUS_NO_MEMORY;
}

/* What is missing is no second mistake where the option that has it was refused
 * or its line could not be read. */
static void check_pair(struct loader *loader, const struct draft_node *draft) {
  const struct node_settings *node = &draft->node;
  if (loader->is_login_bad || loader->clusters[draft->cluster].item->is_broken)
    return;
  if (node->username && !node->password && load_once(loader, ONCE_PASSWORD))
    load_refuse(loader, draft->item,
                "Username: has no password; add PasswordFile \"/PATH\" beside "
                "it");
  if (!node->username && node->password && load_once(loader, ONCE_USERNAME))
    load_refuse(loader, draft->item,
                "Password: has no user name; add Username \"NAME\" beside it");
}

bool load_has_login(const struct node_settings *node) {
  return node->username || node->password || node->operator.username;
}

static void check_login(struct loader *loader, const struct draft_node *draft,
                        bool is_plaintext) {
  const struct node_settings *node = &draft->node;
  check_pair(loader, draft);
  if (is_plaintext && load_has_login(node) && !node->allow_plaintext &&
      load_once(loader, ONCE_PLAINTEXT))
    load_refuse(loader, draft->item,
                "Node: its URL is http://, so that the password would cross "
                "the network in the clear; use https://, or add the line "
                "\"AllowPlaintext true\" where that is acceptable");
}

static void check_tls(struct loader *loader, const struct draft_node *draft) {
  const struct node_settings *node = &draft->node;
  if (node->client_key && !node->client_cert && load_once(loader, ONCE_KEY))
    load_refuse(loader, draft->item,
                "ClientKey: has no certificate; add ClientCert \"/PATH\" "
                "beside it");
  bool is_tls = node->url_key && strncmp(node->url_key, "https:", 6) == 0;
  if (node->url_key && !is_tls && !(node->verify_peer && node->verify_host) &&
      load_once(loader, ONCE_TLS))
    load_warn(loader, draft->item,
              "VerifyPeer, VerifyHost: without effect on an http:// URL; "
              "remove them, or use https://");
}

void load_node(struct loader *loader, const struct config_item *item,
               const struct node_settings *cluster_settings) {
  struct draft_node *draft = add_node(loader, item);
  if (!draft || node_copy(&draft->node, cluster_settings)) {
    loader->status = STATUS_NO_MEMORY;
    return;
  }
  bool is_plaintext = false;
  bool was_login_bad = loader->is_login_bad;
  set_name(loader, draft);
  set_url(loader, draft, &is_plaintext);
  struct level level = {.node = &draft->node};
  level_apply(loader, &level, item, IN_NODE);
  check_login(loader, draft, is_plaintext);
  loader->is_login_bad = was_login_bad;
  check_tls(loader, draft);
  resolve_sets(loader, item, &draft->node);
}
