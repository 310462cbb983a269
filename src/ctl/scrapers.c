/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/scrapers.h"

static bool has_pid(const struct scrapers *scrapers, pid_t pid) {
  for (size_t i = 0; i < scrapers->n; i++)
    if (scrapers->pids[i] == pid)
      return true;
  return false;
}

void scrapers_see(struct scrapers *scrapers, const struct limits *limits,
                  pid_t own) {
  for (size_t i = 0; i < limits->n_waiters; i++) {
    const struct limits_waiter *waiter = &limits->waiters[i];
    if (waiter->owner == OWNER_SCRAPE && waiter->pid != own &&
        !has_pid(scrapers, waiter->pid) && scrapers->n < SCRAPERS_MAX)
      scrapers->pids[scrapers->n++] = waiter->pid;
  }
}

static void add_pids(struct buf *out, const struct scrapers *scrapers,
                     const char *between) {
  for (size_t i = 0; i < scrapers->n; i++)
    buf_printf(out, "%s%d", i ? between : "", (int)scrapers->pids[i]);
}

void scrapers_text(struct buf *out, const struct scrapers *scrapers) {
  if (scrapers->n < 2)
    return;
  buf_printf(out, "  scraped by %zu processes of this host: ", scrapers->n);
  add_pids(out, scrapers, ", ");
  buf_add_text(out, "; they share its ceiling, let one alone scrape it\n");
}

void scrapers_json(struct buf *out, const struct scrapers *scrapers) {
  buf_add_text(out, ",\"scrapers\":[");
  add_pids(out, scrapers, ",");
  buf_add_text(out, "]");
}
