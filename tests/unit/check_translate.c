/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "client/translate.h"

#include <check.h>

#define S CLOCK_NS_PER_S
#define MIB (UINT64_C(1) << 20)

static struct node_settings node_of(void) {
  static char name[] = "n", url[] = "http://127.0.0.1:1/jolokia";
  return (struct node_settings){.name = name,
                                .url = url,
                                .connect_timeout_ns = S,
                                .ceiling = {.requests_per_second_milli = 20000,
                                            .burst = 1,
                                            .changes_per_second_milli = 50000,
                                            .bytes_per_second = 2 * MIB,
                                            .handling_share_milli = 250,
                                            .max_in_flight = 2,
                                            .max_waiting = 64,
                                            .max_request_bytes = MIB,
                                            .max_response_bytes = 64 * MIB,
                                            .max_object_bytes = 65536}};
}

static struct ceiling_settings ceiling_with(struct node_settings *node,
                                            uint64_t instances) {
  struct settings settings = {
      .nodes = node, .n_nodes = 1, .instances = instances};
  struct node_options options;
  struct error error;
  ck_assert_int_eq(translate_node(&settings, node, 10 * S, &options, &error),
                   STATUS_OK);
  return options.ceiling;
}

START_TEST(a_size_that_is_too_large_is_so_for_ten_intervals) {
  struct node_settings node = node_of();
  struct settings settings = {.nodes = &node, .n_nodes = 1, .instances = 1};
  struct node_options options;
  ck_assert_int_eq(translate_node(&settings, &node, 7 * S, &options, NULL),
                   STATUS_OK);
  ck_assert_int_eq(options.too_large_ns, 70 * S);
}
END_TEST

/* DESIGN: every rate divided and never rounded up; bursts down to one. */
static const struct {
  uint64_t instances;
  uint64_t requests_milli, changes_milli, bytes, share_micro;
  int64_t changes_burst, bytes_burst, handling_burst_ns;
  uint32_t batch;
} shares[] = {
    {1, 20000, 50000, 2 * MIB, 250000, 50, 8 * MIB, 2 * S, 50},
    {3, 6666, 16666, 699050, 83333, 16, 2796200, 666666666, 16},
    {50, 400, 1000, 41943, 5000, 1, 167772, 40000000, 1},
    {51, 392, 980, 41120, 4901, 1, 164480, 39215686, 1},
    {1000, 20, 50, 2097, 250, 1, 8388, 2000000, 1},
};

START_TEST(instances_divide_every_rate) {
  struct node_settings node = node_of();
  struct ceiling_settings c = ceiling_with(&node, shares[_i].instances);
  const struct bucket_rate *unit = c.rates.unit;
  ck_assert_uint_eq(unit[UNIT_REQUESTS].rate, shares[_i].requests_milli);
  ck_assert_int_eq(unit[UNIT_REQUESTS].cap, BUCKET_PERMIT);
  ck_assert_uint_eq(unit[UNIT_CHANGES].rate, shares[_i].changes_milli);
  ck_assert_int_eq(unit[UNIT_CHANGES].cap,
                   shares[_i].changes_burst * BUCKET_PERMIT);
  ck_assert_uint_eq(unit[UNIT_BYTES].rate, shares[_i].bytes);
  ck_assert_int_eq(unit[UNIT_BYTES].cap, shares[_i].bytes_burst * BUCKET_BYTE);
  ck_assert_uint_eq(unit[UNIT_HANDLING].rate, shares[_i].share_micro);
  ck_assert_int_eq(unit[UNIT_HANDLING].cap,
                   shares[_i].handling_burst_ns * BUCKET_HANDLING_NS);
  ck_assert_uint_eq(ceiling_batch(&c), shares[_i].batch);
  ck_assert_uint_eq(c.max_in_flight, 2);
  ck_assert_uint_eq(c.max_waiting, 64);
}
END_TEST

START_TEST(the_settings_defaults_are_the_ceilings) {
  struct node_settings node = node_of();
  struct ceiling_settings a = ceiling_with(&node, 1);
  struct ceiling_settings b = ceiling_settings_default(10 * S);
  for (int i = 0; i < UNIT_BUCKETS; i++) {
    ck_assert_uint_eq(a.rates.unit[i].rate, b.rates.unit[i].rate);
    ck_assert_int_eq(a.rates.unit[i].cap, b.rates.unit[i].cap);
  }
}
END_TEST

START_TEST(extremes_do_not_overflow) {
  struct node_settings node = node_of();
  node.ceiling.bytes_per_second = UINT64_C(1) << 40;
  node.ceiling.handling_share_milli = 64000;
  node.ceiling.requests_per_second_milli = BUCKET_RATE_MAX;
  node.ceiling.burst = BUCKET_BURST_MAX;
  struct ceiling_settings c = ceiling_with(&node, 1);
  ck_assert_uint_eq(c.rates.unit[UNIT_BYTES].rate, UINT64_C(1) << 40);
  ck_assert_int_eq(c.rates.unit[UNIT_BYTES].cap, BUCKET_LEVEL_MAX);
  ck_assert_uint_eq(c.rates.unit[UNIT_HANDLING].rate, BUCKET_SHARE_MAX);
  ck_assert_int_eq(c.rates.unit[UNIT_REQUESTS].cap,
                   INT64_C(1000000000000000000));
}
END_TEST

int main(void) {
  Suite *s = suite_create("translate");
  TCase *t = tcase_create("translate");
  tcase_add_test(t, a_size_that_is_too_large_is_so_for_ten_intervals);
  tcase_add_loop_test(t, instances_divide_every_rate, 0,
                      sizeof(shares) / sizeof(*shares));
  tcase_add_test(t, the_settings_defaults_are_the_ceilings);
  tcase_add_test(t, extremes_do_not_overflow);
  suite_add_tcase(s, t);
  SRunner *runner = srunner_create(s);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
