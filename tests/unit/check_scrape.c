/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "scrape_rig.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rig rig;
static void setup(void) { rig_init(&rig); }
static void teardown(void) { rig_fini(&rig); }

static const struct scrape_counts *counts(void) {
  return scrape_counts(rig.scrape);
}

/* A fast round of a broker that is known and well. */
static void begin_known(int64_t seconds) {
  bool is_first = rig.scrape == NULL;
  rig_begin(&rig, TIER_FAST, seconds);
  if (is_first || (seconds % 300 == 0 && seconds > 0))
    rig_reply(&rig, rig_identity("2.40.0", true));
}

START_TEST(plain_round) {
  rig_begin(&rig, TIER_FAST, 1000);
  rig_reply(&rig, rig_identity("2.40.0", true));
  ck_assert_int_eq(rig.kind, KIND_IDENTITY);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  ck_assert_int_eq(rig.kind, KIND_LISTING);
  rig_over(&rig, STATUS_OK);
  ck_assert_str_eq(buf_text(&rig.samples), "broker/bool-Active 1\n"
                                           "broker/uptime-UptimeMillis 60\n"
                                           "broker/current_connections-"
                                           "ConnectionCount 3\n"
                                           "broker/percent-DiskStoreUsage 25\n"
                                           "queue-q/gauge-MessageCount 3\n");
  ck_assert_uint_eq(counts()->received, 2);
  ck_assert_uint_eq(counts()->dispatched, 2);
  ck_assert_uint_eq(counts()->samples, 5);
  ck_assert(scrape_identity(rig.scrape)->is_known);
  ck_assert_str_eq(scrape_identity(rig.scrape)->version, "2.40.0");
  rig_begin(&rig, TIER_FAST, 1010); /* the identity is known: one request */
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_FAST, 1300); /* and 300 s old */
  rig_reply(&rig, rig_identity("2.40.0", true));
  ck_assert_int_eq(rig.kind, KIND_IDENTITY);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
}
END_TEST

START_TEST(the_body) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  ck_assert_ptr_nonnull(strstr(buf_text(&rig.body), "\"listQueues("));
  ck_assert_ptr_nonnull(
      strstr(buf_text(&rig.body), "\"attribute\":[\"DiskStoreUsage\"]"));
}
END_TEST

/* A listing that fails is asked for once more, in the same round. */
START_TEST(listing_again) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true", FAILED, "true"));
  ck_assert_uint_eq(rig_count(&rig, "queue-"), 0);
  rig_reply(&rig, rig_again(ONE));
  ck_assert_int_eq(rig.kind, KIND_LISTING);
  ck_assert_ptr_null(strstr(buf_text(&rig.body), "UptimeMillis"));
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "queue-q/gauge-MessageCount 3"));
  ck_assert_uint_eq(counts()->listing_failed, 1);
  ck_assert_uint_eq(counts()->fallback, 0);
  ck_assert_uint_eq(counts()->partial, 0);
}
END_TEST

#define READ_ONE READ(QUEUE_MBEAN("q") ":{\"MessageCount\":4}")

/* Failed twice: read by pattern in that tick. */
START_TEST(listing_fails_twice) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true", FAILED, "true"));
  rig_reply(&rig, rig_again(FAILED));
  rig_reply(&rig, rig_again(READ_ONE));
  ck_assert_ptr_null(strstr(buf_text(&rig.body), "listQueues"));
  ck_assert_ptr_nonnull(strstr(buf_text(&rig.body), "routing-type=*"));
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "queue-q/gauge-MessageCount 4"));
  ck_assert_uint_eq(counts()->listing_failed, 2);
  ck_assert_uint_eq(counts()->fallback, 1);
}
END_TEST

#define NO_OPERATION                                                           \
  "{\"status\":400,\"error_type\":\"java.lang.IllegalArgumentException\","     \
  "\"error\":\"No operation listQueues found on MBean\"}"

/* No such operation: another version than it was taken for, looked at once. */
START_TEST(listing_of_another_version) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true", NO_OPERATION, "true"));
  rig_reply(&rig, rig_again(NO_OPERATION));
  rig_reply(&rig, rig_again(READ_ONE));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_FAST, 11);
  rig_reply(&rig, rig_identity("2.40.0", true));
  ck_assert_int_eq(rig.kind, KIND_IDENTITY);
  rig_reply(&rig, rig_fast("true", NO_OPERATION, "true"));
  ck_assert_int_eq(rig.kind, KIND_LISTING);
  rig_reply(&rig, rig_again(NO_OPERATION));
  rig_reply(&rig, rig_again(READ_ONE));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_FAST, 21);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  ck_assert_int_eq(rig.kind, KIND_LISTING);
  rig_over(&rig, STATUS_OK);
}
END_TEST

