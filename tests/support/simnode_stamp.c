/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>

void stamp_want(int fd) {
  int one = 1;

  if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one) < 0)
    perror("simnode: SO_TIMESTAMPNS");
}

/* The stamp is CLOCK_REALTIME's, the log's time CLOCK_MONOTONIC's: its age is
 * the same in both. */
static int64_t age_ns(const struct timespec *stamp) {
  struct timespec now;
  int64_t age;

  clock_gettime(CLOCK_REALTIME, &now);
  age = (now.tv_sec - stamp->tv_sec) * INT64_C(1000000000) + now.tv_nsec -
        stamp->tv_nsec;
  return age > 0 ? age : 0;
}

ssize_t stamp_recv(int fd, void *bytes, size_t len, int64_t *ret_arrived_ns) {
  union {
    char bytes[CMSG_SPACE(sizeof(struct timespec))];
    struct cmsghdr aligned;
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = len};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  ssize_t n = recvmsg(fd, &message, 0);
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  struct timespec stamp;

  *ret_arrived_ns = now_ns();
  if (n > 0 && head != NULL && head->cmsg_level == SOL_SOCKET &&
      head->cmsg_type == SCM_TIMESTAMPNS) {
    memcpy(&stamp, CMSG_DATA(head), sizeof stamp);
    *ret_arrived_ns -= age_ns(&stamp);
  }
  return n;
}
