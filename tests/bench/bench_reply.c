/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */

/* What reading a reply costs: listings of 1,000 and 10,000 queues (34 strings a
 * row, as 2.40.0 sends them, 10 of them wanted) and a pattern read of 1,000
 * MBeans, fed in pieces of 16 KiB as libcurl does. Beside it in the same
 * process: copying the same bytes, and json-c reading the whole reply. Status 1
 * where json-c is not at least ten times slower with a listing, or 10,000 rows
 * cost more than eleven times what 1,000 do. */

#include "base/buf.h"
#include "jolokia/reply.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PIECE 16384
#define ROUNDS 15

static const char *const listing_columns[] = {
    "name",          "address",         "messageCount",
    "consumerCount", "deliveringCount", "scheduledCount",
    "messagesAdded", "messagesAcked",   "messagesExpired",
    "messagesKilled"};
static const char *const mbean_columns[] = {
    "MessageCount",    "ConsumerCount",  "DeliveringCount",
    "ScheduledCount",  "MessagesAdded",  "MessagesAcknowledged",
    "MessagesExpired", "MessagesKilled", "DurableMessageCount",
    "Paused"};

/* A row of 2.40.0: its 34 members in its order. */
static void add_queue(struct buf *out, int i) {
  static const char *const flags = "\\\"filter\\\":\\\"\\\",\\\"durable\\\":"
                                   "\\\"true\\\",\\\"paused\\\":\\\"false\\\",";
  buf_printf(out,
             "%s{\\\"id\\\":\\\"%d\\\",\\\"name\\\":\\\"orders.europe.%05d\\\","
             "\\\"address\\\":\\\"orders.europe.%05d\\\",%s",
             i ? "," : "", i + 10, i, i, flags);
  static const char *const texts[][2] = {
      {"temporary", "false"},
      {"purgeOnNoConsumers", "false"},
      {"consumerCount", "3"},
      {"maxConsumers", "-1"},
      {"autoCreated", "false"},
      {"user", "admin"},
      {"routingType", "ANYCAST"},
      {"messagesAdded", "1234567"},
      {"messageCount", "87"},
      {"messagesAcked", "1234480"},
      {"messagesExpired", "0"},
      {"deliveringCount", "12"},
      {"messagesKilled", "0"},
      {"directDeliver", "true"},
      {"exclusive", "false"},
      {"lastValue", "false"},
      {"lastValueKey", ""},
      {"scheduledCount", "0"},
      {"groupRebalance", "false"},
      {"groupRebalancePauseDispatch", "false"},
      {"groupBuckets", "-1"},
      {"groupFirstKey", ""},
      {"enabled", "true"},
      {"ringSize", "-1"},
      {"consumersBeforeDispatch", "0"},
      {"delayBeforeDispatch", "-1"},
      {"autoDelete", "false"},
      {"internalQueue", "false"}};
  for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++)
    buf_printf(out, "%s\\\"%s\\\":\\\"%s\\\"", k ? "," : "", texts[k][0],
               texts[k][1]);
  buf_add_text(out, "}");
}

static void make_listing(struct buf *out, int rows) {
  buf_init(out, 64 << 20);
  buf_add_text(out, "[{\"value\":\"{\\\"data\\\":[");
  for (int i = 0; i < rows; i++)
    add_queue(out, i);
  buf_printf(out, "],\\\"count\\\":%d}\",\"status\":200}]", rows);
}

static void make_pattern(struct buf *out, int rows) {
  buf_init(out, 64 << 20);
  buf_add_text(out, "[{\"value\":{");
  for (int i = 0; i < rows; i++) {
    buf_printf(out,
               "%s\"org.apache.activemq.artemis:address=\\\"orders.%05d\\\","
               "broker=\\\"0.0.0.0\\\",component=addresses,"
               "queue=\\\"orders.%05d\\\",routing-type=\\\"anycast\\\","
               "subcomponent=queues\":{",
               i ? "," : "", i, i);
    for (size_t k = 0; k < 9; k++)
      buf_printf(out, "\"%s\":%d,", mbean_columns[k], i * (int)k);
    buf_add_text(out, "\"Paused\":false}");
  }
  buf_add_text(out, "},\"status\":200}]");
}

