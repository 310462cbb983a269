/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/queue_delete.h"
#include "ctl/confirm.h"
#include "ctl/output.h"
#include "ctl/steps.h"

#include <inttypes.h>

#define LINE_MAX_BYTES 16384

struct deletion {
  const struct ctl *ctl;
  const struct node_settings *node;
  struct output output;
  struct buf line;
  struct queue_delete queue;
  struct steps *steps;
};

static const char *plural(int64_t n) { return n == 1 ? "" : "s"; }

/* -- What is found -- */

static void found_text(struct deletion *deletion) {
  const struct queue_delete *queue = &deletion->queue;
  struct buf *out = &deletion->line;
  buf_printf(out,
             "%s/%s: queue %s of address %s (%s%s%s): %" PRId64
             " message%s, %" PRId64 " consumer%s, %zu other queue%s there\n",
             deletion->node->cluster, deletion->node->name, queue->queue,
             queue->address, queue->routing_type,
             queue->is_durable ? ", durable" : ", not durable",
             queue->is_temporary ? ", temporary" : "", queue->n_messages,
             plural(queue->n_messages), queue->n_consumers,
             plural(queue->n_consumers), queue->n_others,
             plural((int64_t)queue->n_others));
  if (queue->n_diverts)
    buf_printf(out, "  diverts     %s\n", buf_text(&queue->diverts));
  if (queue_delete_takes_address(queue))
    buf_add_text(out, "  address     the broker made it by itself, and deletes "
                      "it with its last queue\n");
  if (queue->is_configured)
    buf_add_text(out,
                 "  broker.xml  has this queue: it is there again when the "
                 "broker starts or reads its settings\n");
  output_write(&deletion->output, out);
}

/* -- Whether it may be deleted -- */

static enum exit_code refuse(struct deletion *deletion) {
  const struct queue_delete *queue = &deletion->queue;
  const struct ctl *ctl = deletion->ctl;
  bool has_consumers = queue->n_consumers > 0 && !ctl->with_consumers;
  bool has_messages = queue->n_messages > 0 && !ctl->with_messages;
  if (has_consumers)
    fprintf(stderr,
            "jolokiactl: it is left: it has %" PRId64
            " consumer%s; --consumers closes them\n",
            queue->n_consumers, plural(queue->n_consumers));
  if (has_messages)
    fprintf(stderr,
            "jolokiactl: it is left: it has %" PRId64
            " message%s, which would be lost; --messages says so\n",
            queue->n_messages, plural(queue->n_messages));
  return has_consumers || has_messages ? EXIT_CODE_UNSAFE : EXIT_CODE_DONE;
}

static enum exit_code ask(struct deletion *deletion) {
  const struct queue_delete *queue = &deletion->queue;
  struct buf question;
  buf_init(&question, LINE_MAX_BYTES);
  buf_printf(&question, "Delete queue %s of %s/%s", queue->queue,
             deletion->node->cluster, deletion->node->name);
  if (queue->n_messages > 0)
    buf_printf(&question, ", and lose %" PRId64 " message%s", queue->n_messages,
               plural(queue->n_messages));
  buf_add_text(&question, "?");
  enum exit_code code = confirm(deletion->ctl, buf_text(&question));
  buf_fini(&question);
  return code;
}

/* -- What came of it -- */

static const char *state_name(const struct deletion *deletion,
                              enum exit_code code) {
  if (code == EXIT_CODE_UNKNOWN)
    return "unknown";
  if (deletion->queue.is_gone)
    return "deleted";
  return code == EXIT_CODE_DONE ? "dry_run" : "left";
}

static void result_json(struct deletion *deletion, enum exit_code code) {
  const struct queue_delete *queue = &deletion->queue;
  const struct step_outcome *outcome = steps_outcome(deletion->steps, 0);
  bool has_failed = outcome->error.kind != STATUS_OK;
  struct buf *out = &deletion->line;
  member_begin(out);
  member_text(out, "cluster", deletion->node->cluster);
  member_text(out, "node", deletion->node->name);
  member_text(out, "queue", queue->queue);
  member_text(out, "address", queue->address);
  member_text(out, "routing_type",
              queue->routing_type[0] ? queue->routing_type : NULL);
  member_int(out, "messages", queue->n_messages);
  member_int(out, "consumers", queue->n_consumers);
  member_int(out, "other_queues", (int64_t)queue->n_others);
  member_text(out, "diverts",
              queue->n_diverts ? buf_text(&queue->diverts) : NULL);
  member_bool(out, "address_goes", queue_delete_takes_address(queue));
  member_bool(out, "configured", queue->is_configured);
  member_text(out, "result", state_name(deletion, code));
  steps_times_json(deletion->steps, 0, out);
  member_text(out, "error",
              has_failed ? status_name(outcome->error.kind) : NULL);
  member_text(out, "reason", has_failed ? outcome->error.text : NULL);
  member_end(out);
}

