/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/attributes.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPES_DB "/usr/share/collectd/types.db"

/* As the stock types.db of collectd 5.8.0, 5.9.2 and 5.12.0 has them; bool came
 * with 5.12, where it is absent the sink takes gauge. */
static const struct stock {
  const char *type;
  const char *source; /* name:kind:min:max */
} stock[] = {
    {"bool", "value:GAUGE:0:1"},
    {"bytes", "value:GAUGE:0:U"},
    {"cache_size", "value:GAUGE:0:1125899906842623"},
    {"count", "value:GAUGE:0:U"},
    {"current_connections", "value:GAUGE:0:U"},
    {"current_sessions", "value:GAUGE:0:U"},
    {"derive", "value:DERIVE:0:U"},
    {"duration", "seconds:GAUGE:0:U"},
    {"gauge", "value:GAUGE:U:U"},
    {"invocations", "value:DERIVE:0:U"},
    {"percent", "value:GAUGE:0:100.1"},
    {"threads", "value:GAUGE:0:U"},
    {"total_connections", "value:DERIVE:0:U"},
    {"total_events", "value:DERIVE:0:U"},
    {"total_objects", "value:DERIVE:0:U"},
    {"total_sessions", "value:DERIVE:0:U"},
    {"total_threads", "value:DERIVE:0:U"},
    {"total_time_in_ms", "value:DERIVE:0:U"},
    {"uptime", "value:GAUGE:0:4294967295"},
};
#define STOCK_N (sizeof stock / sizeof stock[0])

static const struct stock *stock_of(const char *type) {
  for (size_t i = 0; i < STOCK_N; i++)
    if (strcmp(stock[i].type, type) == 0)
      return &stock[i];
  ck_abort_msg("%s is not among the stock types", type);
}

static const struct attribute *find(const char *name) {
  size_t n;
  const struct attribute *table = attributes(&n);
  for (size_t i = 0; i < n; i++)
    if (table[i].set == SET_ARTEMIS && strcmp(table[i].name, name) == 0)
      return &table[i];
  ck_abort_msg("no attribute %s", name);
}

START_TEST(every_type_is_stock) {
  size_t n;
  const struct attribute *table = attributes(&n);
  ck_assert_uint_gt(n, 30);
  for (size_t i = 0; i < n; i++) {
    const char *source = stock_of(table[i].type)->source;
    ck_assert_msg(table[i].is_derive == (strstr(source, "DERIVE") != NULL),
                  "%s: %s", table[i].name, source);
    ck_assert_msg(!table[i].is_bool || strcmp(table[i].type, "bool") == 0, "%s",
                  table[i].name);
  }
}
END_TEST

/* The installed types.db says the same; where none is installed nothing is
 * said. */
START_TEST(installed_types_agree) {
  char line[512];
  size_t seen = 0;
  FILE *file = fopen(TYPES_DB, "r");
  if (file == NULL)
    return;
  while (fgets(line, sizeof line, file) != NULL) {
    char *type = strtok(line, " \t\n");
    char *source = strtok(NULL, " \t\n");
    for (size_t i = 0; i < STOCK_N; i++) {
      if (type == NULL || strcmp(stock[i].type, type) != 0)
        continue;
      ck_assert_str_eq(source, stock[i].source);
      ck_assert_msg(strtok(NULL, " \t\n") == NULL, "%s has two sources", type);
      seen++;
    }
  }
  fclose(file);
  ck_assert_uint_ge(seen, STOCK_N - 1); /* bool may be absent */
}
END_TEST

/* What may be negative, or pass 100, has a type without bounds. */
static const char *const unbounded[] = {
    "MessageCount",        "DeliveringCount",
    "ScheduledCount",      "AddressMemoryUsagePercentage",
    "AddressLimitPercent", "ActivationSequence",
    "MaxDiskUsage",        "GlobalMaxSize"};
START_TEST(may_be_negative) {
  ck_assert_str_eq(find(unbounded[_i])->type, "gauge");
}
END_TEST

/* The broker's -1 is no size and no number of pages. */
START_TEST(failed_below_0) {
  ck_assert(find("AddressSize")->is_failed_below_0);
  ck_assert(find("NumberOfPages")->is_failed_below_0);
}
END_TEST

static const char *const forbidden[] = {"NumberOfMessages",
                                        "TotalMessageCount",
                                        "TotalConsumerCount",
                                        "ProducedRate",
                                        "TotalMessagesAdded",
                                        "TotalMessagesAcknowledged",
                                        "FirstMessageAge",
                                        "AddressNames",
                                        "QueueNames",
                                        "FirstMessageAsJSON",
                                        "PreparedTransactionMessageCount"};
START_TEST(never_read) {
  size_t n;
  const struct attribute *table = attributes(&n);
  for (size_t i = 0; i < n; i++) {
    if (table[i].set != SET_ARTEMIS)
      continue;
    ck_assert_str_ne(table[i].name, forbidden[_i]);
    /* These take the management lock on an address. */
    if (table[i].object == OBJECT_ADDRESS) {
      ck_assert_str_ne(table[i].name, "MessageCount");
      ck_assert_str_ne(table[i].name, "QueueCount");
    }
  }
}
END_TEST

