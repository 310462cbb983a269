/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/source.h"

#include "jolokia/members.h"

#include <stdlib.h>
#include <string.h>

enum { ITEM_BROKER, ITEM_QUEUE, ITEM_ADDRESS, ITEM_SETTINGS };

enum { ACTIVE, GLOBAL_MAX, GLOBAL_SIZE, N_BROKER };
static const char *const broker_names[N_BROKER] = {
    [ACTIVE] = "Active",
    [GLOBAL_MAX] = "GlobalMaxSize",
    [GLOBAL_SIZE] = "AddressMemoryUsage"};
enum {
  ID,
  MESSAGE_COUNT,
  CONSUMER_COUNT,
  DELIVERING_COUNT,
  SCHEDULED_COUNT,
  DEAD_LETTER,
  EXPIRY,
  N_QUEUE
};
static const char *const queue_names[N_QUEUE] = {
    [ID] = "ID",
    [MESSAGE_COUNT] = "MessageCount",
    [CONSUMER_COUNT] = "ConsumerCount",
    [DELIVERING_COUNT] = "DeliveringCount",
    [SCHEDULED_COUNT] = "ScheduledCount",
    [DEAD_LETTER] = "DeadLetterAddress",
    [EXPIRY] = "ExpiryAddress"};
static const char *const address_names[] = {"Paging", "AddressSize"};

const struct item_spec source_specs[SOURCE_ITEMS] = {
    [ITEM_BROKER] = {FORM_MBEAN, broker_names, N_BROKER},
    [ITEM_QUEUE] = {FORM_MBEAN, queue_names, N_QUEUE},
    [ITEM_ADDRESS] = {FORM_MBEAN, address_names, 2},
    [ITEM_SETTINGS] = {FORM_VALUE, NULL, 0}};

static struct operation reads(const char *mbean, const char *const *names,
                              size_t n) {
  return (struct operation){.type = OPERATION_READ,
                            .mbean = mbean,
                            .attributes = names,
                            .n_attributes = n};
}

enum status source_reader_init(struct source_reader *reader, const char *broker,
                               const struct message_queue *queue) {
  buf_init(&reader->address, MESSAGES_MBEAN_MAX);
  message_address_mbean(&reader->address, broker, queue->address);
  reader->argument = (struct argument){ARGUMENT_TEXT, queue->address, 0};
  reader->operations[ITEM_BROKER] = reads(broker, broker_names, N_BROKER);
  reader->operations[ITEM_QUEUE] = reads(queue->mbean, queue_names, N_QUEUE);
  reader->operations[ITEM_ADDRESS] =
      reads(buf_text(&reader->address), address_names, 2);
  reader->operations[ITEM_SETTINGS] =
      (struct operation){.type = OPERATION_EXEC,
                         .mbean = broker,
                         .name = "getAddressSettingsAsJSON(java.lang.String)",
                         .arguments = &reader->argument,
                         .n_arguments = 1};
  source_begin(reader);
  return reader->address.status;
}

void source_reader_fini(struct source_reader *reader) {
  buf_fini(&reader->address);
}

void source_begin(struct source_reader *reader) {
  reader->found = (struct source){
      .global_max = -1, .global_size = -1, .address_size = -1, .max_bytes = -1};
}

static void take_text(char *dst, const struct value *value) {
  bool is_text = value_has_text(value);
  size_t len =
      is_text && value->text_len < MESSAGES_NAME_MAX ? value->text_len : 0;
  if (len)
    memcpy(dst, value->text, len);
  dst[len] = '\0';
}

static void take_queue(struct source *source, const struct value *columns) {
  source->is_there =
      columns[MESSAGE_COUNT].type == VALUE_INT && columns[ID].type == VALUE_INT;
  source->queue_id = value_int(&columns[ID], -1);
  source->messages = value_int(&columns[MESSAGE_COUNT], 0);
  /* What is not known may be anything. */
  source->consumers = value_int(&columns[CONSUMER_COUNT], 1);
  source->delivering = value_int(&columns[DELIVERING_COUNT], 1);
  source->scheduled = value_int(&columns[SCHEDULED_COUNT], 1);
  take_text(source->dead_letter, &columns[DEAD_LETTER]);
  take_text(source->expiry, &columns[EXPIRY]);
}

static void take_settings(struct source *source, const struct value *text) {
  struct value object = {
      .type = VALUE_OTHER, .text = text->text, .text_len = text->text_len};
  struct value value;
  char *room = text->type == VALUE_TEXT ? malloc(text->text_len + 1) : NULL;
  if (!room)
    return;
  if (members_find(&object, "maxSizeBytes", 12, room, &value))
    source->max_bytes = value_int(&value, -1);
  if (members_find(&object, "autoCreateDeadLetterResources", 29, room, &value))
    source->makes_dead_letter = value_is_true(&value);
  if (members_find(&object, "autoCreateExpiryResources", 25, room, &value))
    source->makes_expiry = value_is_true(&value);
  free(room);
}

