/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* Any bytes as a record: where they are taken, they are written back the same,
 * and say nothing that the ceiling could not have said; else they give no
 * permit. The bytes are also given a right beginning and checksum, so that more
 * than the checksum is tried. */
#include "base/clock.h"
#include "fuzz.h"
#include "limit/record.h"

#include <string.h>

#define NOW (1000 * CLOCK_NS_PER_S)

static const struct record_key key = {.url = 1, .boot = 2, .clock = 3};

static void put_right(unsigned char bytes[RECORD_SIZE]) {
  struct record_content none = {.sequence = 0};
  unsigned char sound[RECORD_SIZE];
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  record_encode(&none, &key, sound);
  memcpy(bytes, sound, 28);
  for (size_t at = 0; at < RECORD_SIZE - 8; at += 8) {
    uint64_t word;
    memcpy(&word, bytes + at, sizeof(word));
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
  }
  memcpy(bytes + RECORD_SIZE - 8, &hash, sizeof(hash));
}

static void check_sound(const struct record_content *content,
                        const struct levels_rates *rates) {
  unsigned char bytes[RECORD_SIZE];
  struct record_content again;
  for (int i = 0; i < RECORD_HEADS; i++) {
    FUZZ_CHECK(content->heads[i].pid >= 0);
    FUZZ_CHECK(content->heads[i].owner < OWNER_COUNT);
    FUZZ_CHECK(content->heads[i].unit < UNIT_COUNT);
  }
  for (int i = 0; i < RECORD_SCRAPERS; i++) {
    FUZZ_CHECK(content->scrapers[i].process.pid >= 0);
    FUZZ_CHECK(content->scrapers[i].stay_s <= RECORD_STAY_MAX_S);
  }
  struct levels levels = content->levels;
  levels_accrue(&levels, rates, NOW);
  FUZZ_CHECK(bucket_ready_ns(
                 &levels.bucket[UNIT_REQUESTS], &rates->unit[UNIT_REQUESTS],
                 (uint64_t)BUCKET_PERMIT, NOW) <= NOW + 300 * CLOCK_NS_PER_S);
  record_encode(content, &key, bytes);
  memset(&again, 0, sizeof(again));
  FUZZ_CHECK(record_decode(bytes, sizeof(bytes), &key, rates, NOW, &again) ==
             RECORD_SOUND);
  FUZZ_CHECK(memcmp(&again.levels, &content->levels, sizeof(levels)) == 0);
  for (int i = 0; i < RECORD_SCRAPERS; i++)
    FUZZ_CHECK(again.scrapers[i].process.pid ==
                   content->scrapers[i].process.pid &&
               again.scrapers[i].stay_s == content->scrapers[i].stay_s);
  FUZZ_CHECK(again.sequence == content->sequence);
}

static void try(const unsigned char *bytes, size_t len) {
  struct levels_rates rates = {.unit = {bucket_rate_of(20000, 1),
                                        bucket_rate_of(50000, 50),
                                        bucket_rate_of_bytes(2 << 20, 8 << 20),
                                        bucket_rate_of_handling(250000, 2)}};
  struct record_content content;
  enum record_state state =
      record_decode(bytes, len, &key, &rates, NOW, &content);
  FUZZ_CHECK((state == RECORD_NEW) == (len == 0));
  if (state == RECORD_SOUND)
    check_sound(&content, &rates);
  if (state == RECORD_EMPTIED)
    FUZZ_CHECK(content.levels.bucket[UNIT_REQUESTS].level == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned char bytes[RECORD_SIZE] = {0};
  try(data, size);
  memcpy(bytes, data, size < sizeof(bytes) ? size : sizeof(bytes));
  put_right(bytes);
  try(bytes, sizeof(bytes));
  return 0;
}
