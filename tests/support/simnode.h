/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef SIMNODE_H
#define SIMNODE_H

/* simnode: a stand-in for the Jolokia endpoint of an Artemis broker, with the
 * hazards that real ones, and what stands before them, have shown. One thread,
 * one epoll. A *port* is a listening socket; a *node* is what answers under one
 * port and path prefix ("/slow=200+cut=9/console/jolokia"), with hazards and
 * counters of its own. Tests only: it ends the process when out of memory. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct json_object;
struct ssl_st; /* OpenSSL's SSL */

/* Bytes that grow. */
struct text {
  char *bytes;
  size_t len;
  size_t size;
};
void text_add(struct text *text, const void *bytes, size_t len);
void text_addz(struct text *text, const char *string);
void text_number(struct text *text, int64_t number);
/* text_json(text, bytes, len, slashes): the inside of a JSON string; '/' as
 * "\/" too where ${slashes}. */
void text_json(struct text *text, const char *bytes, size_t len, bool slashes);
/* text_quote(text, string, slashes): a whole JSON string. */
void text_quote(struct text *text, const char *string, bool slashes);
void text_free(struct text *text);

/* simnode_hazard.c */
enum hazard {
  H_NODE,
  H_REFUSE,
  H_HANG,
  H_SLOW,
  H_SLOW_EXEC,
  H_DRIP,
  H_DRIP_MS,
  H_STALL,
  H_CUT,
  H_LENGTH,
  H_CUT_HEAD,
  H_LONG_HEAD,
  H_CODED,
  H_IDLE_CLOSE,
  H_RESET_AFTER_READ,
  H_FIN_AFTER_READ,
  H_STRAY_AFTER_READ,
  H_CLOSE_UNREAD,
  H_REDIRECT,
  H_401,
  H_403,
  H_429,
  H_503,
  H_404_HTML,
  H_413,
  H_400_TEXT,
  H_STATUS,
  H_HTML200,
  H_TEXT200,
  H_EMPTY,
  H_NUL_FIRST,
  H_GARBAGE,
  H_GARBAGE_HTTP,
  H_ORIGIN,
  H_AUTH,
  H_LONE_OBJECT,
  H_TOO_FEW,
  H_TOO_MANY,
  H_BIG,
  H_NOT_STARTED,
  H_BACKUP,
  H_NO_BROKER,
  H_TWO_BROKERS,
  H_FLAPPING,
  H_LONG_ROW,
  H_NPE_LISTING,
  H_COUNT_DIFFERS,
  H_DENIED_EXEC,
  H_DENIED_READ,
  H_VIEWER,
  H_FAULT,
  H_FAULT_OBJECT,
  H_NEGATIVE,
  H_TEXT_NUMBER,
  H_NULLS,
  H_KEY_ORDER,
  H_FOREIGN_ROW,
  H_RESET_AFTER_EXEC,
  H_LATE_EXEC,
  H_DENIED_CHANGE,
  H_GONE_AFTER,
  H_REMADE_AFTER,
  H_FULL_AFTER,
  H_BUSY,
  H_FALSE_FIRST,
  H_HIDE,
  H_POLICY,
  H_COUNT
};
struct hazards {
  bool on[H_COUNT];
  int64_t value[H_COUNT];
  char *text[H_COUNT]; /* of those whose value is text; owned */
};
/* hazards_add(hazards, word): "NAME" or "NAME=VALUE"; false: no such hazard. */
bool hazards_add(struct hazards *hazards, const char *word);
/* hazards_add_path(hazards, path): those of the first part of a path; what is
 * not a hazard is left alone. */
void hazards_add_path(struct hazards *hazards, const char *path);
void hazards_copy(struct hazards *to, const struct hazards *from);
void hazards_free(struct hazards *hazards);
void hazards_help(FILE *out);