static void result_text(struct deletion *deletion, enum exit_code code) {
  const struct queue_delete *queue = &deletion->queue;
  const struct step_outcome *outcome = steps_outcome(deletion->steps, 0);
  if (code == EXIT_CODE_UNKNOWN)
    fprintf(stderr,
            "jolokiactl: it is unknown whether it was deleted (%s: %s): it is "
            "there now, and may go yet\n",
            status_name(outcome->error.kind), outcome->error.text);
  else if (outcome->error.kind)
    fprintf(stderr, "jolokiactl: %s/%s: %s: %s: %s\n", deletion->node->cluster,
            deletion->node->name, outcome->step,
            status_name(outcome->error.kind), outcome->error.text);
  else if (queue->is_gone)
    buf_printf(&deletion->line, "%s/%s: %s is deleted%s\n",
               deletion->node->cluster, deletion->node->name, queue->queue,
               queue->is_address_gone ? ", and so is its address" : "");
  else if (deletion->ctl->is_dry_run && code == EXIT_CODE_DONE)
    buf_printf(&deletion->line,
               "%s/%s: %s would be deleted: 3 requests more, nothing was "
               "changed\n",
               deletion->node->cluster, deletion->node->name, queue->queue);
}

/* -- All of it -- */

static enum exit_code run(struct deletion *deletion) {
  steps_run(deletion->steps, QUEUE_DELETE_LOOKS);
  enum exit_code code = steps_code(deletion->steps, 0);
  if (code)
    return code;
  if (!deletion->output.is_json)
    found_text(deletion);
  code = refuse(deletion);
  if (code || deletion->ctl->is_dry_run)
    return code;
  code = ask(deletion);
  if (code)
    return code;
  steps_run(deletion->steps, QUEUE_DELETE_COUNTS);
  code = steps_code(deletion->steps, 0);
  if (!code)
    code = refuse(deletion); /* what has come meanwhile */
  if (code)
    return code;
  steps_run(deletion->steps, queue_delete_table.n);
  return steps_code(deletion->steps, 0);
}

static enum exit_code delete_on(struct deletion *deletion,
                                struct change *change) {
  struct error error;
  enum status status = queue_delete_init(
      &deletion->queue, deletion->node->jmx_domain, deletion->ctl->args[0],
      deletion->ctl->with_consumers, &error);
  if (!status)
    status = steps_new(change, &queue_delete_table, &deletion->queue,
                       sizeof(deletion->queue), deletion->ctl->timeout_ns,
                       &deletion->steps, &error);
  if (status) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(status);
  }
  enum exit_code code = run(deletion);
  if (deletion->output.is_json)
    result_json(deletion, code);
  else
    result_text(deletion, code);
  output_write(&deletion->output, &deletion->line);
  return output_end(&deletion->output) ? code : EXIT_CODE_SOME;
}

static enum exit_code queue_delete(const struct subject *subject,
                                   const struct ctl *ctl) {
  struct deletion deletion = {.ctl = ctl,
                              .node = &subject->selected.nodes[0],
                              .output = output_begin(ctl->is_json)};
  struct change change;
  struct error error;
  enum status status = change_open(subject, ctl, true, &change, &error);
  if (status) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(status);
  }
  buf_init(&deletion.line, LINE_MAX_BYTES);
  enum exit_code code = delete_on(&deletion, &change);
  steps_free(deletion.steps);
  queue_delete_fini(&deletion.queue);
  buf_fini(&deletion.line);
  change_close(&change);
  return code;
}

int queue_delete_main(const struct ctl *ctl) {
  return subject_run(ctl, queue_delete);
}
