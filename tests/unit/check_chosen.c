/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/chosen.h"

#include <check.h>
#include <stdlib.h>

static struct chosen chosen;
static void teardown(void) { chosen_fini(&chosen); }

START_TEST(first_come) {
  chosen_init(&chosen, 2);
  ck_assert(chosen_take(&chosen, 1));
  ck_assert(chosen_take(&chosen, 2));
  ck_assert(!chosen_take(&chosen, 3));
  ck_assert(chosen_take(&chosen, 1)); /* and stay */
  ck_assert(chosen_take(&chosen, 2));
  ck_assert_uint_eq(chosen.n, 2);
}
END_TEST

START_TEST(none_may_be) {
  chosen_init(&chosen, 0);
  ck_assert(!chosen_take(&chosen, 1));
}
END_TEST

/* A name may hash to 0. */
START_TEST(hash_of_nothing) {
  chosen_init(&chosen, 1);
  ck_assert(chosen_take(&chosen, 0));
  ck_assert(chosen_take(&chosen, 0));
  ck_assert_uint_eq(chosen.n, 1);
}
END_TEST

/* Unseen in three whole rounds: its place is free. */
START_TEST(gone) {
  chosen_init(&chosen, 1);
  ck_assert(chosen_take(&chosen, 1));
  chosen_round_over(&chosen);
  for (int round = 0; round < CHOSEN_ROUNDS; round++) {
    ck_assert(!chosen_take(&chosen, 2));
    chosen_round_over(&chosen);
  }
  ck_assert(chosen_take(&chosen, 2));
  ck_assert(!chosen_take(&chosen, 1));
}
END_TEST

START_TEST(seen_again_in_time) {
  chosen_init(&chosen, 1);
  ck_assert(chosen_take(&chosen, 1));
  for (int round = 0; round < 50; round++) {
    if (round % CHOSEN_ROUNDS == 0)
      ck_assert(chosen_take(&chosen, 1));
    chosen_round_over(&chosen);
    ck_assert(!chosen_take(&chosen, 2));
  }
}
END_TEST

/* Many, over its growth and its dropping, against what is known of them. */
START_TEST(many) {
  enum { MAX = 5000 };
  chosen_init(&chosen, MAX);
  for (uint64_t i = 1; i <= MAX; i++)
    ck_assert(chosen_take(&chosen, i << 32)); /* one end of the hash alone */
  ck_assert(!chosen_take(&chosen, 7));
  ck_assert_uint_eq(chosen.n, MAX);
  ck_assert_uint_le(chosen.size, 16384);
  chosen_round_over(&chosen);
  for (int round = 0; round < CHOSEN_ROUNDS; round++) {
    for (uint64_t i = 1; i <= MAX; i += 2)
      ck_assert(chosen_take(&chosen, i << 32));
    chosen_round_over(&chosen);
  }
  ck_assert_uint_eq(chosen.n, MAX / 2); /* the even ones are gone */
  for (uint64_t i = 1; i <= MAX / 2; i++)
    ck_assert(chosen_take(&chosen, i));
  ck_assert(!chosen_take(&chosen, UINT64_MAX));
}
END_TEST

/* In whatever order they come, each is one. */
START_TEST(in_any_order) {
  enum { N = 1000 };
  chosen_init(&chosen, N);
  for (uint64_t round = 0; round < 20; round++) {
    uint64_t step = (uint64_t[]){1, 7, 999, 501, 1}[round % 5];
    for (uint64_t i = 0; i < N; i++)
      ck_assert(chosen_take(&chosen, i * step % N));
    ck_assert_uint_eq(chosen.n, N);
    ck_assert(!chosen_take(&chosen, N + round));
    chosen_round_over(&chosen);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("chosen");
  TCase *tcase = tcase_create("chosen");
  tcase_add_checked_fixture(tcase, NULL, teardown);
  tcase_add_test(tcase, first_come);
  tcase_add_test(tcase, none_may_be);
  tcase_add_test(tcase, hash_of_nothing);
  tcase_add_test(tcase, gone);
  tcase_add_test(tcase, seen_again_in_time);
  tcase_add_test(tcase, many);
  tcase_add_test(tcase, in_any_order);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
