/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_CONNECTIONS_H
#define CLIENT_CONNECTIONS_H

/* The sockets that libcurl opens and closes through us: whose they are, which
 * are idle, and where their descriptors lie. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Other plugins of the daemon use select(), which cannot take a descriptor of
 * 1,024 or more; ours need not lie below. */
#define CONNECTIONS_FD_FLOOR 1024

/* Descriptors left to the rest of the process. */
#define CONNECTIONS_FD_RESERVE 256

/* libcurl takes no idle connection older than this (CURLOPT_MAXAGE_CONN):
 * Jetty's own idle timeout is 30 s. */
#define CONNECTIONS_AGE_S 25

struct connection {
  struct connection *next; /* in its group */
  struct connection *prev;
  struct connection_group *group; /* NULL: its node is gone */
  const void *user;               /* the transfer that has it; NULL: idle */
  int fd;
  int64_t idle_since_ns;
};

/* The connections of one node. All zero: none. */
struct connection_group {
  struct connection *first;
  uint32_t n;
};

struct connections {
  struct connection **by_fd;
  size_t size;
};

/* connections_limit(): how many connections this process may have open: its
 * soft limit of descriptors less the reserve; 0 where that is nothing. */
size_t connections_limit(void);

void connections_init(struct connections *connections);
void connections_fini(struct connections *connections); /* closes none */

/* connections_open(connections, group, user, family, type, protocol): a socket,
 * close-on-exec, at the floor or above where the limit allows; -1 with errno.
 */
int connections_open(struct connections *connections,
                     struct connection_group *group, const void *user,
                     int family, int type, int protocol);
void connections_close(struct connections *connections, int fd);

/* connections_use(connections, fd, group, user): a request goes out on it; it
 * may have been another node's, at the same host and port. False where ${fd} is
 * none of ours. */
bool connections_use(struct connections *connections, int fd,
                     struct connection_group *group, const void *user);

/* connections_release(group, user, now_ns): the transfer is over: what libcurl
 * kept open of it is idle. */
void connections_release(struct connection_group *group, const void *user,
                         int64_t now_ns);

/* connections_n_idle(group, now_ns): those that libcurl would take: idle, young
 * enough, open, and with nothing to read. */
size_t connections_n_idle(const struct connection_group *group, int64_t now_ns);

/* connections_make_way(group): shuts down the one that has been idle longest:
 * a node has no more than it may use at a time. */
void connections_make_way(struct connection_group *group);

/* connections_abandon(group): its node is gone: idle ones are shut down, which
 * closes them for the node at once; libcurl drops them when it next looks. */
void connections_abandon(struct connection_group *group);

/* connections_min_rtt_ns(fd): the kernel's smallest round trip; 0 if unknown.
 */
int64_t connections_min_rtt_ns(int fd);

#endif
