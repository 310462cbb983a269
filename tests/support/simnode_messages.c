/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

/* The first queue's messages: --messages N of them, with ids from FIRST_ID on,
 * each in the queue or not. */
#define FIRST_ID 1000

static struct {
  size_t n;
  const char *origin; /* of dead letters; NULL: they are none */
  unsigned char *is_gone;
  unsigned char *was_asked;
  unsigned char *is_late; /* to be changed yet */
  uint64_t by_id;         /* operations so far */
  uint64_t requests;      /* that had one */
  bool is_changed;        /* by the request at hand */
  bool is_remade;         /* another queue of that name, and empty */
} messages;

void messages_build(size_t n, const char *origin) {
  messages.n = n;
  messages.origin = origin;
  messages.is_gone = calloc(n + 1, 1);
  messages.was_asked = calloc(n + 1, 1);
  messages.is_late = calloc(n + 1, 1);
  if (messages.is_gone == NULL || messages.was_asked == NULL ||
      messages.is_late == NULL)
    exit(1);
}

static size_t left(void) {
  size_t n = 0;

  for (size_t i = 0; i < messages.n; i++)
    n += !messages.is_gone[i];
  return n;
}

bool messages_value(struct text *out, enum thing thing, size_t i,
                    const char *attribute) {
  static const struct {
    enum thing thing;
    const char *attribute, *json;
  } fixed[] = {{THING_QUEUE, "ConsumerCount", "0"},
               {THING_QUEUE, "DeliveringCount", "0"},
               {THING_QUEUE, "ScheduledCount", "0"},
               {THING_QUEUE, "DeadLetterAddress", "\"DLQ\""},
               {THING_QUEUE, "ExpiryAddress", "\"ExpiryQueue\""},
               {THING_ADDRESS, "Paging", "false"},
               {THING_ADDRESS, "AddressSize", "1000"},
               {THING_ADDRESS, "AddressLimitPercent", "1"}};

  if (messages.n == 0)
    return false;
  if (thing == THING_QUEUE && i == 0 &&
      strcmp(attribute, "MessageCount") == 0) {
    text_number(out, (int64_t)left());
    return true;
  }
  if (thing == THING_QUEUE && i == 0 && strcmp(attribute, "ID") == 0) {
    text_number(out, messages.is_remade ? 4711 : 1);
    return true;
  }
  for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
    if (fixed[k].thing == thing && strcmp(fixed[k].attribute, attribute) == 0) {
      text_addz(out, fixed[k].json);
      return true;
    }
  return false;
}

/* -- Browsing -- */

static void add_message(struct text *out, size_t i) {
  text_addz(out, "{\"address\":\"sim.queue.00001\",\"messageID\":\"");
  text_number(out, (int64_t)(FIRST_ID + i));
  text_addz(out,
            "\",\"priority\":4,\"type\":4,\"redelivered\":false,"
            "\"durable\":true,\"protocol\":\"CORE\",\"persistentSize\":405,"
            "\"timestamp\":1796062427439,\"StringProperties\":{");
  /* every tenth one never was dead */
  if (messages.origin != NULL && i % 10 != 9) {
    text_addz(out, "\"_AMQ_ORIG_ADDRESS\":");
    text_quote(out, messages.origin, false);
    text_addz(out, ",\"_AMQ_ORIG_QUEUE\":");
    text_quote(out, messages.origin, false);
  }
  text_addz(out, "}}");
}

static void browse(struct text *out, const struct node *node, int64_t page,
                   int64_t size, const char *filter) {
  const struct conn conn = {.port = node->port};
  int64_t skip = (page - 1) * size, shown = 0, last = 0;
  bool is_even = filter != NULL && strcmp(filter, "even") == 0;

  text_addz(out, "[");
  for (size_t i = 0; i < messages.n && shown < size; i++) {
    if (messages.is_gone[i] || (is_even && i % 2 == 1) || skip-- > 0)
      continue;
    if (shown++ > 0)
      text_addz(out, ",");
    add_message(out, i);
    last = (int64_t)(FIRST_ID + i);
  }
  text_addz(out, "]");
  log_line(&conn, "looked %" PRId64 " %" PRId64, shown, last);
}

/* -- One message changed -- */

enum answer {
  ANSWER_TRUE,
  ANSWER_FALSE,
  ANSWER_LATE,
  ANSWER_BUSY,
  ANSWER_DENIED,
  ANSWER_GONE,
  ANSWER_FULL
};

static bool every(const struct node *node, enum hazard hazard) {
  return node->hazards.on[hazard] && node->hazards.value[hazard] > 0 &&
         messages.by_id % (uint64_t)node->hazards.value[hazard] == 0;
}

static enum answer change(const struct node *node, int64_t id) {
  size_t i = (size_t)(id - FIRST_ID);

