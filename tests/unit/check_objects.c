/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "scrape_rig.h"

#include "../support/prng.h"

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

static const struct {
  const char *value;
  const char *gauge; /* NULL: none */
  const char *derive;
  unsigned errors;
} numbers[] = {
    {"\\\"-3\\\"", "-3", NULL, 1},
    {"\\\"0\\\"", "0", "0", 0},
    {"7", "7", "7", 0},
    {"\\\"9007199254740993\\\"", "9007199254740992", "9007199254740993", 0},
    {"\\\"9223372036854775807\\\"", "9.223372036854776e+18",
     "9223372036854775807", 0},
    {"\\\"9223372036854775808\\\"", "9.223372036854776e+18", NULL, 1},
    {"\\\"1.5\\\"", "1.5", NULL, 1},
    {"null", NULL, NULL, 0},
    {"\\\"\\\"", NULL, NULL, 2},
    {"\\\"many\\\"", NULL, NULL, 2},
    {"\\\" 3\\\"", NULL, NULL, 2},
    {"\\\"0x1f\\\"", NULL, NULL, 2},
    {"true", NULL, NULL, 2},
    {"{}", NULL, NULL, 2},
};

START_TEST(number) {
  char objects[1024];
  char want[128];
  snprintf(objects, sizeof objects,
           "{\"status\":200,\"value\":\"{\\\"data\\\":[{\\\"name\\\":\\\"q\\\","
           "\\\"messageCount\\\":%s,\\\"messagesAdded\\\":%s,"
           "\\\"paused\\\":\\\"true\\\"}],\\\"count\\\":1}\"}",
           numbers[_i].value, numbers[_i].value);
  begin_known(1);
  rig_reply(&rig, rig_fast("true", objects, "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "queue-q/bool-Paused 1")); /* its neighbour */
  ck_assert_uint_eq(rig_count(&rig, "queue-q/gauge"),
                    numbers[_i].gauge != NULL);
  ck_assert_uint_eq(rig_count(&rig, "queue-q/derive"),
                    numbers[_i].derive != NULL);
  if (numbers[_i].gauge != NULL) {
    snprintf(want, sizeof want, "queue-q/gauge-MessageCount %s",
             numbers[_i].gauge);
    ck_assert_msg(rig_sample(&rig, want), "%s", buf_text(&rig.samples));
  }
  if (numbers[_i].derive != NULL) {
    snprintf(want, sizeof want, "queue-q/derive-MessagesAdded %s",
             numbers[_i].derive);
    ck_assert_msg(rig_sample(&rig, want), "%s", buf_text(&rig.samples));
  }
  ck_assert_uint_eq(counts()->value_errors, numbers[_i].errors);
}
END_TEST

/* Rows that are no queues, or hold no value. */
START_TEST(invalid_rows) {
  begin_known(1);
  rig_reply(
      &rig,
      rig_fast(
          "true",
          LISTED(ROW("", "1") "," ROW(
                     "q",
                     "2") ","
                          "{\\\"messageCount\\\":\\\"3\\\"},"
                          "{\\\"name\\\":null,\\\"messageCount\\\":\\\"3\\\"},"
                          "{\\\"name\\\":7,\\\"messageCount\\\":\\\"3\\\"},"
                          "{\\\"name\\\":\\\"r\\\",\\\"messageCount\\\":null}",
                 "6"),
          "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-"), 1);
  ck_assert_uint_eq(counts()->received, 7);
  ck_assert_uint_eq(counts()->dispatched, 2);
  ck_assert_uint_eq(counts()->invalid, 5);
  ck_assert_uint_eq(counts()->count_differs, 0);
}
END_TEST

#define AT(name, address)                                                      \
  "{\\\"name\\\":\\\"" name "\\\",\\\"address\\\":\\\"" address "\\\","        \
  "\\\"messageCount\\\":\\\"1\\\"}"
#define MBEAN_AT(name, address)                                                \
  "\"" RIG_BROKER ",component=addresses,address=\\\"" address                  \
  "\\\",routing-type=\\\"anycast\\\",subcomponent=queues,queue=\\\"" name      \
  "\\\"\":{\"MessageCount\":1,\"Temporary\":false}"

static void by_address(void) {
  static const char *const include[] = {"orders.*", "4711"};
  static const char *const exclude[] = {"/[.]old$/"};
  static const char *const keep[] = {"DLQ"};
  rig.settings.queue_addresses.include = include;
  rig.settings.queue_addresses.n_include = 2;
  rig.settings.queue_addresses.exclude = exclude;
  rig.settings.queue_addresses.n_exclude = 1;
  rig.settings.queues.keep = keep;
  rig.settings.queues.n_keep = 1;
}

static void is_by_address(void) {
  ck_assert_uint_eq(rig_count(&rig, "queue-"), 3);
  ck_assert_uint_eq(rig_count(&rig, "queue-a/"), 1);
  ck_assert_uint_eq(rig_count(&rig, "queue-d/"), 1);
  ck_assert_uint_eq(rig_count(&rig, "queue-DLQ/"), 1);
  ck_assert_uint_eq(counts()->excluded, 2);
}

START_TEST(filters_on_addresses) {
  by_address();
  begin_known(1);
  rig_reply(
      &rig,
      rig_fast("true",
               LISTED(AT("a", "orders.1") "," AT("b", "orders.old") "," AT(
                          "c", "x") "," AT("d", "4711") "," AT("DLQ", "x"),
                      "5"),
               "true"));
  rig_over(&rig, STATUS_OK);
  is_by_address();
}
END_TEST

START_TEST(filters_on_addresses_of_mbeans) {
  by_address();
  rig.settings.source = SCRAPE_READ;
  begin_known(1);
  rig_reply(
      &rig,
      rig_fast(
          "true",
          READ(
              MBEAN_AT("a", "orders.1") "," MBEAN_AT("b", "orders.old") "," MBEAN_AT(
                  "c", "x") "," MBEAN_AT("d", "4711") "," MBEAN_AT("DLQ", "x")),
          "true"));
  rig_over(&rig, STATUS_OK);
  is_by_address();
}
END_TEST

/* A listing whose addresses nobody asked about is read as ever. */
START_TEST(addresses_are_no_filter_by_default) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true", LISTED(AT("a", "x"), "1"), "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-a/"), 1);
}
END_TEST

START_TEST(filters) {
  static const char *const exclude[] = {"batch.*", "/^x.{2}$/"};
  static const char *const keep[] = {"DLQ", "batch.keep"};
  rig.settings.queues.exclude = exclude;
  rig.settings.queues.n_exclude = 2;
  rig.settings.queues.keep = keep;
  rig.settings.queues.n_keep = 2;
  begin_known(1);
  rig_reply(
      &rig,
      rig_fast(
          "true",
          LISTED(ROW("DLQ", "1") "," ROW("batch.1", "1") "," ROW(
                     "batch.keep",
                     "1") "," ROW("x/y",
                                  "1") "," ROW("x/yz",
                                               "1") ","
                                                    "{\\\"name\\\":\\\"t\\\","
                                                    "\\\"temporary\\\":"
                                                    "\\\"true\\\","
                                                    "\\\"messageCount\\\":"
                                                    "\\\"3\\\"},"
                                                    "{\\\"name\\\":\\\"i\\\","
                                                    "\\\"internalQueue\\\":"
                                                    "\\\"true\\\","
                                                    "\\\"messageCount\\\":"
                                                    "\\\"3\\\"},"
                                                    "{\\\"name\\\":\\\"a\\\","
                                                    "\\\"autoCreated\\\":"
                                                    "\\\"true\\\","
                                                    "\\\"messageCount\\\":"
                                                    "\\\"3\\\"}",
                 "8"),
          "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-"), 4);
  ck_assert_uint_eq(rig_count(&rig, "queue-DLQ/"), 1);
  ck_assert_uint_eq(rig_count(&rig, "queue-batch.keep/"), 1);
  ck_assert_uint_eq(rig_count(&rig, "queue-x_yz~"), 1);
  ck_assert_uint_eq(rig_count(&rig, "queue-a/"), 1);
  ck_assert_uint_eq(counts()->excluded, 4);
}
END_TEST

#define R(name) ROW(name, "1")

/* What was chosen stays, in whatever order they come. */
START_TEST(sticky_cap) {
  static const char *const keep[] = {"DLQ"};
  rig.settings.queues.keep = keep;
  rig.settings.queues.n_keep = 1;
  rig.settings.max_queues = 2;
  begin_known(1);
  rig_reply(&rig, rig_fast("true", LISTED(R("a") "," R("b") "," R("DLQ"), "3"),
                           "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-"), 3);
  ck_assert_uint_eq(counts()->over_cap, 0);
  begin_known(11);
  rig_reply(&rig,
            rig_fast("true",
                     LISTED(R("c") "," R("b") "," R("DLQ") "," R("a"), "4"),
                     "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-c/"), 0);
  ck_assert_uint_eq(rig_count(&rig, "queue-a/"), 1);
  ck_assert_uint_eq(rig_count(&rig, "queue-b/"), 1);
  ck_assert_uint_eq(rig_count(&rig, "queue-DLQ/"), 1);
  ck_assert_uint_eq(counts()->over_cap, 1);
  for (int tick = 2; tick < 5; tick++) { /* a is gone for good */
    begin_known(1 + 10 * tick);
    rig_reply(&rig, rig_fast("true", LISTED(R("c") "," R("b"), "2"), "true"));
    rig_over(&rig, STATUS_OK);
    ck_assert_uint_eq(rig_count(&rig, "queue-c/"), 0);
  }
  begin_known(51);
  rig_reply(&rig, rig_fast("true", LISTED(R("c") "," R("b"), "2"), "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-c/"), 1);
}
END_TEST

/* A round that cannot be trusted drops no one's place. */
START_TEST(cap_and_failover) {
  rig.settings.max_queues = 1;
  begin_known(1);
  rig_reply(&rig, rig_fast("true", LISTED(R("a"), "1"), "true"));
  rig_over(&rig, STATUS_OK);
  for (int tick = 1; tick < 9; tick++) {
    rig_begin(&rig, TIER_FAST, 1 + 10 * tick);
    if (tick > 1)
      rig_reply(&rig, rig_identity("2.40.0", true));
    rig_reply(&rig,
              rig_fast("true", LISTED(R("$sys.x") "," R("b"), "2"), "false"));
    rig_over(&rig, STATUS_OK);
    ck_assert_uint_eq(rig_count(&rig, "queue-"), 0);
  }
  ck_assert_uint_eq(counts()->over_cap, 8);
}
END_TEST

START_TEST(addresses) {
  begin_known(1);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_ADDRESS, 2);
  rig_reply(
      &rig,
      rig_again(READ(ADDRESS_MBEAN(
          "q\\\\\\\"x") ":{\"AddressSize\":-1,\"Paging\":true}"
                        "," ADDRESS_MBEAN("$sys.mqtt") ":{\"AddressSize\":1},"
                                                       "\"no "
                                                       "name\":{"
                                                       "\"AddressSize\":1}")));
  ck_assert_int_eq(rig.kind, KIND_ADDRESSES);
  rig_over(&rig, STATUS_OK);
  ck_assert_str_eq(buf_text(&rig.samples), "address-q\"x/bool-Paging 1\n");
  ck_assert_uint_eq(counts()->value_errors, 1);
  ck_assert_uint_eq(counts()->received, 5);
  ck_assert_uint_eq(counts()->excluded, 1);
  ck_assert_uint_eq(counts()->invalid, 1);
  ck_assert_ptr_null(strstr(buf_text(&rig.body), "\"MessageCount\""));
}
END_TEST

