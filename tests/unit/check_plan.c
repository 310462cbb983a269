/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* The scrape's requests, and what real brokers answered to them: the files of
 * tests/fixtures. */
#include "artemis/plan.h"

#include "scrape_rig.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *version;
  const char *agent;
  const char *ha_policy;
  size_t broker; /* values */
  size_t address;
  size_t excluded; /* of the queues */
} brokers[] = {
    {"2.18.0", "1.6.2", "Live Only", 12, 5, 2},
    {"2.28.0", "1.7.0", "Live Only", 12, 6, 2},
    {"2.40.0", "2.1.1", "Primary Only", 19, 6, 3}, /* $sys.mqtt.sessions */
};
#define BROKERS_N ((int)(sizeof brokers / sizeof brokers[0]))

/* The queues that are reported, as instances. */
static const char *const names[] = {
    "DLQ",
    "ExpiryQueue",
    "ORDERS",
    "a_b",
    "comma,eq=c:d",
    "q\"uote",
    "back\\slash",
    "st*ar",
    "what?",
    "\xc3\xbcn\xc3\xaf",
    "007",
    "true",
    "ERROR: no error",
    "a_b~",
    "space_~",
    "tab_here~",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
#define NAMES_N (sizeof names / sizeof names[0])

static struct rig rig;
static char *text;
static void setup(void) {
  rig_init(&rig);
  text = NULL;
}
static void teardown(void) {
  rig_fini(&rig);
  free(text);
}

static const char *fixture(int broker, const char *name) {
  free(text);
  text = rig_fixture(brokers[broker].version, name);
  return text;
}

/* Answers the next request with the reply to the same body. */
static void answer(int broker, const char *name) {
  char file[64];
  snprintf(file, sizeof file, "%s.json", name);
  rig_reply(&rig, fixture(broker, file));
  snprintf(file, sizeof file, "%s.request.json", name);
  ck_assert_str_eq(buf_text(&rig.body), fixture(broker, file));
}

static void check_queues(int broker) {
  char part[128];
  const struct scrape_counts *counts = scrape_counts(rig.scrape);
  for (size_t i = 0; i < NAMES_N; i++) {
    size_t n = 0;
    snprintf(part, sizeof part, "queue-%s", names[i]);
    n = rig_count(&rig, part);
    ck_assert_msg(n == 10 || (n == 20 && strcmp(names[i], "a_b") == 0),
                  "%zu values of %s", n, names[i]);
  }
  ck_assert_uint_eq(rig_count(&rig, "queue-"), 10 * NAMES_N);
  ck_assert(rig_sample(&rig, "queue-ORDERS/gauge-MessageCount 3"));
  ck_assert(rig_sample(&rig, "queue-ORDERS/derive-MessagesAdded 8"));
  ck_assert(rig_sample(&rig, "queue-ORDERS/derive-MessagesKilled 5"));
  ck_assert(rig_sample(&rig, "queue-ORDERS/bool-Paused 0"));
  ck_assert(rig_sample(&rig, "queue-ORDERS/bool-Enabled 1"));
  ck_assert(rig_sample(&rig, "queue-a_b/bool-Paused 1"));
  ck_assert_uint_eq(counts->excluded, brokers[broker].excluded);
  ck_assert_uint_eq(counts->value_errors, 0);
  ck_assert_uint_eq(counts->invalid, 0);
  ck_assert_uint_eq(counts->count_differs, 0);
}

START_TEST(listing) {
  const struct identity *identity;
  rig_begin(&rig, TIER_FAST, 1);
  answer(_i, "identity");
  answer(_i, "fast");
  rig_over(&rig, STATUS_OK);
  check_queues(_i);
  ck_assert_uint_eq(rig_count(&rig, "broker/"), brokers[_i].broker);
  identity = scrape_identity(rig.scrape);
  ck_assert(identity->is_known && identity->is_active && identity->is_started);
  ck_assert(!identity->is_backup);
  ck_assert_str_eq(identity->version, brokers[_i].version);
  ck_assert_uint_eq(identity->version_number,
                    identity_version_number(brokers[_i].version));
  ck_assert_str_eq(identity->agent, brokers[_i].agent);
  ck_assert_str_eq(identity->ha_policy, brokers[_i].ha_policy);
  ck_assert_str_eq(identity->broker_name, "orders"); /* 2.18 has no Name */
  ck_assert_uint_eq(strlen(identity->node_id), 36);
}
END_TEST

/* The pattern read, its Active items around it, gives what the listing gives.
 */
START_TEST(pattern_read_agrees) {
  struct buf listed;
  char line[256];
  buf_init(&listed, 1 << 20);
  rig_begin(&rig, TIER_FAST, 1);
  answer(_i, "identity");
  answer(_i, "fast");
  buf_add_text(&listed, buf_text(&rig.samples));
  rig_fini(&rig);

  rig_init(&rig);
  rig_begin(&rig, TIER_FAST, 1);
  answer(_i, "identity");
  rig_reply(&rig,
            rig_fast("true",
                     "{\"status\":500,\"error_type\":\"E\",\"error\":\"e\"}",
                     "true"));
  rig_reply(&rig, rig_again("{\"status\":500,\"error_type\":\"E\",\"error\":"
                            "\"e\"}"));
  answer(_i, "read");
  rig_over(&rig, STATUS_OK);
  check_queues(_i);
  for (const char *at = strstr(buf_text(&listed), "queue-"); at != NULL;
       at = strstr(at + 1, "\nqueue-") ? strstr(at + 1, "\nqueue-") + 1
                                       : NULL) {
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    ck_assert_msg(rig_sample(&rig, line), "only listed: %s", line);
  }
  buf_fini(&listed);
}
END_TEST

START_TEST(other_tiers) {
  rig_begin(&rig, TIER_FAST, 1);
  answer(_i, "identity");
  answer(_i, "fast");
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_ADDRESS, 1);
  answer(_i, "address");
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig_count(&rig, "address-ORDERS/"), brokers[_i].address);
  ck_assert(rig_sample(&rig, "address-ORDERS/derive-RoutedMessageCount 8"));
  ck_assert_uint_ge(rig_count(&rig, "address-"), brokers[_i].address * NAMES_N);
  ck_assert_uint_eq(rig_count(&rig, "address-123e4567"), 0);
  rig_begin(&rig, TIER_SLOW, 1);
  answer(_i, "slow");
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig.n_samples, 5);
  ck_assert(rig_sample(&rig, "broker/gauge-GlobalMaxSize 262144000"));
  ck_assert_uint_eq(scrape_counts(rig.scrape)->value_errors, 0);
}
END_TEST

