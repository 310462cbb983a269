/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_STATE_H
#define CLIENT_STATE_H

/* What the client is made of. Private to client/.
 *
 * client    the engine, and everything below
 * endpoint  a canonical URL: its ceiling, its connections, its slot. Nodes with
 *           one URL share it.
 * node      a login and settings at an endpoint
 * job       operations on their way, a piece at a time: enters the ceiling
 *           (endpoint.c), is granted and sent (exchange.c), ends (job.c)
 *
 * Nothing is started, stopped or freed from inside a callback of libcurl's:
 * what happens there is noted on a queue and done at the end of the turn. */

#include "client/client.h"
#include "client/credential.h"
#include "client/engine.h"
#include "client/handling.h"
#include "client/http.h"
#include "client/slots.h"
#include "jolokia/reply.h"
#include "jolokia/request.h"
#include "limit/registry.h"

#include <sys/queue.h>

/* Halvings of one piece: 2^6 > 50 operations. */
#define JOB_ENDS_MAX 8

/* Of nodes that are gone: told to their records in one turn. Each costs about
 * 10 us. */
#define LAST_WORDS_MAX 100

/* Culprits one after the other, with no piece accepted, after which a bulk is
 * taken to be refused for another reason than its operations. */
#define JOB_CULPRITS_MAX 3

TAILQ_HEAD(endpoint_list, endpoint);
TAILQ_HEAD(node_list, node);
TAILQ_HEAD(job_list, job);

struct client {
  struct loop *loop;
  struct registry *registry;
  struct connections connections;
  struct slots slots;
  struct sharing sharing;
  struct credential *credentials;
  char *user_agent;
  uint64_t turns;
  size_t n_nodes;
  size_t max_in_flight;   /* of all nodes together */
  size_t in_flight;       /* the same, now */
  size_t max_total;       /* of it: what descriptors there are for */
  size_t last_words_left; /* in this turn, of nodes that are gone */
  bool is_limit_told;
  bool is_closing;
  struct endpoint_list endpoints;
  struct endpoint_list touched;    /* to be pumped */
  struct endpoint_list slot_waits; /* to be pumped when a slot is free */
  struct node_list nodes;
  struct job_list ending;
  struct job_list resuming;
  struct timer sweep; /* forgets ceilings that are full */
  void (*granted)(void *cookie, const char *url_key, enum owner owner,
                  uint32_t cost, int64_t now_ns);
  void *granted_cookie;
};

struct endpoint {
  TAILQ_ENTRY(endpoint) all;
  TAILQ_ENTRY(endpoint) touch;
  TAILQ_ENTRY(endpoint) slot_wait;
  struct client *client;
  struct registry_entry *entry;
  struct share share;
  struct connection_group connections;
  struct slot slot;
  struct timer timer;
  struct node_list nodes; /* none: it goes once its slot is free, and what it
                             used is told */
  uint32_t reusing; /* started for an idle connection, not at the gate yet */
  struct handling handling;
  bool is_touched;
  bool is_slot_waiting;
};

struct node {
  TAILQ_ENTRY(node) all;
  TAILQ_ENTRY(node) beside; /* of its endpoint */
  struct client *client;
  struct endpoint *endpoint;
  struct job_list jobs;
  char *name;
  struct url *url;
  struct http_target target;
  struct credential *credential; /* NULL: none */
  struct login login;
  size_t max_request_bytes;
  size_t max_response_bytes;
  size_t max_object_bytes;
  /* What got 413 whole and may be accepted in halves; 0: nothing has. */
  size_t halved_bytes;
  int64_t halved_until_ns;
  int64_t too_large_ns;
  struct ceiling_settings ceiling; /* its own: the endpoint's is the slowest */
  int64_t round_ns;
  int64_t certificate_end_s;
  bool is_closing;
  struct node_stats stats;
};

enum job_state { JOB_WAITING, JOB_SENDING, JOB_DRAINING, JOB_ENDING };

struct job {
  TAILQ_ENTRY(job) all;    /* of its node */
  TAILQ_ENTRY(job) queued; /* ending or resuming */
  struct node *node;
  enum job_state state;
  bool is_resuming;

  enum owner owner;
  enum request_kind kind;
  const struct item_spec *specs;
  size_t n;
  int64_t timeout_ns;
  int64_t deadline_ns;
  struct reply_sink sink;
  void (*done)(void *cookie, const struct job_result *result);
  void *cookie;

  struct buf body;    /* [operation,operation,...] */
  uint32_t *start;    /* of each operation in it; n + 1 */
  uint32_t *changes;  /* among those before each; n + 1 */
  bool is_change;     /* one of them is */
  bool has_old_login; /* its request under way has another than its node */
  bool is_try;        /* the one request of a held login */
  bool was_retried;
  bool was_halved;
  bool was_accepted; /* a piece of it was */
  uint32_t culprits;

  /* The piece under way, [pos, end), and where those after it end. */
  size_t pos;
  size_t end;
  size_t ends[JOB_ENDS_MAX];
  size_t n_ends;

