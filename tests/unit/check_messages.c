/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/destination.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* -- Queues -- */

START_TEST(a_name_is_meant_as_it_is) {
  struct buf out;
  buf_init(&out, MESSAGES_MBEAN_MAX);
  message_queue_pattern(&out, "d", "a*,\"b");
  ck_assert_str_eq(buf_text(&out),
                   "d:broker=*,component=addresses,address=*,subcomponent="
                   "queues,routing-type=*,queue=\"a\\*,\\\"b\"");
  buf_clear(&out);
  message_queue_pattern(&out, "d", "a?::q");
  ck_assert_str_eq(buf_text(&out),
                   "d:broker=*,component=addresses,address=\"a\\?\","
                   "subcomponent=queues,routing-type=*,queue=\"q\"");
  buf_clear(&out);
  message_bound_pattern(&out, "d", "DLQ");
  ck_assert_str_eq(buf_text(&out),
                   "d:broker=*,component=addresses,address=\"DLQ\","
                   "subcomponent=queues,routing-type=*,queue=*");
  buf_fini(&out);
}
END_TEST

START_TEST(a_queue_is_read_from_its_object_name) {
  static const char name[] =
      "d:address=\"a\\*\",broker=\"b\",component=addresses,queue=\"q,\\\"x\","
      "routing-type=\"anycast\",subcomponent=queues";
  struct message_queue queue;
  ck_assert(message_queue_read(&queue, name, strlen(name)));
  ck_assert_str_eq(queue.name, "q,\"x");
  ck_assert_str_eq(queue.address, "a*");
  ck_assert_str_eq(queue.mbean, name);
  ck_assert(!message_queue_read(&queue, "d:broker=\"b\"", 12));
}
END_TEST

/* -- Changes -- */

static const struct {
  enum message_change change;
  const char *operation;
  size_t n_arguments;
} operations[] = {
    {MESSAGES_REMOVE, "removeMessage(long)", 1},
    {MESSAGES_MOVE, "moveMessage(long,java.lang.String)", 2},
    {MESSAGES_EXPIRE, "expireMessage(long)", 1},
    {MESSAGES_RETRY, "retryMessage(long)", 1},
    {MESSAGES_DEAD_LETTER, "sendMessageToDeadLetterAddress(long)", 1}};

START_TEST(a_change_is_one_operation_on_one_id) {
  struct message_arguments arguments;
  struct operation operation;
  struct error error;
  message_operation(operations[_i].change, "d:queue=\"q\"", "to", INT64_MAX,
                    &arguments, &operation);
  ck_assert_str_eq(operation.name, operations[_i].operation);
  ck_assert_uint_eq(operation.n_arguments, operations[_i].n_arguments);
  ck_assert_int_eq(operation.arguments[0].integer, INT64_MAX);
  ck_assert(operation_is_change(&operation));
  ck_assert_int_eq(operation_check(&operation, &error), STATUS_OK);
}
END_TEST

START_TEST(browsing_is_none) {
  struct browse_arguments arguments;
  struct operation operation;
  message_browse("d:queue=\"q\"", 3, NULL, &arguments, &operation);
  ck_assert_str_eq(operation.name, "browse(int,int)");
  ck_assert_int_eq(operation.arguments[0].integer, 3);
  ck_assert_int_eq(operation.arguments[1].integer, MESSAGES_PAGE);
  ck_assert_uint_eq(operation.n_arguments, 2);
  ck_assert(!operation_is_change(&operation));
  message_browse("d:queue=\"q\"", 1, "a = 1", &arguments, &operation);
  ck_assert_str_eq(operation.name, "browse(int,int,java.lang.String)");
  ck_assert_str_eq(operation.arguments[2].text, "a = 1");
  ck_assert(!operation_is_change(&operation));
}
END_TEST

static const struct value yes = {.type = VALUE_BOOL, .integer = 1};
static const struct value no = {.type = VALUE_BOOL};
static const struct value null = {.type = VALUE_NULL};

