/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/share.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status sharing_init(struct sharing *sharing, const char *state_dir,
                         bool is_daemon, bool is_unshared) {
  *sharing =
      (struct sharing){.is_daemon = is_daemon, .is_unshared = is_unshared};
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

static void drop_forgotten(struct sharing *sharing, struct forgotten **link) {
  struct forgotten *forgotten = *link;
  *link = forgotten->next;
  sharing->n_forgotten--;
  free(forgotten);
}

void share_forget(struct share *share) {
  struct sharing *sharing = share->sharing;
  if (!share->is_named || sharing->n_forgotten >= SHARING_FORGOTTEN_MAX)
    return;
  struct forgotten *forgotten = malloc(sizeof(*forgotten));
  if (!forgotten)
    return;
  *forgotten = (struct forgotten){.next = sharing->forgotten,
                                  .rates = share->whole.rates,
                                  .record = share->record};
  sharing->forgotten = forgotten;
  sharing->n_forgotten++;
}

void sharing_remember(struct sharing *sharing, const struct record *record) {
  struct forgotten **link = &sharing->forgotten;
  while (*link)
    if ((*link)->record.key.url == record->key.url)
      drop_forgotten(sharing, link);
    else
      link = &(*link)->next;
}

static bool has_heads(const struct record_content *content) {
  for (int i = 0; i < RECORD_HEADS; i++)
    if (content->heads[i].pid != 0)
      return true;
  return false;
}

/* False: to be tried again. */
static bool forget(struct forgotten *forgotten, int64_t now_ns) {
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
  /* Only those that wait are in it. */
  record_set_head(&content,
                  &(struct record_head){.pid = getpid(), .owner = OWNER_COUNT},
                  now_ns);
  bool is_full = levels_are_full(&content.levels, &forgotten->rates, now_ns);
  if (state == RECORD_NEW || (is_full && !has_heads(&content))) {
    record_forget(record);
    return true;
  }
  if (state == RECORD_EMPTIED) /* so that it fills */
    (void)record_write(record, &content, NULL);
  record_unlock(record);
  return false;
}

size_t sharing_sweep(struct sharing *sharing, int64_t now_ns) {
  struct forgotten **link = &sharing->forgotten;
  while (*link)
    if (forget(*link, now_ns))
      drop_forgotten(sharing, link);
    else
      link = &(*link)->next;
  return sharing->n_forgotten;
}

void sharing_fini(struct sharing *sharing) {
  while (sharing->forgotten)
    drop_forgotten(sharing, &sharing->forgotten);
  record_folder_close(sharing->folder);
  free(sharing->state_dir);
}
