/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/report.h"

#include "ctl/output.h"

#include <math.h>

static uint64_t sum_of(const uint64_t *values, size_t n) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += values[i];
  return sum;
}

uint64_t report_requests(const struct monitor_view *view) {
  return sum_of(view->stats->requests, OWNER_COUNT);
}

double report_permit_wait_ms(const struct monitor_view *view) {
  return (double)sum_of(view->stats->permit_wait_ns, OWNER_COUNT) / 1e6;
}

uint64_t report_failures(const struct monitor_view *view) {
  const struct scrape_counts *counts = view->counts;
  uint64_t denied = view->stats->errors[STATUS_ITEM_DENIED];
  /* A listing that fails is made up for by a pattern read. */
  denied -= denied < counts->listing_failed ? denied : counts->listing_failed;
  return counts->partial + counts->invalid + counts->value_errors +
         counts->set_aside + denied;
}

void report_members(struct buf *out, const struct monitor_view *view,
                    const struct error *verdict) {
  const struct scrape_counts *counts = view->counts;
  bool is_known = view->identity->is_known;
  bool has_failed = verdict->kind != STATUS_OK;
  member_text(out, "cluster", view->cluster);
  member_text(out, "node", view->name);
  member_text(out, "url", view->url_key);
  member_text(out, "state", node_state_name(view->state));
  member_text(out, "version", is_known ? view->identity->version : NULL);
  member_text(out, "agent", is_known ? view->identity->agent : NULL);
  member_int(out, "requests", (int64_t)report_requests(view));
  member_real(out, "permit_wait_ms", report_permit_wait_ms(view));
  member_real(out, "scrape_ms", (double)view->scrape_ns / 1e6);
  member_int(out, "values", (int64_t)counts->samples);
  member_int(out, "objects", (int64_t)counts->dispatched);
  member_int(out, "excluded", (int64_t)counts->excluded);
  member_int(out, "over_cap", (int64_t)counts->over_cap);
  member_int(out, "failures", (int64_t)report_failures(view));
  member_text(out, "error", has_failed ? status_name(verdict->kind) : NULL);
  member_text(out, "reason", has_failed ? verdict->text : NULL);
}

enum exit_code report_code(const struct monitor_view *view,
                           const struct error *verdict) {
  if (verdict->kind == STATUS_OK && report_failures(view) > 0)
    return EXIT_CODE_SOME;
  return exit_code_of(verdict->kind);
}

uint64_t report_smallest_interval_s(const struct monitor_view *view,
                                    uint64_t rate_milli) {
  const struct node_stats *stats = view->stats;
  double affords_s = (double)view->affords_ns / 1e9;
  double permits_s =
      (double)stats->requests[OWNER_SCRAPE] * 1000 / (double)rate_milli;
  double scrape_s = (double)view->scrape_ns / 1e9;
  double interval_s = fmax(fmax(affords_s, permits_s), fmax(scrape_s, 1));
  return (uint64_t)ceil(interval_s);
}
