/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/limits_text.h"

#include "base/clock.h"
#include "ctl/amount.h"
#include "ctl/duration.h"
#include "limit/ceiling.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define CELL_MAX 64

/* Of the broker's web server, Artemis 2.18 to 2.40, unless bootstrap.xml says
 * otherwise (maxThreads of <web>). */
#define WEB_THREADS 200

/* -- What was used meanwhile -- */

/* Of the record's totals: permits, changes, bytes, seconds of handling. */
static double used_in(const struct limits *limits, enum unit unit) {
  double used = 0;
  if (unit == UNIT_CHANGES)
    return (double)limits->changes;
  if (unit == UNIT_HANDLING)
    return (double)limits->handling_ns / 1e9;
  for (int i = 0; i < OWNER_COUNT; i++)
    used += (double)(unit == UNIT_BYTES ? limits->totals[i].bytes
                                        : limits->totals[i].requests);
  return used;
}

double limits_used(const struct limits_view *view, enum unit unit) {
  const struct limits *before = view->before, *now = view->now;
  double seconds = (double)(now->now_ns - before->now_ns) / 1e9;
  double used = used_in(now, unit) - used_in(before, unit);
  if (now->record.kind || before->record.kind || seconds <= 0 || used < 0)
    return (double)NAN;
  return used / seconds;
}

/* -- The table -- */

static void add_cell(struct buf *out, const char *text, int width) {
  buf_printf(out, "%*s", width, text);
}

static void add_amount(struct buf *out, enum unit unit, double value) {
  char bytes[CELL_MAX];
  struct buf cell;
  buf_init(&cell, sizeof(bytes) - 1);
  amount_add(&cell, unit, value);
  add_cell(out, buf_text(&cell), 12);
  buf_fini(&cell);
}

static void add_debt(struct buf *out, int64_t debt_ns) {
  char text[DURATION_TEXT_SIZE] = "-";
  if (debt_ns > 0)
    duration_text(text, debt_ns);
  add_cell(out, text, 10);
}

static void add_units(struct buf *out, const struct limits_view *view) {
  buf_printf(out, "  %-10s%12s%12s%12s%12s%10s\n", "UNIT", "LEVEL", "BURST",
             "CEILING/S", "USED/S", "DEBT");
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_BUCKETS; unit++) {
    const struct limits_unit *of = &view->now->unit[unit];
    buf_printf(out, "  %-10s", unit_name(unit));
    add_amount(out, unit, of->level);
    add_amount(out, unit, of->burst);
    add_amount(out, unit, of->per_second);
    add_amount(out, unit, limits_used(view, unit));
    add_debt(out, of->debt_ns);
    buf_add_text(out, "\n");
  }
}

static void add_waiters(struct buf *out, const struct limits *limits) {
  if (limits->n_waiters == 0)
    return;
  buf_printf(out, "  %-10s%12s%12s%12s\n", "WAITING", "PROCESS", "WAITED",
             "UNIT");
  for (size_t i = 0; i < limits->n_waiters; i++) {
    const struct limits_waiter *waiter = &limits->waiters[i];
    char waited[DURATION_TEXT_SIZE];
    duration_text(waited, waiter->waited_ns);
    buf_printf(out, "  %-10s%12d%12s%12s\n", owner_name(waiter->owner),
               (int)waiter->pid, waited, unit_name(waiter->unit));
  }
}

static void add_owners(struct buf *out, const struct limits *limits) {
  buf_printf(out, "  %-10s%12s%12s%12s%12s%10s\n", "OWNER", "REQUESTS",
             "OPERATIONS", "OBJECTS", "BYTES", "WAITED");
  for (enum owner owner = 0; owner < OWNER_COUNT; owner++) {
    const struct record_totals *totals = &limits->totals[owner];
    char waited[DURATION_TEXT_SIZE];
    if (totals->requests == 0 && totals->permit_wait_ns == 0)
      continue;
    duration_text(waited, (int64_t)totals->permit_wait_ns);
    buf_printf(out, "  %-10s%12" PRIu64 "%12" PRIu64 "%12" PRIu64,
               owner_name(owner), totals->requests, totals->operations,
               totals->rows);
    add_amount(out, UNIT_BYTES, (double)totals->bytes);
    add_cell(out, waited, 10);
    buf_add_text(out, "\n");
  }
}

static void add_paces(struct buf *out, const struct limits *limits) {
  const char *before = "  handling  ";
  for (enum request_kind kind = 0; kind < KIND_COUNT; kind++) {
    if (limits->pace_ns[kind] < 0)
      continue;
    buf_printf(out, "%s %s %" PRId64 " ms", before, request_kind_name(kind),
               limits->pace_ns[kind] / CLOCK_NS_PER_MS);
    before = ",";
  }
  if (before[0] == ',')
    buf_add_text(out, " a request, lately\n");
}

