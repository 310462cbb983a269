/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/state.h"
#include "operator_hold.h"
#include "scripted.h"

/* What a request uses of each ceiling, as the client counts and charges it. */

/* A status line and half a body, and then nothing. */
static void stall(const char *head, const char *body, size_t n,
                  struct answer *ret) {
  (void)head;
  (void)body;
  (void)n;
  const char *text = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[";
  memcpy(ret->bytes, text, strlen(text));
  ret->len = strlen(text);
}

static void refuse(const char *head, const char *body, size_t n,
                   struct answer *ret) {
  (void)head;
  (void)body;
  (void)n;
  answer_with(ret, 500, "", "0123456789");
}

static size_t n_operations(const char *body) {
  size_t n = 0;
  while ((body = strstr(body, "\"mbean\""))) {
    n++;
    body++;
  }
  return n;
}

static void submit_as(struct node *node, enum owner owner, size_t n,
                      int64_t timeout_ns, struct told *told) {
  struct job_options options = scripted_job(n, told);
  struct error error;
  options.owner = owner;
  options.timeout_ns = timeout_ns;
  enum status status = client_submit(node, &options, &told->job, &error);
  ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

/* Every second operation is a change. */
START_TEST(a_batch_has_no_more_changes_than_their_burst) {
  server.answer = well;
  for (size_t i = 0; i < OPERATIONS; i += 2)
    operations[i] = (struct operation){
        .type = OPERATION_EXEC, .mbean = "t:n=a", .name = "destroy()"};
  struct node_options options = scripted_node("/j");
  options.ceiling.rates.unit[UNIT_CHANGES] = bucket_rate_of(100000, 16);
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  int64_t since_ns = clock_mono_ns();
  scripted_submit(node, 80, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(server.n_requests, 3); /* 16, 16 and 8 changes */
  ck_assert_uint_eq(n_operations(server.bodies[0]), 32);
  ck_assert_uint_eq(n_operations(server.bodies[1]), 32);
  ck_assert_uint_eq(n_operations(server.bodies[2]), 16);
  const struct node_stats *stats = client_node_stats(node);
  ck_assert_uint_eq(stats->changes, 40);
  /* At 100/s: the first 16 are there, the other 24 take 240 ms. */
  ck_assert_int_ge(clock_mono_ns() - since_ns, 235 * MS);
  ck_assert_uint_eq(stats->blocked[UNIT_CHANGES], 2);
}
END_TEST

START_TEST(reads_are_no_changes) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 120, &told);
  scripted_finish(&told);
  ck_assert_uint_eq(server.n_requests, 3);
  ck_assert_uint_eq(client_node_stats(node)->changes, 0);
}
END_TEST

/* Whatever becomes of it: about 100 ms of waiting, which take four times as
 * long to come back at a share of 0.25, from the start on. */
START_TEST(an_unanswered_request_costs_its_whole_wait) {
  static const struct {
    void (*answer)(const char *, const char *, size_t, struct answer *);
    bool is_cancelled;
    enum status kind;
  } cases[] = {{hang, false, STATUS_TIMEOUT},
               {stall, false, STATUS_TIMEOUT},
               {hang, true, STATUS_CANCELLED}};
  int64_t start_ns = clock_mono_ns();
  server.answer = cases[_i].answer;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  submit_as(node, OWNER_COMMAND, 1,
            cases[_i].is_cancelled ? 1000 * MS : 100 * MS, &told);
  if (cases[_i].is_cancelled) {
    scripted_run(&told, 100 * MS);
    client_cancel(told.job);
  }
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, cases[_i].kind);
  ck_assert_int_ge(told.result.handling_ns, 40 * MS);
  ck_assert_int_le(told.result.handling_ns, 1000 * MS);
  int64_t debt_ns = client_node_stats(node)->debt_ns[UNIT_HANDLING];
  int64_t since_ns = clock_mono_ns() - start_ns;
  ck_assert_int_ge(debt_ns, 4 * told.result.handling_ns - since_ns);
  ck_assert_int_le(debt_ns, 4 * told.result.handling_ns);
}
END_TEST

START_TEST(debt_delays_a_command_and_not_the_scrape) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told[3] = {{.is_done = 0}};
  submit_as(node, OWNER_BULK, 1, 100 * MS, &told[0]);
  scripted_finish(&told[0]);
  server.answer = well;
  int64_t since_ns = clock_mono_ns();
  int64_t debt_ns = client_node_stats(node)->debt_ns[UNIT_HANDLING];
  submit_as(node, OWNER_COMMAND, 1, 1000 * MS, &told[1]);
  submit_as(node, OWNER_SCRAPE, 1, 1000 * MS, &told[2]);
  scripted_finish(&told[2]);
  ck_assert_int_lt(clock_mono_ns() - since_ns, debt_ns);
  ck_assert_int_eq(told[1].is_done, 0);
  scripted_finish(&told[1]);
  ck_assert_int_ge(clock_mono_ns() - since_ns, debt_ns - 5 * MS);
  ck_assert_uint_eq(client_node_stats(node)->blocked[UNIT_HANDLING], 1);
}
END_TEST

