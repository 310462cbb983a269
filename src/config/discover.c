/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/load.h"

#include "base/num.h"
#include "config/fields.h"
#include "config/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HOST "{host}"
#define HOST_MAX 256
#define KEY_MAX 4096

/* The host of a canonical URL, IPv6 without its brackets. */
static void host_of(const char *key, char *ret, size_t size) {
  const char *host = strstr(key, "://");
  host = host ? host + 3 : key;
  bool is_bracketed = *host == '[';
  host += is_bracketed;
  size_t len = strcspn(host, is_bracketed ? "]" : ":/");
  snprintf(ret, size, "%.*s", (int)len, host);
}

/* ---- NodeURL ---- */

/* What is wrong with "HOST:PORT"; NULL: nothing. */
static const char *core_error(const char *text) {
  const char *colon = strrchr(text, ':');
  uint64_t port;
  if (!colon || colon == text || strpbrk(text, " /"))
    return "is no HOST:PORT";
  bool is_bracketed = text[0] == '[';
  if (is_bracketed ? colon[-1] != ']' : strchr(text, ':') != colon)
    return "has several colons; put an IPv6 address in brackets";
  if (!num_uint64(colon + 1, strlen(colon + 1), &port) || port < 1 ||
      port > 65535)
    return "has no port of 1 to 65535 at its end";
  return NULL;
}

static void add_node_url(struct loader *loader,
                         struct cluster_settings *cluster, const char *core,
                         const char *url) {
  struct core_url *urls =
      reallocarray(cluster->node_urls, cluster->n_node_urls + 1, sizeof *urls);
  if (!urls) {
    loader->status = STATUS_NO_MEMORY;
    return;
  }
  cluster->node_urls = urls;
  struct core_url *to = &urls[cluster->n_node_urls++];
  *to = (struct core_url){.core = strdup(core), .url = strdup(url)};
  if (!to->core || !to->url)
    loader->status = STATUS_NO_MEMORY;
}

static void refuse_plaintext(struct loader *loader,
                             const struct config_item *item, const char *name) {
  load_refuse(
      loader, item,
      "%s: is http://, so that the password would cross the network in "
      "the clear; use https://, or add the line \"AllowPlaintext true\" "
      "where that is acceptable",
      name);
}

static void check_node_url(struct loader *loader,
                           const struct config_item *item,
                           const struct cluster_settings *cluster,
                           const char *url) {
  char key[KEY_MAX];
  char host[HOST_MAX];
  bool is_plaintext = false;
  struct error error;
  if (loader->rules->check_url(url, key, sizeof key, &is_plaintext, &error)) {
    load_refuse(loader, item, "NodeURL: %s", error.text);
    return;
  }
  host_of(key, host, sizeof host);
  if (cluster->discover_hosts.n > 0 && !settings_host_is_allowed(cluster, host))
    load_refuse(loader, item,
                "NodeURL: no pattern of DiscoverHosts matches its host %.200s, "
                "so that it would never be asked; add the line DiscoverHosts "
                "\"%.200s\"",
                host, host);
  if (is_plaintext && load_has_login(&cluster->member) &&
      !cluster->member.allow_plaintext)
    refuse_plaintext(loader, item, "NodeURL");
}

static bool has_core(const struct cluster_settings *cluster, const char *core) {
  for (size_t i = 0; i < cluster->n_node_urls; i++)
    if (strcasecmp(cluster->node_urls[i].core, core) == 0)
      return true;
  return false;
}

static void load_node_url(struct loader *loader, const struct config_item *item,
                          struct cluster_settings *cluster) {
  if (item->n_values != 2 || item->n_children > 0 ||
      item->values[0].type != CONFIG_TEXT ||
      item->values[1].type != CONFIG_TEXT) {
    load_refuse(loader, item,
                "NodeURL: needs a Core address and a URL; write NodeURL "
                "\"HOST:PORT\" \"URL\", both in quotes");
    return;
  }
  const char *core = item->values[0].text;
  const char *reason = value_text_error(core, HOST_MAX + 8);
  if (!reason)
    reason = core_error(core);
  if (reason)
    load_refuse(loader, item,
                "NodeURL: its first value %s; write the host and the port that "
                "the broker names in its cluster, like \"broker-c:61616\"",
                reason);
  else if (has_core(cluster, core))
    load_refuse(loader, item,
                "NodeURL: %.200s has a URL already; remove one of the lines",
                core);
  check_node_url(loader, item, cluster, item->values[1].text);
  if (!reason)
    add_node_url(loader, cluster, core, item->values[1].text);
}

void load_node_urls(struct loader *loader, const struct config_item *item,
                    struct cluster_settings *cluster) {
  for (size_t i = 0; i < item->n_children && !loader->status; i++)
    if (config_key_is(&item->children[i], "NodeURL"))
      load_node_url(loader, &item->children[i], cluster);
}

/* ---- URLTemplate ---- */

