/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/request.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE(name) "D:broker=\"b\",queue=\"" name "\""
#define QUEUE_JSON(name) "D:broker=\\\"b\\\",queue=\\\"" name "\\\""
#define QUIET "\"config\":{\"includeRequest\":false,\"includeStackTrace\":false"

static const char *const one[] = {"Version"};
static const char *const two[] = {"MessageCount", "a\"b/\xc3\xbc"};
static const char *const empty[] = {"Version", ""};
static const char *const no_utf8[] = {"Version\xff"};
static const struct argument id[] = {{ARGUMENT_INT, NULL, INT64_MAX}};
static const struct argument many[] = {
    {ARGUMENT_TEXT, "x\n\"\x01", 0}, {ARGUMENT_NULL, NULL, 0},
    {ARGUMENT_INT, NULL, INT64_MIN}, {ARGUMENT_BOOL, NULL, 1},
    {ARGUMENT_BOOL, NULL, 0},        {ARGUMENT_TEXT, "", 0},
};
static const struct argument null_tag[] = {{ARGUMENT_TEXT, "[null]", 0}};
static const struct argument empty_tag[] = {{ARGUMENT_TEXT, "\"\"", 0}};
static const struct argument last_tag[] = {{ARGUMENT_INT, NULL, 1},
                                           {ARGUMENT_TEXT, "[null]", 0}};
static const struct argument no_text[] = {{ARGUMENT_TEXT, NULL, 0}};
static const struct argument odd_text[] = {{ARGUMENT_TEXT, "\xc3(", 0}};

#define READ(m, a, n)                                                          \
  { .type = OPERATION_READ, .mbean = m, .attributes = a, .n_attributes = n }
#define WRITE(m, a, n, v, nv)                                                  \
  {                                                                            \
    .type = OPERATION_WRITE, .mbean = m, .attributes = a, .n_attributes = n,   \
    .arguments = v, .n_arguments = nv                                          \
  }
#define EXEC(m, f, v, nv)                                                      \
  {                                                                            \
    .type = OPERATION_EXEC, .mbean = m, .name = f, .arguments = v,             \
    .n_arguments = nv                                                          \
  }

static const struct {
  struct operation operation;
  const char *json;
} good[] = {
    {{.type = OPERATION_VERSION}, "{\"type\":\"version\"," QUIET "}}"},
    {{.type = OPERATION_SEARCH, .mbean = "D:broker=*"},
     "{\"type\":\"search\",\"mbean\":\"D:broker=*\"," QUIET "}}"},
    {{.type = OPERATION_LIST, .mbean = "D:a=b", .name = "D/a=b/attr"},
     "{\"type\":\"list\",\"path\":\"D/a=b/attr\"," QUIET "}}"},
    {READ(QUEUE("q"), one, 1),
     "{\"type\":\"read\",\"mbean\":\"" QUEUE_JSON(
         "q") "\",\"attribute\":["
              "\"Version\"]," QUIET ",\"ignoreErrors\":true}}"},
    {READ("D:broker=\"b\",queue=*", two, 2),
     "{\"type\":\"read\",\"mbean\":\"D:broker=\\\"b\\\",queue=*\","
     "\"attribute\":[\"MessageCount\",\"a\\\"b/\xc3\xbc\"]," QUIET
     ",\"ignoreErrors\":true}}"},
    {WRITE(QUEUE("q"), one, 1, id, 1),
     "{\"type\":\"write\",\"mbean\":\"" QUEUE_JSON(
         "q") "\",\"attribute\":"
              "\"Version\",\"value\":9223372036854775807," QUIET "}}"},
    {EXEC(QUEUE("q"), "removeMessage(long)", id, 1),
     "{\"type\":\"exec\",\"mbean\":\"" QUEUE_JSON(
         "q") "\",\"operation\":"
              "\"removeMessage(long)\",\"arguments\":[9223372036854775807]"
              "," QUIET "}}"},
    {EXEC(QUEUE("q"), "f", NULL, 0),
     "{\"type\":\"exec\",\"mbean\":\"" QUEUE_JSON(
         "q") "\",\"operation\":"
              "\"f\",\"arguments\":[]," QUIET "}}"},
    {EXEC(QUEUE("q"), "f(java.lang.String)", many, 6),
     "{\"type\":\"exec\",\"mbean\":\"" QUEUE_JSON(
         "q") "\",\"operation\":"
              "\"f(java.lang.String)\",\"arguments\":[\"x\\n\\\"\\u0001\",null,"
              "-9223372036854775808,true,false,\"\"]," QUIET "}}"},
    /* odd names, quoted once for JMX and once for JSON */
    {{.type = OPERATION_SEARCH, .mbean = "d:queue=\"a\\*b\""},
     "{\"type\":\"search\",\"mbean\":\"d:queue=\\\"a\\\\*b\\\"\"," QUIET "}}"},
    {{.type = OPERATION_SEARCH, .mbean = "d:queue=\"q\\\"uote\""},
     "{\"type\":\"search\",\"mbean\":\"d:queue=\\\"q\\\\\\\"uote\\\"\"," QUIET
     "}}"},
    {{.type = OPERATION_SEARCH, .mbean = "d:queue=\"back\\\\slash\""},
     "{\"type\":\"search\",\"mbean\":\"d:queue="
     "\\\"back\\\\\\\\slash\\\"\"," QUIET "}}"},
    {{.type = OPERATION_SEARCH, .mbean = "d:queue=\"new\\nline\""},
     "{\"type\":\"search\",\"mbean\":\"d:queue=\\\"new\\\\nline\\\"\"," QUIET
     "}}"},
    {{.type = OPERATION_SEARCH, .mbean = "d:queue=\"tab\tb\""},
     "{\"type\":\"search\",\"mbean\":\"d:queue=\\\"tab\\tb\\\"\"," QUIET "}}"},
    {{.type = OPERATION_SEARCH, .mbean = "d:queue=\"\xc3\xbc/@%<\""},
     "{\"type\":\"search\",\"mbean\":\"d:queue=\\\"\xc3\xbc/@%<\\\"\"," QUIET
     "}}"},
};

