/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/why_mbean.h"
#include "artemis/why_parts.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct why_answer answer;
static void setup(void) { answer = (struct why_answer){.reason = WHY_COUNT}; }

static void says(enum why_reason reason, const char *text, const char *remedy) {
  ck_assert_str_eq(why_name(answer.reason), why_name(reason));
  ck_assert_msg(strstr(answer.text, text) != NULL, "%s", answer.text);
  ck_assert_msg(strstr(answer.remedy, remedy) != NULL, "%s", answer.remedy);
}

/* ---- one thing alone ---- */

START_TEST(names_are_distinct) {
  for (int i = 0; i < WHY_COUNT; i++)
    for (int j = 0; j < i; j++)
      ck_assert_str_ne(why_name((enum why_reason)i),
                       why_name((enum why_reason)j));
}
END_TEST

static const struct attribute gauge = {.name = "A", .is_unknown_below_0 = true};
static const struct attribute size = {.name = "A", .is_failed_below_0 = true};
static const struct attribute derive = {.name = "A", .is_derive = true};
static const struct attribute truth = {.name = "A", .is_bool = true};
#define TEXT(words)                                                            \
  { .type = VALUE_TEXT, .text = (words), .text_len = sizeof(words) - 1 }
#define FAULT(words)                                                           \
  { .type = VALUE_FAULT, .text = (words), .text_len = sizeof(words) - 1 }

static const struct {
  const struct attribute *attribute;
  struct value value;
  enum why_reason reason;
  const char *text;
} values[] = {
    {&gauge, {.type = VALUE_ABSENT}, WHY_NO_ATTRIBUTE, "no A"},
    {&gauge, {.type = VALUE_NULL}, WHY_NULL, "null"},
    {&gauge, {.type = VALUE_BOOL, .integer = 1}, WHY_WRONG_TYPE, "says true"},
    {&gauge, {.type = VALUE_INT, .integer = -1}, WHY_UNKNOWN, "-1"},
    {&size, {.type = VALUE_INT, .integer = -1}, WHY_UNKNOWN, "-1"},
    {&derive, {.type = VALUE_INT, .integer = -5}, WHY_NEGATIVE, "-5"},
    {&derive, {.type = VALUE_REAL, .real = 1.5}, WHY_WRONG_TYPE, "whole"},
    {&truth, {.type = VALUE_INT, .integer = 1}, WHY_WRONG_TYPE, "true or"},
    {&gauge, TEXT("much"), WHY_TEXT, "\"much\""},
    {&gauge, FAULT("No such attribute: A"), WHY_NO_ATTRIBUTE, "no attribute"},
    {&gauge, FAULT("User not authorized"), WHY_REFUSED_BY_ROLE, "login"},
    {&gauge, FAULT("is forbidden for MBean"), WHY_REFUSED_BY_POLICY, "policy"},
    {&gauge, FAULT("NullPointerException"), WHY_FAULT, "fails to read"},
    {&gauge, FAULT("Broker is not started. It can not be managed yet"),
     WHY_NOT_STARTED, "not started"},
};

START_TEST(a_value) {
  why_judge_value(&answer, values[_i].attribute, &values[_i].value);
  says(values[_i].reason, values[_i].text, "");
}
END_TEST

START_TEST(no_value) {
  why_judge_value(&answer, &gauge, NULL);
  says(WHY_NO_ATTRIBUTE, "no A", "");
}
END_TEST

