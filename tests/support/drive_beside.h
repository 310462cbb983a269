/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef DRIVE_BESIDE_H
#define DRIVE_BESIDE_H

/* A scrape beside drive's own work: one job of several requests, of the owner
 * scrape, again and again. */

#include "client/client.h"

struct beside {
  int64_t every_ns; /* 0: none */
  size_t n_requests;
  struct node *node;
  struct operation *operations;
  struct item_spec *specs;
  int64_t next_ns;
  bool is_running;
  uint64_t n, failed, skipped;
  int64_t wait_max_ns; /* for the permits of one, all its requests together */
};

void beside_begin(struct beside *beside, struct node *node);

/* beside_feed(beside, now_ns): starts one where it is due; when the next is.
 * Due while the last one runs: skipped. */
int64_t beside_feed(struct beside *beside, int64_t now_ns);

/* beside_report(beside): the end of drive's last line. beside_end(beside):
 * when the client is gone. */
void beside_report(struct beside *beside);
void beside_end(struct beside *beside);

#endif