/* simnode_name.c: an object name, just far enough. */
#define NAME_KEYS 8
struct name {
  char *copy;
  const char *domain;
  const char *keys[NAME_KEYS];
  const char *values[NAME_KEYS]; /* quotes and escapes as written */
  size_t n;
  bool is_pattern;
};
bool name_parse(struct name *name, const char *text);
void name_free(struct name *name);
const char *name_get(const struct name *name, const char *key);
/* name_match(pattern, value): as the JMX does it, on the text as written. */
bool name_match(const char *pattern, const char *value);
/* name_quote(out, plain): as ObjectName.quote() does it. */
void name_quote(struct text *out, const char *plain);

/* simnode_broker.c: the broker's objects and their values. */
struct queue {
  char *name;
  char *address;
  char *quoted; /* object name values */
  char *quoted_address;
  char *row_head; /* the listing's row up to the first value, escaped twice */
  char *mbean; /* the object name's properties, in canonical order, escaped */
  bool is_temporary;
  bool is_internal;
};
struct address {
  char *name;
  char *quoted;
  char *mbean;
};
struct preset { /* --set OBJECT.ATTRIBUTE=JSON */
  char *object;
  char *attribute;
  char *json;
};
struct broker {
  const char *domain;
  const char *name;
  const char *version;
  unsigned version_number; /* 1000 x major + minor */
  bool is_jolokia2;
  bool slashes; /* Jolokia 1.x escapes them */
  const char *topology;
  int64_t one_since_ns; /* all ports are one broker's, since then; 0: each port
                           and path is one of its own */
  char *quoted;
  char *mbean;
  struct queue *queues;
  size_t n_queues;
  struct address *addresses;
  size_t n_addresses;
  struct preset *presets;
  size_t n_presets;
};
/* broker_build(broker, n_queues, n_addresses, nasty, internal, names):
 * ${names}: a file with a JSON array of more queues' names; NULL: none. */
void broker_build(struct broker *broker, size_t n_queues, size_t n_addresses,
                  bool nasty, bool internal, const char *names);
void broker_free(struct broker *broker);

enum thing { THING_BROKER, THING_ADDRESS, THING_QUEUE };
struct node;
/* broker_value(out, broker, node, thing, i, attribute): the attribute's JSON;
 * false: no such attribute in this version. */
bool broker_value(struct text *out, const struct broker *broker,
                  struct node *node, enum thing thing, size_t i,
                  const char *attribute);
/* broker_listing(out, broker, node): what listQueues answers, escaped, without
 * the quotes around it. */
void broker_listing(struct text *out, const struct broker *broker,
                    const struct node *node);
/* broker_addresses(out, broker, node): likewise of listAddresses: id and name.
 */
void broker_addresses(struct text *out, const struct broker *broker,
                      const struct node *node);

/* simnode_values.c */
int64_t queue_number(const char *attribute, size_t i, uint64_t tick);

