/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef LIMIT_CEILING_H
#define LIMIT_CEILING_H

/* All ceilings of one node together: who may send now, who waits, and until
 * when. Pure: time is an argument (CLOCK_MONOTONIC, 0 .. CLOCK_NEVER - 1),
 * nothing is allocated, nothing sleeps. One thread (the engine's).
 *
 * A waiter enters; ceiling_next() then hands out, one at a time, those that are
 * granted or whose deadline has passed; ceiling_wake_ns() says when to ask
 * again. A granted waiter holds a slot in flight, and stays where it is, until
 * ceiling_release(). */

#include "base/clock.h"
#include "base/status.h"
#include "limit/levels.h"
#include "limit/turn.h"

/* Operations that one permit pays for. Fifty ids a batch, a thousand ids =
 * twenty requests: the decision that this project serves. */
#define CEILING_OPERATIONS_PER_PERMIT 50

/* How long one debt of bytes or handling delays at most: a request of 10 s at
 * the default share of 0.25 would silence its node for 40 s. */
#define CEILING_DEBT_MAX_NS (10 * CLOCK_NS_PER_S)

/* How long a reserved permit may be used after it is due: whatever woke the
 * process late, others have theirs right behind it. */
#define CEILING_LATE_NS (2 * CLOCK_NS_PER_MS)

/* What a node is held to. ceiling_settings_default() has DESIGN section 5. */
struct ceiling_settings {
  struct levels_rates rates;
  uint32_t max_in_flight; /* 1 .. 64 */
  uint32_t max_waiting;   /* 1 .. 10,000 */
  int64_t permit_timeout_ns[OWNER_COUNT];
};

/* A permit that a process has taken from what the host shares, for an instant
 * to come; see ceiling_reserve(). */
struct reservation {
  bool is_held;
  enum owner owner; /* whose head it was taken for */
  uint32_t cost;    /* permits */
  uint32_t changes;
  uint64_t spilt_changes; /* in level units: what a full bucket of changes
                             would not have taken in until then */
  int64_t due_ns;
  uint64_t sequence; /* of the record, with it */
};

struct ceiling {
  struct ceiling_settings settings;
  struct levels levels;
  struct turn turn;
  struct waiter *flight; /* the granted, not yet released; the latest first */
  uint32_t in_flight;    /* their number */
  uint32_t in_flight_others;    /* of owners other than scrape; at most
                                   max_in_flight - 1, or 1 where that is 0 */
  uint64_t blocked[UNIT_COUNT]; /* waits that a unit held up as the first of
                                   their owner: once a wait and unit */
  uint64_t forgiven;            /* charges of which a part was forgiven */
  uint32_t in_flight_batches;   /* by-id: OWNER_BULK with changes; at most 1 */
  bool is_batch_elsewhere;      /* another process has one under way */
  bool is_closing;
  /* Of a ceiling that is shared: */
  bool is_shared;                 /* permits come by reservation alone */
  bool has_new_hold;              /* the operator's, not yet told */
  struct reservation reservation; /* at most one: processes alternate */
  struct reservation returned;    /* unused, not yet given back */
  uint64_t owed[UNIT_BUCKETS];    /* charges not yet told */
};

/* ceiling_settings_default(interval_ns): 20 requests/s, burst 1; 50 changes/s,
 * burst 50; 2 MiB/s, burst 8 MiB; 0.25 s of handling a second, burst 2 s; 2 in
 * flight, 64 waiting; permit timeouts: scrape half of ${interval_ns}, at most 5
 * s; slow and discovery CEILING_DEBT_MAX_NS more, or a scrape that costs the
 * whole share could keep them out for ever; command 15 s; bulk 90 s. */
struct ceiling_settings ceiling_settings_default(int64_t interval_ns);

/* ceiling_cost(operations): permits for a request of that many operations:
 * ceil(operations / 50), at least 1. */
uint32_t ceiling_cost(size_t operations);

/* ceiling_batch(settings): operations that a request with a change may have:
 * 50, or the burst of changes where that is less. */
uint32_t ceiling_batch(const struct ceiling_settings *settings);

/* ceiling_settings_slow(settings, other): of each rate, burst and maximum, the
 * lower of the two, so that neither allows less than what is left; of each
 * permit timeout the longer: who is slowed down waits longer. */
