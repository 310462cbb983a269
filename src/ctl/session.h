/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_SESSION_H
#define CTL_SESSION_H

/* A client and a monitor over the selected nodes, driven on this thread; and
 * how a command is asked to stop. */

#include "client/monitor.h"
#include "ctl/subject.h"

struct session {
  struct client *client;
  struct monitor *monitor;
};

struct session_options {
  const struct subject *subject;
  struct sample_sink sink;
  struct notice_sink notices;
  int64_t interval_ns;
  bool is_once;
  bool want_self_metrics;
  bool want_discovery;
  bool is_unshared; /* --unshared */
};

/* session_open(options, ret, error): SIGINT, SIGTERM and SIGHUP end the session
 * from now on, a second one the program at once (exit code 130); SIGPIPE is
 * ignored. STATUS_INVALID, STATUS_NO_MEMORY: nothing is open. */
enum status session_open(const struct session_options *options,
                         struct session *ret, struct error *error);
void session_close(struct session *session);

/* session_discovers(ctl): whether a command that works on ${ctl->target} may
 * want discovery: of whole clusters alone. Of one node's cluster the others
 * would be taken for strangers. */
bool session_discovers(const struct ctl *ctl);

/* session_client_new(subject, is_unshared, ret, error): the client that every
 * command's requests go through; as client_global_init() and client_new(). */
enum status session_client_new(const struct subject *subject, bool is_unshared,
                               struct client **ret, struct error *error);

/* session_is_stopped(): a signal has asked for the end. */
bool session_is_stopped(void);

/* session_catch_signals(client): what session_open() does of it, for who has no
 * session; ${client} NULL: nobody is woken. */
void session_catch_signals(struct client *client);

enum session_end { SESSION_DONE, SESSION_STOPPED, SESSION_TIMED_OUT };

/* session_run_once(session, timeout_ns): one round of every node, with its
 * progress on a terminal. ${timeout_ns} 0: until all are done. */
enum session_end session_run_once(struct session *session, int64_t timeout_ns);

/* session_verdict(view, end, ret): what became of a node's round: its own error
 * or, where it had not ended yet, STATUS_CANCELLED or STATUS_TIMEOUT. */
void session_verdict(const struct monitor_view *view, enum session_end end,
                     struct error *ret);

#endif
