/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* A run over messages against a broker that is a table of what it answers:
 * which ids are sent when, and what is told of them afterwards. */
#include "ctl/messages.h"

#include "ctl/browse.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define BATCH 10 /* ids a request, mostly */
#define N_IDS 40 /* 0 .. 39; all are in the queue at first */
#define BATCHES_MAX 200

/* -- The broker -- */

/* What becomes of a request with changes. */
struct ending {
  enum status kind; /* of the job; STATUS_OK: a reply for all of them */
  int http_status;
  size_t n_told;     /* operations that were answered before it */
  bool is_lost;      /* those that were not told were not executed either */
  const char *error; /* of every item, with ${item}; NULL: none */
  enum status item;
};

static struct {
  int64_t queue_id;
  int64_t address_size, max_bytes;
  bool is_paging, is_backup;
  size_t batch; /* 0: BATCH */
  bool has_no_target;
  int64_t target_size, target_max;
  const char *dead_letter;
  bool is_gone[N_IDS];
  unsigned n_false[N_IDS]; /* how often it is "false" though it is there */
  unsigned n_sent[N_IDS];
  unsigned n_batches, n_checks, n_browses;
  unsigned browse_fails; /* so many times */
  struct ending endings[BATCHES_MAX];
  void (*before_batch)(unsigned n); /* the ${n}th, from 0 on */
  void (*after_browse)(void);
} broker;

static bool was_stopped;
bool session_is_stopped(void) { return was_stopped; }
size_t client_node_batch(const struct node *node) {
  (void)node;
  return broker.batch ? broker.batch : BATCH;
}
bool dialog_pause(struct dialog *dialog, int64_t ns) {
  (void)dialog;
  (void)ns;
  return true;
}

static struct value number(int64_t n) {
  return (struct value){.type = VALUE_INT, .integer = n};
}
static struct value truth(bool is_true) {
  return (struct value){.type = VALUE_BOOL, .integer = is_true};
}
static struct value text(const char *text) {
  return (struct value){
      .type = VALUE_TEXT, .text = text, .text_len = strlen(text)};
}

static void row_of(const struct dialog_bulk *bulk, size_t item,
                   const struct value *columns, size_t n) {
  const struct row row = {"", 0, columns, n};
  bulk->sink.row(bulk->sink.cookie, item, &row);
}

static void item_ends(const struct dialog_bulk *bulk, size_t item, size_t rows,
                      enum status status, const char *error) {
  const struct item_result result = {
      .status = status, .rows = rows, .error = error, .error_type = ""};
  bulk->sink.item(bulk->sink.cookie, item, &result);
}

/* One, that fails when it is full. */
static void answer_target(const struct dialog_bulk *bulk) {
  char settings[128];
  struct value queue[5] = {truth(true)};
  struct value address[] = {truth(false), number(broker.target_size),
                            number(0)};
  snprintf(settings, sizeof(settings),
           "{\"addressFullMessagePolicy\":\"FAIL\",\"maxSizeBytes\":%lld}",
           (long long)broker.target_max);
  const struct value json = text(settings);
  if (!broker.has_no_target)
    row_of(bulk, SOURCE_ITEMS, queue, 5);
  row_of(bulk, SOURCE_ITEMS + 1, address, 3);
  row_of(bulk, SOURCE_ITEMS + 2, &json, 1);
}

static void answer_check(const struct dialog_bulk *bulk) {
  char settings[64];
  const struct value active[] = {truth(!broker.is_backup), number(1000000),
                                 number(0)};
  struct value queue[] = {
      number(broker.queue_id),  number(N_IDS), number(0), number(0), number(0),
      text(broker.dead_letter), text("EXPIRY")};
  struct value address[] = {truth(broker.is_paging),
                            number(broker.address_size)};
  snprintf(settings, sizeof(settings), "{\"maxSizeBytes\":%lld}",
           (long long)broker.max_bytes);
  const struct value json = text(settings);
  broker.n_checks++;
  row_of(bulk, 0, active, 3);
  row_of(bulk, 1, queue, sizeof(queue) / sizeof(*queue));
  row_of(bulk, 2, address, 2);
  row_of(bulk, 3, &json, 1);
  if (bulk->n > SOURCE_ITEMS)
    answer_target(bulk);
  for (size_t i = 0; i < bulk->n; i++)
    item_ends(bulk, i, 1, STATUS_OK, "");
}

