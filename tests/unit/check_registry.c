/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "limit/registry.h"

#include "../support/prng.h"
#include "operator_hold.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* Numbers behind "row" are those of public limiter bugs, each named with what
 * went wrong there, that the test at hand would have caught. */

#define S CLOCK_NS_PER_S
#define KEYS 40
#define SCHEDULES 10000
#define STEPS 80

static struct ceiling_settings settings_of(uint64_t rate_milli,
                                           uint64_t burst) {
  struct ceiling_settings settings = ceiling_settings_default(10 * S);
  settings.rates = (struct levels_rates){
      .unit = {[UNIT_REQUESTS] = bucket_rate_of(rate_milli, burst),
               [UNIT_CHANGES] = bucket_rate_of(BUCKET_RATE_MAX, 1),
               [UNIT_BYTES] = bucket_rate_of_bytes(1000000, 1),
               [UNIT_HANDLING] = bucket_rate_of_handling(1000000, 1)}};
  settings.max_in_flight = 64;
  return settings;
}

static void key_of(char key[64], uint64_t i) {
  snprintf(key, 64, "http://broker-%llu.example.net:8161/console/jolokia",
           (unsigned long long)i);
}

static bool take(struct registry_entry *entry, int64_t now_ns) {
  static struct waiter waiter;
  enum status status;
  struct ceiling *ceiling = &entry->ceiling;
  if (ceiling_enter(ceiling, &waiter, OWNER_BULK, 1, 0, now_ns, now_ns))
    return false;
  bool is_granted =
      ceiling_next(ceiling, now_ns, &status) && status == STATUS_OK;
  ceiling_leave(ceiling, &waiter);
  ceiling_release(ceiling, &waiter);
  return is_granted;
}

START_TEST(one_url_one_ceiling) {
  struct registry *registry = registry_new();
  struct ceiling_settings settings = settings_of(20000, 1);
  char key[64];
  key_of(key, 1);
  struct registry_entry *a = registry_get(registry, key, &settings, 0);
  key[7] = 'B'; /* keys are copied, and compared to the byte */
  struct registry_entry *b = registry_get(registry, key, &settings, 0);
  key_of(key, 1);
  ck_assert_ptr_ne(a, b);
  ck_assert_ptr_eq(registry_get(registry, key, &settings, 0), a);
  ck_assert_uint_eq(a->references, 2);
  ck_assert_str_eq(registry_key(a), key);
  ck_assert_uint_eq(registry_count(registry), 2);
  registry_free(registry);
}
END_TEST

/* Two texts of one 64-bit FNV-1a hash, 0x4eac0c95540867e4. */
START_TEST(keys_of_one_hash_are_two) {
  struct registry *registry = registry_new();
  struct ceiling_settings settings = settings_of(20000, 1);
  struct registry_entry *a =
      registry_get(registry, "8yn0iYCKYHlIj4-BwPqk", &settings, 0);
  struct registry_entry *b =
      registry_get(registry, "GReLUrM4wMqfg9yzV3KQ", &settings, 0);
  ck_assert_ptr_ne(a, b);
  registry_free(registry);
}
END_TEST

START_TEST(free_takes_null) { registry_free(NULL); }
END_TEST

/* Row 68: the limit is in the key. Row 72: a bucket that is there keeps its old
 * limit. Row 71: a reload refills. */
START_TEST(new_settings_reach_the_old_bucket) {
  struct registry *registry = registry_new();
  struct ceiling_settings slow = settings_of(1000, 1);
  struct ceiling_settings fast = settings_of(100000, 5);
  struct registry_entry *entry = registry_get(registry, "k", &slow, 0);
  ck_assert(take(entry, 0));
  registry_put(registry, entry);
  ck_assert_ptr_eq(registry_get(registry, "k", &fast, 0), entry);
  ck_assert(!take(entry, 9999999));
  ck_assert(take(entry, 10000000));
  registry_free(registry);
}
END_TEST

START_TEST(one_more_reference_makes_nothing_faster) {
  struct registry *registry = registry_new();
  struct ceiling_settings slow = settings_of(1000, 1);
  struct ceiling_settings fast = settings_of(100000, 5);
  struct registry_entry *entry =
      registry_get(registry, "k", _i ? &fast : &slow, 0);
  ck_assert_ptr_eq(registry_get(registry, "k", _i ? &slow : &fast, 0), entry);
  ck_assert(take(entry, 0));
  ck_assert(!take(entry, S - 1));
  ck_assert(take(entry, S));
  registry_free(registry);
}
END_TEST

