/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/notices.h"

#include "base/clock.h"

#include <collectd/core/daemon/plugin.h>

#include <check.h>

/* The daemon's side. */
static char collectd_host[] = "agent";
char *hostname_g = collectd_host;

static notification_t got[NOTICES_MAX + 8];
static int n_got;

int plugin_dispatch_notification(const notification_t *notification) {
  ck_assert_int_lt(n_got, NOTICES_MAX + 8);
  got[n_got++] = *notification;
  return 0;
}

static struct notices *notices;

static void setup(void) {
  n_got = 0;
  notices = notices_new();
  ck_assert_ptr_nonnull(notices);
}
static void teardown(void) { notices_free(notices); }

static void put(enum event event, const char *host, const char *text) {
  const struct notice notice = {.event = event,
                                .host = host,
                                .cluster = "orders",
                                .text = text,
                                .time_ns = 1500 * CLOCK_NS_PER_S};
  notices_put(notices, &notice);
}

START_TEST(in_their_order_and_once) {
  put(EVENT_NODE_DOWN, "a", "node down: connect: refused");
  put(EVENT_NODE_UP, "a", "active");
  put(EVENT_FILE_REJECTED, "", "line 3");
  ck_assert_int_eq(n_got, 0);
  notices_dispatch(notices);
  notices_dispatch(notices);
  ck_assert_int_eq(n_got, 3);
  ck_assert_str_eq(got[0].message, "node down: connect: refused");
  ck_assert_int_eq(got[0].severity, NOTIF_FAILURE);
  ck_assert_str_eq(got[0].host, "a");
  ck_assert_str_eq(got[0].plugin, "jolokia");
  ck_assert_str_eq(got[0].plugin_instance, "orders");
  ck_assert_str_eq(got[0].type, "state");
  ck_assert_str_eq(got[0].type_instance, "node");
  ck_assert_ptr_null(got[0].meta);
  ck_assert_uint_eq(got[0].time, TIME_T_TO_CDTIME_T(1500));
  ck_assert_int_eq(got[1].severity, NOTIF_OKAY);
  ck_assert_str_eq(got[1].type_instance, "node");
  ck_assert_str_eq(got[2].host, "agent");
}
END_TEST

START_TEST(what_is_too_much_is_counted_and_said) {
  for (int i = 0; i < NOTICES_MAX + 5; i++)
    put(EVENT_NODE_DOWN, "a", "");
  notices_dispatch(notices);
  ck_assert_int_eq(n_got, NOTICES_MAX);
  notices_dispatch(notices);
  ck_assert_int_eq(n_got, NOTICES_MAX + 1);
  ck_assert_str_eq(got[NOTICES_MAX].message, "notifications lost: 5 of them");
  ck_assert_int_eq(got[NOTICES_MAX].severity, NOTIF_WARNING);
  notices_dispatch(notices);
  ck_assert_int_eq(n_got, NOTICES_MAX + 1);
}
END_TEST

/* Around the ring's end. */
START_TEST(many_times_a_few) {
  for (int i = 0; i < 1000; i++) {
    n_got = 0;
    put(EVENT_NODE_DOWN, "a", "");
    put(EVENT_CLUSTER_DOWN, "b", "");
    put(EVENT_NODE_UP, "c", "");
    notices_dispatch(notices);
    ck_assert_int_eq(n_got, 3);
    ck_assert_str_eq(got[1].host, "b");
  }
}
END_TEST

START_TEST(names_and_texts_are_cut) {
  char name[2 * DATA_MAX_NAME_LEN];
  char text[2 * NOTIF_MAX_MSG_LEN];
  memset(name, 'n', sizeof(name));
  memset(text, 't', sizeof(text));
  name[sizeof(name) - 1] = text[sizeof(text) - 1] = '\0';
  put(EVENT_NODE_DOWN, name, text);
  notices_dispatch(notices);
  ck_assert_uint_eq(strlen(got[0].host), DATA_MAX_NAME_LEN - 1);
  ck_assert_uint_eq(strlen(got[0].message), NOTIF_MAX_MSG_LEN - 1);
}
END_TEST

START_TEST(the_engine_stops_and_loops) {
  notices_engine(notices, true);
  notices_engine(notices, false);
  notices_engine(notices, false);
  notices_engine(notices, true);
  notices_engine(notices, true);
  notices_dispatch(notices);
  ck_assert_int_eq(n_got, 2);
  ck_assert_str_eq(got[0].type_instance, "engine");
  ck_assert_int_eq(got[0].severity, NOTIF_FAILURE);
  ck_assert_int_eq(got[1].severity, NOTIF_OKAY);
}
END_TEST

/* Each row is whole; what ends a trouble has its type instance. */
START_TEST(the_table) {
  for (int i = 0; i < EVENT_COUNT; i++) {
    const struct notice_row *row = notice_row((enum event)i);
    ck_assert_ptr_nonnull(row->event);
    ck_assert_ptr_nonnull(row->meaning);
    for (int j = 0; j < i; j++)
      ck_assert_str_ne(notice_row((enum event)j)->event, row->event);
    bool is_beside = row->severity != SEVERITY_OKAY;
    for (int j = 0; j < EVENT_COUNT && !is_beside; j++)
      is_beside = j != i && strcmp(notice_row((enum event)j)->instance,
                                   row->instance) == 0;
    ck_assert_msg(is_beside, "%s ends nothing", row->event);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("notices");
  TCase *tcase = tcase_create("notices");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, in_their_order_and_once);
  tcase_add_test(tcase, what_is_too_much_is_counted_and_said);
  tcase_add_test(tcase, many_times_a_few);
  tcase_add_test(tcase, names_and_texts_are_cut);
  tcase_add_test(tcase, the_engine_stops_and_loops);
  tcase_add_test(tcase, the_table);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed > 0;
}