/* After three such ticks only each tenth lists. */
START_TEST(listing_seldom) {
  unsigned listed = 0;
  for (int tick = 0; tick < 23; tick++) {
    bool is_listing;
    begin_known(1 + 10 * tick);
    is_listing = tick < 3 || tick == 12 || tick == 22;
    rig_reply(&rig, rig_fast("true", is_listing ? FAILED : READ_ONE, "true"));
    ck_assert_int_eq(strstr(buf_text(&rig.body), "listQueues") != NULL,
                     is_listing);
    if (is_listing) {
      listed++;
      rig_reply(&rig, rig_again(FAILED));
      rig_reply(&rig, rig_again(READ_ONE));
    }
    rig_over(&rig, STATUS_OK);
    ck_assert(rig_sample(&rig, "queue-q/gauge-MessageCount 4"));
  }
  ck_assert_uint_eq(listed, 5);
  ck_assert_uint_eq(counts()->fallback, 23);
}
END_TEST

/* Exec refused: read from then on, and tried again with the next identity. */
START_TEST(listing_denied) {
  begin_known(0);
  rig_reply(&rig, rig_fast("true", DENIED, "true"));
  rig_reply(&rig, rig_again(READ_ONE));
  rig_over(&rig, STATUS_OK);
  for (int64_t t = 10; t < 300; t += 10) {
    begin_known(t);
    rig_reply(&rig, rig_fast("true", READ_ONE, "true"));
    ck_assert_ptr_null(strstr(buf_text(&rig.body), "listQueues"));
    rig_over(&rig, STATUS_OK);
  }
  ck_assert_uint_eq(counts()->fallback, 30);
  begin_known(300);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(counts()->fallback, 30);
}
END_TEST

START_TEST(source_list) {
  rig.settings.source = SCRAPE_LIST;
  begin_known(1);
  rig_reply(&rig, rig_fast("true", FAILED, "true"));
  rig_reply(&rig, rig_again(FAILED));
  rig_over(&rig,
           STATUS_OK); /* no other source; the broker's values are there */
  ck_assert_uint_eq(rig.n_samples, 4);
  ck_assert_uint_eq(counts()->fallback, 0);
}
END_TEST

