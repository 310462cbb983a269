/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* A table of steps against a scripted client, in virtual time: what is sent in
 * which order, and what is undone. */
#include "ctl/step_runner.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define S CLOCK_NS_PER_S
#define NEVER CLOCK_NEVER
#define IS_DONE INT64_MIN

/* -- The client -- */

static struct {
  struct job_options options;
  bool is_busy;
  enum status refuses; /* the next submission */
  unsigned n_cancelled;
  char sent[1024]; /* a word each: what was sent */
  struct node_stats stats;
} client;

static char one_job;

static void note(const char *word) {
  size_t len = strlen(client.sent);
  snprintf(client.sent + len, sizeof(client.sent) - len, "%s%s", len ? " " : "",
           word);
}

enum status client_submit(struct node *node, const struct job_options *options,
                          struct job **ret, struct error *error) {
  const struct operation *last = &options->operations[options->n - 1];
  (void)node;
  ck_assert(!client.is_busy);
  ck_assert_int_eq(options->owner, OWNER_COMMAND);
  note(options->n == 1 && last->type == OPERATION_READ ? "active"
       : last->type == OPERATION_EXEC                  ? last->name
                                                       : "read");
  if (client.refuses) {
    enum status status = client.refuses;
    client.refuses = STATUS_OK;
    return error_set(error, status, "kept back");
  }
  client.options = *options;
  client.is_busy = true;
  *ret = (struct job *)(void *)&one_job;
  return STATUS_OK;
}

void client_cancel(struct job *job) {
  (void)job;
  client.n_cancelled++;
}

const struct node_stats *client_node_stats(struct node *node) {
  (void)node;
  return &client.stats;
}

/* -- Its answers -- */

static void end_with(enum status kind, uint32_t requests) {
  struct job_result result = {.requests = requests};
  error_set(&result.error, kind, "ended so");
  client.is_busy = false;
  client.options.done(client.options.cookie, &result);
}

static void item_ends(size_t item, enum status status, const char *text) {
  const struct item_result result = {
      .status = status, .error = text, .error_type = ""};
  client.options.sink.item(client.options.sink.cookie, item, &result);
}

static void row_of(size_t item, const char *name, const struct value *values,
                   size_t n) {
  const struct row row = {name, strlen(name), values, n};
  client.options.sink.row(client.options.sink.cookie, item, &row);
}

static struct value text(const char *text) {
  return (struct value){
      .type = VALUE_TEXT, .text = text, .text_len = strlen(text)};
}

static const struct value yes = {.type = VALUE_BOOL, .integer = 1};
static const struct value no = {.type = VALUE_BOOL, .integer = 0};

/* To what begins every command. */
static void answer_identity(const struct value *active) {
  const char *name = "org.apache.activemq.artemis:broker=\"b\"";
  const struct value agent = text("2.1.1");
  struct value values[] = {text("2.40.0"),   text("b"), text("id"),
                           *active,          no,        yes,
                           text("Live Only")};
  row_of(0, "", &agent, 1);
  row_of(1, name, NULL, 0);
  row_of(2, name, values, sizeof(values) / sizeof(*values));
  for (size_t i = 0; i < client.options.n; i++)
    item_ends(i, STATUS_OK, "");
  end_with(STATUS_OK, 1);
}

/* To a read with Active in front. */
static void answer_read(const struct value *active) {
  row_of(0, "", active, 1);
  for (size_t i = 0; i < client.options.n; i++)
    item_ends(i, STATUS_OK, "");
  end_with(STATUS_OK, 1);
}

static void answer_change(enum status status, const char *text) {
  item_ends(0, status, text);
  end_with(STATUS_OK, 1);
}

/* -- The table: look, a, b, verify, c -- */

struct made {
  bool is_there; /* what the inspection finds */
};

static enum status look(void *state, const struct identity *identity,
                        struct step_request *ret, struct error *error) {
  (void)state;
  (void)identity;
  (void)error;
  step_search(ret, "d:*");
  return STATUS_OK;
}

static void call(const struct identity *identity, struct step_request *ret,
                 const char *name) {
  ck_assert_str_ne(identity->broker_mbean, "");
  step_exec(ret, identity->broker_mbean, name, NULL, 0);
}

