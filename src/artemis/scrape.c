/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/scrape_parts.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define IDENTITY_MAX_AGE_NS (300 * CLOCK_NS_PER_S)

const char *request_kind_name(enum request_kind kind) {
  static const char *const names[KIND_COUNT] = {
      [KIND_IDENTITY] = "identity", [KIND_BROKER] = "broker",
      [KIND_LISTING] = "listing",   [KIND_ADDRESSES] = "addresses",
      [KIND_MBEAN] = "mbean",       [KIND_BROWSE] = "browse",
      [KIND_CHANGE] = "change",
  };
  return kind < KIND_COUNT ? names[kind] : "unknown";
}

#define SETS_OF_BROKERS (SET_ARTEMIS | SET_DETAIL)

static bool has_broker(const struct scrape *scrape) {
  return (scrape->sets & SETS_OF_BROKERS) != 0;
}

struct scrape *scrape_new(const struct scrape_settings *settings,
                          const struct sample_sink *sink) {
  struct scrape *scrape = calloc(1, sizeof *scrape);
  struct error error;
  if (scrape == NULL)
    return NULL;
  scrape->sink = *sink;
  scrape->sets = settings->sets;
  scrape->queues.source = settings->source;
  memcpy(scrape->interval_ns, settings->interval_ns,
         sizeof scrape->interval_ns);
  scrape->host = strdup(settings->host);
  scrape->reader =
      identity_reader_new(has_broker(scrape) ? settings->jmx_domain : NULL);
  enum status objects = objects_init(&scrape->objects, settings);
  enum status mbeans =
      mbeans_init(&scrape->mbeans, settings->max_queues,
                  &scrape->objects.queues.filter, settings->names);
  if (objects != STATUS_OK || mbeans != STATUS_OK || scrape->host == NULL ||
      scrape->reader == NULL ||
      mbeans_add_sets(&scrape->mbeans, scrape->sets, &error) != STATUS_OK) {
    scrape_free(scrape);
    return NULL;
  }
  return scrape;
}

void scrape_free(struct scrape *scrape) {
  if (scrape == NULL)
    return;
  objects_fini(&scrape->objects);
  mbeans_fini(&scrape->mbeans);
  identity_reader_free(scrape->reader);
  free(scrape->host);
  free(scrape);
}

enum status scrape_add_mbean(struct scrape *scrape,
                             const struct mbean_block *block,
                             const struct mbean_value *value,
                             struct error *error) {
  return mbeans_add(&scrape->mbeans, block, value, error);
}

struct mbeans *scrape_mbeans(struct scrape *scrape) {
  return &scrape->mbeans;
}

/* A clock that was set back makes the identity look too old, not too young. */
static bool identity_due(const struct scrape *scrape, int64_t wall_ns) {
  int64_t age_ns = wall_ns - scrape->identity_ns;
  return !scrape->identity.is_known || scrape->is_identity_due || age_ns < 0 ||
         age_ns >= IDENTITY_MAX_AGE_NS;
}

enum step round_mbeans_step(const struct scrape *scrape, enum tier tier) {
  return mbeans_has(&scrape->mbeans, tier) ? STEP_MBEANS : STEP_OVER;
}

/* What comes behind the identity. */
static enum step step_of(const struct scrape *scrape, enum tier tier) {
  return has_broker(scrape) ? STEP_FIRST : round_mbeans_step(scrape, tier);
}

/* A JVM of which nothing is read in the fast tier shows by its version that it
 * answers. */
static enum step first_step(struct scrape *scrape, enum tier tier,
                            int64_t wall_ns, struct error *outcome) {
  outcome->kind = STATUS_OK;
  outcome->text[0] = '\0';
  if (tier == TIER_FAST && identity_due(scrape, wall_ns))
    return STEP_IDENTITY;
  if (tier == TIER_FAST)
    return step_of(scrape, tier) == STEP_OVER ? STEP_IDENTITY
                                              : step_of(scrape, tier);
  if (!scrape->identity.is_known || scrape->is_down) {
    error_set(outcome, STATUS_CANCELLED,
              "not asked: the broker is not known or does not answer");
    return STEP_OVER;
  }
  if (tier == TIER_ADDRESS &&
      !(has_broker(scrape) && scrape->identity.is_active))
    return STEP_OVER;
  return step_of(scrape, tier);
}

void round_count_aside(struct scrape *scrape) {
  scrape->counts.set_aside = 0;
  for (size_t i = 0; i < TIER_COUNT; i++)
    scrape->counts.set_aside += aside_count(&scrape->rounds[i].aside);
  scrape->counts.set_aside += mbeans_aside(&scrape->mbeans);
}

