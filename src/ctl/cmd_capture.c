/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture.h"
#include "ctl/confirm.h"
#include "ctl/output.h"
#include "ctl/steps.h"

#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 16384

/* Both commands: the one installs, the other removes. */
struct captures {
  const struct ctl *ctl;
  const struct subject *subject;
  bool is_removal;
  const struct step_table *table;
  struct capture *list; /* one a node */
  size_t n;
  struct steps *steps;
  struct output output;
  struct buf line;
};

enum result {
  RESULT_INSTALLED,
  RESULT_PRESENT, /* there before, and whole */
  RESULT_REMOVED,
  RESULT_ABSENT,
  RESULT_DRY_RUN,
  RESULT_LEFT,    /* the question was answered with no */
  RESULT_SKIPPED, /* a backup, where a whole cluster was named */
  RESULT_UNDONE,  /* failed, and nothing is left of it */
  RESULT_FAILED,
  RESULT_UNKNOWN
};

static const char *const result_names[] = {
    [RESULT_INSTALLED] = "installed", [RESULT_PRESENT] = "present",
    [RESULT_REMOVED] = "removed",     [RESULT_ABSENT] = "absent",
    [RESULT_DRY_RUN] = "dry_run",     [RESULT_LEFT] = "left",
    [RESULT_SKIPPED] = "skipped",     [RESULT_UNDONE] = "undone",
    [RESULT_FAILED] = "failed",       [RESULT_UNKNOWN] = "unknown",
};

static const struct node_settings *node_of(const struct captures *captures,
                                           size_t i) {
  return &captures->subject->selected.nodes[i];
}

/* -- What came of a node -- */

/* Whether there is something to be done, after the looks. */
static bool has_work(const struct captures *captures, size_t i) {
  const struct capture *capture = &captures->list[i];
  if (steps_outcome(captures->steps, i)->error.kind)
    return false;
  return captures->is_removal ? capture_is_any(&capture->found)
                              : !capture_is_whole(&capture->found);
}

static bool is_skipped(const struct captures *captures, size_t i) {
  const struct step_outcome *outcome = steps_outcome(captures->steps, i);
  return captures->n > 1 && outcome->error.kind == STATUS_NOT_STARTED &&
         outcome->n_changed == 0;
}

static enum result result_of(const struct captures *captures, size_t i,
                             bool is_begun) {
  const struct step_outcome *outcome = steps_outcome(captures->steps, i);
  if (outcome->is_unknown)
    return RESULT_UNKNOWN;
  if (is_skipped(captures, i))
    return RESULT_SKIPPED;
  if (outcome->error.kind)
    return outcome->n_undone > 0 && outcome->undo_error.kind == STATUS_OK
               ? RESULT_UNDONE
               : RESULT_FAILED;
  if (!is_begun && has_work(captures, i))
    return captures->ctl->is_dry_run ? RESULT_DRY_RUN : RESULT_LEFT;
  if (outcome->n_changed == 0)
    return captures->is_removal ? RESULT_ABSENT : RESULT_PRESENT;
  return captures->is_removal ? RESULT_REMOVED : RESULT_INSTALLED;
}

static const char *name_of(const struct captures *captures, size_t i) {
  const struct capture *capture = &captures->list[i];
  return capture->name[0] ? capture->name : captures->ctl->args[0];
}

static void result_json(struct captures *captures, size_t i,
                        enum result result) {
  const struct step_outcome *outcome = steps_outcome(captures->steps, i);
  const struct capture *capture = &captures->list[i];
  bool has_failed = outcome->error.kind != STATUS_OK;
  bool is_left = outcome->undo_error.kind != STATUS_OK;
  struct buf *out = &captures->line;
  member_begin(out);
  member_text(out, "cluster", node_of(captures, i)->cluster);
  member_text(out, "node", node_of(captures, i)->name);
  member_text(out, "capture", name_of(captures, i));
  member_text(out, "address", capture->options.source);
  member_text(out, "queue", capture->name[0] ? capture->queue : NULL);
  member_text(out, "result", result_names[result]);
  member_int(out, "changes", outcome->n_changed);
  member_int(out, "undone", outcome->n_undone);
  steps_times_json(captures->steps, i, out);
  member_text(out, "step", has_failed ? outcome->step : NULL);
  member_text(out, "error",
              has_failed ? status_name(outcome->error.kind) : NULL);
  member_text(out, "reason", has_failed ? outcome->error.text : NULL);
  member_text(out, "not_undone", is_left ? outcome->undo_error.text : NULL);
  member_end(out);
}

