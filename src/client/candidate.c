/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/discovery_state.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Refused, failed: said once -- */

static void tell(struct candidate *candidate, const char *what) {
  struct discovered *cluster = candidate->cluster;
  if (candidate->told == candidate->why.kind || cluster->n_tellable == 0)
    return;
  candidate->told = candidate->why.kind;
  const char *more = --cluster->n_tellable ? "" : " (and maybe others)";
  log_write(LOG_LEVEL_WARNING, "cluster %s: member %s %s: %s: %s%s",
            cluster->name, candidate->core_text, what,
            status_name(candidate->why.kind), candidate->why.text, more);
  notice_send(&cluster->discovery->notices, EVENT_MEMBER_REFUSED, cluster->name,
              cluster->name, "member %s %s: %s", candidate->core_text, what,
              candidate->why.text);
}

void candidate_refuse(struct candidate *candidate, enum status kind,
                      const char *format, ...) {
  char text[sizeof(candidate->why.text)];
  va_list args;
  va_start(args, format);
  line_format(text, sizeof(text), format, args);
  va_end(args);
  candidate->state = DISCOVERY_REFUSED;
  error_set(&candidate->why, kind, "%s", text);
  tell(candidate, "is not watched");
}

void candidate_fail(struct candidate *candidate, const struct error *why,
                    bool was_asked) {
  char what[URL_MAX + 64];
  snprintf(what, sizeof(what), "was found, and %s %s",
           was_asked ? "does not answer as a broker at"
                     : "could not be asked at",
           candidate->url->key);
  candidate->state = DISCOVERY_FAILED;
  candidate->why = *why;
  tell(candidate, what);
}

/* -- One candidate -- */

static void forget_url(struct candidate *candidate) {
  free(candidate->url);
  candidate->url = NULL;
}

void candidate_free(struct candidate *candidate) {
  struct discovered *cluster = candidate->cluster;
  struct candidate **link = &cluster->candidates;
  while (*link != candidate)
    link = &(*link)->next;
  *link = candidate->next;
  cluster->n_candidates--;
  probe_stop(candidate);
  free(candidate->settings);
  free(candidate->name);
  free(candidate->url);
  free(candidate);
}

static struct candidate *find(const struct discovered *cluster,
                              const struct topology_core *core) {
  struct candidate *candidate = cluster->candidates;
  while (candidate && (candidate->core.port != core->port ||
                       strcmp(candidate->core.host, core->host) != 0))
    candidate = candidate->next;
  return candidate;
}

struct candidate *candidate_of_node(const struct discovered *cluster,
                                    const char *name) {
  struct candidate *candidate = cluster->candidates;
  while (candidate && (candidate->state != DISCOVERY_ADDED ||
                       strcmp(candidate->name, name) != 0))
    candidate = candidate->next;
  return candidate;
}

static struct candidate *candidate_new(struct discovered *cluster,
                                       const struct topology_core *core) {
  if (cluster->n_candidates >= cluster->settings->max_nodes + REFUSED_MAX)
    return NULL;
  struct candidate *candidate = calloc(1, sizeof(*candidate));
  if (!candidate)
    return NULL;
  candidate->cluster = cluster;
  candidate->core = *core;
  snprintf(candidate->core_text, sizeof(candidate->core_text), "%s%s%s:%u",
           core->is_ipv6 ? "[" : "", core->host, core->is_ipv6 ? "]" : "",
           (unsigned)core->port);
  struct candidate **link = &cluster->candidates;
  while (*link)
    link = &(*link)->next;
  *link = candidate;
  cluster->n_candidates++;
  return candidate;
}

/* -- Whether it may be asked, and where -- */

static bool has_same_url(const struct candidate *candidate,
                         const struct candidate *other) {
  return other != candidate && other->url && candidate->url &&
         strcmp(other->url->key, candidate->url->key) == 0;
}

const struct candidate *
candidate_other(const struct candidate *candidate,
                bool (*is_it)(const struct candidate *candidate,
                              const struct candidate *other)) {
  const struct roster *clusters = &candidate->cluster->discovery->clusters;
  for (size_t i = 0; i < clusters->n; i++) {
    const struct discovered *cluster =
        (const struct discovered *)clusters->entries[i];
    for (const struct candidate *other = cluster->candidates; other;
         other = other->next)
      if (is_it(candidate, other))
        return other;
  }
  return NULL;
}

/* The cluster's settings for its members, and what is the candidate's own. */
struct node_settings *candidate_settings(const struct candidate *candidate) {
  struct node_settings *settings = malloc(sizeof(*settings));
  if (!settings)
    return NULL;
  *settings = candidate->cluster->settings->member;
  settings->name = candidate->name;
  settings->url = candidate->url->text;
  settings->url_key = candidate->url->key;
  return settings;
}

bool candidate_may_login(const struct candidate *candidate,
                         const struct url *url) {
  const struct node_settings *member = &candidate->cluster->settings->member;
  return url->is_https || url->is_loopback || !member->username ||
         member->allow_plaintext;
}