void round_hold_counters(struct scrape *scrape, struct round *round) {
  const struct sample *sample = &round->values.sample;
  for (unsigned i = 0; i < OBJECT_COUNT; i++)
    round->values.holds[i] = restart_holds(
        &scrape->restarts[i], sample->time_ns, sample->interval_ns);
}

/* Counters went on while the clock was behind their last time: from then on, an
 * hour's messages would seem to come in one interval. */
static void clock_went_back(struct scrape *scrape) {
  for (unsigned i = 0; i < OBJECT_COUNT; i++)
    restart_seen(&scrape->restarts[i]);
}

/* Its queues and addresses are loaded anew. */
static void became_active(struct scrape *scrape, struct round *round) {
  restart_seen(&scrape->restarts[OBJECT_QUEUE]);
  restart_seen(&scrape->restarts[OBJECT_ADDRESS]);
  round_hold_counters(scrape, round);
}

void scrape_begin(struct scrape *scrape, enum tier tier, int64_t wall_ns) {
  struct round *round = &scrape->rounds[tier];
  struct values *values = &round->values;
  if (tier == TIER_FAST)
    scrape->has_uptime = false;
  int64_t interval_ns = scrape->interval_ns[tier];
  *values = (struct values){.sink = &scrape->sink};
  values->sample.host = scrape->host;
  values->sample.plugin = "artemis";
  values->sample.time_ns = wall_ns;
  values->sample.interval_ns = interval_ns;
  round_hold_counters(scrape, round);
  round->is_held_back =
      round->has_last && wall_ns - round->last_ns < interval_ns / 2;
  if (round->has_last && wall_ns < round->last_ns)
    clock_went_back(scrape);
  round->is_partial = false;
  round->dispatched = 0;
  aside_round(&round->aside);
  round_count_aside(scrape);
  round->step = first_step(scrape, tier, wall_ns, &round->outcome);
}

void round_end(struct scrape *scrape, struct round *round, enum tier tier) {
  bool has_failed =
      round->outcome.kind != STATUS_OK && !status_is_ours(round->outcome.kind);
  scrape->counts.samples += round->values.samples;
  scrape->counts.value_errors += round->values.errors;
  scrape->counts.counters_held += round->values.held;
  for (unsigned i = 0; i < OBJECT_COUNT; i++)
    if (round->values.has_counter[i])
      restart_dispatched(&scrape->restarts[i], round->values.sample.time_ns);
  scrape->counts.partial += round->is_partial;
  if (has_failed)
    scrape->is_identity_due = true;
  if (tier == TIER_FAST)
    scrape->is_down = has_failed;
  if (round->dispatched > 0) {
    round->last_ns = round->values.sample.time_ns;
    round->has_last = true;
  }
}

/* The identity's reply is in, or failed. */
static void identity_done(struct scrape *scrape, struct round *round,
                          enum tier tier, const struct error *error) {
  struct identity found = {.is_known = false};
  struct error why;
  enum status status;
  status = identity_take(scrape->reader, &found, &why);
  round->step = STEP_OVER;
  if (error->kind != STATUS_OK) {
    round->outcome = *error;
    return;
  }
  if (status != STATUS_OK) {
    scrape->identity.is_known = false;
    round->outcome = why;
    return;
  }
  if (found.is_active && !scrape->identity.is_active)
    became_active(scrape, round);
  scrape->identity = found;
  scrape->identity_ns = round->values.sample.time_ns;
  /* A replica that is not synchronised has none yet. */
  scrape->is_identity_due = found.is_backup && found.node_id[0] == '\0';
  queues_identity_read(&scrape->queues);
  round->step = step_of(scrape, tier);
}

/* The broker is one object, however many items it came in. */
static void count_broker(struct scrape *scrape, struct round *round) {
  struct scrape_counts *counts = &scrape->counts;
  if (round->broker_rows == 0)
    return;
  counts->received++;
  if (round->is_held_back) {
    counts->clock_step++;
    counts->excluded++;
  } else if (round->broker_samples > 0) {
    counts->dispatched++;
    round->dispatched++;
  } else {
    counts->invalid++;
  }
}

/* What the present role means for this round and the next. */
static void judge_role(struct scrape *scrape, struct round *round) {
  if (round->values.saw_not_started)
    error_set(&round->outcome, STATUS_NOT_STARTED,
              "the broker is not started yet");
  else if (round->before == ACTIVE_UNKNOWN)
    round->outcome = round->before_error;
  if (round->outcome.kind != STATUS_OK)
    return;
  if ((round->before == ACTIVE_YES) != scrape->identity.is_active) {
    scrape->identity.is_active = round->before == ACTIVE_YES;
    scrape->is_identity_due = true;
    round->is_new = scrape->identity.is_active;
    if (round->is_new)
      became_active(scrape, round);
  }
  if (round->before == ACTIVE_YES && round->after != ACTIVE_YES &&
      round->plan.items[round->plan.n - 1].role == PLAN_ACTIVE_AFTER) {
    if (round->objects > 0)
      round->is_partial = true;
    round->has_objects = false;
    scrape->is_identity_due = true;
  }
}