static void answer_browse(const struct dialog_bulk *bulk) {
  size_t n = 0;
  broker.n_browses++;
  if (broker.browse_fails > 0) {
    broker.browse_fails--;
    for (size_t i = 0; i < bulk->n; i++)
      item_ends(bulk, i, 0, STATUS_ITEM_ERROR, "no");
    return;
  }
  for (size_t id = 0; id < N_IDS; id++) {
    struct value columns[BROWSE_COLUMNS] = {[BROWSE_ID] = number((int64_t)id)};
    if (!broker.is_gone[id])
      row_of(bulk, 0, columns, BROWSE_COLUMNS);
    n += !broker.is_gone[id];
  }
  for (size_t i = 0; i < bulk->n; i++)
    item_ends(bulk, i, i == 0 ? n : 0, STATUS_OK, "");
  if (broker.after_browse)
    broker.after_browse();
}

/* Whether the change was done. */
static bool execute(size_t id) {
  if (broker.n_false[id] > 0) {
    broker.n_false[id]--;
    return false;
  }
  bool is_done = !broker.is_gone[id];
  broker.is_gone[id] = true;
  return is_done;
}

static void answer_changes(const struct dialog_bulk *bulk,
                           struct job_result *ret) {
  unsigned at = broker.n_batches++;
  ck_assert_uint_lt(at, BATCHES_MAX);
  const struct ending *ending = &broker.endings[at];
  size_t n_told = ending->kind ? ending->n_told : bulk->n;
  ck_assert_uint_le(bulk->n, client_node_batch(NULL));
  if (broker.before_batch)
    broker.before_batch(at);
  for (size_t i = 0; i < bulk->n; i++) {
    size_t id = (size_t)bulk->operations[i].arguments[0].integer;
    broker.n_sent[id]++;
    if (i >= n_told && ending->is_lost)
      continue;
    const struct value done = truth(!ending->error && execute(id));
    if (i >= n_told)
      continue;
    if (!ending->error)
      row_of(bulk, i, &done, 1);
    item_ends(bulk, i, 1, ending->error ? ending->item : STATUS_OK,
              ending->error ? ending->error : "");
  }
  error_set(&ret->error, ending->kind, "ended so");
  ret->http_status = ending->http_status;
  ret->requests = ending->n_told > 0 || !ending->is_lost ? 2 : 1;
}

enum status dialog_wait(struct dialog *dialog, const struct dialog_bulk *bulk,
                        struct job_result *ret) {
  (void)dialog;
  *ret = (struct job_result){.requests = 1, .http_status = 200};
  if (bulk->kind == KIND_CHANGE)
    answer_changes(bulk, ret);
  else if (bulk->kind == KIND_BROWSE)
    answer_browse(bulk);
  else
    answer_check(bulk);
  return ret->error.kind;
}

/* -- A run over all of them -- */

static const struct ctl ctl = {.browse_limit = 1000};
static char domain[] = "d";
static const struct node_settings settings = {.jmx_domain = domain};
static struct node *nodes[1];
static struct change change = {.nodes = nodes};
static struct messages messages;

static void start(enum message_change kind) {
  const struct resume_about about = {.node = "c/n",
                                     .url = "",
                                     .node_id = "id",
                                     .queue_id = 7,
                                     .queue = "Q",
                                     .operation = "remove",
                                     .target = ""};
  struct ids ids;
  struct error error;
  broker.queue_id = 7;
  broker.max_bytes = 1000;
  broker.dead_letter = "DLQ";
  broker.target_max = 1000000;
  messages = (struct messages){.ctl = &ctl,
                               .change = kind,
                               .is_change = true,
                               .node = "c/n",
                               .settings = &settings,
                               .queue = {"d:queue", "Q", "A"},
                               .target = {"d:target", "T", "TA"},
                               .dialog = {.change = &change},
                               .has_reader = true,
                               .has_resume = true};
  ck_assert_int_eq(
      source_reader_init(&messages.reader, "d:broker=\"b\"", &messages.queue),
      STATUS_OK);
  ids_init(&ids);
  for (int64_t id = 0; id < N_IDS; id++)
    ck_assert_int_eq(ids_add(&ids, id, &error), STATUS_OK);
  ck_assert_int_eq(ids_finish(&ids, &error), STATUS_OK);
  ck_assert_int_eq(resume_create(&messages.resume, ".", &about, &ids, &error),
                   STATUS_OK);
  ids_fini(&ids);
  messages.n_false = calloc(N_IDS, 1);
  for (size_t i = 0; i < N_IDS; i++)
    resume_mark_seen(&messages.resume, i);
  ck_assert_int_eq(messages_check(&messages), EXIT_CODE_DONE);
}

