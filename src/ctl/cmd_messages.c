/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "ctl/confirm.h"
#include "ctl/messages.h"
#include "ctl/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum exit_code told(const struct error *error) {
  fprintf(stderr, "jolokiactl: %s\n", error->text);
  return exit_code_of(error->kind);
}

/* -- Which ids -- */

static enum exit_code usage(const char *text) {
  fprintf(stderr, "jolokiactl: %s; see `jolokiactl messages --help`\n", text);
  return EXIT_CODE_USAGE;
}

static enum exit_code check_words(const struct ctl *ctl,
                                  enum message_change change) {
  bool has_ids = ctl->n_args > 1 || ctl->ids_file;
  if (change == MESSAGES_MOVE && !ctl->to)
    return usage("messages move: where to? Name a queue with --to");
  if (has_ids + (ctl->filter != NULL) + (ctl->resume != NULL) > 1)
    return usage("give ids, or --filter, or --resume, and not two of them");
  if (ctl->ids_file && ctl->password_file && strcmp(ctl->ids_file, "-") == 0 &&
      strcmp(ctl->password_file, "-") == 0)
    return usage("the ids and the password cannot both come from standard "
                 "input");
  return EXIT_CODE_DONE;
}

static enum exit_code check_ids(const struct ctl *ctl, struct ids *ids) {
  struct error error;
  if (ids_finish(ids, &error)) {
    fputs(buf_text(&ids->wrong), stderr);
    return told(&error);
  }
  if (ids->n_duplicates)
    fprintf(stderr, "jolokiactl: %zu ids were given more than once\n",
            ids->n_duplicates);
  if (ids->n > ctl->max_ids) {
    fprintf(stderr,
            "jolokiactl: %zu ids, and a run has at most %" PRIu64
            ": --max %zu lets it; nothing was changed\n",
            ids->n, ctl->max_ids, ids->n);
    return EXIT_CODE_UNSAFE;
  }
  return EXIT_CODE_DONE;
}

static enum exit_code read_ids(const struct ctl *ctl, struct ids *ids) {
  struct error error;
  enum status status = STATUS_OK;
  for (size_t i = 1; !status && i < ctl->n_args; i++)
    status = ids_add_argument(ids, ctl->args[i], &error);
  if (!status && ctl->ids_file)
    status = ids_read(ids, ctl->ids_file, &error);
  if (status) {
    fputs(buf_text(&ids->wrong), stderr);
    return told(&error);
  }
  return ctl->filter || ctl->resume ? EXIT_CODE_DONE : check_ids(ctl, ids);
}

/* -- The resume file -- */

static struct resume_about about_of(const struct messages *messages) {
  const struct ctl *ctl = messages->ctl;
  return (struct resume_about){.node = messages->node,
                               .url = messages->settings->url_key,
                               .node_id = messages->identity.node_id,
                               .queue_id = messages->reader.found.queue_id,
                               .queue = ctl->args[0],
                               .operation =
                                   message_change_name(messages->change),
                               .target = ctl->to ? ctl->to : ""};
}

static enum exit_code open_resume(struct messages *messages) {
  const struct resume_about about = about_of(messages);
  struct error error;
  if (!messages->ctl->resume)
    return EXIT_CODE_DONE;
  messages->has_resume = true;
  return resume_open(&messages->resume, messages->ctl->resume, &about, &error)
             ? told(&error)
             : EXIT_CODE_DONE;
}

/* A backup that has taken over has the NodeID, the queues and the messages. */
static enum exit_code check_broker(const struct messages *messages) {
  const struct resume *resume = &messages->resume;
  if (!messages->has_resume ||
      strcmp(resume->node_id, messages->identity.node_id) == 0)
    return EXIT_CODE_DONE;
  messages_tell(
      messages,
      "the resume file is of %.256s with NodeID %s, and this broker "
      "has NodeID %s: its ids are other messages; name %.256s, or who "
      "has taken over from it (`jolokiactl nodes` tells NodeIDs); "
      "nothing was changed",
      resume->node, resume->node_id, messages->identity.node_id, resume->node);
  return EXIT_CODE_USAGE;
}

static void tell_who_else(const struct messages *messages) {
  messages_tell(
      messages,
      "where its partner has taken over, name that one with --resume: "
      "the active node with NodeID %s (`jolokiactl nodes %.128s`)",
      messages->resume.node_id, messages->settings->cluster);
}

