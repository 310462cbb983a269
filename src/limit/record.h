/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_RECORD_H
#define LIMIT_RECORD_H

/* What the processes of a host share of a node: one small file for each
 * canonical URL, in one folder (StateDir). The only I/O of the limiter; nothing
 * here waits: a lock is tried once.
 *
 * The file is held by flock, which the kernel releases at any death, and is
 * written by one pwrite of 512 bytes inside a page: who reads it sees the old
 * content or the new one. It is opened anew for each use: no descriptor is kept
 * for a node, and one that was forgotten meanwhile is simply made again. */

#include "base/status.h"
#include "limit/levels.h"
#include "limit/pace.h"
#include "limit/turn.h"

#include <sys/types.h>

#define RECORD_SIZE 512
#define RECORD_LAYOUT 3 /* one more with each change of what the bytes mean */
#define RECORD_HEADS 8
#define RECORD_SCRAPERS 3
#define RECORD_KINDS 7  /* of requests; numbers, to this layer */
#define RECORD_ROUNDS 2 /* of those that come seldom; likewise */

/* A debt that takes longer to pay back than the burst takes to fill and this
 * was made at a higher ceiling, and counts as so deep. No reservation is made
 * for later than a permit timeout, at most 120 s. */
#define RECORD_AHEAD_NS (INT64_C(180) * 1000000000)
/* A clock that is read twice: what another process has written lies no further
 * ahead than this, and so do the holds. */
#define RECORD_CLOCK_AHEAD_NS (INT64_C(60) * 1000000000)
/* Retry-After is at most 60 s and a tenth; an operator holds for 31 days at
 * most. */
#define RECORD_HOLD_MAX_NS (INT64_C(66) * 1000000000)
#define RECORD_OPERATOR_HOLD_MAX_NS (INT64_C(31) * 86400 * 1000000000)

/* What all processes of the host have used, by owner, since the file was made.
 */
struct record_totals {
  uint64_t requests, operations, rows, bytes, permit_wait_ns;
};

enum record_refusal {
  REFUSED_TIMEOUT,
  REFUSED_QUEUE_FULL,
  REFUSED_CANCELLED,
  REFUSAL_COUNT
};

/* A process's first waiter, and what keeps it waiting. */
struct record_head {
  pid_t pid; /* 0: an empty place */
  enum owner owner;
  enum unit unit;
  uint16_t seen_s;  /* its process was last here, in seconds: low bits */
  int64_t since_ns; /* CLOCK_MONOTONIC */
};

/* A process, as the others of the host may know it again. */
struct record_process {
  pid_t pid;        /* 0: none */
  uint16_t pids;    /* the namespace of its pid, low bits; 0: unknown */
  uint16_t started; /* since boot, in the kernel's ticks: low bits */
};

/* record_process_self(ret): this one. record_process_is_gone(process): it has
 * ended for certain: it is no other one that has its pid now, and its pid means
 * here what it means there. Neither waits. */
void record_process_self(struct record_process *ret);
bool record_process_is_gone(const struct record_process *process);

/* A process that scrapes the node, round after round. */
struct record_scraper {
  struct record_process process; /* pid 0: an empty place */
  bool is_daemon;
  uint16_t seen_s; /* as a head's */
  uint16_t stay_s; /* when it has not come for longer, it does so no more */
};
#define RECORD_STAY_MAX_S 0x7fff

struct record_content {
  uint64_t sequence; /* one more with each permit taken */
  struct levels levels;
  struct record_totals totals[OWNER_COUNT];
  uint64_t changes;                /* of all owners */
  uint64_t handling_ns;            /* of all owners */
  uint64_t refused[REFUSAL_COUNT]; /* 32 bits are kept */
  struct pace paces[RECORD_KINDS];
  uint16_t rounds[RECORD_ROUNDS]; /* stamps: when the last whole one ended */
  struct record_head heads[RECORD_HEADS];
  struct record_scraper scrapers[RECORD_SCRAPERS];
};

/* A process that has a waiter comes at least once a second. */
#define RECORD_HEAD_STALE_S 5

/* record_was_seen(seen_s, stay_s, now_ns): no more than ${stay_s} seconds ago,
 * or ahead of a clock that was read before. */
bool record_was_seen(uint16_t seen_s, uint16_t stay_s, int64_t now_ns);

/* record_set_head(content, head, now_ns): the head of that process is this, or
 * none (owner OWNER_COUNT); those of processes that are gone are left out. A
 * ninth finds no place. */
