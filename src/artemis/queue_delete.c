/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/queue_delete.h"

#include "artemis/object_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 8192
#define LIST_MAX_BYTES 4096

/* -- The name -- */

static enum status take_name(struct queue_delete *delete, const char *name,
                             struct error *error) {
  const char *separator = strstr(name, "::");
  const char *queue = separator ? separator + 2 : name;
  if (!*queue || separator == name)
    return error_set(error, STATUS_INVALID,
                     "\"%.128s\" names no queue: write QUEUE or ADDRESS::QUEUE",
                     name);
  delete->queue = strdup(queue);
  if (separator) {
    delete->address = strndup(name, (size_t)(separator - name));
    delete->is_address_given = true;
  }
  if (!delete->queue || (separator && !delete->address))
    return error_set(error, STATUS_NO_MEMORY, "no memory for the queue's name");
  return STATUS_OK;
}

#define N_NAMES 5
#define N_LISTS 2

/* Names, then lists. */
struct bufs {
  struct buf *all[N_NAMES + N_LISTS];
};

static struct bufs bufs_of(struct queue_delete *delete) {
  return (struct bufs){{&delete->queue_pattern, &delete->queue_mbean,
                        &delete->address_mbean, &delete->divert_pattern,
                        &delete->others_pattern, &delete->matches,
                        &delete->diverts}};
}

enum status queue_delete_init(struct queue_delete *delete,
                              const char *jmx_domain, const char *name,
                              bool with_consumers, struct error *error) {
  struct bufs bufs = bufs_of(delete);
  *delete = (struct queue_delete){.with_consumers = with_consumers};
  for (size_t i = 0; i < N_NAMES + N_LISTS; i++)
    buf_init(bufs.all[i], i < N_NAMES ? NAME_MAX_BYTES : LIST_MAX_BYTES);
  delete->domain = object_name_brokers(jmx_domain);
  if (!delete->domain)
    return error_set(error, STATUS_NO_MEMORY, "no memory for a name");
  return take_name(delete, name, error);
}

void queue_delete_fini(struct queue_delete *delete) {
  struct bufs bufs = bufs_of(delete);
  for (size_t i = 0; i < N_NAMES + N_LISTS; i++)
    buf_fini(bufs.all[i]);
  free(delete->domain);
  free(delete->queue);
  free(delete->address);
}

bool queue_delete_takes_address(const struct queue_delete *delete) {
  return delete->is_address_auto && delete->n_others == 0;
}

/* -- Which queue it is -- */

enum { MESSAGES, CONSUMERS, DURABLE, TEMPORARY, CONFIGURED, N_QUEUE };

static enum status build_find(void *state, const struct identity *identity,
                              struct step_request *ret, struct error *error) {
  static const char *const columns[N_QUEUE] = {
      [MESSAGES] = "MessageCount",
      [CONSUMERS] = "ConsumerCount",
      [DURABLE] = "Durable",
      [TEMPORARY] = "Temporary",
      [CONFIGURED] = "ConfigurationManaged",
  };
  struct queue_delete *delete = state;
  (void)identity;
  object_name_queue(&delete->queue_pattern, delete->domain,
                    delete->is_address_given ? delete->address : NULL, NULL,
                    delete->queue);
  if (delete->queue_pattern.status)
    return error_set(error, STATUS_INVALID, "the queue's name is too long");
  step_read(ret, buf_text(&delete->queue_pattern),
            (struct item_spec){FORM_PATTERN, columns, N_QUEUE});
  return STATUS_OK;
}

static void row_of_find(void *state, size_t item, const struct row *row) {
  struct queue_delete *delete = state;
  char *address = object_name_key(row->name, row->name_len, "address");
  char *routing_type =
      object_name_key(row->name, row->name_len, "routing-type");
  (void)item;
  if (address && routing_type) {
    buf_printf(&delete->matches, "%s%s::%s", delete->n_matches++ ? ", " : "",
               address, delete->queue);
    snprintf(delete->routing_type, sizeof(delete->routing_type), "%s",
             routing_type);
    delete->n_messages = value_int(&row->columns[MESSAGES], 0);
    delete->n_consumers = value_int(&row->columns[CONSUMERS], 0);
    delete->is_durable = value_is_true(&row->columns[DURABLE]);
    delete->is_temporary = value_is_true(&row->columns[TEMPORARY]);
    delete->is_configured = value_is_true(&row->columns[CONFIGURED]);
    free(delete->address);
    delete->address = address;
    address = NULL;
  }
  free(address);
  free(routing_type);
}

