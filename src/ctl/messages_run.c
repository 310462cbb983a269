/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/messages.h"

#include "base/clock.h"
#include "limit/ceiling.h"

#include <stdlib.h>
#include <string.h>

/* The broker, the queue and the targets are looked at again after so many
 * batches: at the default ceiling ten take ten seconds. */
#define BATCHES_A_CHECK 10
/* And before the first one, where a person has thought the question over, or a
 * browse has taken its time. */
#define CHECK_OLD_NS (2 * CLOCK_NS_PER_S)
/* Its management lock is busy: again after 1, 2, 4 ... seconds. */
#define BUSY_TRIES 6
/* Batches one after the other whose outcome is unknown. */
#define UNKNOWN_TRIES 3
/* Before they are looked at: once, and twice and four times as long. */
#define LOOK_PAUSE_NS (CLOCK_NS_PER_S / 4)

struct batch {
  struct messages *messages;
  size_t n;
  size_t at[CEILING_OPERATIONS_PER_PERMIT]; /* places of the ids */
  enum message_outcome outcome[CEILING_OPERATIONS_PER_PERMIT];
  bool is_told[CEILING_OPERATIONS_PER_PERMIT];
  bool has_value[CEILING_OPERATIONS_PER_PERMIT];
  struct value value[CEILING_OPERATIONS_PER_PERMIT];
  struct error why[CEILING_OPERATIONS_PER_PERMIT];
};

struct run {
  struct messages *messages;
  struct batch batch;
  size_t cursor;
  bool is_second; /* those that have answered false are asked once more */
  unsigned n_since_check;
  unsigned n_busy;
  unsigned n_unknown;
};

size_t messages_batch(const struct messages *messages) {
  const struct dialog *dialog = &messages->dialog;
  return client_node_batch(dialog->change->nodes[dialog->node]);
}

size_t messages_pace(const struct messages *messages) {
  return messages_is_tight(messages) ? 1 : BATCHES_A_CHECK;
}

/* -- One batch -- */

static bool pick(struct run *run) {
  struct messages *messages = run->messages;
  const struct resume *resume = &messages->resume;
  struct batch *batch = &run->batch;
  size_t most = messages_batch(messages);
  *batch = (struct batch){.messages = messages};
  for (; run->cursor < resume->ids.n && batch->n < most; run->cursor++)
    if (resume_state(resume, run->cursor) == ID_TODO &&
        (messages->n_false[run->cursor] > 0) == run->is_second)
      batch->at[batch->n++] = run->cursor;
  return batch->n > 0;
}

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct batch *batch = cookie;
  batch->has_value[item] = true;
  batch->value[item] = row->columns[0];
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  struct batch *batch = cookie;
  batch->is_told[item] = true;
  batch->outcome[item] = message_outcome(
      result, batch->has_value[item] ? &batch->value[item] : NULL,
      &batch->why[item]);
}

static void send(struct run *run, struct job_result *result) {
  struct messages *messages = run->messages;
  struct batch *batch = &run->batch;
  struct message_arguments arguments[CEILING_OPERATIONS_PER_PERMIT];
  struct operation operations[CEILING_OPERATIONS_PER_PERMIT];
  struct item_spec specs[CEILING_OPERATIONS_PER_PERMIT];
  const char *target = strstr(messages->ctl->to ? messages->ctl->to : "", "::")
                           ? messages->ctl->to
                           : messages->target.name;
  for (size_t i = 0; i < batch->n; i++) {
    message_operation(messages->change, messages->queue.mbean, target,
                      messages->resume.ids.list[batch->at[i]], &arguments[i],
                      &operations[i]);
    specs[i] = message_spec;
  }
  const struct dialog_bulk bulk = {
      .kind = KIND_CHANGE,
      .operations = operations,
      .specs = specs,
      .n = batch->n,
      .sink = {.row = on_row, .item = on_item, .cookie = batch}};
  dialog_wait(&messages->dialog, &bulk, result);
}

/* Whether nothing of the batch can have run: nothing was sent, or the login or
 * the ceiling in front of the broker turned it away. */
