/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/cluster_parts.h"

#include "base/clock.h"
#include "base/line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct cluster *cluster_new(const struct cluster_options *options) {
  struct cluster *cluster = calloc(1, sizeof(*cluster));
  char *name = strdup(options->name);
  if (!cluster || !name) {
    free(cluster);
    free(name);
    return NULL;
  }
  cluster->name = name;
  cluster->notices = options->notices;
  cluster->samples = options->samples;
  cluster->has_partial_sums = options->has_partial_sums;
  cluster->bond_rounds = options->is_once ? 1 : BOND_ROUNDS;
  cluster->share = options->share;
  cluster->health.name = name;
  cluster->health.notices = options->notices;
  TAILQ_INIT(&cluster->members);
  sums_init(&cluster->sums);
  return cluster;
}

void cluster_free(struct cluster *cluster) {
  if (!cluster)
    return;
  sums_fini(&cluster->sums);
  free(cluster->name);
  free(cluster);
}

const char *cluster_name(const struct cluster *cluster) {
  return cluster->name;
}

size_t cluster_n_members(const struct cluster *cluster) {
  return cluster->health.n_nodes;
}

void cluster_set_partial_sums(struct cluster *cluster, bool has_partial_sums) {
  cluster->has_partial_sums = has_partial_sums;
}

enum status cluster_join(struct cluster *cluster,
                         const struct member_options *options,
                         struct member **ret) {
  struct member *member = calloc(1, sizeof(*member));
  char *name = strdup(options->name);
  if (!member || !name) {
    free(member);
    free(name);
    return STATUS_NO_MEMORY;
  }
  member->cluster = cluster;
  member->name = name;
  member->node = options->node;
  member->interval_ns = options->interval_ns;
  sums_part_init(&member->part, options->max_queues);
  TAILQ_INSERT_TAIL(&cluster->members, member, beside);
  cluster->leader = NULL;
  cluster->health.n_nodes++;
  *ret = member;
  return STATUS_OK;
}

void member_set(struct member *member, const struct member_options *options) {
  member->interval_ns = options->interval_ns;
  member->cluster->leader = NULL;
  sums_part_fini(&member->part);
  sums_part_init(&member->part, options->max_queues);
}

/* Who was told of a trouble waits for its end. */
static void tell_ends(const struct member *member, const char *why) {
  const struct cluster *cluster = member->cluster;
  const struct {
    bool is_open;
    enum event end;
  } troubles[] = {{member->health.was_down_noticed, EVENT_NODE_UP},
                  {member->health.was_login_noticed, EVENT_LOGIN_ACCEPTED},
                  {member->is_pinched, EVENT_SCRAPE_EASY},
                  {member->is_over_cap, EVENT_WITHIN_CAP},
                  {member->is_split_host, EVENT_PAIR_WHOLE},
                  {member->bond == BOND_ALIAS, EVENT_ALIAS_OVER},
                  {member->is_alternating, EVENT_ALTERNATING_OVER},
                  {member->certificate > 0, EVENT_CERTIFICATE_RENEWED}};
  for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++)
    if (troubles[i].is_open)
      notice_gone(&cluster->notices, troubles[i].end, member->name,
                  cluster->name, "%s", why);
}

void cluster_leave(struct member *member, const char *why) {
  if (!member)
    return;
  struct cluster *cluster = member->cluster;
  if (why)
    tell_ends(member, why);
  bonds_leave(member, why);
  TAILQ_REMOVE(&cluster->members, member, beside);
  cluster->leader = NULL;
  health_leave(&member->health, &cluster->health, why);
  sums_part_fini(&member->part);
  free(member->name);
  free(member);
}

void member_tell(struct member *member, enum log_level level, enum event event,
                 const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  line_format(text, sizeof(text), format, args);
  va_end(args);
  log_write(level, "node %s (cluster %s): %s: %s", member->name,
            member->cluster->name, notice_row(event)->event, text);
  notice_send(&member->cluster->notices, event, member->name,
              member->cluster->name, "%s", text);
}

/* Rounds running before the waits for permits are told, or their end. */
#define PINCHED_ROUNDS 3

static void watch_permits(struct member *member,
                          const struct member_round *round) {
  enum status kind = round->outcome->kind;
  bool is_pinched = kind == STATUS_PERMIT_TIMEOUT ||
                    kind == STATUS_PERMIT_QUEUE_FULL ||
                    round->permit_wait_ns > member->interval_ns / 2;
  member->pinched = is_pinched ? member->pinched + 1 : 0;
  member->easy = is_pinched ? 0 : member->easy + 1;
  if (!member->is_pinched && member->pinched >= PINCHED_ROUNDS) {
    member->is_pinched = true;
    member_tell(member, LOG_LEVEL_WARNING, EVENT_SCRAPE_PINCHED,
                "%d rounds running waited for permits for over half the "
                "interval: `jolokiactl limits` says what for",
                PINCHED_ROUNDS);
  } else if (member->is_pinched && member->easy >= PINCHED_ROUNDS) {
    member->is_pinched = false;
    member_tell(member, LOG_LEVEL_NOTICE, EVENT_SCRAPE_EASY,
                "its permits come in time again");
  }
}

