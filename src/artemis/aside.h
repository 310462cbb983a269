/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_ASIDE_H
#define ARTEMIS_ASIDE_H

/* Items that spoiled their bulk: left out for some rounds, so that a refusal is
 * never asked for again unchanged. One for each tier. */

#include "base/status.h"

#include <stdint.h>

#define ASIDE_ROUNDS 10

enum aside_key {
  ASIDE_NEVER, /* Active: without it there is no round */
  ASIDE_BROKER,
  ASIDE_ALONE, /* attributes in an item of their own: all or none */
  ASIDE_LISTING,
  ASIDE_QUEUES,
  ASIDE_ADDRESSES,
  ASIDE_COUNT
};

struct aside {
  uint8_t rounds[ASIDE_COUNT]; /* until it is asked for again; 0: it is now */
  bool is_told[ASIDE_COUNT];
};

/* aside_is_for(status): whether an item that failed so is to be set aside. */
bool aside_is_for(enum status status);

/* aside_put(aside, key, host, text): leaves it out of the next ASIDE_ROUNDS
 * rounds; says so once, for ${host}. Nothing for ASIDE_NEVER. */
void aside_put(struct aside *aside, enum aside_key key, const char *host,
               const char *text);

/* aside_round(aside): a round begins. */
void aside_round(struct aside *aside);

/* aside_has(aside, key), aside_count(aside): what is left out now. */
bool aside_has(const struct aside *aside, enum aside_key key);
size_t aside_count(const struct aside *aside);

#endif
