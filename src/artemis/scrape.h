/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_SCRAPE_H
#define ARTEMIS_SCRAPE_H

/* One node's scrape: which requests a round needs, what their replies mean, and
 * the samples that come of them. No I/O: the caller sends what scrape_next()
 * plans, passes rows and results in, and asks again.
 *
 * Each tier has rounds of its own, which may overlap with another tier's. */

#include "artemis/attributes.h"
#include "artemis/filter.h"
#include "artemis/identity.h"
#include "artemis/left_out.h"
#include "artemis/names.h"
#include "artemis/sample.h"

/* What a request mostly asks for; its name ends handling_KIND. */
enum request_kind {
  KIND_IDENTITY,
  KIND_BROKER,
  KIND_LISTING, /* queues, by listQueues or by pattern */
  KIND_ADDRESSES,
  KIND_MBEAN,
  KIND_BROWSE,
  KIND_CHANGE,
  KIND_COUNT
};
const char *request_kind_name(enum request_kind kind);

enum scrape_source { SCRAPE_AUTO, SCRAPE_LIST, SCRAPE_READ };

struct scrape_settings {
  const char *host; /* of its samples */
  unsigned sets; /* ready-made ones; without that of a broker there is none */
  const char *jmx_domain;
  enum scrape_source source;
  struct filter_texts queues;          /* on their names */
  struct filter_texts queue_addresses; /* on those of their addresses */
  struct filter_texts addresses;
  uint32_t max_queues; /* more are left out, but those that are kept */
  uint32_t max_addresses;
  enum names_alphabet names;
  int64_t interval_ns[TIER_COUNT];
};

struct scrape_request {
  enum request_kind kind;
  const struct operation *operations; /* valid until scrape_done() */
  const struct item_spec *specs;
  size_t n;
};

/* Totals since scrape_new(). received = dispatched + excluded + over_cap +
 * invalid, after each round; a test asserts it. */
struct scrape_counts {
  uint64_t received;   /* objects: broker, addresses, queues, MBeans */
  uint64_t dispatched; /* objects of which at least one value was */
  uint64_t excluded; /* by a pattern or as the broker's own; because the broker
                        was not active; or held back (clock_step) */
  uint64_t over_cap;
  uint64_t invalid; /* rows that could not be read, or held no value, or whose
                       name is another MBean's */
  uint64_t samples; /* values dispatched */
  uint64_t value_errors;  /* attributes: text where a number is due, faults */
  uint64_t clock_step;    /* objects held back, excluded too: less than half an
                             interval after the last */
  uint64_t counters_held; /* values of counters that begin anew, and of which
                             collectd has not forgotten the last one yet */
  uint64_t partial; /* rounds that failed after their first rows, or at whose
                       end the broker was not active any more */
  uint64_t listing_failed; /* listQueues answered with an error */
  uint64_t count_differs;  /* listing whose count and rows disagreed */
  uint64_t fallback;       /* rounds that read the queues by pattern instead */
  uint64_t set_aside;      /* not a total: items that are not asked for now */
};

struct scrape;
struct mbeans;
struct mbean_block;
struct mbean_value;

/* scrape_new(settings, sink): copies both. NULL without memory. */
struct scrape *scrape_new(const struct scrape_settings *settings,
                          const struct sample_sink *sink);
void scrape_free(struct scrape *scrape);

/* scrape_add_mbean(scrape, block, value, error): as mbeans_add(); before the
 * first round. */
enum status scrape_add_mbean(struct scrape *scrape,
                             const struct mbean_block *block,
                             const struct mbean_value *value,
                             struct error *error);

/* scrape_mbeans(scrape): what was added, and what its sets read; for who asks
 * about one of them alone. */
struct mbeans *scrape_mbeans(struct scrape *scrape);

/* scrape_begin(scrape, tier, wall_ns): a round begins; its samples carry
 * ${wall_ns} (CLOCK_REALTIME). The last round of this tier must be over. */
void scrape_begin(struct scrape *scrape, enum tier tier, int64_t wall_ns);

/* scrape_next(scrape, tier, ret): the next request of the round, to be sent and
 * ended with scrape_done() before the next is asked for; false: the round is
 * over. The fast tier asks for the identity first where it is not known, older
 * than 300 s, after a failure, or where the role, the uptime or a listing that
 * is no operation there showed a change; the others have no round without it. A
 * broker that is not active has neither queue nor address values; one that has
 * become active is asked for its queues in the same round. Where the uptime
 * went back, or it became active, counters are held back as restart.h says.
 * MBeans come last, in the fast and the slow tier, in a request of their own.
 */
bool scrape_next(struct scrape *scrape, enum tier tier,
                 struct scrape_request *ret);

/* scrape_row(), scrape_item(): as of struct reply_sink. An item that failed in
 * a way that would spoil its bulk again (STATUS_REPLY_TOO_LARGE,
 * STATUS_REQUEST_TOO_LARGE, STATUS_HTTP_STATUS: the client found it to be the
 * culprit) is set aside: said once, and left out of the next ten rounds of its
 * tier. */
void scrape_row(struct scrape *scrape, enum tier tier, size_t item,
                const struct row *row);
void scrape_item(struct scrape *scrape, enum tier tier, size_t item,
                 const struct item_result *result);

/* scrape_done(scrape, tier, error): the request ended so; STATUS_OK or why not.
 */
void scrape_done(struct scrape *scrape, enum tier tier,
                 const struct error *error);

/* scrape_outcome(scrape, tier): how the last finished round ended: STATUS_OK
 * where the node answered as a broker (a backup without queues is well, one bad
 * item is not the node's failure). STATUS_CANCELLED: nothing was asked, as the
 * broker is not known. */
const struct error *scrape_outcome(const struct scrape *scrape, enum tier tier);

/* scrape_is_whole(scrape): the last fast round gave the values of all queues of
 * an active broker (but those that are left out by choice).
 * scrape_uptime_ms(scrape): what it gave of UptimeMillis; -1: nothing. */
bool scrape_is_whole(const struct scrape *scrape);
int64_t scrape_uptime_ms(const struct scrape *scrape);

/* scrape_has_all(scrape): the last fast round saw all that there is: as
 * scrape_is_whole(), or, where no broker is asked for, MBeans alone. */
bool scrape_has_all(const struct scrape *scrape);

/* scrape_over_queues(scrape), scrape_over_addresses(scrape): of the last round
 * that had them; while one runs, so far. */
const struct left_out *scrape_over_queues(const struct scrape *scrape);
const struct left_out *scrape_over_addresses(const struct scrape *scrape);

/* scrape_over_mbeans(scrape, tier), scrape_taken_mbeans(scrape, tier): the same
 * of MBeans: what MaxQueues left out, and what has the name of another one. */
const struct left_out *scrape_over_mbeans(const struct scrape *scrape,
                                          enum tier tier);
const struct left_out *scrape_taken_mbeans(const struct scrape *scrape,
                                           enum tier tier);

const struct identity *scrape_identity(const struct scrape *scrape);
const struct scrape_counts *scrape_counts(const struct scrape *scrape);

#endif
