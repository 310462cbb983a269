/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "limit/ceiling.h"

#include "../support/prng.h"

#include <check.h>
#include <string.h>

/* Processes of one host that share a node's levels, in virtual time (I12). The
 * record is two variables here. check_reservation has the single rules. Numbers
 * behind "row" are those of public limiter bugs. */

#define S CLOCK_NS_PER_S
#define MS CLOCK_NS_PER_MS
#define PROCESSES 4
#define WAITERS 8
#define SCHEDULES 10000
#define STEPS 60

__extension__ typedef __int128 wide;

struct process {
  struct ceiling ceiling;
  struct waiter waiters[WAITERS];
  int n_granted;
  bool is_stopped; /* frozen: SIGSTOP */
};

struct grant {
  int64_t at_ns;
  wide amount[UNIT_PREPAID];
};

static struct {
  struct levels levels;
  uint64_t sequence;
} host_record;

static struct process processes[PROCESSES];
static struct ceiling_settings settings;
static struct grant grants[40000];
static int n_grants;

static void begin(struct process *process, int64_t now_ns) {
  *process = (struct process){.n_granted = process->n_granted};
  ceiling_init(&process->ceiling, &settings, now_ns);
}

static void begin_host(int n, int64_t now_ns) {
  levels_init(&host_record.levels, &settings.rates, now_ns);
  host_record.sequence = 0;
  n_grants = 0;
  for (int i = 0; i < n; i++) {
    processes[i].n_granted = 0;
    begin(&processes[i], now_ns);
  }
}

static void visit(struct ceiling *ceiling, int64_t now_ns) {
  ceiling_share(ceiling, &host_record.levels, host_record.sequence, false,
                now_ns);
  if (ceiling_reserve(ceiling, host_record.sequence + 1, now_ns))
    host_record.sequence++;
  host_record.levels = ceiling->levels;
}

static void note_grant(struct process *process, const struct waiter *waiter,
                       int64_t now_ns) {
  grants[n_grants++] =
      (struct grant){.at_ns = now_ns,
                     .amount = {(wide)waiter->cost * BUCKET_PERMIT,
                                (wide)waiter->changes * BUCKET_PERMIT}};
  process->n_granted++;
}

/* As the client does: the record first, then who is granted; NULL: nobody. */
static struct waiter *serve(struct process *process, int64_t now_ns) {
  struct ceiling *ceiling = &process->ceiling;
  enum status status;
  ceiling_drop_useless(ceiling, now_ns);
  if (!ceiling->is_shared || ceiling_has_news(ceiling) ||
      ceiling_want_ns(ceiling, now_ns) <= now_ns)
    visit(ceiling, now_ns);
  struct waiter *waiter = ceiling_next(ceiling, now_ns, &status);
  if (!waiter)
    return NULL;
  if (status == STATUS_OK)
    note_grant(process, waiter, now_ns);
  return waiter;
}

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t wake_ns(const struct process *process, int64_t now_ns) {
  const struct ceiling *ceiling = &process->ceiling;
  if (process->is_stopped)
    return CLOCK_NEVER;
  if (!ceiling->is_shared || ceiling_has_news(ceiling))
    return now_ns;
  return earlier(ceiling_wake_ns(ceiling, now_ns),
                 ceiling_want_ns(ceiling, now_ns));
}

static void set(uint64_t rate_milli, uint64_t burst) {
  settings = ceiling_settings_default(10 * S);
  settings.rates.unit[UNIT_REQUESTS] = bucket_rate_of(rate_milli, burst);
  settings.max_in_flight = 64;
  for (int i = 0; i < OWNER_COUNT; i++)
    settings.permit_timeout_ns[i] = INT64_MAX;
}

/* I1 of all of them together; a reserved permit may be used so much late. */
static bool keeps_to_the_ceiling(void) {
  for (int unit = 0; unit < UNIT_PREPAID; unit++) {
    const struct bucket_rate *rate = &settings.rates.unit[unit];
    for (int i = 0; i < n_grants; i++) {
      wide sum = 0, limit = rate->cap;
      int last = n_grants - i < 60 ? n_grants : i + 60;
      for (int j = i; j < last; j++) {
        sum += grants[j].amount[unit];
        if (grants[j].amount[unit] > limit)
          limit = grants[j].amount[unit];
        wide span = grants[j].at_ns - grants[i].at_ns + CEILING_LATE_NS;
        if (sum > limit + span * (wide)rate->rate)
          return false;
      }
    }
  }
  return true;
}

