/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_BUDGET_H
#define CLIENT_BUDGET_H

/* How many samples may be handed over. collectd's write queue has no bound of
 * its own and a sample costs it 2 to 3 us: at most 500 at a time, and 50,000 a
 * second, which is 500 in each window of 10 ms. Pure. */

#include <stdbool.h>
#include <stdint.h>

#define BUDGET_SAMPLES 500
#define BUDGET_WINDOW_NS INT64_C(10000000)

struct budget {
  int64_t left; /* of this window; below 0: taken from the next ones */
};

void budget_init(struct budget *budget);

/* budget_spend(budget): one sample was handed over. Never refuses: who reads
 * rows asks budget_is_spent() after each, as a row is never cut in two. */
void budget_spend(struct budget *budget);
bool budget_is_spent(const struct budget *budget);

/* budget_is_full(budget): nothing was spent: no window is running. */
bool budget_is_full(const struct budget *budget);

/* budget_refill(budget): a window is over. */
void budget_refill(struct budget *budget);

#endif
