/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/amount.h"
#include "ctl/cause.h"

#include <check.h>
#include <math.h>

#define S INT64_C(1000000000)
#define MS INT64_C(1000000)

/* A waiter with a time of 0 is none; a pace of 0 was not seen (-1). */
static const struct {
  const char *name;
  int64_t operator_ns, retry_after_ns;
  struct limits_waiter waiter;
  int64_t identity_ms, listing_ms, change_ms;
  int64_t bytes_debt_ns, handling_debt_ns;
  enum cause cause;
  const char *text;
} cases[] = {
    {.name = "idle",
     .cause = CAUSE_NOTHING,
     .text = "nothing wrong: nobody waits"},
    {.name = "busy and quick",
     .identity_ms = 2,
     .listing_ms = 249,
     .cause = CAUSE_NOTHING,
     .text = "nothing wrong: nobody waits"},
    {.name = "held above all",
     .operator_ns = 60 * S,
     .retry_after_ns = S,
     .waiter = {7, OWNER_BULK, UNIT_CHANGES, S},
     .identity_ms = 900,
     .cause = CAUSE_OPERATOR,
     .text = "held by the operator for 1m 0s more"},
    {.name = "Retry-After",
     .retry_after_ns = 30 * S,
     .waiter = {7, OWNER_BULK, UNIT_HOLD, S},
     .identity_ms = 900,
     .cause = CAUSE_RETRY_AFTER,
     .text = "the broker has asked for a pause (Retry-After): 30.0 s more"},
    {.name = "a low ceiling",
     .waiter = {7, OWNER_BULK, UNIT_CHANGES, 800 * MS},
     .identity_ms = 2,
     .cause = CAUSE_CEILING,
     .text = "our ceiling: bulk of process 7 has waited 0.8 s for changes; "
             "allowed are 50 a second"},
    {.name = "a low ceiling before a slow broker",
     .waiter = {7, OWNER_COMMAND, UNIT_REQUESTS, 251 * MS},
     .identity_ms = 400,
     .listing_ms = 400,
     .cause = CAUSE_CEILING,
     .text = "our ceiling: command of process 7 has waited 0.2 s for requests; "
             "allowed are 20 a second"},
    {.name = "a slow broker, and a wait as any scrape has it",
     .waiter = {7, OWNER_SCRAPE, UNIT_REQUESTS, 50 * MS},
     .identity_ms = 400,
     .listing_ms = 600,
     .cause = CAUSE_BROKER_SLOW,
     .text = "the broker is slow for all: listing, the slowest kind of "
             "request, takes it 0.6 s each; scrape of process 7 has waited 0.0 "
             "s for requests"},
    {.name = "a slow broker holds a slot",
     .waiter = {7, OWNER_BULK, UNIT_IN_FLIGHT, 5 * S},
     .identity_ms = 250,
     .listing_ms = 300,
     .cause = CAUSE_BROKER_SLOW,
     .text = "the broker is slow for all: listing, the slowest kind of "
             "request, takes it 0.3 s each; bulk of process 7 has waited 5.0 s "
             "for in_flight"},
    {.name = "slow for one kind, in debt",
     .waiter = {7, OWNER_BULK, UNIT_HANDLING, 3 * S},
     .identity_ms = 2,
     .change_ms = 1000,
     .handling_debt_ns = S,
     .cause = CAUSE_KIND_SLOW,
     .text = "the broker is slow for one kind of request: change takes it 1.0 "
             "s each; bulk of process 7 has waited 3.0 s for handling"},
    {.name = "one kind is not all",
     .change_ms = 1000,
     .cause = CAUSE_KIND_SLOW,
     .text = "the broker is slow for one kind of request: change takes it 1.0 "
             "s each"},
    {.name = "a slot, of a quick broker",
     .waiter = {7, OWNER_BULK, UNIT_IN_FLIGHT, S},
     .identity_ms = 2,
     .cause = CAUSE_CEILING,
     .text = "our ceiling: bulk of process 7 has waited 1.0 s for in_flight, "
             "of which a process may have 2"},
    {.name = "handling, of a quick broker",
     .waiter = {7, OWNER_SLOW, UNIT_HANDLING, S},
     .identity_ms = 2,
     .handling_debt_ns = S,
     .cause = CAUSE_CEILING,
     .text = "our ceiling: slow of process 7 has waited 1.0 s for handling; "
             "allowed are 0.25 s a second"},
    {.name = "a debt that the scrape alone pays",
     .identity_ms = 2,
     .bytes_debt_ns = 4 * S,
     .cause = CAUSE_CEILING,
     .text = "our ceiling: bytes is in debt for 4.0 s; allowed are 2 MiB a "
             "second"},
    {.name = "another process's record",
     .waiter = {7, OWNER_SCRAPE, UNIT_SHARED, 300 * MS},
     .identity_ms = 300,
     .cause = CAUSE_CEILING,
     .text = "our ceiling: scrape of process 7 has waited 0.3 s for shared"},
};