static bool was_kept_out(const struct job_result *result) {
  enum status kind = result->error.kind;
  if (result->requests == 0 || kind == STATUS_AUTH || kind == STATUS_DENIED)
    return true;
  return kind == STATUS_THROTTLED && result->http_status == 429;
}

/* One that was unknown once and is not there now may have been done by the
 * request that did not answer, which the broker had not ended when it was
 * looked at: it is looked at again, once. */
static bool is_unclear(const struct messages *messages, size_t at) {
  return messages->n_false[at] == 2 &&
         resume_may_be_done(&messages->resume, at);
}

static void settle_item(struct run *run, size_t i) {
  struct messages *messages = run->messages;
  struct batch *batch = &run->batch;
  size_t at = batch->at[i];
  enum message_outcome outcome =
      batch->is_told[i] ? batch->outcome[i] : MESSAGE_UNCLEAR;
  if (outcome == MESSAGE_NOT_NOW && messages->n_false[at] < UINT8_MAX)
    messages->n_false[at]++;
  if (outcome == MESSAGE_NOT_NOW && is_unclear(messages, at))
    outcome = batch->outcome[i] = MESSAGE_UNCLEAR;
  if (outcome == MESSAGE_DONE) {
    resume_mark(&messages->resume, at, ID_DONE, "");
  } else if (outcome == MESSAGE_FAILED || outcome == MESSAGE_FULL) {
    resume_mark(&messages->resume, at, ID_FAILED, batch->why[i].text);
  } else if (outcome == MESSAGE_UNCLEAR) {
    resume_mark(&messages->resume, at, ID_UNKNOWN, "");
  } else if (outcome == MESSAGE_NOT_NOW && run->is_second) {
    resume_mark(&messages->resume, at, ID_ABSENT, "");
  } else {
    resume_mark(&messages->resume, at, ID_TODO, "");
  }
}

static void settle(struct run *run, const struct job_result *result) {
  bool is_kept_out = result->error.kind && was_kept_out(result);
  for (size_t i = 0; i < run->batch.n; i++)
    if (is_kept_out && !run->batch.is_told[i])
      resume_mark(&run->messages->resume, run->batch.at[i], ID_TODO, "");
    else
      settle_item(run, i);
  if (is_kept_out)
    run->cursor = run->batch.at[0];
}

static size_t n_of(const struct batch *batch, enum message_outcome outcome) {
  size_t n = 0;
  for (size_t i = 0; i < batch->n; i++)
    n += batch->is_told[i] && batch->outcome[i] == outcome;
  return n;
}

/* -- After a batch -- */

/* The busy ones are asked again, a few times. */
static enum exit_code go_on_after_busy(struct run *run) {
  struct messages *messages = run->messages;
  struct batch *batch = &run->batch;
  size_t first = 0;
  if (n_of(batch, MESSAGE_BUSY) == 0) {
    run->n_busy = 0;
    return EXIT_CODE_DONE;
  }
  while (!batch->is_told[first] || batch->outcome[first] != MESSAGE_BUSY)
    first++;
  run->cursor = batch->at[first];
  if (++run->n_busy <= BUSY_TRIES) {
    dialog_pause(&messages->dialog, CLOCK_NS_PER_S << (run->n_busy - 1));
    return EXIT_CODE_DONE;
  }
  messages_tell(messages,
                "its management lock was busy %u times running "
                "(AMQ229245)",
                run->n_busy);
  return EXIT_CODE_SOME;
}

/* What went wrong with every one of a batch will with the others. */
static enum exit_code stop_where_all_fail(const struct run *run) {
  const struct batch *batch = &run->batch;
  if (n_of(batch, MESSAGE_FAILED) < batch->n)
    return EXIT_CODE_DONE;
  for (size_t i = 1; i < batch->n; i++)
    if (strcmp(batch->why[i].text, batch->why[0].text) != 0)
      return EXIT_CODE_DONE;
  if (batch->why[0].kind != STATUS_ITEM_DENIED &&
      batch->why[0].kind != STATUS_NOT_FOUND &&
      batch->why[0].kind != STATUS_NOT_STARTED)
    return EXIT_CODE_DONE;
  messages_tell(run->messages, "stopped: %s", batch->why[0].text);
  return exit_code_of(batch->why[0].kind);
}

