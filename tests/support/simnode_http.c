/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_HEAD 8192               /* Jetty's */
#define MAX_BODY ((size_t)64 << 20) /* ours */
#define MAX_NODES 1024
#define IDLE_MS 30000 /* Jetty's */
#define MS INT64_C(1000000)
#define ENDING_MS 100 /* for what crosses our FIN */

static void conn_close(struct conn *conn, const char *why, bool reset) {
  struct linger linger = {.l_onoff = 1, .l_linger = 0};

  if (conn->is_closed)
    return;
  tls_end(conn, !reset);
  if (reset)
    setsockopt(conn->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  log_line(conn, "close %s", why);
  close(conn->fd);
  conn->is_closed = true;
}

static void watch(struct sim *sim, struct conn *conn, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = conn};

  if (epoll_ctl(sim->epoll, EPOLL_CTL_MOD, conn->fd, &event) < 0)
    perror("simnode: epoll_ctl");
}

static const struct hazards *hazards_of(const struct conn *conn) {
  return conn->node != NULL ? &conn->node->hazards : &conn->port->hazards;
}

static void set_idle(struct conn *conn) {
  const struct hazards *hazards = hazards_of(conn);
  int64_t ms =
      hazards->on[H_IDLE_CLOSE] ? hazards->value[H_IDLE_CLOSE] : IDLE_MS;

  conn->state = CONN_READING;
  conn->due_ns = now_ns() + ms * MS;
}