#define CHANGE(name)                                                           \
  static enum status name(void *state, const struct identity *identity,        \
                          struct step_request *ret, struct error *error) {     \
    (void)state;                                                               \
    (void)error;                                                               \
    call(identity, ret, #name);                                                \
    return STATUS_OK;                                                          \
  }                                                                            \
  static void un##name(void *state, const struct identity *identity,           \
                       struct step_request *ret) {                             \
    (void)state;                                                               \
    call(identity, ret, "un" #name);                                           \
  }

CHANGE(a)
CHANGE(b)
CHANGE(c)

static bool is_there(const void *state) {
  return ((const struct made *)state)->is_there;
}

static const struct step inspect = {.name = "inspect", .build = look};

static const struct step steps[] = {
    {.name = "look", .build = look},
    {.name = "a",
     .is_change = true,
     .build = a,
     .is_done = is_there,
     .undo = una},
    {.name = "b",
     .is_change = true,
     .build = b,
     .is_done = is_there,
     .undo = unb},
    {.name = "verify", .build = look},
    {.name = "c",
     .is_change = true,
     .build = c,
     .is_done = is_there,
     .undo = unc},
};

static const struct step_table table = {steps, 5, &inspect};

/* -- A run -- */

static struct runner runner;
static struct made made;
static struct runner_stop stop;
static struct node_settings settings;

static void setup(void) {
  memset(&client, 0, sizeof(client));
  made = (struct made){false};
  settings = (struct node_settings){.timeout_ns = 10 * S,
                                    .change_timeout_ns = 120 * S};
  stop = (struct runner_stop){.deadline_ns = NEVER};
  memset(&runner, 0, sizeof(runner));
  runner.settings = &settings;
  runner.table = &table;
  runner.state = &made;
  runner.reader = identity_reader_new("d");
}

static void teardown(void) { identity_reader_free(runner.reader); }

static int64_t go(int64_t now_ns) {
  return runner_advance(&runner, table.n, &stop, now_ns);
}

/* Up to the change ${n} that is in flight: 1 is a. */
static void go_to_change(unsigned n) {
  ck_assert_int_eq(go(1), NEVER);
  answer_identity(&yes);
  ck_assert_int_eq(go(2), NEVER);
  for (unsigned i = 1; i < n; i++) {
    answer_change(STATUS_OK, "");
    ck_assert_int_eq(go(3), NEVER);
    if (i == 2) {
      answer_read(&yes);
      ck_assert_int_eq(go(4), NEVER);
    }
  }
}

static void expect_sent(const char *expected) {
  ck_assert_str_eq(client.sent, expected);
}

START_TEST(all_is_well) {
  go_to_change(3);
  ck_assert_int_eq(client.options.timeout_ns, 120 * S);
  ck_assert_int_eq(client.options.kind, KIND_CHANGE);
  answer_change(STATUS_OK, "");
  ck_assert_int_eq(go(5), IS_DONE);
  expect_sent("read a b read c");
  ck_assert_int_eq(runner.outcome.error.kind, STATUS_OK);
  ck_assert_uint_eq(runner.outcome.n_changed, 3);
  ck_assert(!runner.outcome.is_unknown);
}
END_TEST

START_TEST(it_stops_before_the_end_that_is_named) {
  ck_assert_int_eq(runner_advance(&runner, 1, &stop, 1), NEVER);
  answer_identity(&yes);
  ck_assert_int_eq(runner_advance(&runner, 1, &stop, 2), IS_DONE);
  expect_sent("read");
  /* A person has thought for a while: the broker is asked again. */
  ck_assert_int_eq(go(60 * S), NEVER);
  expect_sent("read active");
  answer_read(&yes);
  ck_assert_int_eq(go(60 * S + 1), NEVER);
  expect_sent("read active a");
}
END_TEST

/* What is said of being active is good for a second. */
START_TEST(active_is_read_just_before) {
  ck_assert_int_eq(go(1), NEVER);
  answer_identity(&yes);
  go(2);
  answer_change(STATUS_OK, "");
  ck_assert_int_eq(go(2 + 1 * S), NEVER);
  expect_sent("read a b");
  teardown();
  setup();
  ck_assert_int_eq(go(1), NEVER);
  answer_identity(&yes);
  go(2);
  answer_change(STATUS_OK, "");
  ck_assert_int_eq(go(3 + 1 * S), NEVER);
  expect_sent("read a active");
}
END_TEST

START_TEST(nothing_is_changed_on_a_backup) {
  go(1);
  answer_identity(&no);
  ck_assert_int_eq(go(2), IS_DONE);
  expect_sent("read");
  ck_assert_int_eq(runner.outcome.error.kind, STATUS_NOT_STARTED);
  ck_assert_uint_eq(runner.outcome.n_changed, 0);
}
END_TEST

/* It has become one: not even the undoing is sent. */
START_TEST(a_failover_in_the_middle) {
  go_to_change(2);
  answer_change(STATUS_OK, "");
  go(3);
  answer_read(&no);
  ck_assert_int_eq(go(4), NEVER);
  expect_sent("read a b read active");
  answer_read(&no);
  ck_assert_int_eq(go(5), IS_DONE);
  expect_sent("read a b read active");
  ck_assert_int_eq(runner.outcome.undo_error.kind, STATUS_NOT_STARTED);
  ck_assert_uint_eq(runner.outcome.n_changed, 2);
}
END_TEST

START_TEST(a_refused_change_is_not_undone_the_ones_before_are) {
  go_to_change(2);
  answer_change(STATUS_ITEM_ERROR, "AMQ229019");
  ck_assert_int_eq(go(3), NEVER);
  answer_read(&yes);
  ck_assert_int_eq(go(4), NEVER);
  answer_change(STATUS_OK, "");
  ck_assert_int_eq(go(5), IS_DONE);
  expect_sent("read a b active una");
  ck_assert_str_eq(runner.outcome.step, "b");
  ck_assert_str_eq(runner.outcome.error.text, "AMQ229019");
  ck_assert_uint_eq(runner.outcome.n_undone, 1);
  ck_assert_uint_eq(runner.outcome.n_changed, 0);
  ck_assert_int_eq(runner.outcome.undo_error.kind, STATUS_OK);
}
END_TEST

START_TEST(the_last_is_undone_first) {
  go_to_change(3);
  answer_change(STATUS_ITEM_ERROR, "no");
  go(3);
  answer_read(&yes);
  go(4);
  /* Somebody has taken it away already. */
  answer_change(STATUS_ITEM_ERROR, "AMQ229017: Queue b does not exist");
  go(5);
  answer_change(STATUS_OK, "");
  ck_assert_int_eq(go(6), IS_DONE);
  expect_sent("read a b read c active unb una");
  ck_assert_uint_eq(runner.outcome.n_undone, 2);
}
END_TEST

/* Sent and not answered: it is looked for. */
START_TEST(unknown_and_done) {
  go_to_change(1);
  end_with(STATUS_TIMEOUT, 1);
  made.is_there = true;
  ck_assert_int_eq(go(3), NEVER);
  answer_read(&yes);
  ck_assert_int_eq(go(4), NEVER);
  expect_sent("read a read b");
  ck_assert(!runner.outcome.is_unknown);
  ck_assert_uint_eq(runner.outcome.n_changed, 1);
}
END_TEST

START_TEST(unknown_and_not_there) {
  go_to_change(1);
  end_with(STATUS_RESET, 1);
  go(3);
  answer_read(&yes);
  ck_assert_int_eq(go(4), NEVER);
  ck_assert(runner.outcome.is_unknown);
  answer_read(&yes);
  go(5);
  answer_change(STATUS_ITEM_ERROR, "AMQ229203");
  ck_assert_int_eq(go(6), IS_DONE);
  expect_sent("read a read active una");
  ck_assert_int_eq(runner.outcome.error.kind, STATUS_RESET);
  ck_assert(!runner.outcome.is_unknown);
}
END_TEST

/* What was kept back on our side, or refused as a whole, was not done. */
START_TEST(not_sent_is_not_unknown) {
  go_to_change(1);
  end_with(_i ? STATUS_THROTTLED : STATUS_CONNECT, _i ? 1 : 0);
  ck_assert_int_eq(go(3), IS_DONE);
  expect_sent("read a");
  ck_assert(!runner.outcome.is_unknown);
  ck_assert_uint_eq(runner.outcome.n_changed, 0);
}
END_TEST

/* Again each second, for two minutes. */
START_TEST(an_undoing_without_a_permit_is_sent_again) {
  int64_t now_ns = 10;
  go_to_change(2);
  answer_change(STATUS_ITEM_ERROR, "no");
  unsigned n = 0;
  for (;; n++) {
    client.refuses = STATUS_PERMIT_TIMEOUT;
    int64_t next_ns = go(now_ns);
    if (next_ns == IS_DONE)
      break;
    ck_assert_int_eq(next_ns, now_ns + 1 * S);
    now_ns = next_ns;
  }
  ck_assert_uint_eq(n, 120);
  ck_assert_int_eq(runner.outcome.undo_error.kind, STATUS_PERMIT_TIMEOUT);
  ck_assert_uint_eq(runner.outcome.n_changed, 1);
}
END_TEST

START_TEST(an_undoing_that_fails_does_not_stop_the_others) {
  go_to_change(3);
  answer_change(STATUS_ITEM_ERROR, "no");
  go(3);
  answer_read(&yes);
  go(4);
  answer_change(STATUS_ITEM_DENIED, "may not");
  go(5);
  answer_change(STATUS_OK, "");
  ck_assert_int_eq(go(6), IS_DONE);
  expect_sent("read a b read c active unb una");
  ck_assert_int_eq(runner.outcome.undo_error.kind, STATUS_ITEM_DENIED);
  ck_assert_uint_eq(runner.outcome.n_changed, 1);
}
END_TEST

/* A change under way is waited for, and undone; then nothing stops that. */
START_TEST(ctrl_c) {
  go_to_change(1);
  error_set(&stop.why, STATUS_CANCELLED, "interrupted");
  ck_assert_int_eq(go(3), NEVER);
  ck_assert_uint_eq(client.n_cancelled, 0);
  answer_change(STATUS_OK, "");
  ck_assert_int_eq(go(4), NEVER);
  ck_assert_int_eq(go(4), NEVER);
  ck_assert_uint_eq(client.n_cancelled, 0);
  answer_read(&yes);
  ck_assert_int_eq(go(5), NEVER);
  answer_change(STATUS_OK, "");
  ck_assert_int_eq(go(6), IS_DONE);
  expect_sent("read a active una");
  ck_assert_int_eq(runner.outcome.error.kind, STATUS_CANCELLED);
}
END_TEST

/* From the permit on: what was not sent has none. */
START_TEST(what_each_request_took) {
  go(1);
  client.stats.in_flight_ns += 7;
  answer_identity(&yes);
  go(2);
  client.stats.in_flight_ns += 4;
  end_with(STATUS_CONNECT, 0);
  ck_assert_int_eq(go(3), IS_DONE);
  ck_assert_uint_eq(runner.outcome.n_requests, 1);
  ck_assert_uint_eq(runner.outcome.n_times, 1);
  ck_assert_int_eq(runner.outcome.took_ns[0], 7);
}
END_TEST

/* A read that is sent once more; then more requests than are kept. */
START_TEST(as_many_times_as_are_kept) {
  go(1);
  client.stats.in_flight_ns += 9;
  end_with(STATUS_RESET, 2);
  ck_assert_uint_eq(runner.outcome.n_requests, 2);
  ck_assert_uint_eq(runner.outcome.n_times, 1);
  teardown();
  setup();
  runner.outcome.n_times = STEPS_TIMES_MAX;
  go(1);
  answer_identity(&yes);
  ck_assert_uint_eq(runner.outcome.n_requests, 1);
  ck_assert_uint_eq(runner.outcome.n_times, STEPS_TIMES_MAX);
}
END_TEST

START_TEST(ctrl_c_ends_a_read) {
  go(1);
  error_set(&stop.why, STATUS_CANCELLED, "interrupted");
  go(2);
  ck_assert_uint_eq(client.n_cancelled, 1);
  end_with(STATUS_CANCELLED, 1);
  ck_assert_int_eq(go(3), IS_DONE);
  expect_sent("read");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("steps");
  TCase *tcase = tcase_create("steps");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, all_is_well);
  tcase_add_test(tcase, it_stops_before_the_end_that_is_named);
  tcase_add_test(tcase, active_is_read_just_before);
  tcase_add_test(tcase, nothing_is_changed_on_a_backup);
  tcase_add_test(tcase, a_failover_in_the_middle);
  tcase_add_test(tcase, a_refused_change_is_not_undone_the_ones_before_are);
  tcase_add_test(tcase, the_last_is_undone_first);
  tcase_add_test(tcase, unknown_and_done);
  tcase_add_test(tcase, unknown_and_not_there);
  tcase_add_loop_test(tcase, not_sent_is_not_unknown, 0, 2);
  tcase_add_test(tcase, an_undoing_without_a_permit_is_sent_again);
  tcase_add_test(tcase, an_undoing_that_fails_does_not_stop_the_others);
  tcase_add_test(tcase, what_each_request_took);
  tcase_add_test(tcase, as_many_times_as_are_kept);
  tcase_add_test(tcase, ctrl_c);
  tcase_add_test(tcase, ctrl_c_ends_a_read);
  suite_add_tcase(suite, tcase);
  SRunner *srunner = srunner_create(suite);
  srunner_run_all(srunner, CK_ENV);
  int failed = srunner_ntests_failed(srunner);
  srunner_free(srunner);
  return failed != 0;
}
