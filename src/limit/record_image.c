/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/record.h"

#include "base/clock.h"
#include "base/hash.h"

#include <string.h>

static const char magic[4] = {'j', 'l', 'k', '\n'};

struct image_head {
  int32_t pid;
  uint8_t owner;
  uint8_t unit;
  uint16_t seen_s;
  uint32_t since_ms; /* low bits: of the last 24 days */
};

struct image_scraper {
  int32_t pid;
  uint16_t pids;
  uint16_t started;
  uint16_t seen_s;
  uint16_t stay_s : 15, is_daemon : 1;
};

/* The bytes, in this machine's order: no other one reads them. */
struct image {
  char magic[4];
  uint32_t layout;
  uint64_t url;
  uint32_t boot; /* low bits */
  uint16_t rounds[RECORD_ROUNDS];
  uint32_t clock;
  uint32_t refused[REFUSAL_COUNT];
  struct pace paces[RECORD_KINDS];
  struct image_scraper scrapers[RECORD_SCRAPERS];
  uint64_t sequence;
  struct levels levels;
  struct record_totals totals[OWNER_COUNT];
  uint64_t changes;
  uint64_t handling_ns;
  struct image_head heads[RECORD_HEADS];
  uint64_t checksum; /* of all before it */
};
_Static_assert(sizeof(struct image) == RECORD_SIZE, "the size on disk");

static uint64_t checksum_of(const void *bytes) {
  return hash_words(bytes, offsetof(struct image, checksum));
}

static void begin(struct record_content *content,
                  const struct levels_rates *rates, int64_t now_ns) {
  *content = (struct record_content){0};
  levels_init(&content->levels, rates, now_ns);
}

enum record_state record_empty(const struct levels_rates *rates, int64_t now_ns,
                               struct record_content *ret) {
  begin(ret, rates, now_ns);
  for (int i = 0; i < UNIT_BUCKETS; i++)
    ret->levels.bucket[i].level = 0;
  return RECORD_EMPTIED;
}

static bool is_time_possible(int64_t at_ns, int64_t ahead_ns, int64_t now_ns) {
  return at_ns >= 0 && at_ns - ahead_ns - RECORD_CLOCK_AHEAD_NS <= now_ns;
}

static bool is_possible(const struct image *image, int64_t now_ns) {
  const struct levels *levels = &image->levels;
  for (int i = 0; i < UNIT_BUCKETS; i++)
    if (!is_time_possible(levels->bucket[i].last_ns, 0, now_ns))
      return false;
  return is_time_possible(levels->hold_until_ns, RECORD_HOLD_MAX_NS, now_ns) &&
         is_time_possible(levels->operator_hold_until_ns,
                          RECORD_OPERATOR_HOLD_MAX_NS, now_ns);
}

/* A debt of seconds to one process may be one of hours to another, with a lower
 * ceiling. */
static void limit_debts(struct levels *levels,
                        const struct levels_rates *rates) {
  for (int i = 0; i < UNIT_BUCKETS; i++) {
    const struct bucket_rate *rate = &rates->unit[i];
    uint64_t debt = bucket_amount(rate->rate, RECORD_AHEAD_NS);
    if (__builtin_add_overflow(debt, (uint64_t)rate->cap, &debt) ||
        debt > (uint64_t)BUCKET_LEVEL_MAX)
      debt = (uint64_t)BUCKET_LEVEL_MAX;
    if (levels->bucket[i].level < -(int64_t)debt)
      levels->bucket[i].level = -(int64_t)debt;
  }
}

static int64_t since_ns(uint32_t since_ms, int64_t now_ns) {
  int64_t now_ms = now_ns / CLOCK_NS_PER_MS;
  return (now_ms - (int32_t)((uint32_t)now_ms - since_ms)) * CLOCK_NS_PER_MS;
}

static void take_heads(const struct image *image, int64_t now_ns,
                       struct record_content *ret) {
  for (int i = 0; i < RECORD_HEADS; i++) {
    const struct image_head *head = &image->heads[i];
    if (head->pid <= 0 || head->owner >= OWNER_COUNT ||
        head->unit >= UNIT_COUNT)
      continue;
    ret->heads[i] =
        (struct record_head){.pid = head->pid,
                             .owner = (enum owner)head->owner,
                             .unit = (enum unit)head->unit,
                             .seen_s = head->seen_s,
                             .since_ns = since_ns(head->since_ms, now_ns)};
  }
}

static void take_scrapers(const struct image *image,
                          struct record_content *ret) {
  for (int i = 0; i < RECORD_SCRAPERS; i++) {
    const struct image_scraper *scraper = &image->scrapers[i];
    if (scraper->pid > 0)
      ret->scrapers[i] =
          (struct record_scraper){.process = {.pid = scraper->pid,
                                              .pids = scraper->pids,
                                              .started = scraper->started},
                                  .is_daemon = scraper->is_daemon,
                                  .seen_s = scraper->seen_s,
                                  .stay_s = scraper->stay_s};
  }
}

