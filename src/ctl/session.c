/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/session.h"

#include "base/clock.h"
#include "base/version.h"
#include "ctl/exit_code.h"
#include "ctl/progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* -- Signals: the one thing that is the whole process's -- */

static struct client *volatile woken;
static volatile sig_atomic_t is_stopping;

static void on_signal(int number) {
  (void)number;
  if (is_stopping)
    _exit(EXIT_CODE_INTERRUPTED);
  is_stopping = 1;
  if (woken)
    client_wake(woken);
}

void session_catch_signals(struct client *client) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = on_signal};
  sigemptyset(&action.sa_mask);
  woken = client;
  for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
    sigaction(numbers[i], &action, NULL);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, NULL);
}

bool session_is_stopped(void) { return is_stopping != 0; }

/* -- Open and close -- */

bool session_discovers(const struct ctl *ctl) {
  return !ctl->target || !strchr(ctl->target, '/');
}

enum status session_client_new(const struct subject *subject, bool is_unshared,
                               struct client **ret, struct error *error) {
  char user_agent[64];
  snprintf(user_agent, sizeof(user_agent), "jolokiactl/%s", version_text());
  const struct client_options options = {.user_agent = user_agent,
                                         .state_dir =
                                             subject->settings.state_dir,
                                         .is_unshared = is_unshared};
  enum status status = client_global_init(error);
  return status ? status : client_new(&options, ret, error);
}

enum status session_open(const struct session_options *options,
                         struct session *ret, struct error *error) {
  struct session session = {0};
  enum status status = session_client_new(
      options->subject, options->is_unshared, &session.client, error);
  if (status)
    return status;
  struct monitor_options monitor_options = {
      .settings = &options->subject->selected,
      .sink = options->sink,
      .notices = options->notices,
      .default_interval_ns = options->interval_ns,
      .is_once = options->is_once,
      .want_self_metrics = options->want_self_metrics,
      .want_discovery = options->want_discovery};
  status =
      monitor_new(session.client, &monitor_options, &session.monitor, error);
  if (status) {
    client_free(session.client);
    return status;
  }
  session_catch_signals(session.client);
  *ret = session;
  return STATUS_OK;
}

void session_close(struct session *session) {
  woken = NULL;
  monitor_free(session->monitor);
  client_free(session->client);
}

/* -- One round -- */

static void show_progress(struct progress *progress,
                          const struct monitor *monitor, int64_t now_ns) {
  size_t n = monitor_n_nodes(monitor);
  size_t n_done = 0;
  uint64_t values = 0;
  if (!progress_is_due(progress, now_ns))
    return;
  for (size_t i = 0; i < n; i++) {
    struct monitor_view view;
    monitor_view(monitor, i, &view);
    n_done += view.rounds > 0;
    values += view.counts->samples;
  }
  progress_show(progress, now_ns, n_done, n, values);
}

enum session_end session_run_once(struct session *session, int64_t timeout_ns) {
  int64_t now_ns = clock_mono_ns();
  int64_t deadline_ns = timeout_ns ? now_ns + timeout_ns : CLOCK_NEVER;
  struct progress progress = progress_begin(now_ns);
  enum session_end end = SESSION_DONE;

  monitor_start(session->monitor, now_ns);
  while (!monitor_is_done(session->monitor)) {
    now_ns = clock_mono_ns();
    if (session_is_stopped() || now_ns >= deadline_ns) {
      end = session_is_stopped() ? SESSION_STOPPED : SESSION_TIMED_OUT;
      break;
    }
    show_progress(&progress, session->monitor, now_ns);
    int64_t until_ns = now_ns + PROGRESS_STEP_NS;
    client_turn(session->client,
                until_ns < deadline_ns ? until_ns : deadline_ns);
  }
  progress_end(&progress);
  return end;
}

void session_verdict(const struct monitor_view *view, enum session_end end,
                     struct error *ret) {
  *ret = (struct error){.kind = STATUS_OK};
  if (view->rounds > 0)
    *ret = *view->why;
  else if (end == SESSION_TIMED_OUT)
    error_set(ret, STATUS_TIMEOUT,
              "it had not answered when --timeout was over");
  else if (end == SESSION_STOPPED)
    error_set(ret, STATUS_CANCELLED, "interrupted before it had answered");
}
