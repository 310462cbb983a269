/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/identity.h"
#include "base/clock.h"
#include "client/translate.h"
#include "ctl/cluster_members.h"
#include "ctl/ctl.h"
#include "ctl/exit_code.h"
#include "ctl/output.h"
#include "ctl/report.h"
#include "ctl/scrapers.h"
#include "ctl/session.h"
#include "ctl/why.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 65536

struct check {
  const struct ctl *ctl;
  struct subject *subject;
  struct output output;
  struct buf line;
};

static void on_sample(void *cookie, const struct sample *sample) {
  (void)cookie;
  (void)sample;
}

/* -- The settings -- */

static void warn_of_queue(struct subject *subject, const char *config) {
  if (subject->is_collectd_conf && !subject->has_queue_limit)
    problems_add(
        &subject->problems, NULL, NULL, true,
        "%.256s: WriteQueueLimitHigh is not set here; without it collectd's "
        "write queue has no bound: add WriteQueueLimitHigh 1000000 and "
        "WriteQueueLimitLow 800000",
        config);
}

static void warn_of_loading(struct subject *subject, const char *config) {
  if (subject->is_not_loaded)
    problems_add(
        &subject->problems, NULL, NULL, true,
        "%.256s: loads no plugin jolokia before its <Plugin jolokia> block, "
        "which collectd passes over: add LoadPlugin jolokia above it",
        config);
}

static void warn_of_grammar(struct subject *subject, const char *config) {
  if (subject->is_collectd_conf && subject->is_unreadable)
    problems_add(
        &subject->problems, NULL, NULL, true,
        "%.256s: has lines that cannot be read; collectd itself may not start "
        "with them: mend them before you restart it",
        config);
}

static void problem_json(struct buf *out, const struct problem *problem) {
  member_begin(out);
  member_text(out, "severity", problem->is_warning ? "warning" : "error");
  member_text(out, "place", problem->place);
  member_text(out, "cluster", problem->cluster[0] ? problem->cluster : NULL);
  member_text(out, "problem", problem->text);
  member_end(out);
}

static void problem_text(struct check *check, const struct problem *problem) {
  struct buf *out = &check->line;
  output_colored(&check->output, out,
                 problem->is_warning ? COLOR_WARN : COLOR_BAD,
                 problem->is_warning ? "warning" : "error");
  buf_printf(out, " %s%s%s\n", problem->place, problem->place[0] ? ": " : "",
             problem->text);
  if (!problem->is_warning && problem->cluster[0])
    buf_printf(out, "  cluster %s is left out\n", problem->cluster);
}

static void tell_settings(struct check *check) {
  const struct problems *problems = &check->subject->problems;
  const struct settings *settings = &check->subject->settings;
  for (size_t i = 0; i < problems->n; i++) {
    if (check->output.is_json)
      problem_json(&check->line, &problems->list[i]);
    else
      problem_text(check, &problems->list[i]);
    output_write(&check->output, &check->line);
  }
  if (check->output.is_json)
    return;
  if (problems->n_dropped)
    buf_printf(&check->line, "and %zu more\n", problems->n_dropped);
  buf_printf(&check->line,
             "settings: %zu mistake%s, %zu cluster%s, %zu node%s, memory of up "
             "to %" PRIu64 " KiB\n",
             problems->n_errors, problems->n_errors == 1 ? "" : "s",
             settings->n_clusters, settings->n_clusters == 1 ? "" : "s",
             settings->n_nodes, settings->n_nodes == 1 ? "" : "s",
             settings_memory(settings) / 1024);
  output_write(&check->output, &check->line);
}

/* -- A node -- */

struct cost {
  double handling_ms;
  uint64_t bytes;
  uint64_t smallest_s;
  int64_t interval_ns;
};

