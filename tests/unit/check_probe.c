/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/probe.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

#define DOMAIN "org.apache.activemq.artemis"
#define NAME DOMAIN ":broker=\\\"b\\\""
#define VERSION(agent) "{\"status\":200,\"value\":{\"agent\":\"" agent "\"}}"
#define FOUND "{\"status\":200,\"value\":[\"" NAME "\"]}"
#define READ                                                                   \
  "{\"status\":200,\"value\":{\"" NAME "\":{\"Version\":\"2.40.0\","           \
  "\"Name\":\"b\",\"Active\":true,\"Started\":true}}}"
#define IS(value) "{\"status\":200,\"value\":" value "}"
#define NO_MBEAN                                                               \
  "{\"status\":404,\"error_type\":\"x.InstanceNotFoundException\","            \
  "\"error\":\"No MBean\"}"
#define DENIED(what)                                                           \
  "{\"status\":403,\"error_type\":\"java.lang.Exception\",\"error\":\"" what   \
  "\"}"

static bool on_row(void *cookie, size_t item, const struct row *row) {
  probe_row(cookie, item, row);
  return true;
}
static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  probe_item(cookie, item, result);
}

/* ${json} as the reply to the probe. */
static void put(struct probe_reader *reader, const char *json,
                struct probe *ret) {
  const struct operation *operations;
  const struct item_spec *specs;
  struct reply_sink sink = {on_row, on_item, reader};
  struct error error = {.kind = STATUS_OK};
  size_t consumed;
  probe_request(reader, &operations, &specs);
  struct reply *reply = reply_new(specs, PROBE_ITEMS, 65536, &sink);
  ck_assert_int_eq(reply_feed(reply, json, strlen(json), &consumed), STATUS_OK);
  (void)reply_end(reply, &error);
  reply_free(reply);
  probe_take(reader, &error, 200, true, ret);
}

static const struct {
  const char *reply;
  enum probe_conclusion conclusion;
  enum probe_may may_search, may_list, may_by_id;
} answers[] = {
    {"[" VERSION("2.1.1") "," FOUND "," READ "," IS("true") "," IS("true") "]",
     PROBE_BROKER, PROBE_MAY, PROBE_MAY, PROBE_MAY},
    {"[" VERSION("1.7.0") "," FOUND "," READ "," IS("true") "," IS("false") "]",
     PROBE_BROKER, PROBE_MAY, PROBE_MAY, PROBE_MAY_NOT},
    /* a policy: exec, search, read */
    {"[" VERSION("2.4.2") "," FOUND "," READ "," DENIED(
         "Command type exec is not allowed") "," DENIED("x") "]",
     PROBE_BROKER, PROBE_MAY, PROBE_MAY_NOT, PROBE_MAY_NOT},
    {"[" VERSION("2.5.0") "," DENIED("Command type search") "," READ "," IS(
         "true") "," IS("true") "]",
     PROBE_BROKER, PROBE_MAY_NOT, PROBE_MAY, PROBE_MAY},
    {"[" VERSION("2.1.1") "," FOUND "," DENIED("Command type read") "," IS(
         "true") "," IS("true") "]",
     PROBE_READ_REFUSED, PROBE_MAY, PROBE_MAY, PROBE_MAY},
    /* an agent without the console's security MBean */
    {"[" VERSION("x") "," FOUND "," READ "," NO_MBEAN "," NO_MBEAN "]",
     PROBE_BROKER, PROBE_MAY, PROBE_MAY_UNKNOWN, PROBE_MAY_UNKNOWN},
    {"[" VERSION("2.1.1") "," IS("[]") "," NO_MBEAN
                                       "," IS("null") "," IS("\"yes\"") "]",
     PROBE_NO_BROKER, PROBE_MAY, PROBE_MAY_UNKNOWN, PROBE_MAY_UNKNOWN},
    {"[" VERSION("2.1.1") "," IS(
         "[\"" NAME "\",\"" DOMAIN
         ":broker=\\\"c\\\"\"]") "," READ "," IS("true") "," IS("true") "]",
     PROBE_MANY_BROKERS, PROBE_MAY, PROBE_MAY, PROBE_MAY},
    {"[" VERSION("2.1.1") "," FOUND ",{\"status\":200,\"value\":{\"" NAME
                          "\":{\"Started\":false,"
                          "\"Active\":false}}}," IS("true") "," IS("true") "]",
     PROBE_NOT_STARTED, PROBE_MAY, PROBE_MAY, PROBE_MAY},
    /* one object in place of the bulk */
    {"{\"status\":403,\"error_type\":\"java.lang.Exception\",\"error\":"
     "\"Origin http://x is not allowed to call this agent\"}",
     PROBE_ORIGIN, 0, 0, 0},
    {"{\"status\":403,\"error_type\":\"E\",\"error\":"
     "\"Secure origin https://x should not be processed over HTTP\"}",
     PROBE_ORIGIN, 0, 0, 0},
    {"{\"status\":403,\"error_type\":\"E\",\"error\":"
     "\"No access from client 10.0.0.1 allowed\"}",
     PROBE_REMOTE, 0, 0, 0},
    {"{\"status\":403,\"error_type\":\"E\",\"error\":"
     "\"HTTP method post is not allowed\"}",
     PROBE_POST, 0, 0, 0},
    {"{\"status\":403,\"error_type\":\"E\",\"error\":\"no\"}", PROBE_POLICY, 0,
     0, 0},
    {"{\"status\":400,\"error_type\":\"E\",\"error\":\"malformed\"}", PROBE_ODD,
     0, 0, 0},
    {"{\"hello\":1}", PROBE_WRONG_PATH, 0, 0, 0},
    {"[" VERSION("2.1.1") "," FOUND "]", PROBE_ODD, 0, 0, 0},
};

