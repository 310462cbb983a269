/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "share_rig.h"

#include "limit/stamp.h"

START_TEST(shared_by_all) {
  uint64_t sent = run(3, 30 * S);
  ck_assert_uint_ge(sent, 594);
  ck_assert_uint_le(sent, 601);
  for (int i = 0; i < 3; i++) {
    ck_assert_uint_ge(sides[i].sent, sent / 3 - 3);
    ck_assert(!sides[i].share.is_alone);
  }
  ck_assert_int_eq(n_lines, 0);
}
END_TEST

START_TEST(nothing_is_shared_without_a_folder) {
  struct side *side = &sides[0];
  close_side(0);
  *side = (struct side){.sent = 0};
  ck_assert_int_eq(sharing_init(&side->sharing, NULL, true, false), STATUS_OK);
  ceiling_init(&side->ceiling, &settings, now_ns);
  share_init(&side->share, &side->sharing, &side->ceiling, URL);
  ck_assert_uint_eq(run(1, 10 * S), 200);
  ck_assert_int_eq(share_next_ns(&side->share, now_ns), CLOCK_NEVER);
  ck_assert(!share_refuses_changes(&side->share));
}
END_TEST

/* Whatever is in the record, no more than the ceiling, and soon no less. */
enum damage { RANDOM, CUT, EMPTY, LONG, OTHER_LAYOUT };
static const struct {
  enum damage damage;
  uint64_t least, most; /* of one that is no daemon, in 10 s */
} damages[] = {{RANDOM, 195, 201},
               {CUT, 195, 201},
               {EMPTY, 195, 201},
               {LONG, 195, 201},
               {OTHER_LAYOUT, 19, 21}};

static void damage(enum damage kind) {
  unsigned char bytes[1024];
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  memset(bytes, 0x5a, sizeof(bytes));
  int fd = open(record_path(), O_RDONLY | O_CLOEXEC);
  if (kind == CUT || kind == OTHER_LAYOUT)
    ck_assert_int_eq(read(fd, bytes, RECORD_SIZE), RECORD_SIZE);
  close(fd);
  bytes[4]++;
  for (size_t at = 0; at < RECORD_SIZE - 8; at += 8) {
    uint64_t word;
    memcpy(&word, bytes + at, sizeof(word));
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
  }
  if (kind == OTHER_LAYOUT)
    memcpy(bytes + RECORD_SIZE - 8, &hash, sizeof(hash));
  put_file(bytes, kind == EMPTY  ? 0
                  : kind == CUT  ? RECORD_SIZE / 2
                  : kind == LONG ? sizeof(bytes)
                                 : RECORD_SIZE);
}

START_TEST(a_damaged_record) {
  uint64_t before = run(2, S);
  ck_assert_uint_le(before, 21);
  damage(damages[_i].damage);
  uint64_t sent = run(1, 0);
  want(&sides[1]);
  send_what_may(&sides[1]);
  sides[1].sent = 0;
  int64_t end_ns = now_ns + 10 * S;
  for (; now_ns < end_ns; now_ns += MS) {
    want(&sides[1]);
    send_what_may(&sides[1]);
  }
  ck_assert_uint_ge(sent + sides[1].sent, damages[_i].least);
  ck_assert_uint_le(sent + sides[1].sent, damages[_i].most);
  ck_assert_int_eq(sides[1].share.is_alone, damages[_i].damage == OTHER_LAYOUT);
}
END_TEST

/* One permit each time would be no ceiling. */
START_TEST(damaged_all_the_time) {
  uint64_t sent = 0;
  for (int i = 0; i < 20; i++) {
    sent += run(2, 500 * MS);
    damage(RANDOM);
  }
  ck_assert_uint_le(sent, 201);
  ck_assert_uint_ge(sent, 150);
}
END_TEST

