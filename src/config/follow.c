/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/follow.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "config/difference.h"
#include "config/watch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* However much happens in the folders. */
#define READS_APART_NS (100 * CLOCK_NS_PER_MS)

struct follow {
  struct live *live;
  struct watch *watch;
  void (*notify)(void *cookie);
  void (*tell)(void *cookie, const char *error);
  void *cookie;
  const struct settings *last; /* the newest: the taker's, or in ${news} */
  struct problems problems;
  char told[256]; /* the first error; "": none */
  _Atomic(bool) is_current;
  _Atomic(uint64_t) n_rejected;
  _Atomic(struct settings *) news;     /* to be taken */
  _Atomic(struct settings *) returned; /* to be freed */
  pthread_mutex_t lock;                /* held while others are called */
  bool is_stopping;
};

enum status follow_new(const struct follow_options *options,
                       struct follow **ret, struct error *error) {
  struct follow *follow = calloc(1, sizeof *follow);
  if (!follow)
    return error_set(error, STATUS_NO_MEMORY, "no memory to follow files");
  enum status status = watch_new(&follow->watch, error);
  if (!status && pthread_mutex_init(&follow->lock, NULL) != 0) {
    watch_free(follow->watch);
    status = error_set(error, STATUS_NO_MEMORY, "no memory to follow files");
  }
  if (status) {
    free(follow);
    return status;
  }
  follow->live = options->live;
  follow->notify = options->notify;
  follow->tell = options->tell;
  follow->cookie = options->cookie;
  follow->last = options->settings;
  problems_append(&follow->problems, options->problems);
  atomic_store(&follow->is_current, options->problems->n_errors == 0);
  *ret = follow;
  return STATUS_OK;
}

void follow_free(struct follow *follow) {
  if (!follow)
    return;
  live_free(follow->live);
  watch_free(follow->watch);
  problems_fini(&follow->problems);
  live_settings_free(atomic_load(&follow->returned));
  live_settings_free(atomic_load(&follow->news));
  pthread_mutex_destroy(&follow->lock);
  free(follow);
}

/* ---- the thread that reads ---- */

/* Where the first of them is another one, or there is none any more. */
static void tell_error(struct follow *follow) {
  const struct problems *problems = &follow->problems;
  char text[sizeof follow->told] = "";
  size_t i = 0;
  while (i < problems->n && problems->list[i].is_warning)
    i++;
  if (i < problems->n)
    snprintf(text, sizeof text, "%.100s%s%.150s", problems->list[i].place,
             problems->list[i].place[0] ? ": " : "", problems->list[i].text);
  if (strcmp(text, follow->told) == 0)
    return;
  memcpy(follow->told, text, sizeof text);
  if (follow->tell)
    follow->tell(follow->cookie, text[0] ? text : NULL);
}

/* Settings that nobody has taken yet are replaced. */
static void publish(struct follow *follow, struct settings *settings) {
  if (settings) {
    live_settings_free(atomic_exchange(&follow->news, settings));
    follow->last = settings;
  }
  pthread_mutex_lock(&follow->lock);
  if (!follow->is_stopping && settings)
    follow->notify(follow->cookie);
  if (!follow->is_stopping)
    tell_error(follow);
  pthread_mutex_unlock(&follow->lock);
}

/* One line a reload. */
static void log_changes(const struct follow *follow,
                        const struct settings *settings) {
  struct buf line;
  buf_init(&line, 900);
  difference_text(follow->last, settings, &line);
  log_write(LOG_LEVEL_NOTICE, "the settings were read again: %s",
            line.len ? buf_text(&line) : "no node has changed");
  buf_fini(&line);
}

static int64_t read_once(struct follow *follow) {
  struct live_result result;
  if (live_read(follow->live, clock_mono_ns(), &result)) {
    log_write(LOG_LEVEL_ERROR, "no memory to read the settings again");
    return CLOCK_NEVER;
  }
  if (result.is_new) {
    problems_log(&result.problems, &follow->problems);
    problems_fini(&follow->problems);
    follow->problems = result.problems;
    problems_init(&result.problems);
    atomic_store(&follow->is_current, follow->problems.n_errors == 0);
    atomic_fetch_add(&follow->n_rejected, result.n_rejected);
    if (result.settings)
      log_changes(follow, result.settings);
    publish(follow, result.settings);
  }
  problems_fini(&result.problems);
  return result.next_ns;
}

static enum status watch_folder(void *cookie, const char *folder) {
  return watch_add(cookie, folder);
}

static void watch_folders(struct follow *follow) {
  watch_begin(follow->watch);
  if (live_folders(follow->live, watch_folder, follow->watch))
    log_write(LOG_LEVEL_ERROR, "no memory to watch all files");
  watch_end(follow->watch);
}

void follow_run(struct follow *follow) {
  enum watch_outcome end = WATCH_TIME;
  publish(follow, NULL); /* what was wrong at the start */
  while (end != WATCH_WOKEN) {
    /* Before the files are looked at: what comes later is told. */
    watch_folders(follow);
    int64_t next_ns = read_once(follow);
    int64_t now_ns = clock_mono_ns();
    live_settings_free(atomic_exchange(&follow->returned, NULL));
    end = watch_wait(follow->watch, false, now_ns + READS_APART_NS);
    if (next_ns > now_ns + FOLLOW_POLL_NS)
      next_ns = now_ns + FOLLOW_POLL_NS;
    if (end != WATCH_WOKEN)
      end = watch_wait(follow->watch, true, next_ns);
  }
}

/* ---- the others ---- */

void follow_stop(struct follow *follow) {
  pthread_mutex_lock(&follow->lock);
  follow->is_stopping = true;
  pthread_mutex_unlock(&follow->lock);
  watch_wake(follow->watch);
}

struct settings *follow_take(struct follow *follow) {
  return atomic_exchange(&follow->news, NULL);
}

/* The one before, if it is still there, is freed here: that is seldom. */
void follow_give_back(struct follow *follow, struct settings *settings) {
  live_settings_free(atomic_exchange(&follow->returned, settings));
}

void follow_status(struct follow *follow, bool *ret_is_current,
                   uint64_t *ret_n_rejected) {
  *ret_is_current = atomic_load(&follow->is_current);
  *ret_n_rejected = atomic_load(&follow->n_rejected);
}
