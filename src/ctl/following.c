/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/following.h"

#include "base/clock.h"
#include "base/log.h"
#include "config/follow.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STOP_NS CLOCK_NS_PER_S

struct following {
  struct follow *follow;
  pthread_t thread;
  struct client *client;
  const char *target;
  struct settings *untaken; /* there was no memory for them; NULL: none */
  struct settings *taken;   /* NULL: still those of the start */
  struct settings selected; /* those of ${taken} that were asked for */
  bool is_over;
  pthread_mutex_t lock; /* of what follows */
  bool has_news;
  bool is_wrong;
  char wrong[NOTICE_TEXT_MAX];
};

static void wake(void *cookie) {
  struct following *following = cookie;
  client_wake(following->client);
}

/* On the other thread: told by the client's. */
static void tell(void *cookie, const char *error) {
  struct following *following = cookie;
  pthread_mutex_lock(&following->lock);
  following->has_news = true;
  following->is_wrong = error != NULL;
  snprintf(following->wrong, sizeof(following->wrong), "%s",
           error ? error : "");
  pthread_mutex_unlock(&following->lock);
  client_wake(following->client);
}

static void *run(void *cookie) {
  follow_run(cookie);
  return NULL;
}

/* Signals are the main thread's. */
static int create_thread(struct following *following) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int result = pthread_create(&following->thread, NULL, run, following->follow);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

enum status following_start(struct subject *subject, const char *target,
                            struct client *client, struct following **ret,
                            struct error *error) {
  struct following *following = calloc(1, sizeof(*following));
  const struct follow_options options = {.live = subject->live,
                                         .settings = &subject->settings,
                                         .problems = &subject->problems,
                                         .notify = wake,
                                         .tell = tell,
                                         .cookie = following};
  if (!following || pthread_mutex_init(&following->lock, NULL) != 0) {
    free(following);
    return error_set(error, STATUS_NO_MEMORY, "no memory to follow files");
  }
  enum status status = follow_new(&options, &following->follow, error);
  if (status) {
    pthread_mutex_destroy(&following->lock);
    free(following);
    return status;
  }
  subject->live = NULL;
  following->client = client;
  following->target = target;
  if (create_thread(following) != 0) {
    follow_free(following->follow);
    pthread_mutex_destroy(&following->lock);
    free(following);
    return error_set(error, STATUS_NO_MEMORY,
                     "no thread can be started: look at the limits on threads");
  }
  *ret = following;
  return STATUS_OK;
}

/* What is newer takes the place of what could not be taken. Whether it is new.
 */
static bool take_news(struct following *following) {
  struct settings *news = follow_take(following->follow);
  if (!news)
    return false;
  if (following->untaken)
    follow_give_back(following->follow, following->untaken);
  following->untaken = news;
  return true;
}

/* Without memory it goes on with what it has, until the next time. */
void following_take(struct following *following, struct monitor *monitor,
                    int64_t now_ns) {
  struct error error;
  struct settings selected;
  if (!following)
    return;
  bool is_new = take_news(following);
  struct settings *settings = following->untaken;
  if (!settings)
    return;
  if (subject_select(settings, following->target, &selected, &error) && is_new)
    log_write(LOG_LEVEL_WARNING, "%s", error.text);
  if (!selected.nodes)
    return;
  following->untaken = NULL;
  struct settings before = following->selected;
  following->selected = selected;
  monitor_apply(monitor, &following->selected, now_ns);
  free(before.nodes);
  if (following->taken)
    follow_give_back(following->follow, following->taken);
  following->taken = settings;
}

void following_tell(struct following *following,
                    const struct notice_sink *sink) {
  char wrong[NOTICE_TEXT_MAX];
  if (!following)
    return;
  pthread_mutex_lock(&following->lock);
  bool has_news = following->has_news;
  bool is_wrong = following->is_wrong;
  memcpy(wrong, following->wrong, sizeof(wrong));
  following->has_news = false;
  pthread_mutex_unlock(&following->lock);
  if (!has_news)
    return;
  const struct notice notice = notice_of_files(is_wrong ? wrong : NULL);
  sink->notify(sink->cookie, &notice);
}

void following_status(const struct following *following,
                      const struct subject *subject, bool *ret_is_current,
                      uint64_t *ret_n_rejected) {
  *ret_is_current = subject->problems.n_errors == 0;
  *ret_n_rejected = 0;
  if (following)
    follow_status(following->follow, ret_is_current, ret_n_rejected);
}

void following_stop(struct following *following) {
  struct timespec until;
  if (!following)
    return;
  follow_stop(following->follow);
  int64_t until_ns = clock_wall_ns() + STOP_NS;
  until = (struct timespec){.tv_sec = until_ns / CLOCK_NS_PER_S,
                            .tv_nsec = until_ns % CLOCK_NS_PER_S};
  following->is_over =
      pthread_timedjoin_np(following->thread, NULL, &until) == 0;
}

void following_free(struct following *following) {
  if (!following || !following->is_over)
    return;
  follow_free(following->follow);
  live_settings_free(following->untaken);
  live_settings_free(following->taken);
  free(following->selected.nodes);
  pthread_mutex_destroy(&following->lock);
  free(following);
}
