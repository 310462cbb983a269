/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* What a job's requests are, and what becomes of their replies. */

#include "scripted.h"

#include <poll.h>
#include <sys/wait.h>

static size_t n_operations(const char *body) {
  size_t n = 0;
  for (const char *at = body; (at = strstr(at, "\"mbean\"")); at++)
    n++;
  return n;
}

START_TEST(rows_and_items_come_with_their_places) {
  server.answer = well;
  operations[1].mbean = "t:n=fails";
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 3, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(told.rows, 2);
  ck_assert_uint_eq(told.row_items[0], 1);
  ck_assert_uint_eq(told.row_items[2], 1);
  ck_assert_uint_eq(told.items, 3);
  ck_assert_int_eq(told.item_status[1], STATUS_NOT_FOUND);
  ck_assert_int_eq(told.result.http_status, 200);
  ck_assert_uint_eq(told.result.requests, 1);
  ck_assert_uint_eq(told.result.rows, 2);
  ck_assert(!told.result.is_partial);
  const struct node_stats *stats = client_node_stats(node);
  ck_assert_uint_eq(stats->requests[OWNER_SCRAPE], 1);
  ck_assert_uint_eq(stats->operations[OWNER_SCRAPE], 3);
  ck_assert_uint_eq(stats->rows[OWNER_SCRAPE], 2);
  ck_assert_uint_eq(stats->errors[STATUS_NOT_FOUND], 1);
  ck_assert_uint_eq(stats->in_flight, 0);
  ck_assert_uint_eq(stats->connections, 1);
  ck_assert_uint_eq(stats->connects, 1);
}
END_TEST

START_TEST(a_request_has_at_most_fifty_operations) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 120, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(told.items, 120);
  for (size_t i = 0; i < 120; i++)
    ck_assert_uint_eq(told.row_items[i], 1);
  ck_assert_uint_eq(server.n_requests, 3);
  ck_assert_uint_eq(n_operations(server.bodies[0]), 50);
  ck_assert_uint_eq(n_operations(server.bodies[1]), 50);
  ck_assert_uint_eq(n_operations(server.bodies[2]), 20);
}
END_TEST

START_TEST(a_request_is_no_longer_than_max_request_bytes) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  options.max_request_bytes = 1000;
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 20, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(told.items, 20);
  ck_assert_uint_gt(server.n_requests, 1);
  for (size_t i = 0; i < server.n_requests && i < 16; i++) {
    ck_assert_uint_le(strlen(server.bodies[i]), 1000);
    ck_assert_int_eq(server.bodies[i][0], '[');
    ck_assert_int_eq(server.bodies[i][strlen(server.bodies[i]) - 1], ']');
  }
}
END_TEST

START_TEST(one_operation_past_max_request_bytes_is_refused_at_once) {
  struct node_options options = scripted_node("/j");
  options.max_request_bytes = 20;
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  struct job_options job = scripted_job(1, &told);
  struct error error;
  ck_assert_int_eq(client_submit(node, &job, &told.job, &error),
                   STATUS_REQUEST_TOO_LARGE);
  ck_assert_int_eq(told.is_done, 0);
}
END_TEST

static void refuse_bad(const char *head, const char *body, size_t n,
                       struct answer *ret) {
  (void)head, (void)n;
  if (strstr(body, "t:n=bad"))
    answer_with(ret, 400, "Content-Type: text/plain\r\n", "400 (Bad Request)");
  else
    answer_items(body, ret);
}

static void too_long(const char *head, const char *body, size_t n,
                     struct answer *ret) {
  (void)head, (void)n;
  if (strstr(body, "t:n=bad"))
    answer_with(ret, 413, "", "<html>");
  else
    answer_items(body, ret);
}

