/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/output.h"

#include "artemis/attributes.h"

#include "artemis/identity.h"
#include "ctl/report.h"

#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct buf out;

static void setup(void) { buf_init(&out, 8192); }
static void teardown(void) { buf_fini(&out); }

static const struct attribute counted = {.unit = "messages"};
static const struct sample depth = {.host = "broker-a",
                                    .plugin = "artemis",
                                    .plugin_instance = "queue-ORD\"ERS",
                                    .type = "gauge",
                                    .type_instance = "MessageCount",
                                    .attribute = &counted,
                                    .gauge = 12.5,
                                    .time_ns = 1764510000123456789,
                                    .interval_ns = 10};
static const struct sample added = {.host = "broker-a",
                                    .plugin = "artemis",
                                    .plugin_instance = "queue-\xc3\xbc",
                                    .type = "derive",
                                    .type_instance = "MessagesAdded",
                                    .attribute = &counted,
                                    .is_derive = true,
                                    .derive = INT64_MAX,
                                    .time_ns = 1764510000000000000,
                                    .interval_ns = 10};

START_TEST(writes_members) {
  member_begin(&out);
  member_text(&out, "text", "a\"b\n\xc3\xbc\xff");
  member_text(&out, "none", NULL);
  member_int(&out, "int", INT64_MIN);
  member_real(&out, "real", 0.5);
  member_real(&out, "nan", (double)NAN);
  member_real(&out, "inf", (double)INFINITY);
  member_bool(&out, "yes", true);
  member_bool(&out, "no", false);
  member_times(&out, "ms", (const int64_t[]){1234567, 2000999, -1}, 3);
  member_times(&out, "empty", NULL, 0);
  member_texts(&out, "texts", (const char *const[]){"a\"", "b"}, 2);
  member_texts(&out, "nothing", NULL, 0);
  member_end(&out);
  ck_assert_str_eq(buf_text(&out),
                   "{\"text\":\"a\\\"b\\n\xc3\xbc\xef\xbf\xbd\",\"none\":null,"
                   "\"int\":-9223372036854775808,\"real\":0.5,\"nan\":null,"
                   "\"inf\":null,\"yes\":true,\"no\":false,"
                   "\"ms\":[1.234,2,0],\"empty\":[],"
                   "\"texts\":[\"a\\\"\",\"b\"],\"nothing\":[]}\n");
}
END_TEST

START_TEST(writes_a_value_as_json) {
  output_value_json(&out, "orders", &depth);
  ck_assert_str_eq(
      buf_text(&out),
      "{\"cluster\":\"orders\",\"node\":\"broker-a\",\"object\":"
      "\"queue-ORD\\\"ERS\",\"attribute\":\"MessageCount\",\"type\":\"gauge\","
      "\"value\":12.5,\"unit\":\"messages\",\"time\":1764510000.123}\n");
  buf_clear(&out);
  output_value_json(&out, "orders", &added);
  ck_assert_ptr_nonnull(
      strstr(buf_text(&out), "\"value\":9223372036854775807,"));
}
END_TEST

START_TEST(lines_a_table_up) {
  output_value_head(&out);
  size_t head = out.len;
  output_value_row(&out, &depth);
  size_t row = out.len;
  output_value_row(&out, &added);
  const char *unit = strstr(out.data, "UNIT");
  const char *messages = strstr(out.data + head, "messages");
  ck_assert_ptr_nonnull(unit);
  ck_assert_ptr_nonnull(messages);
  ck_assert_int_eq(unit - out.data, messages - (out.data + head));
  /* two bytes, one column */
  messages = strstr(out.data + row, "messages");
  ck_assert_int_eq(unit - out.data + 1 + 3, messages - (out.data + row));
  ck_assert_ptr_nonnull(strstr(out.data, " 12.5 messages\n"));
  ck_assert_ptr_nonnull(strstr(out.data, " 9223372036854775807 messages\n"));
}
END_TEST

