/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define BROKER "org.apache.activemq.artemis:broker=\"b\""

static struct capture capture;
static struct identity identity;

static const struct capture_options options = {
    .name = "ORDERS", .source = "ORDERS", .ring = 100, .max_bytes = 1 << 20};

static void begin(const struct capture_options *wanted, unsigned version) {
  struct error error;
  identity = (struct identity){.version_number = version};
  strcpy(identity.broker_mbean, BROKER);
  ck_assert_int_eq(
      capture_init(&capture, "org.apache.activemq.artemis", wanted, &error),
      STATUS_OK);
}

static void teardown(void) { capture_fini(&capture); }

static size_t index_of(const struct step_table *table, const char *name) {
  size_t i = 0;
  while (i < table->n && strcmp(table->steps[i].name, name) != 0)
    i++;
  ck_assert_uint_lt(i, table->n);
  return i;
}

static size_t build(const struct step_table *table, const char *name,
                    struct step_request *ret) {
  struct error error;
  *ret = (struct step_request){.n = 0};
  enum status status = table->steps[index_of(table, name)].build(
      &capture, &identity, ret, &error);
  ck_assert_int_eq(status, STATUS_OK);
  return ret->n;
}

/* -- What is sent -- */

#define CONFIG                                                                 \
  ",\"config\":{\"includeRequest\":false,\"includeStackTrace\":false}}]"
#define EXEC(operation, arguments)                                             \
  "[{\"type\":\"exec\",\"mbean\":\"org.apache.activemq.artemis:broker="        \
  "\\\"b\\\"\",\"operation\":\"" operation "\",\"arguments\":[" arguments      \
  "]" CONFIG
#define S "java.lang.String"
#define C "\"jolokia.capture.ORDERS\""
#define D "\"jolokia.divert.ORDERS\""

#define POSITIONAL_SETTINGS                                                    \
  EXEC("addAddressSettings(" S "," S "," S                                     \
       ",long,boolean,int,long,int,int,long,double,long,long,boolean," S       \
       ",long,long," S                                                         \
       ",boolean,boolean,boolean,boolean,boolean,boolean,boolean,boolean)",    \
       C ",\"\",\"\",-1,false,10,1048576,1048576,5,0,1,0,-1,false,\"DROP\","   \
         "-1,5,\"NOTIFY\",false,false,false,false,false,false,false,false")
#define JSON_SETTINGS                                                          \
  EXEC("addAddressSettings(" S "," S ")",                                      \
       C ",\"{\\\"maxSizeBytes\\\":1048576,\\\"pageSizeBytes\\\":1048576,"     \
         "\\\"addressFullMessagePolicy\\\":\\\"DROP\\\","                      \
         "\\\"deadLetterAddress\\\":\\\"\\\",\\\"expiryAddress\\\":\\\"\\\","  \
         "\\\"autoCreateQueues\\\":false,\\\"autoDeleteQueues\\\":false,"      \
         "\\\"autoCreateAddresses\\\":false,"                                  \
         "\\\"autoDeleteAddresses\\\":false}\"")
#define POSITIONAL_SECURITY(role)                                              \
  EXEC("addSecuritySettings(" S "," S "," S "," S "," S "," S "," S "," S      \
       "," S "," S "," S ")",                                                  \
       C ",\"\"," role ",\"\",\"\",\"\",\"\",\"\"," role ",\"\",\"\"")
#define JSON_SECURITY(json)                                                    \
  EXEC("addSecuritySettings(" S "," S ")", C ",\"" json "\"")
#define POSITIONAL_DIVERT(filter)                                              \
  EXEC("createDivert(" S "," S "," S "," S ",boolean," S "," S "," S ")",      \
       D "," D ",\"ORDERS\"," C ",false," filter ",null,\"ANYCAST\"")
#define JSON_DIVERT(filter)                                                    \
  EXEC("createDivert(" S ")",                                                  \
       "\"{\\\"name\\\":\\\"jolokia.divert.ORDERS\\\","                        \
       "\\\"routing-name\\\":\\\"jolokia.divert.ORDERS\\\","                   \
       "\\\"address\\\":\\\"ORDERS\\\","                                       \
       "\\\"forwarding-address\\\":\\\"jolokia.capture.ORDERS\\\"," filter     \
       "\\\"exclusive\\\":false,\\\"routing-type\\\":\\\"ANYCAST\\\"}\"")