START_TEST(finds) {
  struct limits limits = {.max_in_flight = 2,
                          .operator_hold_ns = cases[_i].operator_ns,
                          .retry_after_ns = cases[_i].retry_after_ns,
                          .unit = {[UNIT_REQUESTS] = {.per_second = 20},
                                   [UNIT_CHANGES] = {.per_second = 50},
                                   [UNIT_BYTES] = {.per_second = 2097152},
                                   [UNIT_HANDLING] = {.per_second = 0.25}},
                          .n_waiters = cases[_i].waiter.waited_ns > 0};
  limits.waiters[0] = cases[_i].waiter;
  limits.unit[UNIT_BYTES].debt_ns = cases[_i].bytes_debt_ns;
  limits.unit[UNIT_HANDLING].debt_ns = cases[_i].handling_debt_ns;
  for (int kind = 0; kind < KIND_COUNT; kind++)
    limits.pace_ns[kind] = -1;
  if (cases[_i].identity_ms)
    limits.pace_ns[KIND_IDENTITY] = cases[_i].identity_ms * MS;
  if (cases[_i].listing_ms)
    limits.pace_ns[KIND_LISTING] = cases[_i].listing_ms * MS;
  if (cases[_i].change_ms)
    limits.pace_ns[KIND_CHANGE] = cases[_i].change_ms * MS;
  struct verdict_of_limits verdict = cause_find(&limits);
  ck_assert_msg(verdict.cause == cases[_i].cause, "%s: %s", cases[_i].name,
                cause_name(verdict.cause));
  struct buf text;
  buf_init(&text, 1024);
  cause_text(&text, &limits, &verdict);
  ck_assert_str_eq(buf_text(&text), cases[_i].text);
  buf_fini(&text);
}
END_TEST

static const struct {
  enum unit unit;
  double value;
  const char *text;
} amounts[] = {
    {UNIT_REQUESTS, 20, "20"},
    {UNIT_REQUESTS, 1e6, "1000000"},
    {UNIT_REQUESTS, 0.333, "0.333"},
    {UNIT_CHANGES, -3, "-3"},
    {UNIT_CHANGES, 1.0 / 3, "0.333"},
    {UNIT_BYTES, 0, "0 B"},
    {UNIT_BYTES, 1023, "1023 B"},
    {UNIT_BYTES, 1024, "1 KiB"},
    {UNIT_BYTES, 1.55 * 1024 * 1024, "1.6 MiB"},
    {UNIT_BYTES, -8388608, "-8 MiB"},
    {UNIT_BYTES, 8589934592.0, "8 GiB"},
    {UNIT_BYTES, 1125899906842624.0, "1024 TiB"},
    {UNIT_HANDLING, 0.25, "0.25 s"},
    {UNIT_HANDLING, -2.5004, "-2.5 s"},
    {UNIT_REQUESTS, (double)NAN, "-"},
    {UNIT_BYTES, (double)INFINITY, "-"},
};

START_TEST(tells_amounts) {
  struct buf text;
  buf_init(&text, 64);
  amount_add(&text, amounts[_i].unit, amounts[_i].value);
  ck_assert_str_eq(buf_text(&text), amounts[_i].text);
  buf_fini(&text);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cause");
  TCase *tcase = tcase_create("cause");
  tcase_add_loop_test(tcase, finds, 0, sizeof(cases) / sizeof(*cases));
  tcase_add_loop_test(tcase, tells_amounts, 0,
                      sizeof(amounts) / sizeof(*amounts));
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