static void end(void) {
  unlink(messages.resume.path);
  messages_fini(&messages);
}

static void came_to(size_t done, size_t absent, size_t failed, size_t unknown) {
  const size_t *counts = messages.resume.counts;
  ck_assert_uint_eq(counts[ID_DONE], done);
  ck_assert_uint_eq(counts[ID_ABSENT], absent);
  ck_assert_uint_eq(counts[ID_FAILED], failed);
  ck_assert_uint_eq(counts[ID_UNKNOWN], unknown);
  ck_assert_uint_eq(counts[ID_TODO], N_IDS - done - absent - failed - unknown);
}

START_TEST(each_id_is_sent_once) {
  start(MESSAGES_REMOVE);
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_DONE);
  came_to(N_IDS, 0, 0, 0);
  ck_assert_uint_eq(broker.n_batches, N_IDS / BATCH);
  ck_assert_uint_eq(broker.n_checks, 1);
  end();
}
END_TEST

START_TEST(false_is_asked_once_more) {
  start(MESSAGES_REMOVE);
  broker.n_false[3] = 1;
  broker.is_gone[30] = true;
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_DONE);
  came_to(N_IDS - 1, 1, 0, 0);
  ck_assert_uint_eq(broker.n_sent[3], 2);
  ck_assert_uint_eq(broker.n_sent[30], 2);
  ck_assert_uint_eq(broker.n_batches, N_IDS / BATCH + 1);
  end();
}
END_TEST

/* A job goes out in several requests where its changes do not fit into one; a
 * later one of them is turned away. */
static const struct {
  struct ending ending;
  size_t done;
  enum exit_code code;
} cuts[] = {
    {{STATUS_AUTH, 401, 4, true, NULL, STATUS_OK}, 14, EXIT_CODE_REFUSED},
    {{STATUS_AUTH, 403, 4, true, NULL, STATUS_OK}, 14, EXIT_CODE_REFUSED},
    {{STATUS_DENIED, 200, 4, true, NULL, STATUS_OK}, 14, EXIT_CODE_REFUSED},
    {{STATUS_THROTTLED, 429, 4, true, NULL, STATUS_OK}, N_IDS, EXIT_CODE_DONE},
};

START_TEST(what_was_told_before_a_refusal_counts) {
  start(MESSAGES_REMOVE);
  broker.endings[1] = cuts[_i].ending;
  ck_assert_int_eq(messages_run(&messages), cuts[_i].code);
  came_to(cuts[_i].done, 0, 0, 0);
  ck_assert_uint_eq(broker.n_browses, 0);
  for (size_t id = 10; id < 14; id++)
    ck_assert_uint_eq(broker.n_sent[id], 1);
  end();
}
END_TEST

/* 503 may come from behind the broker: it tells nothing. */
START_TEST(what_a_503_has_cut_is_looked_at) {
  start(MESSAGES_REMOVE);
  broker.endings[1] =
      (struct ending){STATUS_THROTTLED, 503, 4, _i == 0, NULL, STATUS_OK};
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_DONE);
  came_to(N_IDS, 0, 0, 0);
  ck_assert_uint_eq(broker.n_browses, 1);
  ck_assert_uint_eq(broker.n_sent[14], _i == 0 ? 2 : 1);
  ck_assert_uint_eq(broker.n_sent[13], 1);
  end();
}
END_TEST

START_TEST(a_throttle_that_lasts_ends_it) {
  start(MESSAGES_REMOVE);
  for (size_t i = 1; i < BATCHES_MAX; i++)
    broker.endings[i] =
        (struct ending){STATUS_THROTTLED, 429, 0, true, NULL, STATUS_OK};
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_REFUSED);
  came_to(BATCH, 0, 0, 0);
  ck_assert_uint_lt(broker.n_batches, 20);
  end();
}
END_TEST

/* The second pass meets a connection that ends before the broker has done
 * something: what is seen to be there yet is to do, and is done, also what had
 * not answered false before. */
START_TEST(what_is_still_there_in_the_second_pass_is_sent_again) {
  start(MESSAGES_REMOVE);
  broker.n_false[3] = broker.n_false[25] = 1;
  broker.endings[4] =
      (struct ending){STATUS_RESET, 0, 0, true, NULL, STATUS_OK};
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_DONE);
  came_to(N_IDS, 0, 0, 0);
  ck_assert_uint_eq(broker.n_browses, 1);
  ck_assert_uint_eq(broker.n_sent[3], 3);
  end();
}
END_TEST

