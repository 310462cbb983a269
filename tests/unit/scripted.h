/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef UNIT_SCRIPTED_H
#define UNIT_SCRIPTED_H

/* A server on loopback for tests of the client, in the same thread: the client
 * and the server take turns. What it answers is a function of the test's. */

#include "base/clock.h"
#include "base/num.h"
#include "client/client.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SCRIPTED_CONNECTIONS 64
#define MS INT64_C(1000000)

struct answer {
  char bytes[65536];
  size_t len;
  bool is_closed;   /* FIN afterwards */
  bool is_held;     /* none: the request stays unanswered */
  int64_t delay_ns; /* until it is sent */
  size_t first_len; /* not 0: so much of it, and the rest... */
  int64_t gap_ns;   /* ... so long after that */
};

struct scripted {
  int fd;
  uint16_t port;
  /* ${n}: 1 for the first request. */
  void (*answer)(const char *head, const char *body, size_t n,
                 struct answer *ret);
  size_t read_max; /* of a request; 0: all */
  size_t n_requests;
  size_t n_accepted;
  size_t n_ended; /* connections that the client closed */
  size_t most_open;
  char last_head[8192];
  char bodies[16][8192]; /* of the first requests */
  struct scripted_connection {
    int fd;
    char in[2 * 65536];
    size_t len;
    struct answer out;
    int64_t out_at_ns; /* 0: nothing to send */
  } connections[SCRIPTED_CONNECTIONS];
};

static inline void scripted_start(struct scripted *server) {
  server->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t len = sizeof(address);
  ck_assert_int_eq(
      bind(server->fd, (struct sockaddr *)&address, sizeof(address)), 0);
  ck_assert_int_eq(listen(server->fd, 64), 0);
  ck_assert_int_eq(getsockname(server->fd, (struct sockaddr *)&address, &len),
                   0);
  server->port = ntohs(address.sin_port);
  for (size_t i = 0; i < SCRIPTED_CONNECTIONS; i++)
    server->connections[i].fd = -1;
}

static inline size_t scripted_n_open(const struct scripted *server) {
  size_t n = 0;
  for (size_t i = 0; i < SCRIPTED_CONNECTIONS; i++)
    n += server->connections[i].fd >= 0;
  return n;
}

static inline void scripted_close(struct scripted_connection *c) {
  close(c->fd);
  c->fd = -1;
  c->len = 0;
  c->out_at_ns = 0;
}

static inline void scripted_stop(struct scripted *server) {
  for (size_t i = 0; i < SCRIPTED_CONNECTIONS; i++) {
    if (server->connections[i].fd >= 0)
      scripted_close(&server->connections[i]);
  }
  close(server->fd);
}

static inline void scripted_accept(struct scripted *server) {
  int fd = accept4(server->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0)
    return;
  size_t i = 0;
  while (server->connections[i].fd >= 0)
    ck_assert_uint_lt(++i, SCRIPTED_CONNECTIONS);
  server->connections[i].fd = fd;
  server->n_accepted++;
  if (scripted_n_open(server) > server->most_open)
    server->most_open = scripted_n_open(server);
}

/* One whole request, if there is one. */
static inline void scripted_request(struct scripted *server,
                                    struct scripted_connection *c) {
  char *end = memmem(c->in, c->len, "\r\n\r\n", 4);
  if (!end)
    return;
  *end = 0;
  const char *length = strcasestr(c->in, "\r\nContent-Length: ");
  ck_assert_ptr_nonnull(length);
  int64_t body_len = 0;
  length += strlen("\r\nContent-Length: ");
  ck_assert(num_int64(length, strcspn(length, "\r"), &body_len));
  char *body = end + 4;
  *end = '\r';
  if ((size_t)(body - c->in) + (size_t)body_len > c->len)
    return;
  *end = 0;
  body[body_len] = 0;
  server->n_requests++;
  snprintf(server->last_head, sizeof(server->last_head), "%s", c->in);
  if (server->n_requests <= 16)
    snprintf(server->bodies[server->n_requests - 1], 8192, "%s", body);
  c->out = (struct answer){.len = 0};
  server->answer(c->in, body, server->n_requests, &c->out);
  c->out_at_ns = c->out.is_held ? 0 : clock_mono_ns() + c->out.delay_ns;
  c->len = 0;
}

