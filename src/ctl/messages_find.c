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

static bool on_read(void *cookie, size_t item, const struct row *row) {
  struct messages *messages = cookie;
  if (item < SOURCE_ITEMS)
    source_row(&messages->reader, item, row);
  else
    destinations_row(&messages->to, item - SOURCE_ITEMS, row);
  return true;
}

static void on_read_item(void *cookie, size_t item,
                         const struct item_result *result) {
  struct messages *messages = cookie;
  if (item < SOURCE_ITEMS)
    source_item(&messages->reader, item, result);
}

/* The queue and, once they are known, its targets: one request. */
static enum exit_code read_again(struct messages *messages) {
  struct destinations *to = &messages->to;
  struct operation operations[SOURCE_ITEMS + DESTINATIONS_ITEMS_MAX];
  struct item_spec specs[SOURCE_ITEMS + DESTINATIONS_ITEMS_MAX];
  size_t n_to = DESTINATION_ITEMS * to->n_prepared;
  struct job_result result;
  const struct dialog_bulk bulk = {
      .kind = KIND_BROKER,
      .operations = operations,
      .specs = specs,
      .n = SOURCE_ITEMS + n_to,
      .sink = {.row = on_read, .item = on_read_item, .cookie = messages}};
  memcpy(operations, messages->reader.operations,
         SOURCE_ITEMS * sizeof(*operations));
  memcpy(specs, source_specs, SOURCE_ITEMS * sizeof(*specs));
  memcpy(operations + SOURCE_ITEMS, to->operations, n_to * sizeof(*operations));
  memcpy(specs + SOURCE_ITEMS, to->specs, n_to * sizeof(*specs));
  source_begin(&messages->reader);
  destinations_begin(to);
  if (dialog_wait(&messages->dialog, &bulk, &result))
    return told(messages, &result.error);
  messages->checked_ns = clock_mono_ns();
  return EXIT_CODE_DONE;
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

static size_t n_to_come(const struct messages *messages) {
  const size_t *counts = messages->resume.counts;
  return messages->has_resume ? counts[ID_TODO] + counts[ID_UNKNOWN]
                              : messages->n_asked;
}

/* An address that is another one now was not looked at. */
static bool has_moved(const struct messages *messages) {
  const struct destinations *to = &messages->to;
  const char *now =
      source_destination(&messages->reader.found, messages->change);
  bool is_by_setting = messages->change == MESSAGES_DEAD_LETTER ||
                       messages->change == MESSAGES_EXPIRE;
  return is_by_setting && to->n > 0 && strcmp(to->list[0].address, now) != 0;
}

/* Whether there is where to for all that is to come. */
static enum exit_code check_to(struct messages *messages) {
  const struct source *source = &messages->reader.found;
  const struct destinations *to = &messages->to;
  bool may_be_made =
      (messages->change == MESSAGES_DEAD_LETTER && source->makes_dead_letter) ||
      (messages->change == MESSAGES_EXPIRE && source->makes_expiry);
  enum exit_code code = EXIT_CODE_DONE;
  struct error why;
  if (has_moved(messages)) {
    messages_tell(messages,
                  "stopped: they would go to the address %.128s now, and not "
                  "to %.128s",
                  source_destination(source, messages->change),
                  to->list[0].address);
    return EXIT_CODE_UNSAFE;
  }
  for (size_t i = 0; !code && i < to->n_prepared; i++)
    if (to->list[i].is_used)
      code =
          told_check(messages,
                     destination_check(&to->list[i], source,
                                       n_to_come(messages), may_be_made, &why),
                     &why);
  return code;
}

enum exit_code messages_check(struct messages *messages) {
  struct source_reader *reader = &messages->reader;
  struct error why;
  enum exit_code code = read_again(messages);
  if (code || !messages->is_change)
    return code;
  code = told_check(messages,
                    source_check(&reader->found, &messages->queue,
                                 messages->change,
                                 messages->identity.version_number, &why),
                    &why);
  if (!code)
    code = check_same(messages);
  return code ? code : check_to(messages);
}

enum exit_code messages_check_to(struct messages *messages) {
  struct destinations *to = &messages->to;
  const char *address =
      source_destination(&messages->reader.found, messages->change);
  if (messages->change == MESSAGES_MOVE)
    destinations_add(to, messages->target.name, messages->target.address);
  else if (*address)
    destinations_add(to, "", address);
  if (to->n == 0)
    return EXIT_CODE_DONE;
  to->list[0].is_used |= messages->change != MESSAGES_RETRY;
  if (destinations_prepare(to, messages->settings->jmx_domain,
                           messages->identity.broker_mbean)) {
    messages_tell(messages, "no memory, or a name that is too long");
    return EXIT_CODE_SOME;
  }
  return messages_check(messages);
}

bool messages_is_tight(const struct messages *messages) {
  const struct source *source = &messages->reader.found;
  const struct destinations *to = &messages->to;
  bool is_tight =
      messages->change == MESSAGES_DEAD_LETTER && source_may_page_soon(source);
  for (size_t i = 0; i < to->n_prepared; i++)
    is_tight |= to->list[i].is_used &&
                destination_is_tight(&to->list[i], source, n_to_come(messages));
  return is_tight;
}
