/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/mbean.h"

#include "scrape_rig.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rig rig;
static struct error error;

static void setup(void) {
  rig_init(&rig);
  rig.settings.sets = 0;
}
static void teardown(void) { rig_fini(&rig); }

#define AGENT "[{\"status\":200,\"value\":{\"agent\":\"2.1.2\"}}]"

static const struct mbean_block one = {
    .plugin = "jmx", .pattern = "d:type=A", .prefix = "a", .tier = TIER_FAST};
static const struct mbean_block many = {.plugin = "jmx",
                                        .pattern = "d:type=P,name=*,kind=*",
                                        .prefix = "p",
                                        .tier = TIER_FAST};

/* A value of one data source. */
static struct mbean_value value_of(const char *const *path, const char *type) {
  return (struct mbean_value){
      .paths = path, .n_paths = 1, .type = type, .scale = 1};
}

static void add(const struct mbean_block *block,
                const struct mbean_value *value) {
  ck_assert_msg(scrape_add_mbean(rig.scrape, block, value, &error) == STATUS_OK,
                "%s", error.text);
}

static void add_plain(const struct mbean_block *block, const char *path,
                      const char *type) {
  struct mbean_value value = value_of(&path, type);
  add(block, &value);
}

static void make(void) { rig_make(&rig); }

/* A round that is asked for the agent's version first. */
static void first(const char *reply) {
  rig_begin(&rig, TIER_FAST, 1000);
  rig_reply(&rig, AGENT);
  rig_reply(&rig, reply);
  rig_over(&rig, STATUS_OK);
}

static const struct scrape_counts *counts(void) {
  return scrape_counts(rig.scrape);
}

/* ---- what a value is ---- */

static const struct {
  const char *path;
  const char *type;
  const char *json;   /* of attribute A */
  const char *number; /* NULL: none */
  unsigned errors;
} values[] = {
    {"A", "gauge", "5", "5", 0},
    {"A", "gauge", "-3", "-3", 0},
    {"A", "gauge", "0.5", "0.5", 0},
    {"A", "gauge", "\"12\"", "12", 0},
    {"A", "gauge", "\"12ms\"", NULL, 1},
    {"A", "gauge", "true", "1", 0},
    {"A", "gauge", "null", NULL, 0},
    {"A", "gauge", "NaN", NULL, 0},
    {"A", "gauge", "\"Unsupported\"", NULL, 1},
    {"A", "gauge", "\"ERROR: no (class x)\"", NULL, 1},
    {"A", "gauge", "{\".error\":true,\"error\":\"no\"}", NULL, 1},
    {"A", "gauge", "{}", NULL, 1},
    {"A", "gauge", "[1]", NULL, 1},
    {"A", "gauge", "9223372036854775808", "9.223372036854776e+18", 0},
    {"A", "derive", "9223372036854775807", "9223372036854775807", 0},
    {"A", "derive", "9007199254740993", "9007199254740993", 0},
    {"A", "derive", "9223372036854775808", NULL, 1},
    {"A", "derive", "-1", NULL, 1},
    {"A", "derive", "1.5", NULL, 1},
    {"A", "derive", "5.0", "5", 0},
    {"A", "derive", "1.5E7", "15000000", 0},
    {"A", "derive", "-5.0", NULL, 1},
    {"A", "derive", "1e300", NULL, 1},
    {"A", "derive", "true", NULL, 1},
    {"A/b", "gauge", "{\"a\":1,\"b\":2}", "2", 0},
    {"A/b/c", "gauge", "{\"b\":{\"c\":7}}", "7", 0},
    {"A/b/c", "gauge", "{\"b\":null}", NULL, 0},
    {"A/b/c", "gauge", "null", NULL, 0},
    {"A/b", "gauge", "{\"a\":1}", NULL, 0},
    {"A/b", "gauge", "5", NULL, 1},
    {"A/b", "gauge", "\"ERROR: x\"", NULL, 1},
    {"A/b!/c", "gauge", "{\"b\\/c\":4,\"b\":{\"c\":5}}", "4", 0},
    {"A/b/c", "gauge", "{\"b\\/c\":4,\"b\":{\"c\":5}}", "5", 0},
    {"A/x.y", "gauge", "{\"x.y\":3,\"x\":{\"y\":4}}", "3", 0},
    {"A/!*", "gauge", "{\"*\":6}", "6", 0},
    {"A/b!!", "gauge", "{\"b!\":\"8\"}", "8", 0},
};

