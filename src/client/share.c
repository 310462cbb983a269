/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/share.h"

#include "artemis/scrape.h"
#include "base/clock.h"
#include "base/num.h"
#include "limit/stamp.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)KIND_COUNT <= RECORD_KINDS, "a pace for each kind");
_Static_assert((int)TIER_COUNT - 1 <= RECORD_ROUNDS,
               "a round for each slower tier");

/* How long the end of a process waits to tell what it used. */
#define LAST_WORD_NS (50 * CLOCK_NS_PER_MS)

void share_init(struct share *share, struct sharing *sharing,
                struct ceiling *ceiling, const char *url_key) {
  *share = (struct share){.sharing = sharing,
                          .ceiling = ceiling,
                          .url_key = url_key,
                          .whole = ceiling->settings,
                          .record = {.fd = -1},
                          .batch_fd = -1};
  ceiling->is_shared = sharing->state_dir != NULL;
}

/* -- Alone -- */

static uint64_t divisor(const struct sharing *sharing) {
  return sharing->is_daemon ? SHARE_ALONE_DAEMON : SHARE_ALONE_OTHER;
}

static void apply(struct share *share, int64_t now_ns) {
  struct ceiling_settings settings = share->whole;
  if (share->is_alone)
    levels_rates_divide(&settings.rates, divisor(share->sharing));
  ceiling_reconfigure(share->ceiling, &settings, now_ns);
}

void share_configure(struct share *share,
                     const struct ceiling_settings *settings, int64_t now_ns) {
  share->whole = *settings;
  apply(share, now_ns);
}

bool share_refuses_changes(const struct share *share) {
  const struct sharing *sharing = share->sharing;
  return share->is_alone && !sharing->is_daemon && !sharing->is_unshared;
}

/* What comes and goes several times a second is told as seldom as what stays.
 */
static void forget_told(struct sharing *sharing, int64_t now_ns) {
  const struct log_repeat *told = &sharing->told;
  if (now_ns >= told->next_ns + told->interval_ns)
    (void)log_repeat_clear(&sharing->told);
}

static void go_alone(struct share *share, const char *why, int64_t now_ns) {
  struct sharing *sharing = share->sharing;
  if (!share->is_alone) {
    ceiling_unshare(share->ceiling);
    share->is_alone = true;
    if (sharing->n_alone++ == 0)
      forget_told(sharing, now_ns);
    apply(share, now_ns);
  }
  if (log_repeat_due(&sharing->told, now_ns)) {
    sharing->is_told = true;
    log_write(LOG_LEVEL_WARNING,
              "jolokia: %s: its ceiling is not shared with this host's other "
              "programs: %s; until it is, this one keeps to %s of it%s",
              share->url_key, why, sharing->is_daemon ? "half" : "a tenth",
              share_refuses_changes(share)
                  ? " and changes nothing without --unshared"
                  : "");
  }
}

static void tell_shared(struct sharing *sharing) {
  if (--sharing->n_alone > 0 || !sharing->is_told)
    return;
  sharing->is_told = false;
  log_write(LOG_LEVEL_NOTICE,
            "jolokia: ceilings are shared with this host's other programs");
}

/* -- Telling -- */

/* What the record should have of an owner: requests that are about to be sent
 * included. */
static struct record_totals claimed(const struct share *share, int owner) {
  const struct reservation *held = &share->ceiling->reservation;
  struct record_totals totals = share->used[owner];
  totals.requests += share->at_gate[owner];
  totals.requests += held->is_held && (int)held->owner == owner;
  return totals;
}

/* Differences may be negative: a claim that came to nothing. */
static void add(struct record_totals *to, const struct record_totals *from,
                const struct record_totals *minus) {
  to->requests += from->requests - minus->requests;
  to->operations += from->operations - minus->operations;
  to->rows += from->rows - minus->rows;
  to->bytes += from->bytes - minus->bytes;
  to->permit_wait_ns += from->permit_wait_ns - minus->permit_wait_ns;
}

