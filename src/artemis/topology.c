/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/topology.h"

#include "base/host.h"
#include "base/num.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Core addresses -- */

static const char host_bytes[] = "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";

static void copy_lower(char *dst, const char *text, size_t len) {
  for (size_t i = 0; i < len; i++)
    dst[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 'a' - 'A')
                                              : text[i];
  dst[len] = '\0';
}

/* false: not an IPv6 address, or one that means "any". */
static bool take_ipv6(const char *text, size_t len,
                      struct topology_core *core) {
  struct in6_addr address;
  char copy[INET6_ADDRSTRLEN];
  if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
    text++;
    len -= 2;
  }
  if (len == 0 || len >= sizeof copy)
    return false;
  memcpy(copy, text, len);
  copy[len] = '\0';
  if (inet_pton(AF_INET6, copy, &address) != 1 ||
      IN6_IS_ADDR_UNSPECIFIED(&address) ||
      inet_ntop(AF_INET6, &address, core->host, sizeof core->host) == NULL)
    return false;
  core->is_ipv6 = true;
  return true;
}

static bool take_host(const char *text, size_t len,
                      struct topology_core *core) {
  if (memchr(text, ':', len) != NULL)
    return take_ipv6(text, len, core);
  if (len > 0 && text[len - 1] == '.')
    len--;
  if (len == 0 || len >= sizeof core->host)
    return false;
  for (size_t i = 0; i < len; i++)
    if (memchr(host_bytes, text[i], sizeof host_bytes - 1) == NULL)
      return false;
  copy_lower(core->host, text, len);
  return strcmp(core->host, "null") != 0 && strcmp(core->host, "0.0.0.0") != 0;
}

enum status topology_core(const char *text, size_t len,
                          struct topology_core *ret, struct error *error) {
  struct topology_core core = {.port = 0};
  const char *colon = memrchr(text, ':', len);
  size_t host_len = colon != NULL ? (size_t)(colon - text) : 0;
  uint64_t port = 0;
  if (colon == NULL || !num_uint64(colon + 1, len - host_len - 1, &port) ||
      port == 0 || port > UINT16_MAX || !take_host(text, host_len, &core))
    return error_set(error, STATUS_INVALID,
                     "\"%.*s\" names no host and port: give the broker's "
                     "connector a host that others can reach",
                     (int)(len < 100 ? len : 100), text);
  core.port = (uint16_t)port;
  *ret = core;
  return STATUS_OK;
}

static bool core_equal(const struct topology_core *a,
                       const struct topology_core *b) {
  return a->port == b->port && strcmp(a->host, b->host) == 0;
}

/* -- The reply -- */

enum { NODE_ID, LIVE, PRIMARY, BACKUP, N_COLUMNS };

static const char *const columns[N_COLUMNS] = {[NODE_ID] = "nodeID",
                                               [LIVE] = "live",
                                               [PRIMARY] = "primary",
                                               [BACKUP] = "backup"};

const struct item_spec topology_spec = {FORM_ROWS, columns, N_COLUMNS};

struct operation topology_operation(const char *broker_mbean) {
  return (struct operation){.type = OPERATION_EXEC,
                            .mbean = broker_mbean,
                            .name = "listNetworkTopology()"};
}

void topology_init(struct topology *topology) {
  *topology = (struct topology){.n = 0};
}

void topology_fini(struct topology *topology) {
  free(topology->members);
  topology_init(topology);
}

static const char *text_of(const struct value *value, size_t *ret_len) {
  bool is_text = value_has_text(value);
  *ret_len = is_text ? value->text_len : 0;
  return is_text ? value->text : "";
}

static bool has_member(const struct topology *topology,
                       const struct topology_member *member) {
  for (size_t i = 0; i < topology->n; i++)
    if (strcmp(topology->members[i].node_id, member->node_id) == 0 &&
        core_equal(&topology->members[i].core, &member->core))
      return true;
  return false;
}

/* Room for 8, 16, 32 ... members. */
static bool make_room(struct topology *topology) {
  size_t n = topology->n;
  if (n != 0 && (n < 8 || (n & (n - 1)) != 0))
    return true;
  struct topology_member *members =
      realloc(topology->members, (n < 8 ? 8 : 2 * n) * sizeof *members);
  if (members != NULL)
    topology->members = members;
  return members != NULL;
}