START_TEST(one_value) {
  char reply[300];
  char line[200];
  make();
  add_plain(&one, values[_i].path, values[_i].type);
  snprintf(reply, sizeof reply, "[{\"status\":200,\"value\":{\"A\":%s}}]",
           values[_i].json);
  first(reply);
  ck_assert_uint_eq(counts()->value_errors, values[_i].errors);
  ck_assert_uint_eq(rig.n_samples, values[_i].number != NULL);
  ck_assert_uint_eq(counts()->received, 1);
  ck_assert_uint_eq(counts()->dispatched, values[_i].number != NULL);
  if (values[_i].number) {
    snprintf(line, sizeof line, " %s\n", values[_i].number);
    ck_assert_msg(strstr(buf_text(&rig.samples), line) != NULL, "%s",
                  buf_text(&rig.samples));
  }
}
END_TEST

START_TEST(names_of_values) {
  struct mbean_value named = value_of(&(const char *){"a.b!/c/d"}, "bytes");
  make();
  add(&one, &named);
  named.type_instance = "mine";
  add(&one, &named);
  first("[{\"status\":200,\"value\":{\"a.b/c\":{\"d\":1}}}]");
  ck_assert_msg(strstr(buf_text(&rig.samples), "jmx/a/bytes-a.b_c-d~") != NULL,
                "%s", buf_text(&rig.samples));
  ck_assert(rig_sample(&rig, "jmx/a/bytes-mine 1"));
  ck_assert_ptr_nonnull(
      strstr(buf_text(&rig.body), "\"attribute\":[\"a.b/c\"]"));
}
END_TEST

START_TEST(texts_and_scales) {
  struct mbean_text map[] = {{(char[]){"STARTED"}, 1}, {(char[]){"12"}, -4}};
  struct mbean_value state = value_of(&(const char *){"State"}, "gauge");
  struct mbean_value time = value_of(&(const char *){"Time"}, "derive");
  struct mbean_value load = value_of(&(const char *){"Load"}, "percent");
  struct mbean_value cpu = value_of(&(const char *){"Cpu"}, "total_time_in_ms");
  make();
  state.map = map;
  state.n_map = 2;
  add(&one, &state);
  time.scale = 0.000001;
  add(&one, &time);
  load.scale = 100;
  load.is_unknown_below_0 = true;
  add(&one, &load);
  cpu.scale = 1000;
  add(&one, &cpu);
  first("[{\"status\":200,\"value\":{\"State\":\"STARTED\",\"Time\":"
        "9007199254740993,\"Load\":0.25,\"Cpu\":12.3456}}]");
  ck_assert(rig_sample(&rig, "jmx/a/gauge-State 1"));
  ck_assert(rig_sample(&rig, "jmx/a/derive-Time 9007199255"));
  ck_assert(rig_sample(&rig, "jmx/a/total_time_in_ms-Cpu 12346"));
  ck_assert(rig_sample(&rig, "jmx/a/percent-Load 25"));
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"State\":\"LOST\",\"Time\":"
                  "1,\"Load\":-1}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(counts()->value_errors, 1);
  ck_assert(rig_sample(&rig, "jmx/a/derive-Time 0"));
  ck_assert_uint_eq(rig.n_samples, 1);
  rig_begin(&rig, TIER_FAST, 1020);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"State\":\"12\"}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-State -4"));
}
END_TEST

START_TEST(several_data_sources) {
  static const char *const octets[] = {"In", "Out"};
  struct mbean_value value = {.paths = octets,
                              .n_paths = 2,
                              .type = "if_octets",
                              .type_instance = "net",
                              .scale = 1};
  make();
  add(&one, &value);
  first("[{\"status\":200,\"value\":{\"Out\":8,\"In\":7}}]");
  ck_assert(rig_sample(&rig, "jmx/a/if_octets-net 7:8"));
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"Out\":null,\"In\":7}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig.n_samples, 0);
}
END_TEST

START_TEST(a_value_for_each_key) {
  make();
  add_plain(&one, "Gc/after/*/used", "bytes");
  add_plain(&one, "Map/*", "gauge");
  first("[{\"status\":200,\"value\":{\"Gc\":{\"after\":{\"G1 Eden\":{\"used\":"
        "1},\"a\\/b\":{\"used\":2},\"none\":null}},\"Map\":{\"x\":3,"
        "\"\\u00fc\":4,\"t\":\"text\"}}}]");
  ck_assert(rig_sample(&rig, "jmx/a/bytes-Gc-after-used-G1 Eden 1"));
  ck_assert_uint_eq(rig_count(&rig, "bytes-Gc-after-used-a_b~"), 1);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-Map-x 3"));
  ck_assert(rig_sample(&rig, "jmx/a/gauge-Map-\xc3\xbc 4"));
  ck_assert_uint_eq(rig.n_samples, 4);
  ck_assert_uint_eq(counts()->value_errors, 1);
}
END_TEST

