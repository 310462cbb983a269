/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/engine.h"

#include "base/clock.h"
#include "base/log.h"

#include <curl/curl.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Events taken in one turn: what is left stays for the next. */
#define EVENTS_MAX 64

struct loop {
  struct loop_events events;
  struct timer_heap timers;
  size_t room;          /* timers promised */
  struct timer curl_in; /* libcurl's own timeout */
  CURLM *multi;
  int epoll_fd;
  int timer_fd;
  int event_fd;
  int64_t armed_ns; /* what the timerfd is set to; CLOCK_NEVER: to nothing */
};

static int on_timeout(CURLM *multi, long timeout_ms, void *cookie) {
  (void)multi;
  struct loop *loop = cookie;
  if (timeout_ms < 0)
    timer_clear(&loop->timers, &loop->curl_in);
  else
    (void)timer_set(&loop->timers, &loop->curl_in,
                    clock_mono_ns() + (int64_t)timeout_ms * CLOCK_NS_PER_MS);
  return 0;
}

static void fire_curl(void *cookie, int64_t now_ns) {
  (void)now_ns;
  struct loop *loop = cookie;
  int running;
  (void)curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

static uint32_t epoll_mask(int what) {
  uint32_t mask = 0;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
    mask |= EPOLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
    mask |= EPOLLOUT;
  return mask;
}

static void watch(const struct loop *loop, int fd, uint32_t mask) {
  struct epoll_event event = {.events = mask, .data = {.fd = fd}};
  if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD, fd, &event) == 0)
    return;
  if (errno == ENOENT &&
      epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0)
    return;
  log_write(LOG_LEVEL_ERROR, "epoll takes no descriptor: %s",
            strerrorname_np(errno));
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *cookie,
                     void *socket_cookie) {
  (void)socket_cookie;
  struct loop *loop = cookie;
  if (what == CURL_POLL_REMOVE) {
    struct epoll_event unused = {.events = 0};
    (void)epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, &unused);
    return 0;
  }
  watch(loop, fd, epoll_mask(what));
  void *transfer = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer) == CURLE_OK &&
      transfer)
    loop->events.waiting(transfer, fd, what == CURL_POLL_IN, clock_mono_ns());
  return 0;
}

static enum status make_fds(struct loop *loop, struct error *error) {
  loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  loop->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (loop->epoll_fd < 0 || loop->timer_fd < 0 || loop->event_fd < 0)
    return error_set(
        error, STATUS_INVALID,
        "no descriptor for the event loop (%s): raise the limit of "
        "open files (LimitNOFILE, ulimit -n)",
        strerrorname_np(errno));
  struct epoll_event timer = {.events = EPOLLIN,
                              .data = {.fd = loop->timer_fd}};
  struct epoll_event wake = {.events = EPOLLIN, .data = {.fd = loop->event_fd}};
  if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, loop->timer_fd, &timer) ||
      epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, loop->event_fd, &wake))
    return error_set(error, STATUS_NO_MEMORY, "epoll: %s",
                     strerrorname_np(errno));
  return STATUS_OK;
}

static enum status make_multi(struct loop *loop, struct error *error) {
  loop->multi = curl_multi_init();
  if (!loop->multi)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the event loop");
  CURLM *multi = loop->multi;
  if (curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket) ||
      curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, loop) ||
      curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timeout) ||
      curl_multi_setopt(multi, CURLMOPT_TIMERDATA, loop) ||
      curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_NOTHING))
    return error_set(error, STATUS_INVALID, "this libcurl lacks an option");
  return STATUS_OK;
}

enum status loop_new(const struct loop_events *events, struct loop **ret,
                     struct error *error) {
  struct loop *loop = calloc(1, sizeof(*loop));
  if (!loop)
    return error_set(error, STATUS_NO_MEMORY, "no memory for the event loop");
  loop->events = *events;
  loop->epoll_fd = loop->timer_fd = loop->event_fd = -1;
  loop->armed_ns = CLOCK_NEVER;
  loop->curl_in = (struct timer){.fire = fire_curl, .cookie = loop};
  timer_heap_init(&loop->timers);
  enum status status = STATUS_OK;
  if (!loop_room(loop, 1))
    status = error_set(error, STATUS_NO_MEMORY, "no memory for timers");
  if (status == STATUS_OK)
    status = make_fds(loop, error);
  if (status == STATUS_OK)
    status = make_multi(loop, error);
  if (status != STATUS_OK) {
    loop_free(loop);
    return status;
  }
  *ret = loop;
  return STATUS_OK;
}