/* No broker has so many bytes: twice as many, and those of messages, are a
 * number still. */
#define BYTES_MAX (INT64_MAX / 4)

static int64_t bytes_of(const struct value *value) {
  int64_t bytes = value_int(value, -1);
  return bytes < 0 || bytes > BYTES_MAX ? -1 : bytes;
}

void source_row(struct source_reader *reader, size_t item,
                const struct row *row) {
  struct source *source = &reader->found;
  const struct value *columns = row->columns;
  if (item == ITEM_BROKER) {
    source->is_active = value_is_true(&columns[ACTIVE]);
    source->global_max = value_int(&columns[GLOBAL_MAX], -1);
    source->global_size = value_int(&columns[GLOBAL_SIZE], -1);
  } else if (item == ITEM_QUEUE)
    take_queue(source, columns);
  else if (item == ITEM_ADDRESS) {
    /* Not known is as bad as paging. */
    source->is_paging = columns[0].type != VALUE_BOOL || columns[0].integer;
    source->address_size = bytes_of(&columns[1]);
  } else if (item == ITEM_SETTINGS)
    take_settings(source, &columns[0]);
}

void source_item(struct source_reader *reader, size_t item,
                 const struct item_result *result) {
  struct error *fault = &reader->found.fault;
  static const char *const what[SOURCE_ITEMS] = {[ITEM_BROKER] = "the broker",
                                                 [ITEM_QUEUE] = "the queue",
                                                 [ITEM_ADDRESS] = "its address",
                                                 [ITEM_SETTINGS] =
                                                     "its address' settings"};
  if (result->status && !fault->kind && item < SOURCE_ITEMS)
    error_set(fault, result->status, "%s cannot be read: %s", what[item],
              result->error);
}

/* -- What it comes to -- */

const char *source_destination(const struct source *source,
                               enum message_change change) {
  if (change == MESSAGES_DEAD_LETTER)
    return source->dead_letter;
  return change == MESSAGES_EXPIRE ? source->expiry : "";
}

/* dead-letter and expire: whether there is where to. */
static enum message_check check_way(const struct source *source,
                                    const struct message_queue *queue,
                                    enum message_change change,
                                    struct error *why) {
  const char *to = source_destination(source, change);
  const char *kind =
      change == MESSAGES_EXPIRE ? "expiry address" : "dead-letter address";
  if (!*to) {
    error_set(why, STATUS_INVALID,
              "the queue %.128s has no %s: the messages would be dropped; use "
              "`messages remove` for that",
              queue->name, kind);
    return MESSAGES_UNSAFE;
  }
  if (strcmp(to, queue->address) == 0) {
    error_set(why, STATUS_INVALID,
              "the queue %.128s is of its own %s: the messages would lose "
              "where they came from",
              queue->name, kind);
    return MESSAGES_UNSAFE;
  }
  return MESSAGES_SAFE;
}

enum message_check source_check(const struct source *source,
                                const struct message_queue *queue,
                                enum message_change change, unsigned version,
                                struct error *why) {
  if (!source->is_active)
    error_set(
        why, STATUS_INVALID,
        "the broker is not active (a backup, or starting): a change there "
        "can break the failover; ask the node that is");
  else if (!source->is_there || source->fault.kind) {
    *why = source->fault;
    if (!why->kind)
      error_set(why, STATUS_NOT_FOUND, "the queue %.128s does not answer",
                queue->name);
    return MESSAGES_MISSING;
  } else if (change == MESSAGES_DEAD_LETTER && source->is_paging)
    error_set(why, STATUS_INVALID,
              "the address %.128s is paging: dead-lettering by id was seen to "
              "wedge such a queue until a restart; let consumers empty it "
              "first, or move the messages",
              queue->address);
  else if (change == MESSAGES_REMOVE && source->is_paging && version >= 2053 &&
           version <= 2055)
    error_set(why, STATUS_INVALID,
              "the address %.128s is paging: removing by id can deadlock "
              "Artemis 2.53 to 2.55 then (ARTEMIS-6179, mended in 2.56)",
              queue->address);
  else
    return change == MESSAGES_DEAD_LETTER || change == MESSAGES_EXPIRE
               ? check_way(source, queue, change, why)
               : MESSAGES_SAFE;
  return MESSAGES_UNSAFE;
}

const char *source_limits(const struct source *source, unsigned version) {
  if (!source->is_paging || version >= 2053)
    return NULL;
  if (version < 2028)
    return "the address is paging, and this Artemis reaches by id only what is "
           "in memory, which is the front of the queue: absent can mean paged "
           "out";
  return "the address is paging: messages far behind in the queue are reached "
         "only after those in front of them; absent can mean paged out";
}

bool source_is_quiet(const struct source *source) {
  return source->is_there && source->consumers == 0 &&
         source->delivering == 0 && source->scheduled == 0;
}

bool source_may_page_soon(const struct source *source) {
  return source->max_bytes <= 0 || source->address_size < 0 ||
         source->address_size > source->max_bytes / 2;
}
