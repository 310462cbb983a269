/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "plugin/dispatch.h"

#include "base/clock.h"

#include <check.h>

/* The daemon's side: the last value list, and a types.db of a few types. */
static value_list_t last;
static value_t last_value, second_value;
static int n_dispatched, dispatch_result;
static bool has_bool;
static int n_lines, n_asked;

int plugin_dispatch_values(value_list_t const *list) {
  last = *list;
  ck_assert_uint_ge(list->values_len, 1);
  last_value = list->values[0];
  if (list->values_len > 1)
    second_value = list->values[1];
  ck_assert_ptr_null(list->meta);
  n_dispatched++;
  return dispatch_result;
}

const data_set_t *plugin_get_ds(const char *name) {
  static data_source_t gauge = {.type = DS_TYPE_GAUGE};
  static data_source_t derive = {.type = DS_TYPE_DERIVE};
  static data_source_t two[2] = {{.type = DS_TYPE_GAUGE},
                                 {.type = DS_TYPE_GAUGE}};
  static const data_set_t sets[] = {{"gauge", 1, &gauge},
                                    {"derive", 1, &derive},
                                    {"if_octets", 2, two},
                                    {"bool", 1, &gauge}};
  n_asked++;
  for (size_t i = 0; i < (has_bool ? 4 : 3); i++)
    if (strcmp(sets[i].type, name) == 0)
      return &sets[i];
  return NULL;
}

static void count_line(void *cookie, enum log_level level, const char *line) {
  (void)cookie;
  (void)level;
  (void)line;
  n_lines++;
}

static void setup(void) {
  n_dispatched = n_lines = dispatch_result = 0;
  has_bool = true;
  log_set_sink(count_line, NULL);
}

static struct sample sample_of(const char *type, bool is_derive) {
  return (struct sample){.host = "node",
                         .plugin = "artemis",
                         .plugin_instance = "queue-Q",
                         .type = type,
                         .type_instance = "X",
                         .is_derive = is_derive,
                         .derive = INT64_MAX,
                         .gauge = -0.5,
                         .time_ns = INT64_C(1700000000500000000),
                         .interval_ns = INT64_C(10000000000)};
}

START_TEST(a_sample_becomes_a_value_list) {
  struct dispatcher dispatcher = {0};
  struct sample sample = sample_of("gauge", false);
  dispatch_sample(&dispatcher, &sample);
  ck_assert_str_eq(last.host, "node");
  ck_assert_str_eq(last.plugin, "artemis");
  ck_assert_str_eq(last.plugin_instance, "queue-Q");
  ck_assert_str_eq(last.type, "gauge");
  ck_assert_str_eq(last.type_instance, "X");
  ck_assert_uint_eq(last.time,
                    (UINT64_C(1700000000) << 30) + (UINT64_C(1) << 29));
  ck_assert_uint_eq(last.interval, UINT64_C(10) << 30);
  ck_assert_double_eq_tol(last_value.gauge, -0.5, 1e-12);
  sample = sample_of("derive", true);
  dispatch_sample(&dispatcher, &sample);
  ck_assert_int_eq(last_value.derive, INT64_MAX);
  ck_assert_int_eq(n_dispatched, 2);
  ck_assert_uint_eq(dispatcher.n_refused, 0);
}
END_TEST

/* The last list is kept: nothing of it may stay where the next differs. */
START_TEST(what_differs_is_written_anew) {
  struct dispatcher dispatcher = {0};
  struct sample sample = sample_of("derive", true);
  sample.host = "a-long-name";
  sample.plugin_instance = "queue-LONG";
  sample.type_instance = "LongName";
  dispatch_sample(&dispatcher, &sample);
  sample = (struct sample){.host = "b",
                           .plugin = "jolokia",
                           .plugin_instance = "",
                           .type = "bool",
                           .type_instance = "L",
                           .gauge = 1,
                           .time_ns = 5 * CLOCK_NS_PER_S,
                           .interval_ns = 60 * CLOCK_NS_PER_S};
  dispatch_sample(&dispatcher, &sample);
  ck_assert_str_eq(last.host, "b");
  ck_assert_str_eq(last.plugin, "jolokia");
  ck_assert_str_eq(last.plugin_instance, "");
  ck_assert_str_eq(last.type, "bool");
  ck_assert_str_eq(last.type_instance, "L");
  ck_assert_uint_eq(last.time, UINT64_C(5) << 30);
  ck_assert_uint_eq(last.interval, UINT64_C(60) << 30);
  ck_assert_double_eq_tol(last_value.gauge, 1, 1e-12);
}
END_TEST

/* The daemon's own host is told by no name at all. */
START_TEST(an_empty_host_stays_empty) {
  struct dispatcher dispatcher = {0};
  struct sample sample = sample_of("gauge", false);
  sample.host = "";
  dispatch_sample(&dispatcher, &sample);
  ck_assert_str_eq(last.host, "");
}
END_TEST

START_TEST(names_are_cut_at_127_bytes) {
  struct dispatcher dispatcher = {0};
  char name[200];
  memset(name, 'n', sizeof(name));
  name[199] = '\0';
  struct sample sample = sample_of("gauge", false);
  sample.type_instance = name;
  dispatch_sample(&dispatcher, &sample);
  ck_assert_uint_eq(strlen(last.type_instance), 127);
}
END_TEST