/* Those from ${first} on always have work. */
static void run_busy(int first, int n, int64_t now_ns, int64_t end_ns) {
  while (now_ns < end_ns) {
    int64_t next_ns = CLOCK_NEVER;
    for (int i = first; i < n; i++) {
      struct process *process = &processes[i];
      if (!process->waiters[0].is_waiting)
        ck_assert_int_eq(ceiling_enter(&process->ceiling, &process->waiters[0],
                                       OWNER_COMMAND, 1, 0, CLOCK_NEVER,
                                       now_ns),
                         STATUS_OK);
      next_ns = earlier(next_ns, wake_ns(process, now_ns));
    }
    now_ns = next_ns > now_ns ? next_ns : now_ns;
    for (int i = first; i < n; i++) {
      struct waiter *waiter = serve(&processes[i], now_ns);
      if (waiter)
        ceiling_release(&processes[i].ceiling, waiter);
    }
  }
}

/* Frozen with a permit reserved: one is lost, and the rest goes on. When it is
 * thawed, what it reserved is too old to be used. */
START_TEST(a_frozen_process_costs_one_permit) {
  set(20000, 1);
  begin_host(3, 0);
  run_busy(0, 3, 0, 10 * S);
  int n_before = n_grants;
  ck_assert(processes[0].ceiling.reservation.is_held);
  processes[0].n_granted = 0;
  run_busy(1, 3, 10 * S, 20 * S);
  ck_assert_int_ge(n_grants - n_before, 198);
  ck_assert_ptr_null(serve(&processes[0], 20 * S));
  ck_assert_int_eq(processes[0].n_granted, 0);
  ck_assert(keeps_to_the_ceiling());
}
END_TEST

/* By itself, whoever forgets to drop it: others have theirs right behind. */
START_TEST(a_reserved_permit_is_not_granted_late) {
  for (int64_t late_ns = 0; late_ns < 2; late_ns++) {
    set(20000, 1);
    begin_host(1, 0);
    struct ceiling *ceiling = &processes[0].ceiling;
    struct waiter *waiter = &processes[0].waiters[0];
    enum status status;
    host_record.levels.bucket[UNIT_REQUESTS].level = 0;
    ceiling_enter(ceiling, waiter, OWNER_COMMAND, 1, 0, CLOCK_NEVER, 0);
    visit(ceiling, 0);
    ck_assert_int_eq(ceiling->reservation.due_ns, 50 * MS);
    ck_assert_ptr_null(ceiling_next(ceiling, 50 * MS - 1, &status));
    int64_t now_ns = 50 * MS + CEILING_LATE_NS + late_ns;
    ck_assert_ptr_eq(ceiling_next(ceiling, now_ns, &status),
                     late_ns ? NULL : waiter);
  }
}
END_TEST

/* Row 85: nineteen of twenty come back in one instant. */
START_TEST(after_a_retry_after_they_come_one_by_one) {
  set(20000, 1);
  begin_host(PROCESSES, 0);
  for (int i = 0; i < PROCESSES; i++)
    visit(&processes[i].ceiling, 0);
  ceiling_hold(&processes[0].ceiling, 5 * S);
  visit(&processes[0].ceiling, 0);
  for (int i = 1; i < PROCESSES; i++)
    visit(&processes[i].ceiling, 0);
  run_busy(0, PROCESSES, 0, 6 * S);
  ck_assert_int_ge(n_grants, 19);
  ck_assert_int_ge(grants[0].at_ns, 5 * S);
  for (int i = 1; i < n_grants; i++)
    ck_assert_int_ge(grants[i].at_ns - grants[i - 1].at_ns,
                     50 * MS - CEILING_LATE_NS);
}
END_TEST

struct run {
  struct prng prng;
  uint64_t schedule;
  int step;
  int n;
  int64_t now_ns;
};