static enum status check_find(void *state, const struct error *items,
                              struct error *error) {
  const struct queue_delete *delete = state;
  if (items[0].kind == STATUS_NOT_FOUND)
    return error_set(error, STATUS_NOT_FOUND, "there is no queue %.128s%s",
                     delete->queue,
                     delete->is_address_given ? " on that address" : "");
  if (items[0].kind)
    return step_first_failure(items, 1, error);
  if (delete->n_matches > 1)
    return error_set(error, STATUS_INVALID,
                     "%zu queues are named %.64s: write one of %.256s",
                     delete->n_matches, delete->queue,
                     buf_text(&delete->matches));
  if (delete->n_matches == 0)
    return error_set(error, STATUS_MALFORMED_REPLY, "the reply names no queue");
  return STATUS_OK;
}

/* -- What is bound to its address -- */

enum { ITEM_ADDRESS, ITEM_OTHERS, ITEM_DIVERTS };
enum { DIVERT_NAME, DIVERT_FROM, DIVERT_TO, N_DIVERT };

static enum status build_bindings(void *state, const struct identity *identity,
                                  struct step_request *ret,
                                  struct error *error) {
  static const char *const address[] = {"AutoCreated"};
  static const char *const divert[N_DIVERT] = {
      [DIVERT_NAME] = "UniqueName",
      [DIVERT_FROM] = "Address",
      [DIVERT_TO] = "ForwardingAddress",
  };
  struct queue_delete *delete = state;
  const char *broker = identity->broker_mbean;
  object_name_address(&delete->address_mbean, broker, delete->address);
  object_name_queue(&delete->queue_mbean, broker, delete->address,
                    delete->routing_type, delete->queue);
  object_name_queue(&delete->others_pattern, broker, delete->address, NULL,
                    NULL);
  object_name_divert(&delete->divert_pattern, broker, NULL, NULL);
  if (delete->queue_mbean.status || delete->others_pattern.status)
    return error_set(error, STATUS_INVALID, "the queue's name is too long");
  step_read(ret, buf_text(&delete->address_mbean),
            (struct item_spec){FORM_MBEAN, address, 1});
  step_search(ret, buf_text(&delete->others_pattern));
  step_read(ret, buf_text(&delete->divert_pattern),
            (struct item_spec){FORM_PATTERN, divert, N_DIVERT});
  return STATUS_OK;
}

/* Whether ${address} is the value, or one of those in it: a divert may forward
 * to several, with commas between them. */
static bool names_address(const struct value *value, const char *address) {
  size_t len = strlen(address);
  if (value->type != VALUE_TEXT && !value->was_text)
    return false;
  if (value->text_len == len && memcmp(value->text, address, len) == 0)
    return true;
  for (size_t at = 0; at < value->text_len;) {
    const char *part = value->text + at;
    const char *comma = memchr(part, ',', value->text_len - at);
    size_t part_len = comma ? (size_t)(comma - part) : value->text_len - at;
    if (part_len == len && memcmp(part, address, len) == 0)
      return true;
    at += part_len + 1;
  }
  return false;
}

static void take_divert(struct queue_delete *delete, const struct row *row) {
  const struct value *name = &row->columns[DIVERT_NAME];
  const struct value *from = &row->columns[DIVERT_FROM];
  const struct value *to = &row->columns[DIVERT_TO];
  bool feeds = names_address(to, delete->address);
  if (!feeds && !names_address(from, delete->address))
    return;
  const struct value *end = feeds ? from : to;
  buf_printf(&delete->diverts, "%s%.*s (%s %.*s)",
             delete->n_diverts++ ? ", " : "", (int)name->text_len, name->text,
             feeds ? "from" : "to", (int)end->text_len, end->text);
}

static void row_of_bindings(void *state, size_t item, const struct row *row) {
  struct queue_delete *delete = state;
  if (item == ITEM_ADDRESS)
    delete->is_address_auto = value_is_true(&row->columns[0]);
  else if (item == ITEM_OTHERS)
    delete->n_others++;
  else if (item == ITEM_DIVERTS)
    take_divert(delete, row);
}

static enum status check_bindings(void *state, const struct error *items,
                                  struct error *error) {
  struct queue_delete *delete = state;
  if (items[ITEM_DIVERTS].kind && items[ITEM_DIVERTS].kind != STATUS_NOT_FOUND)
    return step_first_failure(&items[ITEM_DIVERTS], 1, error);
  delete->n_others -= delete->n_others > 0; /* itself */
  return step_first_failure(items, ITEM_DIVERTS, error);
}