static enum exit_code create_resume(struct messages *messages,
                                    struct ids *ids) {
  const struct resume_about about = about_of(messages);
  struct error error;
  if (!messages->has_resume) {
    messages->has_resume = true;
    if (resume_create(&messages->resume, ".", &about, ids, &error)) {
      told(&error);
      return EXIT_CODE_SOME;
    }
  }
  messages->n_false = calloc(messages->resume.ids.n, 1);
  if (!messages->n_false) {
    messages_tell(messages, "no memory for the ids");
    return EXIT_CODE_SOME;
  }
  if (messages->ctl->filter)
    for (size_t i = 0; i < messages->resume.ids.n; i++)
      resume_mark_seen(&messages->resume, i);
  struct output output = output_begin(messages->ctl->is_json);
  struct buf out;
  buf_init(&out, 8192);
  if (output.is_json) {
    member_begin(&out);
    member_text(&out, "resume_file", messages->resume.path);
    member_end(&out);
  } else {
    buf_printf(&out, "resume file: %s\n", messages->resume.path);
  }
  output_write(&output, &out);
  buf_fini(&out);
  return output_end(&output) ? EXIT_CODE_DONE : EXIT_CODE_SOME;
}

/* -- Before the first change -- */

static size_t n_to_do(const struct messages *messages, const struct ids *ids) {
  const struct resume *resume = &messages->resume;
  return messages->has_resume
             ? resume->counts[ID_TODO] + resume->counts[ID_UNKNOWN]
             : ids->n;
}

/* As a filter does in which a text has lost its quotes. */
static bool is_all(const struct messages *messages, size_t n) {
  const struct source *found = &messages->reader.found;
  return messages->ctl->filter && found->messages > 0 &&
         (int64_t)n >= found->messages - found->delivering - found->scheduled;
}

static void describe(const struct messages *messages, size_t n,
                     struct buf *out) {
  const struct ctl *ctl = messages->ctl;
  buf_printf(out, "%s %zu message%s of %.128s on %s",
             message_change_name(messages->change), n, n == 1 ? "" : "s",
             ctl->args[0], messages->node);
  if (is_all(messages, n))
    buf_add_text(out, ", all that are there");
  if (ctl->to)
    buf_printf(out, ", to %.128s", ctl->to);
  else if (*source_destination(&messages->reader.found, messages->change))
    buf_printf(out, ", to the address %.128s",
               source_destination(&messages->reader.found, messages->change));
  buf_add_text(out, ": ");
  messages_estimate(messages, n, out);
}

static enum exit_code show_would(const struct messages *messages, size_t n,
                                 const char *text) {
  struct output output = output_begin(messages->ctl->is_json);
  struct buf line;
  buf_init(&line, 8192);
  if (output.is_json) {
    member_begin(&line);
    member_text(&line, "would", text);
    member_int(&line, "ids", (int64_t)n);
    member_end(&line);
  } else {
    buf_printf(&line, "would %s\n", text);
  }
  output_write(&output, &line);
  buf_fini(&line);
  return output_end(&output) ? EXIT_CODE_DONE : EXIT_CODE_SOME;
}

/* The dry run's end, or the question. */
static enum exit_code ask_leave(const struct messages *messages, size_t n,
                                bool *ret_is_over) {
  struct buf text;
  enum exit_code code = EXIT_CODE_DONE;
  const char *limits =
      source_limits(&messages->reader.found, messages->identity.version_number);
  *ret_is_over = messages->ctl->is_dry_run;
  if (limits)
    messages_tell(messages, "%s", limits);
  buf_init(&text, 4096);
  describe(messages, n, &text);
  if (!messages->ctl->is_dry_run) {
    buf_add_text(&text, "?");
    code = confirm(messages->ctl, buf_text(&text));
  } else {
    code = show_would(messages, n, buf_text(&text));
  }
  buf_fini(&text);
  return code;
}

static enum exit_code prepare(struct messages *messages, struct ids *ids) {
  enum exit_code code = messages_find(messages);
  if (messages->has_resume &&
      (code == EXIT_CODE_CONNECTION || code == EXIT_CODE_UNSAFE))
    tell_who_else(messages);
  if (!code)
    code = check_broker(messages);
  if (!code)
    code = messages_check(messages);
  if (!code && messages->ctl->filter)
    code = messages_filter(messages, ids);
  if (!code && messages->ctl->filter)
    code = check_ids(messages->ctl, ids);
  messages->n_asked = ids->n;
  if (!code && messages->change != MESSAGES_RETRY)
    code = messages_check_to(messages);
  return code;
}

/* -- The run -- */

static enum exit_code verdict(const struct messages *messages,
                              enum exit_code code) {
  const struct resume *resume = &messages->resume;
  if (session_is_stopped())
    return EXIT_CODE_INTERRUPTED;
  if (resume->counts[ID_UNKNOWN])
    return EXIT_CODE_UNKNOWN;
  if (code)
    return code;
  return resume->counts[ID_DONE] == resume->ids.n ? EXIT_CODE_DONE
                                                  : EXIT_CODE_SOME;
}