START_TEST(a_map_of_many_keys_is_cut) {
  struct buf reply;
  buf_init(&reply, 1 << 20);
  buf_add_text(&reply, "[{\"status\":200,\"value\":{\"Map\":{");
  for (int i = 0; i < 3 * MBEAN_KEYS_MAX; i++)
    buf_printf(&reply, "%s\"k%d\":1", i ? "," : "", i);
  buf_add_text(&reply, "}}}]");
  make();
  add_plain(&one, "Map/*", "gauge");
  first(buf_text(&reply));
  ck_assert_uint_eq(rig.n_samples, MBEAN_KEYS_MAX);
  ck_assert_uint_eq(counts()->value_errors, 1);
  buf_fini(&reply);
}
END_TEST

START_TEST(all_attributes) {
  struct mbean_block all = one;
  make();
  all.all_type = "gauge";
  add(&all, NULL);
  first("[{\"status\":200,\"value\":{\"a\":1,\"b\":true,\"c\":\"x\",\"d\":{"
        "\"e\":1},\"f\":null,\"g\":\"ERROR: x\",\"h\":2.5}}]");
  ck_assert_uint_eq(rig.n_samples, 3);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-a 1"));
  ck_assert(rig_sample(&rig, "jmx/a/gauge-b 1"));
  ck_assert(rig_sample(&rig, "jmx/a/gauge-h 2.5"));
  ck_assert_uint_eq(counts()->value_errors, 0);
  ck_assert_ptr_null(strstr(buf_text(&rig.body), "attribute"));
}
END_TEST

/* ---- which items ---- */

START_TEST(one_item_for_a_pattern) {
  struct mbean_block other = one;
  make();
  other.prefix = "b";
  add_plain(&one, "A", "gauge");
  add_plain(&many, "A", "gauge");
  add_plain(&other, "A", "derive");
  add_plain(&one, "B/c", "gauge");
  rig_begin(&rig, TIER_FAST, 1000);
  rig_reply(&rig, AGENT);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"A\":1,\"B\":{\"c\":2}}},"
                  "{\"status\":200,\"value\":{\"d:type=P,name=n,kind=k\":{"
                  "\"A\":3}}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert_int_eq(rig.kind, KIND_MBEAN);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-A 1"));
  ck_assert(rig_sample(&rig, "jmx/b/derive-A 1"));
  ck_assert(rig_sample(&rig, "jmx/a/gauge-B-c 2"));
  ck_assert(rig_sample(&rig, "jmx/p-n-k/gauge-A 3"));
  ck_assert_uint_eq(counts()->received, 2);
}
END_TEST

/* Jolokia 2.4.0 to 2.4.3 lose a whole read for one NaN. */
START_TEST(an_item_that_fails_is_split) {
  make();
  add_plain(&one, "A", "gauge");
  add_plain(&one, "B", "gauge");
  first("[{\"status\":400,\"error_type\":\"java.lang.NumberFormatException\","
        "\"error\":\"Character N is neither a decimal digit number\"}]");
  ck_assert_uint_eq(rig.n_samples, 0);
  ck_assert_uint_eq(counts()->value_errors, 1);
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, "[{\"status\":400,\"error_type\":"
                  "\"java.lang.NumberFormatException\",\"error\":\"N\"},"
                  "{\"status\":200,\"value\":{\"B\":5}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-B 5"));
  ck_assert_uint_eq(rig.n_samples, 1);
}
END_TEST

/* It stays split while a value fails, and is whole again after that. */
START_TEST(a_split_item_heals) {
  static const char bad[] = "{\"status\":400,\"error_type\":"
                            "\"java.lang.NumberFormatException\","
                            "\"error\":\"N\"}";
  char reply[300];
  make();
  add_plain(&one, "A", "gauge");
  add_plain(&one, "B", "gauge");
  snprintf(reply, sizeof reply, "[%s]", bad);
  first(reply);
  for (int64_t i = 1; i <= 5 + SPLIT_ROUNDS; i++) {
    rig_begin(&rig, TIER_FAST, 1000 + i);
    snprintf(reply, sizeof reply, "[%s,{\"status\":200,\"value\":{\"B\":5}}]",
             i <= 5 ? bad : "{\"status\":200,\"value\":{\"A\":4}}");
    rig_reply(&rig, reply);
    rig_over(&rig, STATUS_OK);
  }
  rig_begin(&rig, TIER_FAST, 1100);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"A\":4,\"B\":5}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-A 4"));
  ck_assert_uint_eq(rig.n_samples, 2);
}
END_TEST

