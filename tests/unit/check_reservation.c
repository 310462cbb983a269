/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/ceiling.h"

#include "../support/prng.h"
#include "operator_hold.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Several ceilings on what a record holds, in virtual time: each is a process,
 * which may come late, be killed, cancel, or find that nothing was sent. */

#define MS CLOCK_NS_PER_MS
#define S CLOCK_NS_PER_S
#define PROCESSES 5
#define WAITERS 4
#define GRANTS_MAX 4000
#define SCHEDULES 10000

static struct {
  struct levels levels;
  uint64_t sequence;
} record;

struct process {
  struct ceiling ceiling;
  struct waiter waiters[WAITERS];
  int grant_of[WAITERS]; /* its number in the log */
  int n_granted;
};
static struct process processes[PROCESSES];
static struct ceiling_settings settings;
static int64_t now_ns;

static struct {
  int64_t at_ns;
  int process;
  bool is_sent;
} grants[GRANTS_MAX];
static int n_grants;

static void start(struct process *process) {
  *process = (struct process){.n_granted = 0};
  ceiling_init(&process->ceiling, &settings, now_ns);
  process->ceiling.is_shared = true;
}

static void set_up(void) {
  settings = ceiling_settings_default(10 * S);
  for (int i = 0; i < OWNER_COUNT; i++)
    settings.permit_timeout_ns[i] = 60 * S;
  settings.max_in_flight = WAITERS;
  now_ns = 1000 * S;
  levels_init(&record.levels, &settings.rates, now_ns);
  record.sequence = 0;
  n_grants = 0;
  for (int i = 0; i < PROCESSES; i++)
    start(&processes[i]);
}

static void enter(struct process *process, int i, enum owner owner,
                  uint32_t changes) {
  struct waiter *waiter = &process->waiters[i];
  if (!waiter->is_waiting && !waiter->is_in_flight)
    (void)ceiling_enter(&process->ceiling, waiter, owner, 1, changes,
                        CLOCK_NEVER, now_ns);
}

/* What a process does under the record's lock. */
static void visit(struct process *process) {
  struct ceiling *ceiling = &process->ceiling;
  ceiling_share(ceiling, &record.levels, record.sequence, false, now_ns);
  if (ceiling_reserve(ceiling, record.sequence + 1, now_ns))
    record.sequence++;
  record.levels = ceiling->levels;
}

static struct waiter *next(struct process *process) {
  enum status status;
  struct waiter *waiter = ceiling_next(&process->ceiling, now_ns, &status);
  if (!waiter || status != STATUS_OK)
    return NULL;
  ck_assert_int_lt(n_grants, GRANTS_MAX);
  process->grant_of[waiter - process->waiters] = n_grants;
  process->n_granted++;
  grants[n_grants].at_ns = now_ns;
  grants[n_grants].process = (int)(process - processes);
  grants[n_grants++].is_sent = true;
  return waiter;
}

/* All that a process does when it wakes. */
static void wake(struct process *process) {
  struct ceiling *ceiling = &process->ceiling;
  do {
    ceiling_drop_useless(ceiling, now_ns);
    if (ceiling_has_news(ceiling) || ceiling_want_ns(ceiling, now_ns) <= now_ns)
      visit(process);
  } while (next(process));
}

static int64_t wake_ns(const struct process *process) {
  int64_t wake_ns = ceiling_wake_ns(&process->ceiling, now_ns);
  int64_t want_ns = ceiling_want_ns(&process->ceiling, now_ns);
  return wake_ns < want_ns ? wake_ns : want_ns;
}

static void release(struct process *process, int i, bool is_sent) {
  struct waiter *waiter = &process->waiters[i];
  if (!waiter->is_in_flight)
    return;
  if (!is_sent) {
    ceiling_give_back(&process->ceiling, waiter);
    grants[process->grant_of[i]].is_sent = false;
  }
  ceiling_release(&process->ceiling, waiter);
}

/* A meter of its own: what was sent leaks out at the rate, and never stands
 * higher than the burst and what ${late_ns} leak. */
