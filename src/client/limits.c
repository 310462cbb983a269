/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/limits.h"

#include "base/clock.h"
#include "client/translate.h"
#include "limit/pace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A reading that meets a writing is repeated: one takes a microsecond. */
#define TRIES 4

/* -- Reading -- */

static enum status no_file(const char *path, int number, struct error *error) {
  if (number == ENOENT)
    return error_set(error, STATUS_NOT_FOUND,
                     "no process of this host has used it: there is no %s",
                     path);
  if (number == EACCES)
    return error_set(error, STATUS_INVALID,
                     "%s: this user may not read it: run as the user of the "
                     "daemon, or in its group",
                     path);
  return error_set(error, STATUS_INVALID, "%s: %s: it cannot be read", path,
                   strerrorname_np(number));
}

/* ${ret_len} of RECORD_SIZE + 1 show one that is too long. */
static enum status read_file(const struct settings *settings,
                             const struct record *record, char *bytes,
                             size_t *ret_len, struct error *error) {
  char path[4096];
  struct stat stat;
  snprintf(path, sizeof(path), "%s/%s", settings->state_dir, record->name);
  int fd =
      open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return no_file(path, errno, error);
  ssize_t len = -1;
  if (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode))
    len = pread(fd, bytes, RECORD_SIZE + 1, 0);
  close(fd);
  if (len < 0)
    return error_set(error, STATUS_INVALID,
                     "%s: it is no plain file: remove it", path);
  *ret_len = (size_t)len;
  return STATUS_OK;
}

static enum status read_record(const struct settings *settings,
                               const struct record *record,
                               const struct levels_rates *rates, int64_t now_ns,
                               struct record_content *ret,
                               struct error *error) {
  char bytes[RECORD_SIZE + 1];
  bool is_damaged = false;
  for (int i = 0; i < TRIES; i++) {
    size_t len = 0;
    enum status status = read_file(settings, record, bytes, &len, error);
    if (status != STATUS_OK)
      return status;
    switch (record_decode(bytes, len, &record->key, rates, now_ns, ret)) {
    case RECORD_SOUND:
      return STATUS_OK;
    case RECORD_FOREIGN:
      return error_set(error, STATUS_INVALID,
                       "%s/%s: another version of this program writes it, or "
                       "one in another time namespace",
                       settings->state_dir, record->name);
    case RECORD_NEW:
      is_damaged = false;
      break;
    case RECORD_EMPTIED:
      is_damaged = true;
      break;
    }
  }
  if (is_damaged)
    return error_set(error, STATUS_NOT_FOUND,
                     "%s/%s: it is damaged or from before a restart; who next "
                     "sends to the node begins it anew",
                     settings->state_dir, record->name);
  return error_set(error, STATUS_NOT_FOUND,
                   "no process of this host has used it since the last boot");
}

/* The folder is made by who shares, not by who looks. */
static enum status find_record(const struct settings *settings,
                               const struct node_settings *node,
                               struct record_folder **ret_folder,
                               struct record *ret, struct error *error) {
  if (access(settings->state_dir, F_OK) != 0)
    return error_set(error, STATUS_NOT_FOUND,
                     "no process of this host shares its ceilings: there is "
                     "no StateDir \"%s\"",
                     settings->state_dir);
  enum status status =
      record_folder_open(settings->state_dir, ret_folder, error);
  if (status == STATUS_OK)
    record_init(ret, *ret_folder, node->url_key);
  return status;
}

/* -- What it says -- */

static void fill_units(struct limits *limits, const struct levels_rates *rates,
                       const struct levels *levels) {
  static const double parts[UNIT_BUCKETS] = {
      [UNIT_REQUESTS] = (double)BUCKET_PERMIT,
      [UNIT_CHANGES] = (double)BUCKET_PERMIT,
      [UNIT_BYTES] = (double)BUCKET_BYTE,
      [UNIT_HANDLING] = 1e9 * (double)BUCKET_HANDLING_NS};
  for (enum unit i = UNIT_REQUESTS; i < UNIT_BUCKETS; i++) {
    const struct bucket_rate *rate = &rates->unit[i];
    const struct bucket *bucket = &levels->bucket[i];
    int64_t ready_ns = bucket_ready_ns(bucket, rate, 0, limits->now_ns);
    limits->unit[i] =
        (struct limits_unit){.level = (double)bucket->level / parts[i],
                             .burst = (double)rate->cap / parts[i],
                             .per_second = (double)rate->rate * 1e9 / parts[i],
                             .debt_ns = ready_ns - limits->now_ns};
  }
}

static int64_t left_ns(int64_t until_ns, int64_t now_ns) {
  return until_ns > now_ns ? until_ns - now_ns : 0;
}

static int longest_first(const void *a, const void *b) {
  const struct limits_waiter *left = a, *right = b;
  return (left->waited_ns < right->waited_ns) -
         (left->waited_ns > right->waited_ns);
}

/* A killed process's stays where nobody writes. (Whether its pid is alive tells
 * nothing where containers share the record.) */