static void failure_text(struct captures *captures, size_t i,
                         enum result result) {
  const struct step_outcome *outcome = steps_outcome(captures->steps, i);
  struct buf *out = &captures->line;
  buf_printf(out, "failed: %s: %s: %s", outcome->step,
             status_name(outcome->error.kind), outcome->error.text);
  if (result == RESULT_UNKNOWN)
    buf_add_text(out, "; it is unknown whether it was done");
  if (result == RESULT_UNDONE)
    buf_add_text(out, "; what was done is undone");
  if (outcome->undo_error.kind)
    buf_printf(out,
               "; %u changes are left, and cannot be undone now (%s: %s): "
               "jolokiactl capture remove takes them away",
               outcome->n_changed, status_name(outcome->undo_error.kind),
               outcome->undo_error.text);
  buf_add_text(out, "\n");
}

static void warn_of_divert(struct captures *captures, size_t i,
                           enum result result) {
  const struct capture *capture = &captures->list[i];
  if (capture->version < CAPTURE_DIVERT_ENDS_SINCE &&
      (result == RESULT_REMOVED || result == RESULT_UNDONE))
    buf_printf(&captures->line,
               "  this version brings the divert %s back when it restarts: "
               "remove the capture once more then\n",
               capture->divert);
}

static void result_text(struct captures *captures, size_t i,
                        enum result result) {
  static const char *const texts[] = {
      [RESULT_INSTALLED] = "is installed",
      [RESULT_PRESENT] = "is there already, and whole",
      [RESULT_REMOVED] = "is removed",
      [RESULT_ABSENT] = "is not there: nothing to do",
      [RESULT_LEFT] = "is as it was",
      [RESULT_SKIPPED] = "is not for this node: it is not active",
  };
  const struct capture *capture = &captures->list[i];
  struct buf *out = &captures->line;
  buf_printf(out, "%s/%s: capture %s ", node_of(captures, i)->cluster,
             node_of(captures, i)->name, name_of(captures, i));
  if (result == RESULT_DRY_RUN)
    buf_printf(out, "would be %s: nothing was changed\n",
               captures->is_removal ? "removed" : "installed");
  else if (result >= RESULT_UNDONE)
    failure_text(captures, i, result);
  else
    buf_printf(out, "%s\n", texts[result]);
  if (result == RESULT_INSTALLED || result == RESULT_PRESENT)
    buf_printf(out, "  of %s, into queue %s\n", capture->options.source,
               capture->queue);
  warn_of_divert(captures, i, result);
}

static enum exit_code code_of(const struct captures *captures, size_t i) {
  return is_skipped(captures, i) ? EXIT_CODE_DONE
                                 : steps_code(captures->steps, i);
}

static enum exit_code tell(struct captures *captures, bool is_begun) {
  struct exit_codes codes = {0};
  size_t n_skipped = 0;
  for (size_t i = 0; i < captures->n; i++) {
    enum result result = result_of(captures, i, is_begun);
    if (captures->output.is_json)
      result_json(captures, i, result);
    else
      result_text(captures, i, result);
    output_write(&captures->output, &captures->line);
    n_skipped += result == RESULT_SKIPPED;
    exit_codes_add(&codes, code_of(captures, i));
  }
  if (!output_end(&captures->output) || n_skipped == captures->n)
    return EXIT_CODE_SOME;
  return exit_codes_all(&codes);
}

/* -- The question -- */

static enum exit_code ask(const struct captures *captures, size_t n_nodes) {
  struct buf question;
  buf_init(&question, LINE_MAX_BYTES);
  buf_printf(&question, "%s capture %s on %zu node%s?",
             captures->is_removal ? "Remove" : "Install",
             captures->is_removal ? captures->ctl->args[0]
                                  : captures->list[0].name,
             n_nodes, n_nodes == 1 ? "" : "s");
  enum exit_code code = confirm(captures->ctl, buf_text(&question));
  buf_fini(&question);
  return code;
}