START_TEST(an_item_that_is_missing_costs_itself) {
  make();
  add_plain(&one, "A", "gauge");
  add_plain(&many, "A", "gauge");
  first("[" NO_MBEAN ",{\"status\":200,\"value\":{\"d:kind=k,name=n,type=P\":{"
        "\"A\":3}}}]");
  ck_assert(rig_sample(&rig, "jmx/p-n-k/gauge-A 3"));
  ck_assert_uint_eq(counts()->value_errors, 1);
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"A\":1}}," NO_MBEAN "]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-A 1"));
}
END_TEST

/* The first of five is missing, another fails: the others are there. */
START_TEST(attributes_fail_alone) {
  static const char *const names[] = {"A", "B", "C", "D", "E"};
  make();
  for (size_t i = 0; i < 5; i++)
    add_plain(&one, names[i], "gauge");
  first("[{\"status\":200,\"value\":{\"B\":1,\"C\":{\".error\":true,"
        "\"error\":\"no\"},\"D\":3,\"E\":4}}]");
  ck_assert_uint_eq(rig.n_samples, 3);
  ck_assert_uint_eq(counts()->value_errors, 1);
}
END_TEST

static size_t n_lines;
static void on_line(void *cookie, enum log_level level, const char *line) {
  (void)cookie;
  (void)level;
  n_lines += strstr(line, "MBean d:type=") != NULL;
}

START_TEST(a_missing_mbean_is_told_once_and_counted_always) {
  make();
  log_set_sink(on_line, NULL);
  n_lines = 0;
  add_plain(&one, "A", "gauge");
  first("[" NO_MBEAN "]");
  for (int i = 1; i < 50; i++) {
    rig_begin(&rig, TIER_FAST, 1000 + 10 * i);
    if (i == 30)
      rig_reply(&rig, AGENT); /* after five minutes */
    rig_reply(&rig, "[" NO_MBEAN "]");
    rig_over(&rig, STATUS_OK);
  }
  ck_assert_uint_eq(n_lines, 1);
  ck_assert_uint_eq(counts()->value_errors, 50);
  log_set_sink(NULL, NULL);
}
END_TEST

START_TEST(an_item_that_is_too_large_is_set_aside) {
  make();
  add_plain(&one, "A", "gauge");
  rig_begin(&rig, TIER_FAST, 1000);
  rig_reply(&rig, AGENT);
  struct scrape_request request;
  ck_assert(scrape_next(rig.scrape, TIER_FAST, &request));
  const struct item_result result = {
      .status = STATUS_REPLY_TOO_LARGE, .error_type = "", .error = "large"};
  scrape_item(rig.scrape, TIER_FAST, 0, &result);
  scrape_done(rig.scrape, TIER_FAST, &(struct error){.kind = STATUS_OK});
  ck_assert_uint_eq(counts()->set_aside, 1);
  for (int i = 1; i <= 10; i++) {
    rig_begin(&rig, TIER_FAST, 1000 + 10 * i);
    ck_assert(!scrape_next(rig.scrape, TIER_FAST, &request));
  }
  rig_begin(&rig, TIER_FAST, 1110);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"A\":1}}]");
  ck_assert_uint_eq(rig.n_samples, 1);
}
END_TEST

/* ---- rows of a pattern ---- */

START_TEST(filters_on_keys) {
  static const char *const include[] = {"name=a*", "kind=k"};
  static const char *const exclude[] = {"name=/^ab$/"};
  struct mbean_block block = many;
  block.keys = (struct filter_texts){
      .include = include, .n_include = 2, .exclude = exclude, .n_exclude = 1};
  make();
  add_plain(&block, "A", "gauge");
  first("[{\"status\":200,\"value\":{"
        "\"d:type=P,name=\\\"a,1\\\",kind=k\":{\"A\":1},"
        "\"d:type=P,name=ab,kind=k\":{\"A\":2},"
        "\"d:type=P,name=b,kind=k\":{\"A\":3},"
        "\"d:type=P,name=a,kind=x\":{\"A\":4}}}]");
  ck_assert_uint_eq(rig.n_samples, 1);
  ck_assert_uint_eq(counts()->excluded, 3);
  ck_assert(rig_sample(&rig, "jmx/p-a,1-k/gauge-A 1"));
}
END_TEST

START_TEST(names_tell_apart) {
  make();
  add_plain(&many, "A", "gauge");
  first("[{\"status\":200,\"value\":{"
        "\"d:type=P,name=a-b,kind=c\":{\"A\":1},"
        "\"d:name=a,kind=b-c,type=P\":{\"A\":2},"
        "\"d:name=\\\"x,y=\\\\\\\"z\\\",kind=k,type=P\":{\"A\":3},"
        "\"no name\":{\"A\":4}}}]");
  ck_assert_uint_eq(rig.n_samples, 3);
  ck_assert_uint_eq(rig_count(&rig, "jmx/p-a-b_c~"), 1);
  ck_assert_uint_eq(rig_count(&rig, "jmx/p-a_b-c~"), 1);
  ck_assert(rig_sample(&rig, "jmx/p-x,y=\"z-k/gauge-A 3"));
  ck_assert_uint_eq(counts()->invalid, 1);
  ck_assert_uint_eq(counts()->dispatched, 3);
}
END_TEST