START_TEST(bool_is_gauge_where_it_is_missing) {
  struct dispatcher dispatcher = {0};
  struct sample sample = sample_of("bool", false);
  dispatch_sample(&dispatcher, &sample);
  ck_assert_str_eq(last.type, "bool");
  dispatcher = (struct dispatcher){0};
  has_bool = false;
  for (int i = 0; i < 2; i++)
    dispatch_sample(&dispatcher, &sample);
  ck_assert_str_eq(last.type, "gauge");
  ck_assert_int_eq(n_dispatched, 3);
}
END_TEST

/* An object's values come one behind the other: its names are written once,
 * even where the first value is refused. */
START_TEST(what_is_of_the_last_object_keeps_its_names) {
  struct dispatcher dispatcher = {0};
  struct sample sample = sample_of("no_such_type", false);
  dispatch_sample(&dispatcher, &sample);
  ck_assert_int_eq(n_dispatched, 0);
  sample.type = "gauge";
  sample.is_of_last = true;
  sample.plugin_instance = "not looked at";
  dispatch_sample(&dispatcher, &sample);
  ck_assert_str_eq(last.host, "node");
  ck_assert_str_eq(last.plugin, "artemis");
  ck_assert_str_eq(last.plugin_instance, "queue-Q");
  ck_assert_uint_eq(last.interval, UINT64_C(10) << 30);
  sample.is_of_last = false;
  dispatch_sample(&dispatcher, &sample);
  ck_assert_str_eq(last.plugin_instance, "not looked at");
}
END_TEST

/* More types than are remembered, in turn: each is dispatched as what it is. */
START_TEST(a_type_is_asked_for_once) {
  struct dispatcher dispatcher = {0};
  char names[DISPATCH_TYPES + 1][6];
  for (int i = 0; i <= DISPATCH_TYPES; i++)
    memcpy(names[i], "gauge", sizeof(names[i]));
  for (int i = 0; i < 10 * (DISPATCH_TYPES + 1); i++) {
    struct sample derive = sample_of("derive", true);
    struct sample gauge = sample_of(names[i % (DISPATCH_TYPES + 1)], false);
    dispatch_sample(&dispatcher, &derive);
    ck_assert_str_eq(last.type, "derive");
    ck_assert_int_eq(last_value.derive, INT64_MAX);
    dispatch_sample(&dispatcher, &gauge);
    ck_assert_str_eq(last.type, "gauge");
    ck_assert_double_eq_tol(last_value.gauge, -0.5, 1e-12);
  }
  struct dispatcher all = {0};
  n_asked = 0;
  for (int i = 0; i < 10 * DISPATCH_TYPES; i++) {
    struct sample sample = sample_of(names[i % DISPATCH_TYPES], false);
    dispatch_sample(&all, &sample);
  }
  ck_assert_int_eq(n_asked, DISPATCH_TYPES);
}
END_TEST

/* collectd would write a line for each: here it is one for many. */
START_TEST(what_types_db_lacks_is_said_once) {
  static const struct {
    const char *type;
    bool is_derive;
  } cases[] = {{"no_such_type", false}, {"if_octets", false}, {"gauge", true}};
  struct dispatcher dispatcher = {0};
  struct sample sample = sample_of(cases[_i].type, cases[_i].is_derive);
  for (int i = 0; i < 1000; i++)
    dispatch_sample(&dispatcher, &sample);
  ck_assert_int_eq(n_dispatched, 0);
  ck_assert_uint_eq(dispatcher.n_refused, 1000);
  ck_assert_int_eq(n_lines, 1);
}
END_TEST

START_TEST(several_values_go_in_one_list) {
  struct dispatcher dispatcher = {0};
  struct sample sample = sample_of("if_octets", false);
  sample.n_more = 1;
  sample.more_gauge[0] = 7;
  dispatch_sample(&dispatcher, &sample);
  ck_assert_int_eq(n_dispatched, 1);
  ck_assert_uint_eq(last.values_len, 2);
  ck_assert_double_eq_tol(last_value.gauge, -0.5, 1e-12);
  ck_assert_double_eq_tol(second_value.gauge, 7, 1e-12);
  sample.n_more = 2;
  dispatch_sample(&dispatcher, &sample);
  sample.n_more = 0;
  dispatch_sample(&dispatcher, &sample);
  ck_assert_int_eq(n_dispatched, 1);
  ck_assert_uint_eq(dispatcher.n_refused, 2);
}
END_TEST

START_TEST(what_collectd_refuses_is_counted) {
  struct dispatcher dispatcher = {0};
  struct sample sample = sample_of("gauge", false);
  dispatch_result = -1;
  dispatch_sample(&dispatcher, &sample);
  ck_assert_uint_eq(dispatcher.n_refused, 1);
  ck_assert_int_eq(n_lines, 1);
}
END_TEST

static Suite *suite(void) {
  Suite *s = suite_create("dispatch");
  TCase *t = tcase_create("dispatch");
  tcase_add_checked_fixture(t, setup, NULL);
  tcase_add_test(t, a_sample_becomes_a_value_list);
  tcase_add_test(t, what_differs_is_written_anew);
  tcase_add_test(t, an_empty_host_stays_empty);
  tcase_add_test(t, names_are_cut_at_127_bytes);
  tcase_add_test(t, bool_is_gauge_where_it_is_missing);
  tcase_add_test(t, what_is_of_the_last_object_keeps_its_names);
  tcase_add_test(t, a_type_is_asked_for_once);
  tcase_add_loop_test(t, what_types_db_lacks_is_said_once, 0, 3);
  tcase_add_test(t, several_values_go_in_one_list);
  tcase_add_test(t, what_collectd_refuses_is_counted);
  suite_add_tcase(s, t);
  return s;
}

int main(void) {
  SRunner *runner = srunner_create(suite());
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
