/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/scrape_parts.h"

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

static bool next_mbeans(struct scrape *scrape, struct round *round,
                        enum tier tier, struct scrape_request *ret) {
  const struct mbean_round *mbeans = mbeans_plan(&scrape->mbeans, tier);
  ret->kind = KIND_MBEAN;
  ret->n = mbeans ? mbeans->n : 0;
  if (ret->n == 0) {
    round->step = STEP_OVER;
    round_end(scrape, round, tier);
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
  round->step = round_mbeans_step(scrape, tier); /* all of it is set aside */
  if (round->step == STEP_MBEANS)
    return next_mbeans(scrape, round, tier, ret);
  round_end(scrape, round, tier);
  return false;
}