static const struct {
  unsigned version;
  const char *step;
  const char *role, *filter;
  const char *body;
} requests[] = {
    {2018, "add address settings", NULL, NULL, POSITIONAL_SETTINGS},
    {2031, "add address settings", NULL, NULL, POSITIONAL_SETTINGS},
    {2032, "add address settings", NULL, NULL, JSON_SETTINGS},
    {2040, "add address settings", NULL, NULL, JSON_SETTINGS},
    {2018, "add security settings", NULL, NULL, POSITIONAL_SECURITY("\"\"")},
    {2049, "add security settings", "ops", NULL,
     POSITIONAL_SECURITY("\"ops\"")},
    {2050, "add security settings", NULL, NULL, JSON_SECURITY("{}")},
    {2050, "add security settings", "ops", NULL,
     JSON_SECURITY(
         "{\\\"consume\\\":[\\\"ops\\\"],\\\"browse\\\":[\\\"ops\\\"]}")},
    {2018, "create address", NULL, NULL,
     EXEC("createAddress(" S "," S ")", C ",\"ANYCAST\"")},
    {2018, "create queue", NULL, NULL,
     EXEC("createQueue(" S ")",
          "\"{\\\"name\\\":\\\"jolokia.capture.ORDERS\\\","
          "\\\"address\\\":\\\"jolokia.capture.ORDERS\\\","
          "\\\"routing-type\\\":\\\"ANYCAST\\\",\\\"durable\\\":false,"
          "\\\"ring-size\\\":100,\\\"auto-create-address\\\":false,"
          "\\\"auto-delete\\\":false}\"")},
    {2037, "create divert", NULL, NULL, POSITIONAL_DIVERT("null")},
    {2018, "create divert", NULL, "a = 'b'", POSITIONAL_DIVERT("\"a = 'b'\"")},
    {2038, "create divert", NULL, NULL, JSON_DIVERT("")},
    {2040, "create divert", NULL, "a = 'b\"'",
     JSON_DIVERT("\\\"filter-string\\\":\\\"a = 'b\\\\\\\"'\\\",")},
};

START_TEST(requests_by_version) {
  struct capture_options wanted = options;
  struct step_request request;
  struct error error;
  struct buf body;
  wanted.role = requests[_i].role;
  wanted.filter = requests[_i].filter;
  begin(&wanted, requests[_i].version);
  buf_init(&body, 65536);
  ck_assert_uint_eq(build(&capture_install_table, requests[_i].step, &request),
                    1);
  ck_assert_int_eq(request_build(&body, request.operations, 1, &error),
                   STATUS_OK);
  ck_assert_str_eq(buf_text(&body), requests[_i].body);
  ck_assert(operation_is_change(&request.operations[0]));
  buf_fini(&body);
}
END_TEST

/* -- What the look finds -- */

enum { SETTINGS, OTHER_SETTINGS, ROLES, OTHER_ROLES, ADDRESS, QUEUE, DIVERT };

static struct value text(const char *text) {
  return (struct value){
      .type = VALUE_TEXT, .text = text, .text_len = strlen(text)};
}
static struct value number(int64_t number) {
  return (struct value){.type = VALUE_INT, .integer = number};
}
static struct value truth(bool is_true) {
  return (struct value){.type = VALUE_BOOL, .integer = is_true};
}

static struct error items[8];

static void row_of(size_t item, const struct value *values, size_t n) {
  const struct row row = {"", 0, values, n};
  capture_install_table.inspect->row(&capture, item, &row);
}

static const char other_settings[] =
    "{\"addressFullMessagePolicy\":\"PAGE\",\"maxSizeBytes\":-1,"
    "\"deadLetterAddress\":\"DLQ\",\"expiryAddress\":\"ExpiryQueue\"}";
static const char own_settings[] =
    "{\"addressFullMessagePolicy\":\"DROP\",\"maxSizeBytes\":1048576,"
    "\"deadLetterAddress\":\"\",\"expiryAddress\":\"\"}";
static const char old_settings[] =
    "{\"DLA\":\"\",\"expiryAddress\":\"\",\"maxSizeBytes\":1048576,"
    "\"addressFullMessagePolicy\":\"DROP\"}";

static void begin_look(const char *settings) {
  const struct value own = text(settings), other = text(other_settings);
  const struct value amq[] = {text("amq"), truth(true), truth(true),
                              truth(true)};
  struct step_request request;
  struct error error;
  request.n = 0;
  ck_assert_int_eq(capture_install_table.inspect->build(&capture, &identity,
                                                        &request, &error),
                   STATUS_OK);
  ck_assert_uint_eq(request.n, DIVERT + 1);
  for (size_t i = 0; i < request.n; i++) {
    ck_assert(!operation_is_change(&request.operations[i]));
    ck_assert_int_eq(operation_check(&request.operations[i], &error),
                     STATUS_OK);
  }
  memset(items, 0, sizeof(items));
  row_of(SETTINGS, &own, 1);
  row_of(OTHER_SETTINGS, &other, 1);
  row_of(OTHER_ROLES, amq, 4);
}

