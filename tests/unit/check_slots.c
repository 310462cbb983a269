/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/slots.h"

#include <check.h>

#define S INT64_C(1000000000)

static struct slots slots;
static struct slot nodes[32];

static void setup(void) {
  slots = (struct slots){.held = 0};
  for (int i = 0; i < 32; i++)
    nodes[i] = (struct slot){.record = SLOT_UNTRIED};
}

/* How many of 32 nodes of that record get a slot. */
static uint32_t started(enum slot_record record) {
  uint32_t n = 0;
  for (int i = 0; i < 32; i++) {
    nodes[i].record = record;
    if (!slot_may_take(&slots, &nodes[i]))
      continue;
    slot_take(&slots, &nodes[i]);
    n++;
  }
  return n;
}

START_TEST(sixteen_at_once_of_failed_nodes_half_as_many) {
  static const struct {
    enum slot_record record;
    uint32_t n;
  } cases[] = {{SLOT_GOOD, 16}, {SLOT_UNTRIED, 12}, {SLOT_FAILED, 8}};
  ck_assert_uint_eq(started(cases[_i].record), cases[_i].n);
  ck_assert_uint_eq(slots.held, cases[_i].n);
}
END_TEST

START_TEST(dead_names_leave_room_for_the_living) {
  ck_assert_uint_eq(started(SLOT_FAILED), 8);
  struct slot living = {.record = SLOT_GOOD};
  ck_assert(slot_may_take(&slots, &living));
  struct slot unknown = {.record = SLOT_UNTRIED};
  ck_assert(slot_may_take(&slots, &unknown));
}
END_TEST

START_TEST(one_connection_at_a_time_for_a_node) {
  slot_take(&slots, &nodes[0]);
  ck_assert(!slot_may_take(&slots, &nodes[0]));
  ck_assert(slot_connected(&slots, &nodes[0]));
  ck_assert_uint_eq(slots.held, 0);
  ck_assert_int_eq(nodes[0].record, SLOT_GOOD);
  ck_assert(slot_may_take(&slots, &nodes[0]));
}
END_TEST

START_TEST(a_failed_connect_frees_its_slot_and_is_remembered) {
  slot_take(&slots, &nodes[0]);
  ck_assert(slot_failed(&slots, &nodes[0], false, 0));
  ck_assert_uint_eq(slots.held, 0);
  ck_assert_int_eq(nodes[0].record, SLOT_FAILED);
}
END_TEST

START_TEST(a_look_up_that_was_given_up_keeps_its_slot_for_30_s) {
  slot_take(&slots, &nodes[0]);
  ck_assert(!slot_failed(&slots, &nodes[0], true, 100 * S));
  ck_assert_uint_eq(slots.held, 1);
  ck_assert(!slot_may_take(&slots, &nodes[0]));
  ck_assert(!slot_expire(&slots, &nodes[0], 130 * S - 1));
  ck_assert(slot_expire(&slots, &nodes[0], 130 * S));
  ck_assert(!slot_expire(&slots, &nodes[0], 130 * S));
  ck_assert_uint_eq(slots.held, 0);
  ck_assert(slot_may_take(&slots, &nodes[0]));
}
END_TEST

START_TEST(our_own_cancel_tells_nothing_of_the_node) {
  nodes[0].record = SLOT_GOOD;
  slot_take(&slots, &nodes[0]);
  ck_assert(slot_cancelled(&slots, &nodes[0], false, 0));
  ck_assert_int_eq(nodes[0].record, SLOT_GOOD);
  slot_take(&slots, &nodes[0]);
  ck_assert(!slot_cancelled(&slots, &nodes[0], true, S));
  ck_assert(!slot_expire(&slots, &nodes[0], 30 * S));
  ck_assert(slot_expire(&slots, &nodes[0], 31 * S));
}
END_TEST

START_TEST(without_a_take_nothing_is_freed) {
  ck_assert(!slot_connected(&slots, &nodes[0]));
  ck_assert(!slot_failed(&slots, &nodes[0], true, 0));
  ck_assert_uint_eq(slots.held, 0);
  ck_assert_int_eq(nodes[0].lookup_until_ns, 0);
  slot_take(&slots, &nodes[1]);
  slot_take(&slots, &nodes[1]);
  ck_assert_uint_eq(slots.held, 1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("slots");
  TCase *tcase = tcase_create("slots");
  tcase_add_checked_fixture(tcase, setup, NULL);
  tcase_add_loop_test(tcase, sixteen_at_once_of_failed_nodes_half_as_many, 0,
                      3);
  tcase_add_test(tcase, dead_names_leave_room_for_the_living);
  tcase_add_test(tcase, one_connection_at_a_time_for_a_node);
  tcase_add_test(tcase, a_failed_connect_frees_its_slot_and_is_remembered);
  tcase_add_test(tcase, a_look_up_that_was_given_up_keeps_its_slot_for_30_s);
  tcase_add_test(tcase, our_own_cancel_tells_nothing_of_the_node);
  tcase_add_test(tcase, without_a_take_nothing_is_freed);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
