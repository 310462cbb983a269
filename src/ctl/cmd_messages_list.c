/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "ctl/browse.h"
#include "ctl/messages.h"
#include "ctl/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct listing {
  struct messages *messages;
  struct output output;
  struct buf line;
  bool has_head;
};

/* "2026-08-01T12:00:00.123Z" of milliseconds since 1970. */
static void time_text(char *dst, size_t size, int64_t ms) {
  time_t seconds = (time_t)(ms / 1000);
  struct tm tm;
  if (ms < 0 || !gmtime_r(&seconds, &tm) || tm.tm_year > 8099)
    snprintf(dst, size, "-");
  else
    snprintf(dst, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
             tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
             tm.tm_min, tm.tm_sec, (int)(ms % 1000));
}

static void add_json(struct listing *listing, int64_t id,
                     const struct value *columns, const char *origin) {
  struct buf *out = &listing->line;
  const struct messages *messages = listing->messages;
  member_begin(out);
  member_text(out, "cluster", messages->settings->cluster);
  member_text(out, "node", messages->settings->name);
  member_text(out, "queue", messages->queue.name);
  member_int(out, "id", id);
  member_int(out, "timestamp", value_int(&columns[BROWSE_TIMESTAMP], 0));
  member_int(out, "priority", value_int(&columns[BROWSE_PRIORITY], 0));
  member_int(out, "size", value_int(&columns[BROWSE_SIZE], 0));
  member_bool(out, "durable", value_is_true(&columns[BROWSE_DURABLE]));
  member_bool(out, "redelivered", value_is_true(&columns[BROWSE_REDELIVERED]));
  member_text(out, "from", *origin ? origin : NULL);
  member_end(out);
}

static void add_row(struct listing *listing, int64_t id,
                    const struct value *columns, const char *origin) {
  struct buf *out = &listing->line;
  char time[80];
  if (!listing->has_head)
    buf_printf(out, "%-20s %-24s %3s %10s %-4s %s\n", "ID", "SENT", "PRI",
               "BYTES", "AGAIN", "FROM");
  listing->has_head = true;
  time_text(time, sizeof(time), value_int(&columns[BROWSE_TIMESTAMP], 0));
  buf_printf(out, "%-20" PRId64 " %-24s %3" PRId64 " %10" PRId64 " %-5s %s\n",
             id, time, value_int(&columns[BROWSE_PRIORITY], 0),
             value_int(&columns[BROWSE_SIZE], 0),
             value_is_true(&columns[BROWSE_REDELIVERED]) ? "yes" : "no",
             origin);
}

static bool on_message(void *cookie, int64_t id, const struct value *columns) {
  struct listing *listing = cookie;
  char queue[MESSAGES_NAME_MAX] = "", address[MESSAGES_NAME_MAX] = "";
  message_origin(&columns[BROWSE_TEXTS], queue, address, sizeof(queue));
  if (listing->output.is_json)
    add_json(listing, id, columns, queue);
  else
    add_row(listing, id, columns, queue);
  output_write(&listing->output, &listing->line);
  return !listing->output.is_broken;
}

static enum exit_code list_it(struct listing *listing) {
  struct messages *messages = listing->messages;
  const struct ctl *ctl = messages->ctl;
  struct error error;
  struct browse browse = {.mbean = messages->queue.mbean,
                          .filter = ctl->filter,
                          .limit = ctl->browse_limit,
                          .message = on_message,
                          .cookie = listing};
  if (browse_run(&browse, &messages->dialog, &error)) {
    messages_tell(messages, "%s", error.text);
    return exit_code_of(error.kind);
  }
  if (browse.n_unreadable)
    messages_tell(messages, "%" PRIu64 " messages cannot be shown",
                  browse.n_unreadable);
  else if (!browse.is_complete)
    messages_tell(messages,
                  "stopped after %" PRIu64 " messages "
                  "(--browse-limit)",
                  browse.n_seen);
  return EXIT_CODE_DONE;
}

static enum exit_code list_node(struct change *opened, size_t node,
                                const struct ctl *ctl, int64_t deadline_ns) {
  const struct node_settings *settings = change_settings(opened, node);
  struct messages messages = {
      .ctl = ctl,
      .settings = settings,
      .dialog = {.change = opened, .node = node, .deadline_ns = deadline_ns}};
  struct listing listing = {.messages = &messages,
                            .output = output_begin(ctl->is_json)};
  snprintf(messages.node, sizeof(messages.node), "%.128s/%.128s",
           settings->cluster, settings->name);
  buf_init(&listing.line, 65536);
  if (!ctl->is_json && opened->subject->selected.n_nodes > 1)
    buf_printf(&listing.line, "%s%s:\n", node ? "\n" : "", messages.node);
  output_write(&listing.output, &listing.line);
  enum exit_code code = messages_find(&messages);
  if (!code)
    code = list_it(&listing);
  buf_fini(&listing.line);
  messages_fini(&messages);
  return output_end(&listing.output) ? code : EXIT_CODE_SOME;
}

static enum exit_code list_all(const struct subject *subject,
                               const struct ctl *ctl) {
  struct change opened;
  struct error error;
  struct exit_codes codes = {0};
  int64_t deadline_ns =
      ctl->timeout_ns ? clock_mono_ns() + ctl->timeout_ns : CLOCK_NEVER;
  if (change_open(subject, ctl, false, &opened, &error)) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(error.kind);
  }
  for (size_t i = 0; i < subject->selected.n_nodes && !session_is_stopped();
       i++)
    exit_codes_add(&codes, list_node(&opened, i, ctl, deadline_ns));
  bool is_stopped = session_is_stopped();
  change_close(&opened);
  return is_stopped ? EXIT_CODE_INTERRUPTED : exit_codes_all(&codes);
}

int messages_list_main(const struct ctl *ctl) {
  return subject_run(ctl, list_all);
}
