/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/putnotif.h"

#include "base/clock.h"
#include "ctl/putval.h"

#include <check.h>
#include <string.h>

static struct buf out;
static void setup(void) { buf_init(&out, 8192); }
static void teardown(void) { buf_fini(&out); }

START_TEST(the_lines) {
  static const struct {
    struct notice notice;
    const char *line;
  } cases[] = {
      {{.event = EVENT_NODE_DOWN,
        .host = "broker-a",
        .cluster = "orders",
        .text = "node down: connect: refused",
        .time_ns = 1764510000 * CLOCK_NS_PER_S + 999},
       "PUTNOTIF severity=failure time=1764510000 host=\"broker-a\" "
       "plugin=\"jolokia\" plugin_instance=\"orders\" type=\"state\" "
       "type_instance=\"node\" message=\"node down: connect: refused\"\n"},
      {{.event = EVENT_FILE_MENDED, .host = "", .cluster = "", .text = "x"},
       "PUTNOTIF severity=okay time=0 host=\"agent\" plugin=\"jolokia\" "
       "type=\"state\" type_instance=\"config\" message=\"x\"\n"},
      {{.event = EVENT_ALIAS,
        .host = "a \"b\\",
        .cluster = "c\nPUTVAL",
        .text = "\"\\\x7f"},
       "PUTNOTIF severity=warning time=0 host=\"a \\\"b\\\\\" "
       "plugin=\"jolokia\" plugin_instance=\"c_PUTVAL\" type=\"state\" "
       "type_instance=\"alias\" message=\"\\\"\\\\_\"\n"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    buf_clear(&out);
    ck_assert_int_eq(putnotif_line(&out, &cases[i].notice, "agent"), STATUS_OK);
    ck_assert_str_eq(buf_text(&out), cases[i].line);
  }
}
END_TEST

/* However long its parts are, it is no longer than collectd reads. */
START_TEST(the_longest_line) {
  char text[1000];
  memset(text, '"', sizeof(text) - 1);
  text[sizeof(text) - 1] = '\0';
  for (int i = 0; i < EVENT_COUNT; i++) {
    const struct notice notice = {.event = (enum event)i,
                                  .host = text,
                                  .cluster = text,
                                  .text = text,
                                  .time_ns = INT64_MAX};
    buf_clear(&out);
    ck_assert_int_eq(putnotif_line(&out, &notice, "agent"), STATUS_OK);
    ck_assert_uint_gt(out.len, 900);
    ck_assert_uint_le(out.len, PUTVAL_LINE_MAX);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("putnotif");
  TCase *tcase = tcase_create("lines");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, the_lines);
  tcase_add_test(tcase, the_longest_line);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed > 0;
}