START_TEST(no_folder) {
  int fd = open(state_dir, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  close(fd);
  uint64_t daemon = run(1, 10 * S);
  ck_assert_uint_ge(daemon, 99);
  ck_assert_uint_le(daemon, 101);
  ck_assert_int_eq(n_lines, 1);
  ck_assert_ptr_nonnull(strstr(last_line, "a file or a link"));
  ck_assert_ptr_nonnull(strstr(last_line, "half"));
  ck_assert(!share_refuses_changes(&sides[0].share));
  (void)run(2, 10 * S);
  ck_assert_uint_ge(sides[1].sent, 19);
  ck_assert_uint_le(sides[1].sent, 21);
  ck_assert(share_refuses_changes(&sides[1].share));
  ck_assert_ptr_nonnull(strstr(last_line, "a tenth"));
  ck_assert_ptr_nonnull(strstr(last_line, "--unshared"));
  sides[1].sharing.is_unshared = true;
  ck_assert(!share_refuses_changes(&sides[1].share));
  struct host_totals host;
  share_host(&sides[0].share, now_ns, &host);
  ck_assert(!host.is_shared);
  ck_assert_uint_ge(host.owner[OWNER_COMMAND].requests, daemon);
  /* It is mended: all is shared again, within a second. Until then one may be
   * alone, at half of 20/s, beside the record. */
  ck_assert_int_eq(unlink(state_dir), 0);
  n_lines = 0;
  uint64_t sent = run(2, 10 * S);
  ck_assert_uint_le(sent, 211);
  ck_assert_uint_ge(sent, 195);
  ck_assert(!sides[0].share.is_alone && !sides[1].share.is_alone);
  ck_assert_int_eq(n_lines, 2); /* each that it shares again */
  share_host(&sides[0].share, now_ns, &host);
  ck_assert(host.is_shared);
}
END_TEST

/* What was used alone is not there again in a record that is new. */
START_TEST(back_from_alone_with_no_more) {
  close_side(0);
  settings.rates.unit[UNIT_REQUESTS] = bucket_rate_of(500, 1);
  open_side(0, true);
  close(open(state_dir, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  ck_assert_uint_eq(run(1, MS), 1);
  ck_assert_int_eq(share_next_ns(&sides[0].share, now_ns),
                   now_ns - MS + SHARE_UNUSABLE_NS);
  ck_assert_int_eq(unlink(state_dir), 0);
  /* 0.25/s for a second, then 0.5/s. */
  ck_assert_uint_eq(run(1, 2400 * MS), 0);
  ck_assert(!sides[0].share.is_alone);
  ck_assert_uint_eq(run(1, 200 * MS), 1);
}
END_TEST

/* row 77: the holder of the lock is frozen. */
START_TEST(a_lock_that_is_never_released) {
  static const int64_t pauses_ms[] = {1, 2, 4, 8, 16, 20, 20, 20, 20};
  struct side *side = &sides[1];
  (void)run(2, S);
  int fd = lock_file();
  want(side);
  int64_t start_ns = now_ns;
  int tries = 0;
  side->ceiling.reservation.is_held = false; /* so that it wants another */
  for (; !side->share.is_alone; now_ns += MS) {
    send_what_may(side);
    if (side->share.retry_ns > now_ns &&
        tries < (int)(sizeof(pauses_ms) / sizeof(*pauses_ms)) &&
        side->share.retry_ns == now_ns + pauses_ms[tries] * MS)
      tries++;
    ck_assert_int_lt(now_ns - start_ns, S);
  }
  ck_assert_int_ge(tries, 7);
  ck_assert_int_ge(now_ns - start_ns, 100 * MS);
  ck_assert_int_lt(now_ns - start_ns, 130 * MS);
  ck_assert_uint_eq(side->ceiling.blocked[UNIT_SHARED], 1);
  ck_assert_ptr_nonnull(strstr(last_line, "100 ms"));
  uint64_t sent = run(2, 10 * S); /* the daemon's, and ours */
  ck_assert_uint_ge(sent, 115);
  ck_assert_uint_le(sent, 123);
  close(fd);
  sent = run(2, 10 * S);
  ck_assert_uint_ge(sent, 195);
  ck_assert_uint_le(sent, 201);
}
END_TEST

START_TEST(totals_are_the_hosts) {
  struct host_totals host;
  uint64_t sent = run(3, 3 * S);
  settle();
  for (int i = 0; i < 3; i++) {
    share_host(&sides[i].share, now_ns, &host);
    ck_assert_uint_eq(host.owner[OWNER_COMMAND].requests, sent);
    ck_assert(host.is_shared);
  }
  /* One ends, one begins: nothing is lost. */
  close_side(2);
  open_side(2, false);
  sent += run(3, 3 * S);
  settle();
  share_host(&sides[2].share, now_ns, &host);
  ck_assert_uint_eq(host.owner[OWNER_COMMAND].requests, sent);
  /* The record is lost, the totals are not. */
  ck_assert_int_eq(unlink(record_path()), 0);
  share_host(&sides[0].share, now_ns, &host);
  ck_assert_uint_eq(host.owner[OWNER_COMMAND].requests, sent);
  share_host(&sides[1].share, now_ns, &host);
  ck_assert_uint_eq(host.owner[OWNER_COMMAND].requests, sent);
}
END_TEST

/* When the rounds that come seldom ended is the host's, and outlives the
 * record.
 */
START_TEST(rounds_are_the_hosts) {
  struct host_totals host;
  const uint16_t *seen = sides[1].share.content.rounds;
  (void)run(2, S);
  share_round_over(&sides[0].share, 1);
  ck_assert_int_le(share_next_ns(&sides[0].share, now_ns), now_ns);
  share_serve(&sides[0].share, true, now_ns);
  share_host(&sides[1].share, now_ns, &host);
  ck_assert_uint_eq(seen[0], 0);
  ck_assert_uint_eq(seen[1], stamp_at(now_ns));
  uint16_t first = seen[1];
  now_ns += 2 * STAMP_STEP_NS;
  share_host(&sides[0].share, now_ns, &host); /* it is told once */
  ck_assert_int_eq(unlink(record_path()), 0);
  share_host(&sides[1].share, now_ns, &host);
  ck_assert_uint_eq(seen[1], first);
}
END_TEST

/* What is about to be sent is told before: one that is killed then has sent no
 * request that nobody reports. */
START_TEST(told_before_it_is_sent) {
  struct host_totals host;
  struct side *side = &sides[0];
  want(side);
  share_serve(&side->share, true, now_ns);
  ck_assert(side->ceiling.reservation.is_held);
  share_host(&sides[1].share, now_ns, &host);
  ck_assert_uint_eq(host.owner[OWNER_COMMAND].requests, 1);
  share_host(&side->share, now_ns, &host); /* not by itself */
  ck_assert_uint_eq(host.owner[OWNER_COMMAND].requests, 0);
  enum status status;
  ck_assert_ptr_nonnull(ceiling_next(&side->ceiling, now_ns, &status));
  side->share.at_gate[OWNER_COMMAND]++;
  side->share.is_dirty = true;
  share_serve(&side->share, true, now_ns);
  share_host(&sides[1].share, now_ns, &host);
  ck_assert_uint_eq(sides[1].share.content.totals[OWNER_COMMAND].requests, 1);
  side->share.at_gate[OWNER_COMMAND]--; /* nothing was sent */
  ceiling_give_back(&side->ceiling, &side->waiter);
  ceiling_release(&side->ceiling, &side->waiter);
  share_serve(&side->share, true, now_ns);
  share_host(&sides[2].share, now_ns, &host);
  ck_assert_uint_eq(host.owner[OWNER_COMMAND].requests, 0);
  share_host(&sides[1].share, now_ns, &host); /* what was shown stays */
  ck_assert_uint_eq(host.owner[OWNER_COMMAND].requests, 1);
}
END_TEST

START_TEST(who_waits_is_told) {
  want(&sides[0]);
  send_what_may(&sides[0]);
  want(&sides[1]);
  send_what_may(&sides[1]); /* waits for its permit */
  struct host_totals host;
  share_host(&sides[2].share, now_ns, &host);
  const struct record_head *head = &sides[2].share.content.heads[0];
  ck_assert_int_eq(head->pid, 1001);
  ck_assert_int_eq(head->owner, OWNER_COMMAND);
  ck_assert_int_eq(head->unit, UNIT_REQUESTS);
  ck_assert_int_eq(head->since_ns / MS, now_ns / MS);
  ck_assert_int_eq(sides[2].share.content.heads[1].pid, 0);
  /* One that goes is not said to wait for ever. */
  sides[1].share.is_dirty = false;
  sides[1].ceiling.reservation.is_held = false;
  ceiling_leave(&sides[1].ceiling, &sides[1].waiter);
  share_leave(&sides[1].share);
  share_serve(&sides[1].share, true, now_ns);
  ck_assert(share_is_told(&sides[1].share));
  share_host(&sides[2].share, now_ns, &host);
  ck_assert_int_eq(head->pid, 0);
}
END_TEST

static bool is_said_to_scrape(int i) {
  struct host_totals host;
  share_host(&sides[2].share, now_ns, &host);
  const struct record_scraper *scrapers = sides[2].share.content.scrapers;
  for (int at = 0; at < RECORD_SCRAPERS; at++)
    if (scrapers[at].process.pid == 1000 + i) {
      ck_assert_int_eq(scrapers[at].is_daemon, i == 0);
      return true;
    }
  return false;
}

START_TEST(who_scrapes_is_told) {
  sides[0].share.round_ns = 60 * S;
  sides[1].share.round_ns = 10 * S;
  (void)run(2, S);
  settle();
  ck_assert(is_said_to_scrape(0) && is_said_to_scrape(1));
  ck_assert(!is_said_to_scrape(2));
  now_ns += 36 * S; /* that of the other comes later */
  ck_assert(is_said_to_scrape(0) && !is_said_to_scrape(1));
  (void)run(2, S);
  settle();
  ck_assert(is_said_to_scrape(1));
  /* Its node goes, and so does the program. */
  sides[0].share.round_ns = 0;
  share_leave(&sides[0].share);
  share_serve(&sides[0].share, true, now_ns);
  ck_assert(share_is_told(&sides[0].share));
  ck_assert(!is_said_to_scrape(0));
  sides[1].share.round_ns = 600 * S;
  close_side(1);
  ck_assert(!is_said_to_scrape(1));
  open_side(1, false);
}
END_TEST

/* Nothing is written for it alone. */
START_TEST(who_scrapes_writes_no_more_for_it) {
  sides[0].share.round_ns = 10 * S;
  (void)run(1, S);
  settle();
  ck_assert_int_eq(share_next_ns(&sides[0].share, now_ns), CLOCK_NEVER);
}
END_TEST

/* A node that is forgotten here, and scraped by another: the record stays. */
START_TEST(a_scrapers_record_is_not_forgotten) {
  struct side *side = &sides[0];
  sides[1].share.round_ns = 60 * S;
  (void)run(2, S);
  settle();
  share_leave(&side->share);
  share_serve(&side->share, true, now_ns);
  share_fini(&side->share, false);
  share_forget(&side->share);
  now_ns += 20 * S;
  ck_assert_uint_eq(sharing_sweep(&side->sharing, now_ns), 1);
  ck_assert_int_eq(access(record_path(), F_OK), 0);
  now_ns += 200 * S; /* it was killed */
  ck_assert_uint_eq(sharing_sweep(&side->sharing, now_ns), 0);
  ck_assert_int_ne(access(record_path(), F_OK), 0);
  sharing_fini(&side->sharing);
  open_side(0, true);
}
END_TEST

START_TEST(batches_alternate) {
  int taken[2] = {0};
  int last = -1, changes = 0;
  for (int i = 0; i < 4000; i++, now_ns += MS)
    for (int s = 0; s < 2; s++) {
      struct side *side = &sides[s];
      if (!side->waiter.is_waiting && !side->waiter.is_in_flight)
        (void)ceiling_enter(&side->ceiling, &side->waiter, OWNER_BULK, 1, 10,
                            CLOCK_NEVER, now_ns);
      share_serve(&side->share, true, now_ns);
      enum status status;
      if (!ceiling_next(&side->ceiling, now_ns, &status))
        continue;
      ck_assert(!sides[1 - s].waiter.is_in_flight);
      ck_assert_int_ge(side->share.batch_fd, 0);
      taken[s]++;
      changes += last != s;
      last = s;
      ceiling_release(&side->ceiling, &side->waiter);
      share_batch_over(&side->share, now_ns);
    }
  ck_assert_int_ge(taken[0] + taken[1], 20);
  ck_assert_int_le(abs(taken[0] - taken[1]), 1);
  ck_assert_int_ge(changes, taken[0]);
}
END_TEST

/* A node that goes waits for nobody: its last word is told as soon as the lock
 * is free, or nobody is there to be told. */
START_TEST(the_last_word_is_told_in_time) {
  struct side *side = &sides[1];
  struct host_totals host;
  uint64_t sent = run(2, S);
  settle();
  int fd = lock_file();
  side->share.used[OWNER_COMMAND].bytes += 12345;
  want(side);
  side->ceiling.reservation.is_held = true;
  ceiling_leave(&side->ceiling, &side->waiter);
  share_leave(&side->share);
  for (int i = 0; i < 50; i++, now_ns += MS) {
    share_serve(&side->share, true, now_ns);
    ck_assert(!share_is_told(&side->share));
    ck_assert_int_le(share_next_ns(&side->share, now_ns), now_ns + 20 * MS);
  }
  if (_i == 1)
    close(fd);
  for (int i = 0; i < (_i == 1 ? 21 : 100); i++, now_ns += MS)
    share_serve(&side->share, true, now_ns);
  ck_assert(share_is_told(&side->share));
  ck_assert_int_eq(side->share.is_alone, _i == 0);
  if (_i == 0)
    close(fd);
  now_ns += S;
  share_host(&sides[0].share, now_ns, &host);
  ck_assert_uint_eq(host.owner[OWNER_COMMAND].bytes, _i == 0 ? 0 : 12345);
  ck_assert_uint_eq(host.owner[OWNER_COMMAND].requests, sent);
}
END_TEST

START_TEST(who_was_never_there_has_no_last_word) {
  share_leave(&sides[0].share);
  ck_assert(share_is_told(&sides[0].share));
  share_serve(&sides[0].share, true, now_ns);
  ck_assert_int_ne(access(state_dir, F_OK), 0);
}
END_TEST

START_TEST(a_forgotten_nodes_record_goes) {
  struct side *side = &sides[0];
  (void)run(1, S);
  now_ns = clock_mono_ns();
  ceiling_leave(&side->ceiling, &side->waiter);
  share_leave(&side->share);
  share_serve(&side->share, true, now_ns);
  ck_assert(share_is_told(&side->share));
  share_fini(&side->share, false);
  share_forget(&side->share);
  /* Handling and bytes fill in 8 s. */
  ck_assert_uint_eq(sharing_sweep(&side->sharing, now_ns), 1);
  ck_assert_int_eq(access(record_path(), F_OK), 0);
  ck_assert_uint_eq(sharing_sweep(&side->sharing, now_ns + 20 * S), 0);
  ck_assert_int_ne(access(record_path(), F_OK), 0);
  /* One that comes back is not forgotten any more. */
  sharing_fini(&side->sharing);
  open_side(0, true);
  (void)run(1, S);
  share_forget(&side->share);
  ck_assert_uint_eq(side->sharing.n_forgotten, 1);
  share_init(&side->share, &side->sharing, &side->ceiling, URL);
  want(side);
  send_what_may(side);
  ck_assert_uint_eq(side->sharing.n_forgotten, 0);
}
END_TEST

/* More than are looked at in one go: each has its turn. */
START_TEST(many_forgotten_nodes_records_go) {
  enum { MANY = 250 };
  struct sharing *sharing = &sides[0].sharing;
  struct ceiling ceiling;
  char urls[MANY][32];
  for (int i = 0; i < MANY; i++) {
    struct share share;
    struct host_totals host;
    snprintf(urls[i], sizeof(urls[i]), "http://b%d:1/j", i);
    ceiling_init(&ceiling, &settings, now_ns);
    share_init(&share, sharing, &ceiling, urls[i]);
    share_host(&share, now_ns, &host);
    ck_assert(host.is_shared);
    share_fini(&share, false);
    share_forget(&share);
  }
  ck_assert_uint_eq(sharing->n_forgotten, MANY);
  for (int i = 0; i < 4; i++) /* not full yet */
    ck_assert_uint_eq(sharing_sweep(sharing, now_ns), MANY);
  now_ns += 20 * S;
  ck_assert_uint_eq(sharing_sweep(sharing, now_ns), 150);
  ck_assert_uint_eq(sharing_sweep(sharing, now_ns), 50);
  ck_assert_uint_eq(sharing_sweep(sharing, now_ns), 0);
  ck_assert_uint_eq(sharing_sweep(sharing, now_ns), 0);
}
END_TEST

static Suite *suite(void) {
  Suite *suite = suite_create("share");
  TCase *tcase = tcase_create("share");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, shared_by_all);
  tcase_add_test(tcase, nothing_is_shared_without_a_folder);
  tcase_add_loop_test(tcase, a_damaged_record, 0,
                      sizeof(damages) / sizeof(damages[0]));
  tcase_add_test(tcase, damaged_all_the_time);
  tcase_add_test(tcase, no_folder);
  tcase_add_test(tcase, back_from_alone_with_no_more);
  tcase_add_test(tcase, a_lock_that_is_never_released);
  tcase_add_test(tcase, totals_are_the_hosts);
  tcase_add_test(tcase, rounds_are_the_hosts);
  tcase_add_test(tcase, told_before_it_is_sent);
  tcase_add_test(tcase, who_waits_is_told);
  tcase_add_test(tcase, who_scrapes_is_told);
  tcase_add_test(tcase, who_scrapes_writes_no_more_for_it);
  tcase_add_test(tcase, a_scrapers_record_is_not_forgotten);
  tcase_add_test(tcase, batches_alternate);
  tcase_add_loop_test(tcase, the_last_word_is_told_in_time, 0, 2);
  tcase_add_test(tcase, who_was_never_there_has_no_last_word);
  tcase_add_test(tcase, a_forgotten_nodes_record_goes);
  tcase_add_test(tcase, many_forgotten_nodes_records_go);
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
