/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_BUDGET_H
#define CLIENT_BUDGET_H

/* How many samples may be handed over. collectd's write queue has no bound of
 * its own and a sample costs it 2 to 3 us: at most 1,000 in a turn of the
 * engine, which are 3 ms, and 50,000 a second, as 12,500 in each window of
 * 250 ms.
 *
 * A reply that waits is taken from libcurl and given back, and caches are cold
 * after a sleep. In a scrape of 1,000 queues, windows of 10 ms slept twenty
 * times and cost 4.4 ms of CPU, those of 100 ms with 500 samples a turn slept
 * twice, waited twenty times and cost a sixth more than these. Pure: time is an
 * argument. */

#include <stdbool.h>
#include <stdint.h>

#define BUDGET_TURN 1000
#define BUDGET_WINDOW 12500
#define BUDGET_WINDOW_NS INT64_C(250000000)

struct budget {
  uint64_t turn;         /* the last one in which samples came */
  int64_t turn_left;     /* below 0: taken from the next turns */
  int64_t window_left;   /* likewise */
  int64_t window_end_ns; /* 0: no window is running, nothing was spent */
};

void budget_init(struct budget *budget);

/* budget_is_idle(budget), budget_begin(budget, now_ns): with the first sample
 * after an idle time a window begins. */
static inline bool budget_is_idle(const struct budget *budget) {
  return budget->window_end_ns == 0;
}
void budget_begin(struct budget *budget, int64_t now_ns);

/* budget_begin_turn(budget): what the last turn left is gone, what it owes is
 * taken from this one. */
void budget_begin_turn(struct budget *budget);

/* budget_turn(budget, turn): samples come in the turn ${turn}, which begins if
 * it is another one. */
static inline void budget_turn(struct budget *budget, uint64_t turn) {
  if (turn == budget->turn)
    return;
  budget->turn = turn;
  budget_begin_turn(budget);
}

/* budget_spend(budget): one sample was handed over. Never refuses: who reads
 * rows asks budget_is_spent() after each, as a row is never cut in two. */
static inline void budget_spend(struct budget *budget) {
  budget->turn_left--;
  budget->window_left--;
}
static inline bool budget_is_spent(const struct budget *budget) {
  return budget->turn_left <= 0 || budget->window_left <= 0;
}

/* budget_refill(budget, now_ns): a turn is over, and the window where it has
 * ended; it is idle again when nothing is owed then. */
void budget_refill(struct budget *budget, int64_t now_ns);

/* budget_next_ns(budget, is_wanted, now_ns): when budget_refill() is due: where
 * samples wait (${is_wanted}), in the next turn that may have any; else at the
 * end of the window; CLOCK_NEVER when it is idle and nothing waits. */
int64_t budget_next_ns(const struct budget *budget, bool is_wanted,
                       int64_t now_ns);

#endif
