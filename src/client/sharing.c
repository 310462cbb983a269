/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/share.h"

#include <stdlib.h>
#include <string.h>

enum status sharing_init(struct sharing *sharing, const char *state_dir,
                         bool is_daemon, bool is_unshared) {
  *sharing =
      (struct sharing){.is_daemon = is_daemon, .is_unshared = is_unshared};
  record_process_self(&sharing->self);
  if (state_dir && !(sharing->state_dir = strdup(state_dir)))
    return STATUS_NO_MEMORY;
  return STATUS_OK;
}

/* -- Forgotten nodes -- */

struct forgotten {
  struct forgotten *next;
  struct levels_rates rates;
  struct record record;
};

static struct forgotten *take_out(struct sharing *sharing,
                                  struct forgotten **link) {
  struct forgotten *forgotten = *link;
  *link = forgotten->next;
  if (!*link)
    sharing->forgotten_end = link;
  sharing->n_forgotten--;
  return forgotten;
}

static void put_last(struct sharing *sharing, struct forgotten *forgotten) {
  forgotten->next = NULL;
  if (!sharing->forgotten)
    sharing->forgotten_end = &sharing->forgotten;
  *sharing->forgotten_end = forgotten;
  sharing->forgotten_end = &forgotten->next;
  sharing->n_forgotten++;
}

void share_forget(struct share *share) {
  struct sharing *sharing = share->sharing;
  if (!share->is_named || sharing->n_forgotten >= SHARING_FORGOTTEN_MAX)
    return;
  struct forgotten *forgotten = malloc(sizeof(*forgotten));
  if (!forgotten)
    return;
  *forgotten =
      (struct forgotten){.rates = share->whole.rates, .record = share->record};
  put_last(sharing, forgotten);
}

void sharing_remember(struct sharing *sharing, const struct record *record) {
  struct forgotten **link = &sharing->forgotten;
  while (*link)
    if ((*link)->record.key.url == record->key.url)
      free(take_out(sharing, link));
    else
      link = &(*link)->next;
}

static bool is_used(const struct record_content *content) {
  for (int i = 0; i < RECORD_HEADS; i++)
    if (content->heads[i].pid != 0)
      return true;
  for (int i = 0; i < RECORD_SCRAPERS; i++)
    if (content->scrapers[i].process.pid != 0)
      return true;
  return false;
}

/* False: to be tried again. */
static bool forget(const struct sharing *sharing, struct forgotten *forgotten,
                   int64_t now_ns) {
  struct record *record = &forgotten->record;
  struct record_content content;
  enum record_state state;
  switch (
      record_lock(record, &forgotten->rates, now_ns, &content, &state, NULL)) {
  case RECORD_BUSY:
    return false;
  case RECORD_UNUSABLE:
    return true;
  case RECORD_LOCKED:
    break;
  }
  /* Those that have not come for long are left out. */
  const struct record_head head = {.pid = sharing->self.pid,
                                   .owner = OWNER_COUNT};
  const struct record_scraper scraper = {.process = sharing->self};
  record_set_head(&content, &head, now_ns);
  record_set_scraper(&content, &scraper, now_ns);
  bool is_full = levels_are_full(&content.levels, &forgotten->rates, now_ns);
  if (state == RECORD_NEW || (is_full && !is_used(&content))) {
    record_forget(record);
    return true;
  }
  if (state == RECORD_EMPTIED) /* so that it fills */
    (void)record_write(record, &content, NULL);
  record_unlock(record);
  return false;
}

size_t sharing_sweep(struct sharing *sharing, int64_t now_ns) {
  size_t n = sharing->n_forgotten;
  if (n > SHARING_SWEEP_MAX)
    n = SHARING_SWEEP_MAX;
  while (n-- > 0) {
    struct forgotten *first = take_out(sharing, &sharing->forgotten);
    if (forget(sharing, first, now_ns))
      free(first);
    else
      put_last(sharing, first);
  }
  return sharing->n_forgotten;
}

void sharing_fini(struct sharing *sharing) {
  while (sharing->forgotten)
    free(take_out(sharing, &sharing->forgotten));
  record_folder_close(sharing->folder);
  free(sharing->state_dir);
}
