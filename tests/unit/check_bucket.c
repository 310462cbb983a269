/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "limit/bucket.h"

#include "../support/prng.h"

#include <check.h>
#include <string.h>

/* Numbers behind "row" are those of public limiter bugs, each named with what
 * went wrong there, that the test at hand would have caught. */

#define S CLOCK_NS_PER_S
#define HOUR (3600 * S)
#define P ((uint64_t)BUCKET_PERMIT)
#define TEN_YEARS (INT64_C(3652) * 24 * HOUR)
#define SCHEDULES 10000 /* of each kind */
#define STEPS 48

__extension__ typedef __int128 wide;

/* Instants at which a clock's or a counter's width has been felt. */
static int64_t random_start(struct prng *prng) {
  static const int64_t starts[] = {0,
                                   1,
                                   S,
                                   (INT64_C(1) << 31) - 10,
                                   (INT64_C(1) << 32) - 10,
                                   (INT64_C(1) << 31) * 1000000 - 10 * S,
                                   (INT64_C(1) << 32) * 1000000 - 10 * S,
                                   INT64_MAX - 2 * TEN_YEARS,
                                   INT64_MAX - 10 * S};
  return starts[prng_below(prng, sizeof(starts) / sizeof(starts[0]))];
}

enum kind { PERMITS, BYTES, HANDLING, KINDS };

static const int64_t units[KINDS] = {BUCKET_PERMIT, BUCKET_BYTE,
                                     BUCKET_HANDLING_NS};
static const uint64_t rate_max[KINDS] = {BUCKET_RATE_MAX, BUCKET_BYTES_RATE_MAX,
                                         BUCKET_SHARE_MAX};
static const uint64_t burst_max[KINDS] = {
    BUCKET_BURST_MAX, BUCKET_BYTES_BURST_MAX, BUCKET_HANDLING_BURST_MAX};

static struct bucket_rate random_rate(struct prng *prng, enum kind kind) {
  static const uint64_t rates[] = {1, 999, 6666, 20000, UINT64_MAX};
  uint64_t rate = prng_one_in(prng, 3) ? rates[prng_below(prng, 5)]
                                       : prng_scaled(prng, rate_max[kind]);
  uint64_t burst =
      prng_one_in(prng, 3) ? 1 : prng_scaled(prng, burst_max[kind]);
  if (kind == PERMITS)
    return bucket_rate_of(rate, burst);
  return kind == BYTES ? bucket_rate_of_bytes(rate, burst)
                       : bucket_rate_of_handling(rate, (int64_t)burst);
}

/* The obvious bucket: 128 bits, time that never goes back, one formula. */
struct oracle {
  wide level;
  wide now;     /* the latest instant seen */
  wide accrued; /* all that ever accrued, the cap aside */
};

static wide least(wide a, wide b) { return a < b ? a : b; }

static wide most(wide a, wide b) { return a > b ? a : b; }

static void oracle_advance(struct oracle *oracle,
                           const struct bucket_rate *rate, int64_t now_ns) {
  wide elapsed = most(now_ns, oracle->now) - oracle->now;
  wide accrued = elapsed * (wide)rate->rate;
  oracle->level = least(rate->cap, oracle->level + accrued);
  oracle->accrued += accrued;
  oracle->now += elapsed;
}

static wide oracle_need(const struct bucket_rate *rate, uint64_t amount) {
  return least(rate->cap, (wide)amount);
}

static bool oracle_take(struct oracle *oracle, const struct bucket_rate *rate,
                        uint64_t amount, int64_t now_ns) {
  oracle_advance(oracle, rate, now_ns);
  if (oracle->level < oracle_need(rate, amount))
    return false;
  oracle->level = most(oracle->level - (wide)amount, -BUCKET_LEVEL_MAX);
  return true;
}

struct grant {
  wide accrued; /* of the oracle, when it was granted */
  wide cost;    /* in level units; 0 once given back */
  wide cap;
};

