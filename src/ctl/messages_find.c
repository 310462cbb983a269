/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/messages.h"

#include "base/clock.h"
#include "base/line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void messages_tell(const struct messages *messages, const char *format, ...) {
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  line_format(line, sizeof(line), format, arguments);
  va_end(arguments);
  fprintf(stderr, "jolokiactl: %s: %s\n", messages->node, line);
}

static enum exit_code told(const struct messages *messages,
                           const struct error *error) {
  messages_tell(messages, "%s%s", error->text,
                messages->is_change && !messages->has_resume
                    ? "; nothing was changed"
                    : "");
  return exit_code_of(error->kind);
}

static enum exit_code told_check(const struct messages *messages,
                                 enum message_check check,
                                 const struct error *why) {
  if (check == MESSAGES_SAFE)
    return EXIT_CODE_DONE;
  told(messages, why);
  if (check == MESSAGES_UNSAFE)
    return EXIT_CODE_UNSAFE;
  enum exit_code code = exit_code_of(why->kind);
  return code == EXIT_CODE_USAGE ? EXIT_CODE_SOME : code;
}

/* -- The broker, the queue, the target -- */

enum { FIND_QUEUE = IDENTITY_ITEMS, FIND_TARGET, FIND_ITEMS };

struct finding {
  struct identity_reader *reader;
  struct messages *messages;
  size_t n_queues, n_targets;
  char others[256]; /* where a name is not one queue's alone */
};

static void found(struct finding *finding, const struct row *row, size_t *n,
                  struct message_queue *ret) {
  struct message_queue queue;
  if (!message_queue_read(&queue, row->name, row->name_len))
    return;
  size_t len = strlen(finding->others);
  snprintf(finding->others + len, sizeof(finding->others) - len,
           "%s%.80s::%.80s", *n ? ", " : "", queue.address, queue.name);
  if ((*n)++ == 0)
    *ret = queue;
}

static bool on_found(void *cookie, size_t item, const struct row *row) {
  struct finding *finding = cookie;
  if (item == FIND_QUEUE)
    found(finding, row, &finding->n_queues, &finding->messages->queue);
  else if (item == FIND_TARGET)
    found(finding, row, &finding->n_targets, &finding->messages->target);
  else
    identity_row(finding->reader, item, row);
  return true;
}

static void on_found_item(void *cookie, size_t item,
                          const struct item_result *result) {
  struct finding *finding = cookie;
  if (item < IDENTITY_ITEMS)
    identity_item(finding->reader, item, result);
}

static enum exit_code check_found(const struct finding *finding,
                                  const char *name, size_t n) {
  if (n == 1)
    return EXIT_CODE_DONE;
  if (n == 0)
    messages_tell(finding->messages, "there is no queue \"%.128s\"%s", name,
                  finding->messages->is_change ? "; nothing was changed" : "");
  else
    messages_tell(
        finding->messages,
        "%zu queues are named \"%.128s\": write ADDRESS::QUEUE (%s)%s", n, name,
        finding->others,
        finding->messages->is_change ? "; nothing was changed" : "");
  return EXIT_CODE_SOME;
}

static enum exit_code ask_all(struct finding *finding,
                              struct job_result *result,
                              const char *const patterns[2]) {
  struct messages *messages = finding->messages;
  const struct operation *operations;
  const struct item_spec *specs;
  struct operation all[FIND_ITEMS];
  struct item_spec all_specs[FIND_ITEMS];
  size_t n = IDENTITY_ITEMS;
  identity_request(finding->reader, &operations, &specs);
  memcpy(all, operations, IDENTITY_ITEMS * sizeof(*all));
  memcpy(all_specs, specs, IDENTITY_ITEMS * sizeof(*all_specs));
  for (size_t i = 0; i < 2 && patterns[i]; i++, n++) {
    all[n] = (struct operation){.type = OPERATION_SEARCH, .mbean = patterns[i]};
    all_specs[n] = (struct item_spec){FORM_NAMES, NULL, 0};
  }
  const struct dialog_bulk bulk = {
      .kind = KIND_IDENTITY,
      .operations = all,
      .specs = all_specs,
      .n = n,
      .sink = {.row = on_found, .item = on_found_item, .cookie = finding}};
  if (dialog_wait(&messages->dialog, &bulk, result))
    return told(messages, &result->error);
  return EXIT_CODE_DONE;
}

static enum exit_code take_found(struct finding *finding) {
  struct messages *messages = finding->messages;
  struct error error;
  if (identity_take(finding->reader, &messages->identity, &error))
    return told(messages, &error);
  /* A passive backup shows no queue: that is not what is amiss. */
  if (messages->is_change && !messages->identity.is_active) {
    messages_tell(messages, "the broker is not active (a backup, or starting): "
                            "ask the node that is; nothing was changed");
    return EXIT_CODE_UNSAFE;
  }
  enum exit_code code =
      check_found(finding, messages->ctl->args[0], finding->n_queues);
  if (!code && messages->ctl->to)
    code = check_found(finding, messages->ctl->to, finding->n_targets);
  if (code || !messages->ctl->to)
    return code;
  if (strcmp(messages->queue.mbean, messages->target.mbean) == 0) {
    messages_tell(messages, "--to is the queue itself; nothing was changed");
    return EXIT_CODE_USAGE;
  }
  return EXIT_CODE_DONE;
}

