/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/discovery_state.h"

#include "base/clock.h"
#include "config/value.h"

#include <stdlib.h>
#include <string.h>

/* -- Its name -- */

/* The broker's Name, the URL's host, or a text with one of them in it. */
static bool make_name(struct candidate *candidate, char *dst, size_t size) {
  const char *format = candidate->cluster->settings->node_name;
  static const struct {
    const char *mark;
    bool is_host;
  } marks[] = {{"{name}", false}, {"{host}", true}};
  size_t len = 0;
  while (*format && len < size) {
    size_t taken = 1;
    const char *put = format;
    size_t put_len = 1;
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
      if (strncmp(format, marks[i].mark, strlen(marks[i].mark)) != 0)
        continue;
      taken = strlen(marks[i].mark);
      put = marks[i].is_host ? candidate->url->host : candidate->broker_name;
      put_len = strlen(put);
    }
    if (len + put_len >= size)
      return false;
    memcpy(dst + len, put, put_len);
    len += put_len;
    format += taken;
  }
  dst[len] = '\0';
  return true;
}

static bool has_same_name(const struct candidate *candidate,
                          const struct candidate *other) {
  return other != candidate && other->state == DISCOVERY_ADDED &&
         strcmp(other->name, candidate->name) == 0;
}

static bool is_taken(const struct candidate *candidate) {
  const struct discovered *cluster = candidate->cluster;
  return discovery_has_name(cluster->discovery, candidate->name) ||
         strcmp(cluster->name, candidate->name) == 0 ||
         candidate_other(candidate, has_same_name) != NULL;
}

/* false: refused, and told. */
static bool take_name(struct candidate *candidate) {
  char name[512] = "";
  const char *fault = make_name(candidate, name, sizeof(name))
                          ? value_name_error(name)
                          : "is too long";
  free(candidate->name);
  candidate->name = fault ? NULL : strdup(name);
  if (fault)
    candidate_refuse(candidate, STATUS_INVALID,
                     "the name that NodeName gives it, \"%.128s\", %s", name,
                     fault);
  else if (!candidate->name)
    candidate_refuse(candidate, STATUS_NO_MEMORY, "no memory for its name");
  else if (is_taken(candidate))
    candidate_refuse(candidate, STATUS_INVALID,
                     "something else is named \"%s\", too: give one of the "
                     "brokers another Name, or set NodeName \"{host}\"",
                     name);
  else
    return true;
  return false;
}

/* -- A node, from now on or no longer -- */

/* One that leads to a broker which a node of the cluster has already. */
static const struct self *same_broker(const struct discovered *cluster,
                                      const struct identity *identity) {
  for (size_t i = 0; identity->node_id[0] && i < cluster->selves.n; i++) {
    const struct self *self = (const struct self *)cluster->selves.entries[i];
    if (strcmp(self->node_id, identity->node_id) == 0 &&
        strcmp(self->broker_name, identity->broker_name) == 0 &&
        self->state == (identity->is_active ? NODE_ACTIVE : NODE_BACKUP))
      return self;
  }
  return NULL;
}

static size_t n_nodes(const struct discovered *cluster) {
  size_t n = cluster->n_configured;
  for (const struct candidate *c = cluster->candidates; c; c = c->next)
    n += c->state == DISCOVERY_ADDED || c->state == DISCOVERY_PROBING;
  return n;
}

void candidate_add(struct candidate *candidate, const struct identity *identity,
                   int64_t now_ns) {
  struct discovered *cluster = candidate->cluster;
  struct discovery *discovery = cluster->discovery;
  const struct self *same = same_broker(cluster, identity);
  struct error why;
  memcpy(candidate->broker_name, identity->broker_name,
         sizeof(candidate->broker_name));
  if (same) {
    candidate_refuse(candidate, STATUS_INVALID,
                     "%s leads to the broker that node %s has: give it that "
                     "node's URL with NodeURL",
                     candidate->url->key, same->name);
    return;
  }
  if (!take_name(candidate))
    return;
  candidate->settings->name = candidate->name;
  if (discovery->sink.add(discovery->sink.cookie, candidate->settings, now_ns,
                          &why)) {
    candidate_refuse(candidate, why.kind, "%s", why.text);
    return;
  }
  candidate->state = DISCOVERY_ADDED;
  candidate->why.kind = STATUS_OK;
  candidate->told = STATUS_OK;
  candidate->answered_ns = now_ns;
  candidate->auth_wait_ns = 0;
  log_write(LOG_LEVEL_NOTICE, "cluster %s: node %s was found at %s",
            cluster->name, candidate->name, candidate->url->key);
  notice_send(&discovery->notices, EVENT_MEMBER_ADDED, candidate->name,
              cluster->name, "node %s was found at %s", candidate->name,
              candidate->url->key);
}

/* It is no node any more, and nothing is asked of it. */
static void leave(struct candidate *candidate) {
  struct discovery *discovery = candidate->cluster->discovery;
  if (candidate->state == DISCOVERY_ADDED)
    discovery->sink.remove(discovery->sink.cookie, candidate->name);
  probe_stop(candidate);
  candidate->state = DISCOVERY_NEW;
}

/* Named by no topology, and silent, for long enough. Those that were no nodes
 * are kept as long, so that they are not told of again and again. */