  struct waiter waiter;
  bool is_granted; /* holds a permit and a place in flight */
  int64_t granted_ns;
  bool is_claimed;    /* counted in the share's ${at_gate} */
  bool is_connecting; /* holds the endpoint's slot */
  bool is_reusing;    /* counted in the endpoint's ${reusing} */

  struct transfer transfer;
  struct handling_part handling; /* from the gate on, until it is charged */
  struct reply *reply;
  enum status reply_status; /* what reply_feed() ended it with */
  enum status item_status;  /* of the last item told */
  bool is_too_large;
  size_t piece_bytes;
  struct timer timer;

  size_t taken;     /* since it last let the others go first */
  bool is_yielding; /* it does so now */

  bool is_paused;
  char *rest; /* read, and not taken by row() yet */
  size_t rest_len;
  size_t rest_pos;
  int64_t paused_since_ns;
  int64_t paused_ns; /* of this request, before that */

  struct job_result result;
};

/* endpoint.c */

/* endpoint_join(node, key): makes it a node of that URL's endpoint, whose
 * ceiling is from then on the slowest that its nodes have, unit by unit.
 * STATUS_NO_MEMORY. endpoint_leave(node): the ceiling is the slowest of those
 * that are left; levels are kept. endpoint_move(node, key): from its endpoint,
 * where it has no job, to another; STATUS_NO_MEMORY: it stays. */
enum status endpoint_join(struct node *node, const char *key);
enum status endpoint_move(struct node *node, const char *key);
void endpoint_leave(struct node *node);

/* endpoint_configure(endpoint): one of its nodes has another ceiling now. */
void endpoint_configure(struct endpoint *endpoint);
void endpoint_free(struct endpoint *endpoint);

/* endpoint_touch(endpoint): something changed: pump it in this turn. */
void endpoint_touch(struct endpoint *endpoint);

/* endpoint_pump(endpoint, now_ns): hands out what its ceiling grants, ends what
 * waited too long, and sets its timer. May free it. */
void endpoint_pump(struct endpoint *endpoint, int64_t now_ns);

/* endpoint_slot_freed(client): who waits for a slot may try. */
void endpoint_slot_freed(struct client *client);

/* job.c */

/* job_enter(job, now_ns): its piece waits for a permit. */
enum status job_enter(struct job *job, int64_t now_ns);

/* job_waited(job, now_ns): it waits no longer: counts the time. */
void job_waited(struct job *job, int64_t now_ns);

/* job_end(job, kind, text): ends it at the end of the turn. */
void job_end(struct job *job, enum status kind, const char *text);

/* job_finish(job): ends it now: done() is called, ${job} is gone. */
void job_finish(struct job *job);

/* job_resume_later(job): exchange_resume() at the end of the turn. */
void job_resume_later(struct job *job);

/* job_hold_waiting(node): its login became held: what waits ends so. */
void job_hold_waiting(struct node *node);

/* piece.c */

/* piece_first(job), piece_next(job): the next piece: at most 50 operations, as
 * many changes as the changes ceiling lets through at once, and
 * MaxRequestBytes. piece_next() is false when none is left. */
void piece_first(struct job *job);
bool piece_next(struct job *job);

/* piece_stays_whole(job): what asks for the identity is never cut, halved or
 * asked in parts: a node that failed gets one request an interval. */
bool piece_stays_whole(const struct job *job);

/* piece_halve(job): the first half of the present piece; it has 2 or more.
 * piece_halve_too_large(job): because of its size, which the node's bulks keep
 * below until ${too_large_ns} later. piece_not_too_large(job): one operation
 * alone was to blame. */
void piece_halve(struct job *job);
void piece_halve_too_large(struct job *job, int64_t now_ns);
void piece_not_too_large(struct job *job);

/* piece_skip(job, n): the rest of the present piece after its first ${n}; false
 * when nothing of the job is left. */
bool piece_skip(struct job *job, size_t n);

/* piece_changes(job): how many of its operations are changes. */
uint32_t piece_changes(const struct job *job);

/* piece_body(job, ret_len): the present piece as a JSON array. */
const char *piece_body(struct job *job, size_t *ret_len);

/* exchange.c */

/* exchange_start(job, now_ns): it was granted: send its piece. */
void exchange_start(struct job *job, int64_t now_ns);

/* exchange_resume(job, now_ns): feeds what is left, then reads on. */
void exchange_resume(struct job *job, int64_t now_ns);

/* exchange_close(job): ends its transfer, if there is one, in the middle or
 * not, and gives back what it held: permit if nothing was sent, place, slot. */
void exchange_close(struct job *job);

/* exchange_expired(job): its timer fired. */
void exchange_expired(struct job *job);

/* exchange_tell_item(job, item, result): how an item of its piece ended. */
void exchange_tell_item(struct job *job, size_t item,
                        const struct item_result *result);

/* settle.c */

/* settle(job, now_ns): its request is over: the next piece, the same one in
 * smaller parts or once more, or the job's end. */
void settle(struct job *job, int64_t now_ns);

/* node.c */

/* node_login_told(job): what the reply says of the login. */
void node_login_told(struct job *job, enum status kind, int http_status,
                     int64_t now_ns);

#endif
