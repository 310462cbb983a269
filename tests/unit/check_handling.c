/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/handling.h"

#include "../support/prng.h"

#include <check.h>

#define N_MAX 4

/* Requests in the order in which they are sent; replies begin at first, and
 * are over at end. */
START_TEST(the_first_sent_has_what_overlaps) {
  static const struct {
    const char *name;
    int n;
    struct {
      int64_t sent, first, end, work;
    } of[N_MAX];
  } cases[] = {
      {"alone", 1, {{10, 30, 35, 20}}},
      {"one after the other", 2, {{10, 30, 30, 20}, {40, 45, 45, 5}}},
      {"a serial agent", 2, {{0, 100, 100, 100}, {50, 101, 101, 1}}},
      {"a scrape in the middle", 2, {{0, 100, 100, 100}, {50, 52, 53, 0}}},
      {"two in the middle",
       3,
       {{0, 100, 100, 100}, {20, 22, 23, 0}, {60, 61, 61, 0}}},
      {"a long body", 2, {{0, 100, 300, 100}, {90, 120, 125, 20}}},
      {"a gap under a long body", 2, {{0, 100, 300, 100}, {110, 120, 125, 10}}},
  };
  struct handling handling;
  struct handling_part parts[N_MAX];
  handling_init(&handling);
  int64_t first[N_MAX] = {0}, sent[N_MAX];
  int n = cases[_i].n;
  for (int64_t now = 0; now <= 300; now++)
    for (int i = 0; i < n; i++) {
      sent[i] = cases[_i].of[i].sent;
      if (now == sent[i])
        handling_begin(&handling, &parts[i], &sent[i], &first[i]);
      if (now == cases[_i].of[i].first)
        first[i] = now;
      if (now == cases[_i].of[i].end)
        ck_assert_msg(handling_end(&handling, &parts[i], first[i]) ==
                          cases[_i].of[i].work,
                      "%s: request %d: %lld", cases[_i].name, i,
                      (long long)parts[i].work_ns);
    }
}
END_TEST

/* All together are the instants at which at least one was under way. */
START_TEST(all_together_are_the_union) {
  struct prng prng = prng_seeded((uint64_t)_i + 1);
  for (int run = 0; run < 2000; run++) {
    struct handling handling;
    struct handling_part parts[N_MAX];
    int64_t sent[N_MAX], first[N_MAX] = {0}, due[N_MAX];
    int64_t busy = 0, told = 0, last = 0;
    handling_init(&handling);
    for (int i = 0; i < N_MAX; i++) {
      sent[i] = last + (int64_t)prng_below(&prng, 40);
      due[i] = sent[i] + 1 + (int64_t)prng_below(&prng, 60);
      last = sent[i];
    }
    for (int64_t now = 0; now < 300; now++) {
      bool is_busy = false;
      for (int i = 0; i < N_MAX; i++) {
        if (now == due[i]) {
          first[i] = now;
          told += handling_end(&handling, &parts[i], now);
        }
        if (now == sent[i])
          handling_begin(&handling, &parts[i], &sent[i], &first[i]);
        is_busy |= now >= sent[i] && now < due[i];
      }
      busy += is_busy;
    }
    ck_assert_int_eq(told, busy);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("handling");
  TCase *tcase = tcase_create("handling");
  tcase_add_loop_test(tcase, the_first_sent_has_what_overlaps, 0, 7);
  tcase_add_loop_test(tcase, all_together_are_the_union, 0, 5);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