static void expect_answer(struct probe_reader *reader, int i) {
  struct probe probe;
  put(reader, answers[i].reply, &probe);
  ck_assert_msg(probe.conclusion == answers[i].conclusion, "%s: %s",
                probe_conclusion_name(probe.conclusion), probe.why.text);
  ck_assert_int_eq(probe.may_search, answers[i].may_search);
  ck_assert_int_eq(probe.may_list, answers[i].may_list);
  ck_assert_int_eq(probe.may_by_id, answers[i].may_by_id);
  ck_assert_int_eq(probe.why.kind == STATUS_OK,
                   probe.conclusion == PROBE_BROKER);
  ck_assert_int_eq(probe.why.text[0] == 0, probe.conclusion == PROBE_BROKER);
  if (probe.conclusion == PROBE_BROKER)
    ck_assert_str_eq(probe.identity.version, "2.40.0");
}

START_TEST(answered) {
  struct probe_reader *reader = probe_reader_new(DOMAIN);
  expect_answer(reader, _i);
  /* nothing of it is left for the next */
  expect_answer(reader, (_i + 1) % N(answers));
  expect_answer(reader, _i);
  probe_reader_free(reader);
}
END_TEST

static const struct {
  enum status kind;
  const char *text;
  int http_status;
  bool has_login;
  enum probe_conclusion conclusion;
} failures[] = {
    {STATUS_AUTH, "HTTP 403", 403, true, PROBE_BAD_LOGIN},
    {STATUS_AUTH, "HTTP 401", 401, false, PROBE_NO_LOGIN},
    {STATUS_THROTTLED, "HTTP 429", 429, true, PROBE_THROTTLED},
    {STATUS_HTTP_STATUS, "HTTP 302", 302, true, PROBE_WRONG_PATH},
    {STATUS_HTTP_STATUS, "HTTP 303", 303, true, PROBE_WRONG_PATH},
    {STATUS_HTTP_STATUS, "HTTP 404", 404, true, PROBE_WRONG_PATH},
    {STATUS_HTTP_STATUS, "HTTP 400 \"Invalid SNI\"", 400, true,
     PROBE_INVALID_SNI},
    {STATUS_HTTP_STATUS, "HTTP 400", 400, true, PROBE_ODD},
    {STATUS_HTTP_STATUS, "HTTP 500", 500, true, PROBE_ODD},
    {STATUS_NOT_JOLOKIA, "it is a page", 200, true, PROBE_WRONG_PATH},
    {STATUS_MALFORMED_REPLY, "cut", 200, true, PROBE_ODD},
    {STATUS_CONNECT, "refused", 0, true, PROBE_UNREACHABLE},
    {STATUS_TLS, "expired", 0, true, PROBE_UNREACHABLE},
    {STATUS_TIMEOUT, "late", 0, true, PROBE_UNREACHABLE},
    {STATUS_RESET, "gone", 0, true, PROBE_UNREACHABLE},
    {STATUS_PERMIT_TIMEOUT, "", 0, true, PROBE_NOT_ASKED},
    {STATUS_PERMIT_QUEUE_FULL, "", 0, true, PROBE_NOT_ASKED},
    {STATUS_HELD, "", 0, true, PROBE_NOT_ASKED},
    {STATUS_CLOSING, "", 0, true, PROBE_NOT_ASKED},
};