/* The culprit of a bulk that is refused as a whole, wherever it stands. */
START_TEST(the_culprit_stands_alone_and_its_neighbours_are_well) {
  static const struct {
    void (*answer)(const char *head, const char *body, size_t n,
                   struct answer *ret);
    const char *mbean;
    size_t n, culprit;
    enum status kind;
  } cases[] = {
      {refuse_bad, "t:n=bad", 5, 2, STATUS_HTTP_STATUS},
      {refuse_bad, "t:n=bad", 50, 49, STATUS_HTTP_STATUS},
      {refuse_bad, "t:n=bad", 50, 0, STATUS_HTTP_STATUS},
      {refuse_bad, "t:n=bad", 120, 70, STATUS_HTTP_STATUS},
      {refuse_bad, "t:n=bad", 2, 1, STATUS_HTTP_STATUS},
      {too_long, "t:n=bad", 7, 3, STATUS_REQUEST_TOO_LARGE},
      {well, "t:n=lone", 6, 4, STATUS_ITEM_ERROR},
      {well, "t:n=lone", 50, 0, STATUS_ITEM_ERROR},
  };
  server.answer = cases[_i].answer;
  operations[cases[_i].culprit].mbean = cases[_i].mbean;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, cases[_i].n, &told);
  scripted_finish(&told);
  ck_assert_msg(told.result.error.kind == STATUS_OK, "%s",
                told.result.error.text);
  ck_assert_uint_eq(told.items, cases[_i].n);
  for (size_t i = 0; i < cases[_i].n; i++) {
    bool is_culprit = i == cases[_i].culprit;
    ck_assert_uint_eq(told.row_items[i], is_culprit ? 0 : 1);
    if (is_culprit && cases[_i].kind != STATUS_ITEM_ERROR)
      ck_assert_int_eq(told.item_status[i], cases[_i].kind);
    if (is_culprit)
      ck_assert_int_ne(told.item_status[i], STATUS_OK);
    else
      ck_assert_int_eq(told.item_status[i], STATUS_OK);
  }
  /* Each request had a permit: reported = read. */
  ck_assert_uint_eq(n_sent(node), server.n_requests);
  ck_assert_uint_eq(told.result.requests, server.n_requests);
}
END_TEST

/* 3 culprits need 6 + 1 + 2 requests at most, not 99. */
START_TEST(a_bulk_that_is_refused_whatever_it_asks_is_given_up) {
  static const char *const mbeans[] = {"t:n=bad", "t:n=lone"};
  server.answer = refuse_bad;
  for (size_t i = 0; i < 50; i++)
    operations[i].mbean = mbeans[_i];
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 50, &told);
  scripted_finish(&told);
  ck_assert_int_ne(told.result.error.kind, STATUS_OK);
  ck_assert_uint_le(server.n_requests, 12);
}
END_TEST

static void refuse_long(const char *head, const char *body, size_t n,
                        struct answer *ret) {
  (void)head, (void)n;
  if (strlen(body) > 600)
    answer_with(ret, 413, "", "<html>");
  else
    answer_items(body, ret);
}

static void submit_kind(struct node *node, enum request_kind kind, size_t n,
                        struct told *told) {
  struct job_options job = scripted_job(n, told);
  job.kind = kind;
  ck_assert_int_eq(client_submit(node, &job, &told->job, NULL), STATUS_OK);
  scripted_finish(told);
}

/* A node that failed gets one request an interval, whatever it answers. */
START_TEST(what_asks_for_the_identity_is_never_halved) {
  static void (*const answers[])(const char *head, const char *body, size_t n,
                                 struct answer *ret) = {refuse_long, refuse_bad,
                                                        well, well};
  static const char *const mbeans[] = {"t:n=a", "t:n=bad", "t:n=lone",
                                       "t:n=big"};
  server.answer = answers[_i];
  operations[3].mbean = mbeans[_i];
  struct node_options options = scripted_node("/j");
  options.max_response_bytes = 2000;
  struct told told = {.is_done = 0};
  submit_kind(scripted_add(&options), KIND_IDENTITY, 8, &told);
  ck_assert_int_ne(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(server.n_requests, 1);
}
END_TEST

/* Not refused and halved anew at each tick; and asked whole, again, later. */
START_TEST(a_bulk_that_was_too_large_is_not_sent_again_so) {
  server.answer = refuse_long;
  struct node_options options = scripted_node("/j");
  options.too_large_ns = 500 * MS;
  struct node *node = scripted_add(&options);
  for (int tick = 0; tick < 3; tick++) {
    struct told told = {.is_done = 0};
    size_t before = server.n_requests;
    if (tick == 2)
      scripted_run(NULL, 510 * MS);
    scripted_submit(node, 8, &told);
    scripted_finish(&told);
    ck_assert_int_eq(told.result.error.kind, STATUS_OK);
    ck_assert_uint_eq(told.rows, 8);
    ck_assert_uint_eq(server.n_requests - before, tick == 1 ? 2 : 3);
    if (tick == 1) /* in the halves that were accepted */
      ck_assert_str_eq(server.bodies[before], server.bodies[before - 2]);
  }
  /* What stays whole is not cut to that size. */
  struct told told = {.is_done = 0};
  size_t before = server.n_requests;
  submit_kind(node, KIND_IDENTITY, 8, &told);
  ck_assert_uint_eq(server.n_requests - before, 1);
  ck_assert_uint_eq(n_operations(server.bodies[before]), 8);
}
END_TEST

/* Its caller leaves the culprit out: the others are asked together. */
START_TEST(a_culprit_alone_makes_no_later_bulk_shorter) {
  server.answer = too_long;
  operations[2].mbean = "t:n=bad";
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 4, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.item_status[2], STATUS_REQUEST_TOO_LARGE);
  operations[2].mbean = "t:n=a";
  size_t before = server.n_requests;
  struct told next = {.is_done = 0};
  scripted_submit(node, 4, &next);
  scripted_finish(&next);
  ck_assert_uint_eq(server.n_requests - before, 1);
}
END_TEST