static inline void scripted_step(struct scripted *server) {
  for (size_t i = 0; i < SCRIPTED_CONNECTIONS; i++) {
    struct scripted_connection *c = &server->connections[i];
    if (c->fd < 0)
      continue;
    if (server->read_max > 0 && c->len >= server->read_max)
      continue;
    ssize_t n = read(c->fd, c->in + c->len, sizeof(c->in) - 1 - c->len);
    if (n > 0) {
      c->len += (size_t)n;
      scripted_request(server, c);
    } else if (n == 0 || errno != EAGAIN) {
      server->n_ended++;
      scripted_close(c);
      continue;
    }
    if (c->out_at_ns == 0 || clock_mono_ns() < c->out_at_ns)
      continue;
    size_t part = c->out.first_len ? c->out.first_len : c->out.len;
    ssize_t sent = send(c->fd, c->out.bytes, part, MSG_NOSIGNAL);
    ck_assert(sent >= 0);
    memmove(c->out.bytes, c->out.bytes + sent, c->out.len - (size_t)sent);
    c->out.len -= (size_t)sent;
    if (c->out.first_len)
      c->out_at_ns = clock_mono_ns() + c->out.gap_ns;
    c->out.first_len = 0;
    if (c->out.len > 0)
      continue;
    c->out_at_ns = 0;
    if (c->out.is_closed)
      scripted_close(c);
  }
  /* Last: what was closed before is seen to be closed before. */
  scripted_accept(server);
}

static inline void answer_with(struct answer *ret, int status,
                               const char *fields, const char *body) {
  int n = snprintf(ret->bytes, sizeof(ret->bytes),
                   "HTTP/1.1 %d Text\r\nContent-Length: %zu\r\n%s\r\n%s",
                   status, strlen(body), fields, body);
  ck_assert_int_lt(n, (int)sizeof(ret->bytes));
  ret->len = (size_t)n;
}

/* {"A":1} for each operation; one whose mbean is "t:n=lone" spoils the bulk, as
 * a malformed name does, with one object in its place; "t:n=fails" fails alone;
 * "t:n=big" is 4,000 bytes long. */
static inline void answer_items(const char *body, struct answer *ret) {
  char text[60000];
  size_t len = 0;
  text[len++] = '[';
  if (strstr(body, "t:n=lone")) {
    answer_with(ret, 200, "",
                "{\"error_type\":\"E\",\"error\":\"no name\",\"status\":400}");
    return;
  }
  for (const char *at = body; (at = strstr(at, "\"mbean\":\"")); at += 9) {
    const char *item = "{\"value\":{\"A\":1},\"status\":200}";
    char big[4096];
    if (strncmp(at + 9, "t:n=fails", 9) == 0)
      item = "{\"error_type\":\"javax.management.InstanceNotFoundException\","
             "\"error\":\"none\",\"status\":404}";
    if (strncmp(at + 9, "t:n=big", 7) == 0) {
      snprintf(big, sizeof(big),
               "{\"value\":{\"A\":1,\"B\":\"%03900d\"},\"status\":200}", 0);
      item = big;
    }
    len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
                            len > 1 ? "," : "", item);
  }
  snprintf(text + len, sizeof(text) - len, "]");
  answer_with(ret, 200, "", text);
}

/* Answers of a server: what is asked for, and none. */
static inline void well(const char *head, const char *body, size_t n,
                        struct answer *ret) {
  (void)head, (void)n;
  answer_items(body, ret);
}

static inline void hang(const char *head, const char *body, size_t n,
                        struct answer *ret) {
  (void)head, (void)body, (void)n;
  ret->is_held = true;
}

/* The client's side. */

#define OPERATIONS 200

/* What came of one job. */
struct told {
  struct job *job;
  size_t rows;
  size_t row_items[OPERATIONS];
  size_t items;
  enum status item_status[OPERATIONS];
  int is_done;
  struct job_result result;
  bool (*on_row)(struct told *told); /* NULL: true */
};

static struct scripted server;
static struct client *client;
static struct operation operations[OPERATIONS];
static struct item_spec specs[OPERATIONS];
static const char *const scripted_attributes[] = {"A"};

