/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture_list.h"
#include "ctl/output.h"
#include "ctl/steps.h"

#include <inttypes.h>
#include <stdlib.h>

#define LINE_MAX_BYTES 16384

struct listing {
  const struct subject *subject;
  struct capture_list *lists; /* one a node */
  size_t n;
  struct steps *steps;
  struct output output;
  struct buf line;
};

/* -- An entry -- */

static void entry_json(struct buf *out, const struct node_settings *node,
                       const struct capture_entry *entry) {
  member_begin(out);
  member_text(out, "cluster", node->cluster);
  member_text(out, "node", node->name);
  member_text(out, "capture", entry->name);
  member_bool(out, "whole", capture_entry_is_whole(entry));
  member_text(out, "address", entry->source);
  member_text(out, "filter", entry->filter);
  member_int(out, "messages", entry->n_messages);
  member_int(out, "consumers", entry->n_consumers);
  member_int(out, "ring", entry->ring);
  member_bool(out, "has_divert", entry->has_divert);
  member_bool(out, "has_queue", entry->has_queue);
  member_bool(out, "has_address", entry->has_address);
  member_end(out);
}

static void entry_text(struct buf *out, const struct node_settings *node,
                       const struct capture_entry *entry) {
  buf_printf(out, "%s/%s: %s: ", node->cluster, node->name, entry->name);
  if (!capture_entry_is_whole(entry)) {
    buf_printf(
        out, "not whole (%s%s%s is left): remove it\n",
        entry->has_divert ? "divert" : "",
        entry->has_queue ? (entry->has_divert ? ", queue" : "queue") : "",
        entry->has_address
            ? (entry->has_divert || entry->has_queue ? ", address" : "address")
            : "");
    return;
  }
  buf_printf(out, "of %s%s%s: %" PRId64 " of at most %" PRId64 " messages\n",
             entry->source ? entry->source : "?",
             entry->filter ? ", only " : "", entry->filter ? entry->filter : "",
             entry->n_messages, entry->ring);
}

/* -- A node -- */

static void node_failed(struct listing *listing,
                        const struct node_settings *node,
                        const struct error *error) {
  struct buf *out = &listing->line;
  if (listing->output.is_json) {
    member_begin(out);
    member_text(out, "cluster", node->cluster);
    member_text(out, "node", node->name);
    member_text(out, "error", status_name(error->kind));
    member_text(out, "reason", error->text);
    member_end(out);
  } else {
    buf_printf(out, "%s/%s: %s: %s\n", node->cluster, node->name,
               status_name(error->kind), error->text);
  }
}

static enum exit_code tell_node(struct listing *listing, size_t i) {
  const struct node_settings *node = &listing->subject->selected.nodes[i];
  const struct capture_list *list = &listing->lists[i];
  const struct error *error = &steps_outcome(listing->steps, i)->error;
  if (error->kind)
    node_failed(listing, node, error);
  for (size_t k = 0; !error->kind && k < list->n; k++) {
    if (listing->output.is_json)
      entry_json(&listing->line, node, &list->entries[k]);
    else
      entry_text(&listing->line, node, &list->entries[k]);
    output_write(&listing->output, &listing->line);
  }
  if (!error->kind && list->n == 0 && !listing->output.is_json)
    buf_printf(&listing->line, "%s/%s: no captures\n", node->cluster,
               node->name);
  if (list->n_left_out)
    fprintf(stderr, "jolokiactl: %s/%s: there are more than %d captures\n",
            node->cluster, node->name, CAPTURE_LIST_MAX);
  output_write(&listing->output, &listing->line);
  return steps_code(listing->steps, i);
}

/* -- All of it -- */

static enum exit_code run(struct listing *listing) {
  struct exit_codes codes = {0};
  steps_run(listing->steps, capture_list_table.n);
  for (size_t i = 0; i < listing->n; i++)
    exit_codes_add(&codes, tell_node(listing, i));
  return output_end(&listing->output) ? exit_codes_all(&codes) : EXIT_CODE_SOME;
}

static enum exit_code run_on(struct listing *listing, struct change *change,
                             int64_t timeout_ns) {
  struct error error;
  enum status status = STATUS_NO_MEMORY;
  error_set(&error, status, "no memory for the nodes");
  listing->lists = calloc(listing->n, sizeof(*listing->lists));
  for (size_t i = 0; listing->lists && i < listing->n; i++) {
    status = capture_list_init(&listing->lists[i],
                               listing->subject->selected.nodes[i].jmx_domain,
                               &error);
    if (status)
      break;
  }
  if (!status)
    status =
        steps_new(change, &capture_list_table, listing->lists,
                  sizeof(*listing->lists), timeout_ns, &listing->steps, &error);
  if (status)
    fprintf(stderr, "jolokiactl: %s\n", error.text);
  enum exit_code code = status ? exit_code_of(status) : run(listing);
  steps_free(listing->steps);
  for (size_t i = 0; listing->lists && i < listing->n; i++)
    capture_list_fini(&listing->lists[i]);
  free(listing->lists);
  return code;
}

static enum exit_code list(const struct subject *subject,
                           const struct ctl *ctl) {
  struct listing listing = {.subject = subject,
                            .n = subject->selected.n_nodes,
                            .output = output_begin(ctl->is_json)};
  struct change change;
  struct error error;
  enum status status = change_open(subject, ctl, false, &change, &error);
  if (status) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(status);
  }
  buf_init(&listing.line, LINE_MAX_BYTES);
  enum exit_code code = run_on(&listing, &change, ctl->timeout_ns);
  buf_fini(&listing.line);
  change_close(&change);
  return code;
}

int capture_list_main(const struct ctl *ctl) { return subject_run(ctl, list); }