static void make_changes(size_t n) {
  for (size_t i = 0; i < n; i++) {
    operations[i] = (struct operation){
        .type = OPERATION_EXEC, .mbean = "t:n=a", .name = "destroy()"};
    specs[i] = (struct item_spec){
        .form = FORM_VALUE, .columns = scripted_attributes, .n_columns = 1};
  }
}

/* Some of it may have run. */
START_TEST(a_refused_bulk_of_changes_is_not_asked_again) {
  server.answer = refuse_bad;
  make_changes(5);
  operations[3].mbean = "t:n=bad";
  struct node_options options = scripted_node("/j");
  struct told told = {.is_done = 0};
  scripted_submit(scripted_add(&options), 5, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_HTTP_STATUS);
  ck_assert_uint_eq(server.n_requests, 1);
  ck_assert_uint_eq(told.items, 0);
}
END_TEST

START_TEST(a_reply_too_large_costs_the_item_in_progress_alone) {
  server.answer = well;
  operations[2].mbean = "t:n=big";
  struct node_options options = scripted_node("/j");
  options.max_response_bytes = 2000;
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 6, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(told.items, 6);
  for (size_t i = 0; i < 6; i++)
    ck_assert_int_eq(told.item_status[i],
                     i == 2 ? STATUS_REPLY_TOO_LARGE : STATUS_OK);
  ck_assert_uint_eq(server.n_requests, 2);
  ck_assert_uint_eq(n_operations(server.bodies[1]), 3);
  ck_assert_uint_eq(client_node_stats(node)->errors[STATUS_REPLY_TOO_LARGE], 1);
}
END_TEST

static void close_first(const char *head, const char *body, size_t n,
                        struct answer *ret) {
  (void)head;
  if (n == 1)
    ret->is_closed = true;
  else
    answer_items(body, ret);
}

START_TEST(a_read_is_sent_once_more_after_a_reset) {
  server.answer = close_first;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  scripted_submit(node, 2, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(server.n_requests, 2);
  ck_assert_uint_eq(n_sent(node), 2);
  ck_assert_uint_eq(client_node_stats(node)->retries, 1);
}
END_TEST

static void always_close(const char *head, const char *body, size_t n,
                         struct answer *ret) {
  (void)head, (void)body, (void)n;
  ret->is_closed = true;
}

START_TEST(only_once) {
  server.answer = always_close;
  struct node_options options = scripted_node("/j");
  struct told told = {.is_done = 0};
  scripted_submit(scripted_add(&options), 2, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_RESET);
  ck_assert_uint_eq(server.n_requests, 2);
}
END_TEST

START_TEST(a_change_is_never_sent_again) {
  server.answer = close_first;
  make_changes(2);
  struct node_options options = scripted_node("/j");
  struct told told = {.is_done = 0};
  scripted_submit(scripted_add(&options), 2, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_RESET);
  ck_assert_ptr_nonnull(strstr(told.result.error.text, "unknown"));
  ck_assert_uint_eq(server.n_requests, 1);
}
END_TEST

/* A kept-alive connection that dies under the second request: libcurl would
 * send it again by itself. */
static void close_second(const char *head, const char *body, size_t n,
                         struct answer *ret) {
  (void)head;
  if (n == 2)
    ret->is_closed = true;
  else
    answer_items(body, ret);
}

static size_t n_granted;

static void granted(void *cookie, const char *url_key, enum owner owner,
                    uint32_t cost, int64_t now_ns) {
  (void)cookie, (void)url_key, (void)owner, (void)cost, (void)now_ns;
  n_granted++;
}

START_TEST(libcurl_sends_nothing_again_by_itself) {
  server.answer = close_second;
  n_granted = 0;
  client_trace_grants(client, granted, NULL);
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  for (int i = 0; i < 2; i++) {
    struct told told = {.is_done = 0};
    scripted_submit(node, 1, &told);
    scripted_finish(&told);
    ck_assert_int_eq(told.result.error.kind, STATUS_OK);
    ck_assert_uint_eq(told.result.requests, i == 0 ? 1 : 2);
  }
  ck_assert_uint_eq(server.n_requests, 3);
  ck_assert_uint_eq(n_sent(node), 3);
  ck_assert_uint_eq(n_granted, 3);
  ck_assert_uint_eq(client_node_stats(node)->retries, 1);
}
END_TEST

static void slow(const char *head, const char *body, size_t n,
                 struct answer *ret) {
  (void)head, (void)n;
  answer_items(body, ret);
  ret->delay_ns = 100 * MS;
}

/* So that another one goes out meanwhile, on a busy machine, too. */
static void very_slow(const char *head, const char *body, size_t n,
                      struct answer *ret) {
  slow(head, body, n, ret);
  ret->delay_ns = 500 * MS;
}

START_TEST(changes_go_out_on_connections_of_their_own) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  for (int i = 0; i < 6; i++) {
    if (i == 3)
      make_changes(1);
    struct told told = {.is_done = 0};
    scripted_submit(node, 1, &told);
    scripted_finish(&told);
  }
  ck_assert_uint_eq(server.n_accepted, 4);
}
END_TEST