static const struct {
  struct item_result result;
  const struct value *value;
  enum message_outcome outcome;
  const char *why;
} outcomes[] = {
    {{.status = STATUS_OK}, &yes, MESSAGE_DONE, ""},
    {{.status = STATUS_OK}, &no, MESSAGE_NOT_NOW, ""},
    {{.status = STATUS_OK}, &null, MESSAGE_UNCLEAR, ""},
    {{.status = STATUS_OK}, NULL, MESSAGE_UNCLEAR, ""},
    {{.status = STATUS_MALFORMED_REPLY}, NULL, MESSAGE_UNCLEAR, ""},
    {{.status = STATUS_BUSY}, NULL, MESSAGE_BUSY, ""},
    {{.status = STATUS_ITEM_DENIED,
      .error_type = "java.lang.Exception",
      .error = "java.lang.Exception : User not authorized"},
     NULL,
     MESSAGE_FAILED,
     "item_denied: User not authorized"},
    {{.status = STATUS_ITEM_ERROR,
      .error_type = "x.ActiveMQAddressFullException",
      .error = "x.ActiveMQAddressFullException : AMQ229102: Address \"A\" is "
               "full"},
     NULL,
     MESSAGE_FULL,
     "the target is full (AMQ229102); the message is out of the queue until "
     "the broker is restarted, and back in it then"},
};

START_TEST(an_answer_has_one_outcome) {
  struct item_result result = outcomes[_i].result;
  struct error why = {.text = ""};
  result.error = result.error ? result.error : "";
  result.error_type = result.error_type ? result.error_type : "";
  ck_assert_int_eq(message_outcome(&result, outcomes[_i].value, &why),
                   outcomes[_i].outcome);
  ck_assert_str_eq(why.text, outcomes[_i].why);
}
END_TEST

static struct value object(const char *text) {
  return (struct value){
      .type = VALUE_OTHER, .text = text, .text_len = strlen(text)};
}

START_TEST(where_a_dead_letter_comes_from) {
  char queue[MESSAGES_NAME_MAX], address[MESSAGES_NAME_MAX];
  struct value texts = object("{\"a\":\"b\",\"_AMQ_ORIG_QUEUE\":\"q\\\"\","
                              "\"_AMQ_ORIG_ADDRESS\":\"007\"}");
  ck_assert(message_origin(&texts, queue, address, sizeof(queue)));
  ck_assert_str_eq(queue, "q\"");
  ck_assert_str_eq(address, "007");
  texts = object("{\"x-opt-ORIG-QUEUE\":\"q\",\"x-opt-ORIG-ADDRESS\":\"a\"}");
  ck_assert(message_origin(&texts, queue, address, sizeof(queue)));
  texts = object("{\"_AMQ_ORIG_ADDRESS\":\"a\"}");
  ck_assert(!message_origin(&texts, queue, address, sizeof(queue)));
  ck_assert(!message_origin(&null, queue, address, sizeof(queue)));
}
END_TEST

/* -- Whether it may begin -- */

static const struct message_queue queue = {.name = "Q", .address = "A"};

static const struct source whole = {.is_active = true,
                                    .is_there = true,
                                    .dead_letter = "DLQ",
                                    .expiry = "ExpiryQueue",
                                    .address_size = 1000,
                                    .max_bytes = -1};

static const struct {
  enum message_change change;
  bool is_backup, is_gone, is_paging, has_no_way;
  const char *own; /* dead-letter and expiry address */
  unsigned version;
  enum message_check check;
  const char *why;
} checks[] = {
    {.change = MESSAGES_REMOVE, .version = 2040},
    {.change = MESSAGES_MOVE, .version = 2018},
    {.change = MESSAGES_EXPIRE, .version = 2028},
    {.change = MESSAGES_DEAD_LETTER, .version = 2028},
    {.change = MESSAGES_REMOVE, .is_paging = true, .version = 2052},
    {.change = MESSAGES_REMOVE, .is_paging = true, .version = 2056},
    {MESSAGES_REMOVE, true, false, false, false, NULL, 2040, MESSAGES_UNSAFE,
     "the broker is not active"},
    {MESSAGES_REMOVE, false, true, false, false, NULL, 2040, MESSAGES_MISSING,
     "the queue Q does not answer"},
    {MESSAGES_DEAD_LETTER, false, false, true, false, NULL, 2018,
     MESSAGES_UNSAFE, "the address A is paging: dead-lettering"},
    {MESSAGES_REMOVE, false, false, true, false, NULL, 2053, MESSAGES_UNSAFE,
     "the address A is paging: removing by id can deadlock"},
    {MESSAGES_DEAD_LETTER, false, false, false, true, NULL, 2040,
     MESSAGES_UNSAFE, "the queue Q has no dead-letter address"},
    {MESSAGES_EXPIRE, false, false, false, true, NULL, 2040, MESSAGES_UNSAFE,
     "the queue Q has no expiry address"},
    {MESSAGES_DEAD_LETTER, false, false, false, false, "A", 2040,
     MESSAGES_UNSAFE, "the queue Q is of its own dead-letter address"},
    {MESSAGES_EXPIRE, false, false, false, false, "A", 2040, MESSAGES_UNSAFE,
     "the queue Q is of its own expiry address"},
};

