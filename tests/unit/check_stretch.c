/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "client/stretch.h"

#include <check.h>
#include <string.h>

#define S CLOCK_NS_PER_S
#define MIB (UINT64_C(1) << 20)

static int n_lines;
static char last_line[1024];

static void keep_line(void *cookie, enum log_level level, const char *line) {
  (void)cookie;
  (void)level;
  n_lines++;
  strncat(strcpy(last_line, ""), line, sizeof(last_line) - 1);
}

static struct levels_rates default_rates(void) {
  return (struct levels_rates){
      .unit = {[UNIT_REQUESTS] = bucket_rate_of(20000, 1),
               [UNIT_CHANGES] = bucket_rate_of(50000, 50),
               [UNIT_BYTES] = bucket_rate_of_bytes(2 * MIB, 8 * MIB),
               [UNIT_HANDLING] = bucket_rate_of_handling(250000, 2 * S)}};
}

/* A round from second 1,000 on, of two requests with half of it each. */
static void run_round(struct stretch *stretch, uint64_t bytes,
                      int64_t handling_ns, bool is_well) {
  struct levels_rates rates = default_rates();
  stretch_begin(stretch, 1000 * S);
  stretch_add(stretch, bytes / 2, handling_ns / 2);
  stretch_add(stretch, bytes - bytes / 2, handling_ns - handling_ns / 2);
  stretch_end(stretch, &rates, is_well);
}

static const struct {
  uint64_t bytes;
  int64_t handling_ns;
  bool is_well;
  int64_t cost_ns;
} cases[] = {
    {0, 0, true, 0},       {2 * MIB, 0, true, S},
    {0, S, true, 4 * S},   {4 * MIB, S / 4, true, 2 * S},
    {1, 1, true, 476}, /* 10^9 / 2^21 */
    {0, 10 * S, false, 0}, {64 * MIB, 20 * S, true, 80 * S},
};

START_TEST(the_next_round_waits_for_what_the_last_cost) {
  struct stretch stretch = {0};
  run_round(&stretch, cases[_i].bytes, cases[_i].handling_ns,
            cases[_i].is_well);
  int64_t due_ns = 1000 * S + cases[_i].cost_ns;
  ck_assert_int_eq(stretch.cost_ns, cases[_i].cost_ns);
  if (cases[_i].cost_ns > 0)
    ck_assert(stretch_puts_off(&stretch, "n", S, due_ns - 1));
  ck_assert(!stretch_puts_off(&stretch, "n", S, due_ns));
  ck_assert_uint_eq(stretch.n, cases[_i].cost_ns > 0);
}
END_TEST

START_TEST(it_is_counted_each_time_and_said_now_and_then) {
  struct stretch stretch = {0};
  run_round(&stretch, 0, 250 * S, true);
  for (int i = 1; i < 1000; i++)
    ck_assert(stretch_puts_off(&stretch, "node-1", 10 * S, (1000 + i) * S));
  ck_assert_uint_eq(stretch.n, 999);
  ck_assert_int_ge(n_lines, 1);
  ck_assert_int_le(n_lines, 6);
  ck_assert_ptr_nonnull(strstr(last_line, "node-1"));
  ck_assert_ptr_nonnull(strstr(last_line, "one in 1e+03 s"));
}
END_TEST

START_TEST(a_failed_round_puts_nothing_off) {
  struct stretch stretch = {0};
  run_round(&stretch, 0, 10 * S, true);
  run_round(&stretch, 0, 10 * S, false);
  ck_assert(stretch_puts_off(&stretch, "n", S, 1040 * S - 1));
  ck_assert(!stretch_puts_off(&stretch, "n", S, 1040 * S));
}
END_TEST

static void setup(void) {
  n_lines = 0;
  log_set_sink(keep_line, NULL);
}

int main(void) {
  Suite *s = suite_create("stretch");
  TCase *t = tcase_create("stretch");
  tcase_add_checked_fixture(t, setup, NULL);
  tcase_add_loop_test(t, the_next_round_waits_for_what_the_last_cost, 0,
                      sizeof(cases) / sizeof(*cases));
  tcase_add_test(t, it_is_counted_each_time_and_said_now_and_then);
  tcase_add_test(t, a_failed_round_puts_nothing_off);
  suite_add_tcase(s, t);
  SRunner *runner = srunner_create(s);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