/* -- What is on it now: a person may have thought about it -- */

static enum status build_count(void *state, const struct identity *identity,
                               struct step_request *ret, struct error *error) {
  static const char *const columns[] = {"MessageCount", "ConsumerCount"};
  struct queue_delete *delete = state;
  (void)identity;
  (void)error;
  delete->is_counted = false;
  step_read(ret, buf_text(&delete->queue_mbean),
            (struct item_spec){FORM_MBEAN, columns, 2});
  return STATUS_OK;
}

static void row_of_count(void *state, size_t item, const struct row *row) {
  struct queue_delete *delete = state;
  (void)item;
  delete->is_counted =
      row->columns[0].type == VALUE_INT && row->columns[1].type == VALUE_INT;
  delete->n_messages = value_int(&row->columns[0], 0);
  delete->n_consumers = value_int(&row->columns[1], 0);
}

static enum status check_count(void *state, const struct error *items,
                               struct error *error) {
  const struct queue_delete *delete = state;
  enum status status = step_first_failure(items, 1, error);
  if (!status && !delete->is_counted)
    return error_set(error, STATUS_MALFORMED_REPLY,
                     "the reply does not tell what is on the queue");
  return status;
}

/* -- The change -- */

static enum status build_destroy(void *state, const struct identity *identity,
                                 struct step_request *ret,
                                 struct error *error) {
  struct queue_delete *delete = state;
  (void)error;
  delete->arguments[0] =
      (struct argument){.type = ARGUMENT_TEXT, .text = delete->queue};
  delete->arguments[1] = (struct argument){.type = ARGUMENT_BOOL,
                                           .integer = delete->with_consumers};
  delete->arguments[2] = (struct argument){
      .type = ARGUMENT_BOOL, .integer = queue_delete_takes_address(delete)};
  step_exec(ret, identity->broker_mbean,
            "destroyQueue(java.lang.String,boolean,boolean)", delete->arguments,
            3);
  return STATUS_OK;
}

/* -- Whether it is gone -- */

enum { SEEN_QUEUE, SEEN_ADDRESS };

static enum status build_look(void *state, const struct identity *identity,
                              struct step_request *ret, struct error *error) {
  static const char *const queue[] = {"MessageCount"};
  static const char *const address[] = {"AutoCreated"};
  const struct queue_delete *delete = state;
  (void)identity;
  (void)error;
  step_read(ret, buf_text(&delete->queue_mbean),
            (struct item_spec){FORM_MBEAN, queue, 1});
  step_read(ret, buf_text(&delete->address_mbean),
            (struct item_spec){FORM_MBEAN, address, 1});
  return STATUS_OK;
}

static enum status look(void *state, const struct error *items,
                        struct error *error) {
  struct queue_delete *delete = state;
  delete->is_gone = items[SEEN_QUEUE].kind == STATUS_NOT_FOUND;
  delete->is_address_gone = items[SEEN_ADDRESS].kind == STATUS_NOT_FOUND;
  for (size_t i = 0; i < 2; i++)
    if (items[i].kind != STATUS_NOT_FOUND &&
        step_first_failure(&items[i], 1, error))
      return items[i].kind;
  return STATUS_OK;
}

static enum status verify(void *state, const struct error *items,
                          struct error *error) {
  const struct queue_delete *delete = state;
  enum status status = look(state, items, error);
  if (!status && !delete->is_gone)
    return error_set(error, STATUS_ITEM_ERROR,
                     "the broker says that it was deleted, and it is there: "
                     "something makes it anew (a consumer, a producer)");
  return status;
}

static bool is_done(const void *state) {
  return ((const struct queue_delete *)state)->is_gone;
}

static const struct step inspect = {
    .name = "look", .build = build_look, .check = look};

static const struct step steps[] = {
    {.name = "find queue",
     .build = build_find,
     .row = row_of_find,
     .check = check_find},
    {.name = "read bindings",
     .build = build_bindings,
     .row = row_of_bindings,
     .check = check_bindings},
    {.name = "count again",
     .build = build_count,
     .row = row_of_count,
     .check = check_count},
    {.name = "delete queue",
     .is_change = true,
     .build = build_destroy,
     .is_done = is_done},
    {.name = "verify", .build = build_look, .check = verify},
};

const struct step_table queue_delete_table = {
    steps, sizeof(steps) / sizeof(*steps), &inspect};
