/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_SCRAPERS_H
#define CTL_SCRAPERS_H

/* The processes of this host that scrape a node, round after round, as its
 * record tells them: collectd and `jolokiactl exec`, not the other commands.
 * Two are one too many. Pure. */

#include "client/limits.h"

/* scrapers_text(out, limits): where there are two or more, who they are and
 * what to do, without a line's end; else nothing. */
void scrapers_text(struct buf *out, const struct limits *limits);

/* scrapers_json(out, limits): the member "scrapers", all of them. */
void scrapers_json(struct buf *out, const struct limits *limits);

#endif
