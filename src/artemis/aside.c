/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/aside.h"

#include "base/log.h"

bool aside_is_for(enum status status) {
  return status == STATUS_REPLY_TOO_LARGE ||
         status == STATUS_REQUEST_TOO_LARGE || status == STATUS_HTTP_STATUS;
}

void aside_put(struct aside *aside, enum aside_key key, const char *host,
               const char *text) {
  static const char *const names[ASIDE_COUNT] = {
      [ASIDE_NEVER] = "Active",
      [ASIDE_BROKER] = "the broker's attributes",
      [ASIDE_ALONE] = "the broker's attributes that are read alone",
      [ASIDE_LISTING] = "listQueues",
      [ASIDE_QUEUES] = "the pattern read of the queues",
      [ASIDE_ADDRESSES] = "the pattern read of the addresses",
  };
  if (key == ASIDE_NEVER)
    return;
  aside->rounds[key] = ASIDE_ROUNDS + 1;
  if (!aside->is_told[key])
    log_write(LOG_LEVEL_WARNING, "%s: %s: set aside for %d rounds: %s", host,
              names[key], ASIDE_ROUNDS, text);
  aside->is_told[key] = true;
}

void aside_round(struct aside *aside) {
  for (size_t i = 0; i < ASIDE_COUNT; i++)
    if (aside->rounds[i] > 0)
      aside->rounds[i]--;
}

bool aside_has(const struct aside *aside, enum aside_key key) {
  return aside->rounds[key] > 0;
}

size_t aside_count(const struct aside *aside) {
  size_t n = 0;
  for (size_t i = 0; i < ASIDE_COUNT; i++)
    n += aside->rounds[i] > 0;
  return n;
}
