/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/cause.h"

#include "ctl/amount.h"
#include "ctl/duration.h"

const char *cause_name(enum cause cause) {
  static const char *const names[CAUSE_COUNT] = {
      [CAUSE_NOTHING] = "nothing",         [CAUSE_OPERATOR] = "operator_hold",
      [CAUSE_RETRY_AFTER] = "retry_after", [CAUSE_CEILING] = "ceiling",
      [CAUSE_BROKER_SLOW] = "broker_slow", [CAUSE_KIND_SLOW] = "kind_slow"};
  return names[cause];
}

/* Whatever the broker does, these come by our own clock. */
static bool is_own_pace(enum unit unit) {
  return unit == UNIT_REQUESTS || unit == UNIT_CHANGES || unit == UNIT_BYTES ||
         unit == UNIT_SHARED;
}

static bool find_slow(const struct limits *limits,
                      struct verdict_of_limits *ret) {
  int n = 0, n_slow = 0;
  int64_t slowest_ns = -1;
  for (enum request_kind kind = 0; kind < KIND_COUNT; kind++) {
    int64_t ns = limits->pace_ns[kind];
    n += ns >= 0;
    n_slow += ns >= CAUSE_SLOW_NS;
    if (ns <= slowest_ns)
      continue;
    slowest_ns = ns;
    ret->kind = kind;
  }
  if (n_slow > 0)
    ret->cause = n_slow == n && n > 1 ? CAUSE_BROKER_SLOW : CAUSE_KIND_SLOW;
  return n_slow > 0;
}

static bool find_debt(const struct limits *limits,
                      struct verdict_of_limits *ret) {
  for (enum unit unit = UNIT_REQUESTS; unit < UNIT_BUCKETS; unit++) {
    if (limits->unit[unit].debt_ns <= 0)
      continue;
    ret->cause = CAUSE_CEILING;
    ret->unit = unit;
    return true;
  }
  return false;
}

struct verdict_of_limits cause_find(const struct limits *limits) {
  struct verdict_of_limits verdict = {.cause = CAUSE_NOTHING};
  const struct limits_waiter *waiter =
      limits->n_waiters > 0 ? &limits->waiters[0] : NULL;
  verdict.waiter = waiter;
  if (waiter)
    verdict.unit = waiter->unit;
  if (limits->operator_hold_ns > 0)
    verdict.cause = CAUSE_OPERATOR;
  else if (limits->retry_after_ns > 0)
    verdict.cause = CAUSE_RETRY_AFTER;
  else if (waiter && is_own_pace(waiter->unit) &&
           waiter->waited_ns > CAUSE_WAIT_NS)
    verdict.cause = CAUSE_CEILING;
  else if (!find_slow(limits, &verdict) && waiter)
    verdict.cause = CAUSE_CEILING;
  else if (verdict.cause == CAUSE_NOTHING)
    (void)find_debt(limits, &verdict);
  return verdict;
}

/* -- In words -- */

static void add_wait(struct buf *out, const struct limits_waiter *waiter) {
  char waited[DURATION_TEXT_SIZE];
  duration_text(waited, waiter->waited_ns);
  buf_printf(out, "%s of process %d has waited %s for %s",
             owner_name(waiter->owner), (int)waiter->pid, waited,
             unit_name(waiter->unit));
}

static void add_ceiling(struct buf *out, const struct limits *limits,
                        const struct verdict_of_limits *verdict) {
  char text[DURATION_TEXT_SIZE];
  enum unit unit = verdict->unit;
  buf_add_text(out, "our ceiling: ");
  if (verdict->waiter) {
    add_wait(out, verdict->waiter);
  } else {
    duration_text(text, limits->unit[unit].debt_ns);
    buf_printf(out, "%s is in debt for %s", unit_name(unit), text);
  }
  if (unit == UNIT_IN_FLIGHT) {
    buf_printf(out, ", of which a process may have %u",
               (unsigned)limits->max_in_flight);
  } else if (unit < UNIT_BUCKETS) {
    buf_add_text(out, "; allowed are ");
    amount_add(out, unit, limits->unit[unit].per_second);
    buf_add_text(out, " a second");
  }
}

static void add_slow(struct buf *out, const struct limits *limits,
                     const struct verdict_of_limits *verdict) {
  char text[DURATION_TEXT_SIZE];
  duration_text(text, limits->pace_ns[verdict->kind]);
  if (verdict->cause == CAUSE_BROKER_SLOW)
    buf_printf(out,
               "the broker is slow for all: %s, the slowest kind of request, "
               "takes it %s each",
               request_kind_name(verdict->kind), text);
  else
    buf_printf(out,
               "the broker is slow for one kind of request: %s takes it "
               "%s each",
               request_kind_name(verdict->kind), text);
  if (!verdict->waiter)
    return;
  buf_add_text(out, "; ");
  add_wait(out, verdict->waiter);
}

void cause_text(struct buf *out, const struct limits *limits,
                const struct verdict_of_limits *verdict) {
  char text[DURATION_TEXT_SIZE];
  switch (verdict->cause) {
  case CAUSE_OPERATOR:
    duration_text(text, limits->operator_hold_ns);
    buf_printf(out, "held by the operator for %s more", text);
    break;
  case CAUSE_RETRY_AFTER:
    duration_text(text, limits->retry_after_ns);
    buf_printf(out, "the broker has asked for a pause (Retry-After): %s more",
               text);
    break;
  case CAUSE_CEILING:
    add_ceiling(out, limits, verdict);
    break;
  case CAUSE_BROKER_SLOW:
  case CAUSE_KIND_SLOW:
    add_slow(out, limits, verdict);
    break;
  case CAUSE_NOTHING:
  case CAUSE_COUNT:
    buf_add_text(out, "nothing wrong: nobody waits");
    break;
  }
}