/* Two idle ones of two reads at once, and a change. */
START_TEST(a_node_has_no_more_connections_than_it_may_use) {
  server.answer = very_slow;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told[3] = {{.is_done = 0}};
  scripted_submit(node, 1, &told[0]);
  scripted_submit(node, 1, &told[1]);
  scripted_finish(&told[0]);
  scripted_finish(&told[1]);
  ck_assert_uint_eq(scripted_n_open(&server), 2);
  make_changes(1);
  scripted_submit(node, 1, &told[2]);
  scripted_finish(&told[2]);
  ck_assert_uint_eq(server.n_accepted, 3);
  ck_assert_uint_eq(server.most_open, 2);
}
END_TEST

/* What the server has not read yet is no idle connection: 4 MiB are more than
 * the kernel takes. Whichever of the two was idle longer. */
START_TEST(a_connection_that_is_written_to_makes_no_way) {
  enum { LONG = 4 << 20 };
  static char name[LONG];
  snprintf(name, sizeof(name), "t:n=%0*d", LONG - 8, 0);
  server.answer = very_slow;
  struct node_options options = scripted_node("/j");
  options.max_request_bytes = 2 * (size_t)LONG;
  struct node *node = scripted_add(&options);
  struct told told[4] = {{.is_done = 0}};
  scripted_submit(node, 1, &told[0]);
  if (_i == 1)
    scripted_run(NULL, 20 * MS);
  scripted_submit(node, 1, &told[1]);
  scripted_finish(&told[0]);
  scripted_finish(&told[1]);
  ck_assert_uint_eq(scripted_n_open(&server), 2);
  server.read_max = 30000;
  operations[0].mbean = name;
  scripted_submit(node, 1, &told[2]);
  scripted_run(NULL, 50 * MS);
  make_changes(1);
  scripted_submit(node, 1, &told[3]);
  scripted_finish(&told[3]);
  ck_assert_int_eq(told[3].result.error.kind, STATUS_OK);
  ck_assert_uint_eq(server.n_accepted, 3);
  ck_assert_uint_eq(client_node_stats(node)->retries, 0);
  ck_assert_int_eq(told[2].is_done, 0);
}
END_TEST

static void perfect_500(const char *head, const char *body, size_t n,
                        struct answer *ret) {
  (void)head, (void)body, (void)n;
  answer_with(ret, 500, "", "[{\"value\":{\"A\":1},\"status\":200}]");
}

START_TEST(nothing_is_taken_from_a_reply_that_is_not_200) {
  server.answer = perfect_500;
  struct node_options options = scripted_node("/j");
  struct told told = {.is_done = 0};
  scripted_submit(scripted_add(&options), 1, &told);
  scripted_finish(&told);
  ck_assert_int_eq(told.result.error.kind, STATUS_HTTP_STATUS);
  ck_assert_int_eq(told.result.http_status, 500);
  ck_assert_uint_eq(told.rows + told.items, 0);
}
END_TEST

