/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "base/log.h"
#include "base/num.h"
#include "client/selfmetrics.h"
#include "ctl/ctl.h"
#include "ctl/exit_code.h"
#include "ctl/following.h"
#include "ctl/putnotif.h"
#include "ctl/putval.h"
#include "ctl/session.h"
#include "ctl/types.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INTERVAL_DEFAULT_NS (10 * CLOCK_NS_PER_S)
#define LINES_MAX_BYTES (1 << 20)
/* How often it looks whether anybody reads it still. */
#define WATCH_NS CLOCK_NS_PER_S

struct exec {
  struct subject *subject;
  const char *target;
  struct client *client;
  struct monitor *monitor;
  struct following *following; /* NULL: the settings stay as they are */
  struct types *types;         /* NULL: not known */
  struct buf lines;            /* of this turn */
  bool is_unshared;
  char host[SAMPLE_NAME_MAX];
  int64_t interval_ns;
  pid_t parent;
  bool is_over;   /* nobody reads any more */
  bool is_broken; /* for another reason than that the reader went */
  struct timer watch;
  struct timer own; /* for the values of collectd's own host */
  int64_t lag_ns;   /* worst lateness of the watch since they were sent */
  uint64_t refused; /* lines too long, types that collectd lacks */
  struct log_repeat repeat;
};

/* -- Lines out -- */

/* Waits for a pipe that is full; a signal to end comes through. */
static bool write_all(const char *bytes, size_t len) {
  while (len > 0) {
    ssize_t n = write(STDOUT_FILENO, bytes, len);
    if (n > 0) {
      bytes += n;
      len -= (size_t)n;
      continue;
    }
    if (session_is_stopped() || (n < 0 && errno != EINTR && errno != EAGAIN))
      return false;
    struct pollfd writable = {.fd = STDOUT_FILENO, .events = POLLOUT};
    poll(&writable, 1, 1000);
  }
  return true;
}

static void flush(struct exec *exec) {
  if (exec->lines.len > 0 && !write_all(exec->lines.data, exec->lines.len)) {
    exec->is_over = true;
    exec->is_broken = !session_is_stopped() && errno != EPIPE;
    if (exec->is_broken)
      perror("jolokiactl: standard output");
  }
  buf_clear(&exec->lines);
}

static void refuse(struct exec *exec, const struct sample *sample,
                   const char *why) {
  exec->refused++;
  if (log_repeat_due(&exec->repeat, clock_mono_ns()))
    log_write(LOG_LEVEL_ERROR,
              "value %.64s/%.127s/%.64s not printed: %s (%" PRIu64 " so far)",
              sample->host, sample->plugin_instance, sample->type_instance, why,
              exec->refused);
}

static void make_room(struct exec *exec) {
  if (exec->lines.len > LINES_MAX_BYTES - PUTVAL_LINE_MAX - 1024)
    flush(exec);
}

static void on_notice(void *cookie, const struct notice *notice) {
  struct exec *exec = cookie;
  make_room(exec);
  if (putnotif_line(&exec->lines, notice, exec->host))
    log_write(LOG_LEVEL_ERROR, "no memory for a notification: %s",
              notice->text);
}

static void on_sample(void *cookie, const struct sample *sample) {
  struct exec *exec = cookie;
  const char *type = types_find(exec->types, sample->type, sample->is_derive,
                                1 + sample->n_more);
  if (!type) {
    refuse(exec, sample,
           "its type is not collectd's own; mend TypesDB or --types-db");
    return;
  }
  make_room(exec);
  enum status status = putval_line(&exec->lines, sample, type, exec->host);
  if (status == STATUS_INVALID)
    refuse(exec, sample,
           "its line is longer than collectd reads; shorten the "
           "node's or cluster's name");
  else if (status)
    refuse(exec, sample, "no memory");
}

/* -- The values of collectd's own host -- */

static void on_own(void *cookie, int64_t now_ns) {
  struct exec *exec = cookie;
  bool is_current;
  uint64_t n_rejected;
  following_status(exec->following, exec->subject, &is_current, &n_rejected);
  const struct self_own own = {.is_config_current = is_current,
                               .n_rejected = n_rejected,
                               .n_nodes = monitor_n_nodes(exec->monitor),
                               .is_engine_well =
                                   true, /* as this runs in its thread */
                               .lag_ns = exec->lag_ns,
                               .wall_ns = clock_wall_ns(),
                               .interval_ns = exec->interval_ns};
  const struct sample_sink sink = {.dispatch = on_sample, .cookie = exec};
  selfmetrics_send_own(&own, &sink);
  exec->lag_ns = 0;
  int64_t next_ns = exec->own.at_ns + exec->interval_ns;
  client_timer_set(exec->client, &exec->own,
                   next_ns > now_ns ? next_ns : now_ns + exec->interval_ns);
}