void ceiling_settings_slow(struct ceiling_settings *settings,
                           const struct ceiling_settings *other);

/* ceiling_init(ceiling, settings, now_ns): levels_init(), nobody waits. */
void ceiling_init(struct ceiling *ceiling,
                  const struct ceiling_settings *settings, int64_t now_ns);

/* ceiling_reconfigure(ceiling, settings, now_ns): accrues at the old rate, then
 * takes the new settings; levels are kept, never raised. */
void ceiling_reconfigure(struct ceiling *ceiling,
                         const struct ceiling_settings *settings,
                         int64_t now_ns);

/* ceiling_enter(ceiling, waiter, owner, cost, changes, deadline_ns, now_ns):
 * ${waiter} waits until the earlier of ${deadline_ns} and its owner's permit
 * timeout, that instant included, for ${cost} permits and for ${changes} of the
 * changes unit. A cost beyond 1 .. BUCKET_BURST_MAX, or changes beyond 0 ..
 * BUCKET_BURST_MAX, count as the nearest of the two. STATUS_OK: it waits, and
 * must stay valid until it is handed out by ceiling_next() or taken back by
 * ceiling_leave(). Otherwise nothing changed: STATUS_CLOSING; STATUS_HELD by
 * the operator; STATUS_PERMIT_QUEUE_FULL with max_waiting in the room;
 * STATUS_PERMIT_TIMEOUT at once where even an empty room would need longer than
 * it may wait. */
enum status ceiling_enter(struct ceiling *ceiling, struct waiter *waiter,
                          enum owner owner, uint32_t cost, uint32_t changes,
                          int64_t deadline_ns, int64_t now_ns);

/* ceiling_leave(ceiling, waiter): a cancelled wait; nothing is consumed. */
void ceiling_leave(struct ceiling *ceiling, struct waiter *waiter);

/* ceiling_next(ceiling, now_ns, ret_status): the next waiter that is done
 * waiting, or NULL. *${ret_status} is STATUS_OK (granted: cost and changes
 * taken, slot held, turn charged) or STATUS_PERMIT_TIMEOUT, or STATUS_CLOSING
 * while closing, or STATUS_HELD while the operator holds the node (nothing
 * consumed).
 *
 * An owner whose first lacks another unit than requests takes no turn:
 * - a slot: one batch (ceiling_is_batch()) at a time; total in flight below
 * max_in_flight, and one of them is kept for the scrape: the others together
 * hold at most max_in_flight - 1. With max_in_flight 1 any owner may take it;
 * - changes, where it has any;
 * - no debt of bytes and of handling, but for the scrape;
 * - Retry-After.
 * The first whose turn it is waits for its permits, or a stream of small
 * requests would keep a large one waiting for ever. */
struct waiter *ceiling_next(struct ceiling *ceiling, int64_t now_ns,
                            enum status *ret_status);

/* ceiling_wake_ns(ceiling, now_ns): the first instant, not before ${now_ns}, at
 * which ceiling_next() returns something without another call in between;
 * CLOCK_NEVER if none. Exact: no polling, nobody forgotten. Changes nothing. */
int64_t ceiling_wake_ns(const struct ceiling *ceiling, int64_t now_ns);

/* ceiling_blocks(ceiling, owner, now_ns): the unit that holds up the first of
 * ${owner} at ${now_ns}, the one that will be there last; UNIT_COUNT where none
 * does: nobody waits, or it is another's turn. */
enum unit ceiling_blocks(const struct ceiling *ceiling, enum owner owner,
                         int64_t now_ns);

/* ceiling_debt_ns(ceiling, unit, now_ns): how long the debt of a bucket's unit
 * lasts from ${now_ns} on; 0 without. */
int64_t ceiling_debt_ns(const struct ceiling *ceiling, enum unit unit,
                        int64_t now_ns);

/* ceiling_charge(ceiling, waiter, bytes, handling_ns, now_ns): what a granted
 * request has used, however it ended; once, before ceiling_release(). The
 * buckets go into debt, each by CEILING_DEBT_MAX_NS at most; and its owner's
 * next turn comes later by what the use is worth beyond the price paid, in
 * permits: the longer of the two times that bytes and handling take to come
 * back, x RequestsPerSecond. */