static void add_sizes(struct buf *out, const struct limits_view *view) {
  const struct node_settings *node = view->node;
  buf_printf(out, "  sizes      %d operations a request, of ",
             CEILING_OPERATIONS_PER_PERMIT);
  amount_add_bytes(out, (double)node->ceiling.max_request_bytes);
  buf_add_text(out, " at most; replies of ");
  amount_add_bytes(out, (double)node->ceiling.max_response_bytes);
  buf_printf(out,
             " at most\n  in flight  %" PRIu32 " requests a process, %" PRIu32
             " may wait; the broker's web server has %d threads for all by "
             "default\n",
             view->now->max_in_flight, view->now->max_waiting, WEB_THREADS);
  buf_printf(out, "  timeouts   connect %g s, reply %g s, change %g s;",
             (double)node->connect_timeout_ns / 1e9,
             (double)node->timeout_ns / 1e9,
             (double)node->change_timeout_ns / 1e9);
  for (enum owner owner = 0; owner < OWNER_COUNT; owner++)
    buf_printf(out, "%s%s %g s", owner ? ", " : " permits: ", owner_name(owner),
               (double)view->now->permit_timeout_ns[owner] / 1e9);
  buf_add_text(out, "\n");
}

static enum output_color color_of(enum cause cause) {
  if (cause == CAUSE_NOTHING)
    return COLOR_GOOD;
  return cause == CAUSE_BROKER_SLOW || cause == CAUSE_KIND_SLOW ? COLOR_BAD
                                                                : COLOR_WARN;
}

static void add_verdict(const struct output *output, struct buf *out,
                        const struct limits *limits) {
  struct verdict_of_limits verdict = cause_find(limits);
  struct buf text;
  buf_init(&text, 1024);
  cause_text(&text, limits, &verdict);
  buf_add_text(out, "  verdict    ");
  output_colored(output, out, color_of(verdict.cause), buf_text(&text));
  buf_add_text(out, "\n");
  buf_fini(&text);
}

void limits_table(const struct output *output, struct buf *out,
                  const struct limits_view *view) {
  const struct limits *limits = view->now;
  output_colored(output, out, COLOR_BOLD, view->node->cluster);
  output_colored(output, out, COLOR_BOLD, "/");
  output_colored(output, out, COLOR_BOLD, view->node->name);
  buf_printf(out, " %s\n", view->node->url_key);
  if (limits->record.kind == STATUS_OK)
    add_verdict(output, out, limits);
  else
    buf_printf(out, "  verdict    unknown: %s\n", limits->record.text);
  add_units(out, view);
  if (limits->record.kind == STATUS_OK) {
    add_waiters(out, limits);
    add_owners(out, limits);
    buf_printf(out,
               "  refused    %" PRIu64 " timeout, %" PRIu64
               " queue_full, %" PRIu64 " cancelled\n",
               limits->refused[REFUSED_TIMEOUT],
               limits->refused[REFUSED_QUEUE_FULL],
               limits->refused[REFUSED_CANCELLED]);
    add_paces(out, limits);
  }
  add_sizes(out, view);
}

enum exit_code limits_code(const struct limits_view *view) {
  return view->now->record.kind == STATUS_INVALID ? EXIT_CODE_SOME
                                                  : EXIT_CODE_DONE;
}

/* -- JSON -- */

static void member_part(struct buf *out, const char *name, const char *part,
                        double value) {
  char key[CELL_MAX];
  snprintf(key, sizeof(key), "%s_%s", name, part);
  member_real(out, key, value);
}

static void json_units(struct buf *out, const struct limits_view *view) {
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_BUCKETS; unit++) {
    const struct limits_unit *of = &view->now->unit[unit];
    const char *name = unit_name(unit);
    member_part(out, name, "level", of->level);
    member_part(out, name, "burst", of->burst);
    member_part(out, name, "per_second", of->per_second);
    member_part(out, name, "used_per_second", limits_used(view, unit));
    member_part(out, name, "debt_s", (double)of->debt_ns / 1e9);
  }
}

