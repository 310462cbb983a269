/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/identity.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DOMAIN "org.apache.activemq.artemis"
#define NAME DOMAIN ":broker=\\\"b\\\""
#define MBEAN DOMAIN ":broker=\"b\""
#define VERSION_ITEM "{\"status\":200,\"value\":{\"agent\":\"2.1.1\"}}"
#define FOUND(names) "{\"status\":200,\"value\":[" names "]}"
#define READ(name, members)                                                    \
  "{\"status\":200,\"value\":{\"" name "\":{" members "}}}"
#define NO_MBEAN                                                               \
  "{\"status\":404,\"error_type\":\"x.InstanceNotFoundException\","            \
  "\"error\":\"No MBean\"}"
#define DENIED "{\"status\":403,\"error_type\":\"E\",\"error\":\"no right\"}"
#define NOT_STARTED                                                            \
  "\"ERROR: java.lang.IllegalStateException: Broker is not started. It can "   \
  "not be managed yet\""
#define WELL                                                                   \
  "\"Version\":\"2.40.0\",\"Name\":\"b\",\"NodeID\":\"n\",\"Active\":true,"    \
  "\"Backup\":false,\"Started\":true,\"HAPolicy\":\"Primary Only\""

static bool on_row(void *cookie, size_t item, const struct row *row) {
  identity_row(cookie, item, row);
  return true;
}
static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  identity_item(cookie, item, result);
}

static enum status put(struct identity_reader *reader, const char *json,
                       struct identity *ret, struct error *error) {
  const struct operation *operations;
  const struct item_spec *specs;
  struct reply_sink sink = {on_row, on_item, reader};
  struct reply *reply;
  size_t consumed;
  identity_request(reader, &operations, &specs);
  reply = reply_new(specs, IDENTITY_ITEMS, 65536, &sink);
  ck_assert_ptr_nonnull(reply);
  ck_assert_int_eq(reply_feed(reply, json, strlen(json), &consumed), STATUS_OK);
  ck_assert_int_eq(reply_end(reply, error), STATUS_OK);
  reply_free(reply);
  return identity_take(reader, ret, error);
}

static const struct {
  const char *reply;
  enum status status;
  const char *text; /* a part of the error's, or of the version */
} cases[] = {
    {"[" VERSION_ITEM "," FOUND("\"" NAME "\"") "," READ(NAME, WELL) "]",
     STATUS_OK, "2.40.0"},
    /* 2.18.0 has no Name */
    {"[" VERSION_ITEM "," FOUND("\"" NAME "\"") "," READ(
         NAME, "\"Version\":\"2.18.0\",\"Active\":true,\"Started\":true") "]",
     STATUS_OK, "2.18.0"},
    /* a version that looks like a number, and one that is none */
    {"[" VERSION_ITEM "," FOUND("") "," READ(
         NAME, "\"Version\":\"2.40\",\"Active\":false,\"Started\":true") "]",
     STATUS_OK, "2.40"},
    {"[" VERSION_ITEM "," DENIED "," READ(NAME, WELL) "]", STATUS_OK, "2.40.0"},
    /* HAPolicy threw on some set-ups */
    {"[" VERSION_ITEM "," FOUND("\"" NAME "\"") "," READ(
         NAME, "\"Version\":\"2.20.0\",\"Active\":true,\"Started\":true,"
               "\"HAPolicy\":\"ERROR: java.lang.NullPointerException\"") "]",
     STATUS_OK, "2.20.0"},
    {"[" VERSION_ITEM "," FOUND("") "," NO_MBEAN "]", STATUS_NOT_FOUND,
     "JMXDomain"},
    {"[" VERSION_ITEM "," FOUND("\"" NAME "\"") "," NO_MBEAN "]",
     STATUS_NOT_FOUND, DOMAIN ":broker=*"},
    {"[" VERSION_ITEM "," DENIED "," DENIED "]", STATUS_ITEM_DENIED,
     "no right"},
    {"[" VERSION_ITEM "," FOUND("\"" NAME "\"") "," READ(
         NAME, "\"Version\":" NOT_STARTED ",\"Active\":" NOT_STARTED
               ",\"Started\":false,\"NodeID\":null") "]",
     STATUS_NOT_STARTED, "not started"},
    {"[" VERSION_ITEM "," FOUND("\"" NAME "\"") "," READ(
         NAME,
         "\"Version\":\"2.40.0\",\"Started\":true,\"Active\":" NOT_STARTED) "]",
     STATUS_NOT_STARTED, "not started"},
    {"[" VERSION_ITEM "," FOUND("\"" NAME "\"") "," READ(
         NAME, "\"Started\":false,\"Active\":false") "]",
     STATUS_NOT_STARTED, "not started"},
    {"[" VERSION_ITEM
     "," FOUND("\"" NAME "\"") ",{\"status\":500,\"error_type\":\"java.lang."
                               "IllegalStateException\","
                               "\"error\":\"Broker is not started. It "
                               "can not be managed yet\"}]",
     STATUS_NOT_STARTED, "not started"},
    {"[" VERSION_ITEM "," FOUND("\"" NAME "\",\"" DOMAIN
                                ":broker=\\\"c\\\"\"") "," READ(NAME, WELL) "]",
     STATUS_INVALID, "broker=\"c\""},
    {"[" VERSION_ITEM "," FOUND("\"no colon\"") "," NO_MBEAN "]",
     STATUS_MALFORMED_REPLY, "object name"},
    {"[" VERSION_ITEM "," FOUND("\"" NAME "\"") "," READ(
         NAME, "\"Version\":\"ERROR: java.lang.SecurityException: no\","
               "\"Active\":\"ERROR: java.lang.SecurityException: no\"") "]",
     STATUS_ITEM_ERROR, "SecurityException"},
};