START_TEST(source_read) {
  rig.settings.source = SCRAPE_READ;
  begin_known(1);
  rig_reply(&rig, rig_fast("true", READ_ONE, "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "queue-q/gauge-MessageCount 4"));
  ck_assert_uint_eq(counts()->fallback, 0); /* it is what was asked for */
}
END_TEST

/* No MBean is an empty set. */
START_TEST(read_of_nothing) {
  rig.settings.source = SCRAPE_READ;
  begin_known(1);
  rig_reply(&rig, rig_fast("true", NO_MBEAN, "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-"), 0);
  ck_assert_uint_eq(counts()->partial, 0);
}
END_TEST

/* During a failover the queues are listed with wrong counts. */
START_TEST(not_active_any_more) {
  begin_known(1);
  rig_reply(&rig, rig_fast("false", ONE, "false"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-"), 0);
  ck_assert_uint_eq(counts()->excluded, 1);
  ck_assert_uint_eq(counts()->partial, 0);
  ck_assert(!scrape_identity(rig.scrape)->is_active);
  rig_begin(&rig, TIER_FAST, 11); /* who is it now? */
  rig_reply(&rig, rig_identity("2.40.0", false));
  ck_assert_int_eq(rig.kind, KIND_IDENTITY);
  rig_reply(&rig, rig_fast("false", NULL, NULL));
  ck_assert_int_eq(rig.kind, KIND_BROKER);
  rig_over(&rig, STATUS_OK); /* a backup is well */
  rig_begin(&rig, TIER_FAST, 21);
  rig_reply(&rig, rig_fast("true", NULL, NULL)); /* it takes over: */
  rig_reply(&rig, rig_again(ONE));               /* its queues at once */
  ck_assert_int_eq(rig.kind, KIND_LISTING);
  rig_over(&rig, STATUS_OK);
  ck_assert(scrape_is_whole(rig.scrape));
  ck_assert_uint_eq(rig_count(&rig, "queue-"), 1);
  rig_begin(&rig, TIER_FAST, 31);
  rig_reply(&rig, rig_identity("2.40.0", true));
  ck_assert_int_eq(rig.kind, KIND_IDENTITY);
}
END_TEST

/* A listing that fails then says nothing of the listing. */
START_TEST(not_active_and_failing) {
  begin_known(1);
  rig_reply(&rig, rig_fast("false", FAILED, "false"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(counts()->listing_failed, 1);
}
END_TEST

START_TEST(not_active_behind) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true", ONE, "false"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(counts()->partial, 1);
  rig_begin(&rig, TIER_FAST, 11);
  rig_reply(&rig, rig_identity("2.40.0", true));
  ck_assert_int_eq(rig.kind, KIND_IDENTITY);
}
END_TEST

/* The item that tells is missing: the values are not trusted. */
START_TEST(active_unreadable) {
  static const char reply[] =
      "[" DENIED "," FAILED "," FAILED "," ONE "," DENIED "]";
  begin_known(1);
  rig_reply(&rig, reply);
  rig_over(&rig, STATUS_ITEM_DENIED);
  ck_assert_uint_eq(rig.n_samples, 0);
  ck_assert_uint_eq(counts()->excluded, 1);
}
END_TEST

#define NOT_STARTED                                                            \
  "\"ERROR: java.lang.IllegalStateException: Broker is not started. It can "   \
  "not be managed yet\""

/* Faults in the place of values: what can be read is, and no error counted. */
START_TEST(not_started) {
  static const char reply[] =
      "[{\"status\":200,\"value\":{\"Active\":" NOT_STARTED "}},"
      "{\"status\":200,\"value\":{\"Active\":" NOT_STARTED
      ",\"Started\":false}},"
      "{\"status\":200,\"value\":{\"DiskStoreUsage\":" NOT_STARTED "}},"
      "{\"status\":500,\"error_type\":\"java.lang.IllegalStateException\","
      "\"error\":\"java.lang.IllegalStateException : Broker is not started. It "
      "can not be managed yet\"},"
      "{\"status\":200,\"value\":{\"Active\":" NOT_STARTED "}}]";
  begin_known(1);
  rig_reply(&rig, reply);
  rig_over(&rig, STATUS_NOT_STARTED);
  ck_assert_str_eq(buf_text(&rig.samples), "broker/bool-Started 0\n");
  ck_assert_uint_eq(counts()->value_errors, 0);
  rig_begin(&rig, TIER_ADDRESS, 2); /* nothing but the identity, until it is */
  rig_over(&rig, STATUS_CANCELLED);
  rig_begin(&rig, TIER_FAST, 11);
  rig_reply(&rig, rig_identity("2.40.0", true));
  ck_assert_int_eq(rig.kind, KIND_IDENTITY);
}
END_TEST

/* It stops between two items. */
START_TEST(stops_meanwhile) {
  static const char reply[] =
      "[{\"status\":200,\"value\":{\"Active\":true}},"
      "{\"status\":200,\"value\":{\"ConnectionCount\":" NOT_STARTED "}}," FAILED
      "," FAILED "," FAILED "]";
  begin_known(1);
  rig_reply(&rig, reply);
  rig_over(&rig, STATUS_NOT_STARTED);
}
END_TEST

/* A node that failed gets its identity's request and nothing else. */
START_TEST(after_a_failure) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_FAST, 11);
  rig_break(&rig, NULL, STATUS_TIMEOUT);
  rig_over(&rig, STATUS_TIMEOUT);
  ck_assert_uint_eq(counts()->partial, 0);
  rig_begin(&rig, TIER_FAST, 21);
  rig_break(&rig, NULL, STATUS_CONNECT);
  ck_assert_int_eq(rig.kind, KIND_IDENTITY);
  rig_over(&rig, STATUS_CONNECT);
  rig_begin(&rig, TIER_SLOW, 22);
  rig_over(&rig, STATUS_CANCELLED);
  rig_begin(&rig, TIER_FAST, 31);
  rig_reply(&rig, rig_identity("2.40.0", true));
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_SLOW, 32);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"GlobalMaxSize\":-1}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "broker/gauge-GlobalMaxSize -1"));
}
END_TEST

/* What our own side kept back says nothing of the node. */
START_TEST(our_own_failure) {
  begin_known(1);
  rig_break(&rig, NULL, STATUS_PERMIT_TIMEOUT);
  rig_over(&rig, STATUS_PERMIT_TIMEOUT);
  rig_begin(&rig, TIER_FAST, 11);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  ck_assert_int_eq(rig.kind, KIND_LISTING);
  rig_over(&rig, STATUS_OK);
}
END_TEST

/* Rows leave as they arrive; a reply that breaks off behind them is partial. */
START_TEST(cut_behind_rows) {
  char text[4096];
  begin_known(1);
  snprintf(text, sizeof text, "%s", rig_fast("true", ONE, "true"));
  *strstr(text, "],\\\"count") = '\0';
  rig_break(&rig, text, STATUS_RESET);
  rig_over(&rig, STATUS_RESET);
  ck_assert_uint_eq(rig_count(&rig, "queue-q"), 1);
  ck_assert_uint_eq(counts()->partial, 1);
}
END_TEST

/* A listing that is broken behind its rows is not asked for again: a second
 * answer would have the same time stamp. */
START_TEST(listing_breaks_behind_rows) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true",
                           "{\"status\":200,\"value\":\"{\\\"data\\\":[" ROW(
                               "q", "3") ",]}\"}",
                           "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-q"), 1);
  ck_assert_uint_eq(counts()->partial, 1);
  ck_assert_uint_eq(counts()->listing_failed, 1);
}
END_TEST

