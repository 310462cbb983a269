/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef PLUGIN_NOTICES_H
#define PLUGIN_NOTICES_H

/* Notices on their way to collectd. Who receives a notification runs in the
 * caller, for as long as it likes: never in the engine's thread, so that what
 * comes from there is kept until the read callback hands it over. */

#include "client/notice.h"

#include <stdbool.h>

/* More between two reads are counted, and said. */
#define NOTICES_MAX 256

struct notices;

/* notices_new(): NULL without memory. notices_free(notices): what is left is
 * lost; NULL is fine. */
struct notices *notices_new(void);
void notices_free(struct notices *notices);

/* notices_put(notices, notice): a notice_sink's; from any thread; never waits
 * for a receiver. */
void notices_put(void *notices, const struct notice *notice);

/* notices_dispatch(notices): hands over what came, in its order. From one
 * thread. */
void notices_dispatch(struct notices *notices);

/* notices_engine(notices, is_well): the engine's state, as the read callback
 * finds it: puts a notice where it changes. It is well to begin with. */
void notices_engine(struct notices *notices, bool is_well);

#endif