START_TEST(judged) {
  struct identity_reader *reader = identity_reader_new(DOMAIN);
  struct identity identity = {.is_known = false, .version = "untouched"};
  struct error error = {.kind = STATUS_OK, .text = ""};
  enum status status;
  ck_assert_ptr_nonnull(reader);
  status = put(reader, cases[_i].reply, &identity, &error);
  ck_assert_msg(status == cases[_i].status, "%s: %s", status_name(status),
                error.text);
  ck_assert_int_eq(identity.is_known, status == STATUS_OK);
  if (status == STATUS_OK) {
    ck_assert_str_eq(identity.version, cases[_i].text);
    ck_assert_str_eq(identity.broker_mbean, MBEAN);
    ck_assert_str_eq(identity.broker_name, "b");
    ck_assert_str_eq(identity.agent, "2.1.1");
    ck_assert(identity.is_started);
  } else {
    ck_assert_ptr_nonnull(strstr(error.text, cases[_i].text));
    ck_assert_int_eq(error.kind, status);
    if (status == STATUS_NOT_STARTED) /* it may be named yet */
      ck_assert_str_eq(identity.broker_mbean, MBEAN);
    else
      ck_assert_str_eq(identity.version, "untouched");
  }
  /* The reader begins anew. */
  ck_assert_int_eq(put(reader, cases[0].reply, &identity, &error), STATUS_OK);
  ck_assert_str_eq(identity.node_id, "n");
  ck_assert_str_eq(identity.ha_policy, "Primary Only");
  ck_assert_uint_eq(identity.version_number, 2040);
  identity_reader_free(reader);
}
END_TEST

/* Names are compared as names: Jolokia 2.5 orders keys otherwise. */
START_TEST(order_of_keys) {
  struct identity_reader *reader = identity_reader_new(DOMAIN);
  struct identity identity;
  struct error error;
  ck_assert_int_eq(
      put(reader,
          "[" VERSION_ITEM
          "," FOUND("\"d:a=1,broker=b\"") "," READ("d:broker=b,a=1", WELL) "]",
          &identity, &error),
      STATUS_OK);
  ck_assert_str_eq(identity.broker_mbean, "d:a=1,broker=b");
  identity_reader_free(reader);
}
END_TEST