static void tell_totals(struct share *share, struct record_content *content) {
  for (int i = 0; i < OWNER_COUNT; i++) {
    struct record_totals now = claimed(share, i);
    add(&content->totals[i], &now, &share->told[i]);
    share->told[i] = now;
  }
  content->changes += share->changes - share->changes_told;
  content->handling_ns += share->handling_ns - share->handling_ns_told;
  share->changes_told = share->changes;
  share->handling_ns_told = share->handling_ns;
  for (int i = 0; i < REFUSAL_COUNT; i++) {
    content->refused[i] += share->refused[i] - share->refused_told[i];
    share->refused_told[i] = share->refused[i];
  }
}

void share_took(struct share *share, int kind, int64_t handling_ns) {
  share->handling_ns += (uint64_t)handling_ns;
  share->took[kind].ns += handling_ns;
  share->took[kind].n++;
}

static void tell_paces(struct share *share, struct record_content *content,
                       int64_t now_ns) {
  for (int kind = 0; kind < RECORD_KINDS; kind++) {
    if (share->took[kind].n > 0)
      pace_add(&content->paces[kind],
               share->took[kind].ns / share->took[kind].n, now_ns);
    share->took[kind].ns = share->took[kind].n = 0;
  }
}

void share_round_over(struct share *share, unsigned round) {
  share->has_ended[round] = true;
  share->is_dirty = true;
}

static void tell_rounds(struct share *share, struct record_content *content,
                        int64_t now_ns) {
  for (int round = 0; round < RECORD_ROUNDS; round++) {
    if (share->has_ended[round])
      content->rounds[round] = stamp_at(now_ns);
    share->has_ended[round] = false;
  }
}

/* The one of our firsts that waits longest. */
static void tell_head(const struct share *share, struct record_content *content,
                      int64_t now_ns) {
  const struct ceiling *ceiling = share->ceiling;
  struct record_head told = {.pid = share->sharing->self.pid,
                             .owner = OWNER_COUNT,
                             .since_ns = CLOCK_NEVER};
  for (enum owner owner = 0; owner < OWNER_COUNT; owner++) {
    const struct waiter *head = ceiling->turn.queue[owner].head;
    if (!head || head->since_ns >= told.since_ns)
      continue;
    enum unit unit = ceiling_blocks(ceiling, owner, now_ns);
    told.owner = owner;
    told.unit = unit == UNIT_COUNT ? UNIT_REQUESTS : unit;
    told.since_ns = head->since_ns;
  }
  record_set_head(content, &told, now_ns);
}

/* With whatever else is told: once a round at least. */
static void tell_scraper(const struct share *share,
                         struct record_content *content, int64_t now_ns) {
  const struct sharing *sharing = share->sharing;
  int64_t stay_s = 0;
  if (share->round_ns > 0)
    stay_s = num_min(SHARE_ROUNDS * share->round_ns / CLOCK_NS_PER_S +
                         RECORD_HEAD_STALE_S,
                     RECORD_STAY_MAX_S);
  const struct record_scraper told = {.process = sharing->self,
                                      .is_daemon = sharing->is_daemon,
                                      .stay_s = (uint16_t)stay_s};
  record_set_scraper(content, &told, now_ns);
}

/* -- The record -- */

static bool open_folder(struct share *share, int64_t now_ns) {
  struct sharing *sharing = share->sharing;
  if (!sharing->folder && now_ns >= sharing->retry_ns &&
      record_folder_open(sharing->state_dir, &sharing->folder, &sharing->why) !=
          STATUS_OK)
    sharing->retry_ns = now_ns + SHARE_UNUSABLE_NS;
  if (!sharing->folder)
    return false;
  if (!share->is_named)
    record_init(&share->record, sharing->folder, share->url_key);
  if (!share->is_named)
    sharing_remember(sharing, &share->record);
  share->is_named = true;
  return true;
}