/* Jolokia 2.5 has stopped sorting keys. */
START_TEST(keys_in_another_order_are_the_same_series) {
  make();
  add_plain(&many, "A", "gauge");
  first("[{\"status\":200,\"value\":{\"d:type=P,name=n,kind=k\":{\"A\":1}}}]");
  ck_assert(rig_sample(&rig, "jmx/p-n-k/gauge-A 1"));
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"d:kind=k,type=P,name=n\":{"
                  "\"A\":2}}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "jmx/p-n-k/gauge-A 2"));
}
END_TEST

/* No list of names is kept. */
START_TEST(mbeans_come_and_go) {
  make();
  add_plain(&many, "A", "gauge");
  first("[{\"status\":200,\"value\":{\"d:type=P,name=a,kind=k\":{\"A\":1}}}]");
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, "[" NO_MBEAN "]");
  rig_over(&rig, STATUS_OK);
  rig_begin(&rig, TIER_FAST, 1020);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"d:type=P,name=b,kind=k\":{"
                  "\"A\":2}}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig.n_samples, 1);
  ck_assert(rig_sample(&rig, "jmx/p-b-k/gauge-A 2"));
}
END_TEST

START_TEST(instance_of_the_operator) {
  struct mbean_block block = many;
  make();
  block.instance = "%{kind}/%{name}!";
  add_plain(&block, "A", "gauge");
  block.prefix = NULL;
  block.instance = "%{name}";
  add_plain(&block, "A", "derive");
  first("[{\"status\":200,\"value\":{\"d:type=P,name=n,kind=k\":{\"A\":1}}}]");
  ck_assert_uint_eq(rig_count(&rig, "jmx/p-k_n!~"), 1);
  ck_assert(rig_sample(&rig, "jmx/n/derive-A 1"));
}
END_TEST

#define NAMED(name) "\"d:type=P,name=" name ",kind=k\":{\"A\":1}"
static void round_of(int64_t at_s, const char *mbeans) {
  char reply[400];
  snprintf(reply, sizeof reply, "[{\"status\":200,\"value\":{%s}}]", mbeans);
  rig_begin(&rig, TIER_FAST, at_s);
  rig_reply(&rig, reply);
  rig_over(&rig, STATUS_OK);
}

static void law_holds(void) {
  ck_assert_uint_eq(counts()->received,
                    counts()->dispatched + counts()->excluded +
                        counts()->over_cap + counts()->invalid);
}

/* Two MBeans of one name: one of them has the series, and keeps it. */
START_TEST(a_name_that_is_taken) {
  struct mbean_block block = many;
  block.instance = "%{kind}";
  make();
  add_plain(&block, "A", "gauge");
  log_set_sink(on_line, NULL);
  n_lines = 0;
  first("[{\"status\":200,\"value\":{" NAMED("a") "," NAMED("b") "}}]");
  const struct left_out *taken = scrape_taken_mbeans(rig.scrape, TIER_FAST);
  ck_assert_uint_eq(taken->n, 1);
  ck_assert_str_eq(taken->names[0], "d:type=P,name=b,kind=k");
  for (int64_t i = 1; i <= CLAIMS_ROUNDS; i++) {
    round_of(1000 + 10 * i, NAMED("b") "," NAMED("a"));
    ck_assert_uint_eq(rig.n_samples, 1);
    ck_assert_str_eq(taken->names[0], "d:type=P,name=b,kind=k");
  }
  ck_assert_uint_eq(counts()->dispatched, 1 + CLAIMS_ROUNDS);
  ck_assert_uint_eq(counts()->invalid, 1 + CLAIMS_ROUNDS);
  ck_assert_uint_eq(n_lines, 1);
  law_holds();
  log_set_sink(NULL, NULL);
}
END_TEST

START_TEST(a_name_is_free_when_its_mbean_has_gone) {
  struct mbean_block block = many;
  block.instance = "%{kind}";
  make();
  add_plain(&block, "A", "gauge");
  first("[{\"status\":200,\"value\":{" NAMED("a") "," NAMED("b") "}}]");
  for (int64_t i = 1; i <= CLAIMS_ROUNDS; i++) {
    round_of(1000 + 10 * i, NAMED("b"));
    ck_assert_uint_eq(rig.n_samples, 0);
  }
  round_of(1100, NAMED("b"));
  ck_assert_uint_eq(rig.n_samples, 1);
  law_holds();
}
END_TEST

