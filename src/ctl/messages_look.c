/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/browse.h"
#include "ctl/messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum exit_code browse_failed(const struct messages *messages,
                                    const struct error *error) {
  messages_tell(messages, "%s", error->text);
  return exit_code_of(error->kind);
}

/* -- --filter -- */

struct filtering {
  struct ids *ids;
  struct error error;
};

static bool on_filtered(void *cookie, int64_t id, const struct value *columns) {
  struct filtering *filtering = cookie;
  (void)columns;
  return ids_add(filtering->ids, id, &filtering->error) == STATUS_OK;
}

enum exit_code messages_filter(struct messages *messages, struct ids *ids) {
  const struct ctl *ctl = messages->ctl;
  int64_t n = messages->reader.found.messages;
  struct filtering filtering = {.ids = ids};
  struct error error;
  struct browse browse = {.mbean = messages->queue.mbean,
                          .filter = ctl->filter,
                          .limit = ctl->browse_limit,
                          .message = on_filtered,
                          .cookie = &filtering};
  if (n > 0 && (uint64_t)n > ctl->browse_limit) {
    messages_tell(messages,
                  "the queue has %" PRId64 " messages, and a filter makes the "
                  "broker look at them all: --browse-limit %" PRId64
                  " lets it; nothing was changed",
                  n, n);
    return EXIT_CODE_UNSAFE;
  }
  if (browse_run(&browse, &messages->dialog, &error))
    return browse_failed(messages, &error);
  if (!browse.is_complete)
    messages_tell(messages,
                  "stopped after %" PRIu64
                  " messages that the filter selects (--browse-limit)",
                  browse.n_seen);
  if (ids->n == 0) {
    messages_tell(messages, "the filter selects no message; nothing was "
                            "changed");
    return EXIT_CODE_SOME;
  }
  return EXIT_CODE_DONE;
}

/* -- Ids whose outcome is unknown -- */

struct looking {
  struct resume *resume;
  size_t n_left; /* unknown ones that were not seen yet */
};

static bool on_looked(void *cookie, int64_t id, const struct value *columns) {
  struct looking *looking = cookie;
  struct resume *resume = looking->resume;
  size_t i = ids_find(&resume->ids, id);
  (void)columns;
  if (i == SIZE_MAX)
    return true;
  enum id_state state = resume_state(resume, i);
  if (state != ID_UNKNOWN && state != ID_TODO)
    return true;
  resume_mark_seen(resume, i);
  if (state == ID_UNKNOWN) {
    resume_mark(resume, i, ID_TODO, "");
    looking->n_left--;
  }
  return looking->n_left > 0;
}

/* All that is there was seen, and these were not. */
static void settle_gone(struct messages *messages) {
  struct resume *resume = &messages->resume;
  for (size_t i = 0; i < resume->ids.n; i++)
    if (resume_state(resume, i) == ID_UNKNOWN && resume_is_seen(resume, i))
      resume_mark(resume, i, ID_DONE, "");
}

enum exit_code messages_look(struct messages *messages) {
  struct resume *resume = &messages->resume;
  struct looking looking = {.resume = resume,
                            .n_left = resume->counts[ID_UNKNOWN]};
  struct error error;
  struct browse browse = {.mbean = messages->queue.mbean,
                          .limit = messages->ctl->browse_limit,
                          .message = on_looked,
                          .cookie = &looking};
  bool was_quiet = source_is_quiet(&messages->reader.found);
  if (looking.n_left == 0)
    return EXIT_CODE_DONE;
  enum status status = browse_run(&browse, &messages->dialog, &error);
  if (status && status_class_of(status) != CLASS_ITEM)
    return browse_failed(messages, &error);
  if (status) {
    messages_tell(messages, "%s", error.text);
    return EXIT_CODE_DONE; /* they stay unknown */
  }
  enum exit_code code = messages_check(messages);
  if (!code && browse.is_complete && was_quiet &&
      source_is_quiet(&messages->reader.found))
    settle_gone(messages);
  if (resume_commit(resume, &error)) {
    messages_tell(messages, "stopped: %s", error.text);
    return EXIT_CODE_SOME;
  }
  return code;
}

/* -- Where messages came from -- */

struct origins {
  struct messages *messages;
  size_t *to; /* of each id: its destination's place, or one of these */
  size_t n_left;
};
#define NOT_SEEN SIZE_MAX
#define NEVER_DEAD (SIZE_MAX - 1)
#define TOO_MANY (SIZE_MAX - 2)

static bool on_origin(void *cookie, int64_t id, const struct value *columns) {
  struct origins *origins = cookie;
  struct messages *messages = origins->messages;
  size_t i = ids_find(&messages->resume.ids, id);
  char queue[MESSAGES_NAME_MAX], address[MESSAGES_NAME_MAX];
  if (i == SIZE_MAX || origins->to[i] != NOT_SEEN)
    return true;
  if (!message_origin(&columns[BROWSE_TEXTS], queue, address, sizeof(queue))) {
    origins->to[i] = NEVER_DEAD;
  } else {
    size_t to = destinations_add(&messages->to, queue, address);
    origins->to[i] = to == SIZE_MAX ? TOO_MANY : to;
  }
  if (resume_state(&messages->resume, i) == ID_TODO)
    resume_mark_seen(&messages->resume, i);
  return --origins->n_left > 0;
}

/* A message that was not seen: it is not there, or out of sight. */
static void settle_origin(struct messages *messages, size_t i, size_t to,
                          bool is_complete) {
  struct resume *resume = &messages->resume;
  struct error why;
  if (to == NOT_SEEN && is_complete)
    resume_mark(resume, i,
                resume_may_be_done(resume, i) ? ID_UNKNOWN : ID_ABSENT, "");
  else if (to == NOT_SEEN)
    resume_mark(resume, i, ID_FAILED,
                "not seen within --browse-limit, so where it came from is not "
                "known");
  else if (to == NEVER_DEAD)
    resume_mark(resume, i, ID_FAILED,
                "it never was dead-lettered or expired: a retry would do "
                "nothing");
  else if (to == TOO_MANY)
    resume_mark(resume, i, ID_FAILED,
                "messages of more than 15 queues: retry them queue by queue");
  else if (destination_check(&messages->to.list[to], &messages->reader.found,
                             resume->ids.n, false, &why) != MESSAGES_SAFE)
    resume_mark(resume, i, ID_FAILED, why.text);
  else
    messages->to.list[to].is_used = true;
}

enum exit_code messages_origins(struct messages *messages) {
  struct resume *resume = &messages->resume;
  struct origins origins = {.messages = messages, .n_left = resume->ids.n};
  struct error error;
  struct browse browse = {.mbean = messages->queue.mbean,
                          .limit = messages->ctl->browse_limit,
                          .message = on_origin,
                          .cookie = &origins};
  origins.to = malloc(resume->ids.n * sizeof(*origins.to));
  if (!origins.to) {
    messages_tell(messages, "no memory for the ids");
    return EXIT_CODE_SOME;
  }
  memset(origins.to, 0xff, resume->ids.n * sizeof(*origins.to));
  enum exit_code code = browse_run(&browse, &messages->dialog, &error)
                            ? browse_failed(messages, &error)
                            : messages_check_to(messages);
  for (size_t i = 0; !code && i < resume->ids.n; i++)
    if (resume_state(resume, i) == ID_TODO)
      settle_origin(messages, i, origins.to[i], browse.is_complete);
  free(origins.to);
  return code;
}
