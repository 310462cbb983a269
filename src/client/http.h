/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_HTTP_H
#define CLIENT_HTTP_H

/* One HTTP request over libcurl. Private to client/: who could reach this could
 * send without a permit. */

#include "base/buf.h"
#include "client/connections.h"
#include "client/engine.h"

/* What libcurl reads at a time, and passes to body() at most. */
#define HTTP_PIECE (16 * 1024)

/* Kept of a body whose HTTP status is not 200, to tell one refusal from
 * another; and read of it before the connection is given up. */
#define HTTP_REFUSAL_HEAD 512
#define HTTP_REFUSAL_MAX (16 * 1024)

/* Of one reply's header lines together. */
#define HTTP_HEADER_MAX (64 * 1024)

/* Where a node's requests go and what they carry; lives longer than they do. */
struct http_target {
  const char *url;
  const char *user; /* NULL: none */
  const char *password;
  const char *user_agent;
  void *headers; /* of libcurl; http_target_init() */
  /* PEM; empty: the system's authorities, no certificate of our own */
  struct buf ca_cert;
  struct buf client_cert;
  struct buf client_key;
  bool verify_peer;
  bool verify_host;
  int64_t connect_timeout_ns;
  bool is_address; /* of the URL's host: no name is looked up */
  struct connections *connections;
  struct connection_group *group;
};

/* http_target_init(target, origin): makes the headers; the rest is the
 * caller's. STATUS_NO_MEMORY. */
enum status http_target_init(struct http_target *target, const char *origin);
void http_target_fini(struct http_target *target);

enum http_verdict { HTTP_GO_ON, HTTP_PAUSE, HTTP_STOP };

/* Called from inside a turn of the engine; transfer_start() and transfer_stop()
 * may be called from done() alone. */
struct transfer_events {
  /* The request is about to be written, once: spend the permit. */
  void (*gate)(void *cookie, int64_t now_ns);
  /* A socket is about to be opened for it. */
  void (*opening)(void *cookie);
  /* Bytes of a body with HTTP status 200. HTTP_PAUSE: ${len} bytes were not
   * taken and come again after transfer_resume(). */
  enum http_verdict (*body)(void *cookie, const char *bytes, size_t len);
  /* It is over, and out of the engine. */
  void (*done)(void *cookie);
  void *cookie;
};

/* What is known of a transfer; whole once done() was called. */
struct transfer {
  void *easy;
  struct loop *loop;
  const struct http_target *target;
  struct transfer_events events;
  bool is_running;
  bool is_sent;        /* the gate was passed: the request counts */
  bool has_opened;     /* a socket was opened for it: the name was known */
  bool was_resent;     /* libcurl tried to send it once more; it was stopped */
  bool was_looking_up; /* it ended while its name was being resolved */
  bool was_stopped;    /* by HTTP_STOP, or an endless refusal */
  bool is_head_whole;  /* the reply's, to its empty line */
  const char *head_fault; /* why it was given up there; NULL: it was not */
  int64_t sent_ns;        /* last request byte written; 0: not sent */
  int64_t first_ns;       /* first byte of the reply; 0: none came */
  int fd;                 /* its connection; -1: not known */
  int64_t min_rtt_ns;     /* of that */
  enum status outcome;    /* STATUS_OK: a whole reply with ${http_status} */
  int http_status;        /* 0: none came */
  int64_t retry_after_ns;
  int64_t certificate_end_s; /* the server's, UTC since 1970; 0: unknown */
  char reason[256];          /* libcurl's words, when it failed */
  char location[256];        /* path of a redirect's target; "" if none */
  char head[HTTP_REFUSAL_HEAD];
  size_t head_len;
  size_t refusal_len;
  size_t header_len;
};

struct transfer_options {
  const struct http_target *target;
  const char *body; /* must stay */
  size_t body_len;
  int64_t timeout_ns; /* the last resort: the caller has timers of its own */
  bool is_fresh;      /* on a new connection, closed afterwards */
  struct transfer_events events;
};

/* transfer_start(transfer, loop, options): STATUS_NO_MEMORY. */
enum status transfer_start(struct transfer *transfer, struct loop *loop,
                           const struct transfer_options *options);

/* transfer_resume(transfer): after HTTP_PAUSE; may call body() at once. */
void transfer_resume(struct transfer *transfer);

/* transfer_stop(transfer): ends it, in the middle or not, and frees what it
 * holds; done() is not called. What is known of it stays. */
void transfer_stop(struct transfer *transfer);

/* For struct loop_events. */
void transfer_on_done(void *transfer, int code);
void transfer_on_waiting(void *transfer, int fd, bool is_reading,
                         int64_t now_ns);

/* http_global_init(): libcurl's own, once, before any thread. */
enum status http_global_init(void);

#endif