static void json_verdict(struct buf *out, const struct limits *limits) {
  struct verdict_of_limits verdict = cause_find(limits);
  bool is_known = limits->record.kind == STATUS_OK;
  bool is_ceiling = is_known && verdict.cause == CAUSE_CEILING;
  bool is_kind = is_known && (verdict.cause == CAUSE_KIND_SLOW ||
                              verdict.cause == CAUSE_BROKER_SLOW);
  struct buf text;
  buf_init(&text, 1024);
  cause_text(&text, limits, &verdict);
  member_text(out, "verdict", is_known ? cause_name(verdict.cause) : NULL);
  member_text(out, "verdict_unit", is_ceiling ? unit_name(verdict.unit) : NULL);
  member_text(out, "verdict_kind",
              is_kind ? request_kind_name(verdict.kind) : NULL);
  member_text(out, "verdict_text",
              is_known ? buf_text(&text) : limits->record.text);
  buf_fini(&text);
}

static void json_waiters(struct buf *out, const struct limits *limits) {
  buf_add_text(out, ",\"waiting\":[");
  for (size_t i = 0; i < limits->n_waiters; i++) {
    const struct limits_waiter *waiter = &limits->waiters[i];
    buf_add_text(out, i ? ",{" : "{");
    member_int(out, "process", waiter->pid);
    member_text(out, "owner", owner_name(waiter->owner));
    member_text(out, "unit", unit_name(waiter->unit));
    member_real(out, "waited_s", (double)waiter->waited_ns / 1e9);
    buf_add_text(out, "}");
  }
  buf_add_text(out, "]");
}

static double pace_ms(const struct limits *limits, enum request_kind kind) {
  int64_t ns = limits->pace_ns[kind];
  return ns < 0 ? (double)NAN : (double)ns / 1e6;
}

static void json_owners(struct buf *out, const struct limits *limits) {
  buf_add_text(out, ",\"owners\":{");
  for (enum owner owner = 0; owner < OWNER_COUNT; owner++) {
    const struct record_totals *totals = &limits->totals[owner];
    buf_printf(out, "%s\"%s\":{", owner ? "," : "", owner_name(owner));
    member_int(out, "requests", (int64_t)totals->requests);
    member_int(out, "operations", (int64_t)totals->operations);
    member_int(out, "objects", (int64_t)totals->rows);
    member_int(out, "bytes", (int64_t)totals->bytes);
    member_real(out, "permit_wait_s", (double)totals->permit_wait_ns / 1e9);
    buf_add_text(out, "}");
  }
  buf_add_text(out, "},\"handling_ms\":{");
  for (enum request_kind kind = 0; kind < KIND_COUNT; kind++)
    member_real(out, request_kind_name(kind), pace_ms(limits, kind));
  buf_add_text(out, "}");
}

static void json_sizes(struct buf *out, const struct limits_view *view) {
  const struct node_settings *node = view->node;
  member_int(out, "operations_per_request", CEILING_OPERATIONS_PER_PERMIT);
  member_int(out, "max_request_bytes",
             (int64_t)node->ceiling.max_request_bytes);
  member_int(out, "max_response_bytes",
             (int64_t)node->ceiling.max_response_bytes);
  member_int(out, "max_in_flight", view->now->max_in_flight);
  member_int(out, "max_waiting", view->now->max_waiting);
  member_int(out, "web_threads_default", WEB_THREADS);
  member_real(out, "connect_timeout_s", (double)node->connect_timeout_ns / 1e9);
  member_real(out, "timeout_s", (double)node->timeout_ns / 1e9);
  member_real(out, "change_timeout_s", (double)node->change_timeout_ns / 1e9);
  for (enum owner owner = 0; owner < OWNER_COUNT; owner++)
    member_part(out, "permit_timeout_s", owner_name(owner),
                (double)view->now->permit_timeout_ns[owner] / 1e9);
}

void limits_json(struct buf *out, const struct limits_view *view) {
  const struct limits *limits = view->now;
  bool is_shared = limits->record.kind == STATUS_OK;
  member_begin(out);
  member_text(out, "cluster", view->node->cluster);
  member_text(out, "node", view->node->name);
  member_text(out, "url", view->node->url_key);
  member_bool(out, "shared", is_shared);
  member_text(out, "reason", is_shared ? NULL : limits->record.text);
  json_verdict(out, limits);
  member_real(out, "operator_hold_s", (double)limits->operator_hold_ns / 1e9);
  member_real(out, "retry_after_s", (double)limits->retry_after_ns / 1e9);
  json_units(out, view);
  json_waiters(out, limits);
  json_owners(out, limits);
  member_int(out, "refused_timeout", (int64_t)limits->refused[REFUSED_TIMEOUT]);
  member_int(out, "refused_queue_full",
             (int64_t)limits->refused[REFUSED_QUEUE_FULL]);
  member_int(out, "refused_cancelled",
             (int64_t)limits->refused[REFUSED_CANCELLED]);
  json_sizes(out, view);
  member_end(out);
}