static struct cost cost_of(const struct check *check,
                           const struct monitor_view *view) {
  const struct node_settings *settings = view->settings;
  uint64_t rate_milli = settings->ceiling.requests_per_second_milli /
                        check->subject->selected.instances;
  struct cost cost = {.smallest_s = report_smallest_interval_s(
                          view, rate_milli ? rate_milli : 1),
                      .interval_ns = translate_interval_ns(
                          settings, check->subject->interval_ns)};
  for (size_t i = 0; i < KIND_COUNT; i++)
    cost.handling_ms += (double)view->stats->handling_ns[i] / 1e6;
  for (size_t i = 0; i < OWNER_COUNT; i++)
    cost.bytes += view->stats->bytes[i];
  return cost;
}

static bool is_too_fast(const struct cost *cost) {
  return (uint64_t)cost->interval_ns <
         cost->smallest_s * (uint64_t)CLOCK_NS_PER_S;
}

/* The first of each by name. */
static void over_json(struct buf *out, const char *key,
                      const struct left_out *const *over, size_t n) {
  const char *names[LEFT_OUT_NAMES * TIER_COUNT];
  size_t n_names = 0;
  for (size_t i = 0; i < n; i++)
    for (uint64_t k = 0; k < over[i]->n && k < LEFT_OUT_NAMES; k++)
      names[n_names++] = over[i]->names[k];
  member_texts(out, key, names, n_names);
}

static void node_json(struct check *check, const struct monitor_view *view,
                      const struct cost *cost, const struct limits *limits,
                      const struct error *verdict) {
  const struct node_stats *stats = view->stats;
  struct buf *out = &check->line;
  member_begin(out);
  report_members(out, view, verdict);
  member_bool(out, "discovered", view->is_discovered);
  member_bool(out, "up", view->is_up);
  member_real(out, "handling_ms", cost->handling_ms);
  member_int(out, "bytes", (int64_t)cost->bytes);
  member_real(out, "interval_s",
              (double)(cost->interval_ns / CLOCK_NS_PER_MS) / 1000);
  if (verdict->kind == STATUS_OK)
    member_int(out, "smallest_interval_s", (int64_t)cost->smallest_s);
  member_real(out, "certificate_left_s",
              view->certificate_left_ns == CLOCK_NEVER
                  ? (double)NAN
                  : (double)(view->certificate_left_ns / CLOCK_NS_PER_S));
  member_bool(out, "listing_refused", view->counts->fallback > 0);
  over_json(out, "over_queues", &view->over_queues, 1);
  over_json(out, "over_addresses", &view->over_addresses, 1);
  over_json(out, "over_mbeans", view->over_mbeans, TIER_COUNT);
  over_json(out, "name_taken", view->taken_mbeans, TIER_COUNT);
  scrapers_json(out, limits);
  for (unsigned i = STATUS_OK + 1; i < STATUS_COUNT; i++)
    if (stats->errors[i]) {
      char key[64];
      snprintf(key, sizeof(key), "errors_%s", status_name((enum status)i));
      member_int(out, key, (int64_t)stats->errors[i]);
    }
  member_end(out);
}

static void tell_refused(struct buf *out, const struct monitor_view *view) {
  const struct scrape_counts *counts = view->counts;
  bool has_any = counts->fallback > 0 || counts->value_errors > 0;
  buf_add_text(out, "  refused   ");
  if (counts->fallback > 0)
    buf_add_text(out, " listQueues (queues are read by pattern instead)");
  for (unsigned i = STATUS_OK + 1; i < STATUS_COUNT; i++) {
    if (!view->stats->errors[i])
      continue;
    has_any = true;
    buf_printf(out, " %" PRIu64 " %s", view->stats->errors[i],
               status_name((enum status)i));
  }
  if (counts->value_errors > 0)
    buf_printf(out, " %" PRIu64 " values (refused, or no numbers)",
               counts->value_errors);
  buf_add_text(out, has_any ? "\n" : " nothing\n");
}

/* What this scrape left out, by an option or for a reason: the first by name. A
 * collectd that runs keeps the names that it knew before. */