START_TEST(count_differs) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true", LISTED(ROW("q", "3"), "2"), "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-q"), 1); /* delivered all the same */
  ck_assert_uint_eq(counts()->count_differs, 1);
}
END_TEST

/* Half an interval apart at least, whatever the clock does. */
START_TEST(clock_step) {
  static const struct {
    int64_t seconds;
    bool is_held_back;
    bool has_identity; /* it looks too old, or from the future */
  } cases[] = {
      {1000, false, true},  {1001, true, false},  {1004, true, false},
      {1005, false, false}, {1005, true, false},  {500, true, true},
      {1009, true, true},   {1010, false, false}, {9000, false, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint64_t before;
    rig_begin(&rig, TIER_FAST, cases[i].seconds);
    before = counts()->clock_step;
    if (cases[i].has_identity)
      rig_reply(&rig, rig_identity("2.40.0", true));
    rig_reply(&rig, rig_fast("true", ONE, "true"));
    rig_over(&rig, STATUS_OK);
    ck_assert_int_eq(rig.n_samples == 0, cases[i].is_held_back);
    ck_assert_uint_eq(counts()->clock_step - before,
                      cases[i].is_held_back ? 2 : 0);
  }
}
END_TEST

/* The value of MessagesAdded in the round, or -1. */
static int64_t added(void) {
  static const char id[] = "queue-q/derive-MessagesAdded ";
  const char *at = strstr(buf_text(&rig.samples), id);
  return at == NULL ? -1 : strtoll(at + sizeof id - 1, NULL, 10);
}

/* One message a second; the wall clock leaps an hour on, and back; and the
 * broker restarts meanwhile, with a million messages in its journal. What
 * collectd makes of two values, one after the other, is never more than what
 * was there. */
START_TEST(an_hour_on_and_back) {
  int64_t last_s = 0, last = -1, identity_s = 0;
  for (int64_t s = 0; s < 4000; s += 10) {
    int64_t wall_s = 10000 + s + (s >= 100 && s < 200 ? 3600 : 0);
    int64_t value = s < 150 ? 500 + s : 1000000 + s;
    int64_t uptime_ms = (s < 150 ? 90000 + s : s - 149) * 1000;
    char reply[1024];
    snprintf(reply, sizeof reply,
             "[{\"status\":200,\"value\":{\"Active\":true}},"
             "{\"status\":200,\"value\":{\"UptimeMillis\":%lld}},"
             "{\"status\":200,\"value\":{\"DiskStoreUsage\":0.5}},"
             "{\"status\":200,\"value\":\"{\\\"data\\\":[{\\\"name\\\":"
             "\\\"q\\\",\\\"messagesAdded\\\":%lld}],\\\"count\\\":1}\"},"
             "{\"status\":200,\"value\":{\"Active\":true}}]",
             (long long)uptime_ms, (long long)value);
    rig_begin(&rig, TIER_FAST, wall_s);
    if (s == 0 || s == 160 || wall_s < identity_s ||
        wall_s - identity_s >= 300) {
      rig_reply(&rig, rig_identity("2.40.0", true));
      identity_s = wall_s;
    }
    rig_reply(&rig, reply);
    rig_over(&rig, STATUS_OK);
    if (added() < 0)
      continue;
    ck_assert_int_gt(wall_s, last_s);
    if (last >= 0 && wall_s - last_s < 30) /* older ones are forgotten */
      ck_assert_int_le(added() - last, 2 * (wall_s - last_s));
    last = added();
    last_s = wall_s;
  }
  ck_assert_int_gt(last, 1000000); /* they have come again */
}
END_TEST

START_TEST(backup_has_no_addresses) {
  rig_begin(&rig, TIER_FAST, 1);
  rig_reply(&rig, rig_identity("2.40.0", false));
  rig_reply(&rig, rig_fast("false", NULL, NULL));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_ADDRESS, 2);
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig.n_samples, 0);
}
END_TEST