enum exit_code messages_find(struct messages *messages) {
  const char *domain = messages->settings->jmx_domain;
  struct finding finding = {.messages = messages,
                            .reader = identity_reader_new(domain)};
  struct job_result result;
  struct buf queue, target;
  enum exit_code code = EXIT_CODE_SOME;
  buf_init(&queue, MESSAGES_MBEAN_MAX);
  buf_init(&target, MESSAGES_MBEAN_MAX);
  message_queue_pattern(&queue, domain, messages->ctl->args[0]);
  if (messages->ctl->to)
    message_queue_pattern(&target, domain, messages->ctl->to);
  const char *const patterns[2] = {
      buf_text(&queue), messages->ctl->to ? buf_text(&target) : NULL};
  if (!finding.reader || queue.status || target.status)
    messages_tell(messages, "no memory, or a name that is too long");
  else
    code = ask_all(&finding, &result, patterns);
  if (!code)
    code = take_found(&finding);
  identity_reader_free(finding.reader);
  buf_fini(&queue);
  buf_fini(&target);
  if (code)
    return code;
  messages->has_reader = true;
  return source_reader_init(&messages->reader, messages->identity.broker_mbean,
                            &messages->queue)
             ? EXIT_CODE_SOME
             : EXIT_CODE_DONE;
}

void messages_fini(struct messages *messages) {
  if (messages->has_reader)
    source_reader_fini(&messages->reader);
  if (messages->has_resume)
    resume_fini(&messages->resume);
  destinations_fini(&messages->to);
  free(messages->n_false);
}

/* -- The queue as it is now -- */

static bool on_source(void *cookie, size_t item, const struct row *row) {
  source_row(cookie, item, row);
  return true;
}

static void on_source_item(void *cookie, size_t item,
                           const struct item_result *result) {
  source_item(cookie, item, result);
}

/* What is gone from a queue that was made again went with the old one. */
static enum exit_code check_same(struct messages *messages) {
  int64_t id = messages->reader.found.queue_id;
  if (!messages->has_resume || messages->resume.queue_id == id)
    return EXIT_CODE_DONE;
  messages->is_other_queue = true;
  messages_tell(messages,
                "the queue %.128s was deleted and made again (its ID was "
                "%" PRId64 ", and is %" PRId64
                "): its old messages went with it; stopped",
                messages->queue.name, messages->resume.queue_id, id);
  return EXIT_CODE_SOME;
}

enum exit_code messages_check(struct messages *messages) {
  struct source_reader *reader = &messages->reader;
  struct job_result result;
  struct error why;
  const struct dialog_bulk bulk = {
      .kind = KIND_BROKER,
      .operations = reader->operations,
      .specs = source_specs,
      .n = SOURCE_ITEMS,
      .sink = {.row = on_source, .item = on_source_item, .cookie = reader}};
  source_begin(reader);
  if (dialog_wait(&messages->dialog, &bulk, &result))
    return told(messages, &result.error);
  messages->checked_ns = clock_mono_ns();
  if (!messages->is_change)
    return EXIT_CODE_DONE;
  enum exit_code code = told_check(
      messages,
      source_check(&reader->found, &messages->queue, messages->change,
                   messages->identity.version_number, &why),
      &why);
  return code ? code : check_same(messages);
}

/* -- Where they go -- */

static bool on_to(void *cookie, size_t item, const struct row *row) {
  destinations_row(cookie, item, row);
  return true;
}

static void on_to_item(void *cookie, size_t item,
                       const struct item_result *result) {
  (void)cookie;
  (void)item;
  (void)result;
}

static enum exit_code ask_to(struct messages *messages) {
  struct destinations *to = &messages->to;
  struct job_result result;
  const struct dialog_bulk bulk = {
      .kind = KIND_ADDRESSES,
      .operations = to->operations,
      .specs = to->specs,
      .n = DESTINATION_ITEMS * to->n,
      .sink = {.row = on_to, .item = on_to_item, .cookie = to}};
  if (destinations_prepare(to, messages->settings->jmx_domain,
                           messages->identity.broker_mbean)) {
    messages_tell(messages, "no memory, or a name that is too long");
    return EXIT_CODE_SOME;
  }
  if (dialog_wait(&messages->dialog, &bulk, &result))
    return told(messages, &result.error);
  return EXIT_CODE_DONE;
}

enum exit_code messages_check_to(struct messages *messages, size_t n) {
  const struct source *source = &messages->reader.found;
  const char *address = source_destination(source, messages->change);
  bool may_be_made =
      (messages->change == MESSAGES_DEAD_LETTER && source->makes_dead_letter) ||
      (messages->change == MESSAGES_EXPIRE && source->makes_expiry);
  struct error why;
  if (messages->change == MESSAGES_MOVE)
    destinations_add(&messages->to, messages->target.name,
                     messages->target.address);
  else if (*address)
    destinations_add(&messages->to, "", address);
  if (messages->to.n == 0)
    return EXIT_CODE_DONE;
  enum exit_code code = ask_to(messages);
  if (code || messages->change == MESSAGES_RETRY)
    return code;
  return told_check(
      messages,
      destination_check(&messages->to.list[0], source, n, may_be_made, &why),
      &why);
}
