/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

/* The Jolokia client. The permit is taken in here, before every HTTP request,
 * from the ceiling kept for the node's URL; there is no other way to send.
 *
 * One thread: all functions but client_wake() are called on the thread that
 * runs client_turn(), between or during its turns; callbacks come from within
 * it. In collectd that is the engine's thread, in jolokiactl the main one. */

#include "artemis/scrape.h"
#include "client/share.h"
#include "client/timer.h"
#include "jolokia/url.h"

struct client;
struct node;
struct job;

struct client_options {
  const char *user_agent; /* copied */
  const char *state_dir;  /* copied; where the processes of this host share
                             ceilings; NULL: nothing is shared */
  bool is_daemon;   /* without a record: half a ceiling; others get a tenth */
  bool is_unshared; /* changes go out without a record, too */
};

/* client_new(options, ret, error): epoll, timerfd, eventfd, one curl multi
 * handle. Call curl_global_init through client_global_init() once before any
 * thread runs. STATUS_INVALID (limits of descriptors, said with the remedy),
 * STATUS_NO_MEMORY. */
enum status client_global_init(struct error *error);
enum status client_new(const struct client_options *options,
                       struct client **ret, struct error *error);

/* client_free(client): ends every job as STATUS_CLOSING (its done() is called),
 * closes all connections; within 100 ms, whatever a node does. Not from a
 * callback. NULL is fine. */
void client_free(struct client *client);

/* client_turn(client, until_ns): one turn of the engine: waits for events until
 * ${until_ns} (CLOCK_MONOTONIC) at the latest, then serves all that is due. */
void client_turn(struct client *client, int64_t until_ns);

/* client_turns(client): how many turns were begun. */
uint64_t client_turns(const struct client *client);

/* client_wake(client): makes a waiting client_turn() return; from any thread
 * and from signal handlers; never blocks. */
void client_wake(struct client *client);

/* client_timer_set(), client_timer_clear(): timers that fire within turns, of
 * at most 8 a node + 64. */
void client_timer_set(struct client *client, struct timer *timer,
                      int64_t at_ns);
void client_timer_clear(struct client *client, struct timer *timer);

/* The content of a PEM file; ${len} 0: none. */
struct node_pem {
  const char *bytes;
  size_t len;
};

/* All strings and contents are copied. */
struct node_options {
  const char *name; /* for messages */
  struct url url;
  const char *username;    /* NULL: none */
  const char *password;    /* wiped when the node goes */
  const char *origin;      /* NULL: url.origin */
  struct node_pem ca_cert; /* none: the system's */
  struct node_pem client_cert;
  struct node_pem client_key; /* none: in client_cert */
  bool verify_peer;
  bool verify_host;
  int64_t connect_timeout_ns;
  size_t max_request_bytes;
  size_t max_response_bytes;
  size_t max_object_bytes;
  int64_t too_large_ns; /* how long a size that got HTTP 413 is not sent again;
                           ten intervals */
  struct ceiling_settings ceiling;
  int64_t round_ns; /* it is scraped so often, which the other processes of the
                       host are told; 0: it is not */
};

/* client_node_add(client, options, ret, error): reads no file. STATUS_INVALID
 * (a user name with a colon, a control character, more than 10,000 nodes, ...),
 * STATUS_NO_MEMORY. Nodes with one canonical URL share one ceiling: the slowest
 * of theirs, unit by unit, while they are there. */
enum status client_node_add(struct client *client,
                            const struct node_options *options,
                            struct node **ret, struct error *error);

/* client_node_close(node): from now on no request of it is sent, and no job of
 * it begins; jobs that wait or were not sent yet end (done() with
 * STATUS_CLOSING, from here or a turn), the others with client_node_remove() at
 * the latest. For many at once, as that takes its time. Not from row() or
 * item(). */
void client_node_close(struct node *node);

/* client_node_remove(node): cancels its jobs (done() with STATUS_CLOSING, from
 * here), closes its connections, gives its ceiling back to the registry. Not
 * from row() or item(). */
void client_node_remove(struct node *node);

/* client_node_reconfigure(node, options, error): from now on it has ${options},
 * of which the URL, the Origin, the certificates and whether they are verified
 * must be those that it has: another node is added for others. The ceiling's
 * levels are kept: never does a change grant anything. Another login is not
 * held, and no refusal of the one before counts against it; a job under way
 * goes on, and its next request has the new one. STATUS_INVALID (as in
 * client_node_add()), STATUS_NO_MEMORY: nothing changed. */
enum status client_node_reconfigure(struct node *node,
                                    const struct node_options *options,
                                    struct error *error);

/* client_node_share_ceiling(node, first): from now on ${node} takes its permits
 * from the ceiling of ${first}'s URL (of which it leads to the same broker),
 * which then is the slowest of all that take them there; NULL: from its own
 * URL's again. Levels are kept. Whoever's URL it is may be removed meanwhile.
 * STATUS_INVALID: it has jobs now: nothing changed, ask again when it has none,
 * as when the last one's done() is called. STATUS_NO_MEMORY: likewise. */
enum status client_node_share_ceiling(struct node *node, struct node *first);

struct job_result {
  struct error error; /* kind STATUS_OK: a bulk reply; items told one by one */
  int http_status;    /* of the last request; 0 if no reply began */
  bool is_partial;    /* rows had been delivered before it failed */
  uint64_t rows;
  uint64_t bytes;    /* of reply bodies */
  uint32_t requests; /* HTTP requests sent: permits spent */
  int64_t permit_wait_ns;
  int64_t handling_ns;
  int64_t retry_after_ns; /* of 429 and 503; 0 if none */
};

