/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/scrape.h"

#include "artemis/mbean.h"
#include "artemis/objects.h"
#include "artemis/queues.h"
#include "artemis/restart.h"
#include "base/clock.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

#define IDENTITY_MAX_AGE_NS (300 * CLOCK_NS_PER_S)

enum step {
  STEP_OVER,
  STEP_IDENTITY,
  STEP_FIRST,
  STEP_LISTING,
  STEP_QUEUES,
  STEP_MBEANS
};

enum active { ACTIVE_UNKNOWN, ACTIVE_NO, ACTIVE_YES };

struct round {
  enum step step;
  struct aside aside;
  struct error outcome;
  struct values values;
  bool is_held_back;
  bool is_partial;
  uint64_t dispatched; /* objects in this round */
  int64_t last_ns;     /* time of the last round that dispatched, if has_last */
  bool has_last;
  /* of the present request */
  struct plan plan;
  int64_t uptime_ms; /* the longest one known when it was made */
  enum active before;
  enum active after;
  struct error before_error;
  size_t broker_rows;
  uint64_t broker_samples;
  uint64_t objects; /* dispatched queues or addresses */
  uint64_t rows;    /* of queues or addresses, however they ended */
  bool was_listed;  /* the listing's result was told */
  struct error listed;
  bool has_objects; /* queues or addresses came, whole */
  bool is_new;      /* the broker has become active in it: no queue was asked */
};

struct scrape {
  char *host;
  struct sample_sink sink;
  int64_t interval_ns[TIER_COUNT];
  unsigned sets;
  struct objects objects;
  struct mbeans mbeans;
  struct queues queues;
  struct identity_reader *reader;
  struct identity identity;
  int64_t identity_ns;  /* time of the round that read it */
  bool is_identity_due; /* whatever its age */
  bool is_down;         /* the last fast round failed, and not by us */
  int64_t uptime_ms;    /* of the last fast round */
  int64_t longest_ms;   /* uptime of the present process, by any round */
  struct restart restarts[OBJECT_COUNT];
  bool has_uptime; /* the last fast round gave it */
  bool is_differing_told;
  bool is_version_doubted; /* the last listing was no known operation */
  struct round rounds[TIER_COUNT];
  struct scrape_counts counts;
};

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

static enum step mbeans_step(const struct scrape *scrape, enum tier tier) {
  return mbeans_has(&scrape->mbeans, tier) ? STEP_MBEANS : STEP_OVER;
}