/* A name as long as may be, with room behind it for the pattern. */
START_TEST(long_broker_name) {
  static struct plan plan;
  static const struct aside none;
  struct identity identity = {.version_number = 2040};
  size_t max = sizeof identity.broker_mbean - 1;
  memset(identity.broker_mbean, 'x', max);
  memcpy(identity.broker_mbean, "D:broker=", 9);
  plan_begin(&plan, &identity, SET_ARTEMIS, &none);
  plan_add_queues(&plan, TIER_FAST);
  ck_assert_uint_eq(strlen(plan.operations[0].mbean),
                    max + strlen(",component=addresses,address=*,"
                                 "subcomponent=queues,routing-type=*,queue=*"));
}
END_TEST

/* A second of each is never planned: PLAN_ITEMS suffices for the largest. */
START_TEST(largest_plan) {
  static struct plan plan;
  static const struct aside none;
  struct identity identity = {.broker_mbean = "D:broker=b"};
  plan_begin(&plan, &identity, SET_ARTEMIS,
             &none); /* version 0: all attributes */
  plan_add_active(&plan, PLAN_ACTIVE_BEFORE);
  plan_add_broker(&plan, TIER_FAST);
  plan_add_queues(&plan, TIER_FAST);
  plan_add_active(&plan, PLAN_ACTIVE_AFTER);
  ck_assert_uint_le(plan.n, PLAN_ITEMS);
  for (size_t i = 0; i < plan.n; i++) {
    ck_assert_uint_le(plan.items[i].n, PLAN_COLUMNS);
    ck_assert_uint_le(plan.items[i].n, REPLY_MAX_COLUMNS);
  }
}
END_TEST

START_TEST(what_is_aside_is_left_out) {
  static struct plan plan;
  struct aside aside = {.rounds = {[ASIDE_LISTING] = 1, [ASIDE_ALONE] = 1}};
  struct identity identity = {.broker_mbean = "D:broker=b"};
  plan_begin(&plan, &identity, SET_ARTEMIS, &aside);
  plan_add_broker(&plan, TIER_FAST);
  plan_add_listing(&plan);
  ck_assert_uint_eq(plan.n, 1);
  aside.rounds[ASIDE_BROKER] = 1;
  aside.rounds[ASIDE_QUEUES] = 1;
  aside.rounds[ASIDE_ADDRESSES] = 1;
  plan_begin(&plan, &identity, SET_ARTEMIS, &aside);
  plan_add_broker(&plan, TIER_FAST);
  plan_add_queues(&plan, TIER_FAST);
  plan_add_addresses(&plan, TIER_ADDRESS);
  ck_assert_uint_eq(plan.n, 0);
}
END_TEST

/* Every column of a listing costs: that of the addresses is there on demand. */
START_TEST(addresses_on_demand) {
  static struct plan plan;
  struct aside none = {.rounds = {0}};
  struct identity identity = {.broker_mbean = "D:broker=b"};
  plan_begin(&plan, &identity, SET_ARTEMIS, &none);
  plan_add_listing(&plan);
  ck_assert_uint_eq(plan.items[0].n_lead, LISTING_ADDRESS);
  size_t n = plan.items[0].n;
  plan_begin(&plan, &identity, SET_ARTEMIS, &none);
  plan.has_address = true;
  plan_add_listing(&plan);
  ck_assert_uint_eq(plan.items[0].n, n + 1);
  ck_assert_str_eq(plan.items[0].names[LISTING_ADDRESS], "address");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("plan");
  TCase *tcase = tcase_create("fixtures");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_loop_test(tcase, listing, 0, BROKERS_N);
  tcase_add_loop_test(tcase, pattern_read_agrees, 0, BROKERS_N);
  tcase_add_loop_test(tcase, other_tiers, 0, BROKERS_N);
  tcase_add_test(tcase, long_broker_name);
  tcase_add_test(tcase, largest_plan);
  tcase_add_test(tcase, what_is_aside_is_left_out);
  tcase_add_test(tcase, addresses_on_demand);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
