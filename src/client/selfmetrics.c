/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/selfmetrics.h"

#include "base/clock.h"

#include <stdio.h>

#define NS_PER_MS UINT64_C(1000000)

struct sender {
  const struct sample_sink *sink;
  struct sample sample;
};

static void send_gauge(struct sender *sender, const char *type,
                       const char *instance, double value) {
  struct sample *sample = &sender->sample;
  sample->type = type;
  sample->type_instance = instance;
  sample->is_derive = false;
  sample->gauge = value;
  sender->sink->dispatch(sender->sink->cookie, sample);
}

static void send_total(struct sender *sender, const char *type,
                       const char *instance, uint64_t value) {
  struct sample *sample = &sender->sample;
  sample->type = type;
  sample->type_instance = instance;
  sample->is_derive = true;
  sample->derive = value > INT64_MAX ? INT64_MAX : (int64_t)value;
  sender->sink->dispatch(sender->sink->cookie, sample);
}

/* Type instances are "<prefix>_<name>" with both from fixed tables. */
static void send_total_of(struct sender *sender, const char *type,
                          const char *prefix, const char *name,
                          uint64_t value) {
  char instance[SAMPLE_NAME_MAX];
  snprintf(instance, sizeof(instance), "%s_%s", prefix, name);
  send_total(sender, type, instance, value);
}

static void send_gauge_of(struct sender *sender, const char *type,
                          const char *prefix, const char *name, double value) {
  char instance[SAMPLE_NAME_MAX];
  snprintf(instance, sizeof(instance), "%s_%s", prefix, name);
  send_gauge(sender, type, instance, value);
}

static void send_requests(struct sender *sender, const struct self_now *now) {
  const struct host_totals *host = now->host;
  for (unsigned i = 0; i < OWNER_COUNT; i++) {
    const char *owner = owner_name((enum owner)i);
    send_total(sender, "total_requests", owner, host->owner[i].requests);
    send_total_of(sender, "total_time_in_ms", "permit_wait", owner,
                  host->owner[i].permit_wait_ns / NS_PER_MS);
  }
  send_gauge(sender, "response_time", "permit_wait_max",
             (double)now->stats->permit_wait_max_ns / 1e6);
  send_total(sender, "total_events", "permit_timeout",
             host->refused[REFUSED_TIMEOUT]);
  send_total(sender, "total_events", "permit_queue_full",
             host->refused[REFUSED_QUEUE_FULL]);
  send_total(sender, "total_events", "permit_cancelled",
             host->refused[REFUSED_CANCELLED]);
  send_gauge(sender, "bool", "shared", host->is_shared ? 1 : 0);
}

/* Since the node was added: permits, changes, bytes, seconds. */
static double used_of(const struct self_now *now, enum unit unit) {
  const struct host_totals *host = now->host;
  uint64_t requests = 0;
  uint64_t bytes = 0;
  for (int i = 0; i < OWNER_COUNT; i++) {
    requests += host->owner[i].requests;
    bytes += host->owner[i].bytes;
  }
  const double used[SELF_UNITS] = {
      [UNIT_REQUESTS] = (double)requests,
      [UNIT_CHANGES] = (double)host->changes,
      [UNIT_BYTES] = (double)bytes,
      [UNIT_HANDLING] = (double)host->handling_ns / 1e9,
      [UNIT_IN_FLIGHT] = (double)now->stats->in_flight_ns / 1e9};
  return used[unit];
}

/* What the ceiling gives in a second of that. */
static double per_second_of(const struct ceiling_settings *ceiling,
                            enum unit unit) {
  static const double parts[UNIT_BUCKETS] = {[UNIT_REQUESTS] = 1e3,
                                             [UNIT_CHANGES] = 1e3,
                                             [UNIT_BYTES] = 1,
                                             [UNIT_HANDLING] = 1e6};
  if (unit == UNIT_IN_FLIGHT)
    return (double)ceiling->max_in_flight;
  return (double)ceiling->rates.unit[unit].rate / parts[unit];
}

/* Use of the ceilings in percent: what was used since the last set, over what
 * they give in that time. */
static void send_ceilings(struct sender *sender, struct self_last *last,
                          const struct self_now *now) {
  double seconds = (double)(now->mono_ns - last->mono_ns) / 1e9;
  for (enum unit unit = UNIT_REQUESTS; unit < SELF_UNITS; unit++) {
    double per_second = per_second_of(now->ceiling, unit);
    double used = used_of(now, unit);
    double use = last->mono_ns && seconds > 0
                     ? 100 * (used - last->used[unit]) / (per_second * seconds)
                     : 0;
    send_gauge_of(sender, "percent", "ceiling", unit_name(unit),
                  use > 100 ? 100 : use);
    send_gauge_of(sender, "gauge", "ceiling", unit_name(unit), per_second);
    last->used[unit] = used;
  }
  for (enum unit unit = UNIT_PREPAID; unit < UNIT_BUCKETS; unit++)
    send_gauge_of(sender, "duration", "debt", unit_name(unit),
                  (double)now->stats->debt_ns[unit] / 1e9);
}

