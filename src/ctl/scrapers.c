/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/scrapers.h"

static const char *name_of(const struct limits_scraper *scraper) {
  return scraper->is_daemon ? "collectd" : "exec";
}

void scrapers_text(struct buf *out, const struct limits *limits) {
  size_t n = limits->n_scrapers;
  if (n < 2)
    return;
  buf_printf(out, "scraped by %zu%s processes of this host:", n,
             n == RECORD_SCRAPERS ? " or more" : "");
  for (size_t i = 0; i < n; i++) {
    const struct limits_scraper *scraper = &limits->scrapers[i];
    buf_printf(out, "%s %s %d%s", i > 0 ? "," : "", name_of(scraper),
               (int)scraper->pid,
               scraper->is_elsewhere ? " (in another container)" : "");
  }
  buf_add_text(out, "; each asks the broker for everything and they share one "
                    "ceiling: leave the node in the settings of one alone");
}

void scrapers_json(struct buf *out, const struct limits *limits) {
  buf_add_text(out, ",\"scrapers\":[");
  for (size_t i = 0; i < limits->n_scrapers; i++) {
    const struct limits_scraper *scraper = &limits->scrapers[i];
    buf_printf(out, "%s{\"process\":%d,\"program\":\"%s\",\"elsewhere\":%s}",
               i > 0 ? "," : "", (int)scraper->pid, name_of(scraper),
               scraper->is_elsewhere ? "true" : "false");
  }
  buf_add_text(out, "]");
}