struct run {
  struct prng prng;
  uint64_t schedule;
  int step;
  struct bucket bucket;
  struct bucket_rate rate;
  enum kind kind;
  bool has_reloads;
  struct oracle oracle;
  int64_t now_ns;
  struct grant grants[STEPS];
  int n_grants;
};

/* I1: over every pair of grants. */
static void check_intervals(const struct run *run) {
  for (int i = 0; i < run->n_grants; i++) {
    wide sum = 0, limit = 0;
    for (int j = i; j < run->n_grants; j++) {
      const struct grant *grant = &run->grants[j];
      sum += grant->cost;
      limit = most(limit, most(grant->cap, grant->cost));
      REQUIRE(sum <= limit + grant->accrued - run->grants[i].accrued,
              run->schedule, run->step);
    }
  }
}

static int64_t later(int64_t now_ns, uint64_t by_ns) {
  return by_ns < (uint64_t)(INT64_MAX - now_ns) ? now_ns + (int64_t)by_ns
                                                : INT64_MAX;
}

/* A clock that stands, creeps, runs, leaps ten years, goes back, and is read
 * right around the instant at which the next permit is there. */
static void move_clock(struct run *run, uint64_t amount) {
  int64_t ready_ns =
      bucket_ready_ns(&run->bucket, &run->rate, amount, run->now_ns);
  uint64_t span_ns = 4 * (amount / run->rate.rate) + 1;
  switch (prng_below(&run->prng, 10)) {
  case 0:
    break;
  case 1:
    run->now_ns = later(run->now_ns, 1);
    break;
  case 2:
    run->now_ns = ready_ns > 0 ? ready_ns - 1 : 0;
    break;
  case 3:
    run->now_ns = ready_ns;
    break;
  case 4:
    run->now_ns = later(ready_ns, 1);
    break;
  case 5:
    run->now_ns = later(run->now_ns, TEN_YEARS);
    break;
  case 6:
    run->now_ns = run->now_ns > 8 * HOUR ? run->now_ns - 8 * HOUR : 0;
    break;
  case 7:
    run->now_ns -= (int64_t)prng_below(&run->prng, 1 + (uint64_t)run->now_ns);
    break;
  default:
    run->now_ns = later(run->now_ns, prng_scaled(&run->prng, span_ns));
  }
}

static void check_level(const struct run *run) {
  REQUIRE(run->bucket.level == run->oracle.level, run->schedule, run->step);
  REQUIRE(run->bucket.last_ns == run->oracle.now, run->schedule, run->step);
}

/* The instant that is told is the first: it suffices, one ns less does not. */
static void check_ready(const struct run *run, uint64_t amount) {
  struct bucket before = run->bucket;
  int64_t ready_ns =
      bucket_ready_ns(&run->bucket, &run->rate, amount, run->now_ns);
  REQUIRE(memcmp(&before, &run->bucket, sizeof(before)) == 0, run->schedule,
          run->step);
  REQUIRE(ready_ns >= run->now_ns, run->schedule, run->step);
  struct oracle at = run->oracle;
  if (ready_ns < CLOCK_NEVER)
    REQUIRE(oracle_take(&at, &run->rate, amount, ready_ns), run->schedule,
            run->step);
  at = run->oracle;
  if (ready_ns > run->now_ns)
    REQUIRE(!oracle_take(&at, &run->rate, amount, ready_ns - 1), run->schedule,
            run->step);
}

static void check_full(const struct run *run) {
  struct oracle at = run->oracle;
  oracle_advance(&at, &run->rate, run->now_ns);
  REQUIRE(bucket_is_full(&run->bucket, &run->rate, run->now_ns) ==
              (at.level == run->rate.cap),
          run->schedule, run->step);
}