START_TEST(what_does_damage_is_refused) {
  struct source source = whole;
  struct error why = {.text = ""};
  source.is_active = !checks[_i].is_backup;
  source.is_there = !checks[_i].is_gone;
  source.is_paging = checks[_i].is_paging;
  if (checks[_i].has_no_way)
    source.dead_letter[0] = source.expiry[0] = '\0';
  if (checks[_i].own) {
    strcpy(source.dead_letter, checks[_i].own);
    strcpy(source.expiry, checks[_i].own);
  }
  ck_assert_int_eq(source_check(&source, &queue, checks[_i].change,
                                checks[_i].version, &why),
                   checks[_i].check);
  const char *expected = checks[_i].why ? checks[_i].why : "";
  ck_assert_msg(strncmp(why.text, expected, strlen(expected)) == 0, "%s",
                why.text);
}
END_TEST

static const struct {
  int64_t address_size, max_bytes;
  bool is_soon;
} sizes[] = {{49, 100, false}, {50, 100, false}, {51, 100, true},
             {-1, 100, true},  {1, -1, true},    {1, 0, true}};

START_TEST(an_address_may_page_soon) {
  struct source source = whole;
  source.address_size = sizes[_i].address_size;
  source.max_bytes = sizes[_i].max_bytes;
  ck_assert_int_eq(source_may_page_soon(&source), sizes[_i].is_soon);
}
END_TEST

START_TEST(what_is_not_known_of_a_queue_is_not_quiet) {
  static const struct value columns[7] = {{.type = VALUE_INT, .integer = 9},
                                          {.type = VALUE_INT, .integer = 5}};
  static const struct value no_id[7] = {[1] = {.type = VALUE_INT}};
  const struct row row = {.columns = columns, .n_columns = 7};
  const struct row other = {.columns = no_id, .n_columns = 7};
  struct source_reader reader;
  ck_assert_int_eq(source_reader_init(&reader, "d:broker=\"b\"", &queue),
                   STATUS_OK);
  source_row(&reader, 1, &row);
  ck_assert(reader.found.is_there && !source_is_quiet(&reader.found));
  ck_assert(!reader.found.is_active);
  ck_assert_int_eq(reader.found.queue_id, 9);
  source_row(&reader, 1, &other);
  ck_assert(!reader.found.is_there);
  source_reader_fini(&reader);
  ck_assert(source_is_quiet(&whole));
}
END_TEST

/* A size that is none: whatever the broker says, sums of it are numbers. */
START_TEST(a_size_that_no_broker_has_is_not_believed) {
  static const int64_t said[] = {INT64_MAX, INT64_MIN};
  const struct destination target = {
      .may_lose = true, .address_size = 0, .max_bytes = 1000000};
  struct value columns[2] = {{.type = VALUE_BOOL}, {.type = VALUE_INT}};
  const struct row row = {.columns = columns, .n_columns = 2};
  struct source_reader reader;
  ck_assert_int_eq(source_reader_init(&reader, "d:broker=\"b\"", &queue),
                   STATUS_OK);
  columns[1].integer = said[_i];
  source_row(&reader, 2, &row);
  ck_assert(destination_is_tight(&target, &reader.found, 1000));
  ck_assert(source_may_page_soon(&reader.found));
  source_reader_fini(&reader);
}
END_TEST

/* -- Whether they take it -- */