void record_set_head(struct record_content *content,
                     const struct record_head *head, int64_t now_ns);

/* record_set_scraper(content, scraper, now_ns): that process scrapes the node,
 * or (stay_s 0) does not; those that have not come for too long are left out. A
 * fourth takes the place of one that is gone, or finds none. */
void record_set_scraper(struct record_content *content,
                        const struct record_scraper *scraper, int64_t now_ns);

/* Whose record it is, and whose clock it was written with. */
struct record_key {
  uint64_t url;   /* hash of the canonical URL */
  uint64_t boot;  /* hash of the boot id: CLOCK_MONOTONIC begins anew */
  uint32_t clock; /* the time namespace: another one has another clock */
};

enum record_state {
  RECORD_SOUND,
  RECORD_NEW,     /* nothing in it yet: one permit */
  RECORD_EMPTIED, /* of another boot, damaged, its times are not possible, or
                     it was left: begins anew without a permit */
  RECORD_FOREIGN  /* another layout, URL or clock: not ours to overwrite */
};

/* record_decode(bytes, len, key, rates, now_ns, ret): what ${bytes} say. Fills
 * ${ret} but where it is RECORD_FOREIGN. Pure. */
enum record_state record_decode(const void *bytes, size_t len,
                                const struct record_key *key,
                                const struct levels_rates *rates,
                                int64_t now_ns, struct record_content *ret);

/* record_empty(rates, now_ns, ret): one that begins anew without a permit.
 * Pure.
 */
enum record_state record_empty(const struct levels_rates *rates, int64_t now_ns,
                               struct record_content *ret);

/* record_encode(content, key, bytes): all RECORD_SIZE of them. Pure. */
void record_encode(const struct record_content *content,
                   const struct record_key *key, void *bytes);

/* The folder of all records. */
struct record_folder;

/* record_folder_open(path, ret, error): makes it (0750) if it is missing and
 * its parent exists. It has to be a folder of this host, not a link, that only
 * its owner and group may write, and that belongs to root, to us or to a group
 * of ours (root may use anyone's). STATUS_INVALID, with the reason and the
 * remedy; STATUS_NO_MEMORY. record_folder_close(folder): NULL is fine. */
enum status record_folder_open(const char *path, struct record_folder **ret,
                               struct error *error);
void record_folder_close(struct record_folder *folder);

/* One node's record. */
struct record {
  struct record_folder *folder;
  struct record_key key;
  char name[17]; /* the URL's hash, in hexadecimal */
  int fd;        /* while it is locked; else -1 */
};

/* record_init(record, folder, url_key): names it; opens nothing. */
void record_init(struct record *record, struct record_folder *folder,
                 const char *url_key);

/* A foreign one that nobody has written for so long (CLOCK_REALTIME) was left:
 * the other version was replaced. Were it there still, and came more seldom, it
 * would find ours foreign, and have its part without a record. */
#define RECORD_LEFT_NS (INT64_C(600) * 1000000000)

enum record_lock {
  RECORD_LOCKED,
  RECORD_BUSY,    /* another process holds it: come again */
  RECORD_UNUSABLE /* ${error} says why, and what to do */
};

/* record_lock(record, rates, now_ns, ret, ret_state, error): opens (makes) the
 * file and locks it, once. RECORD_LOCKED: ${ret} has its content, and
 * record_unlock() must follow, at once: nothing that waits in between. Where
 * another folder, or none, stands at its path now, that one is opened, or made,
 * as by record_folder_open(). One that is too long is cut. */
enum record_lock record_lock(struct record *record,
                             const struct levels_rates *rates, int64_t now_ns,
                             struct record_content *ret,
                             enum record_state *ret_state, struct error *error);

/* record_write(record, content, error): while it is locked. STATUS_INVALID
 * (the file system is full, ...): what was to be written has not happened. */
enum status record_write(struct record *record,
                         const struct record_content *content,
                         struct error *error);

/* record_unlock(record): does nothing where it is not locked. */
void record_unlock(struct record *record);

/* record_forget(record): while it is locked: removes the file, unless a batch
 * is under way, and unlocks. Who waits for it makes it anew. Only what is full
 * may be forgotten. */
void record_forget(struct record *record);

/* record_batch_lock(record, ret_fd): the right of one process of the host to
 * have a by-id batch of this node's under way; true: ${ret_fd} holds it, until
 * record_batch_unlock() or death. False: another has it, or no file can be
 * had. */
bool record_batch_lock(struct record *record, int *ret_fd);
void record_batch_unlock(int fd);

#endif