START_TEST(rows_are_whole) {
  size_t n;
  const struct attribute *table = attributes(&n);
  for (size_t i = 0; i < n; i++) {
    const struct attribute *a = &table[i];
    ck_assert_msg(a->scale > 0, "%s", a->name);
    ck_assert_ptr_nonnull(a->unit);
    ck_assert_ptr_nonnull(a->source);
    ck_assert_uint_ge(a->since, 1008);
    ck_assert_int_eq(a->object == OBJECT_QUEUE && a->tier == TIER_FAST,
                     a->listing != NULL);
    ck_assert_int_eq(a->object == OBJECT_MBEAN, a->mbean != NULL);
    ck_assert_str_ne(set_name(a->set), "unknown");
    for (size_t k = i + 1; k < n; k++) {
      ck_assert_msg(a->object != table[k].object ||
                        a->mbean != table[k].mbean ||
                        strcmp(a->name, table[k].name) != 0,
                    "%s stands twice", a->name);
      /* grouped: the same object and tier again only where all between are */
      if (a->object == table[k].object && a->tier == table[k].tier) {
        ck_assert_int_eq(table[k - 1].object, a->object);
        ck_assert_int_eq(table[k - 1].tier, a->tier);
      }
    }
  }
}
END_TEST

static const struct {
  enum object object;
  enum tier tier;
  unsigned version;
  size_t n;
} sets[] = {
    {OBJECT_BROKER, TIER_FAST, 2018, 12},
    {OBJECT_BROKER, TIER_FAST, 2034, 16},
    {OBJECT_BROKER, TIER_FAST, 2040, 19},
    {OBJECT_BROKER, TIER_FAST, 0, 19},
    {OBJECT_BROKER, TIER_FAST, 2014, 9},
    {OBJECT_QUEUE, TIER_FAST, 2018, 10},
    {OBJECT_QUEUE, TIER_FAST, 2013, 9},
    {OBJECT_QUEUE, TIER_SLOW, 2040, 0},
    {OBJECT_ADDRESS, TIER_ADDRESS, 2018, 5},
    {OBJECT_ADDRESS, TIER_ADDRESS, 2020, 6},
    {OBJECT_BROKER, TIER_SLOW, 2018, 5},
    {OBJECT_BROKER, TIER_SLOW, 2017, 4},
    {OBJECT_QUEUE, TIER_FAST, 2005, 0},
    {OBJECT_BROKER, TIER_FAST, 9999, 19},
};
START_TEST(versions) {
  const struct attribute *found[ATTRIBUTES_MAX];
  size_t n = attributes_of(sets[_i].object, sets[_i].tier, SET_ARTEMIS,
                           sets[_i].version, found);
  ck_assert_uint_eq(n, sets[_i].n);
  for (size_t i = 0; i < n; i++) {
    ck_assert_int_eq(found[i]->object, sets[_i].object);
    ck_assert_int_eq(found[i]->tier, sets[_i].tier);
  }
}
END_TEST

/* A double that the JSON library may choke on spoils its own item alone. */
START_TEST(doubles_are_alone) {
  size_t n;
  const struct attribute *table = attributes(&n);
  static const char *const alone[] = {"DiskStoreUsage", "FirstMessageAge",
                                      "ProcessCpuLoad", "SystemCpuLoad",
                                      "SystemLoadAverage"};
  for (size_t i = 0; i < n; i++) {
    bool is_alone = false;
    for (size_t k = 0; k < sizeof alone / sizeof alone[0]; k++)
      is_alone |= strcmp(table[i].name, alone[k]) == 0;
    ck_assert_int_eq(table[i].is_alone, is_alone);
  }
  ck_assert_double_eq_tol(find("DiskStoreUsage")->scale, 100, 1e-18);
  ck_assert_double_eq_tol(find("UptimeMillis")->scale, 0.001, 1e-18);
}
END_TEST

START_TEST(stable_names) {
  ck_assert_str_eq(object_name(OBJECT_BROKER), "broker");
  ck_assert_str_eq(object_name(OBJECT_ADDRESS), "address");
  ck_assert_str_eq(object_name(OBJECT_QUEUE), "queue");
  ck_assert_uint_eq(set_find("artemis"), SET_ARTEMIS);
  ck_assert_uint_eq(set_find("artemis-detail"), SET_ARTEMIS | SET_DETAIL);
  ck_assert_uint_eq(set_find("jvm"), SET_JVM);
  ck_assert_uint_eq(set_find("classic"), SET_CLASSIC);
  ck_assert_uint_eq(set_find("JVM"), 0);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("attributes");
  TCase *tcase = tcase_create("table");
  tcase_add_test(tcase, every_type_is_stock);
  tcase_add_test(tcase, installed_types_agree);
  tcase_add_loop_test(tcase, may_be_negative, 0, N(unbounded));
  tcase_add_test(tcase, failed_below_0);
  tcase_add_loop_test(tcase, never_read, 0, N(forbidden));
  tcase_add_test(tcase, rows_are_whole);
  tcase_add_loop_test(tcase, versions, 0, N(sets));
  tcase_add_test(tcase, doubles_are_alone);
  tcase_add_test(tcase, stable_names);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