static void tell_over(struct buf *out, const char *option,
                      const struct left_out *over) {
  uint64_t n_named = over->n < LEFT_OUT_NAMES ? over->n : LEFT_OUT_NAMES;
  if (over->n == 0)
    return;
  buf_printf(out, "  left out   by %s, if it were chosen now:", option);
  for (uint64_t i = 0; i < n_named; i++)
    buf_printf(out, "%s %s", i > 0 ? "," : "", over->names[i]);
  if (over->n > n_named)
    buf_printf(out, " and %" PRIu64 " more", over->n - n_named);
  buf_add_text(out, "\n");
}

static void tell_answer(struct check *check, const struct monitor_view *view,
                        const struct cost *cost) {
  const struct identity *identity = view->identity;
  const struct scrape_counts *counts = view->counts;
  struct buf *out = &check->line;
  if (identity->is_known && !identity->version[0])
    buf_printf(out, "  agent      Jolokia %s, %s\n", identity->agent,
               node_state_name(view->state));
  else if (identity->is_known)
    buf_printf(out, "  broker     %s, Artemis %s, Jolokia %s, %s\n",
               identity->broker_name, identity->version, identity->agent,
               node_state_name(view->state));
  buf_printf(out,
             "  values     %" PRIu64 " of %" PRIu64
             " objects; left out: %" PRIu64 " excluded, %" PRIu64
             " over MaxQueues, %" PRIu64 " unreadable\n",
             counts->samples, counts->dispatched, counts->excluded,
             counts->over_cap, counts->invalid);
  tell_over(out, "MaxQueues", view->over_queues);
  tell_over(out, "MaxAddresses", view->over_addresses);
  for (unsigned tier = 0; tier < TIER_COUNT; tier++) {
    tell_over(out, "MaxQueues", view->over_mbeans[tier]);
    tell_over(out, "name_taken", view->taken_mbeans[tier]);
  }
  tell_refused(out, view);
  buf_printf(out,
             "  cost       %.1f ms a scrape, %.1f ms of the broker's time, "
             "%" PRIu64 " bytes\n",
             (double)view->scrape_ns / 1e6, cost->handling_ms, cost->bytes);
  buf_printf(out, "  affords    an Interval of %" PRIu64 " s or more",
             cost->smallest_s);
  if (is_too_fast(cost))
    output_colored(&check->output, out, COLOR_WARN,
                   " (it is set shorter: scrapes will be skipped)");
  buf_add_text(out, "\n");
}

#define DAY_NS (86400 * CLOCK_NS_PER_S)
#define SOON_DAYS 30 /* as the notice of it */

/* The server's, from the handshake, also where it then refused the login. */
static void tell_certificate(struct check *check,
                             const struct monitor_view *view) {
  int64_t left_ns = view->certificate_left_ns;
  char text[64];
  if (left_ns == CLOCK_NEVER)
    return;
  snprintf(text, sizeof(text), "%" PRId64 " day%s left", left_ns / DAY_NS,
           left_ns / DAY_NS == 1 ? "" : "s");
  buf_add_text(&check->line, "  certificate ");
  output_colored(&check->output, &check->line,
                 left_ns < SOON_DAYS * DAY_NS ? COLOR_WARN : COLOR_NONE, text);
  buf_add_text(&check->line, "\n");
}

static void warn_of_scrapers(struct check *check, const struct limits *limits) {
  struct buf text;
  if (limits->n_scrapers < 2)
    return;
  buf_init(&text, LINE_MAX_BYTES);
  scrapers_text(&text, limits);
  buf_add_text(&check->line, "  warning    ");
  output_colored(&check->output, &check->line, COLOR_WARN, buf_text(&text));
  buf_add_text(&check->line, "\n");
  buf_fini(&text);
}

