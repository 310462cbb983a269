/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/putval.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S INT64_C(1000000000)

#define SAMPLE(h, p, pi, t, ti, of, is, d, g, at, every)                       \
  {                                                                            \
    .host = (h), .plugin = (p), .plugin_instance = (pi), .type = (t),          \
    .type_instance = (ti), .attribute = (of), .is_derive = (is),               \
    .derive = (d), .gauge = (g), .time_ns = (at), .interval_ns = (every)       \
  }

static const struct {
  struct sample sample;
  const char *type;
  const char *line;
} cases[] = {
    {SAMPLE("broker-a", "artemis", "queue-ORDERS", "gauge", "MessageCount",
            NULL, false, 0, 12, 1764510000 * S + 123456789, 10 * S),
     "gauge",
     "PUTVAL \"broker-a/artemis-queue-ORDERS/gauge-MessageCount\" "
     "interval=10.000 1764510000.123:12\n"},
    {SAMPLE("b", "artemis", "broker", "derive", "MessagesAdded", NULL, true,
            INT64_MAX, 0, 1 * S, 1500000000),
     "derive",
     "PUTVAL \"b/artemis-broker/derive-MessagesAdded\" interval=1.500 "
     "1.000:9223372036854775807\n"},
    /* another type, no instances, our own host, no time */
    {SAMPLE("", "jolokia", "", "bool", "", NULL, false, 0, 1, 0, 60 * S),
     "gauge", "PUTVAL \"agent.example/jolokia/gauge\" interval=60.000 N:1\n"},
    {SAMPLE("", "jolokia", "", "bool", "engine", NULL, false, 0, 0,
            5 * S + 1000000, S),
     "bool",
     "PUTVAL \"agent.example/jolokia/bool-engine\" interval=1.000 5.001:0\n"},
    /* numbers as in the C locale, and none */
    {SAMPLE("b", "p", "i", "gauge", "x", NULL, false, 0, 0.5, S, S), "gauge",
     "PUTVAL \"b/p-i/gauge-x\" interval=1.000 1.000:0.5\n"},
    {SAMPLE("b", "p", "i", "gauge", "x", NULL, false, 0, -1e300, S, S), "gauge",
     "PUTVAL \"b/p-i/gauge-x\" interval=1.000 1.000:-1e+300\n"},
    {SAMPLE("b", "p", "i", "gauge", "x", NULL, false, 0, (double)NAN, S, S),
     "gauge", "PUTVAL \"b/p-i/gauge-x\" interval=1.000 1.000:U\n"},
    {SAMPLE("b", "p", "i", "gauge", "x", NULL, false, 0, -(double)INFINITY, S,
            S),
     "gauge", "PUTVAL \"b/p-i/gauge-x\" interval=1.000 1.000:U\n"},
    /* what the grammar quotes, and what would end a part or the line */
    {SAMPLE("a b", "artemis", "queue-q\"u\\o", "gauge", "x", NULL, false, 0, 1,
            S, S),
     "gauge",
     "PUTVAL \"a b/artemis-queue-q\\\"u\\\\o/gauge-x\" interval=1.000 "
     "1.000:1\n"},
    {SAMPLE("a/b", "p", "i\nPUTVAL", "gauge", "x\x7f\t", NULL, false, 0, 1, S,
            S),
     "gauge", "PUTVAL \"a_b/p-i_PUTVAL/gauge-x__\" interval=1.000 1.000:1\n"},
    {SAMPLE("\xc3\xbc", "p", "i", "gauge", "x", NULL, false, 0, 1, S, S),
     "gauge", "PUTVAL \"\xc3\xbc/p-i/gauge-x\" interval=1.000 1.000:1\n"},
};

START_TEST(writes_a_line) {
  struct buf out;
  buf_init(&out, 4096);
  buf_add_text(&out, "before\n");
  ck_assert_int_eq(
      putval_line(&out, &cases[_i].sample, cases[_i].type, "agent.example"),
      STATUS_OK);
  ck_assert_str_eq(buf_text(&out) + 7, cases[_i].line);
  buf_fini(&out);
}
END_TEST

/* Four parts of ${n} quotes each, which take two bytes apiece, and a host of
 * 127 bytes of which ${n_host} are quotes. */
