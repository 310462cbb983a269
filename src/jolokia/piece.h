/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_PIECE_H
#define JOLOKIA_PIECE_H

/* One value (or member) of a reply, followed through the feeds to its end.
 * What lies whole in one feed is used there; what spans feeds is copied, up to
 * a maximum. Private to the reader of replies. */

#include "jolokia/frame.h"

#include <stddef.h>

struct piece {
  struct frame frame;
  size_t keep;    /* at most so many of its bytes, from the front */
  size_t len;     /* its bytes so far, kept or not */
  bool is_set_by; /* what is held was not followed yet */
  char *held;     /* those of earlier feeds that are kept */
  size_t held_len;
  size_t held_size;
};

enum piece_step {
  PIECE_MORE,
  PIECE_WHOLE,
  PIECE_BROKEN, /* no JSON */
  PIECE_CUT,    /* the string around it ended */
  PIECE_NO_MEMORY
};

/* piece_fini(piece): frees; a zeroed one is fine. */
void piece_fini(struct piece *piece);

void piece_begin(struct piece *piece, size_t keep, struct frame frame);

/* piece_set_by(piece, text, len): keeps more of a piece's front without
 * following it, all in all at most ${keep} bytes. false without memory.
 * piece_follow_held(piece, inside, len): follows the first ${len} bytes of it,
 * which are known to begin a piece and not to end it; the others are dropped.
 */
bool piece_set_by(struct piece *piece, const char *text, size_t len);
void piece_follow_held(struct piece *piece, struct inside *inside, size_t len);

/* piece_follow(piece, inside, p, end, ret_text, ret_len): reads on from ${*p};
 * ${inside} in a string, else NULL. Moves ${*p} behind the last byte used. With
 * PIECE_WHOLE the piece, or its first ${keep} bytes, are in ${ret_text}, valid
 * while the feed is and until the next call. */
enum piece_step piece_follow(struct piece *piece, struct inside *inside,
                             const char **p, const char *end,
                             const char **ret_text, size_t *ret_len);

#endif