static void node_text(struct check *check, const struct monitor_view *view,
                      const struct cost *cost, const struct limits *limits,
                      const struct error *verdict) {
  struct buf *out = &check->line;
  output_colored(&check->output, out, COLOR_BOLD, view->cluster);
  output_colored(&check->output, out, COLOR_BOLD, "/");
  output_colored(&check->output, out, COLOR_BOLD, view->name);
  buf_printf(out, " %s%s: ", view->url_key,
             view->is_discovered ? " (discovered)" : "");
  output_colored(&check->output, out, verdict->kind ? COLOR_BAD : COLOR_GOOD,
                 verdict->kind ? status_name(verdict->kind) : "answers");
  buf_printf(out, "\n  requests   %" PRIu64 ", %.1f ms waited for permits\n",
             report_requests(view), report_permit_wait_ms(view));
  if (verdict->kind)
    buf_printf(out, "  reason     %s\n", verdict->text);
  else
    tell_answer(check, view, cost);
  tell_certificate(check, view);
  warn_of_scrapers(check, limits);
}

static enum exit_code tell_node(struct check *check,
                                const struct session *session, size_t node,
                                enum session_end end) {
  const struct subject *subject = check->subject;
  struct monitor_view view;
  struct limits limits;
  struct error verdict;
  monitor_view(session->monitor, node, &view);
  session_verdict(&view, end, &verdict);
  struct cost cost = cost_of(check, &view);
  client_limits(&subject->selected, view.settings, subject->interval_ns,
                clock_mono_ns(), &limits);
  if (check->output.is_json)
    node_json(check, &view, &cost, &limits, &verdict);
  else
    node_text(check, &view, &cost, &limits, &verdict);
  output_write(&check->output, &check->line);
  return report_code(&view, &verdict);
}

/* -- All of it -- */

static enum exit_code probe(struct check *check) {
  struct session session;
  struct error error;
  struct exit_codes codes = {0};
  const struct session_options options = {
      .subject = check->subject,
      .sink = {.dispatch = on_sample},
      .interval_ns = check->subject->interval_ns,
      .is_once = true,
      .want_discovery = session_discovers(check->ctl),
      .is_unshared = check->ctl->is_unshared};
  if (session_open(&options, &session, &error)) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(error.kind);
  }
  enum session_end end = session_run_once(&session, check->ctl->timeout_ns);
  for (size_t i = 0; i < monitor_n_nodes(session.monitor); i++)
    exit_codes_add(&codes, tell_node(check, &session, i, end));
  if (monitor_discovery(session.monitor))
    members_tell(&check->output, monitor_discovery(session.monitor),
                 &check->subject->selected);
  session_close(&session);
  return end == SESSION_STOPPED ? EXIT_CODE_INTERRUPTED
                                : exit_codes_all(&codes);
}

static enum exit_code check_subject(const struct ctl *ctl,
                                    struct subject *subject) {
  struct check check = {
      .ctl = ctl, .subject = subject, .output = output_begin(ctl->is_json)};
  enum exit_code code = EXIT_CODE_DONE;
  buf_init(&check.line, LINE_MAX_BYTES);
  warn_of_grammar(subject, ctl->config);
  warn_of_loading(subject, ctl->config);
  warn_of_queue(subject, ctl->config);
  tell_settings(&check);
  if (!ctl->is_offline && subject->selected.n_nodes > 0)
    code = probe(&check);
  if (!output_end(&check.output))
    code = EXIT_CODE_SOME;
  buf_fini(&check.line);
  if (code != EXIT_CODE_INTERRUPTED &&
      (subject->problems.n_errors || subject->settings.n_nodes == 0))
    code = EXIT_CODE_USAGE;
  return code;
}

int check_main(const struct ctl *ctl) {
  struct subject subject;
  struct error error;
  enum exit_code code;
  if (ctl->why)
    return why_main(ctl);
  enum status status = subject_load(ctl, &subject, &error);
  if (status) {
    subject_tell(&subject);
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    code = exit_code_of(status);
  } else {
    code = check_subject(ctl, &subject);
    if (subject.settings.n_nodes == 0)
      fprintf(stderr, "jolokiactl: %s leaves no node to ask: %s\n", ctl->config,
              settings_empty_remedy(subject.problems.n_errors > 0));
  }
  subject_fini(&subject);
  return (int)code;
}