void conn_open(struct sim *sim, struct port *port) {
  struct epoll_event event = {.events = EPOLLIN};
  struct conn *conn;
  int one = 1;
  int fd = accept4(port->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

  if (fd < 0)
    return;
  conn = calloc(1, sizeof *conn);
  if (conn == NULL)
    exit(1);
  conn->fd = fd;
  conn->port = port;
  conn->number = ++sim->n_conns;
  conn->next = sim->conns;
  sim->conns = conn;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  event.data.ptr = conn;
  if (epoll_ctl(sim->epoll, EPOLL_CTL_ADD, fd, &event) < 0)
    perror("simnode: epoll_ctl");
  tls_accept(conn);
  log_line(conn, "open");
  set_idle(conn);
}

static struct node *node_of(struct port *port, const char *path) {
  struct node *node = port->nodes;
  size_t n = 0;

  for (; node != NULL; node = node->next, n++)
    if (strcmp(node->path, path) == 0)
      return node;
  if (n == MAX_NODES) {
    fputs("simnode: too many paths\n", stderr);
    exit(1);
  }
  node = calloc(1, sizeof *node);
  if (node == NULL)
    exit(1);
  node->path = strdup(path);
  node->port = port;
  hazards_copy(&node->hazards, &port->hazards);
  hazards_add_path(&node->hazards, path);
  node->next = port->nodes;
  port->nodes = node;
  return node;
}

static void take_header(struct sim *sim, struct conn *conn, const char *line,
                        size_t len) {
  const char *colon = memchr(line, ':', len);
  size_t name_len = colon != NULL ? (size_t)(colon - line) : len;
  const char *value = colon != NULL ? colon + 1 : line + len;
  size_t value_len = len - (size_t)(value - line);

  while (value_len > 0 && *value == ' ') {
    value++;
    value_len--;
  }
  if (sim->log_wire)
    log_line(conn, "header %.*s", (int)len, line);
  if (name_len == 14 && strncasecmp(line, "Content-Length", 14) == 0)
    conn->body_len = strtoul(value, NULL, 10);
  else if (name_len == 10 && strncasecmp(line, "Connection", 10) == 0)
    conn->keep = value_len < 5 || strncasecmp(value, "close", 5) != 0;
  else if (name_len == 6 && strncasecmp(line, "Origin", 6) == 0) {
    conn->has_origin = true;
    snprintf(conn->origin, sizeof conn->origin, "%.*s", (int)value_len, value);
  } else if (name_len == 13 && strncasecmp(line, "Authorization", 13) == 0) {
    snprintf(conn->authorization, sizeof conn->authorization, "%.*s",
             (int)value_len, value);
  }
}

/* The header block is here: this is what counts as a request. */
static void take_head(struct sim *sim, struct conn *conn) {
  const char *at = conn->in.bytes;
  const char *end = at + conn->head_len - 2;
  const char *line_end = strstr(at, "\r\n");
  char method[16] = "?";
  char path[sizeof conn->path] = "/";

  conn->keep = true;
  conn->body_len = 0;
  conn->has_origin = false;
  conn->origin[0] = conn->authorization[0] = '\0';
  sscanf(at, "%15s %511s", method, path);
  memcpy(conn->path, path, sizeof path);
  conn->is_get = strcmp(method, "POST") != 0;
  conn->request = ++conn->port->requests;
  conn->served++;
  conn->node = node_of(conn->port, conn->path);
  log_arrival(conn, "request %" PRIu64 " %s %s %zu", conn->request, method,
              conn->path, conn->head_len);
  for (at = line_end + 2; at < end; at = line_end + 2) {
    line_end = strstr(at, "\r\n");
    take_header(sim, conn, at, (size_t)(line_end - at));
  }
  if (conn->body_len > MAX_BODY)
    conn_close(conn, "body too long", true);
}

static void finish(struct sim *sim, struct conn *conn) {
  log_line(conn, "answered %" PRIu64 " %d %zu", conn->request, conn->status,
           conn->out.len);
  conn->out.len = 0;
  conn->sent = 0;
  if (conn->mute_after) {
    conn->state = CONN_MUTE;
    conn->due_ns = 0;
  } else if (conn->close_after) {
    conn_close(conn, "sim", false);
    return;
  } else {
    set_idle(conn);
  }
  watch(sim, conn, EPOLLIN);
}

static void write_on(struct sim *sim, struct conn *conn) {
  const struct hazards *hazards = hazards_of(conn);

  conn->state = CONN_WRITING;
  while (conn->sent < conn->out.len) {
    size_t len = conn->out.len - conn->sent;
    ssize_t n;

    if (hazards->on[H_DRIP] && hazards->value[H_DRIP] > 0 &&
        len > (size_t)hazards->value[H_DRIP])
      len = (size_t)hazards->value[H_DRIP];
    n = tls_send(conn, conn->out.bytes + conn->sent, len);
    if (n < 0 && errno == EAGAIN) {
      conn->due_ns = 0;
      watch(sim, conn, EPOLLIN | EPOLLOUT);
      return;
    }
    if (n < 0) {
      conn_close(conn, "write", false);
      return;
    }
    conn->sent += (size_t)n;
    if (hazards->on[H_DRIP] && conn->sent < conn->out.len) {
      conn->due_ns =
          now_ns() +
          (hazards->on[H_DRIP_MS] ? hazards->value[H_DRIP_MS] : 1) * MS;
      watch(sim, conn, EPOLLIN);
      return;
    }
  }
  finish(sim, conn);
}

/* What is done to a request that has been read, instead of answering it. */
static bool drop(struct conn *conn) {
  const struct hazards *hazards = hazards_of(conn);
  static const enum hazard after[] = {H_RESET_AFTER_READ, H_FIN_AFTER_READ,
                                      H_STRAY_AFTER_READ};

  for (size_t i = 0; i < 3; i++) {
    if (!hazards->on[after[i]] ||
        conn->served < (uint64_t)hazards->value[after[i]])
      continue;
    if (after[i] == H_STRAY_AFTER_READ)
      (void)!tls_send(conn, "?!?", 3);
    conn_close(conn, "hazard", after[i] == H_RESET_AFTER_READ);
    return true;
  }
  if (hazards->on[H_HANG]) {
    conn->state = CONN_MUTE;
    conn->due_ns = 0;
    return true;
  }
  return false;
}

static void build(struct sim *sim, struct conn *conn, const char *body) {
  struct text reply = {0};

  if (front_answer(conn, sim->broker.version_number))
    return;
  if (conn->node->hazards.on[H_NUL_FIRST])
    text_add(&reply, "", 1);
  if (conn->is_get)
    reply_build(&reply, &sim->broker, conn->node, "{\"type\":\"version\"}", 18);
  else
    reply_build(&reply, &sim->broker, conn->node, body, conn->body_len);
  front_body(conn, &sim->broker, &reply);
  text_free(&reply);
}

/* What the request costs the broker; ${words} are those of the log. */
static int64_t handling_ns(const struct hazards *hazards, const char *words) {
  int64_t ms = hazards->on[H_SLOW] ? hazards->value[H_SLOW] : 0;

  for (; hazards->on[H_SLOW_EXEC] && (words = strstr(words, " exec:")) != NULL;
       words++)
    ms += hazards->value[H_SLOW_EXEC];
  return ms * MS;
}

static void answer(struct sim *sim, struct conn *conn) {
  const char *body = conn->in.bytes + conn->head_len;
  const struct hazards *hazards = hazards_of(conn);
  struct text words = {0};
  size_t whole = conn->head_len + conn->body_len;
  int64_t wait_ns;

  reply_operations(body, conn->body_len, &words);
  log_line(conn, "operations %" PRIu64 " %s", conn->request, words.bytes);
  wait_ns = handling_ns(hazards, words.bytes);
  text_free(&words);
  if (sim->log_wire)
    log_line(conn, "body %.*s", (int)conn->body_len, body);
  conn->close_after = conn->mute_after = false;
  conn->status = 0;
  if (drop(conn))
    return;
  build(sim, conn, body);
  if (messages_drop(conn->node)) {
    conn_close(conn, "hazard", true);
    return;
  }
  memmove(conn->in.bytes, conn->in.bytes + whole, conn->in.len - whole);
  conn->in.len -= whole;
  conn->in.bytes[conn->in.len] = '\0';
  conn->head_len = 0;
  if (wait_ns > 0) {
    conn->state = CONN_WAITING;
    conn->due_ns = now_ns() + wait_ns;
    return;
  }
  write_on(sim, conn);
}

/* Takes what has arrived as far as it goes. */
static void advance(struct sim *sim, struct conn *conn) {
  while (!conn->is_closed && conn->state == CONN_READING && conn->in.len > 0) {
    if (conn->head_len == 0) {
      const char *blank = memmem(conn->in.bytes, conn->in.len, "\r\n\r\n", 4);

      if (blank == NULL && conn->in.len > MAX_HEAD) {
        conn->keep = false;
        front_reply(conn, 431, "", NULL, "", 0);
        write_on(sim, conn);
        return;
      }
      if (blank == NULL)
        return;
      conn->head_len = (size_t)(blank - conn->in.bytes) + 4;
      take_head(sim, conn);
      continue;
    }
    if (conn->in.len < conn->head_len + conn->body_len)
      return;
    answer(sim, conn);
  }
}

/* An idle connection is ended by FIN at once, and closed a little later: a
 * request that was on its way is told apart ("unread"). */
static void end_idle(struct conn *conn) {
  if (conn->tls != NULL || shutdown(conn->fd, SHUT_WR) < 0) {
    conn_close(conn, "idle", false);
    return;
  }
  conn->state = CONN_ENDING;
  conn->due_ns = now_ns() + ENDING_MS * MS;
}

static void end_now(struct conn *conn) {
  char byte;
  bool is_unread = conn->head_len == 0 && conn->in.len == 0 &&
                   recv(conn->fd, &byte, 1, MSG_PEEK) == 1;

  conn_close(conn, is_unread ? "unread" : "idle", false);
}

static void read_on(struct sim *sim, struct conn *conn) {
  const struct hazards *hazards = hazards_of(conn);
  static char bytes[262144];
  ssize_t n;

  if (conn->state == CONN_ENDING) {
    end_now(conn);
    return;
  }
  if (hazards->on[H_CLOSE_UNREAD] && conn->head_len == 0 && conn->in.len == 0 &&
      conn->served + 1 >= (uint64_t)hazards->value[H_CLOSE_UNREAD] &&
      recv(conn->fd, bytes, 1, MSG_PEEK) == 1) {
    conn_close(conn, "unread", false);
    return;
  }
  for (;;) { /* TLS keeps what it has read: until there is no more */
    n = tls_recv(conn, bytes, sizeof bytes);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
      break;
    if (n <= 0) {
      conn_close(conn, n == 0 ? "peer" : "reset", false);
      return;
    }
    text_add(&conn->in, bytes, (size_t)n);
    if (conn->tls == NULL)
      break;
  }
  if (conn->state == CONN_READING)
    advance(sim, conn);
}

void conn_ready(struct sim *sim, struct conn *conn, uint32_t events) {
  if (events & EPOLLOUT)
    write_on(sim, conn);
  if (!conn->is_closed && events & (EPOLLIN | EPOLLHUP | EPOLLERR))
    read_on(sim, conn);
  if (!conn->is_closed && conn->state == CONN_READING)
    advance(sim, conn);
}

void conn_due(struct sim *sim, struct conn *conn) {
  conn->due_ns = 0;
  if (conn->state == CONN_READING)
    end_idle(conn);
  else if (conn->state == CONN_ENDING)
    end_now(conn);
  else if (conn->state == CONN_WAITING || conn->state == CONN_WRITING)
    write_on(sim, conn);
  if (!conn->is_closed && conn->state == CONN_READING)
    advance(sim, conn);
}

void conn_sweep(struct sim *sim) {
  struct conn **link = &sim->conns;

  while (*link != NULL) {
    struct conn *conn = *link;

    if (!conn->is_closed) {
      link = &conn->next;
      continue;
    }
    *link = conn->next;
    text_free(&conn->in);
    text_free(&conn->out);
    free(conn);
  }
}