/* Addresses have patterns and a cap of their own. */
START_TEST(chosen_addresses) {
  static const char *const include[] = {"in.*", "DLQ"};
  static const char *const exclude[] = {"/[.]x$/"};
  static const char *const keep[] = {"DLQ"};
  rig.settings.addresses = (struct filter_texts){.include = include,
                                                 .n_include = 2,
                                                 .exclude = exclude,
                                                 .n_exclude = 1,
                                                 .keep = keep,
                                                 .n_keep = 1};
  rig.settings.max_addresses = 1;
  begin_known(1);
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_ADDRESS, 2);
  rig_reply(
      &rig,
      rig_again(READ(
          ADDRESS_MBEAN("in.1") ":{\"AddressSize\":1}," ADDRESS_MBEAN("in.2") ":{\"AddressSize\":1}," ADDRESS_MBEAN(
              "in.x") ":{\"AddressSize\":1}," ADDRESS_MBEAN("out") ":{"
                                                                   "\"AddressSi"
                                                                   "ze\":1}"
                                                                   "," ADDRESS_MBEAN(
                                                                       "DLQ") ":{\"AddressSize\":1}")));
  rig_over(&rig, STATUS_OK);
  ck_assert_str_eq(buf_text(&rig.samples), "address-in.1/gauge-AddressSize 1\n"
                                           "address-DLQ/gauge-AddressSize 1\n");
  ck_assert_uint_eq(counts()->over_cap, 1);
  ck_assert_uint_eq(counts()->excluded, 2);
}
END_TEST