static inline bool told_row(void *cookie, size_t item, const struct row *row) {
  struct told *told = cookie;
  ck_assert_int_eq(told->is_done, 0);
  ck_assert_uint_eq(row->n_columns, 1);
  ck_assert_uint_lt(item, OPERATIONS);
  told->rows++;
  told->row_items[item]++;
  return told->on_row ? told->on_row(told) : true;
}

static inline void told_item(void *cookie, size_t item,
                             const struct item_result *result) {
  struct told *told = cookie;
  ck_assert_int_eq(told->is_done, 0);
  ck_assert_uint_lt(item, OPERATIONS);
  told->items++;
  told->item_status[item] = result->status;
}

static inline void told_done(void *cookie, const struct job_result *result) {
  struct told *told = cookie;
  told->is_done++;
  told->result = *result;
}

static inline void scripted_setup(void) {
  memset(&server, 0, sizeof(server));
  scripted_start(&server);
  struct client_options options = {.user_agent = "test"};
  ck_assert_int_eq(client_new(&options, &client, NULL), STATUS_OK);
  for (size_t i = 0; i < OPERATIONS; i++) {
    operations[i] = (struct operation){.type = OPERATION_READ,
                                       .mbean = "t:n=a",
                                       .attributes = scripted_attributes,
                                       .n_attributes = 1};
    specs[i] = (struct item_spec){
        .form = FORM_MBEAN, .columns = scripted_attributes, .n_columns = 1};
  }
}

static inline void scripted_teardown(void) {
  client_free(client);
  client = NULL;
  scripted_stop(&server);
}

/* A fast ceiling: the tests are not about it. */
static inline struct node_options scripted_node(const char *path) {
  struct node_options options = {
      .name = "node",
      .verify_peer = true,
      .verify_host = true,
      .connect_timeout_ns = 1000 * MS,
      .max_request_bytes = 65536,
      .max_response_bytes = 1000000,
      .too_large_ns = 100000 * MS,
      .max_object_bytes = 65536,
      .ceiling = ceiling_settings_default(10 * CLOCK_NS_PER_S)};
  options.ceiling.rates.unit[UNIT_REQUESTS] = bucket_rate_of(1000000, 1000);
  char text[256];
  snprintf(text, sizeof(text), "http://127.0.0.1:%u%s", server.port, path);
  ck_assert_int_eq(url_parse(text, &options.url, NULL), STATUS_OK);
  return options;
}

static inline struct node *scripted_add(const struct node_options *options) {
  struct node *node = NULL;
  ck_assert_int_eq(client_node_add(client, options, &node, NULL), STATUS_OK);
  return node;
}

static inline struct job_options scripted_job(size_t n, struct told *told) {
  return (struct job_options){.owner = OWNER_SCRAPE,
                              .kind = KIND_BROKER,
                              .operations = operations,
                              .specs = specs,
                              .n = n,
                              .timeout_ns = 1000 * MS,
                              .deadline_ns = CLOCK_NEVER,
                              .sink = {told_row, told_item, told},
                              .done = told_done,
                              .cookie = told};
}

static inline void scripted_submit(struct node *node, size_t n,
                                   struct told *told) {
  struct job_options options = scripted_job(n, told);
  struct error error;
  enum status status = client_submit(node, &options, &told->job, &error);
  ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

/* Turns by turns, for so long, or until ${told} is done. */
static inline void scripted_run(const struct told *told, int64_t for_ns) {
  int64_t end_ns = clock_mono_ns() + for_ns;
  /* On a busy machine the time may pass within a turn or two. */
  int64_t least = for_ns / MS < 20 ? for_ns / MS : 20;
  for (int64_t turns = 0; turns < least || clock_mono_ns() < end_ns; turns++) {
    if (told && told->is_done)
      break;
    client_turn(client, clock_mono_ns() + MS / 2);
    scripted_step(&server);
  }
}

static inline void scripted_finish(const struct told *told) {
  scripted_run(told, 5000 * MS);
  ck_assert_int_eq(told->is_done, 1);
}

static inline uint64_t n_sent(struct node *node) {
  const struct node_stats *stats = client_node_stats(node);
  uint64_t n = 0;
  for (int owner = 0; owner < OWNER_COUNT; owner++)
    n += stats->requests[owner];
  return n;
}

static inline int scripted_main(Suite *suite) {
  if (client_global_init(NULL) != STATUS_OK)
    return 1;
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}

#endif
