/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/identity.h"
#include "base/clock.h"
#include "ctl/ctl.h"
#include "ctl/exit_code.h"
#include "ctl/output.h"
#include "ctl/report.h"
#include "ctl/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 65536

/* Values are written as they come, so that memory does not grow with the reply.
 * Tables of several nodes are kept apart in files without a name until all are
 * done; a single node's goes straight to standard output. */
struct poll {
  const struct subject *subject;
  struct output output;
  struct buf line;
  FILE **spools;  /* one a node, made with its first value; NULL: not spooled */
  bool *has_head; /* of each node's table */
  size_t last;
  bool is_spool_broken;
};

static FILE *spool_of(struct poll *poll, size_t node) {
  if (!poll->spools[node])
    poll->spools[node] = tmpfile();
  if (!poll->spools[node] && !poll->is_spool_broken) {
    perror("jolokiactl: a file for one node's table");
    poll->is_spool_broken = true;
  }
  return poll->spools[node];
}

static void on_sample(void *cookie, const struct sample *sample) {
  struct poll *poll = cookie;
  size_t node = subject_node(poll->subject, sample->host, &poll->last);
  if (node == SIZE_MAX)
    return;
  if (poll->output.is_json) {
    output_value_json(&poll->line, poll->subject->selected.nodes[node].cluster,
                      sample);
    output_write(&poll->output, &poll->line);
    return;
  }
  if (!poll->has_head[node])
    output_value_head(&poll->line);
  poll->has_head[node] = true;
  output_value_row(&poll->line, sample);
  FILE *spool = poll->spools ? spool_of(poll, node) : NULL;
  if (!poll->spools) {
    output_write(&poll->output, &poll->line);
  } else if (spool && fwrite(poll->line.data, 1, poll->line.len, spool) !=
                          poll->line.len) {
    poll->is_spool_broken = true;
  }
  buf_clear(&poll->line);
}

static void copy_spool(struct poll *poll, size_t node) {
  char bytes[16384];
  size_t len;
  FILE *spool = poll->spools ? poll->spools[node] : NULL;
  if (!spool)
    return;
  rewind(spool);
  while ((len = fread(bytes, 1, sizeof(bytes), spool)) > 0) {
    buf_add(&poll->line, bytes, len);
    output_write(&poll->output, &poll->line);
  }
  if (ferror(spool))
    poll->is_spool_broken = true;
}

static void node_text(struct poll *poll, const struct monitor_view *view,
                      const struct error *verdict) {
  struct buf *out = &poll->line;
  uint64_t requests = report_requests(view);
  uint64_t failures = report_failures(view);
  output_colored(&poll->output, out, COLOR_BOLD, view->cluster);
  output_colored(&poll->output, out, COLOR_BOLD, "/");
  output_colored(&poll->output, out, COLOR_BOLD, view->name);
  buf_add_text(out, ": ");
  if (verdict->kind)
    output_colored(&poll->output, out, COLOR_BAD, status_name(verdict->kind));
  else
    output_colored(&poll->output, out, COLOR_GOOD,
                   node_state_name(view->state));
  if (view->identity->version[0]) /* none of a JVM that is no broker */
    buf_printf(out, ", Artemis %s", view->identity->version);
  if (view->identity->is_known)
    buf_printf(out, ", Jolokia %s", view->identity->agent);
  buf_printf(out, ", %" PRIu64 " values, %" PRIu64 " request%s, ",
             view->counts->samples, requests, requests == 1 ? "" : "s");
  buf_printf(out, "%.1f ms waited for permits\n", report_permit_wait_ms(view));
  if (verdict->kind)
    buf_printf(out, "  %s\n", verdict->text);
  if (failures)
    buf_printf(out,
               "  %" PRIu64 " values or items failed; see `jolokiactl check`\n",
               failures);
}

static enum exit_code tell_node(struct poll *poll,
                                const struct session *session, size_t node,
                                enum session_end end) {
  struct monitor_view view;
  struct error verdict;
  monitor_view(session->monitor, node, &view);
  session_verdict(&view, end, &verdict);
  copy_spool(poll, node);
  if (poll->output.is_json) {
    member_begin(&poll->line);
    report_members(&poll->line, &view, &verdict);
    member_end(&poll->line);
  } else {
    node_text(poll, &view, &verdict);
  }
  if (!poll->output.is_json && node + 1 < poll->subject->selected.n_nodes)
    buf_add_text(&poll->line, "\n");
  output_write(&poll->output, &poll->line);
  return report_code(&view, &verdict);
}

static enum exit_code run(struct poll *poll, const struct ctl *ctl) {
  struct session session;
  struct error error;
  struct exit_codes codes = {0};
  const struct session_options options = {
      .subject = poll->subject,
      .sink = {.dispatch = on_sample, .cookie = poll},
      .interval_ns = poll->subject->interval_ns,
      .is_once = true,
      .is_unshared = ctl->is_unshared};
  if (session_open(&options, &session, &error)) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(error.kind);
  }
  enum session_end end = session_run_once(&session, ctl->timeout_ns);
  for (size_t i = 0; i < poll->subject->selected.n_nodes; i++)
    exit_codes_add(&codes, tell_node(poll, &session, i, end));
  session_close(&session);
  if (!output_end(&poll->output) || poll->is_spool_broken)
    return EXIT_CODE_SOME;
  if (end == SESSION_STOPPED)
    return EXIT_CODE_INTERRUPTED;
  enum exit_code code = exit_codes_all(&codes);
  return code == EXIT_CODE_DONE && end != SESSION_DONE ? EXIT_CODE_SOME : code;
}

static void free_spools(struct poll *poll, size_t n) {
  for (size_t i = 0; poll->spools && i < n; i++)
    if (poll->spools[i])
      fclose(poll->spools[i]);
  free(poll->spools);
}

static enum exit_code poll_subject(const struct subject *subject,
                                   const struct ctl *ctl) {
  size_t n = subject->selected.n_nodes;
  struct poll poll = {.subject = subject, .output = output_begin(ctl->is_json)};
  bool is_spooled = n > 1 && !ctl->is_json;
  enum exit_code code = EXIT_CODE_SOME;
  buf_init(&poll.line, LINE_MAX_BYTES);
  poll.has_head = calloc(n, sizeof(*poll.has_head));
  poll.spools = is_spooled ? calloc(n, sizeof(*poll.spools)) : NULL;
  if (poll.has_head && (poll.spools || !is_spooled))
    code = run(&poll, ctl);
  else
    fputs("jolokiactl: no memory for the nodes\n", stderr);
  free_spools(&poll, n);
  free(poll.has_head);
  buf_fini(&poll.line);
  return code;
}

int poll_main(const struct ctl *ctl) { return subject_run(ctl, poll_subject); }