START_TEST(does_not_cut_what_is_long) {
  char instance[SAMPLE_NAME_MAX];
  memset(instance, 'q', sizeof(instance));
  memcpy(instance, "queue-", 6);
  instance[127] = '\0';
  struct sample sample = depth;
  sample.plugin_instance = instance;
  output_value_row(&out, &sample);
  ck_assert_ptr_eq(strstr(out.data, instance), out.data);
  ck_assert_int_eq(out.data[127], ' ');
}
END_TEST

START_TEST(knows_units) {
  struct sample sample = depth;
  ck_assert_str_eq(output_unit(&sample), "messages");
  sample.attribute = NULL;
  ck_assert_str_eq(output_unit(&sample), "");
}
END_TEST

START_TEST(writes_several_values) {
  struct sample sample = depth;
  sample.type = "ps_count";
  sample.n_more = 2;
  sample.more_gauge[0] = -3;
  sample.more_gauge[1] = (double)NAN;
  output_value_json(&out, "orders", &sample);
  ck_assert_ptr_nonnull(strstr(
      buf_text(&out), "\"value\":12.5,\"values\":[12.5,-3,null],\"unit\""));
  buf_clear(&out);
  output_value_row(&out, &sample);
  ck_assert_ptr_nonnull(strstr(buf_text(&out), " 12.5:-3:nan messages\n"));
  sample = added;
  sample.n_more = 1;
  sample.more_derive[0] = 7;
  buf_clear(&out);
  output_value_json(&out, "orders", &sample);
  ck_assert_ptr_nonnull(
      strstr(buf_text(&out), "\"values\":[9223372036854775807,7],"));
}
END_TEST

START_TEST(is_deaf_to_the_locale) {
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "de_DE"))
    return; /* not installed: the tests above stand for it */
  output_value_json(&out, "orders", &depth);
  ck_assert_ptr_nonnull(strstr(buf_text(&out), "\"value\":12.5,"));
  setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(colours_only_where_it_may) {
  struct output output = {.has_color = false};
  output_colored(&output, &out, COLOR_BAD, "down");
  ck_assert_str_eq(buf_text(&out), "down");
  buf_clear(&out);
  output.has_color = true;
  output_colored(&output, &out, COLOR_NONE, "plain");
  ck_assert_str_eq(buf_text(&out), "plain");
  buf_clear(&out);
  output_colored(&output, &out, COLOR_BAD, "down");
  ck_assert_str_eq(buf_text(&out), "\033[31mdown\033[0m");
}
END_TEST

START_TEST(lets_no_name_command_a_terminal) {
  const struct output output = {.has_color = true};
  buf_add_text(&out, "a\033[2J\033]0;b\a\r\177\033[31\n\tue \xc3\xbc ");
  output_colored(&output, &out, COLOR_BAD, "down");
  output_clean(&out);
  ck_assert_str_eq(buf_text(&out), "a?[2J?]0;b????[31\n\tue \xc3\xbc "
                                   "\033[31mdown\033[0m");
  buf_clear(&out);
  buf_add_text(&out, "\033[");
  output_clean(&out);
  ck_assert_str_eq(buf_text(&out), "?[");
  buf_clear(&out);
  output_clean(&out);
  ck_assert_str_eq(buf_text(&out), "");
}
END_TEST

/* -- report -- */

static struct identity identity;
static struct scrape_counts counts;
static struct node_stats stats;
static const struct error well = {STATUS_OK, ""};

static struct monitor_view view_of(void) {
  return (struct monitor_view){.name = "broker-a",
                               .cluster = "orders",
                               .url_key = "http://b:80/x",
                               .state = NODE_ACTIVE,
                               .why = &well,
                               .identity = &identity,
                               .counts = &counts,
                               .stats = &stats};
}

START_TEST(lets_no_note_command_a_terminal) {
  char line[64] = "";
  int before = dup(STDERR_FILENO);
  FILE *file = tmpfile();
  ck_assert_ptr_nonnull(file);
  dup2(fileno(file), STDERR_FILENO);
  output_note("%s: %s", "n", "\033[31mred\a\n\177");
  dup2(before, STDERR_FILENO);
  close(before);
  rewind(file);
  ck_assert_ptr_nonnull(fgets(line, sizeof(line), file));
  ck_assert_str_eq(line, "n: ?[31mred???\n");
  fclose(file);
}
END_TEST