static void parts(int64_t ring, const char *to, bool is_exclusive,
                  const char *filter) {
  const struct value types = text("[\"ANYCAST\"]");
  const struct value queue[] = {number(ring), number(3)};
  const struct value divert[] = {text("ORDERS"), text(to), truth(is_exclusive),
                                 text(filter)};
  row_of(ADDRESS, &types, 1);
  row_of(QUEUE, queue, 2);
  row_of(DIVERT, divert, 4);
}

static enum status check(void) {
  struct error error;
  return capture_install_table.inspect->check(&capture, items, &error);
}

START_TEST(whole) {
  begin(&options, 2040);
  begin_look(_i ? old_settings : own_settings);
  parts(100, "jolokia.capture.ORDERS", false, "");
  ck_assert_int_eq(check(), STATUS_OK);
  ck_assert(capture_is_whole(&capture.found));
  ck_assert(capture_is_kept(&capture));
  ck_assert_int_eq(capture.found.n_messages, 3);
  /* So nothing is to be done. */
  struct step_request request;
  for (size_t i = 2; i < capture_install_table.n; i++)
    ck_assert_uint_eq(build(&capture_install_table,
                            capture_install_table.steps[i].name, &request),
                      0);
}
END_TEST

static const struct {
  int64_t ring;
  const char *to;
  bool is_exclusive;
  const char *filter;
  const char *settings;
} unfit[] = {
    {99, "jolokia.capture.ORDERS", false, "", own_settings},
    {100, "elsewhere", false, "", own_settings},
    {100, "jolokia.capture.ORDERS", true, "", own_settings},
    {100, "jolokia.capture.ORDERS", false, "a = 1", own_settings},
    {100, "jolokia.capture.ORDERS", false, "", other_settings},
    {100, "jolokia.capture.ORDERS", false, "",
     "{\"addressFullMessagePolicy\":\"PAGE\",\"maxSizeBytes\":1048576}"},
    {100, "jolokia.capture.ORDERS", false, "",
     "{\"addressFullMessagePolicy\":\"DROP\",\"maxSizeBytes\":1048576,"
     "\"DLA\":\"DLQ\"}"},
    {100, "jolokia.capture.ORDERS", false, "", "no object"},
};

START_TEST(not_as_asked_for) {
  begin(&options, 2040);
  begin_look(unfit[_i].settings);
  parts(unfit[_i].ring, unfit[_i].to, unfit[_i].is_exclusive, unfit[_i].filter);
  ck_assert_int_eq(check(), STATUS_OK);
  ck_assert(capture_is_any(&capture.found));
  ck_assert(!capture_is_whole(&capture.found));
}
END_TEST

START_TEST(nothing_there) {
  begin(&options, 2040);
  begin_look(other_settings);
  const struct value amq[] = {text("amq"), truth(true), truth(true),
                              truth(true)};
  row_of(ROLES, amq, 4);
  for (size_t i = ADDRESS; i <= DIVERT; i++)
    items[i].kind = STATUS_NOT_FOUND;
  ck_assert_int_eq(check(), STATUS_OK);
  ck_assert(!capture_is_any(&capture.found));
}
END_TEST

/* Settings alone: a run that was killed early. */
START_TEST(settings_alone) {
  struct step_request request;
  begin(&options, 2018);
  begin_look(own_settings);
  for (size_t i = ADDRESS; i <= DIVERT; i++)
    items[i].kind = STATUS_NOT_FOUND;
  ck_assert_int_eq(check(), STATUS_OK);
  ck_assert(capture.found.has_settings);
  ck_assert(capture.found.has_security); /* nobody may, elsewhere amq may */
  ck_assert_uint_eq(
      build(&capture_install_table, "remove address settings", &request), 1);
  ck_assert_uint_eq(build(&capture_install_table, "remove queue", &request), 0);
}
END_TEST

static const struct {
  const char *role;
  const char *found[2];
  bool may_send;
  bool fits;
} roles[] = {
    {NULL, {NULL, NULL}, false, true},
    {NULL, {"amq", NULL}, false, false},
    {"ops", {"ops", NULL}, false, true},
    {"ops", {"ops", NULL}, true, false},
    {"ops", {"amq", NULL}, false, false},
    {"ops", {NULL, NULL}, false, false},
    {"ops", {"ops", "amq"}, false, false},
    {"ops", {"amq", "ops"}, false, false},
};