static void note_busy(struct share *share, int64_t now_ns) {
  if (share->busy_since_ns == 0)
    share->busy_since_ns = now_ns;
  share->pause_ns =
      share->pause_ns > 0 ? 2 * share->pause_ns : SHARE_RETRY_FIRST_NS;
  if (share->pause_ns > SHARE_RETRY_MAX_NS)
    share->pause_ns = SHARE_RETRY_MAX_NS;
  share->retry_ns =
      now_ns + (share->is_alone ? SHARE_BUSY_MAX_NS : share->pause_ns);
  ceiling_note_busy(share->ceiling);
  if (now_ns - share->busy_since_ns > SHARE_BUSY_MAX_NS)
    go_alone(share,
             "another program has held its record for over 100 ms: is one "
             "stopped?",
             now_ns);
}

static void note_unusable(struct share *share, const char *why,
                          int64_t now_ns) {
  share->retry_ns = now_ns + SHARE_UNUSABLE_NS;
  go_alone(share, why, now_ns);
}

/* After a restart of the host that is as it should be. */
static void tell_damage(const struct share *share, int64_t now_ns) {
  if (log_repeat_due(&share->sharing->damage_told, now_ns))
    log_write(LOG_LEVEL_NOTICE,
              "jolokia: %s: what it shares with this host's other programs "
              "(StateDir, %s) is damaged, from before a restart or of another "
              "version that is gone, and begins anew",
              share->url_key, share->record.name);
}

/* Those that wait have taken a permit each, which a record that begins anew
 * does not know. */
static void take_others(const struct share *share, struct ceiling *ceiling) {
  struct bucket *bucket = &ceiling->levels.bucket[UNIT_REQUESTS];
  for (int i = 0; i < RECORD_HEADS; i++) {
    pid_t pid = share->content.heads[i].pid;
    if (pid != 0 && pid != share->sharing->self.pid)
      bucket->level -= BUCKET_PERMIT;
  }
}

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* One that began anew, maybe by a process that knows nothing of the one before:
 * the counts go on, and so does a hold. Not the sum: others do the same. */
static void restore(struct share *share, struct record_content *content,
                    int64_t now_ns) {
  const struct record_content *known = &share->content;
  for (int i = 0; i < OWNER_COUNT; i++) {
    struct record_totals *to = &content->totals[i];
    const struct record_totals *from = &known->totals[i];
    to->requests = most(to->requests, from->requests);
    to->operations = most(to->operations, from->operations);
    to->rows = most(to->rows, from->rows);
    to->bytes = most(to->bytes, from->bytes);
    to->permit_wait_ns = most(to->permit_wait_ns, from->permit_wait_ns);
  }
  for (int i = 0; i < REFUSAL_COUNT; i++)
    content->refused[i] = most(content->refused[i], known->refused[i]);
  content->changes = most(content->changes, known->changes);
  content->handling_ns = most(content->handling_ns, known->handling_ns);
  for (int i = 0; i < RECORD_ROUNDS; i++)
    if (content->rounds[i] == 0)
      content->rounds[i] = known->rounds[i];
  content->sequence = 1 + most(content->sequence, known->sequence);
  if (ceiling_is_held_by_operator(share->ceiling, now_ns))
    share->ceiling->has_new_hold = true;
}