static const struct {
  enum status status;
  const char *text;
  enum why_reason reason;
  const char *remedy;
} errors[] = {
    {STATUS_AUTH, "401", WHY_LOGIN_REFUSED, "Password"},
    {STATUS_HELD, "its login was refused three times", WHY_LOGIN_HELD,
     "password"},
    {STATUS_HELD, "the operator holds the node", WHY_NODE_HELD, "release"},
    {STATUS_DENIED, "Origin", WHY_REFUSED_BY_POLICY, "Origin"},
    {STATUS_NOT_STARTED, "", WHY_NOT_STARTED, "wait"},
    {STATUS_PERMIT_TIMEOUT, "", WHY_NO_PERMIT, "limits"},
    {STATUS_PERMIT_QUEUE_FULL, "", WHY_NO_PERMIT, "limits"},
    {STATUS_CANCELLED, "", WHY_NOT_ASKED, "again"},
    {STATUS_ITEM_DENIED, "Insufficient roles/credentials", WHY_REFUSED_BY_ROLE,
     "role"},
    {STATUS_ITEM_DENIED, "not allowed due to policy", WHY_REFUSED_BY_POLICY,
     "jolokia-access"},
    {STATUS_ITEM_ERROR, "NPE", WHY_ITEM_FAILED, "log"},
    {STATUS_ITEM_ERROR, "User not authorized to access attribute: Version",
     WHY_REFUSED_BY_ROLE, "role"},
    {STATUS_ITEM_ERROR, "Insufficient roles/credentials for operation",
     WHY_REFUSED_BY_ROLE, "role"},
    {STATUS_CONNECT, "refused", WHY_NODE_DOWN, "check"},
    {STATUS_TIMEOUT, "", WHY_NODE_DOWN, "check"},
};

START_TEST(an_error) {
  struct error error;
  error_set(&error, errors[_i].status, "%s", errors[_i].text);
  why_judge_error(&answer, &error);
  says(errors[_i].reason, errors[_i].text, errors[_i].remedy);
}
END_TEST

static const struct {
  enum filter_rule rule;
  const char *text;
  const char *remedy;
} rules[] = {
    {FILTER_BY_BROKER, "internal or temporary", "Keep"},
    {FILTER_BY_NAME, "nobody chose", "Keep"},
    {FILTER_BY_EXCLUDE, "left out by a pattern", "remove"},
    {FILTER_BY_INCLUDE, "no pattern of Include", "add"},
    {FILTER_BY_KEYS, "Include or Exclude of its block", "change"},
    {FILTER_BY_EXCLUDE_ADDRESS, "by its address", "remove"},
    {FILTER_BY_INCLUDE_ADDRESS, "no pattern of IncludeAddress", "add"},
};

START_TEST(a_filter) {
  answer.judgement.rule = rules[_i].rule;
  why_judge_filter(&answer, "queue");
  says(WHY_EXCLUDED, rules[_i].text, rules[_i].remedy);
}
END_TEST

START_TEST(a_cap) {
  why_judge_cap(&answer, OBJECT_QUEUE, 7, 5, false);
  says(WHY_OVER_CAP, "MaxQueues is 5, and 7", "MaxQueues");
  says(WHY_OVER_CAP, "starts now would leave this one out; one that runs", "");
  why_judge_cap(&answer, OBJECT_ADDRESS, 7, 5, true);
  says(WHY_OVER_CAP, "MaxAddresses", "MaxAddresses");
  says(WHY_OVER_CAP, "would take this one; one that runs keeps", "");
  says(WHY_OVER_CAP, "and may leave it out", "");
}
END_TEST

#define S INT64_C(1000000000)
static const struct {
  struct why_due due;
  enum why_reason reason;
  const char *text;
  const char *remedy;
} dues[] = {
    {{TIER_FAST, 10 * S, -1, 16 * S, true}, WHY_THERE, "every 10 s", ""},
    {{TIER_FAST, 10 * S, -1, 16 * S, false}, WHY_THERE, "no program", ""},
    {{TIER_SLOW, 300 * S, -1, 16 * S, false}, WHY_THERE, "no program", ""},
    {{TIER_ADDRESS, 60 * S, -1, 16 * S, true},
     WHY_NOT_DUE,
     "every 60 s, and no program of this host has done so yet: a collectd that "
     "runs does so within 60 s",
     "shorten AddressInterval"},
    {{TIER_SLOW, 300 * S, -1, 16 * S, true},
     WHY_NOT_DUE,
     "within 300 s",
     "shorten SlowInterval"},
    {{TIER_SLOW, 300 * S, 208 * S, 16 * S, true},
     WHY_THERE,
     "the last time about 208 s ago: again in about 92 s",
     ""},
    {{TIER_SLOW, 300 * S, 304 * S, 16 * S, true}, WHY_THERE, "about 0 s", ""},
    {{TIER_SLOW, 300 * S, 336 * S, 16 * S, true},
     WHY_NOT_DUE,
     "for about 336 s",
     "collectd runs"},
};