static void send_blocked(struct sender *sender,
                         const struct node_stats *stats) {
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_COUNT; unit++)
    send_total_of(sender, "total_events", "blocked", unit_name(unit),
                  stats->blocked[unit]);
  send_total(sender, "total_events", "debt_forgiven", stats->forgiven);
}

static void send_errors(struct sender *sender, const struct node_stats *stats,
                        bool is_full) {
  uint64_t classes[CLASS_COUNT] = {0};
  for (unsigned i = STATUS_OK + 1; i < STATUS_COUNT; i++)
    classes[status_class_of((enum status)i)] += stats->errors[i];
  for (unsigned i = CLASS_NONE + 1; i < CLASS_COUNT; i++)
    send_total(sender, "errors", status_class_name((enum status_class)i),
               classes[i]);
  if (!is_full)
    return;
  for (unsigned i = STATUS_OK + 1; i < STATUS_COUNT; i++)
    send_total(sender, "errors", status_name((enum status)i), stats->errors[i]);
}

static void send_state(struct sender *sender, const struct self_now *now) {
  send_gauge(sender, "gauge", "state", (double)now->state);
  if (now->is_known)
    send_gauge(sender, "bool", "up", now->is_up ? 1 : 0);
  if (now->scrape_ns != CLOCK_NEVER)
    send_gauge(sender, "response_time", "scrape", (double)now->scrape_ns / 1e6);
  send_total(sender, "total_events", "scrape_skipped", now->skipped);
  send_total(sender, "total_events", "scrape_stretched", now->stretched);
}

static void send_handling(struct sender *sender,
                          const struct node_stats *stats) {
  for (unsigned i = 0; i < KIND_COUNT; i++)
    send_total_of(sender, "total_time_in_ms", "handling",
                  request_kind_name((enum request_kind)i),
                  stats->handling_ns[i] / NS_PER_MS);
}

static void send_traffic(struct sender *sender, const struct self_now *now) {
  const struct node_stats *stats = now->stats;
  for (unsigned i = 0; i < OWNER_COUNT; i++) {
    const char *owner = owner_name((enum owner)i);
    const struct record_totals *totals = &now->host->owner[i];
    send_total(sender, "total_operations", owner, totals->operations);
    send_total(sender, "total_objects", owner, totals->rows);
    send_total(sender, "total_bytes", owner, totals->bytes);
    send_gauge_of(sender, "queue_length", "permit", owner, stats->waiting[i]);
  }
  send_gauge(sender, "current_connections", "", stats->connections);
  send_total(sender, "total_connections", "", stats->connects);
  send_gauge(sender, "pending_operations", "in_flight", stats->in_flight);
}

static void send_left_out(struct sender *sender, const struct self_last *last,
                          const struct self_now *now) {
  const struct scrape_counts *counts = now->counts;
  send_total(sender, "total_events", "excluded", counts->excluded);
  send_total(sender, "total_events", "over_cap", counts->over_cap);
  send_total(sender, "total_events", "invalid", counts->invalid);
  send_total(sender, "total_events", "clock_step",
             counts->clock_step + last->clock_step);
  send_total(sender, "total_events", "counters_held", counts->counters_held);
  send_gauge(sender, "gauge", "set_aside", (double)now->set_aside);
  if (now->certificate_left_ns != CLOCK_NEVER)
    send_gauge(sender, "duration", "certificate_left",
               (double)now->certificate_left_ns / 1e9);
}

bool selfmetrics_send(struct self_last *last, const struct self_now *now,
                      const struct sample_sink *sink) {
  if (now->level == SELF_METRICS_OFF)
    return true;
  if (last->mono_ns && now->wall_ns - last->wall_ns < now->interval_ns / 2) {
    last->clock_step++;
    return false;
  }
  bool is_full = now->level == SELF_METRICS_FULL;
  struct sender sender = {.sink = sink,
                          .sample = {.host = now->node,
                                     .plugin = "jolokia",
                                     .plugin_instance = now->cluster,
                                     .time_ns = now->wall_ns,
                                     .interval_ns = now->interval_ns}};
  send_requests(&sender, now);
  send_ceilings(&sender, last, now);
  send_errors(&sender, now->stats, is_full);
  send_state(&sender, now);
  send_handling(&sender, now->stats);
  if (is_full) {
    send_traffic(&sender, now);
    send_blocked(&sender, now->stats);
    send_left_out(&sender, last, now);
  }
  last->mono_ns = now->mono_ns;
  last->wall_ns = now->wall_ns;
  return true;
}

void selfmetrics_send_own(const struct self_own *own,
                          const struct sample_sink *sink) {
  struct sender sender = {.sink = sink,
                          .sample = {.host = "",
                                     .plugin = "jolokia",
                                     .plugin_instance = "",
                                     .time_ns = own->wall_ns,
                                     .interval_ns = own->interval_ns}};
  send_gauge(&sender, "bool", "config_current", own->is_config_current ? 1 : 0);
  send_total(&sender, "total_events", "reload_rejected", own->n_rejected);
  send_gauge(&sender, "gauge", "nodes", (double)own->n_nodes);
  send_gauge(&sender, "bool", "engine", own->is_engine_well ? 1 : 0);
  send_gauge(&sender, "response_time", "engine_lag_max",
             (double)own->lag_ns / 1e6);
}
