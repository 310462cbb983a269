/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/notices.h"

#include "base/clock.h"

#include <collectd/core/daemon/plugin.h>

#include <inttypes.h>

struct waiting {
  enum event event;
  int64_t time_ns;
  char host[DATA_MAX_NAME_LEN];
  char cluster[DATA_MAX_NAME_LEN];
  char text[NOTICE_TEXT_MAX];
};

/* A ring. */
struct notices {
  pthread_mutex_t lock;
  size_t first;
  size_t n;
  uint64_t n_lost;
  bool is_engine_bad;
  struct waiting waiting[NOTICES_MAX];
};

struct notices *notices_new(void) {
  struct notices *notices = calloc(1, sizeof(*notices));
  if (notices && pthread_mutex_init(&notices->lock, NULL) != 0) {
    free(notices);
    return NULL;
  }
  return notices;
}

void notices_free(struct notices *notices) {
  if (!notices)
    return;
  pthread_mutex_destroy(&notices->lock);
  free(notices);
}

/* Cut, as collectd's own names are. */
static void set_text(char *dst, size_t size, const char *src) {
  size_t len = strnlen(src, size - 1);
  memcpy(dst, src, len);
  dst[len] = '\0';
}

void notices_put(void *cookie, const struct notice *notice) {
  struct notices *notices = cookie;
  pthread_mutex_lock(&notices->lock);
  if (notices->n == NOTICES_MAX) {
    notices->n_lost++;
  } else {
    struct waiting *waiting =
        &notices->waiting[(notices->first + notices->n++) % NOTICES_MAX];
    waiting->event = notice->event;
    waiting->time_ns = notice->time_ns;
    set_text(waiting->host, sizeof(waiting->host), notice->host);
    set_text(waiting->cluster, sizeof(waiting->cluster), notice->cluster);
    set_text(waiting->text, sizeof(waiting->text), notice->text);
  }
  pthread_mutex_unlock(&notices->lock);
}

static bool take(struct notices *notices, struct waiting *ret) {
  pthread_mutex_lock(&notices->lock);
  bool is_there = notices->n > 0;
  if (is_there) {
    *ret = notices->waiting[notices->first];
    notices->first = (notices->first + 1) % NOTICES_MAX;
    notices->n--;
  }
  pthread_mutex_unlock(&notices->lock);
  return is_there;
}

static void hand_over(const struct waiting *waiting) {
  static const int severities[] = {[SEVERITY_FAILURE] = NOTIF_FAILURE,
                                   [SEVERITY_WARNING] = NOTIF_WARNING,
                                   [SEVERITY_OKAY] = NOTIF_OKAY};
  const struct notice_row *row = notice_row(waiting->event);
  notification_t notification = {
      .severity = severities[row->severity],
      .time = NS_TO_CDTIME_T(
          (uint64_t)(waiting->time_ns > 0 ? waiting->time_ns : 0)),
      .plugin = NOTICE_PLUGIN,
      .type = NOTICE_TYPE};
  set_text(notification.message, sizeof(notification.message), waiting->text);
  set_text(notification.host, sizeof(notification.host),
           waiting->host[0] ? waiting->host : hostname_g);
  set_text(notification.plugin_instance, sizeof(notification.plugin_instance),
           waiting->cluster);
  set_text(notification.type_instance, sizeof(notification.type_instance),
           row->instance);
  plugin_dispatch_notification(&notification);
}

static void put_lost(struct notices *notices) {
  pthread_mutex_lock(&notices->lock);
  uint64_t n_lost = notices->n_lost;
  notices->n_lost = 0;
  pthread_mutex_unlock(&notices->lock);
  const struct notice_sink sink = {.notify = notices_put, .cookie = notices};
  if (n_lost > 0)
    notice_send(&sink, EVENT_LOST, "", "", "%" PRIu64 " of them", n_lost);
}

/* No more than there were: receivers may take long. */
void notices_dispatch(struct notices *notices) {
  struct waiting waiting;
  for (size_t i = 0; i < NOTICES_MAX && take(notices, &waiting); i++)
    hand_over(&waiting);
  put_lost(notices); /* there is room now; with the next */
}

void notices_engine(struct notices *notices, bool is_well) {
  const struct notice_sink sink = {.notify = notices_put, .cookie = notices};
  if (is_well != notices->is_engine_bad)
    return;
  notices->is_engine_bad = !is_well;
  if (is_well)
    notice_send(&sink, EVENT_ENGINE_LOOPS, "", "", "nodes are asked again");
  else
    notice_send(&sink, EVENT_ENGINE_STOPPED, "", "",
                "it has not looped for two intervals: no node is asked");
}