START_TEST(writes_the_body) {
  struct buf out;
  struct error error = {STATUS_OK, ""};
  char expected[1024] = "[";
  buf_init(&out, 4096);
  buf_add_text(&out, "what stood there");
  ck_assert_msg(request_build(&out, &good[_i].operation, 1, &error) ==
                    STATUS_OK,
                "%s", error.text);
  strncat(expected, good[_i].json, sizeof(expected) - 3);
  strncat(expected, "]", 2);
  ck_assert_str_eq(buf_text(&out), expected);
  ck_assert_uint_eq(out.len, strlen(expected));
  buf_fini(&out);
}
END_TEST

START_TEST(path_of_a_list) {
  struct buf out;
  buf_init(&out, 64);
  ck_assert_int_eq(request_list_path(&out, "a/b:c=\"d:!\",e=f"), STATUS_OK);
  ck_assert_str_eq(buf_text(&out), "a!/b/c=\"d:!!\",e=f/attr");
  buf_fini(&out);
}
END_TEST

START_TEST(joins_a_bulk) {
  static const struct operation bulk[] = {
      {.type = OPERATION_VERSION},
      {.type = OPERATION_SEARCH, .mbean = "D:broker=*"},
      {.type = OPERATION_VERSION},
  };
  struct buf out;
  buf_init(&out, 4096);
  ck_assert_int_eq(request_build(&out, bulk, 3, NULL), STATUS_OK);
  ck_assert_str_eq(buf_text(&out),
                   "[{\"type\":\"version\"," QUIET "}},"
                   "{\"type\":\"search\",\"mbean\":\"D:broker=*\"," QUIET "}},"
                   "{\"type\":\"version\"," QUIET "}}]");
  buf_fini(&out);
}
END_TEST

static const struct {
  struct operation operation;
  const char *says;
} bad[] = {
    {READ(NULL, one, 1), "no MBean is named"},
    {READ("", one, 1), "name one"},
    {{.type = OPERATION_SEARCH, .mbean = NULL}, "no MBean is named"},
    {READ("no-colon", one, 1), "write DOMAIN:KEY=VALUE"},
    {{.type = OPERATION_SEARCH, .mbean = "d:a=b:c"}, "quote this value"},
    {READ("d:a=\"\xff\"", one, 1), "the MBean's name is no UTF-8; mend it"},
    {READ("d:a=b", NULL, 0), "no attribute is named"},
    {READ("d:a=b", one, 0), "name each"},
    {READ("d:a=b", empty, 2), "an attribute's name is empty"},
    {READ("d:a=b", no_utf8, 1), "an attribute's name is no UTF-8; mend it"},
    {WRITE("d:a=b", two, 2, id, 1), "a write sets one attribute; use"},
    {WRITE("d:a=b", one, 0, id, 1), "no attribute is named"},
    {WRITE("d:a=b", one, 1, NULL, 0), "a write has one value; give one"},
    {WRITE("d:a=b", one, 1, many, 2), "a write has one value; give one"},
    {WRITE("d:a=*", one, 1, id, 1), "the name is a pattern"},
    {WRITE("d:a=b", one, 1, null_tag, 1), "spelled [null]"},
    {EXEC("d:a=b,*", "f()", NULL, 0), "quote * and ? in it"},
    {EXEC("d:a=\"x*\"", "f()", NULL, 0), "run this on every match"},
    {EXEC("d*:a=b", "f()", NULL, 0), "the name is a pattern"},
    {EXEC("d:a=b", NULL, NULL, 0), "no operation is named; name it with"},
    {EXEC("d:a=b", "", NULL, 0), "no operation is named"},
    {EXEC("d:a=b", "(long)", id, 1), "no operation is named"},
    {EXEC("d:a=b", "f\xff", NULL, 0), "the operation's name is no UTF-8"},
    {EXEC("d:a=b", "f", null_tag, 1), "use another name"},
    {EXEC("d:a=b", "f", last_tag, 2), "use another name"},
    {EXEC("d:a=b", "f", empty_tag, 1), "read as null or as empty"},
    {EXEC("d:a=b", "f", no_text, 1), "use the null argument"},
    {EXEC("d:a=b", "f", odd_text, 1), "an argument is no UTF-8; mend it"},
};

