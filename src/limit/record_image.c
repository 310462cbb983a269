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
  int64_t since_ns;
};

/* The bytes, in this machine's order: no other one reads them. */
struct image {
  char magic[4];
  uint32_t layout;
  uint32_t clock;
  uint32_t refused[REFUSAL_COUNT];
  struct pace paces[RECORD_KINDS];
  uint8_t unused[4];
  uint64_t url;
  uint64_t boot;
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

static enum record_state empty(struct record_content *content,
                               const struct levels_rates *rates,
                               int64_t now_ns) {
  begin(content, rates, now_ns);
  for (int i = 0; i < UNIT_BUCKETS; i++)
    content->levels.bucket[i].level = 0;
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

static void take_heads(const struct image *image, struct record_content *ret) {
  for (int i = 0; i < RECORD_HEADS; i++) {
    const struct image_head *head = &image->heads[i];
    if (head->pid <= 0 || head->owner >= OWNER_COUNT ||
        head->unit >= UNIT_COUNT)
      continue;
    ret->heads[i] = (struct record_head){.pid = head->pid,
                                         .owner = (enum owner)head->owner,
                                         .unit = (enum unit)head->unit,
                                         .seen_s = head->seen_s,
                                         .since_ns = head->since_ns};
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
    return empty(ret, rates, now_ns);
  memcpy(&image, bytes, sizeof(image));
  if (memcmp(image.magic, magic, sizeof(magic)) != 0 ||
      image.checksum != checksum_of(&image))
    return empty(ret, rates, now_ns);
  if (image.layout != RECORD_LAYOUT || image.url != key->url)
    return RECORD_FOREIGN;
  if (image.boot != key->boot)
    return empty(ret, rates, now_ns);
  if (image.clock != key->clock)
    return RECORD_FOREIGN;
  if (!is_possible(&image, now_ns))
    return empty(ret, rates, now_ns);
  *ret = (struct record_content){.sequence = image.sequence,
                                 .levels = image.levels,
                                 .changes = image.changes,
                                 .handling_ns = image.handling_ns};
  limit_debts(&ret->levels, rates);
  memcpy(ret->totals, image.totals, sizeof(ret->totals));
  for (int i = 0; i < REFUSAL_COUNT; i++)
    ret->refused[i] = image.refused[i];
  memcpy(ret->paces, image.paces, sizeof(ret->paces));
  take_heads(&image, ret);
  return RECORD_SOUND;
}

void record_encode(const struct record_content *content,
                   const struct record_key *key, void *bytes) {
  struct image image;
  memset(&image, 0, sizeof(image));
  memcpy(image.magic, magic, sizeof(magic));
  image.layout = RECORD_LAYOUT;
  image.clock = key->clock;
  image.url = key->url;
  image.boot = key->boot;
  image.sequence = content->sequence;
  image.levels = content->levels;
  memcpy(image.totals, content->totals, sizeof(image.totals));
  for (int i = 0; i < REFUSAL_COUNT; i++)
    image.refused[i] = (uint32_t)content->refused[i];
  memcpy(image.paces, content->paces, sizeof(image.paces));
  image.changes = content->changes;
  image.handling_ns = content->handling_ns;
  for (int i = 0; i < RECORD_HEADS; i++) {
    const struct record_head *head = &content->heads[i];
    image.heads[i] = (struct image_head){.pid = head->pid,
                                         .owner = (uint8_t)head->owner,
                                         .unit = (uint8_t)head->unit,
                                         .seen_s = head->seen_s,
                                         .since_ns = head->since_ns};
  }
  image.checksum = checksum_of(&image);
  memcpy(bytes, &image, sizeof(image));
}

void record_set_head(struct record_content *content,
                     const struct record_head *head, int64_t now_ns) {
  uint16_t now_s = (uint16_t)(now_ns / CLOCK_NS_PER_S);
  struct record_head *place = NULL;
  for (int i = RECORD_HEADS - 1; i >= 0; i--) {
    struct record_head *at = &content->heads[i];
    uint16_t age_s = (uint16_t)(now_s - at->seen_s);
    if (at->pid == head->pid || age_s > RECORD_HEAD_STALE_S)
      *at = (struct record_head){0};
    if (at->pid == 0)
      place = at;
  }
  if (!place || head->owner == OWNER_COUNT)
    return;
  *place = *head;
  place->seen_s = now_s;
}
