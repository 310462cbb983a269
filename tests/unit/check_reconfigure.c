/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* A node whose settings change while it is there, and one that goes and comes
 * back. */

#include "scripted.h"

static void configure(struct node *node, const struct node_options *options) {
  struct error error;
  enum status status = client_node_reconfigure(node, options, &error);
  ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

/* Asks until none is granted any more; a permit that has to be waited for takes
 * hours. Returns how many were. */
static size_t grants_now(struct node *node) {
  for (size_t n = 0;; n++) {
    struct told told = {.is_done = 0};
    struct job_options job = scripted_job(1, &told);
    if (client_submit(node, &job, &told.job, NULL) != STATUS_OK)
      return n;
    scripted_finish(&told);
    ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  }
}

static void set_rate(struct node_options *options, uint64_t milli,
                     uint64_t burst) {
  options->ceiling.rates.unit[UNIT_REQUESTS] = bucket_rate_of(milli, burst);
  options->ceiling.permit_timeout_ns[OWNER_SCRAPE] = MS;
}

/* Another burst or rate, back and forth, grants nothing; nor does going and
 * coming back, under another name too. */
START_TEST(no_change_grants_more) {
  static const struct {
    uint64_t milli, burst;
  } changes[] = {{1, 1000}, {1, 1}, {1, 50}, {2, 1000}, {1, 10}};
  server.answer = well;
  struct node_options options = scripted_node("/j");
  set_rate(&options, 1, 10);
  struct node *node = scripted_add(&options);
  ck_assert_uint_eq(grants_now(node), 1); /* as new ones begin */
  for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
    set_rate(&options, changes[i].milli, changes[i].burst);
    if (_i == 0) {
      configure(node, &options);
    } else {
      client_node_remove(node);
      scripted_run(NULL, 5 * MS);
      options.name = i % 2 ? "one" : "other";
      node = scripted_add(&options);
    }
    ck_assert_uint_eq(grants_now(node), 0);
  }
}
END_TEST

START_TEST(a_new_ceiling_holds_at_once) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  set_rate(&options, 1, 1);
  struct node *node = scripted_add(&options);
  ck_assert_uint_eq(grants_now(node), 1);
  struct told told = {.is_done = 0};
  options.ceiling.permit_timeout_ns[OWNER_SCRAPE] = 10000 * CLOCK_NS_PER_S;
  configure(node, &options);
  scripted_submit(node, 1, &told);
  scripted_run(&told, 20 * MS);
  ck_assert_int_eq(told.is_done, 0);
  set_rate(&options, 1000000, 1); /* who waits for hours has it in 1 ms */
  configure(node, &options);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(client_node_ceiling(node)->rates.unit[UNIT_REQUESTS].rate,
                    1000000);
}
END_TEST

/* Of two nodes with one URL the slower holds, whichever that is by now. */
START_TEST(the_slowest_of_a_url_may_change) {
  struct node_options options = scripted_node("/j");
  set_rate(&options, 2000, 1);
  struct node *node = scripted_add(&options);
  set_rate(&options, 3000, 1);
  struct node *other = scripted_add(&options);
  const struct bucket_rate *rate =
      &client_node_ceiling(node)->rates.unit[UNIT_REQUESTS];
  ck_assert_uint_eq(rate->rate, 2000);
  set_rate(&options, 1000, 1);
  configure(other, &options);
  ck_assert_uint_eq(rate->rate, 1000);
  set_rate(&options, 5000, 1);
  configure(other, &options);
  ck_assert_uint_eq(rate->rate, 2000);
  client_node_remove(node);
  ck_assert_uint_eq(client_node_ceiling(other)->rates.unit[UNIT_REQUESTS].rate,
                    5000);
}
END_TEST

/* What was asked goes on, within the new sizes. */
START_TEST(a_job_under_way_goes_on) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 1, &told);
  while (server.n_requests == 0)
    scripted_run(NULL, MS);
  options.max_response_bytes = 10;
  options.max_object_bytes = 1000;
  options.max_request_bytes = 1000;
  options.connect_timeout_ns = 50 * MS;
  configure(node, &options);
  scripted_run(&told, 20 * MS);
  ck_assert_int_eq(told.is_done, 0);
  struct scripted_connection *c = server.connections;
  answer_items("\"mbean\":\"t:n=a\"", &c->out);
  c->out_at_ns = clock_mono_ns();
  scripted_finish(&told);
  ck_assert_int_eq(told.item_status[0], STATUS_REPLY_TOO_LARGE);
}
END_TEST

/* Fewer bytes than have come already. */
START_TEST(a_maximum_may_fall_below_what_has_come) {
  server.answer = hang;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 1, &told);
  while (server.n_requests == 0)
    scripted_run(NULL, MS);
  struct scripted_connection *c = server.connections;
  answer_items("\"mbean\":\"t:n=big\"", &c->out);
  c->out.first_len = 2000;
  c->out.gap_ns = 500 * MS;
  c->out_at_ns = clock_mono_ns();
  scripted_run(&told, 20 * MS);
  options.max_response_bytes = 100;
  configure(node, &options);
  scripted_finish(&told);
  ck_assert_int_eq(told.item_status[0], STATUS_REPLY_TOO_LARGE);
}
END_TEST

START_TEST(what_cannot_be_changes_nothing) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct node_options bad = options;
  set_rate(&bad, 1, 1);
  bad.username = "a:b";
  struct error error;
  ck_assert_int_eq(client_node_reconfigure(node, &bad, &error), STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "colon"));
  ck_assert_uint_eq(client_node_ceiling(node)->rates.unit[UNIT_REQUESTS].rate,
                    options.ceiling.rates.unit[UNIT_REQUESTS].rate);
}
END_TEST