START_TEST(reports_a_node) {
  struct monitor_view view = view_of();
  const struct error down = {STATUS_CONNECT, "no \"route\""};
  stats.requests[OWNER_SCRAPE] = 3;
  stats.requests[OWNER_SLOW] = 2;
  stats.permit_wait_ns[OWNER_SLOW] = 1500000;
  view.scrape_ns = 2500000;
  member_begin(&out);
  report_members(&out, &view, &down);
  member_end(&out);
  ck_assert_str_eq(
      buf_text(&out),
      "{\"cluster\":\"orders\",\"node\":\"broker-a\",\"url\":"
      "\"http://b:80/x\",\"state\":\"active\",\"version\":null,\"agent\":null,"
      "\"requests\":5,\"permit_wait_ms\":1.5,\"scrape_ms\":2.5,\"values\":0,"
      "\"objects\":0,\"excluded\":0,\"over_cap\":0,\"failures\":0,"
      "\"error\":\"connect\",\"reason\":\"no \\\"route\\\"\"}\n");
  ck_assert_int_eq(report_code(&view, &down), EXIT_CODE_CONNECTION);
  ck_assert_int_eq(report_code(&view, &well), EXIT_CODE_DONE);
}
END_TEST

START_TEST(counts_what_was_kept_back) {
  struct monitor_view view = view_of();
  stats.errors[STATUS_ITEM_DENIED] = 1;
  counts.listing_failed = 1;
  ck_assert_uint_eq(report_failures(&view), 0);
  stats.errors[STATUS_ITEM_DENIED] = 3;
  ck_assert_uint_eq(report_failures(&view), 2);
  stats.errors[STATUS_ITEM_DENIED] = 0;
  ck_assert_uint_eq(report_failures(&view), 0);
  counts.invalid = counts.value_errors = counts.partial = counts.set_aside = 1;
  ck_assert_uint_eq(report_failures(&view), 4);
  ck_assert_int_eq(report_code(&view, &well), EXIT_CODE_SOME);
}
END_TEST

static const struct {
  uint64_t requests;
  int64_t handling_ms;
  int64_t scrape_ms;
  uint64_t rate_milli;
  uint64_t seconds;
} intervals[] = {
    {3, 10, 100, 20000, 1},  {3, 249, 100, 20000, 1},   {3, 250, 100, 20000, 1},
    {3, 251, 100, 20000, 2}, {3, 3000, 100, 20000, 12}, {3, 10, 4100, 20000, 5},
    {3, 10, 100, 1000, 3},   {3, 10, 100, 100, 30},     {0, 0, 0, 1, 1},
};

START_TEST(names_the_smallest_interval) {
  struct monitor_view view = view_of();
  memset(&stats, 0, sizeof(stats));
  stats.requests[OWNER_SCRAPE] = intervals[_i].requests;
  view.affords_ns = 4 * intervals[_i].handling_ms * 1000000;
  view.scrape_ns = intervals[_i].scrape_ms * 1000000;
  ck_assert_uint_eq(report_smallest_interval_s(&view, intervals[_i].rate_milli),
                    intervals[_i].seconds);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("output");
  TCase *tcase = tcase_create("output");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, writes_members);
  tcase_add_test(tcase, writes_a_value_as_json);
  tcase_add_test(tcase, lines_a_table_up);
  tcase_add_test(tcase, does_not_cut_what_is_long);
  tcase_add_test(tcase, knows_units);
  tcase_add_test(tcase, writes_several_values);
  tcase_add_test(tcase, is_deaf_to_the_locale);
  tcase_add_test(tcase, colours_only_where_it_may);
  tcase_add_test(tcase, lets_no_name_command_a_terminal);
  tcase_add_test(tcase, lets_no_note_command_a_terminal);
  tcase_add_test(tcase, reports_a_node);
  tcase_add_test(tcase, counts_what_was_kept_back);
  tcase_add_loop_test(tcase, names_the_smallest_interval, 0,
                      sizeof(intervals) / sizeof(*intervals));

  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