START_TEST(failed) {
  struct probe_reader *reader = probe_reader_new(DOMAIN);
  struct error error;
  struct probe probe;
  error_set(&error, failures[_i].kind, "%s", failures[_i].text);
  probe_take(reader, &error, failures[_i].http_status, failures[_i].has_login,
             &probe);
  ck_assert_str_eq(probe_conclusion_name(probe.conclusion),
                   probe_conclusion_name(failures[_i].conclusion));
  ck_assert_int_eq(probe.why.kind, failures[_i].kind);
  ck_assert_str_eq(probe.why.text, failures[_i].text);
  ck_assert(!probe.identity.is_known);
  probe_reader_free(reader);
}
END_TEST

/* All of it asks and changes nothing, in one request of the version's own. */
START_TEST(asks_alone) {
  struct probe_reader *reader = probe_reader_new("a.domain");
  const struct operation *operations;
  const struct item_spec *specs;
  struct buf body;
  probe_request(reader, &operations, &specs);
  for (size_t i = 0; i < PROBE_ITEMS; i++)
    ck_assert(!operation_is_change(&operations[i]));
  buf_init(&body, 65536);
  ck_assert_int_eq(request_build(&body, operations, PROBE_ITEMS, NULL),
                   STATUS_OK);
  ck_assert_ptr_nonnull(strstr(buf_text(&body), "a.domain:broker=*"));
  ck_assert_ptr_nonnull(strstr(buf_text(&body), "\"removeMessage\""));
  ck_assert_ptr_nonnull(strstr(buf_text(&body), "\"listQueues\""));
  buf_fini(&body);
  probe_reader_free(reader);
  char domain[500];
  memset(domain, 'd', sizeof(domain));
  domain[401] = 0;
  ck_assert_ptr_null(probe_reader_new(domain));
  domain[400] = 0;
  reader = probe_reader_new(domain);
  probe_request(reader, &operations, &specs);
  ck_assert_uint_gt(strlen(operations[PROBE_ITEMS - 1].arguments[0].text), 500);
  ck_assert_ptr_nonnull(
      strstr(operations[PROBE_ITEMS - 1].arguments[0].text, "queue=\"any\""));
  probe_reader_free(reader);
}
END_TEST

START_TEST(conclusion_names) {
  for (unsigned i = 0; i < PROBE_CONCLUSION_COUNT; i++)
    for (unsigned j = 0; j <= i; j++)
      ck_assert_int_eq(
          strcmp(probe_conclusion_name(i), probe_conclusion_name(j)) == 0,
          i == j);
  ck_assert_str_eq(probe_conclusion_name(PROBE_CONCLUSION_COUNT), "unknown");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("probe");
  TCase *tcase = tcase_create("probe");
  tcase_add_loop_test(tcase, answered, 0, N(answers));
  tcase_add_loop_test(tcase, failed, 0, N(failures));
  tcase_add_test(tcase, asks_alone);
  tcase_add_test(tcase, conclusion_names);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
