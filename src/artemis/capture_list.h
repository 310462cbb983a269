/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_CAPTURE_LIST_H
#define ARTEMIS_CAPTURE_LIST_H

/* The captures of a broker, whole or not: by the names of diverts, queues and
 * addresses. One request. Pure. */

#include "artemis/capture.h"

#define CAPTURE_LIST_MAX 1000

struct capture_entry {
  char name[CAPTURE_NAME_MAX + 1];
  bool has_address, has_queue, has_divert;
  char *source; /* NULL without a divert */
  char *filter; /* NULL: none */
  int64_t ring; /* -1 without a queue */
  int64_t n_messages, n_consumers;
};

struct capture_list {
  char *domain; /* "DOMAIN:broker=*" */
  struct buf patterns[3];
  struct capture_entry *entries; /* in the order of their names */
  size_t n;
  size_t n_left_out; /* past CAPTURE_LIST_MAX, or without memory */
};

extern const struct step_table capture_list_table;

/* capture_list_init(list, jmx_domain, error): STATUS_NO_MEMORY; to be ended
 * with capture_list_fini() in any outcome. */
enum status capture_list_init(struct capture_list *list, const char *jmx_domain,
                              struct error *error);
void capture_list_fini(struct capture_list *list);

/* capture_entry_is_whole(entry): it has its three parts. */
bool capture_entry_is_whole(const struct capture_entry *entry);

#endif