static enum status add(struct topology *topology, const struct value *node_id,
                       const struct value *address, bool is_backup) {
  struct topology_member member = {.is_backup = is_backup};
  size_t id_len;
  size_t len;
  const char *id = text_of(node_id, &id_len);
  const char *text = text_of(address, &len);
  struct error why;
  if (len == 0)
    return STATUS_OK;
  if (topology_core(text, len, &member.core, &why) != STATUS_OK) {
    if (topology->n_odd++ == 0)
      topology->odd = why;
    return STATUS_OK;
  }
  if (id_len >= sizeof member.node_id)
    id_len = sizeof member.node_id - 1;
  memcpy(member.node_id, id, id_len);
  if (has_member(topology, &member))
    return STATUS_OK;
  if (topology->n == TOPOLOGY_MAX) {
    topology->n_over++;
    return STATUS_OK;
  }
  if (!make_room(topology))
    return STATUS_NO_MEMORY;
  topology->members[topology->n++] = member;
  return STATUS_OK;
}

enum status topology_row(struct topology *topology, const struct row *row) {
  const struct value *values = row->columns;
  size_t len;
  if (row->n_columns != N_COLUMNS)
    return STATUS_OK;
  text_of(&values[PRIMARY], &len);
  enum status status = add(topology, &values[NODE_ID],
                           len > 0 ? &values[PRIMARY] : &values[LIVE], false);
  if (status != STATUS_OK)
    return status;
  return add(topology, &values[NODE_ID], &values[BACKUP], true);
}

/* -- URLs -- */

#define HOST_MARK "{host}"

/* false: longer than a URL may be. */
static bool fill_template(const char *template,
                          const struct topology_core *core, char *dst,
                          size_t size) {
  const char *mark = strstr(template, HOST_MARK);
  size_t before = mark != NULL ? (size_t)(mark - template) : strlen(template);
  int n = snprintf(dst, size, "%.*s%s%s%s%s", (int)before, template,
                   mark != NULL && core->is_ipv6 ? "[" : "",
                   mark != NULL ? core->host : "",
                   mark != NULL && core->is_ipv6 ? "]" : "",
                   mark != NULL ? mark + strlen(HOST_MARK) : "");
  return n >= 0 && (size_t)n < size;
}

static const char *override_of(const struct topology_rules *rules,
                               const struct topology_core *core) {
  for (size_t i = 0; i < rules->n_overrides; i++) {
    const char *text = rules->overrides[i].core;
    struct topology_core other;
    if (topology_core(text, strlen(text), &other, NULL) == STATUS_OK &&
        core_equal(core, &other))
      return rules->overrides[i].url;
  }
  return NULL;
}

enum status topology_url(const struct topology_rules *rules,
                         const struct topology_core *core, struct url *ret,
                         struct error *error) {
  const char *open = core->is_ipv6 ? "[" : "";
  const char *close = core->is_ipv6 ? "]" : "";
  const char *text = override_of(rules, core);
  char filled[URL_MAX];
  struct url url;
  struct error why;
  if (text == NULL && rules->url_template == NULL)
    return error_set(error, STATUS_NOT_FOUND,
                     "no URL is known for it: add NodeURL \"%s%s%s:%u\" "
                     "\"URL\", or a URLTemplate",
                     open, core->host, close, (unsigned)core->port);
  if (text == NULL) {
    if (!fill_template(rules->url_template, core, filled, sizeof filled))
      return error_set(error, STATUS_INVALID,
                       "URLTemplate gives a URL of more than %d bytes",
                       URL_MAX - 1);
    text = filled;
  }
  if (url_parse(text, &url, &why) != STATUS_OK)
    return error_set(error, STATUS_INVALID, "%s", why.text);
  if (!host_matches(rules->hosts, rules->n_hosts, url.host))
    return error_set(error, STATUS_DENIED,
                     "its host is not among DiscoverHosts, so that nothing is "
                     "sent there; if it is yours, add DiscoverHosts \"%s\"",
                     url.host);
  *ret = url;
  return STATUS_OK;
}