/* Nothing is asked of a broker that is not known. */
START_TEST(unknown_broker) {
  rig_begin(&rig, TIER_SLOW, 1);
  rig_over(&rig, STATUS_CANCELLED);
  rig_begin(&rig, TIER_ADDRESS, 1);
  rig_over(&rig, STATUS_CANCELLED);
  rig_begin(&rig, TIER_FAST, 1);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"agent\":\"2.1.1\"}},"
                  "{\"status\":200,\"value\":[]}," NO_MBEAN "]");
  rig_over(&rig, STATUS_NOT_FOUND);
}
END_TEST

/* It was known, and is there no more. */
START_TEST(broker_is_gone) {
  begin_known(0);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert(scrape_identity(rig.scrape)->is_known);
  rig_begin(&rig, TIER_FAST, 300);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"agent\":\"2.1.1\"}},"
                  "{\"status\":200,\"value\":[]}," NO_MBEAN "]");
  rig_over(&rig, STATUS_NOT_FOUND);
  ck_assert(!scrape_identity(rig.scrape)->is_known);
}
END_TEST

/* An uptime that went back is another broker process. */
START_TEST(restart_is_noticed) {
  char text[4096];
  begin_known(1);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  begin_known(11);
  snprintf(text, sizeof text, "%s", rig_fast("true", ONE, "true"));
  memcpy(strstr(text, "60000"), "50000", 5);
  rig_reply(&rig, text);
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_FAST, 21);
  rig_reply(&rig, rig_identity("2.40.0", true));
  ck_assert_int_eq(rig.kind, KIND_IDENTITY);
}
END_TEST

/* A round of addresses may be the first that sees it: its own counters wait,
 * too, and the next fast round knows. */
static const char *address_reply(int64_t uptime_ms, int64_t routed) {
  static char text[1024];
  snprintf(text, sizeof text,
           "[{\"status\":200,\"value\":{\"Active\":true,\"UptimeMillis\":"
           "%lld}}," READ(ADDRESS_MBEAN(
               "q") ":{\"AddressSize\":1,"
                    "\"RoutedMessageCount\":%lld}") ","
                                                    "{\"status\":200,\"value\":"
                                                    "{\"Active\":true}}]",
           (long long)uptime_ms, (long long)routed);
  return text;
}

static void expect_address(int64_t seconds, int64_t uptime_ms, int64_t routed,
                           bool has_counter) {
  rig_begin(&rig, TIER_ADDRESS, seconds);
  rig_reply(&rig, address_reply(uptime_ms, routed));
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_count(&rig, "address-q/gauge-AddressSize") == 1);
  ck_assert_uint_eq(rig_count(&rig, "address-q/derive-RoutedMessageCount"),
                    has_counter);
}

static bool asks_identity(int64_t seconds) {
  rig_begin(&rig, TIER_FAST, seconds);
  struct scrape_request request;
  ck_assert(scrape_next(rig.scrape, TIER_FAST, &request));
  return request.kind == KIND_IDENTITY;
}

START_TEST(addresses_notice_a_restart) {
  begin_known(1); /* up for 60 s */
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  expect_address(2, 61000, 100, true);
  expect_address(62, 121000, 200, true);
  expect_address(122, 900, 1000000, false);
  ck_assert(asks_identity(123));
  expect_address(182, 60900, 1000100, false);
  expect_address(242, 120900, 1000200, true);
}
END_TEST

