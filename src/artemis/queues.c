/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/queues.h"

#include "artemis/aside.h"
#include "base/log.h"

static enum queues_way fall_back(const struct queues *queues) {
  return queues->source == SCRAPE_AUTO ? QUEUES_READ : QUEUES_NONE;
}

enum queues_way queues_tick(struct queues *queues, bool is_listing_aside) {
  queues->attempts = 0;
  if (queues->source == SCRAPE_READ)
    return QUEUES_READ;
  if (is_listing_aside)
    return fall_back(queues);
  if (queues->source == SCRAPE_LIST)
    return QUEUES_LIST;
  if (queues->is_denied)
    return QUEUES_READ;
  if (queues->bad_ticks >= QUEUES_BAD_TICKS &&
      ++queues->skipped < QUEUES_LIST_EVERY)
    return QUEUES_READ;
  queues->skipped = 0;
  return QUEUES_LIST;
}

static void tell(bool *is_told, const char *host, const char *what,
                 const struct queues *queues, const char *text) {
  if (*is_told)
    return;
  *is_told = true;
  log_write(LOG_LEVEL_NOTICE, "%s: %s (%s): %s", host, what, text,
            queues->source == SCRAPE_AUTO
                ? "the queues are read by pattern instead, which costs the "
                  "broker more"
                : "without queue values, as Source is \"list\"");
}

static enum queues_way denied(struct queues *queues, const char *host,
                              const char *text) {
  queues->is_denied = true;
  tell(&queues->is_denied_told, host, "listQueues is refused", queues, text);
  return fall_back(queues);
}

enum queues_way queues_listed(struct queues *queues, enum status status,
                              uint64_t rows, const char *host,
                              const char *text) {
  if (status == STATUS_OK) {
    queues->bad_ticks = 0;
    return QUEUES_NONE;
  }
  if (status == STATUS_ITEM_DENIED)
    return denied(queues, host, text);
  if (!aside_is_for(status) && rows == 0 && ++queues->attempts < 2)
    return QUEUES_LIST;
  if (queues->bad_ticks < QUEUES_BAD_TICKS)
    queues->bad_ticks++;
  tell(&queues->is_failing_told, host, "listQueues fails", queues, text);
  return rows == 0 ? fall_back(queues) : QUEUES_NONE;
}

void queues_identity_read(struct queues *queues) { queues->is_denied = false; }