/* simnode_log.c */
void log_open(const char *path);
struct conn;
void log_line(const struct conn *conn, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* log_arrival(): the same, at the time when the last bytes arrived. */
void log_arrival(const struct conn *conn, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int64_t now_ns(void);

/* What answers under one port and path prefix. */
struct node {
  struct node *next;
  struct port *port;
  char *path;
  struct hazards hazards;
  uint64_t tick;     /* bulk requests answered so far: values move with it */
  uint64_t listings; /* listQueues so far */
  uint64_t active_reads;
};
struct port {
  int fd;
  unsigned number;
  struct hazards hazards;
  struct node *nodes;
  uint64_t requests;
  unsigned auth_failures;
  int64_t auth_until_ns; /* refused without a look before this */
};

/* simnode_reply.c: bytes in, bytes out. */
/* reply_operations(body, len, ret): the words of the log's operations line. */
void reply_operations(const char *body, size_t len, struct text *ret);
/* reply_build(out, broker, node, body, len): the JSON of the reply. */
void reply_build(struct text *out, const struct broker *broker,
                 struct node *node, const char *body, size_t len);

/* simnode_messages.c: the first queue's messages. */
/* messages_build(n, origin): ${origin}: the queue that they come from, or
 * NULL. */
void messages_build(size_t n, const char *origin);
/* messages_value(out, thing, i, attribute): false: it is none of these. */
bool messages_value(struct text *out, enum thing thing, size_t i,
                    const char *attribute);
/* messages_exec(out, broker, node, operation, i, called): on the ${i}th queue;
 * false: no such operation. Each change is told to the log as it is done, and
 * each page that is looked at. */
bool messages_exec(struct text *out, const struct broker *broker,
                   struct node *node, struct json_object *operation, size_t i,
                   const char *called);
/* messages_drop(node): whether the request that was built has changed messages
 * and is not to be answered. */
bool messages_drop(const struct node *node);

/* simnode_item.c: one operation of a bulk. */
void item_begin(struct text *out, const struct broker *broker,
                struct json_object *operation);
void item_end(struct text *out, const struct broker *broker);
void item_build(struct text *out, const struct broker *broker,
                struct node *node, struct json_object *operation);
void item_error(struct text *out, const struct broker *broker,
                struct json_object *operation, int status, const char *type,
                const char *message);

/* simnode_http.c: a connection. */
enum conn_state {
  CONN_READING,
  CONN_WAITING,
  CONN_WRITING,
  CONN_MUTE,
  CONN_ENDING
};
struct conn {
  struct conn *next;
  int fd;
  struct ssl_st *tls; /* NULL: plain */
  uint64_t number;
  struct port *port;
  struct node *node; /* of its last request; NULL before the first */
  enum conn_state state;
  struct text in;
  int64_t arrived_ns; /* the last bytes read, by the kernel's stamp */
  size_t head_len;    /* of the request at hand; 0: not read yet */
  size_t body_len;
  bool keep;
  bool is_get;
  bool has_origin;
  char origin[256];
  char authorization[256];
  char path[512];
  uint64_t request; /* its number at this port */
  uint64_t served;  /* requests read on this connection */
  struct text out;
  size_t sent;
  int status;
  bool close_after;
  bool mute_after;
  int64_t due_ns; /* 0: never */
  bool is_closed;
};
struct sim {
  struct broker broker;
  struct port *ports;
  size_t n_ports;
  int epoll;
  struct conn *conns;
  uint64_t n_conns;
  bool log_wire;
};
void conn_open(struct sim *sim, struct port *port);
void conn_ready(struct sim *sim, struct conn *conn, uint32_t events);
void conn_due(struct sim *sim, struct conn *conn);
/* conn_sweep(sim): frees the closed ones. */
void conn_sweep(struct sim *sim);

/* simnode_stamp.c: when bytes arrived, by the kernel's own stamp: a stand-in
 * that the machine lets run late does not make a client look bunched. Wanted
 * of a listening socket, it holds for what it accepts. */
void stamp_want(int fd);
ssize_t stamp_recv(int fd, void *bytes, size_t len, int64_t *ret_arrived_ns);

/* simnode_tls.c: recv() and send(), with TLS where a certificate was given. */
void tls_open(const char *certificate, const char *client_ca);
void tls_close(void);
void tls_accept(struct conn *conn);
void tls_end(struct conn *conn, bool is_orderly);
ssize_t tls_recv(struct conn *conn, void *bytes, size_t len);
ssize_t tls_send(struct conn *conn, const void *bytes, size_t len);

/* simnode_front.c: what answers before, or instead of, Jolokia. */
/* front_answer(sim, conn): fills conn->out and what goes with it; false:
 * Jolokia is to answer. */
bool front_answer(struct conn *conn, unsigned version_number);
void front_reply(struct conn *conn, int status, const char *headers,
                 const char *type, const char *body, size_t len);
/* front_body(conn, broker, body): the reply of Jolokia, framed. */
void front_body(struct conn *conn, const struct broker *broker,
                const struct text *body);

#endif