/* It was made before a fast round, and is answered after it. */
START_TEST(a_late_reply_is_no_restart) {
  struct scrape_request request;
  begin_known(1);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_ADDRESS, 10);
  ck_assert(scrape_next(rig.scrape, TIER_ADDRESS, &request));
  char text[4096];
  snprintf(text, sizeof text, "%s", rig_fast("true", ONE, "true"));
  memcpy(strstr(text, "60000"), "70000", 5);
  rig_begin(&rig, TIER_FAST, 11);
  rig_reply(&rig, text);
  rig_over(&rig, STATUS_OK);
  struct value values[] = {{.type = VALUE_BOOL, .integer = 1},
                           {.type = VALUE_INT, .integer = 69000}};
  const struct row row = {"", 0, values, 2};
  scrape_row(rig.scrape, TIER_ADDRESS, 0, &row);
  ck_assert(!asks_identity(21));
}
END_TEST

/* The client found the listing to be what spoils the bulk. */
START_TEST(set_aside) {
  static const struct item_result large = {
      .status = STATUS_REPLY_TOO_LARGE, .error_type = "", .error = "too large"};
  static const struct error fine = {.kind = STATUS_OK, .text = ""};
  struct scrape_request request;
  begin_known(1);
  ck_assert(scrape_next(rig.scrape, TIER_FAST, &request));
  ck_assert_uint_eq(request.n, 5);
  struct value yes = {.type = VALUE_BOOL, .integer = 1};
  struct row row = {"", 0, &yes, 1};
  scrape_row(rig.scrape, TIER_FAST, 0, &row);
  scrape_item(rig.scrape, TIER_FAST, 3, &large);
  scrape_row(rig.scrape, TIER_FAST, 4, &row);
  scrape_done(rig.scrape, TIER_FAST, &fine);
  rig_reply(&rig, rig_again(READ_ONE));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(counts()->set_aside, 1);
  for (int tick = 1; tick <= 10; tick++) {
    begin_known(1 + 10 * tick);
    rig_reply(&rig, rig_fast("true", READ_ONE, "true"));
    rig_over(&rig, STATUS_OK);
  }
  begin_known(111);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(counts()->set_aside, 0);
}
END_TEST

/* Tiers overlap: each has its request of its own. */
START_TEST(tiers_overlap) {
  struct scrape_request fast;
  struct scrape_request slow;
  begin_known(1);
  ck_assert(scrape_next(rig.scrape, TIER_FAST, &fast));
  scrape_begin(rig.scrape, TIER_SLOW, 1);
  ck_assert(scrape_next(rig.scrape, TIER_SLOW, &slow));
  ck_assert_uint_eq(fast.n, 5);
  ck_assert_uint_eq(slow.n, 1);
  ck_assert_ptr_ne(fast.operations, slow.operations);
  ck_assert_str_eq(fast.operations[0].mbean, slow.operations[0].mbean);
}
END_TEST

START_TEST(kinds) {
  ck_assert_str_eq(request_kind_name(KIND_IDENTITY), "identity");
  ck_assert_str_eq(request_kind_name(KIND_LISTING), "listing");
  ck_assert_str_eq(request_kind_name(KIND_CHANGE), "change");
  ck_assert_str_eq(request_kind_name(KIND_COUNT), "unknown");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {plain_round,
                                the_body,
                                listing_again,
                                listing_fails_twice,
                                listing_of_another_version,
                                listing_seldom,
                                listing_denied,
                                source_list,
                                source_read,
                                read_of_nothing,
                                not_active_any_more,
                                not_active_and_failing,
                                stops_meanwhile,
                                broker_is_gone,
                                not_active_behind,
                                active_unreadable,
                                not_started,
                                after_a_failure,
                                our_own_failure,
                                cut_behind_rows,
                                listing_breaks_behind_rows,
                                count_differs,
                                clock_step,
                                an_hour_on_and_back,
                                backup_has_no_addresses,
                                unknown_broker,
                                restart_is_noticed,
                                addresses_notice_a_restart,
                                a_late_reply_is_no_restart,
                                set_aside,
                                tiers_overlap,
                                kinds};
  Suite *suite = suite_create("scrape");
  TCase *tcase = tcase_create("rounds");
  tcase_add_checked_fixture(tcase, setup, teardown);
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
    tcase_add_test(tcase, tests[i]);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
