/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/destination.h"

#include "jolokia/members.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM_QUEUES, ITEM_ADDRESS, ITEM_SETTINGS };
enum { ENABLED, PURGES, RING, MESSAGES, CONSUMERS, N_QUEUE };
enum { PAGING, ADDRESS_SIZE, PERCENT, N_ADDRESS };

static const char *const queue_names[N_QUEUE] = {[ENABLED] = "Enabled",
                                                 [PURGES] =
                                                     "PurgeOnNoConsumers",
                                                 [RING] = "RingSize",
                                                 [MESSAGES] = "MessageCount",
                                                 [CONSUMERS] = "ConsumerCount"};

static const char *const address_names[N_ADDRESS] = {
    [PAGING] = "Paging",
    [ADDRESS_SIZE] = "AddressSize",
    [PERCENT] = "AddressLimitPercent"}; /* from 2.28.0 on */

/* What a copy has more than its original: where it came from. */
#define COPY_BYTES 512

static void forget(struct destination *destination) {
  destination->is_there = destination->is_known = false;
  destination->is_paging = destination->may_lose = false;
  destination->is_off = destination->is_purged = false;
  destination->ring = destination->messages = -1;
  destination->policy[0] = '\0';
  destination->address_size = destination->percent = -1;
  destination->max_bytes = destination->max_messages = -1;
}

void destinations_begin(struct destinations *destinations) {
  for (size_t i = 0; i < destinations->n; i++)
    forget(&destinations->list[i]);
}

size_t destinations_add(struct destinations *destinations, const char *queue,
                        const char *address) {
  for (size_t i = 0; i < destinations->n; i++)
    if (strcmp(destinations->list[i].queue, queue) == 0 &&
        strcmp(destinations->list[i].address, address) == 0)
      return i;
  if (destinations->n == DESTINATIONS_MAX ||
      strlen(queue) >= MESSAGES_NAME_MAX ||
      strlen(address) >= MESSAGES_NAME_MAX)
    return SIZE_MAX;
  struct destination *destination = &destinations->list[destinations->n];
  *destination = (struct destination){.is_used = false};
  forget(destination);
  memcpy(destination->queue, queue, strlen(queue) + 1);
  memcpy(destination->address, address, strlen(address) + 1);
  return destinations->n++;
}

static void prepare_one(struct destinations *destinations, size_t i,
                        const char *domain, const char *broker) {
  const struct destination *destination = &destinations->list[i];
  struct buf *pattern = &destinations->patterns[i];
  struct buf *address = &destinations->addresses[i];
  struct operation *operations =
      &destinations->operations[DESTINATION_ITEMS * i];
  struct item_spec *specs = &destinations->specs[DESTINATION_ITEMS * i];
  buf_init(pattern, MESSAGES_MBEAN_MAX);
  buf_init(address, MESSAGES_MBEAN_MAX);
  if (*destination->queue)
    message_queue_pattern(pattern, domain, destination->queue);
  else
    message_bound_pattern(pattern, domain, destination->address);
  message_address_mbean(address, broker, destination->address);
  destinations->arguments[i] =
      (struct argument){ARGUMENT_TEXT, destination->address, 0};
  operations[ITEM_QUEUES] = (struct operation){.type = OPERATION_READ,
                                               .mbean = buf_text(pattern),
                                               .attributes = queue_names,
                                               .n_attributes = N_QUEUE};
  specs[ITEM_QUEUES] = (struct item_spec){FORM_PATTERN, queue_names, N_QUEUE};
  operations[ITEM_ADDRESS] = (struct operation){.type = OPERATION_READ,
                                                .mbean = buf_text(address),
                                                .attributes = address_names,
                                                .n_attributes = N_ADDRESS};
  specs[ITEM_ADDRESS] =
      (struct item_spec){FORM_MBEAN, address_names, N_ADDRESS};
  operations[ITEM_SETTINGS] =
      (struct operation){.type = OPERATION_EXEC,
                         .mbean = broker,
                         .name = "getAddressSettingsAsJSON(java.lang.String)",
                         .arguments = &destinations->arguments[i],
                         .n_arguments = 1};
  specs[ITEM_SETTINGS] = (struct item_spec){FORM_VALUE, NULL, 0};
}

enum status destinations_prepare(struct destinations *destinations,
                                 const char *domain, const char *broker) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < destinations->n; i++) {
    prepare_one(destinations, i, domain, broker);
    if (destinations->patterns[i].status || destinations->addresses[i].status)
      status = STATUS_NO_MEMORY;
  }
  destinations->n_prepared = destinations->n;
  return status;
}

void destinations_fini(struct destinations *destinations) {
  for (size_t i = 0; i < destinations->n_prepared; i++) {
    buf_fini(&destinations->patterns[i]);
    buf_fini(&destinations->addresses[i]);
  }
}

static void take_queue(struct destination *destination,
                       const struct value *columns) {
  destination->is_there = true;
  destination->is_off =
      columns[ENABLED].type == VALUE_BOOL && !columns[ENABLED].integer;
  destination->is_purged =
      value_is_true(&columns[PURGES]) && value_int(&columns[CONSUMERS], 0) == 0;
  destination->ring = value_int(&columns[RING], -1);
  destination->messages = value_int(&columns[MESSAGES], -1);
}