struct job_options {
  enum owner owner;
  enum request_kind kind;
  const struct operation *operations; /* needed during client_submit() only */
  const struct item_spec *specs;      /* must stay until done() */
  size_t n;                           /* 1 .. 10,000; 50 of them a permit */
  int64_t timeout_ns;                 /* from sending to the whole reply */
  int64_t
      deadline_ns; /* of everything, waits included; CLOCK_NEVER: by timeouts */
  struct reply_sink sink; /* items numbered as in ${operations} */
  void (*done)(void *cookie, const struct job_result *result);
  void *cookie; /* of done() */
};

/* client_submit(node, options, ret, error): a job: its operations in requests
 * of at most 50 of them (fewer changes, where their burst is smaller) and
 * MaxRequestBytes, one after the other, each with its
 * own permit, and what becomes of them:
 * - A job of reads is sent once more where the connection ended (STATUS_RESET)
 *   before any row of that request was delivered. A job with a change never is,
 *   and goes out on fresh connections.
 * - A bulk of reads that is refused as a whole (one object for the array, HTTP
 *   400 in plain words, other than by Origin or policy) is halved until the
 *   culprit stands alone, whose item() is told that failure; so is any bulk
 * that got HTTP 413, and for too_large_ns later bulks are as short as its
 * halves. After three culprits with nothing accepted the job ends so. A bulk
 * with a change is not asked for again: a part of it may have run. Nor is one
 * of KIND_IDENTITY, which a node that failed gets once an interval.
 * - A reply past MaxResponseBytes ends the item in progress so; the later ones
 *   are asked for anew, unless there is a change among them, or it is of
 *   KIND_IDENTITY.
 * While its reader pauses a job (row() returned false), its timeout stands
 * still, for as long as the timeout itself at most.
 * STATUS_OK: done() will be called exactly once, from a turn, from
 * client_node_remove() or client_free(), never from here. Otherwise it never
 * is: STATUS_INVALID, STATUS_REQUEST_TOO_LARGE (one operation alone),
 * STATUS_PERMIT_QUEUE_FULL, STATUS_PERMIT_TIMEOUT, STATUS_CLOSING, STATUS_HELD
 * (its login is held, or the node by the operator), STATUS_NO_MEMORY. */
enum status client_submit(struct node *node, const struct job_options *options,
                          struct job **ret, struct error *error);

/* client_cancel(job): also from callbacks, until done(). done() with
 * STATUS_CANCELLED, in the next turn at the latest; what was sent goes on at
 * the broker. No row or item follows. */
void client_cancel(struct job *job);

/* client_resume(job): after its row() returned false: rows may come again, from
 * the end of this turn or of the next. */
void client_resume(struct job *job);

/* Totals since the node was added. Shared by nodes with one URL? No: each node
 * counts its own. */
struct node_stats {
  uint64_t requests[OWNER_COUNT]; /* permits spent = HTTP requests sent */
  uint64_t operations[OWNER_COUNT];
  uint64_t rows[OWNER_COUNT];
  uint64_t bytes[OWNER_COUNT];
  uint64_t permit_wait_ns[OWNER_COUNT];
  uint64_t permit_wait_max_ns; /* since client_node_stats_reset_max() */
  uint64_t changes;            /* among the operations sent */
  uint64_t bytes_charged;      /* replies as received, refusals too */
  uint64_t in_flight_ns;       /* of requests that are over, added up */
  uint64_t refused_timeout, refused_queue_full, refused_cancelled;
  uint64_t errors[STATUS_COUNT]; /* by kind: of jobs and of items */
  uint64_t handling_ns[KIND_COUNT];
  uint64_t connects;
  uint64_t retries;
  uint32_t connections; /* open now */
  uint32_t in_flight;   /* now */
  uint32_t waiting[OWNER_COUNT];
  /* Of the ceiling, which nodes with one URL share: */
  uint64_t blocked[UNIT_COUNT];  /* waits that the unit held up */
  uint64_t forgiven;             /* debts that would have delayed longer */
  int64_t debt_ns[UNIT_BUCKETS]; /* now: until it is paid back */
};
const struct node_stats *client_node_stats(struct node *node);

/* client_node_ceiling(node): what its URL is held to, with a record: its own
 * settings, or slower ones of another node there. Until a node is added or
 * removed. */
const struct ceiling_settings *client_node_ceiling(const struct node *node);

/* client_node_batch(node): how many changes a request to it has at most. */
size_t client_node_batch(const struct node *node);

/* client_node_host(node, ret): what all processes of the host have asked of its
 * URL, from the record; without one, what this process has. Never goes back.
 * Whether the record is in use. */
void client_node_host(struct node *node, struct host_totals *ret);
void client_node_stats_reset_max(struct node *node);

/* client_node_held(node): by the operator, over the record (client_hold()): its
 * jobs, and those to come meanwhile, end as STATUS_HELD. */
bool client_node_held(const struct node *node);

/* client_node_round_over(node, tier): a whole round of that tier, which is not
 * the fast one, is over: the host's record has when. */
void client_node_round_over(struct node *node, enum tier tier);

/* client_node_login_held(node): whether its login is held after refusals. */
bool client_node_login_held(const struct node *node);

/* client_node_certificate_left_ns(node): until the server's certificate
 * expires, as of the last handshake, against ${wall_ns}; CLOCK_NEVER if
 * unknown. */
int64_t client_node_certificate_left_ns(const struct node *node,
                                        int64_t wall_ns);

/* The log of grants, for proofs: called with each permit as it is granted (from
 * a turn). NULL ends it. */
void client_trace_grants(struct client *client,
                         void (*granted)(void *cookie, const char *url_key,
                                         enum owner owner, uint32_t cost,
                                         int64_t now_ns),
                         void *cookie);

#endif