static void take(struct run *run, uint64_t amount) {
  struct bucket accrued = run->bucket;
  bucket_accrue(&accrued, &run->rate, run->now_ns);
  REQUIRE(accrued.level >= run->bucket.level, run->schedule, run->step);
  bool is_taken = bucket_take(&run->bucket, &run->rate, amount, run->now_ns);
  REQUIRE(is_taken ==
              oracle_take(&run->oracle, &run->rate, amount, run->now_ns),
          run->schedule, run->step);
  check_level(run);
  if (is_taken)
    run->grants[run->n_grants++] =
        (struct grant){.accrued = run->oracle.accrued,
                       .cost = (wide)amount,
                       .cap = run->rate.cap};
  else
    REQUIRE(memcmp(&accrued, &run->bucket, sizeof(accrued)) == 0, run->schedule,
            run->step);
}

/* Of the latest take: check_ceiling has those of earlier ones. */
static void give_back(struct run *run) {
  if (run->n_grants == 0)
    return;
  struct grant *grant = &run->grants[run->n_grants - 1];
  bucket_give_back(&run->bucket, &run->rate, (int64_t)grant->cost);
  run->oracle.level = least(run->rate.cap, run->oracle.level + grant->cost);
  grant->cost = 0;
  check_level(run);
}

static void reconfigure(struct run *run) {
  oracle_advance(&run->oracle, &run->rate, run->now_ns);
  bucket_accrue(&run->bucket, &run->rate, run->now_ns);
  int64_t level = run->bucket.level;
  run->rate = random_rate(&run->prng, run->kind);
  oracle_advance(&run->oracle, &run->rate, run->now_ns);
  bucket_accrue(&run->bucket, &run->rate, run->now_ns);
  check_level(run);
  REQUIRE(run->bucket.level <= level, run->schedule, run->step);
}

/* Row 24, 40: used already, and of debt no more than a time allows. */
static void charge(struct run *run) {
  static const int64_t debts_ns[] = {0, 1, S, 10 * S, INT64_MAX};
  int64_t debt_ns = debts_ns[prng_below(&run->prng, 5)];
  uint64_t amount = bucket_amount(prng_scaled(&run->prng, UINT64_C(1) << 40),
                                  units[run->kind]);
  bool is_whole =
      bucket_charge(&run->bucket, &run->rate, amount, debt_ns, run->now_ns);
  oracle_advance(&run->oracle, &run->rate, run->now_ns);
  wide bottom = most(-(wide)run->rate.rate * debt_ns, -BUCKET_LEVEL_MAX);
  wide wanted = run->oracle.level - (wide)amount;
  wide level = least(run->oracle.level, most(wanted, bottom));
  REQUIRE(is_whole == (level == wanted), run->schedule, run->step);
  run->oracle.level = level;
  check_level(run);
}

/* In whole units and in parts of them; at most twice the burst, often. */
static uint64_t random_amount(struct run *run) {
  if (run->has_reloads)
    return (uint64_t)units[run->kind];
  uint64_t amount = 1 + prng_below(&run->prng, 2 * (uint64_t)units[run->kind]);
  if (prng_one_in(&run->prng, 2))
    amount = prng_scaled(&run->prng, 2 * (uint64_t)run->rate.cap);
  return amount;
}

static void act(struct run *run, uint64_t amount) {
  uint64_t what = prng_below(&run->prng, 100);
  if (what < 8)
    give_back(run);
  else if (what < 20)
    charge(run);
  else if (what < 32 && run->has_reloads)
    reconfigure(run);
  else
    take(run, amount);
}

static void run_schedule(struct run *run) {
  run->rate = random_rate(&run->prng, run->kind);
  run->now_ns = random_start(&run->prng);
  wide level = least(units[run->kind], run->rate.cap);
  run->bucket =
      (struct bucket){.level = (int64_t)level, .last_ns = run->now_ns};
  run->oracle = (struct oracle){.level = level, .now = run->now_ns};
  for (run->step = 0; run->step < STEPS; run->step++) {
    uint64_t amount = random_amount(run);
    move_clock(run, amount);
    check_ready(run, amount);
    check_full(run);
    act(run, amount);
  }
  check_intervals(run);
}