static void assert_ceiling(int64_t late_ns) {
  const struct bucket_rate *rate = &settings.rates.unit[UNIT_REQUESTS];
  __extension__ typedef __int128 wide;
  wide most = (wide)rate->cap + (wide)rate->rate * late_ns;
  wide stands = 0;
  int64_t last_ns = 0;
  for (int i = 0; i < n_grants; i++) {
    stands -= (wide)rate->rate * (grants[i].at_ns - last_ns);
    if (stands < 0)
      stands = 0;
    last_ns = grants[i].at_ns;
    if (grants[i].is_sent)
      stands += BUCKET_PERMIT;
    ck_assert_msg(stands <= most, "grant %d at %lld", i,
                  (long long)(grants[i].at_ns - 1000 * S));
  }
}

/* All punctual and always busy, for so long. */
static void run_busy(int n_processes, int64_t until_ns) {
  while (now_ns < until_ns) {
    int64_t first_ns = until_ns;
    for (int i = 0; i < n_processes; i++) {
      for (int j = 0; j < WAITERS; j++) {
        release(&processes[i], j, true);
        enter(&processes[i], j, OWNER_COMMAND, 0);
      }
      wake(&processes[i]);
      int64_t at_ns = wake_ns(&processes[i]);
      first_ns = at_ns < first_ns ? at_ns : first_ns;
    }
    ck_assert_int_gt(first_ns, now_ns);
    now_ns = first_ns;
  }
}

START_TEST(all_alternate) {
  run_busy(4, now_ns + 50 * S);
  ck_assert_int_ge(n_grants, 1000);
  ck_assert_int_le(n_grants, 1001);
  for (int i = 0; i < 4; i++)
    ck_assert_int_le(abs(processes[i].n_granted - n_grants / 4), 1);
  assert_ceiling(0);
}
END_TEST

START_TEST(a_killed_process_costs_one_permit) {
  const int n_kills = 100;
  for (int i = 0; i < n_kills; i++) {
    run_busy(4, now_ns + 470 * MS);
    int granted = processes[3].n_granted;
    start(&processes[3]);
    processes[3].n_granted = granted;
  }
  int expected = (int)(n_kills * 470 * MS / (50 * MS));
  ck_assert_int_le(n_grants, expected + 1);
  ck_assert_int_ge(n_grants, expected - n_kills);
  for (int i = 0; i < 3; i++)
    ck_assert_int_gt(processes[i].n_granted, n_grants / 5);
  assert_ceiling(0);
}
END_TEST

/* I12 and I2: whoever waits, cancels, comes late or does not send. */
static void step(struct prng *prng, int64_t late_ns) {
  struct process *process = &processes[prng_below(prng, PROCESSES)];
  int i = (int)prng_below(prng, WAITERS);
  switch (prng_below(prng, 8)) {
  case 0:
    ceiling_leave(&process->ceiling, &process->waiters[i]);
    break;
  case 1:
    release(process, i, false);
    break;
  case 2:
    if (prng_below(prng, 4) == 0)
      start(process);
    break;
  case 3:
  case 4:
    release(process, i, true);
    break;
  default:
    enter(process, i, (enum owner)prng_below(prng, OWNER_COUNT),
          prng_below(prng, 3) == 0 ? 1 + (uint32_t)prng_below(prng, 50) : 0);
    break;
  }
  if (late_ns == 0 || prng_below(prng, 2))
    wake(process);
}

static void run_schedule(struct prng *prng, int64_t late_ns) {
  static const int64_t pauses_ns[] = {0, 1, MS, 20 * MS, 60 * MS, 400 * MS};
  set_up();
  settings.rates.unit[UNIT_REQUESTS] =
      bucket_rate_of(1 + prng_below(prng, 100000), 1 + prng_below(prng, 4));
  for (int i = 0; i < PROCESSES; i++)
    start(&processes[i]);
  for (int i = 0; i < 60; i++) {
    int64_t until_ns = now_ns + pauses_ns[prng_below(prng, 6)];
    step(prng, late_ns);
    while (late_ns == 0) { /* who is due is awake */
      struct process *first = &processes[0];
      for (int j = 1; j < PROCESSES; j++)
        if (wake_ns(&processes[j]) < wake_ns(first))
          first = &processes[j];
      if (wake_ns(first) > until_ns)
        break;
      now_ns = wake_ns(first) > now_ns ? wake_ns(first) : now_ns;
      wake(first);
    }
    now_ns = until_ns > now_ns ? until_ns : now_ns;
  }
  assert_ceiling(late_ns);
}

