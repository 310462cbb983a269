/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/credential.h"

#include <check.h>

#define S INT64_C(1000000000)
#define MIN (60 * S)

/* Far from 0: an instant of 0 must mean nothing. */
static const int64_t start = 5000 * S;

static struct login held_login(void) {
  struct login login = {.n_refused = 0};
  ck_assert(!login_refused(&login, false, start - 2));
  ck_assert(!login_refused(&login, false, start - 1));
  ck_assert(login_refused(&login, false, start));
  return login;
}

START_TEST(three_refusals_in_a_quarter_of_an_hour_hold) {
  static const struct {
    int64_t at_ns[4];
    int n;
    bool is_held;
  } cases[] = {
      {{0, 0}, 2, false},
      {{0, 0, 0}, 3, true},
      {{0, 7 * MIN, 15 * MIN}, 3, true},
      {{0, 7 * MIN, 15 * MIN + 1}, 3, false},
      {{0, 10 * MIN, 20 * MIN, 24 * MIN}, 4, true},
      {{0, 10 * MIN, 20 * MIN, 30 * MIN}, 4, false},
  };
  struct login login = {.n_refused = 0};
  bool became_held = false;
  for (int i = 0; i < cases[_i].n; i++) {
    ck_assert(!became_held);
    ck_assert(login_may_send(&login, start + cases[_i].at_ns[i]));
    ck_assert(!login_try(&login));
    became_held = login_refused(&login, false, start + cases[_i].at_ns[i]);
  }
  ck_assert_int_eq(became_held, cases[_i].is_held);
  ck_assert_int_eq(login.is_held, cases[_i].is_held);
}
END_TEST

START_TEST(a_success_in_between_forgets_the_refusals) {
  struct login login = {.n_refused = 0};
  login_refused(&login, false, start);
  login_refused(&login, false, start);
  ck_assert(!login_accepted(&login));
  ck_assert(!login_refused(&login, false, start));
  ck_assert(!login_refused(&login, false, start));
  ck_assert(login_refused(&login, false, start));
}
END_TEST

START_TEST(one_request_alone_tries_again_after_15_minutes) {
  struct login login = held_login();
  ck_assert(!login_may_send(&login, start));
  ck_assert(!login_may_send(&login, start + 15 * MIN - 1));
  ck_assert(login_may_send(&login, start + 15 * MIN));
  ck_assert(login_try(&login));
  ck_assert(!login_may_send(&login, start + 15 * MIN));
  ck_assert(!login_may_send(&login, start + 24 * 60 * MIN));
}
END_TEST

START_TEST(each_refused_try_doubles_the_wait_up_to_a_day) {
  static const int64_t minutes[] = {15, 30, 60, 120, 240, 480, 960, 1440, 1440};
  struct login login = held_login();
  int64_t now_ns = start;
  for (size_t i = 0; i < sizeof(minutes) / sizeof(minutes[0]); i++) {
    ck_assert(!login_may_send(&login, now_ns + minutes[i] * MIN - 1));
    now_ns += minutes[i] * MIN;
    ck_assert(login_may_send(&login, now_ns));
    ck_assert(login_try(&login));
    ck_assert(!login_refused(&login, true, now_ns));
    ck_assert(login.is_held);
  }
}
END_TEST

START_TEST(a_success_ends_the_hold) {
  struct login login = held_login();
  ck_assert(login_try(&login));
  ck_assert(login_accepted(&login));
  ck_assert(login_may_send(&login, start));
  ck_assert(!login_try(&login));
  ck_assert(!login_refused(&login, false, start));
}
END_TEST

START_TEST(a_try_that_learned_nothing_may_be_made_again) {
  struct login login = held_login();
  ck_assert(login_try(&login));
  login_untold(&login);
  ck_assert(!login_may_send(&login, start + 15 * MIN - 1));
  ck_assert(login_may_send(&login, start + 15 * MIN));
}
END_TEST

START_TEST(what_was_on_its_way_when_the_hold_began_changes_nothing) {
  struct login login = held_login();
  struct login before = login;
  ck_assert(!login_refused(&login, false, start + S));
  ck_assert_mem_eq(&login, &before, sizeof(login));
}
END_TEST

START_TEST(nodes_with_one_login_share_it) {
  struct credential *list = NULL;
  struct credential *a = credential_get(&list, "monitor", "secret");
  struct credential *b = credential_get(&list, "monitor", "secret");
  struct credential *other = credential_get(&list, "monitor", "secret2");
  struct credential *user = credential_get(&list, "monitor2", "secret");
  ck_assert_ptr_nonnull(a);
  ck_assert_ptr_eq(a, b);
  ck_assert_ptr_ne(a, other);
  ck_assert_ptr_ne(a, user);
  credential_put(&list, a);
  ck_assert_str_eq(b->password, "secret");
  credential_put(&list, b);
  credential_put(&list, user);
  ck_assert_ptr_eq(list, other);
  credential_put(&list, other);
  ck_assert_ptr_null(list);
  credential_put(&list, NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("credential");
  TCase *tcase = tcase_create("login");
  tcase_add_loop_test(tcase, three_refusals_in_a_quarter_of_an_hour_hold, 0, 6);
  tcase_add_test(tcase, a_success_in_between_forgets_the_refusals);
  tcase_add_test(tcase, one_request_alone_tries_again_after_15_minutes);
  tcase_add_test(tcase, each_refused_try_doubles_the_wait_up_to_a_day);
  tcase_add_test(tcase, a_success_ends_the_hold);
  tcase_add_test(tcase, a_try_that_learned_nothing_may_be_made_again);
  tcase_add_test(tcase,
                 what_was_on_its_way_when_the_hold_began_changes_nothing);
  tcase_add_test(tcase, nodes_with_one_login_share_it);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
