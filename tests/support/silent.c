/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* silent: a name server that never answers, on UDP 127.0.0.1:53 of a network
 * namespace of the test's own. Prints a line when it is bound; ends by itself
 * after two minutes. */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons(53),
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
    perror("silent");
    return 1;
  }
  puts("bound");
  fflush(stdout);
  (void)alarm(120);
  for (;;)
    pause();
}