static void fill_waiters(struct limits *limits,
                         const struct record_content *content) {
  for (int i = 0; i < RECORD_HEADS; i++) {
    const struct record_head *head = &content->heads[i];
    if (head->pid == 0 ||
        !record_was_seen(head->seen_s, RECORD_HEAD_STALE_S, limits->now_ns))
      continue;
    limits->waiters[limits->n_waiters++] = (struct limits_waiter){
        .pid = head->pid,
        .owner = head->owner,
        .unit = head->unit,
        .waited_ns = left_ns(limits->now_ns, head->since_ns)};
  }
  qsort(limits->waiters, limits->n_waiters, sizeof(limits->waiters[0]),
        longest_first);
}

static void fill_scrapers(struct limits *limits,
                          const struct record_content *content) {
  struct record_process self;
  record_process_self(&self);
  for (int i = 0; i < RECORD_SCRAPERS; i++) {
    const struct record_scraper *scraper = &content->scrapers[i];
    const struct record_process *process = &scraper->process;
    if (process->pid == 0 ||
        !record_was_seen(scraper->seen_s, scraper->stay_s, limits->now_ns) ||
        record_process_is_gone(process))
      continue;
    limits->scrapers[limits->n_scrapers++] =
        (struct limits_scraper){.pid = process->pid,
                                .is_daemon = scraper->is_daemon,
                                .is_elsewhere = process->pids != self.pids};
  }
}

static void fill_record(struct limits *limits,
                        const struct record_content *content) {
  int64_t now_ns = limits->now_ns;
  limits->retry_after_ns = left_ns(content->levels.hold_until_ns, now_ns);
  limits->operator_hold_ns =
      left_ns(content->levels.operator_hold_until_ns, now_ns);
  memcpy(limits->totals, content->totals, sizeof(limits->totals));
  memcpy(limits->refused, content->refused, sizeof(limits->refused));
  limits->changes = content->changes;
  limits->handling_ns = content->handling_ns;
  for (int i = 0; i < KIND_COUNT; i++)
    limits->pace_ns[i] = pace_ns(&content->paces[i], now_ns);
  for (int i = TIER_FAST + 1; i < TIER_COUNT; i++)
    limits->round_ago_ns[i] =
        stamp_age_ns(content->rounds[i - TIER_FAST - 1], now_ns);
  fill_waiters(limits, content);
  fill_scrapers(limits, content);
}

void client_limits(const struct settings *settings,
                   const struct node_settings *node,
                   int64_t default_interval_ns, int64_t now_ns,
                   struct limits *ret) {
  struct limits limits = {.now_ns = now_ns};
  struct record_content content = {0};
  struct record_folder *folder = NULL;
  struct record record;
  struct node_options options;
  for (int i = 0; i < KIND_COUNT; i++)
    limits.pace_ns[i] = -1;
  for (int i = 0; i < TIER_COUNT; i++)
    limits.round_ago_ns[i] = -1;
  *ret = limits;
  enum status status = translate_node(settings, node, default_interval_ns,
                                      &options, &ret->record);
  if (status != STATUS_OK)
    return;
  const struct ceiling_settings *ceiling = &options.ceiling;
  const struct levels_rates *rates = &ceiling->rates;
  limits.max_in_flight = ceiling->max_in_flight;
  limits.max_waiting = ceiling->max_waiting;
  memcpy(limits.permit_timeout_ns, ceiling->permit_timeout_ns,
         sizeof(limits.permit_timeout_ns));
  status = find_record(settings, node, &folder, &record, &limits.record);
  if (status == STATUS_OK)
    status =
        read_record(settings, &record, rates, now_ns, &content, &limits.record);
  record_folder_close(folder);
  if (status == STATUS_OK)
    fill_record(&limits, &content);
  else
    levels_init(&content.levels, rates, now_ns);
  levels_accrue(&content.levels, rates, now_ns);
  fill_units(&limits, rates, &content.levels);
  *ret = limits;
}

/* -- The operator's hold -- */

static enum status set_hold(struct record *record,
                            const struct levels_rates *rates, int64_t until_ns,
                            int64_t now_ns, struct error *error) {
  struct record_content content;
  enum record_state state;
  switch (record_lock(record, rates, now_ns, &content, &state, error)) {
  case RECORD_BUSY:
    return error_set(error, STATUS_BUSY,
                     "another process holds its record: is one stopped?");
  case RECORD_UNUSABLE:
    return STATUS_INVALID;
  case RECORD_LOCKED:
    break;
  }
  content.levels.operator_hold_until_ns = until_ns;
  enum status status = record_write(record, &content, error);
  record_unlock(record);
  return status;
}

enum status client_hold(const struct settings *settings,
                        const struct node_settings *node, int64_t until_ns,
                        int64_t now_ns, struct error *error) {
  struct record_folder *folder;
  struct record record;
  struct node_options options;
  enum status status =
      translate_node(settings, node, CLOCK_NS_PER_S, &options, error);
  if (status != STATUS_OK)
    return status;
  status = record_folder_open(settings->state_dir, &folder, error);
  if (status != STATUS_OK)
    return status;
  record_init(&record, folder, node->url_key);
  status = set_hold(&record, &options.ceiling.rates, until_ns, now_ns, error);
  record_folder_close(folder);
  return status;
}
