/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/queue_delete.h"

#include <check.h>
#include <string.h>

#define DOMAIN "org.apache.activemq.artemis"
#define BROKER DOMAIN ":broker=\"b\""

enum { FIND, BINDINGS, COUNT, DESTROY, VERIFY };

static struct queue_delete queue;
static struct identity identity = {.broker_mbean = BROKER};
static struct error items[8];

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

static const struct step *step(size_t i) {
  return &queue_delete_table.steps[i];
}

static void begin(const char *name) {
  struct error error;
  ck_assert_int_eq(queue_delete_init(&queue, DOMAIN, name, false, &error),
                   STATUS_OK);
  memset(items, 0, sizeof(items));
}

static void teardown(void) { queue_delete_fini(&queue); }

static void build(size_t i, struct step_request *ret) {
  struct error error;
  ret->n = 0;
  ck_assert_int_eq(step(i)->build(&queue, &identity, ret, &error), STATUS_OK);
}

static void find(const char *mbean, int64_t messages, int64_t consumers) {
  const struct value values[] = {number(messages), number(consumers),
                                 truth(true), truth(false), truth(false)};
  const struct row row = {mbean, strlen(mbean), values, 5};
  step(FIND)->row(&queue, 0, &row);
}

#define QUEUE(address, name)                                                   \
  BROKER ",component=addresses,address=" address ",subcomponent=queues,"       \
         "routing-type=\"anycast\",queue=" name

static void found(void) {
  struct error error;
  find(QUEUE("\"many\"", "\"plain\""), 1000, 2);
  ck_assert_int_eq(step(FIND)->check(&queue, items, &error), STATUS_OK);
}

START_TEST(it_is_found) {
  struct step_request request;
  begin("plain");
  build(FIND, &request);
  ck_assert_uint_eq(request.n, 1);
  ck_assert_str_eq(request.operations[0].mbean,
                   DOMAIN ":broker=*,component=addresses,address=*,"
                          "subcomponent=queues,routing-type=*,queue=\"plain\"");
  found();
  ck_assert_str_eq(queue.address, "many");
  ck_assert_str_eq(queue.routing_type, "anycast");
  ck_assert_int_eq(queue.n_messages, 1000);
  ck_assert_int_eq(queue.n_consumers, 2);
  ck_assert(queue.is_durable);
}
END_TEST

START_TEST(odd_names_are_quoted) {
  struct step_request request;
  begin("odd,\"a::odd,\"*q");
  build(FIND, &request);
  ck_assert_str_eq(request.operations[0].mbean,
                   DOMAIN ":broker=*,component=addresses,address=\"odd,\\\"a\","
                          "subcomponent=queues,routing-type=*,"
                          "queue=\"odd,\\\"\\*q\"");
  struct error error;
  find(QUEUE("\"odd,\\\"a\"", "\"odd,\\\"\\*q\""), 0, 0);
  ck_assert_int_eq(step(FIND)->check(&queue, items, &error), STATUS_OK);
  ck_assert_str_eq(queue.address, "odd,\"a");
  build(DESTROY, &request);
  ck_assert_str_eq(request.operations[0].arguments[0].text, "odd,\"*q");
}
END_TEST

START_TEST(two_of_one_name) {
  struct error error;
  begin("q");
  find(QUEUE("\"a\"", "\"q\""), 0, 0);
  find(QUEUE("\"b\"", "\"q\""), 0, 0);
  ck_assert_int_eq(step(FIND)->check(&queue, items, &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "a::q, b::q"));
}
END_TEST

START_TEST(none) {
  struct error error;
  begin("q");
  items[0].kind = STATUS_NOT_FOUND;
  ck_assert_int_eq(step(FIND)->check(&queue, items, &error), STATUS_NOT_FOUND);
}
END_TEST

static const char *const bad_names[] = {"", "::", "a::", "::q"};

START_TEST(no_names) {
  struct error error;
  ck_assert_int_eq(
      queue_delete_init(&queue, DOMAIN, bad_names[_i], false, &error),
      STATUS_INVALID);
}
END_TEST

static void bindings(bool is_auto, size_t n_queues) {
  const struct value value = truth(is_auto);
  const struct row address = {"", 0, &value, 1};
  const struct row name = {"x", 1, NULL, 0};
  struct step_request request;
  struct error error;
  build(BINDINGS, &request);
  ck_assert_uint_eq(request.n, 3);
  step(BINDINGS)->row(&queue, 0, &address);
  for (size_t i = 0; i < n_queues; i++)
    step(BINDINGS)->row(&queue, 1, &name);
  ck_assert_int_eq(step(BINDINGS)->check(&queue, items, &error), STATUS_OK);
}