void loop_free(struct loop *loop) {
  if (!loop)
    return;
  if (loop->multi)
    (void)curl_multi_cleanup(loop->multi);
  timer_heap_fini(&loop->timers);
  if (loop->event_fd >= 0)
    close(loop->event_fd);
  if (loop->timer_fd >= 0)
    close(loop->timer_fd);
  if (loop->epoll_fd >= 0)
    close(loop->epoll_fd);
  free(loop);
}

static void arm(struct loop *loop, int64_t at_ns) {
  if (at_ns == loop->armed_ns)
    return;
  struct itimerspec at = {.it_value = {.tv_sec = 0}};
  if (at_ns != CLOCK_NEVER) {
    at.it_value.tv_sec = (time_t)(at_ns / CLOCK_NS_PER_S);
    at.it_value.tv_nsec = (long)(at_ns % CLOCK_NS_PER_S);
  }
  if (timerfd_settime(loop->timer_fd, TFD_TIMER_ABSTIME, &at, NULL) == 0)
    loop->armed_ns = at_ns;
}

static void drain(int fd) {
  uint64_t count;
  (void)!read(fd, &count, sizeof(count)); /* EAGAIN: drained already */
}

static void serve(struct loop *loop, const struct epoll_event *event) {
  int fd = event->data.fd;
  if (fd == loop->timer_fd) {
    drain(fd);
    loop->armed_ns = CLOCK_NEVER;
    return;
  }
  if (fd == loop->event_fd) {
    drain(fd);
    return;
  }
  int mask = 0;
  if (event->events & EPOLLIN)
    mask |= CURL_CSELECT_IN;
  if (event->events & EPOLLOUT)
    mask |= CURL_CSELECT_OUT;
  if (event->events & (EPOLLERR | EPOLLHUP))
    mask |= CURL_CSELECT_ERR;
  int running;
  (void)curl_multi_socket_action(loop->multi, fd, mask, &running);
}

static void fire_due(struct loop *loop) {
  /* A timer that sets itself again in the past fires in the next turn. */
  size_t most = loop->timers.n;
  int64_t now_ns = clock_mono_ns();
  for (size_t i = 0; i < most; i++) {
    struct timer *timer = timer_pop_due(&loop->timers, now_ns);
    if (!timer)
      return;
    timer->fire(timer->cookie, now_ns);
  }
}

static void tell_done(struct loop *loop) {
  CURLMsg *message;
  int left;
  while ((message = curl_multi_info_read(loop->multi, &left))) {
    if (message->msg != CURLMSG_DONE)
      continue;
    CURL *easy = message->easy_handle;
    CURLcode code = message->data.result;
    void *transfer = NULL;
    (void)curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
    (void)curl_multi_remove_handle(loop->multi, easy);
    loop->events.done(transfer, (int)code);
  }
}

void loop_turn(struct loop *loop, int64_t until_ns) {
  int64_t wake_ns = timer_next_ns(&loop->timers);
  if (until_ns < wake_ns)
    wake_ns = until_ns;
  int wait = -1;
  if (wake_ns <= clock_mono_ns())
    wait = 0;
  else
    arm(loop, wake_ns);
  struct epoll_event events[EVENTS_MAX];
  int n = epoll_wait(loop->epoll_fd, events, EVENTS_MAX, wait);
  for (int i = 0; i < n; i++)
    serve(loop, &events[i]);
  fire_due(loop);
  tell_done(loop);
}

void loop_wake(const struct loop *loop) {
  int saved = errno;
  uint64_t one = 1;
  /* EAGAIN: a wake-up is pending already. */
  (void)!write(loop->event_fd, &one, sizeof(one));
  errno = saved;
}

struct timer_heap *loop_timers(struct loop *loop) {
  return &loop->timers;
}

bool loop_room(struct loop *loop, size_t n) {
  if (!timer_heap_reserve(&loop->timers, loop->room + n))
    return false;
  loop->room += n;
  return true;
}

void loop_room_back(struct loop *loop, size_t n) { loop->room -= n; }

enum status loop_add(struct loop *loop, void *easy) {
  return curl_multi_add_handle(loop->multi, easy) == CURLM_OK
             ? STATUS_OK
             : STATUS_NO_MEMORY;
}

void loop_remove(struct loop *loop, void *easy) {
  (void)curl_multi_remove_handle(loop->multi, easy);
}

void loop_limit(struct loop *loop, size_t n_kept, size_t n_total) {
  long kept = n_kept > LONG_MAX ? LONG_MAX : (long)n_kept;
  long total = n_total > LONG_MAX ? LONG_MAX : (long)n_total;
  (void)curl_multi_setopt(loop->multi, CURLMOPT_MAXCONNECTS, kept);
  (void)curl_multi_setopt(loop->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, total);
}