START_TEST(handling_is_the_time_to_the_first_byte) {
  server.answer = slow;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  int64_t since_ns = clock_mono_ns();
  scripted_submit(node, 1, &told);
  scripted_finish(&told);
  ck_assert_int_ge(told.result.handling_ns, 95 * MS);
  ck_assert_int_le(told.result.handling_ns, clock_mono_ns() - since_ns);
  ck_assert_uint_eq(client_node_stats(node)->handling_ns[KIND_BROKER],
                    (uint64_t)told.result.handling_ns);
}
END_TEST

/* Two at once, each 100 ms: the broker's time is not counted twice. */
START_TEST(handling_that_overlaps_is_counted_once) {
  server.answer = slow;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  struct told told[2] = {{.is_done = 0}, {.is_done = 0}};
  int64_t since_ns = clock_mono_ns();
  scripted_submit(node, 1, &told[0]);
  scripted_submit(node, 1, &told[1]);
  scripted_finish(&told[0]);
  scripted_finish(&told[1]);
  ck_assert_uint_ge(client_node_stats(node)->handling_ns[KIND_BROKER], 95 * MS);
  ck_assert_uint_le(client_node_stats(node)->handling_ns[KIND_BROKER],
                    (uint64_t)(clock_mono_ns() - since_ns));
}
END_TEST

static size_t rows_until_pause;

static bool pause_at_times(struct told *told) {
  return told->rows % rows_until_pause != 0;
}

START_TEST(a_reader_that_pauses_gets_every_row_and_none_before_it_resumes) {
  static const size_t pauses[] = {1, 7, 50, 119, 120};
  server.answer = well;
  rows_until_pause = pauses[_i];
  struct node_options options = scripted_node("/j");
  struct told told = {.on_row = pause_at_times};
  scripted_submit(scripted_add(&options), 120, &told);
  while (!told.is_done) {
    size_t before = told.rows;
    scripted_run(&told, 3 * MS);
    ck_assert_uint_le(told.rows, before + rows_until_pause);
    if (!told.is_done)
      client_resume(told.job);
  }
  ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(told.rows, 120);
  ck_assert_uint_eq(told.items, 120);
}
END_TEST

static bool pause_once(struct told *told) { return told->rows != 1; }

START_TEST(a_pause_is_not_the_nodes_fault_up_to_the_timeout_once_more) {
  server.answer = well;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  for (int is_long = 0; is_long < 2; is_long++) {
    struct told told = {.on_row = pause_once};
    struct job_options job = scripted_job(2, &told);
    job.timeout_ns = 400 * MS;
    ck_assert_int_eq(client_submit(node, &job, &told.job, NULL), STATUS_OK);
    scripted_run(&told, is_long ? 1400 * MS : 600 * MS);
    ck_assert_int_eq(told.is_done, is_long);
    if (!is_long)
      client_resume(told.job);
    scripted_finish(&told);
    ck_assert_int_eq(told.result.error.kind,
                     is_long ? STATUS_TIMEOUT : STATUS_OK);
    ck_assert_int_eq(told.result.is_partial, is_long);
  }
}
END_TEST

/* The head, and the first of two items. */
static void in_two_parts(const char *head, const char *body, size_t n,
                         struct answer *ret) {
  well(head, body, n, ret);
  const char *comma = memmem(ret->bytes, ret->len, "},{", 3);
  ck_assert_ptr_nonnull(comma);
  ret->first_len = (size_t)(comma - ret->bytes) + 2;
  ret->gap_ns = 800 * MS;
}

/* Timeout 600 ms, paused from about 0 to 400, the rest at 800. */
START_TEST(what_was_paused_is_added_after_the_pause_too) {
  server.answer = in_two_parts;
  struct node_options options = scripted_node("/j");
  struct node *node = scripted_add(&options);
  for (int is_paused = 1; is_paused >= 0; is_paused--) {
    struct told told = {.on_row = is_paused ? pause_once : NULL};
    struct job_options job = scripted_job(2, &told);
    job.timeout_ns = 600 * MS;
    ck_assert_int_eq(client_submit(node, &job, &told.job, NULL), STATUS_OK);
    scripted_run(&told, 400 * MS);
    ck_assert_int_eq(told.is_done, 0);
    client_resume(told.job);
    scripted_finish(&told);
    ck_assert_int_eq(told.result.error.kind,
                     is_paused ? STATUS_OK : STATUS_TIMEOUT);
    ck_assert_uint_eq(told.rows, is_paused ? 2 : 1);
  }
}
END_TEST

