/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/messages.h"

#include "jolokia/members.h"
#include "jolokia/objectname.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- A queue -- */

static void add_queue_pattern(struct buf *out, const char *domain,
                              const char *address, size_t address_len,
                              const char *queue) {
  buf_printf(out, "%s:broker=*,component=addresses,address=", domain);
  if (address)
    objectname_quote(out, address, address_len);
  else
    buf_add_text(out, "*");
  buf_add_text(out, ",subcomponent=queues,routing-type=*,queue=");
  if (queue)
    objectname_quote(out, queue, strlen(queue));
  else
    buf_add_text(out, "*");
}

void message_queue_pattern(struct buf *out, const char *domain,
                           const char *name) {
  const char *colons = strstr(name, "::");
  if (colons)
    add_queue_pattern(out, domain, name, (size_t)(colons - name), colons + 2);
  else
    add_queue_pattern(out, domain, NULL, 0, name);
}

void message_bound_pattern(struct buf *out, const char *domain,
                           const char *address) {
  add_queue_pattern(out, domain, address, strlen(address), NULL);
}

static bool plain(const struct objectname *name, const char *key, char *dst) {
  const struct objectname_property *property = objectname_get(name, key);
  size_t len;
  return property && objectname_unquote(property, dst, MESSAGES_NAME_MAX,
                                        &len) == STATUS_OK;
}

bool message_queue_read(struct message_queue *ret, const char *mbean,
                        size_t len) {
  struct objectname name;
  struct error error;
  if (len >= sizeof(ret->mbean) ||
      objectname_parse(mbean, len, &name, &error) != STATUS_OK ||
      !plain(&name, "queue", ret->name) ||
      !plain(&name, "address", ret->address))
    return false;
  memcpy(ret->mbean, mbean, len);
  ret->mbean[len] = '\0';
  return true;
}

void message_address_mbean(struct buf *out, const char *broker,
                           const char *address) {
  buf_printf(out, "%s,component=addresses,address=", broker);
  objectname_quote(out, address, strlen(address));
}

/* -- One message changed -- */

static const struct {
  const char *name;
  const char *operation; /* with its signature: some are overloaded */
} changes[MESSAGES_CHANGE_COUNT] = {
    [MESSAGES_REMOVE] = {"remove", "removeMessage(long)"},
    [MESSAGES_MOVE] = {"move", "moveMessage(long,java.lang.String)"},
    [MESSAGES_EXPIRE] = {"expire", "expireMessage(long)"},
    [MESSAGES_RETRY] = {"retry", "retryMessage(long)"},
    [MESSAGES_DEAD_LETTER] = {"dead-letter",
                              "sendMessageToDeadLetterAddress(long)"}};

const char *message_change_name(enum message_change change) {
  return changes[change].name;
}

void message_operation(enum message_change change, const char *mbean,
                       const char *target, int64_t id,
                       struct message_arguments *arguments,
                       struct operation *ret) {
  arguments->list[0] = (struct argument){ARGUMENT_INT, NULL, id};
  arguments->list[1] = (struct argument){ARGUMENT_TEXT, target, 0};
  *ret = (struct operation){.type = OPERATION_EXEC,
                            .mbean = mbean,
                            .name = changes[change].operation,
                            .arguments = arguments->list,
                            .n_arguments = change == MESSAGES_MOVE ? 2 : 1};
}

const struct item_spec message_spec = {FORM_VALUE, NULL, 0};

/* The item's text, without what Java calls the exception. */
static const char *told(const struct item_result *result) {
  size_t len = strlen(result->error_type);
  bool has_type =
      len > 0 && strncmp(result->error, result->error_type, len) == 0;
  const char *text = result->error + (has_type ? len : 0);
  return has_type && strncmp(text, " : ", 3) == 0 ? text + 3 : result->error;
}

enum message_outcome message_outcome(const struct item_result *result,
                                     const struct value *value,
                                     struct error *why) {
  if (result->status == STATUS_BUSY)
    return MESSAGE_BUSY;
  if (result->status == STATUS_MALFORMED_REPLY ||
      result->status == STATUS_REPLY_TOO_LARGE ||
      (result->status == STATUS_OK && (!value || value->type != VALUE_BOOL)))
    return MESSAGE_UNCLEAR;
  if (result->status == STATUS_OK)
    return value->integer ? MESSAGE_DONE : MESSAGE_NOT_NOW;
  /* A full target that refuses: seen on 2.28.0 and 2.40.0. */
  if (strstr(result->error, "AMQ229102")) {
    error_set(why, result->status,
              "the target is full (AMQ229102); the message is out of the queue "
              "until the broker is restarted, and back in it then");
    return MESSAGE_FULL;
  }
  error_set(why, result->status, "%s: %s", status_name(result->status),
            told(result));
  return MESSAGE_FAILED;
}

/* -- Messages looked at -- */

static const char *const browse_columns[BROWSE_COLUMNS] = {
    [BROWSE_ID] = "messageID",
    [BROWSE_TIMESTAMP] = "timestamp",
    [BROWSE_PRIORITY] = "priority",
    [BROWSE_SIZE] = "persistentSize",
    [BROWSE_REDELIVERED] = "redelivered",
    [BROWSE_DURABLE] = "durable",
    [BROWSE_PROTOCOL] = "protocol",
    [BROWSE_TEXTS] = "StringProperties"};

const struct item_spec message_browse_spec = {FORM_ROWS, browse_columns,
                                              BROWSE_COLUMNS};

void message_browse(const char *mbean, uint32_t page, const char *filter,
                    struct browse_arguments *arguments, struct operation *ret) {
  arguments->list[0] = (struct argument){ARGUMENT_INT, NULL, page};
  arguments->list[1] = (struct argument){ARGUMENT_INT, NULL, MESSAGES_PAGE};
  arguments->list[2] = (struct argument){ARGUMENT_TEXT, filter, 0};
  *ret = (struct operation){.type = OPERATION_EXEC,
                            .mbean = mbean,
                            .name = filter ? "browse(int,int,java.lang.String)"
                                           : "browse(int,int)",
                            .arguments = arguments->list,
                            .n_arguments = filter ? 3 : 2};
}

static bool take(const struct value *texts, const char *const keys[2],
                 char *room, char *ret, size_t size) {
  struct value value;
  for (size_t i = 0; i < 2; i++)
    if (members_find(texts, keys[i], strlen(keys[i]), room, &value) &&
        value_has_text(&value) && value.text_len < size) {
      memcpy(ret, value.text, value.text_len);
      ret[value.text_len] = '\0';
      return true;
    }
  return false;
}

bool message_origin(const struct value *texts, char *ret, char *ret_address,
                    size_t size) {
  /* Of Core messages, and of AMQP's annotations. */
  static const char *const queue[2] = {"_AMQ_ORIG_QUEUE", "x-opt-ORIG-QUEUE"};
  static const char *const address[2] = {"_AMQ_ORIG_ADDRESS",
                                         "x-opt-ORIG-ADDRESS"};
  if (texts->type != VALUE_OTHER)
    return false;
  char *room = malloc(texts->text_len + 1);
  bool is_known = room && take(texts, queue, room, ret, size) &&
                  take(texts, address, room, ret_address, size);
  free(room);
  return is_known;
}