START_TEST(who_may_read) {
  struct capture_options wanted = options;
  wanted.role = roles[_i].role;
  begin(&wanted, 2040);
  begin_look(own_settings);
  for (size_t i = 0; i < 2 && roles[_i].found[i]; i++) {
    const struct value values[] = {text(roles[_i].found[i]),
                                   truth(roles[_i].may_send), truth(true),
                                   truth(true)};
    row_of(ROLES, values, 4);
  }
  ck_assert_int_eq(check(), STATUS_OK);
  ck_assert_int_eq(capture.found.security_fits, roles[_i].fits);
}
END_TEST

START_TEST(a_look_that_is_refused) {
  begin(&options, 2040);
  begin_look(own_settings);
  items[_i].kind = STATUS_ITEM_DENIED;
  ck_assert_int_eq(check(), STATUS_ITEM_DENIED);
  /* Parts may be missing, the settings of a name never are. */
  items[_i].kind = STATUS_NOT_FOUND;
  ck_assert_int_eq(check(), _i < ADDRESS ? STATUS_NOT_FOUND : STATUS_OK);
}
END_TEST

/* -- Names -- */

static const struct {
  const char *name;
  bool is_one;
} names[] = {
    {"ORDERS", true},
    {"a.b-c_9", true},
    {"9", true},
    {"", false},
    {"-", false},
    {".a", false},
    {"a,b", false},
    {"a#", false},
    {"a*", false},
    {"a::b", false},
    {"a b", false},
    {"\303\274", false},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     false},
};

START_TEST(names_of_captures) {
  struct capture_options wanted = options;
  struct error error;
  wanted.name = names[_i].name;
  ck_assert_int_eq(capture_is_name(names[_i].name), names[_i].is_one);
  ck_assert_int_eq(capture_check(&wanted, &error),
                   names[_i].is_one ? STATUS_OK : STATUS_INVALID);
}
END_TEST

START_TEST(one_role_alone) {
  struct capture_options wanted = options;
  struct error error;
  wanted.role = "a,b";
  ck_assert_int_eq(capture_check(&wanted, &error), STATUS_INVALID);
}
END_TEST

/* -- Removing: which one -- */

static void found(const char *divert, const char *address) {
  const struct value value = text(address);
  char name[256];
  snprintf(name, sizeof(name),
           BROKER ",component=addresses,address=\"x\",subcomponent=diverts,"
                  "divert=\"%s\"",
           divert);
  const struct row row = {name, strlen(name), &value, 1};
  capture_remove_table.steps[0].row(&capture, 0, &row);
}

static enum status which(const char *word) {
  struct error error;
  ck_assert_int_eq(capture_init_removal(&capture, "d", word, &error),
                   STATUS_OK);
  found("jolokia.divert.one", "ORDERS");
  found("jolokia.divert.two", "ORDERS");
  found("jolokia.divert.three", "other");
  found("jolokia.divert.other", "third");
  memset(items, 0, sizeof(items));
  return capture_remove_table.steps[0].check(&capture, items, &error);
}

static const struct {
  const char *word;
  enum status status;
  const char *name;
} words[] = {
    {"one", STATUS_OK, "one"},        {"third", STATUS_OK, "other"},
    {"other", STATUS_OK, "other"},    /* a name comes first */
    {"ORDERS", STATUS_INVALID, NULL}, /* of two */
    {"gone", STATUS_OK, "gone"},      /* what is left may have no divert */
    {"no name", STATUS_OK, ""},
};

START_TEST(which_is_removed) {
  ck_assert_int_eq(which(words[_i].word), words[_i].status);
  if (words[_i].name)
    ck_assert_str_eq(capture.name, words[_i].name);
}
END_TEST

#define N(array) (int)(sizeof(array) / sizeof(*(array)))

int main(void) {
  Suite *suite = suite_create("capture");
  TCase *tcase = tcase_create("capture");
  TCase *plain = tcase_create("names");
  tcase_add_checked_fixture(tcase, NULL, teardown);
  tcase_add_loop_test(tcase, requests_by_version, 0, N(requests));
  tcase_add_loop_test(tcase, whole, 0, 2);
  tcase_add_loop_test(tcase, not_as_asked_for, 0, N(unfit));
  tcase_add_test(tcase, nothing_there);
  tcase_add_test(tcase, settings_alone);
  tcase_add_loop_test(tcase, who_may_read, 0, N(roles));
  tcase_add_loop_test(tcase, a_look_that_is_refused, 0, DIVERT + 1);
  tcase_add_loop_test(tcase, which_is_removed, 0, N(words));
  tcase_add_loop_test(plain, names_of_captures, 0, N(names));
  tcase_add_test(plain, one_role_alone);
  suite_add_tcase(suite, tcase);
  suite_add_tcase(suite, plain);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