/* The plain form of a quoted name. */
START_TEST(quoted_name) {
  struct identity_reader *reader = identity_reader_new(DOMAIN);
  struct identity identity;
  struct error error;
  ck_assert_int_eq(put(reader,
                       "[" VERSION_ITEM "," FOUND("") "," READ(
                           "d:broker=\\\"a\\\\\\\"b, c\\\"",
                           "\"Active\":true,\"Started\":true") "]",
                       &identity, &error),
                   STATUS_OK);
  ck_assert_str_eq(identity.broker_name, "a\"b, c");
  ck_assert_str_eq(identity.version, "");
  ck_assert_uint_eq(identity.version_number, 0);
  identity_reader_free(reader);
}
END_TEST

/* Longer than the fields: cut at a whole character; the object name is not. */
START_TEST(long_texts) {
  struct identity_reader *reader = identity_reader_new(DOMAIN);
  struct identity identity;
  struct error error;
  char reply[2048];
  char text[300];
  size_t n = 0;
  while (n < 64)
    n += (size_t)snprintf(text + n, sizeof text - n, "\xc3\xbc");
  snprintf(reply, sizeof reply,
           "[" VERSION_ITEM "," FOUND("") "," READ(
               NAME, "\"Active\":true,\"Started\":true,\"NodeID\":\"%s\"") "]",
           text);
  ck_assert_int_eq(put(reader, reply, &identity, &error), STATUS_OK);
  ck_assert_uint_eq(strlen(identity.node_id), 62);
  memset(text, 'x', 250);
  text[250] = '\0';
  snprintf(reply, sizeof reply,
           "[" VERSION_ITEM "," FOUND("\"d:broker=%s%s%s\"") "," NO_MBEAN "]",
           text, text, text);
  ck_assert_int_eq(put(reader, reply, &identity, &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "759 bytes"));
  identity_reader_free(reader);
}
END_TEST

START_TEST(no_reply) {
  struct identity_reader *reader = identity_reader_new(DOMAIN);
  struct identity identity = {.version = "untouched"};
  struct error error;
  ck_assert_int_eq(identity_take(reader, &identity, &error),
                   STATUS_MALFORMED_REPLY);
  ck_assert_str_eq(identity.version, "untouched");
  identity_reader_free(reader);
  identity_reader_free(NULL);
}
END_TEST

START_TEST(long_domain) {
  char domain[402];
  struct identity_reader *reader;
  memset(domain, 'd', 401);
  domain[401] = '\0';
  ck_assert_ptr_null(identity_reader_new(domain));
  domain[400] = '\0';
  reader = identity_reader_new(domain);
  ck_assert_ptr_nonnull(reader);
  identity_reader_free(reader);
}
END_TEST

static const struct {
  const char *version;
  unsigned number;
} versions[] = {{"2.40.0", 2040},
                {"2.6.3", 2006},
                {"2.33.0.redhat-00016", 2033},
                {"10.0", 10000},
                {"2.41-SNAPSHOT", 2041},
                {"2.", 0},
                {"2", 0},
                {"", 0},
                {"x.1", 0},
                {"2.x", 0},
                {"2.1000", 0},
                {".5", 0},
                {"1000.1", 0},
                {"2.99999999999999999999", 0}};
START_TEST(version_numbers) {
  ck_assert_uint_eq(identity_version_number(versions[_i].version),
                    versions[_i].number);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("identity");
  TCase *tcase = tcase_create("identity");
  tcase_add_loop_test(tcase, judged, 0, N(cases));
  tcase_add_test(tcase, order_of_keys);
  tcase_add_test(tcase, quoted_name);
  tcase_add_test(tcase, long_texts);
  tcase_add_test(tcase, no_reply);
  tcase_add_test(tcase, long_domain);
  tcase_add_loop_test(tcase, version_numbers, 0, N(versions));
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