static void divert(const char *name, const char *from, const char *to) {
  const struct value values[] = {text(name), text(from), text(to)};
  const struct row row = {"", 0, values, 3};
  step(BINDINGS)->row(&queue, 2, &row);
}

START_TEST(diverts_that_feed_it_and_that_are_bound) {
  begin("plain");
  found();
  divert("feeds", "ORDERS", "many");
  divert("bound", "many", "copies");
  divert("several", "ORDERS", "few,many");
  divert("other", "ORDERS", "many2");
  divert("none", "many2", "few");
  ck_assert_uint_eq(queue.n_diverts, 3);
  ck_assert_str_eq(
      buf_text(&queue.diverts),
      "feeds (from ORDERS), bound (to copies), several (from ORDERS)");
}
END_TEST

static const struct {
  bool is_auto;
  size_t n_queues;
  bool goes;
} addresses[] = {{true, 1, true}, {true, 2, false}, {false, 1, false}};

START_TEST(the_address_goes_with_its_last_queue) {
  struct step_request request;
  begin("plain");
  found();
  items[2].kind = STATUS_NOT_FOUND; /* no diverts at all */
  bindings(addresses[_i].is_auto, addresses[_i].n_queues);
  ck_assert_uint_eq(queue.n_others, addresses[_i].n_queues - 1);
  ck_assert_int_eq(queue_delete_takes_address(&queue), addresses[_i].goes);
  build(DESTROY, &request);
  ck_assert_uint_eq(request.n, 1);
  ck_assert_str_eq(request.operations[0].name,
                   "destroyQueue(java.lang.String,boolean,boolean)");
  ck_assert_int_eq(request.operations[0].arguments[1].integer, 0);
  ck_assert_int_eq(request.operations[0].arguments[2].integer,
                   addresses[_i].goes);
  ck_assert(operation_is_change(&request.operations[0]));
}
END_TEST

static enum status count(struct value messages, struct value consumers) {
  const struct value values[] = {messages, consumers};
  const struct row row = {"", 0, values, 2};
  struct step_request request;
  struct error error;
  build(COUNT, &request);
  ck_assert_uint_eq(request.n, 1);
  ck_assert(!operation_is_change(&request.operations[0]));
  ck_assert_str_eq(request.operations[0].mbean, QUEUE("\"many\"", "\"plain\""));
  step(COUNT)->row(&queue, 0, &row);
  return step(COUNT)->check(&queue, items, &error);
}

START_TEST(what_came_meanwhile_is_seen) {
  begin("plain");
  find(QUEUE("\"many\"", "\"plain\""), 0, 0);
  bindings(false, 1);
  ck_assert_uint_eq(QUEUE_DELETE_COUNTS, DESTROY);
  ck_assert_int_eq(count(number(3), number(1)), STATUS_OK);
  ck_assert_int_eq(queue.n_messages, 3);
  ck_assert_int_eq(queue.n_consumers, 1);
  ck_assert_int_eq(count(text("?"), number(1)), STATUS_MALFORMED_REPLY);
  items[0].kind = STATUS_NOT_FOUND;
  ck_assert_int_eq(count(number(0), number(0)), STATUS_NOT_FOUND);
}
END_TEST

START_TEST(whether_it_is_gone) {
  struct error error;
  begin("plain");
  ck_assert_int_eq(step(VERIFY)->check(&queue, items, &error),
                   STATUS_ITEM_ERROR);
  items[0].kind = STATUS_NOT_FOUND;
  ck_assert_int_eq(step(VERIFY)->check(&queue, items, &error), STATUS_OK);
  ck_assert(queue.is_gone);
  ck_assert(!queue.is_address_gone);
  ck_assert(step(DESTROY)->is_done(&queue));
  items[1].kind = STATUS_ITEM_DENIED;
  ck_assert_int_eq(step(VERIFY)->check(&queue, items, &error),
                   STATUS_ITEM_DENIED);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("queue_delete");
  TCase *tcase = tcase_create("queue_delete");
  tcase_add_checked_fixture(tcase, NULL, teardown);
  tcase_add_test(tcase, it_is_found);
  tcase_add_test(tcase, odd_names_are_quoted);
  tcase_add_test(tcase, two_of_one_name);
  tcase_add_test(tcase, none);
  tcase_add_loop_test(tcase, no_names, 0, 4);
  tcase_add_test(tcase, diverts_that_feed_it_and_that_are_bound);
  tcase_add_loop_test(tcase, the_address_goes_with_its_last_queue, 0, 3);
  tcase_add_test(tcase, what_came_meanwhile_is_seen);
  tcase_add_test(tcase, whether_it_is_gone);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