void ceiling_charge(struct ceiling *ceiling, struct waiter *waiter,
                    uint64_t bytes, int64_t handling_ns, int64_t now_ns);

/* ceiling_release(ceiling, waiter): the granted request is over; frees its
 * slot. Nothing happens where it is not in flight. */
void ceiling_release(struct ceiling *ceiling, struct waiter *waiter);

/* ceiling_give_back(ceiling, waiter): returns the permits and changes of a
 * grant for which nothing was sent, and its turn; at most once, before
 * ceiling_release(). Of the permits, what is left of them: a full bucket
 * accrues nothing, so what came in while this grant kept it from being full may
 * have been granted to others already. With burst 1, two grants 50 ms apart and
 * the first given back after the second, nothing comes back: both permits were
 * there for the second. */
void ceiling_give_back(struct ceiling *ceiling, struct waiter *waiter);

/* ceiling_hold(ceiling, until_ns): Retry-After: no grant before ${until_ns}; an
 * earlier instant than the present one changes nothing. */
void ceiling_hold(struct ceiling *ceiling, int64_t until_ns);

/* ceiling_is_held_by_operator(ceiling, now_ns): by what the record says; who
 * waits or comes meanwhile is told STATUS_HELD. */
bool ceiling_is_held_by_operator(const struct ceiling *ceiling, int64_t now_ns);

/* ceiling_is_batch(waiter): a by-id batch, OWNER_BULK with changes: one at a
 * time per node and host. */
bool ceiling_is_batch(const struct waiter *waiter);

/* -- Shared by the processes of a host, through a record: reservation.c --
 *
 * The levels are a copy of the record's. Under its lock, ceiling_share() brings
 * them in, ceiling_reserve() takes a permit for the head whose turn it is,
 * which may be due later, and the caller writes them back before anything is
 * sent. When it is due, ceiling_next() grants it to the head whose turn it is
 * then. Each process holds one reservation at most, so that all alternate, and
 * one that is killed costs one permit. */

/* ceiling_share(ceiling, levels, sequence, is_lower, now_ns): takes over the
 * record's levels, takes off what was charged meanwhile, and gives back what
 * was reserved or granted and not used, if nobody has taken from it since
 * (${sequence} is still that of the taking); else it is lost. ${is_lower}: of
 * each level, the lower of the record's and its own. */
void ceiling_share(struct ceiling *ceiling, const struct levels *levels,
                   uint64_t sequence, bool is_lower, int64_t now_ns);

/* ceiling_unshare(ceiling): goes on alone; a reservation is lost. */
void ceiling_unshare(struct ceiling *ceiling);

/* ceiling_has_news(ceiling): something is to be told to the record. */
bool ceiling_has_news(const struct ceiling *ceiling);

/* ceiling_want_ns(ceiling, now_ns): the first instant, not before ${now_ns}, at
 * which ceiling_reserve() would take a permit; CLOCK_NEVER while it holds one,
 * and where no first of an owner can be granted before its deadline. All its
 * other units are there before a permit is taken. */
int64_t ceiling_want_ns(const struct ceiling *ceiling, int64_t now_ns);

/* ceiling_reserve(ceiling, sequence, now_ns): true: taken, and ${sequence} is
 * the record's from now on. */
bool ceiling_reserve(struct ceiling *ceiling, uint64_t sequence,
                     int64_t now_ns);

/* ceiling_drop(ceiling): gives the reservation up. ceiling_drop_useless():
 * where no head can use it while it is due: cancelled, held, or we come too
 * late. */
void ceiling_drop(struct ceiling *ceiling);
void ceiling_drop_useless(struct ceiling *ceiling, int64_t now_ns);

/* ceiling_note_busy(ceiling): the record was another process's: counted for
 * each first that waits. */
void ceiling_note_busy(struct ceiling *ceiling);

/* ceiling_close(ceiling): no more grants; waiters are handed out with
 * STATUS_CLOSING. */
void ceiling_close(struct ceiling *ceiling);

/* ceiling_is_idle(ceiling, now_ns): nobody waits, nothing in flight, every
 * bucket full, no hold: it may be forgotten without granting more to who comes
 * back. */
bool ceiling_is_idle(const struct ceiling *ceiling, int64_t now_ns);

#endif