static void act(struct run *run, struct process *process) {
  struct waiter *waiter = &process->waiters[prng_below(&run->prng, WAITERS)];
  struct ceiling *ceiling = &process->ceiling;
  uint64_t what = prng_below(&run->prng, 100);
  if (what < 40) {
    if (!waiter->is_waiting && !waiter->is_in_flight)
      (void)ceiling_enter(
          ceiling, waiter, (enum owner)prng_below(&run->prng, OWNER_COUNT),
          1 + (uint32_t)prng_below(&run->prng, 3),
          (uint32_t)prng_below(&run->prng, 3), CLOCK_NEVER, run->now_ns);
  } else if (what < 50) {
    if (waiter->is_waiting)
      ceiling_leave(ceiling, waiter);
  } else if (what < 70) {
    if (waiter->is_in_flight && prng_one_in(&run->prng, 2))
      ceiling_charge(ceiling, waiter, prng_scaled(&run->prng, 1 << 26),
                     (int64_t)prng_scaled(&run->prng, (uint64_t)S),
                     run->now_ns);
    ceiling_release(ceiling, waiter);
  } else if (what < 73) {
    begin(process, run->now_ns); /* killed */
  } else if (what < 75) {
    ceiling_hold(ceiling,
                 run->now_ns + (int64_t)prng_scaled(&run->prng, (uint64_t)S));
  } else if (what < 78) {
    process->is_stopped = !process->is_stopped;
  } else
    run->now_ns += (int64_t)prng_scaled(&run->prng, 200 * (uint64_t)MS);
}

static void run_schedule(struct run *run) {
  static const uint64_t rates[] = {1000, 20000, 333333, 1000000};
  set(rates[prng_below(&run->prng, 4)], 1 + prng_below(&run->prng, 5));
  settings.rates.unit[UNIT_CHANGES] = bucket_rate_of(5000, 4);
  run->n = 1 + (int)prng_below(&run->prng, PROCESSES);
  begin_host(run->n, 0);
  for (run->step = 0; run->step < STEPS; run->step++) {
    struct process *process =
        &processes[prng_below(&run->prng, (uint64_t)run->n)];
    act(run, process);
    if (prng_one_in(&run->prng, 3))
      run->now_ns = earlier(wake_ns(process, run->now_ns), run->now_ns + S);
    for (int i = 0; i < 8 && !process->is_stopped; i++)
      (void)serve(process, run->now_ns);
  }
  REQUIRE(keeps_to_the_ceiling(), run->schedule, run->step);
}

/* Row 77 to 81 and 85, as far as arithmetic goes: killed, frozen and thawed at
 * any instant, no more than the ceiling goes out. */
START_TEST(together_they_keep_to_the_ceiling) {
  for (uint64_t i = 0; i < SCHEDULES; i++) {
    struct run run = {.prng = prng_seeded(i), .schedule = i};
    run_schedule(&run);
  }
}
END_TEST

/* Of a full bucket of changes, too, to the last of them. */
START_TEST(a_dropped_batch_comes_back) {
  set(20000, 1);
  begin_host(2, 0);
  struct process *a = &processes[0];
  ceiling_enter(&a->ceiling, &a->waiters[0], OWNER_COMMAND, 1, 0, CLOCK_NEVER,
                0);
  ck_assert_ptr_eq(serve(a, 0), &a->waiters[0]);
  ceiling_enter(&a->ceiling, &a->waiters[1], OWNER_BULK, 1, 50, CLOCK_NEVER, 0);
  ck_assert_ptr_null(serve(a, 0));
  ck_assert(a->ceiling.reservation.is_held);
  /* It is due in 50 ms: till then 2.5 changes would have run over. */
  ck_assert_int_eq(host_record.levels.bucket[UNIT_CHANGES].level,
                   -5 * BUCKET_PERMIT / 2);
  ceiling_leave(&a->ceiling, &a->waiters[1]);
  ck_assert_ptr_null(serve(a, 0));
  ck_assert_int_eq(host_record.levels.bucket[UNIT_CHANGES].level,
                   50 * BUCKET_PERMIT);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("reservation, random");
  TCase *t = tcase_create("reservation");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, a_frozen_process_costs_one_permit);
  tcase_add_test(t, a_reserved_permit_is_not_granted_late);
  tcase_add_test(t, after_a_retry_after_they_come_one_by_one);
  tcase_add_test(t, a_dropped_batch_comes_back);
  tcase_add_test(t, together_they_keep_to_the_ceiling);
  suite_add_tcase(s, t);
  return s;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