/* {host} stands in the authority, and nowhere else. */
static const char *template_error(const char *text) {
  const char *scheme = strstr(text, "://");
  const char *from = scheme ? scheme + 3 : text;
  const char *end = from + strcspn(from, "/?#");
  const char *first = strstr(text, HOST);
  if (!first)
    return "has no {host}";
  if (first < from || first >= end)
    return "has {host} outside of the host";
  return strstr(first + strlen(HOST), HOST) ? "has {host} more than once"
                                            : NULL;
}

/* With a host in place of {host}, it is to be a URL with that in its host. */
static void check_template(struct loader *loader,
                           const struct config_item *item,
                           const struct cluster_settings *cluster) {
  static const char sample[] = "discovered";
  const char *text = cluster->url_template;
  const char *reason = template_error(text);
  const char *remedy = "write it where the host stands, like "
                       "\"https://{host}:8161/console/jolokia\"";
  if (reason) {
    load_refuse(loader, item, "URLTemplate: %s; %s", reason, remedy);
    return;
  }
  char url[1200];
  char key[KEY_MAX];
  char host[HOST_MAX];
  bool is_plaintext = false;
  struct error error;
  const char *at = strstr(text, HOST);
  snprintf(url, sizeof url, "%.*s%s%s", (int)(at - text), text, sample,
           at + strlen(HOST));
  if (loader->rules->check_url(url, key, sizeof key, &is_plaintext, &error)) {
    load_refuse(loader, item, "URLTemplate: with a host in place of {host}: %s",
                error.text);
    return;
  }
  host_of(key, host, sizeof host);
  if (!strstr(host, sample))
    load_refuse(loader, item, "URLTemplate: has {host} outside of the host; %s",
                remedy);
  if (is_plaintext && load_has_login(&cluster->member) &&
      !cluster->member.allow_plaintext)
    refuse_plaintext(loader, item, "URLTemplate");
}

/* ---- Discover ---- */

/* "*.mgmt.example.net" of "broker-a.mgmt.example.net"; an address, or a name
 * without a domain, as it is. */
static void suggest_hosts(const struct loader *loader, char *ret, size_t size) {
  char host[HOST_MAX] = "*.example.net";
  for (size_t i = loader->n_nodes; i > 0; i--)
    if (loader->nodes[i - 1].cluster == loader->cluster &&
        loader->nodes[i - 1].node.url_key)
      host_of(loader->nodes[i - 1].node.url_key, host, sizeof host);
  const char *dot = strchr(host, '.');
  bool is_name = dot && dot[1] && strspn(host, "0123456789.") < strlen(host);
  snprintf(ret, size, "%s%s", is_name ? "*" : "", is_name ? dot : host);
}

static size_t count_nodes(const struct loader *loader) {
  size_t n = 0;
  while (n < loader->n_nodes &&
         loader->nodes[loader->n_nodes - 1 - n].cluster == loader->cluster)
    n++;
  return n;
}

static const struct config_item *line_of(const struct config_item *cluster,
                                         const char *key) {
  const struct config_item *line = cluster;
  for (size_t i = 0; i < cluster->n_children; i++)
    if (config_key_is(&cluster->children[i], key))
      line = &cluster->children[i];
  return line;
}

static void check_wanted(struct loader *loader, const struct config_item *item,
                         const struct cluster_settings *cluster) {
  const struct config_item *line = line_of(item, "Discover");
  char hosts[HOST_MAX + 1];
  suggest_hosts(loader, hosts, sizeof hosts);
  if (cluster->discover_hosts.n == 0 && line_of(item, "DiscoverHosts") == item)
    load_refuse(loader, line,
                "Discover: needs the hosts that may be sent the login; add the "
                "line DiscoverHosts \"%s\"",
                hosts);
  if (line_of(item, "URLTemplate") == item && line_of(item, "NodeURL") == item)
    load_refuse(loader, line,
                "Discover: the brokers name no URLs of their cluster; add the "
                "line URLTemplate \"https://{host}:8161/console/jolokia\", or "
                "a NodeURL for each member");
  if (count_nodes(loader) > cluster->max_nodes)
    load_refuse(loader, line_of(item, "MaxNodes"),
                "MaxNodes: is %u, and there are %zu Node lines; raise it",
                cluster->max_nodes, count_nodes(loader));
}

static void warn_unused(struct loader *loader, const struct config_item *item) {
  static const char *const names[] = {
      "DiscoverHosts", "URLTemplate",      "NodeURL",    "NodeName",
      "MaxNodes",      "DiscoverInterval", "ForgetAfter"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (line_of(item, names[i]) != item) {
      load_warn(loader, line_of(item, names[i]),
                "%s: is without effect; add the line \"Discover true\"",
                names[i]);
      return;
    }
}

/* A line that could not be read may have been the one that is missing. */
void check_discovery(struct loader *loader, const struct config_item *item,
                     const struct cluster_settings *cluster) {
  if (cluster->url_template)
    check_template(loader, line_of(item, "URLTemplate"), cluster);
  if (item->is_broken)
    return;
  if (cluster->discover)
    check_wanted(loader, item, cluster);
  else if (line_of(item, "Discover") == item)
    warn_unused(loader, item);
}
