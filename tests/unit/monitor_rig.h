/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef UNIT_MONITOR_RIG_H
#define UNIT_MONITOR_RIG_H

/* The monitor alone, in virtual time: the clock, the client and the scrape are
 * stand-ins, in place of those of the core. */

#include "base/clock.h"
#include "client/monitor.h"

#define S CLOCK_NS_PER_S
#define MS CLOCK_NS_PER_MS
#define START (1000 * S)
#define WALL (1700000000 * S)

enum {
  MAX_JOBS = 4096,
  MAX_NODES = 1024,
  N_VALUES_OF = 4,
  NAME_ROOM = 32,
  SAMPLES_A_ROW = 10
};

extern int64_t now_ns; /* CLOCK_MONOTONIC; the wall clock is WALL more */

/* A node of the client, by its name, which stays when it is removed. */
struct node {
  char name[NAME_ROOM];
  struct node_stats stats;
  int64_t delay_ns;     /* CLOCK_NEVER: never answers */
  enum status kind;     /* how it answers */
  enum status refusal;  /* of client_submit() */
  enum status addition; /* of client_node_add() */
  enum status change;   /* of client_node_reconfigure() */
  uint64_t rows;        /* of each reply */
  int64_t handling_ns;  /* likewise */
  struct ceiling_settings ceiling;
  bool is_held;
  bool is_held_by_operator;
  bool is_used;   /* it is there now */
  bool is_closed; /* ... and going */
  int n_added, n_changed;
  int n_over[TIER_COUNT]; /* whole rounds */
};
extern struct node nodes[MAX_NODES];

struct sent {
  int64_t at_ns;
  int64_t timeout_ns;
  int64_t deadline_ns;
  enum owner owner;
  enum request_kind kind;
  const struct node *node;
};
extern struct sent *sent;
extern int n_sent;

extern bool ends_at_timeout; /* jobs without a reply do */
extern int n_scrapes;        /* made so far */
extern bool falls_back;      /* a failed listing is followed by a read */

/* What is set and what is under way. */
size_t n_timers(void);
size_t n_in_flight(void);

extern struct node_settings node_settings[MAX_NODES];
extern struct settings settings; /* of node_settings */
extern struct monitor *monitor;
extern uint64_t n_values; /* of the broker */
extern uint64_t n_self;   /* sets of self-metrics */
extern uint64_t n_values_of[N_VALUES_OF];
extern int64_t first_value_ns, last_value_ns;
extern char last_notice[512]; /* "HOST: TEXT"; "": none */

/* set_up(n, is_once, want_self_metrics): a monitor of the nodes 0 to ${n} - 1
 * in one cluster, with an interval of 10 s, started at START. */
void set_up(size_t n, bool is_once, bool want_self_metrics);
void tear_down(void);

/* name_node(i): the client knows node ${i}: "node-a" and so on.
 * settings_of(i): what set_up() gives it. */
void name_node(size_t i);
struct node_settings settings_of(size_t i);

void run_until(int64_t until_ns);
struct monitor_view view_of(size_t i);
int count_sent(enum request_kind kind, int64_t from_ns, int64_t to_ns);

#endif