struct seen {
  uint64_t rows;
  int64_t sum;
};

static bool on_row(void *cookie, size_t item, const struct row *row) {
  struct seen *seen = cookie;
  (void)item;
  seen->rows++;
  for (size_t i = 0; i < row->n_columns; i++)
    seen->sum += row->columns[i].integer;
  return true;
}

static void on_item(void *cookie, size_t item,
                    const struct item_result *result) {
  (void)cookie;
  (void)item;
  if (result->status || result->rows_invalid) {
    fprintf(stderr, "the reply was not read: %s\n", result->error);
    exit(EXIT_FAILURE);
  }
}

/* Of this thread: others may be at work on the machine. */
static int64_t cpu_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

struct figures {
  int64_t ours;
  int64_t copy;
  int64_t tree;
};

/* Each piece is copied first to where libcurl's would lie: in the cache. */
static void read_reply(const struct item_spec *spec, const struct buf *text,
                       uint64_t rows, struct figures *ret) {
  static char piece[PIECE];
  struct seen seen = {0};
  struct reply_sink sink = {on_row, on_item, &seen};
  struct error error;
  struct reply *reply = reply_new(spec, 1, 65536, &sink);
  *ret = (struct figures){0};
  for (size_t at = 0; reply && at < text->len; at += PIECE) {
    size_t left = text->len - at;
    size_t len = left < PIECE ? left : PIECE;
    size_t consumed;
    int64_t begin = cpu_ns();
    memcpy(piece, text->data + at, len);
    int64_t copied = cpu_ns();
    reply_feed(reply, piece, len, &consumed);
    ret->copy += copied - begin;
    ret->ours += cpu_ns() - copied;
  }
  if (!reply || reply_end(reply, &error) || seen.rows != rows) {
    fprintf(stderr, "the reply was not read\n");
    exit(EXIT_FAILURE);
  }
  reply_free(reply);
}

/* The whole reply as a tree; for a listing, the text in it as another. */
static int64_t read_tree(const struct buf *text) {
  int64_t begin = cpu_ns();
  struct json_object *reply = json_tokener_parse(buf_text(text));
  struct json_object *item = json_object_array_get_idx(reply, 0);
  struct json_object *value = json_object_object_get(item, "value");
  struct json_object *inner = NULL;
  if (json_object_is_type(value, json_type_string))
    inner = json_tokener_parse(json_object_get_string(value));
  json_object_put(inner);
  json_object_put(reply);
  return cpu_ns() - begin;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static struct figures measure(const char *name, const struct item_spec *spec,
                              struct buf *text, int rows) {
  struct figures best = {INT64_MAX, INT64_MAX, INT64_MAX};
  for (int i = 0; i < ROUNDS; i++) {
    struct figures round;
    read_reply(spec, text, (uint64_t)rows, &round);
    best.ours = least(best.ours, round.ours);
    best.copy = least(best.copy, round.copy);
    if (i < 3)
      best.tree = least(best.tree, read_tree(text));
  }
  printf("%-15s %8zu bytes %8.3f ms %6.0f ns a row %6.1f x memcpy, json-c "
         "%5.1f x ours\n",
         name, text->len, (double)best.ours / 1e6, (double)best.ours / rows,
         (double)best.ours / (double)best.copy,
         (double)best.tree / (double)best.ours);
  buf_fini(text);
  return best;
}

int main(void) {
  const struct item_spec listing = {FORM_LISTING, listing_columns, 10};
  const struct item_spec pattern = {FORM_PATTERN, mbean_columns, 10};
  struct buf text;
  make_listing(&text, 1000);
  struct figures small = measure("listing 1,000", &listing, &text, 1000);
  make_listing(&text, 10000);
  struct figures large = measure("listing 10,000", &listing, &text, 10000);
  make_pattern(&text, 1000);
  measure("pattern 1,000", &pattern, &text, 1000);
  bool is_fast = small.tree > 10 * small.ours;
  bool is_linear = large.ours < 11 * small.ours;
  if (!is_fast)
    printf("missed: json-c is not ten times slower\n");
  if (!is_linear)
    printf("missed: 10,000 rows cost over eleven times what 1,000 do\n");
  return is_fast && is_linear ? EXIT_SUCCESS : EXIT_FAILURE;
}