/* Ids of the first pass whose looking failed are looked at in the second. */
START_TEST(what_was_not_seen_in_the_first_pass_is_sent_again) {
  start(MESSAGES_REMOVE);
  broker.n_false[3] = 1;
  broker.browse_fails = 1;
  broker.endings[1] = broker.endings[4] =
      (struct ending){STATUS_RESET, 0, 0, true, NULL, STATUS_OK};
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_DONE);
  came_to(N_IDS, 0, 0, 0);
  ck_assert_uint_eq(broker.n_browses, 2);
  ck_assert_uint_eq(broker.n_sent[12], 2);
  end();
}
END_TEST

START_TEST(what_is_gone_after_a_reset_was_us) {
  start(MESSAGES_REMOVE);
  broker.endings[1] =
      (struct ending){STATUS_RESET, 0, 0, false, NULL, STATUS_OK};
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_DONE);
  came_to(N_IDS, 0, 0, 0);
  ck_assert_uint_eq(broker.n_sent[12], 1);
  end();
}
END_TEST

/* -- The queue is another one -- */

static void remake(void) {
  broker.queue_id = 8;
  memset(broker.is_gone, true, sizeof(broker.is_gone));
}
static void remake_at_second(unsigned n) {
  if (n == 1)
    remake();
}

/* Deleted and made again, before the batch under way or while it is looked for.
 */
START_TEST(what_went_with_its_queue_was_not_us) {
  start(MESSAGES_REMOVE);
  broker.endings[1] =
      (struct ending){STATUS_RESET, 0, 0, true, NULL, STATUS_OK};
  broker.before_batch = _i == 0 ? remake_at_second : NULL;
  broker.after_browse = _i == 0 ? NULL : remake;
  if (_i == 1)
    memset(broker.is_gone + BATCH, true, BATCH);
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_SOME);
  came_to(BATCH, 0, 0, BATCH);
  ck_assert(messages.is_other_queue);
  ck_assert_uint_eq(broker.n_checks, 2 + (unsigned)_i);
  ck_assert_uint_eq(broker.n_batches, 2);
  end();
}
END_TEST

/* -- What ends it -- */

START_TEST(what_fails_with_all_ends_it) {
  start(MESSAGES_REMOVE);
  broker.endings[1] =
      (struct ending){.error = "no right", .item = STATUS_ITEM_DENIED};
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_REFUSED);
  came_to(BATCH, 0, BATCH, 0);
  end();
}
END_TEST

START_TEST(a_busy_broker_is_asked_again) {
  start(MESSAGES_REMOVE);
  broker.endings[0] =
      (struct ending){.error = "AMQ229245", .item = STATUS_BUSY};
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_DONE);
  came_to(N_IDS, 0, 0, 0);
  end();
}
END_TEST

static void stop(unsigned n) { was_stopped = n == 1; }

START_TEST(a_signal_ends_it_after_the_batch) {
  start(MESSAGES_REMOVE);
  broker.before_batch = stop;
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_INTERRUPTED);
  came_to(2 * BATCH, 0, 0, 0);
  end();
}
END_TEST

/* A12: looked at before each batch, where the address is more than half full.
 */
static void page(unsigned n) { broker.is_paging = n == 1; }

START_TEST(dead_letters_stop_as_it_begins_to_page) {
  start(MESSAGES_DEAD_LETTER);
  broker.address_size = 501;
  ck_assert_int_eq(messages_check(&messages), EXIT_CODE_DONE);
  broker.before_batch = page;
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_UNSAFE);
  came_to(2 * BATCH, 0, 0, 0);
  ck_assert_uint_eq(broker.n_checks, 2 + 2);
  end();
}
END_TEST

/* -- The target, meanwhile -- */

static void fill(unsigned n) {
  if (n == 1)
    broker.target_size = broker.target_max;
}
static void lose(unsigned n) { broker.has_no_target = n >= 5; }
static void turn_elsewhere(unsigned n) {
  if (n == 5)
    broker.dead_letter = "OTHER";
}

/* With room for less than twice what is to come: before each request. */
START_TEST(a_tight_target_is_looked_at_before_each_request) {
  start(MESSAGES_MOVE);
  broker.address_size = 5000;
  broker.target_max = 5000 + 512 * N_IDS;
  ck_assert_int_eq(messages_check_to(&messages), EXIT_CODE_DONE);
  ck_assert_uint_eq(messages_pace(&messages), 1);
  broker.before_batch = fill;
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_UNSAFE);
  came_to(2 * BATCH, 0, 0, 0);
  ck_assert_uint_eq(broker.n_checks, 2 + 2);
  end();
}
END_TEST