/* -- Logins -- */

/* "monitor:old" and "monitor:new", as they stand on the wire. */
#define OLD "Authorization: Basic bW9uaXRvcjpvbGQ="
#define NEW "Authorization: Basic bW9uaXRvcjpuZXc="

static void new_alone(const char *head, const char *body, size_t n,
                      struct answer *ret) {
  (void)n;
  if (strstr(head, NEW))
    answer_items(body, ret);
  else
    answer_with(ret, 403, "Hawtio-Forbidden-Reason: NONE\r\n", "");
}

static struct node_options with_login(const char *path, const char *password) {
  struct node_options options = scripted_node(path);
  options.username = "monitor";
  options.password = password;
  return options;
}

static void ask(struct node *node, enum status kind) {
  struct told told = {.is_done = 0};
  scripted_submit(node, 1, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, kind);
}

START_TEST(a_new_password_ends_the_hold) {
  server.answer = new_alone;
  struct node_options options = with_login("/a", "old");
  struct node *node = scripted_add(&options);
  struct node_options other_options = with_login("/b", "old");
  struct node *other = scripted_add(&other_options);
  for (int i = 0; i < 3; i++)
    ask(node, STATUS_AUTH);
  ck_assert(client_node_login_held(node));
  ck_assert(client_node_login_held(other));
  options.password = "new";
  configure(node, &options);
  ck_assert(!client_node_login_held(node));
  ck_assert(client_node_login_held(other));
  ask(node, STATUS_OK);
  ck_assert_uint_eq(server.n_requests, 4);
}
END_TEST

/* The same password once more, though others of its settings are new. */
START_TEST(the_same_password_stays_held) {
  server.answer = new_alone;
  struct node_options options = with_login("/a", "old");
  struct node *node = scripted_add(&options);
  for (int i = 0; i < 3; i++)
    ask(node, STATUS_AUTH);
  options.max_object_bytes *= 2;
  configure(node, &options);
  ck_assert(client_node_login_held(node));
}
END_TEST

/* Three refusals of the old one that come after the change do not hold the new
 * one. */
START_TEST(late_refusals_are_the_old_logins) {
  server.answer = hang;
  struct node_options options = with_login("/a", "old");
  options.ceiling.max_in_flight = 4;
  struct node *node = scripted_add(&options);
  struct told told[3] = {{.is_done = 0}};
  for (int i = 0; i < 3; i++) {
    scripted_submit(node, 1, &told[i]);
    while (server.n_requests <= (size_t)i)
      scripted_run(NULL, MS);
  }
  options.password = "new";
  configure(node, &options);
  for (int i = 0; i < 3; i++) {
    struct scripted_connection *c = &server.connections[i];
    answer_with(&c->out, 403, "Hawtio-Forbidden-Reason: NONE\r\n", "");
    c->out_at_ns = clock_mono_ns();
  }
  for (int i = 0; i < 3; i++) {
    scripted_finish(&told[i]);
    ck_assert_int_eq(told[i].result.error.kind, STATUS_AUTH);
  }
  ck_assert(!client_node_login_held(node));
  server.answer = new_alone;
  ask(node, STATUS_OK);
}
END_TEST

/* Of a job under way the next request has the new login, and counts. */
START_TEST(the_next_request_of_a_job_has_the_new_login) {
  server.answer = hang;
  struct node_options options = with_login("/a", "old");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 100, &told);
  while (server.n_requests == 0)
    scripted_run(NULL, MS);
  options.password = "neither";
  configure(node, &options);
  server.answer = new_alone;
  struct scripted_connection *c = &server.connections[0];
  answer_items(server.bodies[0], &c->out);
  c->out_at_ns = clock_mono_ns();
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_AUTH);
  ck_assert_uint_eq(told.rows, 50);
  ask(node, STATUS_AUTH);
  ask(node, STATUS_AUTH);
  ck_assert(client_node_login_held(node));
}
END_TEST

START_TEST(a_login_may_go_and_come) {
  server.answer = new_alone;
  struct node_options options = with_login("/a", "old");
  struct node *node = scripted_add(&options);
  ask(node, STATUS_AUTH);
  options.username = options.password = NULL;
  configure(node, &options);
  ask(node, STATUS_AUTH);
  ck_assert_ptr_null(strstr(server.last_head, "Authorization"));
  options = with_login("/a", "new");
  configure(node, &options);
  ask(node, STATUS_OK);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("reconfigure");
  TCase *tcase = tcase_create("reconfigure");
  tcase_add_checked_fixture(tcase, scripted_setup, scripted_teardown);
  tcase_add_loop_test(tcase, no_change_grants_more, 0, 2);
  tcase_add_test(tcase, a_new_ceiling_holds_at_once);
  tcase_add_test(tcase, the_slowest_of_a_url_may_change);
  tcase_add_test(tcase, a_job_under_way_goes_on);
  tcase_add_test(tcase, a_maximum_may_fall_below_what_has_come);
  tcase_add_test(tcase, what_cannot_be_changes_nothing);
  tcase_add_test(tcase, a_new_password_ends_the_hold);
  tcase_add_test(tcase, the_same_password_stays_held);
  tcase_add_test(tcase, late_refusals_are_the_old_logins);
  tcase_add_test(tcase, the_next_request_of_a_job_has_the_new_login);
  tcase_add_test(tcase, a_login_may_go_and_come);
  suite_add_tcase(suite, tcase);
  return scripted_main(suite);
}