/* What comes behind the identity. */
static enum step step_of(const struct scrape *scrape, enum tier tier) {
  return has_broker(scrape) ? STEP_FIRST : mbeans_step(scrape, tier);
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

static void count_aside(struct scrape *scrape) {
  scrape->counts.set_aside = 0;
  for (size_t i = 0; i < TIER_COUNT; i++)
    scrape->counts.set_aside += aside_count(&scrape->rounds[i].aside);
  scrape->counts.set_aside += mbeans_aside(&scrape->mbeans);
}

static void hold_counters(struct scrape *scrape, struct round *round) {
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
  hold_counters(scrape, round);
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
  hold_counters(scrape, round);
  round->is_held_back =
      round->has_last && wall_ns - round->last_ns < interval_ns / 2;
  if (round->has_last && wall_ns < round->last_ns)
    clock_went_back(scrape);
  round->is_partial = false;
  round->dispatched = 0;
  aside_round(&round->aside);
  count_aside(scrape);
  round->step = first_step(scrape, tier, wall_ns, &round->outcome);
}

static void add_queues(struct scrape *scrape, struct plan *plan,
                       enum queues_way way) {
  if (way == QUEUES_LIST)
    plan_add_listing(plan);
  if (way != QUEUES_READ)
    return;
  plan_add_queues(plan, TIER_FAST);
  if (scrape->queues.source == SCRAPE_AUTO)
    scrape->counts.fallback++;
}

/* The first request of a fast round: everything in one bulk. */
static enum request_kind plan_fast(struct scrape *scrape, struct plan *plan) {
  enum queues_way way = QUEUES_NONE;
  plan_add_active(plan, PLAN_ACTIVE_BEFORE);
  plan_add_broker(plan, TIER_FAST);
  if (scrape->identity.is_active)
    way = queues_tick(&scrape->queues, aside_has(plan->aside, ASIDE_LISTING));
  if (way == QUEUES_READ && aside_has(plan->aside, ASIDE_QUEUES))
    way = QUEUES_NONE;
  if (way == QUEUES_NONE)
    return KIND_BROKER;
  add_queues(scrape, plan, way);
  plan_add_active(plan, PLAN_ACTIVE_AFTER);
  return KIND_LISTING;
}

static enum request_kind plan_slow(struct scrape *scrape, struct plan *plan) {
  bool has_detail =
      (scrape->sets & SET_DETAIL) != 0 && scrape->identity.is_active;
  if (has_detail)
    plan_add_active_uptime(plan);
  plan_add_broker(plan, TIER_SLOW);
  if (!has_detail)
    return KIND_BROKER;
  plan_add_queues(plan, TIER_SLOW);
  plan_add_addresses(plan, TIER_SLOW);
  return KIND_LISTING;
}

static enum request_kind plan_first(struct scrape *scrape, enum tier tier,
                                    struct plan *plan) {
  if (tier == TIER_FAST)
    return plan_fast(scrape, plan);
  if (tier == TIER_SLOW)
    return plan_slow(scrape, plan);
  if (aside_has(plan->aside, ASIDE_ADDRESSES))
    return KIND_ADDRESSES;
  plan_add_active_uptime(plan);
  plan_add_addresses(plan, TIER_ADDRESS);
  plan_add_active(plan, PLAN_ACTIVE_AFTER);
  return KIND_ADDRESSES;
}

/* A later request of a fast round: the queues once more. */
static enum request_kind plan_again(struct scrape *scrape, struct plan *plan,
                                    enum queues_way way) {
  plan_add_active(plan, PLAN_ACTIVE_BEFORE);
  add_queues(scrape, plan, way);
  plan_add_active(plan, PLAN_ACTIVE_AFTER);
  return KIND_LISTING;
}

static void begin_request(const struct scrape *scrape, struct round *round) {
  round->uptime_ms = scrape->longest_ms;
  round->before = ACTIVE_UNKNOWN;
  round->after = ACTIVE_UNKNOWN;
  error_set(&round->before_error, STATUS_MALFORMED_REPLY,
            "the reply does not say whether the broker is active");
  round->broker_rows = 0;
  round->broker_samples = 0;
  round->objects = 0;
  round->rows = 0;
  round->was_listed = false;
  round->has_objects = false;
  round->is_new = false;
}

static void end_round(struct scrape *scrape, struct round *round,
                      enum tier tier) {
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

static bool next_mbeans(struct scrape *scrape, struct round *round,
                        enum tier tier, struct scrape_request *ret) {
  const struct mbean_round *mbeans = mbeans_plan(&scrape->mbeans, tier);
  ret->kind = KIND_MBEAN;
  ret->n = mbeans ? mbeans->n : 0;
  if (ret->n == 0) {
    round->step = STEP_OVER;
    end_round(scrape, round, tier);
    return false;
  }
  ret->operations = mbeans->operations;
  ret->specs = mbeans->specs;
  return true;
}

bool scrape_next(struct scrape *scrape, enum tier tier,
                 struct scrape_request *ret) {
  struct round *round = &scrape->rounds[tier];
  struct plan *plan = &round->plan;
  if (round->step == STEP_OVER)
    return false;
  if (round->step == STEP_IDENTITY) {
    ret->kind = KIND_IDENTITY;
    ret->n = identity_request(scrape->reader, &ret->operations, &ret->specs);
    return true;
  }
  if (round->step == STEP_MBEANS)
    return next_mbeans(scrape, round, tier, ret);
  begin_request(scrape, round);
  if (tier != TIER_SLOW)
    objects_begin(&scrape->objects,
                  tier == TIER_ADDRESS ? PLAN_ADDRESSES : PLAN_QUEUES);
  plan_begin(plan, &scrape->identity, scrape->sets, &round->aside);
  plan->has_address = objects_has_address(&scrape->objects);
  if (round->step == STEP_FIRST)
    ret->kind = plan_first(scrape, tier, plan);
  else
    ret->kind = plan_again(
        scrape, plan, round->step == STEP_LISTING ? QUEUES_LIST : QUEUES_READ);
  ret->operations = plan->operations;
  ret->specs = plan->specs;
  ret->n = plan->n;
  if (plan->n > 0)
    return true;
  round->step = mbeans_step(scrape, tier); /* all of it is set aside */
  if (round->step == STEP_MBEANS)
    return next_mbeans(scrape, round, tier, ret);
  end_round(scrape, round, tier);
  return false;
}

static enum active active_of(const struct value *value) {
  if (value->type != VALUE_BOOL)
    return ACTIVE_UNKNOWN;
  return value->integer != 0 ? ACTIVE_YES : ACTIVE_NO;
}

static void active_row(struct round *round, const struct value *value) {
  round->before = active_of(value);
  if (round->before != ACTIVE_UNKNOWN)
    return;
  if (value->type == VALUE_FAULT &&
      identity_not_started(value->text, value->text_len))
    error_set(&round->before_error, STATUS_NOT_STARTED,
              "the broker is not started yet");
  else
    error_set(&round->before_error, STATUS_ITEM_ERROR,
              "the attribute Active cannot be read: %.*s",
              value->type == VALUE_FAULT ? (int)value->text_len : 0,
              value->type == VALUE_FAULT ? value->text : "");
}

/* An uptime that went back: another broker process, maybe another version. */
static void restarted(struct scrape *scrape, struct round *round) {
  scrape->is_identity_due = true;
  for (unsigned i = 0; i < OBJECT_COUNT; i++)
    restart_seen(&scrape->restarts[i]);
  hold_counters(scrape, round);
}

/* A request of another tier may have been answered meanwhile, that was made
 * later: its uptime tells nothing of this one's. */
static void see_uptime(struct scrape *scrape, struct round *round,
                       int64_t uptime_ms) {
  if (uptime_ms < round->uptime_ms) {
    restarted(scrape, round);
    scrape->longest_ms = uptime_ms;
  } else if (uptime_ms > scrape->longest_ms) {
    scrape->longest_ms = uptime_ms;
  }
}

static void watch_uptime(struct scrape *scrape, struct round *round,
                         const struct plan_item *item,
                         const struct value *columns) {
  for (size_t i = item->n_lead; i < item->n; i++) {
    if (strcmp(item->names[i], "UptimeMillis") != 0 ||
        columns[i].type != VALUE_INT)
      continue;
    see_uptime(scrape, round, columns[i].integer);
    scrape->uptime_ms = columns[i].integer;
    scrape->has_uptime = true;
    return;
  }
}

static void broker_row(struct scrape *scrape, struct round *round,
                       const struct plan_item *item,
                       const struct value *columns) {
  round->broker_rows++;
  watch_uptime(scrape, round, item, columns);
  if (!round->is_held_back)
    round->broker_samples +=
        values_dispatch(&round->values, object_name(OBJECT_BROKER),
                        item->attributes + item->n_lead, columns + item->n_lead,
                        item->n - item->n_lead);
}

static void object_row(struct scrape *scrape, struct round *round,
                       const struct plan_item *item, const struct row *row) {
  struct scrape_counts counted_before = scrape->counts;
  if (item->is_again) {
    objects_row(&scrape->objects, item, row, round->before == ACTIVE_YES,
                round->is_held_back, &round->values, &counted_before);
    return;
  }
  round->rows++;
  if (objects_row(&scrape->objects, item, row, round->before == ACTIVE_YES,
                  round->is_held_back, &round->values, &scrape->counts))
    round->objects++;
}

void scrape_row(struct scrape *scrape, enum tier tier, size_t item,
                const struct row *row) {
  struct round *round = &scrape->rounds[tier];
  const struct plan_item *plan_item;
  if (round->step == STEP_IDENTITY) {
    identity_row(scrape->reader, item, row);
    return;
  }
  if (round->step == STEP_MBEANS) {
    round->dispatched +=
        mbeans_row(&scrape->mbeans, tier, item, row, round->is_held_back,
                   &round->values, &scrape->counts);
    return;
  }
  if (item >= round->plan.n)
    return;
  plan_item = &round->plan.items[item];
  if (row->n_columns != plan_item->n)
    return;
  switch (plan_item->role) {
  case PLAN_ACTIVE_BEFORE:
    active_row(round, &row->columns[0]);
    if (row->n_columns > 1 && row->columns[1].type == VALUE_INT)
      see_uptime(scrape, round, row->columns[1].integer);
    break;
  case PLAN_ACTIVE_AFTER:
    round->after = active_of(&row->columns[0]);
    break;
  case PLAN_BROKER:
    broker_row(scrape, round, plan_item, row->columns);
    break;
  case PLAN_LISTING:
  case PLAN_QUEUES:
  case PLAN_ADDRESSES:
    object_row(scrape, round, plan_item, row);
    break;
  }
}

/* The broker is of another version than it was taken for: that is looked at,
 * once until it lists again. */
static void doubt_version(struct scrape *scrape, const char *error) {
  bool is_other = strstr(error, "is overloaded") != NULL ||
                  strstr(error, "No operation") != NULL;
  if (is_other && !scrape->is_version_doubted)
    scrape->is_identity_due = true;
  scrape->is_version_doubted = is_other;
}

static void listing_item(struct scrape *scrape, struct round *round,
                         const struct item_result *result) {
  uint64_t rows = result->rows + result->rows_invalid;
  round->was_listed = true;
  round->listed.kind = STATUS_OK;
  if (result->status != STATUS_OK) {
    scrape->counts.listing_failed++;
    error_set(&round->listed, result->status, "%s", result->error);
    doubt_version(scrape, result->error);
    return;
  }
  scrape->is_version_doubted = false;
  if (!result->has_count ||
      (result->count >= 0 && (uint64_t)result->count == rows))
    return;
  scrape->counts.count_differs++;
  if (!scrape->is_differing_told)
    log_write(LOG_LEVEL_NOTICE,
              "%s: listQueues counts %lld queues and gives %llu", scrape->host,
              (long long)result->count, (unsigned long long)rows);
  scrape->is_differing_told = true;
}

static void objects_item(struct scrape *scrape, struct round *round,
                         const struct plan_item *item,
                         const struct item_result *result) {
  scrape->counts.received += result->rows_invalid;
  scrape->counts.invalid += result->rows_invalid;
  round->rows += result->rows_invalid;
  if (item->role == PLAN_LISTING)
    listing_item(scrape, round, result);
  if (result->status == STATUS_OK)
    round->has_objects = true;
  else if (round->objects > 0)
    round->is_partial = true;
}

void scrape_item(struct scrape *scrape, enum tier tier, size_t item,
                 const struct item_result *result) {
  struct round *round = &scrape->rounds[tier];
  const struct plan_item *plan_item;
  if (round->step == STEP_IDENTITY) {
    identity_item(scrape->reader, item, result);
    return;
  }
  if (round->step == STEP_MBEANS) {
    mbeans_item(&scrape->mbeans, tier, item, result, scrape->host,
                round->values.sample.time_ns, &scrape->counts);
    count_aside(scrape);
    return;
  }
  if (item >= round->plan.n)
    return;
  plan_item = &round->plan.items[item];
  if (aside_is_for(result->status)) {
    aside_put(&round->aside, plan_item->key, scrape->host, result->error);
    count_aside(scrape);
  }
  switch (plan_item->role) {
  case PLAN_ACTIVE_BEFORE:
    if (result->status != STATUS_OK)
      error_set(&round->before_error, result->status, "%s", result->error);
    break;
  case PLAN_LISTING:
  case PLAN_QUEUES:
  case PLAN_ADDRESSES:
    objects_item(scrape, round, plan_item, result);
    break;
  case PLAN_BROKER:
  case PLAN_ACTIVE_AFTER:
    break;
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
  return mbeans_step(scrape, TIER_FAST);
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
  round->step = mbeans_step(scrape, tier);
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
    end_round(scrape, round, tier);
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

int64_t scrape_uptime_ms(const struct scrape *scrape) {
  return scrape->has_uptime ? scrape->uptime_ms : -1;
}

const struct objects_over *scrape_over_queues(const struct scrape *scrape) {
  return &scrape->objects.queues.over;
}

const struct objects_over *scrape_over_addresses(const struct scrape *scrape) {
  return &scrape->objects.addresses.over;
}

const struct identity *scrape_identity(const struct scrape *scrape) {
  return &scrape->identity;
}

const struct scrape_counts *scrape_counts(const struct scrape *scrape) {
  return &scrape->counts;
}
