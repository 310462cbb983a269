/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "ctl/cluster_members.h"
#include "ctl/exit_code.h"
#include "ctl/output.h"
#include "ctl/report.h"
#include "ctl/scrapers.h"
#include "ctl/session.h"

#include <stdio.h>

#define LINE_MAX_BYTES 65536

struct nodes {
  const struct ctl *ctl;
  const struct subject *subject;
  struct output output;
  struct buf line;
};

static void on_sample(void *cookie, const struct sample *sample) {
  (void)cookie;
  (void)sample;
}

/* -- A node -- */

static void node_json(struct nodes *nodes, const struct monitor_view *view,
                      const struct limits *limits,
                      const struct error *verdict) {
  struct buf *out = &nodes->line;
  const struct identity *identity = view->identity;
  bool is_known = identity->is_known;
  member_begin(out);
  member_text(out, "cluster", view->cluster);
  member_text(out, "node", view->name);
  member_text(out, "url", view->url_key);
  member_bool(out, "discovered", view->is_discovered);
  member_text(out, "state", node_state_name(view->state));
  member_text(out, "broker", is_known ? identity->broker_name : NULL);
  member_text(out, "version", is_known ? identity->version : NULL);
  member_text(out, "ha_policy", is_known ? identity->ha_policy : NULL);
  member_text(out, "node_id", is_known ? identity->node_id : NULL);
  member_text(out, "bond", bond_name(view->bonds.bond));
  member_text(out, "other", view->bonds.other);
  member_bool(out, "alternating", view->bonds.is_alternating);
  scrapers_json(out, limits);
  member_text(out, "error", verdict->kind ? status_name(verdict->kind) : NULL);
  member_text(out, "reason", verdict->kind ? verdict->text : NULL);
  member_end(out);
}

static void tell_bonds(struct nodes *nodes, const struct monitor_view *view) {
  static const char *const words[] = {
      [BOND_PAIR] = "a pair with",
      [BOND_ALIAS] = "the same broker as",
      [BOND_SPLIT] = "SPLIT: has the NodeID of, and both are active:"};
  const struct member_view *bonds = &view->bonds;
  if (bonds->bond != BOND_NONE && bonds->other)
    buf_printf(&nodes->line, "  %s %s%s\n", words[bonds->bond], bonds->other,
               bonds->shares_ceiling ? ", under one ceiling" : "");
  if (bonds->is_alternating)
    buf_add_text(&nodes->line, "  its URL leads now to one broker, now to "
                               "another: give each a URL of its own\n");
}

static void tell_scrapers(struct nodes *nodes, const struct limits *limits) {
  if (limits->n_scrapers < 2)
    return;
  buf_add_text(&nodes->line, "  ");
  scrapers_text(&nodes->line, limits);
  buf_add_text(&nodes->line, "\n");
}

static void node_text(struct nodes *nodes, const struct monitor_view *view,
                      const struct limits *limits,
                      const struct error *verdict) {
  struct buf *out = &nodes->line;
  const struct identity *identity = view->identity;
  bool is_bad = verdict->kind != STATUS_OK;
  members_row(
      &nodes->output, out,
      &(struct members_row){.cluster = view->cluster,
                            .name = view->name,
                            .state = is_bad && view->state == NODE_UNKNOWN
                                         ? "failed"
                                         : node_state_name(view->state),
                            .version = identity->version,
                            .node_id = identity->node_id,
                            .ha_policy = identity->ha_policy,
                            .url = view->url_key},
      is_bad ? COLOR_BAD : COLOR_GOOD);
  buf_add_text(out, view->is_discovered ? "  (discovered)\n" : "\n");
  if (is_bad)
    buf_printf(out, "  %s: %s\n", status_name(verdict->kind), verdict->text);
  tell_bonds(nodes, view);
  tell_scrapers(nodes, limits);
}

static enum exit_code tell_node(struct nodes *nodes,
                                const struct session *session, size_t i,
                                enum session_end end) {
  const struct subject *subject = nodes->subject;
  struct monitor_view view;
  struct limits limits;
  struct error verdict;
  monitor_view(session->monitor, i, &view);
  session_verdict(&view, end, &verdict);
  client_limits(&subject->selected, view.settings, subject->interval_ns,
                clock_mono_ns(), &limits);
  if (nodes->output.is_json)
    node_json(nodes, &view, &limits, &verdict);
  else
    node_text(nodes, &view, &limits, &verdict);
  output_write(&nodes->output, &nodes->line);
  return exit_code_of(verdict.kind);
}

/* -- All of it -- */

static enum exit_code run(struct nodes *nodes) {
  const struct ctl *ctl = nodes->ctl;
  struct session session;
  struct error error;
  struct exit_codes codes = {0};
  const struct session_options options = {
      .subject = nodes->subject,
      .sink = {.dispatch = on_sample},
      .interval_ns = nodes->subject->interval_ns,
      .is_once = true,
      .want_discovery = session_discovers(ctl),
      .is_unshared = ctl->is_unshared};
  if (session_open(&options, &session, &error)) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(error.kind);
  }
  enum session_end end = session_run_once(&session, ctl->timeout_ns);
  if (!nodes->output.is_json) {
    members_row(&nodes->output, &nodes->line,
                &(struct members_row){"CLUSTER", "NODE", "STATE", "VERSION",
                                      "NODEID", "HAPOLICY", "URL"},
                COLOR_NONE);
    buf_add_text(&nodes->line, "\n");
    output_write(&nodes->output, &nodes->line);
  }
  for (size_t i = 0; i < monitor_n_nodes(session.monitor); i++)
    exit_codes_add(&codes, tell_node(nodes, &session, i, end));
  if (monitor_discovery(session.monitor))
    members_tell(&nodes->output, monitor_discovery(session.monitor),
                 &nodes->subject->selected);
  session_close(&session);
  if (!output_end(&nodes->output))
    return EXIT_CODE_SOME;
  return end == SESSION_STOPPED ? EXIT_CODE_INTERRUPTED
                                : exit_codes_all(&codes);
}

static enum exit_code nodes_of(const struct subject *subject,
                               const struct ctl *ctl) {
  struct nodes nodes = {
      .ctl = ctl, .subject = subject, .output = output_begin(ctl->is_json)};
  buf_init(&nodes.line, LINE_MAX_BYTES);
  enum exit_code code = run(&nodes);
  buf_fini(&nodes.line);
  return code;
}

int nodes_main(const struct ctl *ctl) { return subject_run(ctl, nodes_of); }
