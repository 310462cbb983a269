/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/budget.h"

void budget_init(struct budget *budget) { budget->left = BUDGET_SAMPLES; }

void budget_spend(struct budget *budget) { budget->left--; }

bool budget_is_spent(const struct budget *budget) { return budget->left <= 0; }

bool budget_is_full(const struct budget *budget) {
  return budget->left == BUDGET_SAMPLES;
}

void budget_refill(struct budget *budget) {
  budget->left += BUDGET_SAMPLES;
  if (budget->left > BUDGET_SAMPLES)
    budget->left = BUDGET_SAMPLES;
}