/* Else after ten. */
static const struct {
  enum message_change change;
  void (*before_batch)(unsigned n);
  enum exit_code code;
} turns[] = {{MESSAGES_MOVE, fill, EXIT_CODE_UNSAFE},
             {MESSAGES_MOVE, lose, EXIT_CODE_SOME},
             {MESSAGES_EXPIRE, lose, EXIT_CODE_SOME},
             {MESSAGES_DEAD_LETTER, turn_elsewhere, EXIT_CODE_UNSAFE}};

START_TEST(a_target_is_looked_at_now_and_then) {
  start(turns[_i].change);
  broker.batch = 1;
  ck_assert_int_eq(messages_check_to(&messages), EXIT_CODE_DONE);
  ck_assert_uint_eq(messages_pace(&messages), 10);
  broker.before_batch = turns[_i].before_batch;
  ck_assert_int_eq(messages_run(&messages), turns[_i].code);
  came_to(10, 0, 0, 0);
  ck_assert_uint_eq(broker.n_checks, 2 + 1);
  end();
}
END_TEST

START_TEST(a_target_that_is_well_costs_no_request) {
  start(MESSAGES_MOVE);
  ck_assert_int_eq(messages_check_to(&messages), EXIT_CODE_DONE);
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_DONE);
  came_to(N_IDS, 0, 0, 0);
  ck_assert_uint_eq(broker.n_checks, 2);
  end();
}
END_TEST

/* -- The disk is full -- */

static void fill_disk(unsigned n) {
  struct rlimit limit = {.rlim_cur = messages.resume.len,
                         .rlim_max = RLIM_INFINITY};
  if (n == 1)
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Before a batch, and where what has become of one is looked at: one code. */
START_TEST(a_full_disk_ends_it) {
  signal(SIGXFSZ, SIG_IGN);
  start(MESSAGES_REMOVE);
  broker.before_batch = fill_disk;
  if (_i == 1)
    broker.endings[1] =
        (struct ending){STATUS_RESET, 0, 0, false, NULL, STATUS_OK};
  ck_assert_int_eq(messages_run(&messages), EXIT_CODE_SOME);
  ck_assert_uint_eq(broker.n_batches, 2);
  came_to(2 * BATCH, 0, 0, 0);
  end();
}
END_TEST

/* A run that goes on: what was in flight is looked at first. */
START_TEST(a_full_disk_ends_looking) {
  signal(SIGXFSZ, SIG_IGN);
  start(MESSAGES_REMOVE);
  memset(broker.is_gone, true, BATCH);
  for (size_t i = 0; i < BATCH; i++)
    resume_mark(&messages.resume, i, ID_UNKNOWN, "");
  fill_disk(1);
  ck_assert_int_eq(messages_look(&messages), EXIT_CODE_SOME);
  end();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("messages_run");
  TCase *tcase = tcase_create("messages_run");
  tcase_add_test(tcase, each_id_is_sent_once);
  tcase_add_test(tcase, false_is_asked_once_more);
  tcase_add_loop_test(tcase, what_was_told_before_a_refusal_counts, 0,
                      sizeof(cuts) / sizeof(*cuts));
  tcase_add_loop_test(tcase, what_a_503_has_cut_is_looked_at, 0, 2);
  tcase_add_test(tcase, a_throttle_that_lasts_ends_it);
  tcase_add_test(tcase, what_is_still_there_in_the_second_pass_is_sent_again);
  tcase_add_test(tcase, what_was_not_seen_in_the_first_pass_is_sent_again);
  tcase_add_test(tcase, what_is_gone_after_a_reset_was_us);
  tcase_add_loop_test(tcase, what_went_with_its_queue_was_not_us, 0, 2);
  tcase_add_test(tcase, what_fails_with_all_ends_it);
  tcase_add_test(tcase, a_busy_broker_is_asked_again);
  tcase_add_test(tcase, a_signal_ends_it_after_the_batch);
  tcase_add_test(tcase, dead_letters_stop_as_it_begins_to_page);
  tcase_add_test(tcase, a_tight_target_is_looked_at_before_each_request);
  tcase_add_loop_test(tcase, a_target_is_looked_at_now_and_then, 0,
                      sizeof(turns) / sizeof(*turns));
  tcase_add_test(tcase, a_target_that_is_well_costs_no_request);
  tcase_add_loop_test(tcase, a_full_disk_ends_it, 0, 2);
  tcase_add_test(tcase, a_full_disk_ends_looking);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
