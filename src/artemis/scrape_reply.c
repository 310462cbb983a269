/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/scrape_parts.h"

#include "base/log.h"

#include <string.h>

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
  round_hold_counters(scrape, round);
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
    round_count_aside(scrape);
    return;
  }
  if (item >= round->plan.n)
    return;
  plan_item = &round->plan.items[item];
  if (aside_is_for(result->status)) {
    aside_put(&round->aside, plan_item->key, scrape->host, result->error);
    round_count_aside(scrape);
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