static void run_schedules(enum kind kind, bool has_reloads) {
  for (uint64_t i = 0; i < SCHEDULES; i++) {
    struct run run = {.prng = prng_seeded(i),
                      .schedule = i,
                      .kind = kind,
                      .has_reloads = has_reloads};
    run_schedule(&run);
  }
}

/* Row 4 a minute's rate as capacity; 5 fixed windows; 10 a setting that is
 * taken for no limit; 22, 25 overflow into no limit; 24 a stall after idling;
 * 28, 29, 30, 32 fractions lost; 34 a cost above the burst for free; 38 a
 * refusal that drains; 39 a negative balance that mints; 13 to 16 and 19 clocks
 * that jump, run backwards, or come to the end of a width. */
START_TEST(equals_the_exact_bucket) { run_schedules((enum kind)_i, false); }
END_TEST

/* Row 60 a lowered limit that stops refilling; 71 a reload that refills; 72 a
 * reload that is not seen. */
START_TEST(reloads_grant_no_more) { run_schedules((enum kind)_i, true); }
END_TEST

/* Row 1, 2 a second's permits, or any number, after idling; 3 no capacity. */
START_TEST(ten_years_idle_are_worth_one_burst) {
  static const uint64_t rates[] = {1, 20000, 1000000000};
  struct bucket_rate rate = bucket_rate_of(rates[_i], 5);
  struct bucket bucket;
  bucket = (struct bucket){.level = 0};
  int granted = 0;
  while (bucket_take(&bucket, &rate, P, TEN_YEARS))
    granted++;
  ck_assert_int_eq(granted, 5);
}
END_TEST

static const struct {
  uint64_t rate_milli;
  uint64_t burst;
  uint64_t cost;
  int64_t wait_ns; /* from an empty bucket */
} waits[] = {
    {20000, 1, 1, 50000000},
    {1, 1, 1, 1000 * S},
    {1000000000, 1, 1, 1000},
    {3000, 1, 1, 333333334},
    {6666, 1, 1, 150015002},
    {20000, 5, 3, 150000000},
    {20000, 5, 20, 250000000}, /* row 35, 36: more than the burst is there */
    {1, 1000000, 1000000, 1000000000 * S},
    {999999999, 1, 1, 1001},
};

/* Row 30: a wait of 0 for a deficit, or one after which it is not enough. */
START_TEST(waits_are_exact) {
  struct bucket_rate rate =
      bucket_rate_of(waits[_i].rate_milli, waits[_i].burst);
  struct bucket bucket = {.level = 0, .last_ns = 77};
  int64_t ready_ns = bucket_ready_ns(&bucket, &rate, waits[_i].cost * P, 77);
  ck_assert_int_eq(ready_ns, 77 + waits[_i].wait_ns);
  ck_assert(!bucket_take(&bucket, &rate, waits[_i].cost * P, ready_ns - 1));
  ck_assert(bucket_take(&bucket, &rate, waits[_i].cost * P, ready_ns));
}
END_TEST

/* Row 42: a burst is paid for to the ns, not until its window ends. Row 40: and
 * no admission while there is debt. */
START_TEST(debt_is_paid_back_exactly) {
  struct bucket_rate rate = bucket_rate_of(20000, 5);
  struct bucket bucket = {.level = rate.cap, .last_ns = 0};
  ck_assert(bucket_take(&bucket, &rate, 100 * P, 0));
  ck_assert_int_eq(bucket.level, -95 * BUCKET_PERMIT);
  ck_assert_int_eq(bucket_ready_ns(&bucket, &rate, P, 0), 96 * S / 20);
  ck_assert(!bucket_take(&bucket, &rate, P, 96 * S / 20 - 1));
  ck_assert(bucket_take(&bucket, &rate, P, 96 * S / 20));
}
END_TEST