static void take_settings(struct destination *destination,
                          const struct value *text) {
  struct value object = {
      .type = VALUE_OTHER, .text = text->text, .text_len = text->text_len};
  struct members members;
  struct value value;
  char *room = text->type == VALUE_TEXT ? malloc(text->text_len + 1) : NULL;
  if (!room)
    return;
  destination->is_known = members_begin(&members, &object, room);
  if (members_find(&object, "addressFullMessagePolicy", 24, room, &value) &&
      value.type == VALUE_TEXT &&
      value.text_len < sizeof(destination->policy)) {
    memcpy(destination->policy, value.text, value.text_len);
    destination->may_lose = strcmp(destination->policy, "DROP") == 0 ||
                            strcmp(destination->policy, "FAIL") == 0;
  }
  if (members_find(&object, "maxSizeBytes", 12, room, &value))
    destination->max_bytes = value_int(&value, -1);
  if (members_find(&object, "maxSizeMessages", 15, room, &value))
    destination->max_messages = value_int(&value, -1);
  free(room);
}

void destinations_row(struct destinations *destinations, size_t item,
                      const struct row *row) {
  struct destination *destination =
      &destinations->list[item / DESTINATION_ITEMS];
  const struct value *columns = row->columns;
  if (item % DESTINATION_ITEMS == ITEM_QUEUES) {
    take_queue(destination, columns);
  } else if (item % DESTINATION_ITEMS == ITEM_ADDRESS) {
    destination->is_paging = value_is_true(&columns[PAGING]);
    destination->address_size = value_int(&columns[ADDRESS_SIZE], -1);
    destination->percent = value_int(&columns[PERCENT], -1);
  } else {
    take_settings(destination, &columns[0]);
  }
}

/* -- What it comes to -- */

/* ${need} -1: nobody knows. ${max} 0 or -1: there is no limit. */
static bool fits(int64_t need, int64_t size, int64_t max) {
  return max <= 0 || (need >= 0 && size >= 0 && need <= max - size);
}

/* Whether all is known to fit. */
static bool has_room(const struct destination *destination,
                     const struct source *source, uint64_t n_messages) {
  bool is_known = source->address_size >= 0 && !source->is_paging;
  int64_t need =
      is_known ? source->address_size + (int64_t)n_messages * COPY_BYTES : -1;
  if (!fits(need, destination->address_size, destination->max_bytes) ||
      !fits(need, source->global_size, source->global_max))
    return false;
  if (destination->max_messages > 0) {
    int64_t left = destination->percent < 0 ? 0 : 99 - destination->percent;
    if (left < 0 ||
        (int64_t)n_messages > destination->max_messages / 100 * left)
      return false;
  }
  return true;
}

/* A queue that drops what it is sent: NULL, or what would become of it. */
static const char *loses(const struct destination *destination,
                         uint64_t n_messages) {
  if (destination->is_off)
    return "is disabled, and drops what it is sent";
  if (destination->is_purged)
    return "drops what it is sent while it has no consumer "
           "(purge-on-no-consumers)";
  if (destination->ring >= 0 &&
      (destination->messages < 0 ||
       (int64_t)n_messages > destination->ring - destination->messages))
    return "keeps its last messages alone (ring-size), and has no room for all";
  return NULL;
}

bool destination_is_tight(const struct destination *destination,
                          const struct source *source, uint64_t n_messages) {
  struct source twice = *source;
  twice.address_size *= 2;
  return destination->may_lose &&
         !has_room(destination, &twice, 2 * n_messages);
}

enum message_check destination_check(const struct destination *destination,
                                     const struct source *source,
                                     uint64_t n_messages, bool may_be_made,
                                     struct error *why) {
  bool is_queue = *destination->queue;
  const char *name = is_queue ? destination->queue : destination->address;
  const char *loss = is_queue ? loses(destination, n_messages) : NULL;
  if (!destination->is_there && !may_be_made) {
    error_set(why, STATUS_NOT_FOUND,
              is_queue
                  ? "there is no queue %.128s to send to"
                  : "no queue is bound to the address %.128s: the messages "
                    "would be lost",
              name);
    return MESSAGES_MISSING;
  }
  if (destination->is_there && !destination->is_known) {
    error_set(why, STATUS_INVALID,
              "what %.128s does when it is full cannot be read", name);
    return MESSAGES_UNSAFE;
  }
  if (loss) {
    error_set(why, STATUS_INVALID,
              "the queue %.128s %s: messages would be lost; change that, or "
              "take another target",
              name, loss);
    return MESSAGES_UNSAFE;
  }
  if (destination->may_lose && !has_room(destination, source, n_messages)) {
    error_set(why, STATUS_INVALID,
              "%.128s may have no room for %" PRIu64
              " messages (by its own limits, or the broker's "
              "global-max-size), and its policy is %s: they would be lost, or "
              "out of sight until a restart; raise the limit, or take another "
              "target",
              name, n_messages, destination->policy);
    return MESSAGES_UNSAFE;
  }
  return MESSAGES_SAFE;
}
