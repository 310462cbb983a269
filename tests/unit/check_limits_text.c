/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/limits_text.h"

#include "base/clock.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define S CLOCK_NS_PER_S

static char cluster[] = "orders", name[] = "broker-a",
            url[] = "https://broker-a.example.net/jolokia";
static const struct node_settings node = {
    .name = name,
    .cluster = cluster,
    .url_key = url,
    .timeout_ns = 10 * S,
    .connect_timeout_ns = 3 * S,
    .change_timeout_ns = 120 * S,
    .ceiling = {.max_request_bytes = 1 << 20, .max_response_bytes = 64 << 20}};
static struct limits before, now;
static struct limits_view view = {
    .node = &node, .before = &before, .now = &now};
static struct buf out;

static void set_up(void) {
  now = (struct limits){
      .now_ns = 12 * S,
      .unit = {{0.5, 1, 20, 0},
               {12, 50, 50, 0},
               {-1048576, 8388608, 2097152, S / 2},
               {1.25, 2, 0.25, 0}},
      .max_in_flight = 2,
      .max_waiting = 64,
      .permit_timeout_ns = {5 * S, 5 * S, 5 * S, 15 * S, 90 * S},
      .totals = {[OWNER_SCRAPE] = {100, 300, 5000, 4194304, S},
                 [OWNER_BULK] = {20, 1000, 0, 1048576, 61 * S}},
      .changes = 1000,
      .handling_ns = 2 * S,
      .refused = {1, 2, 3},
      .waiters = {{4711, OWNER_BULK, UNIT_CHANGES, 800 * CLOCK_NS_PER_MS}},
      .n_waiters = 1};
  for (int kind = 0; kind < KIND_COUNT; kind++)
    now.pace_ns[kind] = -1;
  now.pace_ns[KIND_LISTING] = 12 * CLOCK_NS_PER_MS;
  now.pace_ns[KIND_CHANGE] = 7 * CLOCK_NS_PER_MS;
  before = now;
  before.now_ns = 10 * S;
  before.totals[OWNER_BULK].requests = 15;
  before.changes = 900;
  before.totals[OWNER_SCRAPE].bytes -= 2048;
  before.handling_ns = S;
  buf_init(&out, 16384);
}

static void tear_down(void) { buf_fini(&out); }

START_TEST(use_is_the_difference_a_second) {
  ck_assert_double_eq_tol(limits_used(&view, UNIT_REQUESTS), 2.5, 1e-9);
  ck_assert_double_eq_tol(limits_used(&view, UNIT_CHANGES), 50, 1e-9);
  ck_assert_double_eq_tol(limits_used(&view, UNIT_BYTES), 1024, 1e-9);
  ck_assert_double_eq_tol(limits_used(&view, UNIT_HANDLING), 0.5, 1e-9);
}
END_TEST

START_TEST(no_use_where_the_record_is_not_the_same) {
  if (_i == 0)
    before.record.kind = STATUS_NOT_FOUND;
  else if (_i == 1)
    now.record.kind = STATUS_NOT_FOUND;
  else if (_i == 2)
    before.totals[OWNER_SCRAPE].requests = 1000;
  else
    before.now_ns = now.now_ns;
  ck_assert(isnan(limits_used(&view, UNIT_REQUESTS)));
}
END_TEST

START_TEST(the_table) {
  struct output output = {.is_json = false};
  limits_table(&output, &out, &view);
  ck_assert_str_eq(
      buf_text(&out),
      "orders/broker-a https://broker-a.example.net/jolokia\n"
      "  verdict    our ceiling: bulk of process 4711 has waited 0.8 s for "
      "changes; allowed are 50 a second\n"
      "  UNIT             LEVEL       BURST   CEILING/S      USED/S      DEBT\n"
      "  requests           0.5           1          20         2.5         -\n"
      "  changes             12          50          50          50         -\n"
      "  bytes           -1 MiB       8 MiB       2 MiB       1 KiB     0.5 s\n"
      "  handling        1.25 s         2 s      0.25 s       0.5 s         -\n"
      "  WAITING        PROCESS      WAITED        UNIT\n"
      "  bulk              4711       0.8 s     changes\n"
      "  OWNER         REQUESTS  OPERATIONS     OBJECTS       BYTES    WAITED\n"
      "  scrape             100         300        5000       4 MiB     1.0 s\n"
      "  bulk                20        1000           0       1 MiB     1m 1s\n"
      "  refused    1 timeout, 2 queue_full, 3 cancelled\n"
      "  handling   listing 12 ms, change 7 ms a request, lately\n"
      "  sizes      50 operations a request, of 1 MiB at most; replies of 64 "
      "MiB at most\n"
      "  in flight  2 requests a process, 64 may wait; the broker's web server "
      "has 200 threads for all by default\n"
      "  timeouts   connect 3 s, reply 10 s, change 120 s; permits: scrape 5 "
      "s, slow 5 s, discovery 5 s, command 15 s, bulk 90 s\n");
}
END_TEST

START_TEST(without_a_record) {
  struct output output = {.is_json = false};
  error_set(&now.record, _i ? STATUS_INVALID : STATUS_NOT_FOUND, "why");
  limits_table(&output, &out, &view);
  ck_assert_ptr_nonnull(strstr(buf_text(&out), "  verdict    unknown: why\n"));
  ck_assert_ptr_nonnull(strstr(buf_text(&out), "  20           -         -\n"));
  ck_assert_ptr_null(strstr(buf_text(&out), "OWNER"));
  ck_assert_int_eq(limits_code(&view), _i ? EXIT_CODE_SOME : EXIT_CODE_DONE);
  buf_clear(&out);
  limits_json(&out, &view);
  ck_assert_ptr_nonnull(strstr(buf_text(&out),
                               "\"shared\":false,\"reason\":\"why\","
                               "\"verdict\":null,\"verdict_unit\":null,"));
  ck_assert_ptr_nonnull(
      strstr(buf_text(&out), "\"requests_used_per_second\":null"));
}
END_TEST

START_TEST(json) {
  static const char *const parts[] = {
      "{\"cluster\":\"orders\",\"node\":\"broker-a\",",
      "\"shared\":true,\"reason\":null,\"verdict\":\"ceiling\",\"verdict_"
      "unit\":"
      "\"changes\",\"verdict_kind\":null,\"verdict_text\":\"our ceiling: bulk",
      ",\"bytes_level\":-1048576,\"bytes_burst\":8388608,\"bytes_per_second\":"
      "2097152,\"bytes_used_per_second\":1024,\"bytes_debt_s\":0.5,",
      ",\"waiting\":[{\"process\":4711,\"owner\":\"bulk\",\"unit\":\"changes\","
      "\"waited_s\":0.8}],\"owners\":{\"scrape\":{\"requests\":100,",
      "\"bulk\":{\"requests\":20,\"operations\":1000,\"objects\":0,\"bytes\":"
      "1048576,\"permit_wait_s\":61}},\"handling_ms\":{\"identity\":null,",
      "\"listing\":12,",
      ",\"permit_timeout_s_bulk\":90}\n"};
  limits_json(&out, &view);
  for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
    ck_assert_msg(strstr(buf_text(&out), parts[i]) != NULL, "%s is not in %s",
                  parts[i], buf_text(&out));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("limits_text");
  TCase *tcase = tcase_create("limits_text");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_test(tcase, use_is_the_difference_a_second);
  tcase_add_loop_test(tcase, no_use_where_the_record_is_not_the_same, 0, 4);
  tcase_add_test(tcase, the_table);
  tcase_add_loop_test(tcase, without_a_record, 0, 2);
  tcase_add_test(tcase, json);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
