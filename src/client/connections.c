/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/connections.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

size_t connections_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return 0;
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > 1000000)
    return 1000000 - CONNECTIONS_FD_RESERVE;
  if (limit.rlim_cur <= CONNECTIONS_FD_RESERVE)
    return 0;
  return (size_t)limit.rlim_cur - CONNECTIONS_FD_RESERVE;
}

void connections_init(struct connections *connections) {
  *connections = (struct connections){.by_fd = NULL, .size = 0};
}

void connections_fini(struct connections *connections) {
  for (size_t fd = 0; fd < connections->size; fd++)
    free(connections->by_fd[fd]);
  free(connections->by_fd);
  connections_init(connections);
}

static bool make_room(struct connections *connections, size_t fd) {
  if (fd < connections->size)
    return true;
  size_t size = (fd / 256 + 1) * 256;
  struct connection **by_fd =
      realloc(connections->by_fd, size * sizeof(struct connection *));
  if (!by_fd)
    return false;
  for (size_t i = connections->size; i < size; i++)
    by_fd[i] = NULL;
  connections->by_fd = by_fd;
  connections->size = size;
  return true;
}

static struct connection *find(const struct connections *connections, int fd) {
  if (fd < 0 || (size_t)fd >= connections->size)
    return NULL;
  return connections->by_fd[fd];
}

static void leave_group(struct connection *connection) {
  struct connection_group *group = connection->group;
  if (!group)
    return;
  if (connection->prev)
    connection->prev->next = connection->next;
  else
    group->first = connection->next;
  if (connection->next)
    connection->next->prev = connection->prev;
  connection->next = connection->prev = NULL;
  connection->group = NULL;
  group->n--;
}

static void join_group(struct connection *connection,
                       struct connection_group *group) {
  connection->group = group;
  connection->next = group->first;
  if (group->first)
    group->first->prev = connection;
  group->first = connection;
  group->n++;
}

/* libcurl 7.88.1 closes a socket whose connect() fails at once without a word:
 * the next one with its number finds it here. */
static void forget(struct connections *connections, int fd) {
  struct connection *connection = find(connections, fd);
  if (!connection)
    return;
  connections->by_fd[fd] = NULL;
  leave_group(connection);
  free(connection);
}

static int socket_above_floor(int family, int type, int protocol) {
  int fd = socket(family, type | SOCK_CLOEXEC, protocol);
  if (fd < 0)
    return -1;
  int above = fcntl(fd, F_DUPFD_CLOEXEC, CONNECTIONS_FD_FLOOR);
  if (above < 0)
    return fd;
  close(fd);
  return above;
}

int connections_open(struct connections *connections,
                     struct connection_group *group, const void *user,
                     int family, int type, int protocol) {
  struct connection *connection = calloc(1, sizeof(*connection));
  if (!connection)
    return -1;
  int fd = socket_above_floor(family, type, protocol);
  if (fd < 0) {
    free(connection);
    return -1;
  }
  if (!make_room(connections, (size_t)fd)) {
    close(fd);
    free(connection);
    errno = ENOMEM;
    return -1;
  }
  forget(connections, fd);
  connection->fd = fd;
  connection->user = user;
  join_group(connection, group);
  connections->by_fd[fd] = connection;
  return fd;
}

void connections_close(struct connections *connections, int fd) {
  forget(connections, fd);
  close(fd);
}

bool connections_use(struct connections *connections, int fd,
                     struct connection_group *group, const void *user) {
  struct connection *connection = find(connections, fd);
  if (!connection)
    return false;
  if (connection->group != group) {
    leave_group(connection);
    join_group(connection, group);
  }
  connection->user = user;
  return true;
}

void connections_release(struct connection_group *group, const void *user,
                         int64_t now_ns) {
  for (struct connection *c = group->first; c; c = c->next) {
    if (c->user == user) {
      c->user = NULL;
      c->idle_since_ns = now_ns;
    }
  }
}

static bool is_silent(int fd) {
  char byte;
  ssize_t n = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return n < 0 && errno == EAGAIN;
}

size_t connections_n_idle(const struct connection_group *group,
                          int64_t now_ns) {
  size_t n = 0;
  for (const struct connection *c = group->first; c; c = c->next) {
    if (!c->user &&
        now_ns - c->idle_since_ns < CONNECTIONS_AGE_S * CLOCK_NS_PER_S &&
        is_silent(c->fd))
      n++;
  }
  return n;
}

/* It may be closed by the other side already: no matter. libcurl keeps the
 * descriptor until it next looks for a connection. */
static void shut(struct connection *connection) {
  (void)shutdown(connection->fd, SHUT_RDWR);
  leave_group(connection);
}

void connections_make_way(struct connection_group *group) {
  struct connection *oldest = NULL;
  for (struct connection *c = group->first; c; c = c->next) {
    if (!c->user && (!oldest || c->idle_since_ns < oldest->idle_since_ns))
      oldest = c;
  }
  if (oldest)
    shut(oldest);
}

void connections_abandon(struct connection_group *group) {
  while (group->first) {
    struct connection *connection = group->first;
    if (connection->user)
      leave_group(connection);
    else
      shut(connection);
  }
}

int64_t connections_min_rtt_ns(int fd) {
  struct tcp_info info;
  socklen_t len = sizeof(info);
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) != 0 ||
      len < offsetof(struct tcp_info, tcpi_min_rtt) + sizeof(info.tcpi_min_rtt))
    return 0;
  if (info.tcpi_min_rtt == UINT32_MAX)
    return 0;
  return (int64_t)info.tcpi_min_rtt * 1000;
}
