/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_SCRAPERS_H
#define CTL_SCRAPERS_H

/* The processes of this host that scrape a node, as far as its record tells:
 * those that wait there for a permit. One that takes its permits at once leaves
 * no trace of itself. Pure. */

#include "client/limits.h"

#define SCRAPERS_MAX (2 * RECORD_HEADS) /* two looks */

/* All 0: none yet. */
struct scrapers {
  pid_t pids[SCRAPERS_MAX];
  size_t n;
};

/* scrapers_see(scrapers, limits, own): adds those that scrape now, each once,
 * but for the process ${own}. */
void scrapers_see(struct scrapers *scrapers, const struct limits *limits,
                  pid_t own);

/* scrapers_text(out, scrapers): a line where there are two or more, else
 * nothing. scrapers_json(out, scrapers): the member "scrapers", all of them. */
void scrapers_text(struct buf *out, const struct scrapers *scrapers);
void scrapers_json(struct buf *out, const struct scrapers *scrapers);

#endif
