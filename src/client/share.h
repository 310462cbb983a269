/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_SHARE_H
#define CLIENT_SHARE_H

/* One host, one ceiling: a node's ceiling and the record that the processes of
 * the host share. What each does without a usable record is decided here.
 * Nothing waits; the engine's thread alone. */

#include "base/log.h"
#include "limit/ceiling.h"
#include "limit/record.h"

/* The lock is busy: again after 1, 2, 4 ... 20 ms. */
#define SHARE_RETRY_FIRST_NS CLOCK_NS_PER_MS
#define SHARE_RETRY_MAX_NS (20 * CLOCK_NS_PER_MS)
/* Busy for so long: its holder is frozen. */
#define SHARE_BUSY_MAX_NS (100 * CLOCK_NS_PER_MS)
/* The record cannot be used: again after this. */
#define SHARE_UNUSABLE_NS CLOCK_NS_PER_S
/* While somebody waits: what the others did is seen so often. */
#define SHARE_FRESH_NS CLOCK_NS_PER_S
/* After a batch of ours another process, which looks every 20 ms, has its turn.
 */
#define SHARE_BATCH_PAUSE_NS (25 * CLOCK_NS_PER_MS)
/* What is left of the ceiling without a record. */
#define SHARE_ALONE_DAEMON 2
#define SHARE_ALONE_OTHER 10

/* What all nodes of a client have in common. */
struct sharing {
  char *state_dir; /* NULL: nothing is shared, and the ceilings are whole */
  bool is_daemon;
  bool is_unshared;           /* changes go out without a record, too */
  struct record_process self; /* as the others see it */
  struct record_folder *folder;
  int64_t retry_ns; /* of the folder */
  struct error why; /* it cannot be used */
  struct log_repeat told;
  bool is_told; /* and its end not yet */
  struct log_repeat damage_told;
  struct forgotten *forgotten; /* nodes whose records are to go; the next first
                                */
  struct forgotten **forgotten_end;
  size_t n_forgotten;
  size_t n_alone; /* nodes without a record now */
  int64_t end_ns; /* of the last words, all together; 0: none was said */
};

/* sharing_init(sharing, state_dir, is_daemon, is_unshared): copies ${state_dir}
 * (NULL: nothing is shared). STATUS_NO_MEMORY. */
enum status sharing_init(struct sharing *sharing, const char *state_dir,
                         bool is_daemon, bool is_unshared);
void sharing_fini(struct sharing *sharing);

/* Nodes that are gone while their records are not full. */
#define SHARING_FORGOTTEN_MAX 1000

/* sharing_sweep(sharing, now_ns): removes the records of forgotten nodes that
 * are full and that nobody waits for, looking at SHARING_SWEEP_MAX of them, in
 * turn: each costs about 15 us. Returns how many are left. */
#define SHARING_SWEEP_MAX 100
size_t sharing_sweep(struct sharing *sharing, int64_t now_ns);

/* sharing_remember(sharing, record): that one's node is there (again). */
void sharing_remember(struct sharing *sharing, const struct record *record);

/* What a host has used of a node, as far as it is known. */
struct host_totals {
  struct record_totals owner[OWNER_COUNT];
  uint64_t changes, handling_ns; /* of all owners */
  uint64_t refused[REFUSAL_COUNT];
  bool is_shared;
};

struct share {
  struct sharing *sharing;
  struct ceiling *ceiling;
  const char *url_key;
  struct ceiling_settings whole; /* what it is held to, with a record */
  struct record record;
  struct record_content content; /* as it was last left */
  /* Of this process: the caller counts, before share_serve(). */
  struct record_totals used[OWNER_COUNT];
  uint64_t changes, handling_ns;
  uint64_t refused[REFUSAL_COUNT];
  uint32_t at_gate[OWNER_COUNT]; /* granted, not yet sent */
  /* What of that the record has. Requests are told before they are sent: of
   * one that is killed in between, one too many is reported. */
  struct record_totals told[OWNER_COUNT];
  uint64_t changes_told, handling_ns_told;
  struct {
    int64_t ns;
    int64_t n;
  } took[RECORD_KINDS];          /* of the kinds of requests, not yet told */
  bool has_ended[RECORD_ROUNDS]; /* likewise */
  uint64_t refused_told[REFUSAL_COUNT];
  struct host_totals shown; /* nothing that was shown is taken back */
  int64_t round_ns; /* its node is scraped so often by this process; 0: not */
  int64_t synced_ns;
  int64_t busy_since_ns; /* 0: not */
  int64_t pause_ns;      /* between tries */
  int64_t retry_ns;
  int64_t batch_retry_ns;
  int batch_fd;    /* -1: no batch of ours */
  bool is_named;   /* ${record} is */
  bool is_dirty;   /* something was used */
  bool was_synced; /* at least once */
  bool is_alone;   /* without a record */
  bool is_stopped; /* no connection can be had: no permit is wanted */
};

/* share_init(share, sharing, ceiling, url_key): of a ceiling that exists as
 * long as the share. share_fini(share, is_end): gives a batch's lock back. With
 * ${is_end}, of the client, tells the record what is left to tell, if it can be
 * had within 50 ms, which are for all of the client's; without, what
 * share_is_told() has not seen told is lost. */
void share_init(struct share *share, struct sharing *sharing,
                struct ceiling *ceiling, const char *url_key);
void share_fini(struct share *share, bool is_end);

/* What a scraper does is seen for three rounds more, and some seconds. */
#define SHARE_ROUNDS 3

/* share_leave(share): nobody wants a permit any more; share_serve() has the
 * last word to tell. share_is_told(share): it has told it, or has nobody to
 * tell. */
void share_leave(struct share *share);
bool share_is_told(const struct share *share);

/* share_forget(share): the node is gone for good: its record goes, too, once it
 * is full, unless the node comes back before. */
void share_forget(struct share *share);

/* share_configure(share, settings, now_ns): holds the ceiling to them, or to
 * its part of them while it is alone. */
void share_configure(struct share *share,
                     const struct ceiling_settings *settings, int64_t now_ns);

/* share_serve(share, may_send, now_ns): tells and reads the record where that
 * is due, reserves a permit where one is wanted (and ${may_send}: it could be
 * used), takes the batch's lock. */
void share_serve(struct share *share, bool may_send, int64_t now_ns);

/* share_next_ns(share, now_ns): when share_serve() has something to do again.
 */
int64_t share_next_ns(const struct share *share, int64_t now_ns);

/* share_refuses_changes(share): without a record, and not told to go on. */
bool share_refuses_changes(const struct share *share);

/* share_took(share, kind, handling_ns): a request of ${kind} is over. */
void share_took(struct share *share, int kind, int64_t handling_ns);

/* share_round_over(share, round): a whole one of those that come seldom. */
void share_round_over(struct share *share, unsigned round);

/* share_batch_over(share, now_ns): ours has ended. */
void share_batch_over(struct share *share, int64_t now_ns);

/* share_host(share, now_ns, ret): reads the record, if it is free. */
void share_host(struct share *share, int64_t now_ns, struct host_totals *ret);

#endif