enum record_state record_decode(const void *bytes, size_t len,
                                const struct record_key *key,
                                const struct levels_rates *rates,
                                int64_t now_ns, struct record_content *ret) {
  struct image image;
  if (len == 0) {
    begin(ret, rates, now_ns);
    return RECORD_NEW;
  }
  if (len != RECORD_SIZE)
    return record_empty(rates, now_ns, ret);
  memcpy(&image, bytes, sizeof(image));
  if (memcmp(image.magic, magic, sizeof(magic)) != 0 ||
      image.checksum != checksum_of(&image))
    return record_empty(rates, now_ns, ret);
  if (image.layout != RECORD_LAYOUT || image.url != key->url)
    return RECORD_FOREIGN;
  if (image.boot != (uint32_t)key->boot)
    return record_empty(rates, now_ns, ret);
  if (image.clock != key->clock)
    return RECORD_FOREIGN;
  if (!is_possible(&image, now_ns))
    return record_empty(rates, now_ns, ret);
  *ret = (struct record_content){.sequence = image.sequence,
                                 .levels = image.levels,
                                 .changes = image.changes,
                                 .handling_ns = image.handling_ns};
  limit_debts(&ret->levels, rates);
  memcpy(ret->totals, image.totals, sizeof(ret->totals));
  for (int i = 0; i < REFUSAL_COUNT; i++)
    ret->refused[i] = image.refused[i];
  memcpy(ret->paces, image.paces, sizeof(ret->paces));
  memcpy(ret->rounds, image.rounds, sizeof(ret->rounds));
  take_heads(&image, now_ns, ret);
  take_scrapers(&image, ret);
  return RECORD_SOUND;
}

static void put_lists(const struct record_content *content,
                      struct image *image) {
  for (int i = 0; i < RECORD_HEADS; i++) {
    const struct record_head *head = &content->heads[i];
    image->heads[i] = (struct image_head){
        .pid = head->pid,
        .owner = (uint8_t)head->owner,
        .unit = (uint8_t)head->unit,
        .seen_s = head->seen_s,
        .since_ms = (uint32_t)(head->since_ns / CLOCK_NS_PER_MS)};
  }
  for (int i = 0; i < RECORD_SCRAPERS; i++) {
    const struct record_scraper *scraper = &content->scrapers[i];
    image->scrapers[i] = (struct image_scraper){
        .pid = scraper->process.pid,
        .pids = scraper->process.pids,
        .started = scraper->process.started,
        .seen_s = scraper->seen_s,
        .stay_s = (uint16_t)(scraper->stay_s & RECORD_STAY_MAX_S),
        .is_daemon = scraper->is_daemon};
  }
}

void record_encode(const struct record_content *content,
                   const struct record_key *key, void *bytes) {
  struct image image;
  memset(&image, 0, sizeof(image));
  memcpy(image.magic, magic, sizeof(magic));
  image.layout = RECORD_LAYOUT;
  image.clock = key->clock;
  image.url = key->url;
  image.boot = (uint32_t)key->boot;
  image.sequence = content->sequence;
  image.levels = content->levels;
  memcpy(image.totals, content->totals, sizeof(image.totals));
  for (int i = 0; i < REFUSAL_COUNT; i++)
    image.refused[i] = (uint32_t)content->refused[i];
  memcpy(image.paces, content->paces, sizeof(image.paces));
  memcpy(image.rounds, content->rounds, sizeof(image.rounds));
  image.changes = content->changes;
  image.handling_ns = content->handling_ns;
  put_lists(content, &image);
  image.checksum = checksum_of(&image);
  memcpy(bytes, &image, sizeof(image));
}

/* -- Who is there -- */

static uint16_t seconds(int64_t now_ns) {
  return (uint16_t)(now_ns / CLOCK_NS_PER_S);
}

bool record_was_seen(uint16_t seen_s, uint16_t stay_s, int64_t now_ns) {
  const uint16_t ahead_s = RECORD_CLOCK_AHEAD_NS / CLOCK_NS_PER_S;
  return (uint16_t)(seconds(now_ns) + ahead_s - seen_s) <= stay_s + ahead_s;
}

void record_set_head(struct record_content *content,
                     const struct record_head *head, int64_t now_ns) {
  struct record_head *place = NULL;
  for (int i = RECORD_HEADS - 1; i >= 0; i--) {
    struct record_head *at = &content->heads[i];
    if (at->pid == head->pid ||
        !record_was_seen(at->seen_s, RECORD_HEAD_STALE_S, now_ns))
      *at = (struct record_head){0};
    if (at->pid == 0)
      place = at;
  }
  if (!place || head->owner == OWNER_COUNT)
    return;
  *place = *head;
  place->seen_s = seconds(now_ns);
}

static bool is_same(const struct record_process *a,
                    const struct record_process *b) {
  return a->pid == b->pid && a->pids == b->pids;
}

void record_set_scraper(struct record_content *content,
                        const struct record_scraper *scraper, int64_t now_ns) {
  struct record_scraper *place = NULL;
  for (int i = RECORD_SCRAPERS - 1; i >= 0; i--) {
    struct record_scraper *at = &content->scrapers[i];
    if (is_same(&at->process, &scraper->process) ||
        !record_was_seen(at->seen_s, at->stay_s, now_ns))
      *at = (struct record_scraper){.is_daemon = false};
    if (at->process.pid == 0)
      place = at;
  }
  if (scraper->stay_s == 0)
    return;
  for (int i = 0; i < RECORD_SCRAPERS && !place; i++)
    if (record_process_is_gone(&content->scrapers[i].process))
      place = &content->scrapers[i];
  if (!place)
    return;
  *place = *scraper;
  place->seen_s = seconds(now_ns);
}