/* Row 73: a cleaner that removes every bucket, not the full ones alone. */
START_TEST(a_bucket_in_debt_is_not_forgotten) {
  struct registry *registry = registry_new();
  struct ceiling_settings settings = settings_of(1000, 1);
  struct registry_entry *entry = registry_get(registry, "k", &settings, 0);
  ck_assert(take(entry, 0));
  registry_put(registry, entry);
  ck_assert_uint_eq(registry_sweep(registry, S - 1), 1);
  ck_assert_ptr_eq(registry_get(registry, "k", &settings, S - 1), entry);
  ck_assert(!take(entry, S - 1));
  registry_put(registry, entry);
  ck_assert_uint_eq(registry_sweep(registry, S), 0);
  ck_assert_uint_eq(registry_count(registry), 0);
  registry_free(registry);
}
END_TEST

/* Nor one in debt of any other unit, nor a node that asked to be left alone. */
START_TEST(no_unit_is_forgotten_in_debt) {
  struct registry *registry = registry_new();
  struct ceiling_settings settings = settings_of(1000000, 1);
  settings.rates.unit[UNIT_CHANGES] = bucket_rate_of(1000, 1);
  struct registry_entry *entry = registry_get(registry, "k", &settings, 0);
  struct waiter waiter = {.owner = OWNER_SCRAPE, .cost = 1};
  enum status status;
  if (_i == 0) {
    ck_assert_int_eq(ceiling_enter(&entry->ceiling, &waiter, OWNER_BULK, 1, 1,
                                   CLOCK_NEVER, 0),
                     STATUS_OK);
    ck_assert_ptr_nonnull(ceiling_next(&entry->ceiling, 0, &status));
    ceiling_release(&entry->ceiling, &waiter);
  } else if (_i == 1)
    ceiling_charge(&entry->ceiling, &waiter, 1000000, 0, 0);
  else if (_i == 2)
    ceiling_charge(&entry->ceiling, &waiter, 0, S, 0);
  else if (_i == 3)
    ceiling_hold(&entry->ceiling, S);
  else
    ceiling_hold_by_operator(&entry->ceiling, S);
  registry_put(registry, entry);
  ck_assert_uint_eq(registry_sweep(registry, S - 1), 1);
  ck_assert_uint_eq(registry_sweep(registry, S + 1000), 0);
  registry_free(registry);
}
END_TEST

/* Row 75: forgotten with somebody inside. */
START_TEST(a_ceiling_in_use_is_not_forgotten) {
  struct registry *registry = registry_new();
  struct ceiling_settings settings = settings_of(1000, 1);
  struct registry_entry *entry = registry_get(registry, "k", &settings, 0);
  struct waiter waiter;
  enum status status;
  ck_assert_int_eq(
      ceiling_enter(&entry->ceiling, &waiter, OWNER_BULK, 1, 0, CLOCK_NEVER, 0),
      STATUS_OK);
  registry_put(registry, entry);
  ck_assert_uint_eq(registry_sweep(registry, 100 * S), 1);
  ck_assert_ptr_eq(ceiling_next(&entry->ceiling, 0, &status), &waiter);
  ck_assert_uint_eq(registry_sweep(registry, 100 * S), 1);
  ceiling_release(&entry->ceiling, &waiter);
  ck_assert_uint_eq(registry_sweep(registry, 100 * S), 0);
  registry_free(registry);
}
END_TEST

START_TEST(closed_and_come_back_is_open) {
  struct registry *registry = registry_new();
  struct ceiling_settings settings = settings_of(1000, 1);
  struct registry_entry *entry = registry_get(registry, "k", &settings, 0);
  ck_assert(take(entry, 0));
  ceiling_close(&entry->ceiling);
  ck_assert(!take(entry, S));
  registry_put(registry, entry);
  ck_assert_ptr_eq(registry_get(registry, "k", &settings, S), entry);
  ck_assert(take(entry, S));
  registry_free(registry);
}
END_TEST

START_TEST(ten_thousand_nodes) {
  enum { N = 10000 };
  static struct registry_entry *entries[N];
  struct registry *registry = registry_new();
  struct ceiling_settings settings = settings_of(20000, 1);
  char key[64];
  for (uint64_t i = 0; i < N; i++) {
    key_of(key, i);
    entries[i] = registry_get(registry, key, &settings, 0);
    ck_assert_ptr_nonnull(entries[i]);
  }
  ck_assert_uint_eq(registry_count(registry), N);
  for (uint64_t i = 0; i < N; i++) {
    key_of(key, i);
    if (registry_get(registry, key, &settings, 0) != entries[i])
      ck_abort_msg("key %s has moved", key);
    registry_put(registry, entries[i]);
    registry_put(registry, entries[i]);
  }
  ck_assert_uint_eq(registry_sweep(registry, 0), N);
  ck_assert_uint_eq(registry_sweep(registry, S), 0);
  ck_assert_uint_eq(registry_count(registry), 0);
  registry_free(registry);
}
END_TEST

/* Every key beside a ceiling that is never forgotten, with burst 1: forgetting,
 * coming back and reloading at any instant must grant the same. */
