/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/handling.h"

void handling_init(struct handling *handling) {
  TAILQ_INIT(&handling->parts);
  handling->until_ns = 0;
}

void handling_begin(struct handling *handling, struct handling_part *part,
                    const int64_t *sent_ns, const int64_t *first_ns) {
  *part = (struct handling_part){.sent_ns = sent_ns, .first_ns = first_ns};
  TAILQ_INSERT_TAIL(&handling->parts, part, link);
}

/* What is left of [sent, to] is ${part}'s. */
static void take(struct handling *handling, struct handling_part *part,
                 int64_t to_ns) {
  int64_t from_ns = *part->sent_ns;
  if (from_ns < handling->until_ns)
    from_ns = handling->until_ns;
  if (to_ns <= from_ns)
    return;
  part->work_ns += to_ns - from_ns;
  handling->until_ns = to_ns;
}

int64_t handling_end(struct handling *handling, struct handling_part *part,
                     int64_t to_ns) {
  struct handling_part *each;
  TAILQ_FOREACH(each, &handling->parts, link) {
    int64_t first_ns = *each->first_ns;
    bool is_over = each != part && first_ns != 0 && first_ns < to_ns;
    take(handling, each, is_over ? first_ns : to_ns);
  }
  TAILQ_REMOVE(&handling->parts, part, link);
  return part->work_ns;
}
