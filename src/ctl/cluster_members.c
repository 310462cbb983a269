/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/cluster_members.h"

#include <string.h>

#define LINE_MAX_BYTES 65536
#define STATE_WIDTH 10 /* of "login held" */

static void member_json(struct buf *out, const struct discovery_view *view) {
  member_begin(out);
  member_text(out, "cluster", view->cluster);
  member_text(out, "member", view->core);
  member_text(out, "url", view->url);
  member_text(out, "node_id", view->node_id);
  member_bool(out, "backup", view->is_backup);
  member_text(out, "state", discovery_state_name(view->state));
  member_text(out, "error", status_name(view->why->kind));
  member_text(out, "reason", view->why->text);
  member_end(out);
}

static const char *or_dash(const char *text) {
  return text && *text ? text : "-";
}

void members_row(const struct output *output, struct buf *out,
                 const struct members_row *row, enum output_color color) {
  buf_printf(out, "%-16s %-24s ", row->cluster, row->name);
  output_colored(output, out, color, row->state);
  buf_printf(out, "%*s %-8s %-36s %-16s %s",
             STATE_WIDTH - (int)strlen(row->state), "", or_dash(row->version),
             or_dash(row->node_id), or_dash(row->ha_policy), or_dash(row->url));
}

static void member_text_row(const struct output *output, struct buf *out,
                            const struct discovery_view *view) {
  members_row(
      output, out,
      &(struct members_row){.cluster = view->cluster,
                            .name = view->core,
                            .state = discovery_state_name(view->state),
                            .node_id = view->node_id,
                            .ha_policy = view->is_backup ? "backup" : NULL,
                            .url = view->url},
      COLOR_WARN);
  buf_printf(out, "\n  %s: %s\n", status_name(view->why->kind),
             view->why->text);
}

static void tell_unread(const struct discovery *discovery,
                        const struct settings *settings) {
  for (size_t i = 0; i < settings->n_clusters; i++) {
    const char *name = settings->clusters[i].name;
    const struct error *why = discovery_why(discovery, name);
    if (why && why->kind)
      fprintf(stderr,
              "jolokiactl: cluster %s: its members cannot be read: "
              "%s: %s\n",
              name, status_name(why->kind), why->text);
  }
}

void members_tell(struct output *output, const struct discovery *discovery,
                  const struct settings *settings) {
  struct buf line;
  buf_init(&line, LINE_MAX_BYTES);
  for (size_t i = 0; i < discovery_n_members(discovery); i++) {
    struct discovery_view view;
    discovery_view(discovery, i, &view);
    if (view.state == DISCOVERY_ADDED)
      continue;
    if (output->is_json)
      member_json(&line, &view);
    else
      member_text_row(output, &line, &view);
    output_write(output, &line);
  }
  buf_fini(&line);
  tell_unread(discovery, settings);
}