/* Blocks may share a plugin instance, but no series. */
START_TEST(blocks_that_share_a_name) {
  struct mbean_block block = one;
  make();
  add_plain(&block, "A", "gauge");
  block.pattern = "d:type=B";
  add_plain(&block, "A", "gauge");
  add_plain(&block, "B", "gauge");
  first("[{\"status\":200,\"value\":{\"A\":1}},"
        "{\"status\":200,\"value\":{\"A\":2,\"B\":3}}]");
  ck_assert(rig_sample(&rig, "jmx/a/gauge-A 1"));
  ck_assert(rig_sample(&rig, "jmx/a/gauge-B 3"));
  ck_assert_uint_eq(rig.n_samples, 2);
  ck_assert_uint_eq(counts()->value_errors, 1);
  ck_assert_uint_eq(counts()->dispatched, 2);
  ck_assert_uint_eq(scrape_taken_mbeans(rig.scrape, TIER_FAST)->n, 1);
}
END_TEST

START_TEST(cap_and_filter) {
  static const char *const excluded[] = {"x*"};
  struct mbean_block block = many;
  rig.settings.max_queues = 2;
  rig.settings.queues.exclude = excluded;
  rig.settings.queues.n_exclude = 1;
  make();
  block.filter_key = "name";
  add_plain(&block, "A", "gauge");
  first("[{\"status\":200,\"value\":{"
        "\"d:type=P,name=x1,kind=k\":{\"A\":1},"
        "\"d:type=P,name=a,kind=k\":{\"A\":1},"
        "\"d:type=P,name=b,kind=k\":{\"A\":1},"
        "\"d:type=P,name=c,kind=k\":{\"A\":1}}}]");
  ck_assert_uint_eq(counts()->excluded, 1);
  ck_assert_uint_eq(counts()->over_cap, 1);
  ck_assert_uint_eq(rig.n_samples, 2);
  const struct left_out *over = scrape_over_mbeans(rig.scrape, TIER_FAST);
  ck_assert_uint_eq(over->n, 1);
  ck_assert_str_eq(over->names[0], "p-c-k");
  ck_assert(scrape_has_all(rig.scrape) && !scrape_is_whole(rig.scrape));
  /* the choice sticks, whatever the order */
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, "[{\"status\":200,\"value\":{"
                  "\"d:type=P,name=c,kind=k\":{\"A\":1},"
                  "\"d:type=P,name=a,kind=k\":{\"A\":1}}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig.n_samples, 1);
  ck_assert(rig_sample(&rig, "jmx/p-a-k/gauge-A 1"));
}
END_TEST

/* An MBean that is never there keeps no room for others that have gone. */
START_TEST(names_make_room_beside_one_that_is_missing) {
  char reply[300];
  size_t taken = 0;
  rig.settings.max_queues = 2;
  make();
  add_plain(&many, "A", "gauge");
  add_plain(&one, "A", "gauge");
  first("[" NO_MBEAN "," NO_MBEAN "]");
  for (int i = 1; i <= 40; i++) {
    rig_begin(&rig, TIER_FAST, 1000 + 10 * i);
    if (i == 30)
      rig_reply(&rig, AGENT); /* after five minutes */
    snprintf(reply, sizeof reply,
             "[{\"status\":200,\"value\":{\"d:type=P,name=n%d,kind=k\":{"
             "\"A\":1}}}," NO_MBEAN "]",
             i);
    rig_reply(&rig, reply);
    rig_over(&rig, STATUS_OK);
    taken += rig.n_samples;
    if (i == 10)
      ck_assert_uint_eq(taken, 2); /* it may come back */
  }
  ck_assert_uint_ge(taken, 10);
}
END_TEST

START_TEST(held_back_after_a_clock_step) {
  make();
  add_plain(&one, "A", "gauge");
  first("[{\"status\":200,\"value\":{\"A\":1}}]");
  rig_begin(&rig, TIER_FAST, 1003);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"A\":2}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(rig.n_samples, 0);
  ck_assert_uint_eq(counts()->excluded, 1);
  ck_assert_uint_eq(counts()->clock_step, 1);
}
END_TEST

/* ---- nodes ---- */