START_TEST(bytes_are_charged_as_received) {
  server.answer = _i == 0 ? well : refuse;
  struct node_options options = scripted_node("/j");
  options.ceiling.rates.unit[UNIT_BYTES] = bucket_rate_of_bytes(1, 1);
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 1, &told);
  scripted_finish(&told);
  const struct node_stats *stats = client_node_stats(node);
  ck_assert_uint_eq(stats->bytes_charged,
                    _i == 0 ? told.result.bytes : strlen("0123456789"));
  ck_assert_uint_gt(stats->bytes_charged, 9);
  ck_assert_int_gt(stats->debt_ns[UNIT_BYTES], 9000 * MS);
  ck_assert_int_le(stats->debt_ns[UNIT_BYTES], CEILING_DEBT_MAX_NS);
}
END_TEST

START_TEST(what_was_not_sent_costs_nothing) {
  struct node_options options = scripted_node("/j");
  scripted_stop(&server); /* the connection is refused */
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  submit_as(node, OWNER_COMMAND, 1, 1000 * MS, &told);
  int64_t end_ns = clock_mono_ns() + 3000 * MS;
  while (!told.is_done && clock_mono_ns() < end_ns)
    client_turn(client, clock_mono_ns() + MS);
  const struct node_stats *stats = client_node_stats(node);
  ck_assert_int_eq(told.result.error.kind, STATUS_CONNECT);
  ck_assert_uint_eq(stats->bytes_charged, 0);
  ck_assert_int_eq(stats->debt_ns[UNIT_HANDLING], 0);
  ck_assert_uint_eq(stats->requests[OWNER_COMMAND], 0);
  scripted_start(&server);
}
END_TEST

static void hold(struct node *node, int64_t until_ns) {
  ceiling_hold_by_operator(&node->endpoint->entry->ceiling, until_ns);
  endpoint_touch(node->endpoint);
}

START_TEST(the_operators_hold_ends_what_waits_and_what_comes) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  options.ceiling.rates.unit[UNIT_REQUESTS] = bucket_rate_of(1, 1);
  options.ceiling.permit_timeout_ns[OWNER_COMMAND] = INT64_MAX;
  struct node *node = scripted_add(&options);
  struct told told[3] = {{.is_done = 0}};
  submit_as(node, OWNER_COMMAND, 1, 1000 * MS, &told[0]);
  scripted_finish(&told[0]);
  submit_as(node, OWNER_COMMAND, 1, 1000 * MS, &told[1]);
  hold(node, clock_mono_ns() + 60000 * MS);
  ck_assert(client_node_held(node));
  scripted_finish(&told[1]);
  ck_assert_int_eq(told[1].result.error.kind, STATUS_HELD);
  struct job_options job = scripted_job(1, &told[2]);
  struct error error;
  ck_assert_int_eq(client_submit(node, &job, NULL, &error), STATUS_HELD);
  ck_assert_ptr_nonnull(strstr(error.text, "jolokiactl release"));
  hold(node, 0);
  ck_assert(!client_node_held(node));
  ck_assert_uint_eq(server.n_requests, 1);
}
END_TEST

START_TEST(a_permit_that_did_not_come_names_the_unit) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  options.ceiling.permit_timeout_ns[OWNER_COMMAND] = 100 * MS;
  options.ceiling.max_in_flight = 1;
  struct node *node = scripted_add(&options);
  struct told told[2] = {{.is_done = 0}};
  submit_as(node, OWNER_SCRAPE, 1, 500 * MS, &told[0]);
  scripted_run(NULL, 20 * MS);
  submit_as(node, OWNER_COMMAND, 1, 500 * MS, &told[1]);
  scripted_finish(&told[1]);
  ck_assert_int_eq(told[1].result.error.kind, STATUS_PERMIT_TIMEOUT);
  ck_assert_str_eq(told[1].result.error.text,
                   "no permit came in time; held up by in_flight");
}
END_TEST

int main(void) {
  if (client_global_init(NULL) != STATUS_OK)
    return 1;
  Suite *s = suite_create("client, charges");
  TCase *t = tcase_create("charges");
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, scripted_setup, scripted_teardown);
  tcase_add_test(t, a_batch_has_no_more_changes_than_their_burst);
  tcase_add_test(t, reads_are_no_changes);
  tcase_add_loop_test(t, an_unanswered_request_costs_its_whole_wait, 0, 3);
  tcase_add_test(t, debt_delays_a_command_and_not_the_scrape);
  tcase_add_loop_test(t, bytes_are_charged_as_received, 0, 2);
  tcase_add_test(t, what_was_not_sent_costs_nothing);
  tcase_add_test(t, the_operators_hold_ends_what_waits_and_what_comes);
  tcase_add_test(t, a_permit_that_did_not_come_names_the_unit);
  suite_add_tcase(s, t);
  SRunner *runner = srunner_create(s);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