static void on_watch(void *cookie, int64_t now_ns) {
  struct exec *exec = cookie;
  struct pollfd reader = {.fd = STDOUT_FILENO};
  int64_t lag_ns = now_ns - exec->watch.at_ns;
  if (lag_ns > exec->lag_ns)
    exec->lag_ns = lag_ns;
  if (getppid() != exec->parent ||
      (poll(&reader, 1, 0) == 1 && (reader.revents & (POLLERR | POLLNVAL))))
    exec->is_over = true;
  client_timer_set(exec->client, &exec->watch, now_ns + WATCH_NS);
}

/* -- Setting up -- */

/* COLLECTD_INTERVAL: seconds, "10.000". */
static bool read_interval(struct exec *exec, const struct ctl *ctl) {
  const char *text = getenv("COLLECTD_INTERVAL");
  uint64_t ms = 0;
  exec->interval_ns = ctl->interval_ns ? ctl->interval_ns : INTERVAL_DEFAULT_NS;
  if (ctl->interval_ns || !text || !*text)
    return true;
  if (!num_milli(text, strlen(text), &ms) || ms < 1 || ms > 86400000) {
    fprintf(stderr,
            "jolokiactl: COLLECTD_INTERVAL \"%.32s\" is no number of seconds "
            "from 0.001 to 86400; mend it, or use --interval\n",
            text);
    return false;
  }
  exec->interval_ns = (int64_t)ms * CLOCK_NS_PER_MS;
  return true;
}

static void read_host(struct exec *exec) {
  const char *host = getenv("COLLECTD_HOSTNAME");
  if (host && *host)
    snprintf(exec->host, sizeof(exec->host), "%s", host);
  else if (gethostname(exec->host, sizeof(exec->host) - 1) != 0)
    snprintf(exec->host, sizeof(exec->host), "localhost");
}

static enum exit_code run(struct exec *exec) {
  struct session session;
  struct error error;
  const struct session_options options = {
      .subject = exec->subject,
      .sink = {.dispatch = on_sample, .cookie = exec},
      .notices = {.notify = on_notice, .cookie = exec},
      .interval_ns = exec->interval_ns,
      .want_self_metrics = true,
      .want_discovery = true,
      .is_unshared = exec->is_unshared};
  if (session_open(&options, &session, &error)) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return exit_code_of(error.kind);
  }
  int64_t now_ns = clock_mono_ns();
  exec->client = session.client;
  exec->monitor = session.monitor;
  if (following_start(exec->subject, exec->target, session.client,
                      &exec->following, &error))
    log_write(LOG_LEVEL_ERROR, "the cluster files are not followed: %s",
              error.text);
  exec->own = (struct timer){.fire = on_own, .cookie = exec};
  exec->watch = (struct timer){.fire = on_watch, .cookie = exec};
  client_timer_set(session.client, &exec->own, now_ns);
  client_timer_set(session.client, &exec->watch, now_ns + WATCH_NS);
  monitor_start(session.monitor, now_ns);
  while (!session_is_stopped() && !exec->is_over) {
    client_turn(session.client, CLOCK_NEVER);
    following_take(exec->following, session.monitor, clock_mono_ns());
    following_tell(exec->following, &options.notices);
    flush(exec);
  }
  client_timer_clear(session.client, &exec->own);
  client_timer_clear(session.client, &exec->watch);
  following_stop(exec->following);
  session_close(&session);
  following_free(exec->following);
  return exec->is_broken ? EXIT_CODE_SOME : EXIT_CODE_DONE;
}

/* Mistakes in the settings never end it: collectd would start it anew at each
 * interval, with the same lines in its log. */
int exec_main(const struct ctl *ctl) {
  struct exec exec = {.parent = getppid(),
                      .target = ctl->target,
                      .is_unshared = ctl->is_unshared};
  struct subject subject;
  struct error error;
  enum exit_code code = EXIT_CODE_USAGE;
  if (!read_interval(&exec, ctl))
    return EXIT_CODE_USAGE;
  read_host(&exec);
  if (types_read(ctl->types_db, &exec.types, &error))
    log_write(LOG_LEVEL_WARNING, "%s", error.text);
  buf_init(&exec.lines, LINES_MAX_BYTES);

  enum status status = subject_load(ctl, &subject, &error);
  subject_tell(&subject);
  if (status) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    code = exit_code_of(status);
  } else {
    if (subject.selected.n_nodes == 0)
      log_write(LOG_LEVEL_WARNING, "there is no node to ask: %s",
                settings_empty_remedy(subject.problems.n_errors > 0));
    exec.subject = &subject;
    code = run(&exec);
  }
  subject_fini(&subject);
  buf_fini(&exec.lines);
  types_free(exec.types);
  return (int)code;
}