/* Whole rounds running without one left out, before it is told. */
#define WITHIN_CAP_ROUNDS 3

/* How many; *${first}: the name of one, if none has been found before. */
static uint64_t count_over(const struct left_out *over, const char **first) {
  if (over && over->n > 0 && !*first)
    *first = over->names[0];
  return over ? over->n : 0;
}

static void watch_cap(struct member *member, const struct member_round *round) {
  const char *first = NULL;
  if (!round->has_all)
    return;
  uint64_t queues = count_over(round->over_queues, &first);
  uint64_t addresses = count_over(round->over_addresses, &first);
  uint64_t mbeans = 0;
  for (unsigned tier = 0; tier < TIER_COUNT; tier++)
    mbeans += count_over(round->over_mbeans[tier], &first);
  member->within_cap = first ? 0 : member->within_cap + 1;
  if (first && !member->is_over_cap) {
    member->is_over_cap = true;
    member_tell(member, LOG_LEVEL_WARNING, EVENT_OVER_CAP,
                "MaxQueues leaves out %" PRIu64 " queues and %" PRIu64
                " MBeans, MaxAddresses %" PRIu64
                " addresses, %s first: raise it, or exclude what is not wanted",
                queues, mbeans, addresses, first);
  } else if (member->is_over_cap && member->within_cap >= WITHIN_CAP_ROUNDS) {
    member->is_over_cap = false;
    member_tell(member, LOG_LEVEL_NOTICE, EVENT_WITHIN_CAP,
                "no queue, address or MBean is left out any more");
  }
}

#define DAY_NS (86400 * CLOCK_NS_PER_S)

static void watch_certificate(struct member *member, int64_t left_ns) {
  if (left_ns == CLOCK_NEVER)
    return;
  unsigned before = member->certificate;
  member->certificate = left_ns < 7 * DAY_NS ? 2 : left_ns < 30 * DAY_NS;
  if (member->certificate == before)
    return;
  long long days = (long long)(left_ns / DAY_NS);
  if (left_ns < 0)
    member_tell(member, LOG_LEVEL_ERROR, EVENT_CERTIFICATE_7_DAYS,
                "its certificate has expired");
  else if (member->certificate == 2)
    member_tell(member, LOG_LEVEL_ERROR, EVENT_CERTIFICATE_7_DAYS,
                "its certificate expires in %lld days", days);
  else if (member->certificate == 1)
    member_tell(member, LOG_LEVEL_WARNING, EVENT_CERTIFICATE_30_DAYS,
                "its certificate expires in %lld days", days);
  else
    member_tell(member, LOG_LEVEL_NOTICE, EVENT_CERTIFICATE_RENEWED,
                "its certificate is valid for %lld days", days);
}

void cluster_round(struct member *member, const struct member_round *round,
                   int64_t now_ns) {
  struct cluster_health *all = &member->cluster->health;
  bool has_changed = health_round(&member->health, all, round->outcome,
                                  round->identity, round->hold, now_ns);
  health_tell(&member->health, all, member->name, round->outcome, has_changed,
              now_ns);
  if (round->outcome->kind == STATUS_OK)
    bonds_round(member, round, now_ns);
  role_round(member, has_changed);
  if (member->health.is_up && !status_is_ours(round->outcome->kind))
    member->answered_ns = now_ns;
  sums_part_end(&member->part, round->is_whole, round->started_ns,
                all->n_nodes > 1);
  watch_permits(member, round);
  watch_cap(member, round);
  watch_certificate(member, round->certificate_left_ns);
}

const struct health *member_health(const struct member *member) {
  return &member->health;
}

const char *bond_name(enum bond bond) {
  static const char *const names[] = {[BOND_NONE] = "none",
                                      [BOND_PAIR] = "pair",
                                      [BOND_ALIAS] = "alias",
                                      [BOND_SPLIT] = "split"};
  return names[bond];
}

void member_view(const struct member *member, struct member_view *ret) {
  *ret =
      (struct member_view){.bond = member->bond,
                           .other = member->other ? member->other->name : NULL,
                           .is_alternating = member->is_alternating,
                           .shares_ceiling = member->is_sharing};
}