START_TEST(refuses_with_reason_and_remedy) {
  struct error error = {STATUS_OK, ""};
  ck_assert_int_eq(operation_check(&bad[_i].operation, &error), STATUS_INVALID);
  ck_assert_int_eq(error.kind, STATUS_INVALID);
  ck_assert_msg(strstr(error.text, bad[_i].says), "%s", error.text);

  const struct operation bulk[] = {{.type = OPERATION_VERSION},
                                   bad[_i].operation};
  struct buf out;
  buf_init(&out, 4096);
  buf_add_text(&out, "what stood there");
  ck_assert_int_eq(request_build(&out, bulk, 2, &error), STATUS_INVALID);
  ck_assert_uint_eq(out.len, 0);
  ck_assert_msg(strncmp(error.text, "operation 2 of 2: ", 18) == 0, "%s",
                error.text);
  ck_assert_msg(strstr(error.text, bad[_i].says), "%s", error.text);
  buf_fini(&out);
}
END_TEST

START_TEST(passes_what_only_looks_like_a_tag) {
  static const struct argument near[] = {{ARGUMENT_TEXT, "[null] ", 0},
                                         {ARGUMENT_TEXT, "\"", 0},
                                         {ARGUMENT_TEXT, "null", 0}};
  const struct operation operation = EXEC("d:a=b", "f", near, 3);
  ck_assert_int_eq(operation_check(&operation, NULL), STATUS_OK);
}
END_TEST

START_TEST(names_the_maximum) {
  const struct operation operation = READ(QUEUE("q"), one, 1);
  struct buf out;
  struct error error;
  buf_init(&out, 1024);
  ck_assert_int_eq(request_build(&out, &operation, 1, NULL), STATUS_OK);
  size_t len = out.len;
  buf_fini(&out);
  buf_init(&out, len);
  ck_assert_int_eq(request_build(&out, &operation, 1, NULL), STATUS_OK);
  buf_fini(&out);
  buf_init(&out, len - 1);
  ck_assert_int_eq(request_build(&out, &operation, 1, &error),
                   STATUS_REQUEST_TOO_LARGE);
  ck_assert_uint_eq(out.len, 0);
  ck_assert_int_eq(out.status, STATUS_OK);
  ck_assert(strstr(error.text, "raise MaxRequestBytes") != NULL);
  buf_fini(&out);
}
END_TEST

static const struct {
  const char *name;
  bool is_change;
} kinds[] = {
    {"listQueues(java.lang.String,int,int)", false},
    {"listMessages", false},
    {"list", false},
    {"listZ", false},
    {"listNetworkTopology()", false},
    {"listen()", true},
    {"listener", true},
    {"browse(int,int)", false},
    {"browseQueue", false},
    {"browser", true},
    {"countMessages(java.lang.String)", false},
    {"counter", true},
    {"getAddressSettingsAsJSON(java.lang.String)", false},
    {"getRolesAsJSON", false},
    {"getRoles(java.lang.String)", true},
    {"getAsJSON", false},
    {"AsJSON", true},
    {"removeAsJSON", true},
    {"canInvoke(java.util.Map)", false},
    {"canInvokeAll", true},
    {"removeMessage(long)", true},
    {"f(list)", true},
    {"pause()", true},
    {"resetMessageCounter()", true},
};

START_TEST(takes_the_unknown_for_a_change) {
  struct operation operation = EXEC("d:a=b", kinds[_i].name, NULL, 0);
  ck_assert_int_eq(operation_is_change(&operation), kinds[_i].is_change);
}
END_TEST

START_TEST(knows_the_other_types) {
  ck_assert(
      operation_is_change(&(struct operation)WRITE("d:a=b", one, 1, id, 1)));
  ck_assert(!operation_is_change(&(struct operation)READ("d:a=b", one, 1)));
  ck_assert(!operation_is_change(
      &(struct operation){.type = OPERATION_SEARCH, .mbean = "d:*"}));
  ck_assert(
      !operation_is_change(&(struct operation){.type = OPERATION_VERSION}));
}
END_TEST

#define ADD_LOOP(tcase, test, cases)                                           \
  tcase_add_loop_test(tcase, test, 0, sizeof(cases) / sizeof(*(cases)))

int main(void) {
  Suite *suite = suite_create("request");
  TCase *tcase = tcase_create("request");
  ADD_LOOP(tcase, writes_the_body, good);
  tcase_add_test(tcase, path_of_a_list);
  tcase_add_test(tcase, joins_a_bulk);
  ADD_LOOP(tcase, refuses_with_reason_and_remedy, bad);
  tcase_add_test(tcase, passes_what_only_looks_like_a_tag);
  tcase_add_test(tcase, names_the_maximum);
  ADD_LOOP(tcase, takes_the_unknown_for_a_change, kinds);
  tcase_add_test(tcase, knows_the_other_types);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
