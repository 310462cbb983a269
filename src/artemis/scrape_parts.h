/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_SCRAPE_PARTS_H
#define ARTEMIS_SCRAPE_PARTS_H

/* What a scrape is made of. Private to scrape.c, scrape_plan.c (which requests
 * a round needs) and scrape_reply.c (what their rows and items mean). */

#include "artemis/mbean.h"
#include "artemis/objects.h"
#include "artemis/queues.h"
#include "artemis/restart.h"
#include "artemis/scrape.h"

enum step {
  STEP_OVER,
  STEP_IDENTITY,
  STEP_FIRST,
  STEP_LISTING,
  STEP_QUEUES,
  STEP_MBEANS
};

enum active { ACTIVE_UNKNOWN, ACTIVE_NO, ACTIVE_YES };

struct round {
  enum step step;
  struct aside aside;
  struct error outcome;
  struct values values;
  bool is_held_back;
  bool is_partial;
  uint64_t dispatched; /* objects in this round */
  int64_t last_ns;     /* time of the last round that dispatched, if has_last */
  bool has_last;
  /* of the present request */
  struct plan plan;
  int64_t uptime_ms; /* the longest one known when it was made */
  enum active before;
  enum active after;
  struct error before_error;
  size_t broker_rows;
  uint64_t broker_samples;
  uint64_t objects; /* dispatched queues or addresses */
  uint64_t rows;    /* of queues or addresses, however they ended */
  bool was_listed;  /* the listing's result was told */
  struct error listed;
  bool has_objects; /* queues or addresses came, whole */
  bool is_new;      /* the broker has become active in it: no queue was asked */
};

struct scrape {
  char *host;
  struct sample_sink sink;
  int64_t interval_ns[TIER_COUNT];
  unsigned sets;
  struct objects objects;
  struct mbeans mbeans;
  struct queues queues;
  struct identity_reader *reader;
  struct identity identity;
  int64_t identity_ns;  /* time of the round that read it */
  bool is_identity_due; /* whatever its age */
  bool is_down;         /* the last fast round failed, and not by us */
  int64_t uptime_ms;    /* of the last fast round */
  int64_t longest_ms;   /* uptime of the present process, by any round */
  struct restart restarts[OBJECT_COUNT];
  bool has_uptime; /* the last fast round gave it */
  bool is_differing_told;
  bool is_version_doubted; /* the last listing was no known operation */
  struct round rounds[TIER_COUNT];
  struct scrape_counts counts;
};

/* round_mbeans_step(scrape, tier): STEP_MBEANS, or STEP_OVER where the tier has
 * none. */
enum step round_mbeans_step(const struct scrape *scrape, enum tier tier);

/* round_hold_counters(scrape, round): those of objects that began anew are held
 * back from now on, as restart.h says. */
void round_hold_counters(struct scrape *scrape, struct round *round);

/* round_count_aside(scrape): what is set aside has changed. */
void round_count_aside(struct scrape *scrape);

/* round_end(scrape, round, tier): its step is STEP_OVER. */
void round_end(struct scrape *scrape, struct round *round, enum tier tier);

#endif