  messages.by_id++;
  if (node->hazards.on[H_DENIED_CHANGE])
    return ANSWER_DENIED;
  if (node->hazards.on[H_REMADE_AFTER] &&
      messages.by_id > (uint64_t)node->hazards.value[H_REMADE_AFTER]) {
    messages.is_remade = true;
    memset(messages.is_gone, 1, messages.n);
  }
  if (node->hazards.on[H_GONE_AFTER] &&
      messages.by_id > (uint64_t)node->hazards.value[H_GONE_AFTER])
    return ANSWER_GONE;
  if (every(node, H_BUSY))
    return ANSWER_BUSY;
  if (node->hazards.on[H_FULL_AFTER] &&
      messages.by_id > (uint64_t)node->hazards.value[H_FULL_AFTER])
    return ANSWER_FULL;
  if (id < FIRST_ID || i >= messages.n || messages.is_gone[i])
    return ANSWER_FALSE;
  if (every(node, H_FALSE_FIRST) && !messages.was_asked[i]) {
    messages.was_asked[i] = 1;
    return ANSWER_FALSE;
  }
  if (node->hazards.on[H_LATE_EXEC] && messages.requests == 0) {
    messages.is_late[i] = 1;
    return ANSWER_LATE;
  }
  messages.is_gone[i] = 1;
  return ANSWER_TRUE;
}

static void end_late(const struct conn *conn) {
  for (size_t i = 0; i < messages.n; i++)
    if (messages.is_late[i]) {
      messages.is_late[i] = 0;
      messages.is_gone[i] = 1;
      log_line(conn, "executed %" PRId64 " true", (int64_t)(FIRST_ID + i));
    }
}

static bool is_by_id(const char *called) {
  static const char *const names[] = {
      "removeMessage(long)", "moveMessage(long,java.lang.String)",
      "expireMessage(long)", "retryMessage(long)",
      "sendMessageToDeadLetterAddress(long)"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(called, names[i]) == 0)
      return true;
  return false;
}

static int64_t integer(struct json_object *arguments, size_t i) {
  return json_object_get_int64(json_object_array_get_idx(arguments, i));
}

static void fail(struct text *out, const struct broker *broker,
                 struct json_object *operation, enum answer answer) {
  if (answer == ANSWER_BUSY)
    item_error(out, broker, operation, 500,
               "org.apache.activemq.artemis.api.core.ActiveMQTimeoutException",
               "AMQ229245: Management controller is busy with another task. "
               "Please try again");
  else if (answer == ANSWER_FULL)
    item_error(out, broker, operation, 500,
               "org.apache.activemq.artemis.api.core."
               "ActiveMQAddressFullException",
               "AMQ229102: Address sim.queue.00002 is full.");
  else if (answer == ANSWER_DENIED)
    item_error(out, broker, operation, 403, "java.lang.Exception",
               "User not authorized to access operation: removeMessage");
  else
    item_error(out, broker, operation, 404,
               "javax.management.InstanceNotFoundException",
               "No MBean of that name");
}

bool messages_exec(struct text *out, const struct broker *broker,
                   struct node *node, struct json_object *operation, size_t i,
                   const char *called) {
  const struct conn conn = {.port = node->port};
  static const char *const words[] = {"true",   "false", "late", "busy",
                                      "denied", "gone",  "full"};
  struct json_object *arguments = NULL;
  const char *filter = NULL;
  enum answer answer;
  int64_t id;

  json_object_object_get_ex(operation, "arguments", &arguments);
  if (messages.n == 0 || i != 0)
    return false;
  if (is_by_id(called)) {
    id = integer(arguments, 0);
    if (messages.requests > 0)
      end_late(&conn);
    answer = change(node, id);
    messages.is_changed = true;
    log_line(&conn, "executed %" PRId64 " %s", id, words[answer]);
    if (answer > ANSWER_LATE) {
      fail(out, broker, operation, answer);
      return true;
    }
    item_begin(out, broker, operation);
    text_addz(out, words[answer]);
    item_end(out, broker);
    return true;
  }
  if (strncmp(called, "browse(int,int", 14) != 0)
    return false;
  if (json_object_array_length(arguments) > 2)
    filter = json_object_get_string(json_object_array_get_idx(arguments, 2));
  if (filter != NULL && strcmp(filter, "wrong") == 0) {
    item_error(out, broker, operation, 500, "java.lang.IllegalStateException",
               "AMQ229020: Invalid filter: wrong");
    return true;
  }
  item_begin(out, broker, operation);
  browse(out, node, integer(arguments, 0), integer(arguments, 1), filter);
  item_end(out, broker);
  return true;
}

bool messages_drop(const struct node *node) {
  const struct hazards *hazards = &node->hazards;
  bool is_changed = messages.is_changed;

  messages.is_changed = false;
  messages.requests += is_changed;
  if (is_changed && hazards->on[H_LATE_EXEC])
    return messages.requests == 1;
  return is_changed && hazards->on[H_RESET_AFTER_EXEC] &&
         messages.requests % (uint64_t)hazards->value[H_RESET_AFTER_EXEC] == 0;
}
