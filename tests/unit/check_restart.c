/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/restart.h"

#include "scrape_rig.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE(added)                                                           \
  LISTED("{\\\"name\\\":\\\"q\\\",\\\"temporary\\\":\\\"false\\\","            \
         "\\\"messageCount\\\":\\\"3\\\",\\\"messagesAdded\\\":\\\"" added     \
         "\\\"}",                                                              \
         "1")
#define GAUGE "queue-q/gauge-MessageCount 3"
#define COUNTER "MessagesAdded"

static struct rig rig;

static void setup(void) { rig_init(&rig); }
static void teardown(void) { rig_fini(&rig); }

static uint64_t held(void) { return scrape_counts(rig.scrape)->counters_held; }

/* A fast round with that uptime; whether the queue's counter came. Its gauge
 * comes always. */
static bool round_of(int64_t seconds, bool has_identity, const char *uptime) {
  char text[4096];
  rig_begin(&rig, TIER_FAST, seconds);
  if (has_identity)
    rig_reply(&rig, rig_identity("2.40.0", true));
  strcpy(text, rig_fast("true", QUEUE("7"), "true"));
  memcpy(strstr(text, "60000"), uptime, 5);
  rig_reply(&rig, text);
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, GAUGE));
  return rig_count(&rig, COUNTER) == 1;
}

START_TEST(counters_wait_for_three_intervals_after_a_restart) {
  ck_assert(round_of(1000, true, "60000"));
  ck_assert(round_of(1010, false, "70000"));
  ck_assert_uint_eq(held(), 0);
  ck_assert(!round_of(1020, false, "20000"));
  ck_assert(!round_of(1030, true, "30000"));
  ck_assert(!round_of(1039, false, "39000")); /* in the same tick, as it were */
  ck_assert_uint_eq(held(), 3);
  ck_assert(round_of(1046, false, "46000"));
  ck_assert(round_of(1056, false, "56000"));
  ck_assert_uint_eq(held(), 3);
}
END_TEST

START_TEST(exactly_three_intervals) {
  ck_assert(round_of(1010, true, "70000"));
  ck_assert(!round_of(1020, false, "20000"));
  ck_assert(round_of(1040, true, "40000"));
}
END_TEST

/* A second restart while they are held: the last one that was dispatched counts
 * still. */
START_TEST(a_second_restart) {
  ck_assert(round_of(1010, true, "70000"));
  ck_assert(!round_of(1020, false, "20000"));
  ck_assert(!round_of(1030, true, "11000"));
  ck_assert(round_of(1040, true, "21000"));
}
END_TEST

/* It was away for longer than collectd remembers. */
START_TEST(after_a_long_outage_they_flow_at_once) {
  ck_assert(round_of(1010, true, "70000"));
  rig_begin(&rig, TIER_FAST, 1020);
  rig_break(&rig, NULL, STATUS_CONNECT);
  rig_over(&rig, STATUS_CONNECT);
  ck_assert(round_of(1040, true, "50000"));
  ck_assert_uint_eq(held(), 0);
}
END_TEST

static void as_backup(int64_t seconds, bool has_identity) {
  rig_begin(&rig, TIER_FAST, seconds);
  if (has_identity)
    rig_reply(&rig, rig_identity("2.40.0", false));
  rig_reply(&rig, rig_fast("false", NULL, NULL));
  rig_over(&rig, STATUS_OK);
}

/* The uptime of a backup goes on when it becomes active. */
START_TEST(a_backup_that_was_never_active_has_no_last_value) {
  as_backup(1000, true);
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, rig_fast("true", NULL, NULL));
  rig_reply(&rig, rig_again(QUEUE("7")));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, COUNTER), 1);
}
END_TEST

START_TEST(active_again_within_three_intervals) {
  ck_assert(round_of(1000, true, "60000"));
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, rig_fast("false", QUEUE("7"), "false"));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_FAST, 1020);
  rig_reply(&rig, rig_identity("2.40.0", false));
  rig_reply(&rig, rig_fast("true", NULL, NULL));
  rig_reply(&rig, rig_again(QUEUE("7")));
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, GAUGE));
  ck_assert_uint_eq(rig_count(&rig, COUNTER), 0);
  ck_assert(round_of(1030, true, "60000"));
}
END_TEST

/* The identity tells before the round does. */
START_TEST(active_again_by_its_identity) {
  ck_assert(round_of(1000, true, "60000"));
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, rig_fast("false", QUEUE("7"), "false"));
  rig_over(&rig, STATUS_OK);
  ck_assert(!round_of(1020, true, "60000"));
  ck_assert(round_of(1030, false, "60000"));
}
END_TEST

static bool address_round(int64_t seconds) {
  static const char active[] = "{\"status\":200,\"value\":{\"Active\":true}}";
  char text[4096];
  snprintf(text, sizeof(text), "[%s,%s,%s]", active,
           READ(ADDRESS_MBEAN("q") ":{\"AddressSize\":5,"
                                   "\"RoutedMessageCount\":9}"),
           active);
  rig_begin(&rig, TIER_ADDRESS, seconds);
  rig_reply(&rig, text);
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "address-q/gauge-AddressSize 5"));
  return rig_count(&rig, "RoutedMessageCount") == 1;
}

/* By their own interval, of 60 s. */
START_TEST(counters_of_addresses) {
  ck_assert(round_of(1000, true, "60000"));
  ck_assert(address_round(1001));
  ck_assert(!round_of(1010, false, "20000"));
  ck_assert(round_of(1040, true, "50000"));
  ck_assert(!address_round(1061));
  ck_assert(!address_round(1121));
  ck_assert(address_round(1181));
}
END_TEST

START_TEST(a_clock_that_is_set_back) {
  struct restart restart = {.last_ns = 0};
  restart_seen(&restart);
  ck_assert(!restart_holds(&restart, 1000, 10));
  restart_dispatched(&restart, 1000);
  ck_assert(!restart_holds(&restart, 1001, 10));
  restart_seen(&restart);
  ck_assert(restart_holds(&restart, 1000, 10));
  ck_assert(restart_holds(&restart, 1029, 10));
  ck_assert(!restart_holds(&restart, 1030, 10));
  ck_assert(!restart_holds(&restart, 999, 10));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("restart");
  TCase *tcase = tcase_create("counters");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, counters_wait_for_three_intervals_after_a_restart);
  tcase_add_test(tcase, exactly_three_intervals);
  tcase_add_test(tcase, a_second_restart);
  tcase_add_test(tcase, after_a_long_outage_they_flow_at_once);
  tcase_add_test(tcase, a_backup_that_was_never_active_has_no_last_value);
  tcase_add_test(tcase, active_again_within_three_intervals);
  tcase_add_test(tcase, active_again_by_its_identity);
  tcase_add_test(tcase, counters_of_addresses);
  suite_add_tcase(suite, tcase);
  tcase = tcase_create("rule");
  tcase_add_test(tcase, a_clock_that_is_set_back);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