START_TEST(a_jvm_is_up_where_its_agent_answers) {
  struct scrape_request request;
  struct mbean_block slow = one;
  slow.tier = TIER_SLOW;
  make();
  add_plain(&slow, "A", "gauge");
  for (int i = 0; i < 3; i++) { /* nothing else is asked in the fast tier */
    rig_begin(&rig, TIER_FAST, 1000 + 10 * i);
    rig_reply(&rig, AGENT);
    rig_over(&rig, STATUS_OK);
    ck_assert_int_eq(rig.kind, KIND_IDENTITY);
  }
  ck_assert(scrape_identity(rig.scrape)->is_active);
  ck_assert_str_eq(scrape_identity(rig.scrape)->agent, "2.1.2");
  rig_begin(&rig, TIER_ADDRESS, 1030);
  ck_assert(!scrape_next(rig.scrape, TIER_ADDRESS, &request));
  rig_begin(&rig, TIER_SLOW, 1030);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"A\":1}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-A 1"));
}
END_TEST

START_TEST(a_jvm_that_does_not_answer) {
  make();
  add_plain(&one, "A", "gauge");
  rig_begin(&rig, TIER_FAST, 1000);
  rig_break(&rig, NULL, STATUS_CONNECT);
  rig_over(&rig, STATUS_CONNECT);
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, "[" DENIED "]");
  rig_over(&rig, STATUS_ITEM_DENIED);
  ck_assert(!scrape_has_all(rig.scrape));
  first("[{\"status\":200,\"value\":{\"A\":1}}]");
}
END_TEST

/* Behind the broker's values, in a request of their own; a backup's JVM too. */
START_TEST(beside_a_broker) {
  rig.settings.sets = SET_ARTEMIS;
  make();
  add_plain(&one, "A", "gauge");
  rig_begin(&rig, TIER_FAST, 1000);
  rig_reply(&rig, rig_identity("2.40.0", true));
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  ck_assert_int_eq(rig.kind, KIND_LISTING);
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"A\":1}}]");
  ck_assert_int_eq(rig.kind, KIND_MBEAN);
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-A 1"));
  ck_assert(rig_sample(&rig, "queue-q/gauge-MessageCount 3"));
  ck_assert(scrape_is_whole(rig.scrape) && scrape_has_all(rig.scrape));
  rig_begin(&rig, TIER_FAST, 1010);
  rig_reply(&rig, rig_fast("false", ONE, "false"));
  rig_reply(&rig, "[{\"status\":200,\"value\":{\"A\":2}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "jmx/a/gauge-A 2"));
  ck_assert(!scrape_has_all(rig.scrape));
}
END_TEST

/* ---- the ready-made sets ---- */