static bool is_gone(const struct candidate *candidate, int64_t now_ns) {
  int64_t forget_ns = candidate->cluster->settings->forget_after_ns;
  return !candidate->is_named && candidate->state != DISCOVERY_PROBING &&
         now_ns - candidate->unnamed_ns >= forget_ns &&
         (candidate->state != DISCOVERY_ADDED ||
          now_ns - candidate->answered_ns >= forget_ns);
}

static void drop(struct candidate *candidate) {
  struct discovered *cluster = candidate->cluster;
  if (candidate->state == DISCOVERY_ADDED) {
    log_write(LOG_LEVEL_WARNING,
              "cluster %s: node %s is watched no longer: no topology names it, "
              "and it does not answer",
              cluster->name, candidate->name);
    notice_send(&cluster->discovery->notices, EVENT_MEMBER_DROPPED,
                candidate->name, cluster->name,
                "node %s is watched no longer: no topology names it, and it "
                "does not answer",
                candidate->name);
  }
  leave(candidate);
  candidate_free(candidate);
}

static void refuse_over(struct candidate *candidate) {
  candidate_refuse(candidate, STATUS_INVALID,
                   "the cluster has %u nodes already: raise MaxNodes",
                   candidate->cluster->settings->max_nodes);
}

static void begin_probes(struct discovered *cluster, int64_t now_ns) {
  size_t n_probing = 0;
  for (const struct candidate *c = cluster->candidates; c; c = c->next)
    n_probing += c->state == DISCOVERY_PROBING;
  for (struct candidate *c = cluster->candidates; c; c = c->next) {
    if (c->state != DISCOVERY_NEW || !c->is_named || now_ns < c->next_probe_ns)
      continue;
    if (n_nodes(cluster) >= cluster->settings->max_nodes) {
      refuse_over(c);
      continue;
    }
    if (n_probing == PROBES_MAX)
      return;
    probe_begin(c);
    n_probing += c->state == DISCOVERY_PROBING;
  }
}

void candidates_work(struct discovered *cluster, int64_t now_ns) {
  struct candidate *next;
  for (struct candidate *c = cluster->candidates; c; c = next) {
    next = c->next;
    if (c->is_answered)
      probe_end(c, now_ns);
    if (is_gone(c, now_ns))
      drop(c);
  }
  begin_probes(cluster, now_ns);
}

/* -- Other settings -- */

/* Still a node: with settings made of the new ones. */
static void keep(struct candidate *candidate, int64_t now_ns) {
  struct discovery *discovery = candidate->cluster->discovery;
  struct node_settings *before = candidate->settings;
  struct error why = {.kind = STATUS_NO_MEMORY, .text = "no memory"};
  candidate->settings = candidate_settings(candidate);
  if (!candidate->settings) {
    discovery->sink.remove(discovery->sink.cookie, candidate->name);
    candidate_fail(candidate, &why, false);
  } else if (discovery->sink.add(discovery->sink.cookie, candidate->settings,
                                 now_ns, &why)) {
    candidate_fail(candidate, &why, false);
  }
  free(before);
}

/* Whether it may be what it is, by name and by URL. */
static bool is_still_node(struct candidate *candidate, const struct url *url) {
  char name[512];
  return strcmp(candidate->url->text, url->text) == 0 &&
         !discovery_has_url(candidate->cluster->discovery, url->key) &&
         make_name(candidate, name, sizeof(name)) &&
         strcmp(name, candidate->name) == 0 && !is_taken(candidate) &&
         candidate_may_login(candidate, url);
}

static void apply(struct candidate *candidate, bool has_changed,
                  int64_t now_ns) {
  struct discovered *cluster = candidate->cluster;
  struct url url;
  struct error why;
  enum status status =
      topology_url(&cluster->rules, &candidate->core, &url, &why);
  if (has_changed) {
    candidate->next_probe_ns = 0;
    candidate->auth_wait_ns = 0;
    candidate->told = STATUS_OK;
  }
  if (candidate->state == DISCOVERY_ADDED && status == STATUS_OK &&
      is_still_node(candidate, &url)) {
    keep(candidate, now_ns);
    return;
  }
  leave(candidate);
  if (status == STATUS_OK && discovery_has_url(cluster->discovery, url.key))
    candidate_free(candidate);
  else
    candidate_judge(candidate, status, &url, &why);
}

/* MaxNodes may be less, or more may be configured: those that were named first
 * stay. */
static void keep_within(struct discovered *cluster) {
  size_t n = cluster->n_configured;
  for (struct candidate *c = cluster->candidates; c; c = c->next)
    if (c->state == DISCOVERY_ADDED && ++n > cluster->settings->max_nodes) {
      leave(c);
      refuse_over(c);
    }
}

void candidates_apply(struct discovered *cluster, bool has_changed,
                      int64_t now_ns) {
  struct candidate *next;
  cluster->n_tellable = TELL_MAX;
  for (struct candidate *c = cluster->candidates; c; c = next) {
    next = c->next;
    apply(c, has_changed, now_ns);
  }
  keep_within(cluster);
}

void candidates_end(struct discovered *cluster) {
  while (cluster->candidates) {
    leave(cluster->candidates);
    candidate_free(cluster->candidates);
  }
}

void candidates_fini(struct discovered *cluster) {
  while (cluster->candidates)
    candidate_free(cluster->candidates);
}