static enum exit_code run(struct captures *captures) {
  size_t n_nodes = 0;
  enum exit_code answer = EXIT_CODE_DONE;
  steps_run(captures->steps, CAPTURE_LOOKS);
  for (size_t i = 0; i < captures->n; i++)
    n_nodes += has_work(captures, i);
  bool is_begun = n_nodes > 0 && !captures->ctl->is_dry_run;
  if (is_begun) {
    answer = ask(captures, n_nodes);
    is_begun = answer == EXIT_CODE_DONE;
  }
  if (is_begun)
    steps_run(captures->steps, captures->table->n);
  enum exit_code code = tell(captures, is_begun);
  return answer ? answer : code;
}

/* -- All of it -- */

static enum status options_of(const struct ctl *ctl,
                              struct capture_options *ret,
                              struct error *error) {
  *ret = (struct capture_options){.name = ctl->name ? ctl->name : ctl->args[0],
                                  .source = ctl->args[0],
                                  .filter = ctl->filter,
                                  .role = ctl->role,
                                  .ring = ctl->ring,
                                  .max_bytes = ctl->max_bytes};
  return capture_check(ret, error);
}

static enum status init_states(struct captures *captures,
                               const struct capture_options *options,
                               struct error *error) {
  enum status status = STATUS_OK;
  for (size_t i = 0; !status && i < captures->n; i++) {
    const char *domain = node_of(captures, i)->jmx_domain;
    struct capture *capture = &captures->list[i];
    status = captures->is_removal
                 ? capture_init_removal(capture, domain, captures->ctl->args[0],
                                        error)
                 : capture_init(capture, domain, options, error);
  }
  return status;
}

static enum exit_code run_on(struct captures *captures, struct change *change,
                             const struct capture_options *options) {
  struct error error;
  enum exit_code code;
  buf_init(&captures->line, LINE_MAX_BYTES);
  captures->list = calloc(captures->n, sizeof(*captures->list));
  enum status status = captures->list ? init_states(captures, options, &error)
                                      : error_set(&error, STATUS_NO_MEMORY,
                                                  "no memory for the nodes");
  if (!status)
    status = steps_new(change, captures->table, captures->list,
                       sizeof(*captures->list), captures->ctl->timeout_ns,
                       &captures->steps, &error);
  if (status) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    code = exit_code_of(status);
  } else {
    code = run(captures);
  }
  steps_free(captures->steps);
  for (size_t i = 0; captures->list && i < captures->n; i++)
    capture_fini(&captures->list[i]);
  free(captures->list);
  buf_fini(&captures->line);
  return code;
}

static enum exit_code change_captures(const struct subject *subject,
                                      const struct ctl *ctl, bool is_removal) {
  struct captures captures = {.ctl = ctl,
                              .subject = subject,
                              .is_removal = is_removal,
                              .table = is_removal ? &capture_remove_table
                                                  : &capture_install_table,
                              .n = subject->selected.n_nodes,
                              .output = output_begin(ctl->is_json)};
  struct capture_options options = {.name = NULL};
  struct change change;
  struct error error;
  enum status status =
      is_removal ? STATUS_OK : options_of(ctl, &options, &error);
  if (!status)
    status = change_open(subject, ctl, true, &change, &error);
  if (status) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(status);
  }
  enum exit_code code = run_on(&captures, &change, &options);
  change_close(&change);
  return code;
}

static enum exit_code install(const struct subject *subject,
                              const struct ctl *ctl) {
  return change_captures(subject, ctl, false);
}

static enum exit_code remove_it(const struct subject *subject,
                                const struct ctl *ctl) {
  return change_captures(subject, ctl, true);
}

int capture_install_main(const struct ctl *ctl) {
  return subject_run(ctl, install);
}

int capture_remove_main(const struct ctl *ctl) {
  return subject_run(ctl, remove_it);
}