static const struct {
  const char *settings;
  int64_t size, percent;
  uint64_t n;
  bool is_absent, is_paging;
  enum message_check check;
  int64_t global_max, global_size;
} rooms[] = {
    {"{\"addressFullMessagePolicy\":\"PAGE\",\"maxSizeBytes\":10}", 100, 0,
     1000, false, false, MESSAGES_SAFE, 0, 0},
    {"{}", 100, 0, 1000, false, false, MESSAGES_SAFE, 0, 0},
    {"{\"addressFullMessagePolicy\":\"FAIL\",\"maxSizeBytes\":-1}", 100, 0,
     1000, false, false, MESSAGES_SAFE, 0, 0},
    {"{\"addressFullMessagePolicy\":\"FAIL\",\"maxSizeBytes\":100000}", 100, 0,
     10, false, false, MESSAGES_SAFE, 0, 0},
    {"{\"addressFullMessagePolicy\":\"FAIL\",\"maxSizeBytes\":100000}", 100, 0,
     1000, false, false, MESSAGES_UNSAFE, 0, 0},
    {"{\"addressFullMessagePolicy\":\"DROP\",\"maxSizeBytes\":100000}", 99000,
     0, 10, false, false, MESSAGES_UNSAFE, 0, 0},
    {"{\"addressFullMessagePolicy\":\"DROP\",\"maxSizeBytes\":100000}", 100, 0,
     10, false, true, MESSAGES_UNSAFE, 0, 0},
    {"{\"addressFullMessagePolicy\":\"FAIL\",\"maxSizeMessages\":1000}", 100,
     50, 400, false, false, MESSAGES_SAFE, 0, 0},
    {"{\"addressFullMessagePolicy\":\"FAIL\",\"maxSizeMessages\":1000}", 100,
     90, 400, false, false, MESSAGES_UNSAFE, 0, 0},
    {"no JSON", 100, 0, 1, false, false, MESSAGES_UNSAFE, 0, 0},
    {"{}", 100, 0, 1, true, false, MESSAGES_MISSING, 0, 0},
    /* The broker's memory: without limits of its own, and with. */
    {"{\"addressFullMessagePolicy\":\"FAIL\",\"maxSizeBytes\":-1}", 100, 0, 10,
     false, false, MESSAGES_SAFE, 10000, 3000},
    {"{\"addressFullMessagePolicy\":\"FAIL\",\"maxSizeBytes\":-1}", 100, 0, 10,
     false, false, MESSAGES_UNSAFE, 10000, 4000},
    {"{\"addressFullMessagePolicy\":\"DROP\",\"maxSizeBytes\":0}", 100, 0, 10,
     false, true, MESSAGES_UNSAFE, 10000, 0},
    {"{\"addressFullMessagePolicy\":\"DROP\",\"maxSizeBytes\":100000}", 100, 0,
     10, false, false, MESSAGES_UNSAFE, 10000, 9000},
    {"{\"addressFullMessagePolicy\":\"DROP\"}", 100, 0, 10, false, false,
     MESSAGES_UNSAFE, 10000, -1},
    {"{\"addressFullMessagePolicy\":\"PAGE\"}", 100, 0, 10, false, false,
     MESSAGES_SAFE, 10000, 9999},
    {"{\"addressFullMessagePolicy\":\"DROP\"}", 100, 0, 10, false, false,
     MESSAGES_SAFE, -1, -1},
};

START_TEST(a_target_that_may_not_take_all_is_refused) {
  struct destinations to = {.n = 0};
  const struct value queues[5] = {{.type = VALUE_ABSENT}};
  const struct value address[3] = {
      {.type = VALUE_BOOL},
      {.type = VALUE_INT, .integer = rooms[_i].size},
      {.type = VALUE_INT, .integer = rooms[_i].percent}};
  const struct value settings = {.type = VALUE_TEXT,
                                 .text = rooms[_i].settings,
                                 .text_len = strlen(rooms[_i].settings)};
  const struct row rows[3] = {{.columns = queues, .n_columns = 5},
                              {.columns = address, .n_columns = 3},
                              {.columns = &settings, .n_columns = 1}};
  struct source source = whole;
  struct error why;
  source.is_paging = rooms[_i].is_paging;
  source.global_max = rooms[_i].global_max;
  source.global_size = rooms[_i].global_size;
  ck_assert_uint_eq(destinations_add(&to, "T", "T"), 0);
  ck_assert_uint_eq(destinations_add(&to, "T", "T"), 0);
  ck_assert_int_eq(destinations_prepare(&to, "d", "d:broker=\"b\""), STATUS_OK);
  for (size_t i = rooms[_i].is_absent; i < 3; i++)
    destinations_row(&to, i, &rows[i]);
  ck_assert_int_eq(
      destination_check(&to.list[0], &source, rooms[_i].n, false, &why),
      rooms[_i].check);
  destinations_fini(&to);
}
END_TEST

