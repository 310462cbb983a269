/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/budget.h"

#include "base/clock.h"

void budget_init(struct budget *budget) {
  budget->turn = 0;
  budget->turn_left = BUDGET_TURN;
  budget->window_left = BUDGET_WINDOW;
  budget->window_end_ns = 0;
}

void budget_begin(struct budget *budget, int64_t now_ns) {
  budget->window_end_ns = now_ns + BUDGET_WINDOW_NS;
}

static int64_t refilled(int64_t left, int64_t full) {
  return left > 0 ? full : left + full;
}

void budget_begin_turn(struct budget *budget) {
  budget->turn_left = refilled(budget->turn_left, BUDGET_TURN);
}

void budget_refill(struct budget *budget, int64_t now_ns) {
  budget_begin_turn(budget);
  if (budget_is_idle(budget) || now_ns < budget->window_end_ns)
    return;
  budget->window_left = refilled(budget->window_left, BUDGET_WINDOW);
  if (budget->window_left == BUDGET_WINDOW)
    budget->window_end_ns = 0;
  else
    budget_begin(budget, now_ns);
}

int64_t budget_next_ns(const struct budget *budget, bool is_wanted,
                       int64_t now_ns) {
  if (is_wanted && budget->window_left > 0)
    return now_ns + 1; /* a timer of this instant would fire in this turn */
  return budget_is_idle(budget) ? CLOCK_NEVER : budget->window_end_ns;
}