/* Row 32: asked at any instants, a year holds exactly its permits. */
START_TEST(a_year_has_no_drift) {
  static const uint64_t rates[] = {1, 333, 6667, 20001};
  struct bucket_rate rate = bucket_rate_of(rates[_i], 2);
  struct bucket bucket = {.level = 0, .last_ns = 0};
  struct prng prng = prng_seeded(rates[_i]);
  int64_t end_ns = 365 * 24 * HOUR / (rates[_i] > 1 ? 100 : 1);
  int64_t now_ns = 0;
  wide taken = 0;
  for (;;) {
    int64_t ready_ns = bucket_ready_ns(&bucket, &rate, P, now_ns);
    now_ns += 1 + (int64_t)prng_below(&prng, (uint64_t)(ready_ns - now_ns));
    if (now_ns > end_ns)
      break;
    taken += bucket_take(&bucket, &rate, P, now_ns);
  }
  ck_assert(taken == (wide)end_ns * (wide)rates[_i] / BUCKET_PERMIT);
}
END_TEST

/* Row 13 to 15: eight hours without permits after the clock went back. */
START_TEST(a_clock_that_goes_back_delays_by_no_more_than_the_cost) {
  struct bucket_rate rate = bucket_rate_of(20000, 1);
  struct bucket bucket = {.level = BUCKET_PERMIT, .last_ns = 10 * HOUR};
  ck_assert(bucket_take(&bucket, &rate, P, 10 * HOUR));
  ck_assert(!bucket_take(&bucket, &rate, P, 2 * HOUR));
  ck_assert_int_eq(bucket.last_ns, 10 * HOUR);
  ck_assert_int_eq(bucket_ready_ns(&bucket, &rate, P, 2 * HOUR),
                   10 * HOUR + S / 20);
}
END_TEST

/* Row 17, 18, 20: readers whose clocks differ, by 200 ms and by a core's 8 ms:
 * hardly less than the rate, and no more. */
START_TEST(clocks_that_differ_cost_next_to_nothing) {
  static const int64_t lags_ns[] = {200000000, 8000000};
  struct bucket_rate rate = bucket_rate_of(20000, 1);
  struct bucket bucket = {.level = 0};
  int taken = 0;
  for (int64_t now_ns = 0; now_ns < 1000 * S; now_ns += 1000000) {
    bool is_behind = now_ns / 1000000 % 2;
    int64_t own_ns = now_ns - (is_behind ? lags_ns[_i] : 0);
    taken += bucket_take(&bucket, &rate, P, own_ns > 0 ? own_ns : 0);
  }
  ck_assert_int_ge(taken, 20000 * 98 / 100);
  ck_assert_int_le(taken, 20000);
}
END_TEST

START_TEST(an_instant_past_the_end_of_time_is_never) {
  struct bucket_rate rate = bucket_rate_of(1, 1);
  struct bucket bucket = {.level = 0, .last_ns = INT64_MAX - 1000 * S};
  ck_assert_int_eq(bucket_ready_ns(&bucket, &rate, P, 0), INT64_MAX);
  bucket.last_ns++;
  ck_assert_int_eq(bucket_ready_ns(&bucket, &rate, P, 0), CLOCK_NEVER);
}
END_TEST

/* Row 10, 26: no setting means unlimited. */
START_TEST(settings_are_clamped) {
  struct bucket_rate least_rate = bucket_rate_of(0, 0);
  ck_assert_uint_eq(least_rate.rate, BUCKET_RATE_MIN);
  ck_assert_int_eq(least_rate.cap, BUCKET_PERMIT);
  struct bucket_rate most_rate = bucket_rate_of(UINT64_MAX, UINT64_MAX);
  ck_assert_uint_eq(most_rate.rate, BUCKET_RATE_MAX);
  ck_assert_int_eq(most_rate.cap, INT64_C(1000000000000000000));
}
END_TEST