static const struct {
  struct value columns[5]; /* Enabled, purges, ring, messages, consumers */
  const char *queue;
  const char *why; /* NULL: it takes 10 */
} takers[] = {
    {{{.type = VALUE_ABSENT}}, "T", NULL}, /* an old broker: not known */
    {{{.type = VALUE_BOOL, .integer = 1}}, "T", NULL},
    {{{.type = VALUE_BOOL, .integer = 0}}, "T", "disabled"},
    {{{.type = VALUE_BOOL, .integer = 0}}, "", NULL}, /* one of an address */
    {{[1] = {.type = VALUE_BOOL, .integer = 1}, [4] = {.type = VALUE_INT}},
     "T",
     "purge-on-no-consumers"},
    {{[1] = {.type = VALUE_BOOL, .integer = 1},
      [4] = {.type = VALUE_INT, .integer = 1}},
     "T",
     NULL},
    {{[2] = {.type = VALUE_INT, .integer = -1},
      [3] = {.type = VALUE_INT, .integer = 5}},
     "T",
     NULL},
    {{[2] = {.type = VALUE_INT, .integer = 15},
      [3] = {.type = VALUE_INT, .integer = 5}},
     "T",
     NULL},
    {{[2] = {.type = VALUE_INT, .integer = 15},
      [3] = {.type = VALUE_INT, .integer = 6}},
     "T",
     "ring-size"},
    {{[2] = {.type = VALUE_INT, .integer = 15}}, "T", "ring-size"},
};

START_TEST(a_target_that_drops_what_it_is_sent_is_refused) {
  struct destinations to = {.n = 0};
  const struct value address[3] = {{.type = VALUE_BOOL}};
  const struct value settings = {
      .type = VALUE_TEXT, .text = "{}", .text_len = 2};
  const struct row rows[3] = {{.columns = takers[_i].columns, .n_columns = 5},
                              {.columns = address, .n_columns = 3},
                              {.columns = &settings, .n_columns = 1}};
  struct error why = {.text = ""};
  destinations_add(&to, takers[_i].queue, "T");
  ck_assert_int_eq(destinations_prepare(&to, "d", "d:broker=\"b\""), STATUS_OK);
  for (size_t i = 0; i < 3; i++)
    destinations_row(&to, i, &rows[i]);
  ck_assert_int_eq(destination_check(&to.list[0], &whole, 10, false, &why),
                   takers[_i].why ? MESSAGES_UNSAFE : MESSAGES_SAFE);
  ck_assert_ptr_nonnull(strstr(why.text, takers[_i].why ? takers[_i].why : ""));
  destinations_begin(&to);
  ck_assert(!to.list[0].is_off && !to.list[0].is_purged);
  ck_assert_int_eq(to.list[0].ring, -1);
  destinations_fini(&to);
}
END_TEST

START_TEST(targets_are_bounded) {
  struct destinations to = {.n = 0};
  char name[16];
  for (int i = 0; i <= DESTINATIONS_MAX; i++) {
    snprintf(name, sizeof(name), "%d", i);
    ck_assert_uint_eq(destinations_add(&to, "", name),
                      i < DESTINATIONS_MAX ? (size_t)i : SIZE_MAX);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("messages");
  TCase *tcase = tcase_create("messages");
  tcase_add_test(tcase, a_name_is_meant_as_it_is);
  tcase_add_test(tcase, a_queue_is_read_from_its_object_name);
  tcase_add_loop_test(tcase, a_change_is_one_operation_on_one_id, 0,
                      sizeof(operations) / sizeof(*operations));
  tcase_add_test(tcase, browsing_is_none);
  tcase_add_loop_test(tcase, an_answer_has_one_outcome, 0,
                      sizeof(outcomes) / sizeof(*outcomes));
  tcase_add_test(tcase, where_a_dead_letter_comes_from);
  tcase_add_loop_test(tcase, what_does_damage_is_refused, 0,
                      sizeof(checks) / sizeof(*checks));
  tcase_add_loop_test(tcase, an_address_may_page_soon, 0, 6);
  tcase_add_test(tcase, what_is_not_known_of_a_queue_is_not_quiet);
  tcase_add_loop_test(tcase, a_size_that_no_broker_has_is_not_believed, 0, 2);
  tcase_add_loop_test(tcase, a_target_that_may_not_take_all_is_refused, 0,
                      sizeof(rooms) / sizeof(*rooms));
  tcase_add_loop_test(tcase, a_target_that_drops_what_it_is_sent_is_refused, 0,
                      sizeof(takers) / sizeof(*takers));
  tcase_add_test(tcase, targets_are_bounded);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