/* The counts, and what they come to. */
static enum exit_code finish(const struct messages *messages,
                             enum exit_code code) {
  return messages_summary(messages) ? verdict(messages, code) : EXIT_CODE_SOME;
}

static enum exit_code change_them(struct messages *messages, struct ids *ids) {
  enum exit_code code = create_resume(messages, ids);
  struct resume *resume = &messages->resume;
  if (code)
    return code;
  messages->n_before = resume->counts[ID_DONE] + resume->counts[ID_ABSENT] +
                       resume->counts[ID_FAILED];
  code = messages_look(messages);
  if (!code && messages->change == MESSAGES_RETRY)
    code = messages_origins(messages);
  if (!code)
    code = messages_run(messages);
  messages_progress_end(messages);
  code = finish(messages, code);
  if (!messages->is_other_queue &&
      (resume->counts[ID_TODO] || resume->counts[ID_UNKNOWN]))
    messages_tell(messages, "go on with --resume %s", resume->path);
  return code;
}

static enum exit_code change_messages_of(struct change *opened,
                                         const struct ctl *ctl,
                                         enum message_change change,
                                         struct ids *ids) {
  const struct node_settings *settings = change_settings(opened, 0);
  struct messages messages = {
      .ctl = ctl,
      .settings = settings,
      .change = change,
      .is_change = true,
      .is_terminal = isatty(STDERR_FILENO) == 1,
      .dialog = {.change = opened,
                 .deadline_ns = ctl->timeout_ns
                                    ? clock_mono_ns() + ctl->timeout_ns
                                    : CLOCK_NEVER,
                 .tick = messages_progress}};
  bool is_over = false;
  messages.dialog.cookie = &messages;
  snprintf(messages.node, sizeof(messages.node), "%.128s/%.128s",
           settings->cluster, settings->name);
  enum exit_code code = open_resume(&messages);
  if (!code && messages.has_resume && n_to_do(&messages, ids) == 0) {
    is_over = true; /* nothing is left to do */
    code = finish(&messages, EXIT_CODE_DONE);
  }
  if (!code && !is_over)
    code = prepare(&messages, ids);
  if (messages.is_other_queue)
    code = finish(&messages, code);
  if (!code && !is_over)
    code = ask_leave(&messages, n_to_do(&messages, ids), &is_over);
  if (!code && !is_over)
    code = change_them(&messages, ids);
  messages_fini(&messages);
  return session_is_stopped() ? EXIT_CODE_INTERRUPTED : code;
}

static enum exit_code change_messages(const struct subject *subject,
                                      const struct ctl *ctl,
                                      enum message_change change) {
  struct change opened;
  struct error error;
  struct ids ids;
  enum exit_code code = check_words(ctl, change);
  if (code)
    return code;
  ids_init(&ids);
  code = read_ids(ctl, &ids);
  if (!code && change_open(subject, ctl, true, &opened, &error))
    code = told(&error);
  else if (!code) {
    code = change_messages_of(&opened, ctl, change, &ids);
    change_close(&opened);
  }
  ids_fini(&ids);
  return code;
}

static enum exit_code remove_them(const struct subject *subject,
                                  const struct ctl *ctl) {
  return change_messages(subject, ctl, MESSAGES_REMOVE);
}
static enum exit_code move_them(const struct subject *subject,
                                const struct ctl *ctl) {
  return change_messages(subject, ctl, MESSAGES_MOVE);
}
static enum exit_code expire_them(const struct subject *subject,
                                  const struct ctl *ctl) {
  return change_messages(subject, ctl, MESSAGES_EXPIRE);
}
static enum exit_code retry_them(const struct subject *subject,
                                 const struct ctl *ctl) {
  return change_messages(subject, ctl, MESSAGES_RETRY);
}
static enum exit_code dead_letter_them(const struct subject *subject,
                                       const struct ctl *ctl) {
  return change_messages(subject, ctl, MESSAGES_DEAD_LETTER);
}

int messages_remove_main(const struct ctl *ctl) {
  return subject_run(ctl, remove_them);
}
int messages_move_main(const struct ctl *ctl) {
  return subject_run(ctl, move_them);
}
int messages_expire_main(const struct ctl *ctl) {
  return subject_run(ctl, expire_them);
}
int messages_retry_main(const struct ctl *ctl) {
  return subject_run(ctl, retry_them);
}
int messages_dead_letter_main(const struct ctl *ctl) {
  return subject_run(ctl, dead_letter_them);
}
