/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* What a node's refusal holds back: its login, or the node for a while. */

#include "scripted.h"

static void forbidden(const char *head, const char *body, size_t n,
                      struct answer *ret) {
  (void)head, (void)body, (void)n;
  answer_with(ret, 403, "Hawtio-Forbidden-Reason: NONE\r\n", "");
}

START_TEST(three_refused_logins_hold_it_on_every_node) {
  server.answer = forbidden;
  struct node_options options = scripted_node("/a");
  options.username = "monitor";
  options.password = "wrong-and-secret";
  struct node *node = scripted_add(&options);
  options = scripted_node("/b");
  options.username = "monitor";
  options.password = "wrong-and-secret";
  struct node *other = scripted_add(&options);
  options = scripted_node("/c");
  options.username = "monitor";
  options.password = "another";
  struct node *another = scripted_add(&options);
  struct told told[6] = {{.is_done = 0}};
  for (int i = 0; i < 5; i++)
    scripted_submit(node, 1, &told[i]);
  for (int i = 0; i < 5; i++) {
    scripted_finish(&told[i]);
    ck_assert_ptr_null(strstr(told[i].result.error.text, "secret"));
  }
  ck_assert_int_eq(told[0].result.error.kind, STATUS_AUTH);
  ck_assert_int_eq(told[4].result.error.kind, STATUS_HELD);
  /* Two were in flight together: the fourth may have gone out before. */
  ck_assert_uint_ge(server.n_requests, 3);
  ck_assert_uint_le(server.n_requests, 4);
  ck_assert(client_node_login_held(node));
  ck_assert(client_node_login_held(other));
  ck_assert(!client_node_login_held(another));
  struct job_options job = scripted_job(1, &told[5]);
  struct error error;
  ck_assert_int_eq(client_submit(other, &job, &told[5].job, &error),
                   STATUS_HELD);
  ck_assert_ptr_nonnull(strstr(error.text, "monitor"));
  ck_assert_ptr_null(strstr(error.text, "secret"));
  ck_assert_uint_eq(client_node_stats(other)->errors[STATUS_HELD], 1);
}
END_TEST

/* What one node refuses and another accepts is held at the one alone. */
static void forbidden_at_b(const char *head, const char *body, size_t n,
                           struct answer *ret) {
  if (strncmp(head, "POST /b", 7) == 0)
    forbidden(head, body, n, ret);
  else
    answer_items(body, ret);
}

START_TEST(a_login_that_others_accept_is_held_at_one_node) {
  server.answer = forbidden_at_b;
  struct node_options options = scripted_node("/a");
  options.username = "monitor";
  options.password = "p";
  struct node *good = scripted_add(&options);
  options = scripted_node("/b");
  options.username = "monitor";
  options.password = "p";
  struct node *bad = scripted_add(&options);
  for (int i = 0; i < 6; i++) {
    struct told told = {.is_done = 0};
    scripted_submit(i % 2 ? good : bad, 1, &told);
    scripted_finish(&told);
  }
  ck_assert(client_node_login_held(bad));
  ck_assert(!client_node_login_held(good));
}
END_TEST

static void throttled(const char *head, const char *body, size_t n,
                      struct answer *ret) {
  (void)head, (void)body, (void)n;
  answer_with(ret, 429, "", "");
}

START_TEST(a_throttled_login_is_not_a_refused_one) {
  server.answer = throttled;
  struct node_options options = scripted_node("/a");
  options.username = "monitor";
  options.password = "p";
  struct node *node = scripted_add(&options);
  for (int i = 0; i < 5; i++) {
    struct told told = {.is_done = 0};
    scripted_submit(node, 1, &told);
    scripted_finish(&told);
    ck_assert_int_eq(told.result.error.kind, STATUS_THROTTLED);
  }
  ck_assert(!client_node_login_held(node));
}
END_TEST

static void busy_first(const char *head, const char *body, size_t n,
                       struct answer *ret) {
  (void)head;
  if (n == 1)
    answer_with(ret, 503, "Retry-After: 1\r\n", "");
  else
    answer_items(body, ret);
}

START_TEST(retry_after_is_kept_to) {
  server.answer = busy_first;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told[2] = {{.is_done = 0}};
  scripted_submit(node, 1, &told[0]);
  scripted_finish(&told[0]);
  ck_assert_int_eq(told[0].result.error.kind, STATUS_THROTTLED);
  ck_assert_int_eq(told[0].result.retry_after_ns, 1000 * MS);
  int64_t since_ns = clock_mono_ns();
  scripted_submit(node, 1, &told[1]);
  scripted_finish(&told[1]);
  ck_assert_int_eq(told[1].result.error.kind, STATUS_OK);
  ck_assert_int_ge(clock_mono_ns() - since_ns, 950 * MS);
  ck_assert_int_le(clock_mono_ns() - since_ns, 1300 * MS);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("refused");
  TCase *tcase = tcase_create("refused");
  tcase_add_checked_fixture(tcase, scripted_setup, scripted_teardown);
  tcase_add_test(tcase, three_refused_logins_hold_it_on_every_node);
  tcase_add_test(tcase, a_login_that_others_accept_is_held_at_one_node);
  tcase_add_test(tcase, a_throttled_login_is_not_a_refused_one);
  tcase_add_test(tcase, retry_after_is_kept_to);
  suite_add_tcase(suite, tcase);
  return scripted_main(suite);
}