/* What the record says, what we have to say, and what we want of it. */
static void merge(struct share *share, struct record_content *content,
                  enum record_state state, int64_t now_ns) {
  struct ceiling *ceiling = share->ceiling;
  bool is_lost =
      share->was_synced &&
      (state != RECORD_SOUND || content->sequence < share->content.sequence);
  /* A record that begins anew grants no more than we know to be there. */
  bool is_lower = is_lost || share->is_alone;
  if (is_lost)
    restore(share, content, now_ns);
  if (state == RECORD_EMPTIED)
    tell_damage(share, now_ns);
  if (share->is_alone) {
    share->is_alone = false;
    apply(share, now_ns);
  }
  ceiling_share(ceiling, &content->levels, content->sequence, is_lower, now_ns);
  if (is_lost && state != RECORD_SOUND)
    take_others(share, ceiling);
  if (!share->is_stopped &&
      ceiling_reserve(ceiling, content->sequence + 1, now_ns))
    content->sequence++;
  content->levels = ceiling->levels;
  tell_totals(share, content);
  tell_paces(share, content, now_ns);
  tell_rounds(share, content, now_ns);
  tell_head(share, content, now_ns);
  tell_scraper(share, content, now_ns);
}

static void visit(struct share *share, int64_t now_ns) {
  struct record_content content;
  enum record_state state;
  struct error error = {.kind = STATUS_OK};
  if (!open_folder(share, now_ns)) {
    note_unusable(share, share->sharing->why.text, now_ns);
    return;
  }
  /* What cannot be written has not happened. */
  const struct share before = *share;
  const struct ceiling ceiling = *share->ceiling;
  switch (record_lock(&share->record, &share->whole.rates, now_ns, &content,
                      &state, &error)) {
  case RECORD_BUSY:
    note_busy(share, now_ns);
    return;
  case RECORD_UNUSABLE:
    note_unusable(share, error.text, now_ns);
    return;
  case RECORD_LOCKED:
    break;
  }
  merge(share, &content, state, now_ns);
  enum status status = record_write(&share->record, &content, &error);
  record_unlock(&share->record);
  if (status != STATUS_OK) {
    *share = before;
    *share->ceiling = ceiling;
    note_unusable(share, error.text, now_ns);
    return;
  }
  if (before.is_alone)
    tell_shared(share->sharing);
  share->content = content;
  share->synced_ns = now_ns;
  share->busy_since_ns = share->pause_ns = share->retry_ns = 0;
  share->is_dirty = false;
  share->was_synced = true;
}

/* Without anything to tell or to ask: when to look at it again. */
static int64_t look_again_ns(const struct share *share, int64_t now_ns) {
  const struct ceiling *ceiling = share->ceiling;
  if (ceiling->turn.len == 0 && !ceiling_is_held_by_operator(ceiling, now_ns))
    return CLOCK_NEVER;
  return share->is_alone ? now_ns : share->synced_ns + SHARE_FRESH_NS;
}

static int64_t visit_ns(const struct share *share, int64_t now_ns) {
  int64_t at_ns = look_again_ns(share, now_ns);
  if (share->is_dirty || ceiling_has_news(share->ceiling))
    at_ns = now_ns;
  if (!share->is_alone && !share->is_stopped)
    at_ns = num_min(at_ns, ceiling_want_ns(share->ceiling, now_ns));
  return num_max(at_ns, share->retry_ns);
}

/* -- Batches -- */

static const struct waiter *batch_head(const struct share *share) {
  const struct waiter *head = share->ceiling->turn.queue[OWNER_BULK].head;
  return head && ceiling_is_batch(head) ? head : NULL;
}

static void unlock_batch(struct share *share) {
  if (share->batch_fd >= 0)
    record_batch_unlock(share->batch_fd);
  share->batch_fd = -1;
}

void share_batch_over(struct share *share, int64_t now_ns) {
  if (share->batch_fd < 0)
    return;
  unlock_batch(share);
  share->batch_retry_ns = now_ns + SHARE_BATCH_PAUSE_NS;
  share->ceiling->is_batch_elsewhere = true;
}