START_TEST(no_more_than_the_ceiling) {
  struct prng prng = prng_seeded(11);
  uint64_t total = 0;
  for (int i = 0; i < SCHEDULES; i++) {
    run_schedule(&prng, 0);
    total += (uint64_t)n_grants;
  }
  ck_assert_uint_gt(total, 10 * SCHEDULES);
}
END_TEST

START_TEST(nor_where_processes_are_late) {
  struct prng prng = prng_seeded(12);
  uint64_t total = 0;
  for (int i = 0; i < SCHEDULES; i++) {
    run_schedule(&prng, CEILING_LATE_NS);
    total += (uint64_t)n_grants;
  }
  ck_assert_uint_gt(total, 5 * SCHEDULES);
}
END_TEST

/* One waiter, then nobody: what the record says must be as if it had never
 * been there. */
START_TEST(a_cancelled_wait_gives_back) {
  struct process *a = &processes[0], *b = &processes[1];
  enter(b, 0, OWNER_SCRAPE, 0);
  wake(b); /* takes the first permit */
  enter(a, 0, OWNER_SCRAPE, 0);
  wake(a);
  ck_assert(a->ceiling.reservation.is_held);
  ck_assert_int_eq(a->ceiling.reservation.due_ns, now_ns + 50 * MS);
  ceiling_leave(&a->ceiling, &a->waiters[0]);
  now_ns += 10 * MS;
  wake(a);
  ck_assert(!a->ceiling.reservation.is_held);
  ck_assert_int_eq(record.levels.bucket[UNIT_REQUESTS].level,
                   BUCKET_PERMIT / 5);
}
END_TEST

START_TEST(a_cancelled_head_passes_it_on) {
  struct process *a = &processes[0];
  enter(a, 0, OWNER_SCRAPE, 0);
  wake(a);
  enter(a, 1, OWNER_SCRAPE, 0);
  wake(a);
  enter(a, 2, OWNER_BULK, 0);
  ceiling_leave(&a->ceiling, &a->waiters[1]);
  now_ns += 50 * MS;
  struct waiter *waiter = next(a);
  ck_assert_ptr_eq(waiter, &a->waiters[2]);
  ck_assert_uint_eq(waiter->sequence, 2);
}
END_TEST

/* With a taking in between, nothing comes back: what it lived on is unknown. */
START_TEST(given_back_late_it_is_lost) {
  struct process *a = &processes[0], *b = &processes[1];
  enter(a, 0, OWNER_SCRAPE, 0);
  wake(a);
  ck_assert(a->waiters[0].is_in_flight);
  now_ns += 50 * MS;
  enter(b, 0, OWNER_SCRAPE, 0);
  wake(b);
  ck_assert(b->waiters[0].is_in_flight);
  release(a, 0, false);
  wake(a);
  ck_assert_int_eq(record.levels.bucket[UNIT_REQUESTS].level, 0);
  release(b, 0, false); /* the latest: comes back */
  wake(b);
  ck_assert_int_eq(record.levels.bucket[UNIT_REQUESTS].level, BUCKET_PERMIT);
}
END_TEST

/* Of two that come back, the latest taking. */
START_TEST(the_latest_comes_back) {
  struct process *a = &processes[0];
  enter(a, 0, OWNER_SCRAPE, 0);
  wake(a);
  enter(a, 1, OWNER_SCRAPE, 0);
  wake(a);
  ceiling_drop(&a->ceiling);
  release(a, 0, false);
  ceiling_leave(&a->ceiling, &a->waiters[1]);
  wake(a);
  ck_assert_int_eq(record.levels.bucket[UNIT_REQUESTS].level, 0);
}
END_TEST

/* A permit for a read is none for changes. */
START_TEST(changes_need_their_own) {
  struct process *a = &processes[0];
  enter(a, 0, OWNER_SCRAPE, 0);
  wake(a);
  enter(a, 1, OWNER_SCRAPE, 0);
  wake(a);
  enter(a, 2, OWNER_COMMAND, 1);
  ceiling_leave(&a->ceiling, &a->waiters[1]);
  now_ns += 50 * MS;
  ck_assert_ptr_null(next(a));
  wake(a);
  ck_assert(a->waiters[2].is_in_flight);
  ck_assert_int_eq(record.levels.bucket[UNIT_CHANGES].level,
                   49 * BUCKET_PERMIT);
}
END_TEST