struct run {
  struct prng prng;
  uint64_t schedule;
  int step;
  int64_t now_ns;
  struct registry *registry;
  struct registry_entry *held[KEYS]; /* by us; NULL: not now */
  uint32_t references[KEYS];
  struct registry_entry kept[KEYS];
  bool is_known[KEYS];
};

#define HOLDS(condition) REQUIRE(condition, run->schedule, run->step)

static void get(struct run *run, uint64_t i) {
  struct ceiling_settings settings = settings_of(1000, 1);
  char key[64];
  key_of(key, i);
  struct registry_entry *entry =
      registry_get(run->registry, key, &settings, run->now_ns);
  HOLDS(entry && (!run->held[i] || run->held[i] == entry));
  HOLDS(strcmp(registry_key(entry), key) == 0);
  HOLDS(entry->references == ++run->references[i]);
  run->held[i] = entry;
  if (!run->is_known[i])
    ceiling_init(&run->kept[i].ceiling, &settings, run->now_ns);
  run->is_known[i] = true;
}

static void put(struct run *run, uint64_t i) {
  if (!run->held[i])
    return;
  registry_put(run->registry, run->held[i]);
  if (--run->references[i] == 0)
    run->held[i] = NULL;
}

static void use(struct run *run, uint64_t i) {
  if (run->held[i])
    HOLDS(take(run->held[i], run->now_ns) == take(&run->kept[i], run->now_ns));
}

static void sweep(struct run *run) {
  size_t n_held = 0;
  for (int i = 0; i < KEYS; i++)
    n_held += run->held[i] != NULL;
  size_t left = registry_sweep(run->registry, run->now_ns);
  HOLDS(registry_count(run->registry) == n_held + left);
}

static void run_schedule(struct run *run) {
  run->registry = registry_new();
  uint64_t n_keys = 1 + prng_below(&run->prng, KEYS);
  for (run->step = 0; run->step < STEPS; run->step++) {
    uint64_t i = prng_below(&run->prng, n_keys);
    switch (prng_below(&run->prng, 6)) {
    case 0:
      get(run, i);
      break;
    case 1:
      put(run, i);
      break;
    case 2:
      run->now_ns += (int64_t)prng_below(&run->prng, (uint64_t)S);
      break;
    default:
      use(run, i);
    }
    sweep(run); /* row 73: after every operation */
  }
  registry_free(run->registry);
}

START_TEST(forgetting_grants_no_more_and_no_less) {
  static struct run run;
  for (uint64_t i = 0; i < SCHEDULES; i++) {
    memset(&run, 0, sizeof(run));
    run.prng = prng_seeded(i);
    run.schedule = i;
    run_schedule(&run);
  }
}
END_TEST

/* I1 with any burst, across forgetting and coming back. */
START_TEST(forgetting_keeps_to_the_ceiling) {
  for (uint64_t n = 0; n < SCHEDULES; n++) {
    struct prng prng = prng_seeded(n);
    int64_t burst = 1 + (int64_t)prng_below(&prng, 5);
    struct ceiling_settings settings = settings_of(1000, (uint64_t)burst);
    struct registry *registry = registry_new();
    int64_t granted[STEPS], now_ns = 0;
    int n_granted = 0;
    for (int step = 0; step < STEPS; step++) {
      now_ns += (int64_t)prng_below(&prng, prng_one_in(&prng, 8) ? 6 * S : S);
      struct registry_entry *entry =
          registry_get(registry, "k", &settings, now_ns);
      if (take(entry, now_ns))
        granted[n_granted++] = now_ns;
      registry_put(registry, entry);
      registry_sweep(registry, now_ns);
    }
    for (int i = 0; i < n_granted; i++)
      for (int j = i; j < n_granted; j++)
        REQUIRE((j - i + 1 - burst) * S <= granted[j] - granted[i], n, i);
    registry_free(registry);
  }
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("registry");
  TCase *t = tcase_create("registry");
  tcase_add_test(t, one_url_one_ceiling);
  tcase_add_test(t, keys_of_one_hash_are_two);
  tcase_add_test(t, free_takes_null);
  tcase_add_test(t, new_settings_reach_the_old_bucket);
  tcase_add_loop_test(t, one_more_reference_makes_nothing_faster, 0, 2);
  tcase_add_test(t, a_bucket_in_debt_is_not_forgotten);
  tcase_add_loop_test(t, no_unit_is_forgotten_in_debt, 0, 5);
  tcase_add_test(t, a_ceiling_in_use_is_not_forgotten);
  tcase_add_test(t, closed_and_come_back_is_open);
  tcase_add_test(t, ten_thousand_nodes);
  suite_add_tcase(s, t);
  t = tcase_create("random schedules");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, forgetting_grants_no_more_and_no_less);
  tcase_add_test(t, forgetting_keeps_to_the_ceiling);
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