/* The whole of its socket's buffers is there to be read: 16 MiB of blanks. */
static void serve_blanks(int listener) {
  static char blanks[65536];
  static const char head[] = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
  static const char tail[] = "[{\"status\":200,\"value\":{\"A\":1}}]";
  char in[8192];
  memset(blanks, ' ', sizeof(blanks));
  struct pollfd ready = {.fd = listener, .events = POLLIN};
  (void)poll(&ready, 1, 3000);
  int fd = accept(listener, NULL, NULL);
  (void)!read(fd, in, sizeof(in));
  (void)!write(fd, head, sizeof(head) - 1);
  for (int i = 0; i < 256; i++)
    (void)!write(fd, blanks, sizeof(blanks));
  (void)!write(fd, tail, sizeof(tail) - 1);
  _exit(0);
}

START_TEST(a_long_reply_lets_the_others_go_first) {
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0)
    serve_blanks(server.fd);
  close(server.fd);
  server.fd = -1;
  struct node_options options = scripted_node("/j");
  options.max_response_bytes = 32 * 1024 * 1024;
  struct node *node = scripted_add(&options);
  struct told told = {.is_done = 0};
  struct job_options job = scripted_job(1, &told);
  job.timeout_ns = 3000 * MS;
  ck_assert_int_eq(client_submit(node, &job, &told.job, NULL), STATUS_OK);
  const struct node_stats *stats = client_node_stats(node);
  uint64_t most = 0;
  while (!told.is_done) {
    uint64_t before = stats->bytes[OWNER_SCRAPE];
    client_turn(client, clock_mono_ns() + MS);
    if (stats->bytes[OWNER_SCRAPE] - before > most)
      most = stats->bytes[OWNER_SCRAPE] - before;
  }
  waitpid(child, NULL, 0);
  ck_assert_int_eq(told.result.error.kind, STATUS_OK);
  ck_assert_uint_eq(told.rows, 1);
  ck_assert_uint_eq(told.result.bytes, 16 * 1024 * 1024 + 32);
  ck_assert_uint_le(most, 512 * 1024);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("exchange");
  TCase *tcase = tcase_create("exchange");
  tcase_add_checked_fixture(tcase, scripted_setup, scripted_teardown);
  tcase_add_test(tcase, rows_and_items_come_with_their_places);
  tcase_add_test(tcase, a_request_has_at_most_fifty_operations);
  tcase_add_test(tcase, a_request_is_no_longer_than_max_request_bytes);
  tcase_add_test(tcase,
                 one_operation_past_max_request_bytes_is_refused_at_once);
  tcase_add_loop_test(
      tcase, the_culprit_stands_alone_and_its_neighbours_are_well, 0, 8);
  tcase_add_loop_test(
      tcase, a_bulk_that_is_refused_whatever_it_asks_is_given_up, 0, 2);
  tcase_add_loop_test(tcase, what_asks_for_the_identity_is_never_halved, 0, 4);
  tcase_add_test(tcase, a_bulk_that_was_too_large_is_not_sent_again_so);
  tcase_add_test(tcase, a_culprit_alone_makes_no_later_bulk_shorter);
  tcase_add_test(tcase, a_refused_bulk_of_changes_is_not_asked_again);
  tcase_add_test(tcase, a_reply_too_large_costs_the_item_in_progress_alone);
  tcase_add_test(tcase, a_read_is_sent_once_more_after_a_reset);
  tcase_add_test(tcase, only_once);
  tcase_add_test(tcase, a_change_is_never_sent_again);
  tcase_add_test(tcase, libcurl_sends_nothing_again_by_itself);
  tcase_add_test(tcase, changes_go_out_on_connections_of_their_own);
  tcase_add_test(tcase, a_node_has_no_more_connections_than_it_may_use);
  tcase_add_loop_test(tcase, a_connection_that_is_written_to_makes_no_way, 0,
                      2);
  tcase_add_test(tcase, nothing_is_taken_from_a_reply_that_is_not_200);
  tcase_add_test(tcase, handling_is_the_time_to_the_first_byte);
  tcase_add_test(tcase, handling_that_overlaps_is_counted_once);
  tcase_add_loop_test(
      tcase, a_reader_that_pauses_gets_every_row_and_none_before_it_resumes, 0,
      5);
  tcase_add_test(tcase,
                 a_pause_is_not_the_nodes_fault_up_to_the_timeout_once_more);
  tcase_add_test(tcase, what_was_paused_is_added_after_the_pause_too);
  tcase_add_test(tcase, a_long_reply_lets_the_others_go_first);
  suite_add_tcase(suite, tcase);
  return scripted_main(suite);
}