static void judge_url(struct candidate *candidate) {
  const struct url *url = candidate->url;
  const struct candidate *other = candidate_other(candidate, has_same_url);
  candidate->why.kind = STATUS_OK;
  candidate->state = DISCOVERY_NEW;
  if (other)
    candidate_refuse(candidate, STATUS_INVALID,
                     "%s has the URL %s already: give each a NodeURL of its "
                     "own",
                     other->core_text, url->key);
  else if (!candidate_may_login(candidate, url))
    candidate_refuse(candidate, STATUS_INVALID,
                     "its URL %s is http://, so that the password would cross "
                     "the network in the clear; use https://, or add the line "
                     "\"AllowPlaintext true\" where that is acceptable",
                     url->key);
  if (candidate->state == DISCOVERY_REFUSED)
    forget_url(candidate);
}

void candidate_judge(struct candidate *candidate, enum status status,
                     const struct url *url, const struct error *why) {
  forget_url(candidate);
  if (status == STATUS_OK)
    candidate->url = malloc(sizeof(*url));
  if (candidate->url) {
    *candidate->url = *url;
    judge_url(candidate);
  } else if (status == STATUS_OK) {
    candidate_refuse(candidate, STATUS_NO_MEMORY, "no memory for its URL");
  } else {
    candidate_refuse(candidate, status, "%s", why->text);
  }
}

/* -- A topology -- */

/* A node of the cluster that has said to be this member: it needs no URL of
 * ours, whatever its Core address is. */
static bool is_self(const struct discovered *cluster,
                    const struct topology_member *member) {
  enum node_state state = member->is_backup ? NODE_BACKUP : NODE_ACTIVE;
  for (size_t i = 0; member->node_id[0] && i < cluster->selves.n; i++) {
    const struct self *self = (const struct self *)cluster->selves.entries[i];
    if (self->state == state && strcmp(self->node_id, member->node_id) == 0)
      return true;
  }
  return false;
}

/* The configured node that has this URL and is another broker; NULL if none. */
static const struct self *other_at_url(const struct discovered *cluster,
                                       const struct topology_member *member,
                                       const char *url_key) {
  uint64_t hash = hash_text(url_key);
  for (size_t i = 0; member->node_id[0] && i < cluster->selves.n; i++) {
    const struct self *self = (const struct self *)cluster->selves.entries[i];
    if (self->url_hash == hash && self->node_id[0] &&
        strcmp(self->node_id, member->node_id) != 0)
      return self;
  }
  return NULL;
}

/* A node, or as good as one, or one whose login was refused a while ago. */
static bool is_judged(const struct candidate *candidate, int64_t now_ns) {
  return candidate->state == DISCOVERY_ADDED ||
         candidate->state == DISCOVERY_PROBING ||
         (candidate->state == DISCOVERY_FAILED &&
          now_ns < candidate->next_probe_ns);
}

static void take_member(struct discovered *cluster,
                        const struct topology_member *member, int64_t now_ns) {
  struct candidate *candidate = find(cluster, &member->core);
  bool is_settled = candidate && is_judged(candidate, now_ns);
  struct url url;
  struct error why = {.kind = STATUS_OK};
  enum status status = STATUS_OK;
  if (!is_settled) {
    status = topology_url(&cluster->rules, &member->core, &url, &why);
    bool is_configured =
        status == STATUS_OK && discovery_has_url(cluster->discovery, url.key);
    const struct self *other =
        is_configured ? other_at_url(cluster, member, url.key) : NULL;
    if (other)
      status = error_set(&why, STATUS_INVALID,
                         "the URL %s is node %s's, which is another broker: "
                         "give this one a NodeURL of its own",
                         url.key, other->name);
    else if (is_configured || is_self(cluster, member)) {
      if (candidate)
        candidate_free(candidate);
      return;
    }
  }
  if (!candidate)
    candidate = candidate_new(cluster, &member->core);
  if (!candidate)
    return; /* there are enough that are refused */
  candidate->is_named = true;
  memcpy(candidate->node_id, member->node_id, sizeof(candidate->node_id));
  candidate->is_backup = member->is_backup;
  if (!is_settled)
    candidate_judge(candidate, status, &url, &why);
}

static void tell_odd(struct discovered *cluster,
                     const struct topology *topology) {
  if (topology->n_odd > 0)
    log_write(LOG_LEVEL_INFO,
              "cluster %s: of its members %zu cannot be asked; the first: %s",
              cluster->name, topology->n_odd, topology->odd.text);
  if (topology->n_over > 0)
    log_write(LOG_LEVEL_WARNING,
              "cluster %s: a broker names %zu members more than the %d that "
              "are looked at",
              cluster->name, topology->n_over, TOPOLOGY_MAX);
}

void candidates_take(struct discovered *cluster,
                     const struct topology *topology, int64_t now_ns) {
  for (struct candidate *c = cluster->candidates; c; c = c->next) {
    if (c->is_named)
      c->unnamed_ns = now_ns;
    c->is_named = false;
  }
  cluster->n_tellable = TELL_MAX;
  if (!cluster->was_odd_told)
    tell_odd(cluster, topology);
  cluster->was_odd_told = topology->n_odd > 0 || topology->n_over > 0;
  for (size_t i = 0; i < topology->n; i++)
    take_member(cluster, &topology->members[i], now_ns);
}