/* Row 25: a burst that is multiplied before it is divided. */
START_TEST(settings_of_bytes_and_handling_are_clamped) {
  struct bucket_rate bytes = bucket_rate_of_bytes(0, 0);
  ck_assert_uint_eq(bytes.rate, 1);
  ck_assert_int_eq(bytes.cap, BUCKET_BYTE);
  bytes = bucket_rate_of_bytes(UINT64_MAX, UINT64_MAX);
  ck_assert_uint_eq(bytes.rate, UINT64_C(1) << 40);
  ck_assert_int_eq(bytes.cap, BUCKET_LEVEL_MAX);
  struct bucket_rate handling = bucket_rate_of_handling(0, -1);
  ck_assert_uint_eq(handling.rate, 1);
  ck_assert_int_eq(handling.cap, BUCKET_HANDLING_NS);
  handling = bucket_rate_of_handling(UINT64_MAX, INT64_MAX);
  ck_assert_uint_eq(handling.rate, BUCKET_SHARE_MAX);
  ck_assert_int_eq(handling.cap, 3600 * S * BUCKET_HANDLING_NS);
}
END_TEST

START_TEST(debt_saturates_and_is_paid_back) {
  struct bucket_rate rate = bucket_rate_of_bytes(1, 1);
  struct bucket bucket = {.level = rate.cap};
  ck_assert(bucket_take(&bucket, &rate, UINT64_MAX, 0));
  ck_assert_int_eq(bucket.level, -BUCKET_LEVEL_MAX);
  ck_assert_int_eq(bucket_ready_ns(&bucket, &rate, 0, 0), BUCKET_LEVEL_MAX);
  rate = bucket_rate_of_bytes(UINT64_MAX, UINT64_MAX);
  bucket_accrue(&bucket, &rate, 2 * BUCKET_BYTE);
  ck_assert_int_eq(bucket.level, rate.cap);
}
END_TEST

/* Row 24: bytes to 2^40; after idling the first is not delayed. The delay of
 * one debt ends after its time, whatever was used. */
START_TEST(a_debt_delays_no_longer_than_its_time) {
  struct bucket_rate rate = bucket_rate_of_bytes(UINT64_C(1) << 21, 1 << 23);
  struct bucket bucket = {.level = 0};
  ck_assert_int_eq(bucket_ready_ns(&bucket, &rate, 0, TEN_YEARS), TEN_YEARS);
  uint64_t amount = bucket_amount(UINT64_C(1) << 40, BUCKET_BYTE);
  ck_assert(!bucket_charge(&bucket, &rate, amount, 10 * S, TEN_YEARS));
  ck_assert_int_eq(bucket_ready_ns(&bucket, &rate, 0, TEN_YEARS),
                   TEN_YEARS + 10 * S);
  rate.rate /= 2; /* lowered: the old debt takes twice as long, no new one */
  int64_t level = bucket.level;
  ck_assert(!bucket_charge(&bucket, &rate, amount, 10 * S, TEN_YEARS));
  ck_assert_int_eq(bucket.level, level);
}
END_TEST

#define N(table) (int)(sizeof(table) / sizeof((table)[0]))

static Suite *suite(void) {
  Suite *s = suite_create("bucket");
  TCase *t = tcase_create("edges");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, ten_years_idle_are_worth_one_burst, 0, 3);
  tcase_add_loop_test(t, waits_are_exact, 0, N(waits));
  tcase_add_test(t, debt_is_paid_back_exactly);
  tcase_add_loop_test(t, a_year_has_no_drift, 0, 4);
  tcase_add_test(t, a_clock_that_goes_back_delays_by_no_more_than_the_cost);
  tcase_add_loop_test(t, clocks_that_differ_cost_next_to_nothing, 0, 2);
  tcase_add_test(t, an_instant_past_the_end_of_time_is_never);
  tcase_add_test(t, settings_are_clamped);
  tcase_add_test(t, settings_of_bytes_and_handling_are_clamped);
  tcase_add_test(t, debt_saturates_and_is_paid_back);
  tcase_add_test(t, a_debt_delays_no_longer_than_its_time);
  suite_add_tcase(s, t);
  t = tcase_create("random schedules");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, equals_the_exact_bucket, 0, KINDS);
  tcase_add_loop_test(t, reloads_grant_no_more, 0, KINDS);
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
