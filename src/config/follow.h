/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_FOLLOW_H
#define CONFIG_FOLLOW_H

/* Follows the settings while others use them: one thread reads them, as it may
 * block; the engine's takes what is new. */

#include "config/live.h"

/* Where the kernel does not tell of a change (network and overlay mounts, no
 * watches left), it is seen so late at most. */
#define FOLLOW_POLL_NS INT64_C(5000000000)

struct follow;

struct follow_options {
  struct live *live; /* read once; owned from then on, where it is STATUS_OK */
  const struct settings *settings; /* what that gave; stay the caller's, until
                                      he gives them back */
  const struct problems *problems; /* of that; copied */
  /* Both on the thread that reads, and not after follow_stop(): there are new
   * settings to take; something else is wrong than before (${error} is the
   * first of it), or nothing any more (NULL). The latter may be NULL. */
  void (*notify)(void *cookie);
  void (*tell)(void *cookie, const char *error);
  void *cookie;
};

/* follow_new(options, ret, error): STATUS_INVALID (no descriptors),
 * STATUS_NO_MEMORY. */
enum status follow_new(const struct follow_options *options,
                       struct follow **ret, struct error *error);

/* follow_run(follow): the thread that reads; returns after follow_stop(). */
void follow_run(struct follow *follow);

/* follow_stop(follow): from any thread; never waits for a read. follow_free():
 * when follow_run() has returned, or never began; NULL is fine. */
void follow_stop(struct follow *follow);
void follow_free(struct follow *follow);

/* follow_take(follow): the engine's thread: new settings, which are the taker's
 * then; NULL where there are none. Never waits. */
struct settings *follow_take(struct follow *follow);

/* follow_give_back(follow, settings): settings that were taken, or those of
 * follow_new(), and nobody uses any more: freed by the other thread. */
void follow_give_back(struct follow *follow, struct settings *settings);

/* follow_status(follow, ret_is_current, ret_n_rejected): whether nothing is
 * wrong with the settings, and how many files were rejected so far. From any
 * thread. */
void follow_status(struct follow *follow, bool *ret_is_current,
                   uint64_t *ret_n_rejected);

#endif