static enum status long_line(struct buf *out, size_t n, size_t n_host) {
  char quotes[128];
  char host[128];
  memset(quotes, '"', sizeof(quotes));
  quotes[n] = '\0';
  memset(host, 'h', sizeof(host));
  memset(host, '"', n_host);
  host[127] = '\0';
  const struct sample sample =
      SAMPLE(host, quotes, quotes, quotes, quotes, NULL, false, 0, 1, S, S);
  return putval_line(out, &sample, quotes, "agent");
}

START_TEST(writes_several_values) {
  struct sample sample =
      SAMPLE("b", "jmx", "if", "if_octets", "x", NULL, true, 5, 0, S, S);
  struct buf out;
  sample.n_more = 1;
  sample.more_derive[0] = INT64_MAX;
  buf_init(&out, 4096);
  putval_line(&out, &sample, "if_octets", "agent");
  ck_assert_str_eq(buf_text(&out),
                   "PUTVAL \"b/jmx-if/if_octets-x\" "
                   "interval=1.000 1.000:5:9223372036854775807\n");
  buf_clear(&out);
  sample = (struct sample)SAMPLE("b", "jmx", "i", "load", "x", NULL, false, 0,
                                 0.5, S, S);
  sample.n_more = 2;
  sample.more_gauge[0] = -1;
  sample.more_gauge[1] = (double)NAN;
  putval_line(&out, &sample, "load", "agent");
  ck_assert_ptr_nonnull(strstr(buf_text(&out), " 1.000:0.5:-1:U\n"));
  buf_fini(&out);
}
END_TEST

START_TEST(never_writes_a_line_that_is_too_long) {
  struct buf out;
  buf_init(&out, 8192);
  buf_add_text(&out, "before\n");
  ck_assert_int_eq(long_line(&out, 127, 127), STATUS_INVALID);
  ck_assert_str_eq(buf_text(&out), "before\n");
  ck_assert_int_eq(out.status, STATUS_OK);

  /* Every length around the limit. */
  for (size_t host = 0; host <= 127; host++)
    for (size_t n = 120; n <= 127; n++) {
      buf_clear(&out);
      enum status status = long_line(&out, n, host);
      ck_assert(status == STATUS_OK || status == STATUS_INVALID);
      ck_assert_uint_le(out.len, PUTVAL_LINE_MAX);
      ck_assert_int_eq(status == STATUS_INVALID, out.len == 0);
    }
  ck_assert_uint_lt(PUTVAL_LINE_MAX, 1199);
  buf_fini(&out);
}
END_TEST

START_TEST(writes_the_longest_line) {
  struct buf out;
  size_t longest = 0;
  buf_init(&out, 8192);
  for (size_t host = 0; host <= 127; host++)
    for (size_t n = 120; n <= 127; n++) {
      buf_clear(&out);
      if (long_line(&out, n, host) == STATUS_OK && out.len > longest)
        longest = out.len;
    }
  ck_assert_uint_eq(longest, PUTVAL_LINE_MAX);
  buf_fini(&out);
}
END_TEST

START_TEST(cuts_a_part_as_the_module_does) {
  char host[200];
  struct buf out;
  memset(host, 'h', sizeof(host));
  host[199] = '\0';
  const struct sample sample =
      SAMPLE(host, "p", "i", "gauge", "x", NULL, false, 0, 1, S, S);
  buf_init(&out, 8192);
  ck_assert_int_eq(putval_line(&out, &sample, "gauge", "agent"), STATUS_OK);
  ck_assert_ptr_eq(strchr(out.data, '/'), out.data + 8 + 127);
  buf_fini(&out);
}
END_TEST

START_TEST(takes_nothing_where_there_is_no_room) {
  const struct sample sample =
      SAMPLE("b", "p", "i", "gauge", "x", NULL, false, 0, 1, S, S);
  struct buf out;
  buf_init(&out, 20);
  buf_add_text(&out, "before\n");
  ck_assert_int_eq(putval_line(&out, &sample, "gauge", "agent"),
                   STATUS_REQUEST_TOO_LARGE);
  ck_assert_str_eq(buf_text(&out), "before\n");
  buf_fini(&out);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("putval");
  TCase *tcase = tcase_create("putval");
  tcase_add_loop_test(tcase, writes_a_line, 0, sizeof(cases) / sizeof(*cases));
  tcase_add_test(tcase, writes_several_values);
  tcase_add_test(tcase, never_writes_a_line_that_is_too_long);
  tcase_add_test(tcase, writes_the_longest_line);
  tcase_add_test(tcase, cuts_a_part_as_the_module_does);
  tcase_add_test(tcase, takes_nothing_where_there_is_no_room);

  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