/* A full target that refuses puts each message out of sight: no more of them.
 */
static enum exit_code stop_where_full(const struct run *run) {
  const struct batch *batch = &run->batch;
  if (n_of(batch, MESSAGE_FULL) == 0)
    return EXIT_CODE_DONE;
  messages_tell(run->messages,
                "stopped: the target was full for %zu of them: they are out of "
                "the queue until the broker is restarted, and back in it then",
                n_of(batch, MESSAGE_FULL));
  return EXIT_CODE_SOME;
}

/* What the batch has left unknown is looked at, as soon as the broker lets
 * itself be looked at. */
static enum exit_code look_again(struct run *run,
                                 const struct job_result *result) {
  struct messages *messages = run->messages;
  enum exit_code code = EXIT_CODE_UNKNOWN;
  messages_tell(messages, "%s: what became of %zu ids is not known yet",
                result->error.text[0] ? result->error.text
                                      : "the answers do not tell",
                messages->resume.counts[ID_UNKNOWN]);
  if (++run->n_unknown > UNKNOWN_TRIES)
    return code;
  for (unsigned i = 0; code && !messages->is_other_queue && i < UNKNOWN_TRIES;
       i++) {
    if (!dialog_pause(&messages->dialog, LOOK_PAUSE_NS << i))
      return EXIT_CODE_UNKNOWN;
    code = messages_check(messages);
    if (!code)
      code = messages_look(messages);
  }
  run->cursor = 0;
  run->is_second = false;
  return code;
}

static enum exit_code after(struct run *run, const struct job_result *result) {
  enum status kind = result->error.kind;
  if (kind && was_kept_out(result)) {
    if (kind == STATUS_THROTTLED && ++run->n_busy <= BUSY_TRIES)
      return EXIT_CODE_DONE; /* the node is held for as long as it asked */
    messages_tell(run->messages, "stopped: %s", result->error.text);
    return exit_code_of(kind);
  }
  if (kind || n_of(&run->batch, MESSAGE_UNCLEAR))
    return look_again(run, result);
  run->n_unknown = 0;
  enum exit_code code = stop_where_full(run);
  if (!code)
    code = stop_where_all_fail(run);
  return code ? code : go_on_after_busy(run);
}

/* -- All of them -- */

static enum exit_code check_now_and_then(struct run *run) {
  struct messages *messages = run->messages;
  if (++run->n_since_check <= messages_pace(messages))
    return EXIT_CODE_DONE;
  run->n_since_check = 1;
  return messages_check(messages);
}

/* In flight on disk, then sent. */
static enum exit_code run_batch(struct run *run) {
  struct resume *resume = &run->messages->resume;
  struct job_result result;
  struct error error;
  for (size_t i = 0; i < run->batch.n; i++)
    resume_mark(resume, run->batch.at[i], ID_IN_FLIGHT, "");
  if (resume_commit(resume, &error)) {
    for (size_t i = 0; i < run->batch.n; i++)
      resume_mark(resume, run->batch.at[i], ID_TODO, "");
    messages_tell(run->messages, "stopped: %s", error.text);
    return EXIT_CODE_SOME;
  }
  send(run, &result);
  settle(run, &result);
  return after(run, &result);
}

enum exit_code messages_run(struct messages *messages) {
  struct run run = {.messages = messages};
  enum exit_code code = EXIT_CODE_DONE;
  struct error error;
  messages->begin_ns = clock_mono_ns();
  if (messages->begin_ns - messages->checked_ns > CHECK_OLD_NS)
    run.n_since_check = BATCHES_A_CHECK;
  while (!code && !session_is_stopped()) {
    if (!pick(&run)) {
      if (run.is_second)
        break;
      run.is_second = true;
      run.cursor = 0;
      continue;
    }
    code = check_now_and_then(&run);
    if (!code)
      code = run_batch(&run);
  }
  if (resume_commit(&messages->resume, &error)) {
    messages_tell(messages, "%s", error.text);
    code = code ? code : EXIT_CODE_SOME;
  }
  return session_is_stopped() ? EXIT_CODE_INTERRUPTED : code;
}