/* What Keep names, added up: dead letters and expired messages. */
START_TEST(kept_sums) {
  static const char *const keep[] = {"*DLQ*", "/^Exp/", "VITAL"};
  rig.settings.queues.keep = keep;
  rig.settings.queues.n_keep = 3;
  rig.settings.max_queues = 1;
  begin_known(1);
  rig_reply(&rig,
            rig_fast("true",
                     LISTED(R("DLQ") "," ROW("a.DLQ", "7") "," ROW(
                                "ExpiryQueue", "5") "," R("VITAL") "," R("q"),
                            "5"),
                     "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "broker/gauge-DeadLetterMessages 8"));
  ck_assert(rig_sample(&rig, "broker/gauge-ExpiredMessages 5"));
  begin_known(11); /* not of a round that has no sums of its own */
  rig_reply(&rig, rig_fast("true", LISTED(R("DLQ"), "1"), "false"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "DeadLetterMessages"), 0);
  rig_begin(&rig, TIER_FAST, 21);
  rig_reply(&rig, rig_identity("2.40.0", true));
  rig_reply(&rig, rig_fast("true", LISTED(R("DLQ"), "1"), "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "broker/gauge-DeadLetterMessages 1"));
  ck_assert_uint_eq(rig_count(&rig, "ExpiredMessages"), 0);
}
END_TEST

START_TEST(the_first_over_the_cap_are_named) {
  const struct left_out *over;
  rig.settings.max_queues = 1;
  for (int tick = 0; tick < 2; tick++) {
    begin_known(1 + 10 * tick);
    rig_reply(
        &rig,
        rig_fast(
            "true",
            LISTED(R("a") "," R("b/c") "," R("d") "," R("e") "," R("f"), "5"),
            "true"));
    rig_over(&rig, STATUS_OK);
  }
  over = scrape_over_queues(rig.scrape);
  ck_assert_uint_eq(over->n, 4);
  ck_assert_str_eq(over->names[0], "queue-b_c~ff73451912906847");
  ck_assert_str_eq(over->names[2], "queue-e");
  ck_assert_uint_eq(scrape_over_addresses(rig.scrape)->n, 0);
  ck_assert_uint_eq(counts()->over_cap, 8);
}
END_TEST

START_TEST(strict_names) {
  rig.settings.names = NAMES_STRICT;
  begin_known(1);
  rig_reply(&rig, rig_fast("true", LISTED(ROW("a.b", "1"), "1"), "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "queue-a_b~"), 1);
}
END_TEST

/* Whatever rows and ends come, in whatever order: every object is counted in
 * one place. */
START_TEST(anything_keeps_the_law) {
  static const struct error fine = {.kind = STATUS_OK, .text = ""};
  static const char *const texts[] = {"q", "", "DLQ", "$sys.x", "a/b", "3"};
  static const char *const exclude[] = {"/^a/"};
  static const char *const keep[] = {"D*"};
  struct prng prng = prng_seeded((uint64_t)_i + 1);
  struct scrape_request request;
  rig.settings.max_queues = 2;
  rig.settings.queues = (struct filter_texts){
      .exclude = exclude, .n_exclude = 1, .keep = keep, .n_keep = 1};
  begin_known(1);
  while (scrape_next(rig.scrape, TIER_FAST, &request)) {
    for (int k = 0; k < 200; k++) {
      size_t item = prng_below(&prng, request.n + 1);
      size_t spec = item < request.n ? item : 0;
      struct value values[REPLY_MAX_COLUMNS];
      struct row row = {"D:queue=q", 9, values, request.specs[spec].n_columns};
      struct item_result result = {.error_type = "", .error = "e"};
      for (size_t i = 0; i < row.n_columns; i++) {
        const char *text = texts[prng_below(&prng, 6)];
        values[i] = (struct value){
            .type = (enum value_type)prng_below(&prng, VALUE_OTHER + 1),
            .integer = (int64_t)prng_below(&prng, 2),
            .text = text,
            .text_len = strlen(text)};
      }
      if (prng_one_in(&prng, 9))
        row.n_columns--;
      scrape_row(rig.scrape, TIER_FAST, item, &row);
      result.status = prng_one_in(&prng, 2) ? STATUS_ITEM_ERROR : STATUS_OK;
      result.rows_invalid = prng_below(&prng, 2);
      if (prng_one_in(&prng, 20))
        scrape_item(rig.scrape, TIER_FAST, item, &result);
    }
    scrape_done(rig.scrape, TIER_FAST, &fine);
  }
  rig_over(&rig, scrape_outcome(rig.scrape, TIER_FAST)->kind);
  ck_assert_uint_gt(counts()->received, 9);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("objects");
  TCase *tcase = tcase_create("rows");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_loop_test(tcase, number, 0, N(numbers));
  tcase_add_test(tcase, invalid_rows);
  tcase_add_test(tcase, filters);
  tcase_add_test(tcase, filters_on_addresses);
  tcase_add_test(tcase, filters_on_addresses_of_mbeans);
  tcase_add_test(tcase, addresses_are_no_filter_by_default);
  tcase_add_test(tcase, sticky_cap);
  tcase_add_test(tcase, cap_and_failover);
  tcase_add_test(tcase, addresses);
  tcase_add_test(tcase, chosen_addresses);
  tcase_add_test(tcase, kept_sums);
  tcase_add_test(tcase, the_first_over_the_cap_are_named);
  tcase_add_test(tcase, strict_names);
  tcase_add_loop_test(tcase, anything_keeps_the_law, 0, 200);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