START_TEST(too_late_is_taken_anew) {
  struct process *a = &processes[0], *b = &processes[1];
  enter(b, 0, OWNER_SCRAPE, 0);
  wake(b);
  enter(a, 0, OWNER_SCRAPE, 0);
  wake(a); /* due in 50 ms */
  enter(b, 1, OWNER_SCRAPE, 0);
  wake(b); /* due in 100 ms */
  now_ns += 50 * MS + CEILING_LATE_NS;
  ck_assert_int_eq(ceiling_wake_ns(&a->ceiling, now_ns), now_ns);
  now_ns++;
  ck_assert_ptr_null(next(a));
  wake(a);
  ck_assert(!a->waiters[0].is_in_flight);
  ck_assert_int_eq(a->ceiling.reservation.due_ns, grants[0].at_ns + 150 * MS);
}
END_TEST

START_TEST(other_units_come_first) {
  struct process *a = &processes[0];
  record.levels.bucket[UNIT_CHANGES].level = 0;
  record.levels.bucket[UNIT_REQUESTS].level = 0;
  enter(a, 0, OWNER_BULK, 10); /* 200 ms at 50/s */
  visit(a);
  ck_assert(!a->ceiling.reservation.is_held);
  ck_assert_int_eq(ceiling_want_ns(&a->ceiling, now_ns), now_ns + 200 * MS);
  now_ns += 200 * MS;
  wake(a);
  ck_assert(a->waiters[0].is_in_flight);
  ck_assert_int_eq(record.levels.bucket[UNIT_CHANGES].level, 0);
}
END_TEST

/* A scrape has come and taken what was reserved for a batch. */
START_TEST(what_is_left_of_it_comes_back) {
  struct process *a = &processes[0];
  enter(a, 0, OWNER_SCRAPE, 0);
  wake(a);
  enter(a, 1, OWNER_BULK, 50);
  wake(a);
  ck_assert_uint_eq(a->ceiling.reservation.changes, 50);
  /* It is due in 50 ms: till then 2.5 changes would have run over. */
  ck_assert_int_eq(record.levels.bucket[UNIT_CHANGES].level,
                   -5 * BUCKET_PERMIT / 2);
  ceiling_leave(&a->ceiling, &a->waiters[1]);
  enter(a, 2, OWNER_SCRAPE, 0);
  now_ns += 50 * MS;
  wake(a);
  ck_assert(a->waiters[2].is_in_flight);
  ck_assert_int_eq(record.levels.bucket[UNIT_CHANGES].level,
                   50 * BUCKET_PERMIT);
}
END_TEST

START_TEST(charges_reach_the_record) {
  struct process *a = &processes[0], *b = &processes[1];
  enter(a, 0, OWNER_BULK, 0);
  wake(a);
  ceiling_charge(&a->ceiling, &a->waiters[0], 4 << 20, 0, now_ns);
  release(a, 0, true);
  wake(a); /* 2 s of bytes */
  ck_assert_int_eq(record.levels.bucket[UNIT_BYTES].level,
                   -(4 << 20) * BUCKET_BYTE);
  enter(b, 0, OWNER_BULK, 0);
  visit(b);
  ck_assert_int_eq(ceiling_want_ns(&b->ceiling, now_ns), now_ns + 2 * S);
  wake(a);
  ck_assert_int_eq(record.levels.bucket[UNIT_BYTES].level,
                   -(4 << 20) * BUCKET_BYTE); /* told once */
}
END_TEST

START_TEST(holds_are_everyones) {
  struct process *a = &processes[0], *b = &processes[1];
  visit(b);
  ceiling_hold(&a->ceiling, now_ns + 5 * S);
  ceiling_hold_by_operator(&a->ceiling, now_ns + 10 * S);
  ck_assert(ceiling_has_news(&a->ceiling));
  visit(a);
  ck_assert(!ceiling_has_news(&a->ceiling));
  visit(b);
  ck_assert_int_eq(b->ceiling.levels.hold_until_ns, now_ns + 5 * S);
  ck_assert(ceiling_is_held_by_operator(&b->ceiling, now_ns));
  ceiling_hold_by_operator(&b->ceiling, 0);
  visit(b);
  visit(a);
  ck_assert(!ceiling_is_held_by_operator(&a->ceiling, now_ns));
  ck_assert_int_eq(a->ceiling.levels.hold_until_ns, now_ns + 5 * S);
}
END_TEST

