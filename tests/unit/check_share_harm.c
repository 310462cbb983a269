/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "operator_hold.h"
#include "share_rig.h"

#include <signal.h>
#include <sys/resource.h>

/* What is shared, harmed while it is in use. */

/* As on a file system that is full. */
static void let_write(bool may_write) {
  struct rlimit limit;
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = may_write ? limit.rlim_max : 0;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static uint64_t shown_by(int i) {
  struct host_totals host;
  share_host(&sides[i].share, now_ns, &host);
  return host.owner[OWNER_COMMAND].requests;
}

/* Nothing is told, so nothing is shared: half the ceiling, said once; and no
 * request is forgotten. */
START_TEST(what_cannot_be_written) {
  uint64_t sent = _i ? run(1, S) : 0;
  n_lines = 0;
  signal(SIGXFSZ, SIG_IGN);
  let_write(false);
  uint64_t alone = run(1, 10 * S);
  let_write(true);
  ck_assert_uint_ge(alone, 98);
  ck_assert_uint_le(alone, 102);
  ck_assert_int_eq(n_lines, 1);
  ck_assert(sides[0].share.is_alone);
  ck_assert_uint_eq(sides[0].sharing.n_alone, 1);
  sent += alone + run(1, 5 * S);
  settle();
  ck_assert(!sides[0].share.is_alone);
  ck_assert_uint_eq(sides[0].sharing.n_alone, 0);
  ck_assert_int_eq(n_lines, 2);
  ck_assert_uint_eq(shown_by(0), sent);
  ck_assert_uint_eq(shown_by(1), sent);
}
END_TEST

/* Each try would else cost a permit that nobody uses. */
START_TEST(tries_cost_nothing) {
  close_side(0);
  settings.rates.unit[UNIT_REQUESTS] = bucket_rate_of(500, 1);
  open_side(0, true);
  signal(SIGXFSZ, SIG_IGN);
  let_write(false);
  uint64_t sent = run(1, 40 * S);
  let_write(true);
  ck_assert_uint_eq(sent, 10);
}
END_TEST

/* All of it is read anew each time: it must become sound, or each has a ceiling
 * of its own. */
START_TEST(one_too_long_is_still_one) {
  (void)run(3, S);
  char bytes[2 * RECORD_SIZE];
  memset(bytes, 0x5a, sizeof(bytes));
  put_file(bytes, sizeof(bytes));
  uint64_t sent = run(3, 10 * S);
  ck_assert_uint_ge(sent, 195);
  ck_assert_uint_le(sent, 201);
}
END_TEST

/* Five times a second it is and is not: two lines, not a hundred. */
START_TEST(what_comes_and_goes) {
  int n_times = 0;
  (void)run(1, S);
  n_lines = 0;
  for (int i = 0; i < 50; i++) {
    int fd = lock_file();
    (void)run(1, 150 * MS);
    n_times += sides[0].share.is_alone;
    close(fd);
    (void)run(1, 150 * MS);
    ck_assert(!sides[0].share.is_alone);
  }
  ck_assert_int_ge(n_times, 25);
  ck_assert_int_eq(n_lines, 2);
  /* Minutes later it is news again. */
  (void)run(1, 200 * S);
  int fd = lock_file();
  (void)run(1, 300 * MS);
  close(fd);
  (void)run(1, S);
  ck_assert_int_eq(n_lines, 4);
}
END_TEST

/* Made anew by one that knows nothing of it: the counts go on for who does. */
START_TEST(made_anew_by_a_newcomer) {
  uint64_t sent = run(2, 10 * S);
  settle();
  ck_assert_uint_eq(shown_by(0), sent);
  ck_assert_int_eq(unlink(record_path()), 0);
  want(&sides[2]);
  send_what_may(&sides[2]);
  sent += run(2, 2 * S);
  settle();
  ck_assert_uint_ge(shown_by(0), sent);
  ck_assert_uint_le(shown_by(0), sent + 1);
  ck_assert_uint_eq(shown_by(1), shown_by(0));
  ck_assert_uint_eq(shown_by(2), shown_by(0));
}
END_TEST

START_TEST(a_hold_outlives_its_record) {
  (void)run(2, S);
  ceiling_hold_by_operator(&sides[0].ceiling, now_ns + 60 * S);
  share_serve(&sides[0].share, true, now_ns);
  (void)shown_by(1);
  ck_assert_int_eq(unlink(record_path()), 0);
  now_ns += MS;
  (void)shown_by(2);
  ck_assert(!ceiling_is_held_by_operator(&sides[2].ceiling, now_ns));
  (void)shown_by(1);
  (void)shown_by(2);
  ck_assert(ceiling_is_held_by_operator(&sides[2].ceiling, now_ns));
  /* And ends when the operator says so. */
  ceiling_hold_by_operator(&sides[0].ceiling, 0);
  (void)shown_by(0);
  (void)shown_by(1);
  ck_assert(!ceiling_is_held_by_operator(&sides[1].ceiling, now_ns));
}
END_TEST

/* What is a debt of seconds to one is one of hours to another. */
START_TEST(one_with_a_lower_ceiling) {
  close_side(1);
  settings.rates.unit[UNIT_BYTES] = bucket_rate_of_bytes(1000, 1000);
  open_side(1, false);
  uint64_t sent = run(1, S);
  settle();
  ceiling_hold_by_operator(&sides[0].ceiling, now_ns + 60 * S);
  sides[0].ceiling.owed[UNIT_BYTES] =
      bucket_amount(UINT64_C(20) << 20, BUCKET_BYTE);
  (void)shown_by(0);
  ck_assert_uint_eq(shown_by(1), sent);
  ck_assert(ceiling_is_held_by_operator(&sides[1].ceiling, now_ns));
  ck_assert_int_lt(sides[1].ceiling.levels.bucket[UNIT_BYTES].level, 0);
  ck_assert_int_eq(n_lines, 0);
}
END_TEST

/* Two folders would be two ceilings. */
START_TEST(another_folder_in_its_place) {
  char moved[160];
  snprintf(moved, sizeof(moved), "%s.moved", state_dir);
  (void)run(1, S);
  ck_assert_int_eq(rename(state_dir, moved), 0);
  ck_assert_int_eq(mkdir(state_dir, 0750), 0);
  uint64_t sent = run(3, 10 * S);
  ck_assert_uint_ge(sent, 195);
  ck_assert_uint_le(sent, 202);
}
END_TEST

static const mode_t bad_modes[] = {0757, 0};

START_TEST(not_trusted_any_more) {
  (void)run(2, S);
  if (bad_modes[_i])
    ck_assert_int_eq(chmod(state_dir, bad_modes[_i]), 0);
  else {
    char moved[160];
    snprintf(moved, sizeof(moved), "%s.moved", state_dir);
    ck_assert_int_eq(rename(state_dir, moved), 0);
    ck_assert_int_eq(symlink(moved, state_dir), 0);
  }
  uint64_t sent = run(2, 10 * S);
  ck_assert(sides[0].share.is_alone && sides[1].share.is_alone);
  ck_assert_uint_ge(sent, 115);
  ck_assert_uint_le(sent, 123);
}
END_TEST

/* -- Not harmed, but pressed -- */

static void enter(struct side *side, struct waiter *waiter, enum owner owner) {
  if (!waiter->is_waiting && !waiter->is_in_flight)
    (void)ceiling_enter(&side->ceiling, waiter, owner, 1, 0, CLOCK_NEVER,
                        now_ns);
}

/* Owners share what their process gets, and processes share all, equally. */
START_TEST(fair_within_and_between) {
  static struct waiter bulk, scrape;
  struct waiter *waiters[] = {&scrape, &bulk};
  uint64_t sent[2] = {0}, other = 0;
  enum status status;
  for (int i = 0; i < 60000; i++, now_ns += MS) {
    enter(&sides[0], &scrape, OWNER_SCRAPE);
    enter(&sides[0], &bulk, OWNER_BULK);
    want(&sides[1]);
    share_serve(&sides[0].share, true, now_ns);
    struct waiter *waiter = ceiling_next(&sides[0].ceiling, now_ns, &status);
    for (int k = 0; k < 2; k++)
      if (waiter && waiter == waiters[k]) {
        sent[k]++;
        ceiling_release(&sides[0].ceiling, waiter);
      }
    uint64_t before = sides[1].sent;
    send_what_may(&sides[1]);
    other += sides[1].sent - before;
  }
  ck_assert_uint_ge(sent[0] + sent[1] + other, 1190);
  ck_assert_int_le(abs((int)other - (int)(sent[0] + sent[1])), 2);
  ck_assert_int_le(abs((int)sent[0] - 2 * (int)sent[1]), 4);
}
END_TEST

/* Waits that end at any instant, before or after their permit was reserved,
 * and grants that come to nothing: no slot and no permit stays behind. */
START_TEST(nothing_is_left_behind) {
  srandom((unsigned)_i);
  for (int i = 0; i < 20000; i++, now_ns += MS * (random() % 20)) {
    struct side *side = &sides[random() % SIDES];
    struct waiter *waiter = &side->waiter;
    enum status status;
    want(side);
    if (waiter->is_waiting && random() % 3 == 0)
      ceiling_leave(&side->ceiling, waiter);
    share_serve(&side->share, random() % 8 != 0, now_ns);
    struct waiter *granted = ceiling_next(&side->ceiling, now_ns, &status);
    if (!granted || status != STATUS_OK)
      continue;
    if (random() % 2)
      ceiling_give_back(&side->ceiling, granted);
    ceiling_release(&side->ceiling, granted);
  }
  settle();
  for (int i = 0; i < SIDES; i++) {
    ck_assert_uint_eq(sides[i].ceiling.in_flight, 0);
    ck_assert(!sides[i].ceiling.reservation.is_held);
    ck_assert_int_ge(sides[i].ceiling.levels.bucket[UNIT_REQUESTS].level,
                     -SIDES * BUCKET_PERMIT);
  }
  now_ns += S;
  uint64_t sent = run(3, 10 * S);
  ck_assert_uint_ge(sent, 195);
  ck_assert_uint_le(sent, 202);
}
END_TEST

static Suite *suite(void) {
  Suite *suite = suite_create("share_harm");
  TCase *tcase = tcase_create("harm");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_set_timeout(tcase, 60);
  tcase_add_loop_test(tcase, what_cannot_be_written, 0, 2);
  tcase_add_test(tcase, tries_cost_nothing);
  tcase_add_test(tcase, one_too_long_is_still_one);
  tcase_add_test(tcase, what_comes_and_goes);
  tcase_add_test(tcase, made_anew_by_a_newcomer);
  tcase_add_test(tcase, a_hold_outlives_its_record);
  tcase_add_test(tcase, one_with_a_lower_ceiling);
  tcase_add_test(tcase, another_folder_in_its_place);
  tcase_add_loop_test(tcase, not_trusted_any_more, 0,
                      sizeof(bad_modes) / sizeof(bad_modes[0]));
  tcase_add_test(tcase, fair_within_and_between);
  tcase_add_loop_test(tcase, nothing_is_left_behind, 0, 4);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