static enum step next_step(struct scrape *scrape, const struct round *round) {
  enum queues_way way = QUEUES_NONE;
  if (round->is_new)
    way = queues_tick(&scrape->queues, aside_has(&round->aside, ASIDE_LISTING));
  else if (round->was_listed && round->before == ACTIVE_YES)
    way = queues_listed(&scrape->queues, round->listed.kind, round->rows,
                        scrape->host, round->listed.text);
  if (way == QUEUES_LIST)
    return STEP_LISTING;
  if (way == QUEUES_READ && !aside_has(&round->aside, ASIDE_QUEUES))
    return STEP_QUEUES;
  return round_mbeans_step(scrape, TIER_FAST);
}

static void mbeans_over(struct scrape *scrape, struct round *round,
                        enum tier tier, const struct error *error) {
  round->step = STEP_OVER;
  mbeans_done(&scrape->mbeans, tier, error->kind != STATUS_OK);
  if (error->kind == STATUS_OK)
    return;
  round->outcome = *error;
  round->is_partial = round->dispatched > 0;
}

static void request_done(struct scrape *scrape, struct round *round,
                         enum tier tier, const struct error *error) {
  count_broker(scrape, round);
  round->dispatched += round->objects;
  round->step = STEP_OVER;
  if (error->kind != STATUS_OK) {
    round->outcome = *error;
    round->is_partial = round->dispatched > 0;
    return;
  }
  round->step = round_mbeans_step(scrape, tier);
  if (tier == TIER_SLOW)
    return;
  judge_role(scrape, round);
  if (round->outcome.kind != STATUS_OK) {
    round->step = STEP_OVER;
    return;
  }
  if (tier == TIER_FAST)
    round->step = next_step(scrape, round);
  if (round->has_objects && tier == TIER_FAST && !round->is_held_back)
    kept_sums_dispatch(&scrape->objects.kept, &round->values);
  if (round->has_objects)
    objects_all_came(&scrape->objects,
                     tier == TIER_ADDRESS ? PLAN_ADDRESSES : PLAN_QUEUES);
}

void scrape_done(struct scrape *scrape, enum tier tier,
                 const struct error *error) {
  struct round *round = &scrape->rounds[tier];
  if (round->step == STEP_OVER)
    return;
  if (round->step == STEP_IDENTITY)
    identity_done(scrape, round, tier, error);
  else if (round->step == STEP_MBEANS)
    mbeans_over(scrape, round, tier, error);
  else
    request_done(scrape, round, tier, error);
  if (round->step == STEP_OVER)
    round_end(scrape, round, tier);
}

const struct error *scrape_outcome(const struct scrape *scrape,
                                   enum tier tier) {
  return &scrape->rounds[tier].outcome;
}

bool scrape_is_whole(const struct scrape *scrape) {
  const struct round *round = &scrape->rounds[TIER_FAST];
  return round->outcome.kind == STATUS_OK && round->has_objects &&
         !round->is_partial && !round->is_held_back &&
         scrape->identity.is_active;
}

bool scrape_has_all(const struct scrape *scrape) {
  return has_broker(scrape)
             ? scrape_is_whole(scrape)
             : scrape->rounds[TIER_FAST].outcome.kind == STATUS_OK;
}

int64_t scrape_uptime_ms(const struct scrape *scrape) {
  return scrape->has_uptime ? scrape->uptime_ms : -1;
}

const struct left_out *scrape_over_queues(const struct scrape *scrape) {
  return &scrape->objects.queues.over;
}

const struct left_out *scrape_over_addresses(const struct scrape *scrape) {
  return &scrape->objects.addresses.over;
}

const struct left_out *scrape_over_mbeans(const struct scrape *scrape,
                                          enum tier tier) {
  return &scrape->mbeans.left_out[tier].over;
}

const struct left_out *scrape_taken_mbeans(const struct scrape *scrape,
                                           enum tier tier) {
  return &scrape->mbeans.left_out[tier].taken;
}

const struct identity *scrape_identity(const struct scrape *scrape) {
  return &scrape->identity;
}

const struct scrape_counts *scrape_counts(const struct scrape *scrape) {
  return &scrape->counts;
}
