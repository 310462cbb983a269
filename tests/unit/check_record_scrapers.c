/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/record.h"

#include "base/clock.h"

#include <check.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Who is there, as a record tells it: who waits, and since when, and who
 * scrapes the node. */

#define S CLOCK_NS_PER_S
#define NOW (1000 * S)

/* Milliseconds of 24 days; one that began just after our look. */
START_TEST(since_when_a_head_waits) {
  static const int64_t ages_ns[] = {0, CLOCK_NS_PER_MS, 120 * S, 23 * 86400 * S,
                                    -CLOCK_NS_PER_MS};
  const int64_t now_ns = (int64_t)UINT32_MAX * CLOCK_NS_PER_MS + 3 * S;
  const struct record_key key = {.url = 7, .boot = 8, .clock = 9};
  const struct levels_rates rates = {
      .unit = {bucket_rate_of(20000, 1), bucket_rate_of(50000, 50),
               bucket_rate_of_bytes(2 << 20, 8 << 20),
               bucket_rate_of_handling(250000, 2 * S)}};
  char bytes[RECORD_SIZE];
  struct record_content content = {.sequence = 0}, back;
  content.heads[0] =
      (struct record_head){1, OWNER_SCRAPE, UNIT_HOLD, 0, now_ns - ages_ns[_i]};
  record_encode(&content, &key, bytes);
  ck_assert_int_eq(
      record_decode(bytes, sizeof(bytes), &key, &rates, now_ns, &back),
      RECORD_SOUND);
  ck_assert_int_eq(back.heads[0].since_ns, now_ns - ages_ns[_i]);
}
END_TEST

static void scrapes(struct record_content *content, pid_t pid, uint16_t pids,
                    uint16_t stay_s, int64_t now_ns) {
  const struct record_scraper scraper = {.process = {.pid = pid, .pids = pids},
                                         .is_daemon = true,
                                         .stay_s = stay_s};
  record_set_scraper(content, &scraper, now_ns);
}

static int n_scrapers(const struct record_content *content) {
  int n = 0;
  for (int i = 0; i < RECORD_SCRAPERS; i++)
    n += content->scrapers[i].process.pid != 0;
  return n;
}

START_TEST(a_scraper_is_there_until_it_is_late) {
  struct record_content content = {.sequence = 0};
  scrapes(&content, 1, 7, 35, NOW);
  scrapes(&content, 1, 7, 35, NOW + 30 * S);
  ck_assert_int_eq(n_scrapers(&content), 1);
  scrapes(&content, 1, 8, 3, NOW + 30 * S); /* of another container */
  ck_assert_int_eq(n_scrapers(&content), 2);
  scrapes(&content, 2, 7, 0, NOW + 33 * S); /* does not */
  ck_assert_int_eq(n_scrapers(&content), 2);
  scrapes(&content, 2, 7, 0, NOW + 34 * S);
  ck_assert_int_eq(n_scrapers(&content), 1);
  scrapes(&content, 2, 7, 0, NOW + 65 * S);
  ck_assert_int_eq(n_scrapers(&content), 1);
  scrapes(&content, 2, 7, 0, NOW + 66 * S);
  ck_assert_int_eq(n_scrapers(&content), 0);
  scrapes(&content, 1, 7, 35, NOW);
  scrapes(&content, 1, 7, 0, NOW); /* it ends */
  ck_assert_int_eq(n_scrapers(&content), 0);
}
END_TEST

START_TEST(a_fourth_scraper_finds_no_place) {
  struct record_content content = {.sequence = 0};
  for (pid_t pid = 1; pid <= RECORD_SCRAPERS + 1; pid++)
    scrapes(&content, pid, 7, 35, NOW);
  ck_assert_int_eq(n_scrapers(&content), RECORD_SCRAPERS);
  for (int i = 0; i < RECORD_SCRAPERS; i++)
    ck_assert_int_le(content.scrapers[i].process.pid, RECORD_SCRAPERS);
  scrapes(&content, 2, 7, 0, NOW);
  ck_assert_int_eq(n_scrapers(&content), RECORD_SCRAPERS - 1);
  scrapes(&content, RECORD_SCRAPERS + 1, 7, 35, NOW);
  ck_assert_int_eq(n_scrapers(&content), RECORD_SCRAPERS);
}
END_TEST

/* Who has read the clock before sees what was written after as ahead of it. */
START_TEST(what_was_seen_just_now) {
  const uint16_t most = RECORD_STAY_MAX_S;
  ck_assert(record_was_seen(1000, 0, 1000 * S));
  ck_assert(record_was_seen(1001, 0, 1000 * S));
  ck_assert(record_was_seen(1060, 0, 1000 * S));
  ck_assert(!record_was_seen(1061, 0, 1000 * S));
  ck_assert(!record_was_seen(999, 0, 1000 * S));
  ck_assert(record_was_seen(65535, 5, (65535 + 5) * S));
  ck_assert(!record_was_seen(65535, 5, (65535 + 6) * S));
  ck_assert(record_was_seen(1000, most, (1000 + most) * S));
  ck_assert(!record_was_seen(1000, most, (1001 + most) * S));
}
END_TEST

START_TEST(who_is_gone) {
  struct record_process self, other;
  int status;
  record_process_self(&self);
  ck_assert_int_eq(self.pid, getpid());
  ck_assert_uint_ne(self.pids, 0);
  ck_assert(!record_process_is_gone(&self));
  other = self;
  other.started++; /* our pid was another's before */
  ck_assert(record_process_is_gone(&other));
  other.pids++; /* its pid says nothing here */
  ck_assert(!record_process_is_gone(&other));
  other.pids = 0;
  ck_assert(!record_process_is_gone(&other));
  pid_t pid = fork();
  ck_assert_int_ge(pid, 0);
  if (pid == 0)
    _exit(0);
  other = self;
  other.pid = pid;
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert(record_process_is_gone(&other));
}
END_TEST

/* Killed and started again within its stay, more often than there are places.
 */
START_TEST(one_that_is_gone_makes_room) {
  struct record_content content = {.sequence = 0};
  struct record_process self;
  record_process_self(&self);
  scrapes(&content, 1, self.pids ^ 1, 35, NOW); /* another container's */
  for (int i = 0; i <= RECORD_SCRAPERS; i++) {
    struct record_scraper killed = {.process = self, .stay_s = 35};
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0)
      _exit(0);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    killed.process.pid = pid;
    record_set_scraper(&content, &killed, NOW);
  }
  const struct record_scraper ours = {.process = self, .stay_s = 35};
  record_set_scraper(&content, &ours, NOW);
  int n_ours = 0, n_elsewhere = 0;
  for (int i = 0; i < RECORD_SCRAPERS; i++) {
    const struct record_process *process = &content.scrapers[i].process;
    n_ours += process->pid == self.pid && process->pids == self.pids;
    n_elsewhere += process->pids != self.pids;
  }
  ck_assert_int_eq(n_ours, 1);
  ck_assert_int_eq(n_elsewhere, 1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("record_scrapers");
  TCase *tcase = tcase_create("record_scrapers");
  tcase_add_loop_test(tcase, since_when_a_head_waits, 0, 5);
  tcase_add_test(tcase, a_scraper_is_there_until_it_is_late);
  tcase_add_test(tcase, a_fourth_scraper_finds_no_place);
  tcase_add_test(tcase, what_was_seen_just_now);
  tcase_add_test(tcase, who_is_gone);
  tcase_add_test(tcase, one_that_is_gone_makes_room);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
