/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/values.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct attribute gauge = {
    .name = "G", .type = "gauge", .scale = 1};
static const struct attribute derive = {
    .name = "D", .type = "derive", .is_derive = true, .scale = 1};
static const struct attribute truth = {
    .name = "B", .type = "bool", .is_bool = true, .scale = 1};
static const struct attribute disk = {
    .name = "P", .type = "percent", .is_unknown_below_0 = true, .scale = 100};
static const struct attribute size = {
    .name = "S", .type = "gauge", .is_failed_below_0 = true, .scale = 1};

#define INT(n)                                                                 \
  { .type = VALUE_INT, .integer = (n) }
#define REAL(n)                                                                \
  { .type = VALUE_REAL, .real = (n) }
#define BOOL(n)                                                                \
  { .type = VALUE_BOOL, .integer = (n) }
#define TEXT(kind, t)                                                          \
  { .type = (kind), .text = (t), .text_len = sizeof(t) - 1 }
#define NOT_STARTED "java.lang.IllegalStateException: Broker is not started."

enum end { DISPATCHED, ABSENT, WRONG, WAITING };

static const struct {
  const struct attribute *attribute;
  struct value value;
  enum end end;
  double gauge;
  int64_t derive;
} cases[] = {
    {&gauge, INT(-3), DISPATCHED, -3, 0},
    {&gauge, REAL(0.5), DISPATCHED, 0.5, 0},
    {&gauge, BOOL(1), WRONG, 0, 0},
    {&gauge, {.type = VALUE_NULL}, ABSENT, 0, 0},
    {&gauge, {.type = VALUE_ABSENT}, ABSENT, 0, 0},
    {&gauge, TEXT(VALUE_TEXT, "RUNNING"), WRONG, 0, 0},
    {&gauge, TEXT(VALUE_FAULT, "no such attribute"), WRONG, 0, 0},
    {&gauge, TEXT(VALUE_FAULT, NOT_STARTED), WAITING, 0, 0},
    {&gauge, TEXT(VALUE_TEXT, NOT_STARTED), WRONG, 0, 0},
    {&gauge, TEXT(VALUE_OTHER, "{}"), WRONG, 0, 0},
    {&derive, INT(INT64_MAX), DISPATCHED, 0, INT64_MAX},
    {&derive, INT(0), DISPATCHED, 0, 0},
    {&derive, INT(-1), WRONG, 0, 0},
    {&derive, REAL(1.0), WRONG, 0, 0},
    {&derive, REAL(9.3e18), WRONG, 0, 0},
    {&derive, BOOL(0), WRONG, 0, 0},
    {&truth, BOOL(1), DISPATCHED, 1, 0},
    {&truth, BOOL(0), DISPATCHED, 0, 0},
    {&truth, INT(1), WRONG, 0, 0},
    {&truth, REAL(1), WRONG, 0, 0},
    {&disk, REAL(0.25), DISPATCHED, 25, 0},
    {&disk, INT(0), DISPATCHED, 0, 0},
    {&disk, REAL(-1), ABSENT, 0, 0},
    {&disk, INT(-1), ABSENT, 0, 0},
    {&size, INT(-1), WRONG, 0, 0},
    {&size, INT(0), DISPATCHED, 0, 0},
};

struct seen {
  size_t n;
  size_t n_of_last;
  struct sample sample;
};
static void take(void *cookie, const struct sample *sample) {
  struct seen *seen = cookie;
  seen->n++;
  seen->n_of_last += sample->is_of_last;
  seen->sample = *sample;
}

START_TEST(one_value) {
  struct seen seen = {.n = 0};
  struct sample_sink sink = {take, &seen};
  struct values values = {.sink = &sink, .sample = {.host = "h", .time_ns = 5}};
  enum end end = cases[_i].end;
  size_t made = values_dispatch(&values, "queue-q", &cases[_i].attribute,
                                &cases[_i].value, 1);
  ck_assert_uint_eq(made, end == DISPATCHED);
  ck_assert_uint_eq(seen.n, made);
  ck_assert_uint_eq(values.samples, made);
  ck_assert_uint_eq(values.errors, end == WRONG);
  ck_assert_int_eq(values.saw_not_started, end == WAITING);
  if (end != DISPATCHED)
    return;
  ck_assert_str_eq(seen.sample.host, "h");
  ck_assert_str_eq(seen.sample.plugin_instance, "queue-q");
  ck_assert_str_eq(seen.sample.type, cases[_i].attribute->type);
  ck_assert_str_eq(seen.sample.type_instance, cases[_i].attribute->name);
  ck_assert_int_eq(seen.sample.time_ns, 5);
  ck_assert_int_eq(seen.sample.is_derive, cases[_i].attribute->is_derive);
  if (seen.sample.is_derive)
    ck_assert_int_eq(seen.sample.derive, cases[_i].derive);
  else
    ck_assert_double_eq_tol(seen.sample.gauge, cases[_i].gauge, 1e-18);
}
END_TEST

/* The first sample of each object says that its names are new. */
START_TEST(samples_of_one_object) {
  static const struct attribute *const attributes[] = {&derive, &derive,
                                                       &gauge};
  static const struct value columns[] = {INT(-1), INT(1), INT(2)};
  struct seen seen = {.n = 0};
  struct sample_sink sink = {take, &seen};
  struct values values = {.sink = &sink};
  for (size_t i = 1; i <= 2; i++) {
    ck_assert_uint_eq(values_dispatch(&values, "q", attributes, columns, 3), 2);
    ck_assert_uint_eq(seen.n, 2 * i);
    ck_assert_uint_eq(seen.n_of_last, i);
    ck_assert(seen.sample.is_of_last);
  }
}
END_TEST

/* A bad one costs its neighbours nothing; a gauge behind a derive is one. */
START_TEST(neighbours) {
  static const struct attribute *const attributes[] = {&derive, &gauge, &gauge};
  static const struct value columns[] = {INT(1), TEXT(VALUE_TEXT, "x"), INT(2)};
  struct seen seen = {.n = 0};
  struct sample_sink sink = {take, &seen};
  struct values values = {.sink = &sink};
  ck_assert_uint_eq(values_dispatch(&values, "q", attributes, columns, 3), 2);
  ck_assert_uint_eq(values.errors, 1);
  ck_assert(!seen.sample.is_derive);
  ck_assert_double_eq_tol(seen.sample.gauge, 2, 1e-18);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("values");
  TCase *tcase = tcase_create("values");
  tcase_add_loop_test(tcase, one_value, 0, N(cases));
  tcase_add_test(tcase, samples_of_one_object);
  tcase_add_test(tcase, neighbours);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