START_TEST(the_lower_of_both) {
  struct process *a = &processes[0];
  a->ceiling.levels.bucket[UNIT_REQUESTS].level = 0;
  ceiling_share(&a->ceiling, &record.levels, 0, true, now_ns);
  ck_assert_int_eq(a->ceiling.levels.bucket[UNIT_REQUESTS].level, 0);
  record.levels.bucket[UNIT_REQUESTS].level = -BUCKET_PERMIT;
  ceiling_share(&a->ceiling, &record.levels, 0, true, now_ns);
  ck_assert_int_eq(a->ceiling.levels.bucket[UNIT_REQUESTS].level,
                   -BUCKET_PERMIT);
  /* What is owed is charged once. */
  enter(a, 0, OWNER_BULK, 0);
  ceiling_charge(&a->ceiling, &a->waiters[0], 4 << 20, 0, now_ns);
  ceiling_share(&a->ceiling, &record.levels, 0, true, now_ns);
  ck_assert_int_eq(a->ceiling.levels.bucket[UNIT_BYTES].level,
                   -(4 << 20) * BUCKET_BYTE);
}
END_TEST

/* A permit that would be due after the wait is over is not taken. */
START_TEST(nothing_is_reserved_in_vain) {
  struct process *a = &processes[0];
  visit(a);
  struct waiter *waiter = &a->waiters[0];
  ck_assert_int_eq(ceiling_enter(&a->ceiling, waiter, OWNER_SCRAPE, 1, 0,
                                 now_ns + 100 * MS, now_ns),
                   STATUS_OK);
  record.levels.bucket[UNIT_REQUESTS].level = -2 * BUCKET_PERMIT;
  visit(a);
  ck_assert(!a->ceiling.reservation.is_held);
  ck_assert_int_eq(ceiling_want_ns(&a->ceiling, now_ns), CLOCK_NEVER);
  ck_assert_int_eq(record.levels.bucket[UNIT_REQUESTS].level,
                   -2 * BUCKET_PERMIT);
}
END_TEST

START_TEST(one_batch_at_a_time) {
  struct process *a = &processes[0];
  enter(a, 0, OWNER_BULK, 5);
  enter(a, 1, OWNER_BULK, 5);
  wake(a);
  now_ns += S;
  wake(a);
  ck_assert(a->waiters[0].is_in_flight);
  ck_assert(!a->waiters[1].is_in_flight);
  release(a, 0, true);
  a->ceiling.is_batch_elsewhere = true;
  wake(a);
  now_ns += S;
  wake(a);
  ck_assert(!a->waiters[1].is_in_flight);
  enter(a, 2, OWNER_BULK, 0); /* FIFO inside an owner */
  enter(a, 3, OWNER_SLOW, 5); /* no batch */
  wake(a);
  ck_assert(!a->waiters[2].is_in_flight);
  ck_assert(a->waiters[3].is_in_flight);
}
END_TEST

static Suite *suite(void) {
  Suite *suite = suite_create("reservation");
  TCase *tcase = tcase_create("reservation");
  tcase_add_checked_fixture(tcase, set_up, NULL);
  tcase_set_timeout(tcase, 120);
  tcase_add_test(tcase, all_alternate);
  tcase_add_test(tcase, a_killed_process_costs_one_permit);
  tcase_add_test(tcase, no_more_than_the_ceiling);
  tcase_add_test(tcase, nor_where_processes_are_late);
  tcase_add_test(tcase, a_cancelled_wait_gives_back);
  tcase_add_test(tcase, a_cancelled_head_passes_it_on);
  tcase_add_test(tcase, given_back_late_it_is_lost);
  tcase_add_test(tcase, the_latest_comes_back);
  tcase_add_test(tcase, changes_need_their_own);
  tcase_add_test(tcase, too_late_is_taken_anew);
  tcase_add_test(tcase, other_units_come_first);
  tcase_add_test(tcase, what_is_left_of_it_comes_back);
  tcase_add_test(tcase, charges_reach_the_record);
  tcase_add_test(tcase, holds_are_everyones);
  tcase_add_test(tcase, the_lower_of_both);
  tcase_add_test(tcase, nothing_is_reserved_in_vain);
  tcase_add_test(tcase, one_batch_at_a_time);
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