START_TEST(when_it_is_due) {
  why_judge_due(&answer, &dues[_i].due);
  says(dues[_i].reason, dues[_i].text, dues[_i].remedy);
}
END_TEST

START_TEST(near_names) {
  struct why_near near = {.n = 0};
  char list[WHY_NEAR_LIST];
  const char *const names[] = {"orders.1", "ORDERS", "billing",  "order",
                               "orders2",  "ordesr", "orders.22"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    why_near_add(&near, "orders", names[i]);
  ck_assert_str_eq(why_near_list(&near, "q-", list),
                   "q-ORDERS, q-order, q-orders2");
  why_near_tell(&near, &answer, "orders", "queue");
  says(WHY_NO_MBEAN, "near to it are queue-ORDERS", "names");
  near.n = 0;
  why_near_tell(&near, &answer, "orders", "queue");
  ck_assert_ptr_null(strstr(answer.text, "near"));
}
END_TEST

START_TEST(attributes_of_the_table) {
  const struct attribute *nearest;
  ck_assert_ptr_nonnull(
      why_attribute(OBJECT_QUEUE, "MessageCount", 12, &nearest));
  ck_assert_ptr_null(why_attribute(OBJECT_QUEUE, "MessageCoun", 11, &nearest));
  ck_assert_str_eq(nearest->name, "MessageCount");
  ck_assert_ptr_null(why_attribute(OBJECT_QUEUE, "xyz", 3, &nearest));
  ck_assert_ptr_null(nearest);
}
END_TEST

/* ---- MBeans ---- */

static struct mbeans mbeans;
static struct filter filter;
static struct why_mbean *why;
static struct why_mbean_question question;

static void add(const char *pattern, const char *prefix, const char *path,
                const char *type) {
  const struct mbean_block block = {
      .plugin = "jmx", .pattern = pattern, .prefix = prefix, .tier = TIER_FAST};
  const struct mbean_value value = {
      .paths = &path, .n_paths = 1, .type = type, .scale = 1};
  struct error error;
  ck_assert_int_eq(mbeans_add(&mbeans, &block, &value, &error), STATUS_OK);
}

static void setup_mbeans(void) {
  static const struct filter_texts none = {.n_keep = 0};
  setup();
  ck_assert_int_eq(filter_init(&filter, &none), STATUS_OK);
  ck_assert_int_eq(mbeans_init(&mbeans, 2, &filter, NAMES_PLAIN), STATUS_OK);
  add("d:type=A", "a", "Usage/used", "bytes");
  add("d:type=A", "a", "Map/*", "gauge");
  add("d:type=P,name=*", "p", "Count", "derive");
  question = (struct why_mbean_question){
      .plugin = "jmx", .instance = "a", .type = "", .value = ""};
}

static void teardown_mbeans(void) {
  why_mbean_free(why);
  why = NULL;
  mbeans_fini(&mbeans);
  filter_fini(&filter);
}

static void begin(void) {
  why = why_mbean_new(&mbeans, SET_ARTEMIS, &question);
  ck_assert_ptr_nonnull(why);
}

static bool on_row(void *cookie, size_t item, const struct row *row) {
  why_mbean_row(cookie, item, row);
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  why_mbean_item(cookie, item, result);
}

/* There is a next request, and this answers it. */
static void reply_with(const char *json) {
  const struct reply_sink sink = {on_row, on_item, why};
  struct scrape_request request;
  struct error error = {.kind = STATUS_OK};
  size_t consumed;
  ck_assert(why_mbean_next(why, &request));
  ck_assert_int_eq(request.kind, KIND_MBEAN);
  struct reply *reply = reply_new(request.specs, request.n, 65536, &sink);
  ck_assert_ptr_nonnull(reply);
  ck_assert_int_eq(reply_feed(reply, json, strlen(json), &consumed), STATUS_OK);
  ck_assert_int_eq(reply_end(reply, &error), STATUS_OK);
  reply_free(reply);
  why_mbean_done(why, &error);
}

static void over(enum why_reason reason, const char *text, const char *remedy) {
  struct scrape_request request;
  ck_assert(!why_mbean_next(why, &request));
  answer = *why_mbean_answer(why);
  says(reason, text, remedy);
}

#define NONE                                                                   \
  "{\"status\":404,\"error_type\":"                                            \
  "\"javax.management.InstanceNotFoundException\",\"error\":\"No MBean\"}"
#define READ(members) "{\"status\":200,\"value\":{" members "}}"
#define NAMES(names) "{\"status\":200,\"value\":[" names "]}"
#define FOUND(names) "[" NAMES(names) "]"
#define LIST                                                                   \
  ",{\"status\":200,\"value\":{\"Usage\":{\"type\":\"x\"},\"Count\":{}}}]"

START_TEST(a_value_of_a_path) {
  question.value = "Usage/used";
  begin();
  reply_with("[" READ("\"Usage\":{\"used\":7},\"Map\":{\"x\":1}") "," NONE "]");
  over(WHY_THERE, "", "");
  ck_assert(answer.has_value);
  ck_assert_double_eq_tol(answer.gauge, 7, 1e-9);
  ck_assert_uint_eq(answer.round_values, 2);
  const struct why_mbean_found found = why_mbean_found(why);
  ck_assert_str_eq(found.value, "Usage-used");
  ck_assert_str_eq(found.type, "bytes");
}
END_TEST

START_TEST(a_key_of_a_map) {
  question.value = "Map-y";
  begin();
  reply_with("[" READ(
      "\"Usage\":{\"used\":7},\"Map\":{\"x\":1,\"y\":2}") "," NONE "]");
  over(WHY_THERE, "", "");
  ck_assert_double_eq_tol(answer.gauge, 2, 1e-9);
}
END_TEST

START_TEST(an_object_name) {
  question.name = "d:name=n,type=P";
  begin();
  reply_with("[" NONE "," READ("\"d:type=P,name=n\":{\"Count\":-3}") "]");
  over(WHY_NEGATIVE, "-3", "");
  ck_assert_str_eq(why_mbean_found(why).instance, "p-n");
}
END_TEST

START_TEST(no_block) {
  question.name = "d:type=B";
  begin();
  over(WHY_NO_SERIES, "no <MBean> block", "<MBean>");
}
END_TEST

START_TEST(another_attribute) {
  question.value = "Usage-usde";
  begin();
  over(WHY_NO_ATTRIBUTE, "near to it are Usage-used", "Attribute");
}
END_TEST

START_TEST(another_type) {
  question.value = "Usage-used";
  question.type = "gauge";
  begin();
  over(WHY_OTHER_TYPE, "bytes-Usage-used", "");
}
END_TEST

START_TEST(a_set_that_is_not_read) {
  question.plugin = "jvm";
  begin();
  over(WHY_NO_ATTRIBUTE, "the set jvm", "Set");
}
END_TEST

START_TEST(a_mbean_that_is_hidden) {
  question.instance = "p-n";
  begin();
  reply_with("[" NONE "," NONE "]");
  reply_with(FOUND("\"d:name=m,type=P\",\"d:name=n,type=P\""));
  reply_with("[" NONE LIST);
  over(WHY_HIDDEN_BY_ROLE, "does not show it", "permission");
}
END_TEST

START_TEST(a_mbean_that_is_none) {
  question.instance = "p-n";
  begin();
  reply_with("[" NONE "," NONE "]");
  reply_with(FOUND("\"d:name=m,type=P\""));
  over(WHY_NO_MBEAN, "near to it are p-m", "MBean");
}
END_TEST

START_TEST(an_attribute_that_is_none) {
  add("d:type=P,name=*", "p", "Cuont", "derive");
  question.instance = "p-n";
  question.value = "Cuont";
  begin();
  reply_with("[" NONE "," READ("\"d:type=P,name=n\":{\"Count\":3}") "]");
  reply_with("[" READ("\"Cuont\":\"ERROR: No such attribute: Cuont\"") LIST);
  over(WHY_NO_ATTRIBUTE, "near to it are Count", "name one");
}
END_TEST

START_TEST(a_mbean_over_the_cap) {
  question.instance = "p-c";
  begin();
  reply_with("[" NONE "," READ("\"d:type=P,name=a\":{\"Count\":3},"
                               "\"d:type=P,name=b\":{\"Count\":3},"
                               "\"d:type=P,name=c\":{\"Count\":3}") "]");
  over(WHY_OVER_CAP, "MaxQueues is 2, and 3", "MaxQueues");
  says(WHY_OVER_CAP, "would leave this one out", "");
}
END_TEST

static void add_filtered(const char *prefix, const char *const *include) {
  static const char *const path = "Count";
  const struct mbean_block block = {
      .plugin = "jmx",
      .pattern = "d:type=P,name=*",
      .prefix = prefix,
      .tier = TIER_FAST,
      .keys = {.include = include, .n_include = 1}};
  const struct mbean_value value = {
      .paths = &path, .n_paths = 1, .type = "derive", .scale = 1};
  struct error error;
  ck_assert_int_eq(mbeans_add(&mbeans, &block, &value, &error), STATUS_OK);
}

/* One that runs may have chosen b and c before a came. */
START_TEST(a_mbean_within_a_cap_that_is_short) {
  question.instance = "p-a";
  begin();
  reply_with("[" NONE "," READ("\"d:type=P,name=a\":{\"Count\":3},"
                               "\"d:type=P,name=b\":{\"Count\":3},"
                               "\"d:type=P,name=c\":{\"Count\":3}") "]");
  over(WHY_OVER_CAP, "MaxQueues is 2, and 3", "MaxQueues");
  says(WHY_OVER_CAP, "may leave it out", "");
  ck_assert(answer.has_value);
}
END_TEST

/* Two blocks' series of one MBean under one name take one place. */
START_TEST(a_mbean_of_two_blocks_under_one_name) {
  static const char *const include[] = {"name=*"};
  add_filtered("p", include);
  question.instance = "p-a";
  begin();
  reply_with(
      "[" NAMES("\"d:type=P,name=a\"") "," NAMES("\"d:type=P,name=a\"") "]");
  reply_with("[" NONE "," READ("\"d:type=P,name=a\":{\"Count\":3},"
                               "\"d:type=P,name=b\":{\"Count\":3}") "]");
  over(WHY_THERE, "", "");
}
END_TEST

/* Two patterns whose MBeans' series begin alike: the second one's. */
static void begin_two_patterns(void) {
  add("e:type=Q,name=*", "p", "Count", "derive");
  question.instance = "p-n";
  begin();
}

START_TEST(a_series_of_another_pattern) {
  begin_two_patterns();
  reply_with(
      "[" NAMES("\"d:type=P,name=m\"") "," NAMES("\"e:type=Q,name=n\"") "]");
  reply_with("[" NONE "," READ("\"d:type=P,name=m\":{\"Count\":3}") "," READ(
      "\"e:type=Q,name=n\":{\"Count\":4}") "]");
  over(WHY_THERE, "", "");
  ck_assert_int_eq(answer.derive, 4);
  ck_assert_str_eq(why_mbean_found(why).pattern, "e:type=Q,name=*");
}
END_TEST

START_TEST(a_series_of_no_pattern) {
  begin_two_patterns();
  reply_with("[" NAMES("") "," NAMES("\"e:type=Q,name=m\"") "]");
  over(WHY_NO_MBEAN, "and of 1 other blocks", "MBean");
  says(WHY_NO_MBEAN, "near to it are p-m", "");
}
END_TEST

START_TEST(a_series_of_another_pattern_that_is_hidden) {
  begin_two_patterns();
  reply_with("[" NAMES("") "," NAMES("\"e:type=Q,name=n\"") "]");
  reply_with("[" NONE "," NONE "," NONE "]");
  reply_with("[" NONE LIST);
  over(WHY_HIDDEN_BY_ROLE, "does not show it", "permission");
}
END_TEST

/* Of an object name each block has its own. */
START_TEST(an_object_name_of_two_blocks) {
  size_t n = 0;
  add("d:type=*,name=n", "x", "Count", "derive");
  question.name = "d:name=n,type=P";
  ck_assert(why_mbean_blocks(&mbeans, &question, &n));
  ck_assert_uint_eq(n, 2);
  question.block = 1;
  begin();
  reply_with("[" NONE "," NONE
             "," READ("\"d:type=P,name=n\":{\"Count\":5}") "]");
  over(WHY_THERE, "", "");
  ck_assert_str_eq(why_mbean_found(why).instance, "x-P");
}
END_TEST

/* Two blocks of one pattern: what the one takes, the other leaves out. */
START_TEST(another_block_of_the_pattern_has_it) {
  static const char *const include[] = {"name=x*"};
  add_filtered("q", include);
  question.instance = "q-a";
  begin();
  reply_with("[" NONE "," READ("\"d:type=P,name=a\":{\"Count\":3}") "]");
  over(WHY_EXCLUDED, "left out by Include or Exclude of its block", "lines");
}
END_TEST

/* One took the last room that the cap gives. */
START_TEST(another_block_of_the_pattern_was_chosen) {
  static const char *const include[] = {"name=b"};
  add_filtered("q", include);
  question.instance = "q-b";
  begin();
  reply_with("[" NONE "," READ("\"d:type=P,name=a\":{\"Count\":3},"
                               "\"d:type=P,name=b\":{\"Count\":3}") "]");
  over(WHY_OVER_CAP, "MaxQueues is 2, and 3", "MaxQueues");
}
END_TEST

START_TEST(a_request_that_fails) {
  struct scrape_request request;
  struct error error;
  begin();
  ck_assert(why_mbean_next(why, &request));
  error_set(&error, STATUS_CONNECT, "refused");
  why_mbean_done(why, &error);
  over(WHY_NODE_DOWN, "refused", "check");
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

static Suite *suite(void) {
  Suite *suite = suite_create("why");
  TCase *parts = tcase_create("parts");
  tcase_add_checked_fixture(parts, setup, NULL);
  tcase_add_test(parts, names_are_distinct);
  tcase_add_loop_test(parts, a_value, 0, N(values));
  tcase_add_test(parts, no_value);
  tcase_add_loop_test(parts, an_error, 0, N(errors));
  tcase_add_loop_test(parts, a_filter, 0, N(rules));
  tcase_add_test(parts, a_cap);
  tcase_add_loop_test(parts, when_it_is_due, 0, N(dues));
  tcase_add_test(parts, near_names);
  tcase_add_test(parts, attributes_of_the_table);
  suite_add_tcase(suite, parts);
  TCase *beans = tcase_create("mbeans");
  tcase_add_checked_fixture(beans, setup_mbeans, teardown_mbeans);
  tcase_add_test(beans, a_value_of_a_path);
  tcase_add_test(beans, a_key_of_a_map);
  tcase_add_test(beans, an_object_name);
  tcase_add_test(beans, no_block);
  tcase_add_test(beans, another_attribute);
  tcase_add_test(beans, another_type);
  tcase_add_test(beans, a_set_that_is_not_read);
  tcase_add_test(beans, a_mbean_that_is_hidden);
  tcase_add_test(beans, a_mbean_that_is_none);
  tcase_add_test(beans, an_attribute_that_is_none);
  tcase_add_test(beans, a_mbean_over_the_cap);
  tcase_add_test(beans, a_mbean_within_a_cap_that_is_short);
  tcase_add_test(beans, a_mbean_of_two_blocks_under_one_name);
  tcase_add_test(beans, a_series_of_another_pattern);
  tcase_add_test(beans, a_series_of_no_pattern);
  tcase_add_test(beans, a_series_of_another_pattern_that_is_hidden);
  tcase_add_test(beans, an_object_name_of_two_blocks);
  tcase_add_test(beans, another_block_of_the_pattern_has_it);
  tcase_add_test(beans, another_block_of_the_pattern_was_chosen);
  tcase_add_test(beans, a_request_that_fails);
  suite_add_tcase(suite, beans);
  return suite;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