START_TEST(the_set_of_a_jvm) {
  rig.settings.sets = SET_JVM;
  make();
  rig_begin(&rig, TIER_FAST, 1000);
  rig_reply(&rig, AGENT);
  rig_reply(
      &rig,
      "[{\"status\":200,\"value\":{\"HeapMemoryUsage\":{\"used\":5,\"max\":-1,"
      "\"committed\":9},\"NonHeapMemoryUsage\":{\"used\":1,\"committed\":2},"
      "\"ObjectPendingFinalizationCount\":0}},"
      "{\"status\":200,\"value\":{\"java.lang:name=G1 Eden,type=MemoryPool\":{"
      "\"Usage\":{\"used\":3},\"CollectionUsage\":null}}}," NO_MBEAN
      ",{\"status\":200,\"value\":{\"java.lang:name=G1 Old,"
      "type=GarbageCollector\":{\"CollectionCount\":2,\"CollectionTime\":-1}}}"
      "," NO_MBEAN ",{\"status\":200,\"value\":{\"Uptime\":1500}},"
      "{\"status\":200,\"value\":{\"ProcessCpuTime\":2500000000}},"
      "{\"status\":200,\"value\":{\"ProcessCpuLoad\":0.5}},"
      "{\"status\":200,\"value\":{\"SystemCpuLoad\":-1}},"
      "{\"status\":200,\"value\":{\"SystemLoadAverage\":null}}]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "jvm/memory/bytes-heap_used 5"));
  ck_assert(rig_sample(&rig, "jvm/pool-G1 Eden/bytes-used 3"));
  ck_assert(rig_sample(&rig, "jvm/gc-G1 Old/invocations-collections 2"));
  ck_assert(rig_sample(&rig, "jvm/process/uptime-uptime 1.5"));
  ck_assert(rig_sample(&rig, "jvm/process/total_time_in_ms-cpu_time 2500"));
  ck_assert(rig_sample(&rig, "jvm/process/percent-cpu_load 50"));
  ck_assert_uint_eq(rig_count(&rig, "heap_max"), 0);
  ck_assert_uint_eq(rig_count(&rig, "system_cpu_load"), 0);
  ck_assert_uint_eq(rig_count(&rig, "gc-G1 Old/total_time_in_ms"), 0);
}
END_TEST

/* An empty queue has no FirstMessageAge: it is counted once, with its sizes. */
START_TEST(the_detail_of_queues) {
  rig.settings.sets = SET_ARTEMIS | SET_DETAIL;
  make();
  rig_begin(&rig, TIER_FAST, 1000);
  rig_reply(&rig, rig_identity("2.40.0", true));
  rig_reply(&rig, rig_fast("true", ONE, "true"));
  rig_over(&rig, STATUS_OK);
  ck_assert_uint_eq(counts()->received, 2);
  rig_begin(&rig, TIER_SLOW, 1000);
  rig_reply(
      &rig,
      "[" READ("\"Active\":true") "," READ("\"GlobalMaxSize\":5") "," READ(QUEUE_MBEAN("q") ":{\"PersistentSize\":7,\"Temporary\":false}") "," READ(
          QUEUE_MBEAN("q") ":{\"FirstMessageAge\":2500}," QUEUE_MBEAN(
              "e") ":{\"FirstMessageAge\":null}") "," READ(ADDRESS_MBEAN("a") ":{\"NumberOfBytesPerPage\":1}") "]");
  rig_over(&rig, STATUS_OK);
  ck_assert(rig_sample(&rig, "queue-q/gauge-PersistentSize 7"));
  ck_assert(rig_sample(&rig, "queue-q/duration-FirstMessageAge 2.5"));
  ck_assert(rig_sample(&rig, "address-a/gauge-NumberOfBytesPerPage 1"));
  ck_assert_uint_eq(counts()->received, 5);
  ck_assert_uint_eq(counts()->invalid, 0);
}
END_TEST

/* ---- what does not pass ---- */

START_TEST(refused) {
  static const char *const two[] = {"A", "B"};
  struct mbean_block broken = one;
  struct mbean_value value = value_of(&(const char *){"A"}, "gauge");
  make();
  broken.pattern = "no colon";
  ck_assert_int_eq(scrape_add_mbean(rig.scrape, &broken, &value, &error),
                   STATUS_INVALID);
  value.type = "no_such_type";
  ck_assert_int_eq(scrape_add_mbean(rig.scrape, &one, &value, &error),
                   STATUS_INVALID);
  value = value_of(two, "gauge");
  value.n_paths = 2;
  ck_assert_int_eq(scrape_add_mbean(rig.scrape, &one, &value, &error),
                   STATUS_INVALID);
  value = value_of(&(const char *){"A//b"}, "gauge");
  ck_assert_int_eq(scrape_add_mbean(rig.scrape, &one, &value, &error),
                   STATUS_INVALID);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void) {
  Suite *suite = suite_create("mbean");
  TCase *tcase = tcase_create("mbean");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_loop_test(tcase, one_value, 0, N(values));
  tcase_add_test(tcase, names_of_values);
  tcase_add_test(tcase, texts_and_scales);
  tcase_add_test(tcase, several_data_sources);
  tcase_add_test(tcase, a_value_for_each_key);
  tcase_add_test(tcase, a_map_of_many_keys_is_cut);
  tcase_add_test(tcase, all_attributes);
  tcase_add_test(tcase, one_item_for_a_pattern);
  tcase_add_test(tcase, an_item_that_fails_is_split);
  tcase_add_test(tcase, a_split_item_heals);
  tcase_add_test(tcase, an_item_that_is_missing_costs_itself);
  tcase_add_test(tcase, attributes_fail_alone);
  tcase_add_test(tcase, a_missing_mbean_is_told_once_and_counted_always);
  tcase_add_test(tcase, keys_in_another_order_are_the_same_series);
  tcase_add_test(tcase, mbeans_come_and_go);
  tcase_add_test(tcase, an_item_that_is_too_large_is_set_aside);
  tcase_add_test(tcase, filters_on_keys);
  tcase_add_test(tcase, names_tell_apart);
  tcase_add_test(tcase, instance_of_the_operator);
  tcase_add_test(tcase, a_name_that_is_taken);
  tcase_add_test(tcase, a_name_is_free_when_its_mbean_has_gone);
  tcase_add_test(tcase, blocks_that_share_a_name);
  tcase_add_test(tcase, cap_and_filter);
  tcase_add_test(tcase, names_make_room_beside_one_that_is_missing);
  tcase_add_test(tcase, held_back_after_a_clock_step);
  tcase_add_test(tcase, a_jvm_is_up_where_its_agent_answers);
  tcase_add_test(tcase, a_jvm_that_does_not_answer);
  tcase_add_test(tcase, beside_a_broker);
  tcase_add_test(tcase, the_set_of_a_jvm);
  tcase_add_test(tcase, the_detail_of_queues);
  tcase_add_test(tcase, refused);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