static void serve_batch(struct share *share, int64_t now_ns) {
  struct ceiling *ceiling = share->ceiling;
  if (ceiling->in_flight_batches > 0)
    return;
  if (!batch_head(share)) {
    unlock_batch(share);
    return;
  }
  if (share->batch_fd >= 0 || now_ns < share->batch_retry_ns)
    return;
  ceiling->is_batch_elsewhere =
      !share->is_alone && open_folder(share, now_ns) &&
      !record_batch_lock(&share->record, &share->batch_fd);
  /* What holds up the first that waits is another unit now: to be told. */
  if (!ceiling->is_batch_elsewhere)
    share->is_dirty = true;
  if (ceiling->is_batch_elsewhere)
    share->batch_retry_ns = now_ns + SHARE_RETRY_MAX_NS;
}

static int64_t batch_ns(const struct share *share) {
  return batch_head(share) && share->batch_fd < 0 && !share->is_alone &&
                 share->ceiling->in_flight_batches == 0
             ? share->batch_retry_ns
             : CLOCK_NEVER;
}

/* -- For the endpoint -- */

void share_serve(struct share *share, bool may_send, int64_t now_ns) {
  if (!share->sharing->state_dir)
    return;
  share->is_stopped = !may_send;
  if (may_send)
    ceiling_drop_useless(share->ceiling, now_ns);
  else
    ceiling_drop(share->ceiling);
  serve_batch(share, now_ns);
  if (visit_ns(share, now_ns) <= now_ns)
    visit(share, now_ns);
}

int64_t share_next_ns(const struct share *share, int64_t now_ns) {
  if (!share->sharing->state_dir)
    return CLOCK_NEVER;
  return num_min(visit_ns(share, now_ns), batch_ns(share));
}

static void show(uint64_t *shown, uint64_t value) {
  if (value > *shown)
    *shown = value;
}

void share_host(struct share *share, int64_t now_ns, struct host_totals *ret) {
  struct host_totals *shown = &share->shown;
  if (share->sharing->state_dir && now_ns >= share->retry_ns)
    visit(share, now_ns);
  for (int i = 0; i < OWNER_COUNT; i++) {
    struct record_totals now = share->content.totals[i];
    add(&now, &share->used[i], &share->told[i]);
    show(&shown->owner[i].requests, now.requests);
    show(&shown->owner[i].operations, now.operations);
    show(&shown->owner[i].rows, now.rows);
    show(&shown->owner[i].bytes, now.bytes);
    show(&shown->owner[i].permit_wait_ns, now.permit_wait_ns);
  }
  show(&shown->changes,
       share->content.changes + share->changes - share->changes_told);
  show(&shown->handling_ns, share->content.handling_ns + share->handling_ns -
                                share->handling_ns_told);
  for (int i = 0; i < REFUSAL_COUNT; i++)
    show(&shown->refused[i], share->content.refused[i] + share->refused[i] -
                                 share->refused_told[i]);
  shown->is_shared = share->ceiling->is_shared;
  *ret = *shown;
}

static void last_word(struct share *share) {
  struct sharing *sharing = share->sharing;
  int64_t now_ns = clock_mono_ns();
  if (sharing->end_ns == 0)
    sharing->end_ns = now_ns + LAST_WORD_NS;
  ceiling_drop(share->ceiling);
  share->is_dirty = true;
  share->is_stopped = true;
  share->round_ns = 0;
  for (;;) {
    visit(share, now_ns);
    now_ns = clock_mono_ns();
    if (!share->is_dirty || share->is_alone || now_ns >= sharing->end_ns)
      return;
    (void)sched_yield();
  }
}

void share_leave(struct share *share) { share->is_dirty = share->was_synced; }

bool share_is_told(const struct share *share) {
  return !share->was_synced || share->is_alone ||
         (!share->is_dirty && !share->ceiling->reservation.is_held &&
          !ceiling_has_news(share->ceiling));
}

void share_fini(struct share *share, bool is_end) {
  unlock_batch(share);
  if (is_end && share->was_synced && !share->is_alone)
    last_word(share);
  if (share->is_alone)
    share->sharing->n_alone--;
}
