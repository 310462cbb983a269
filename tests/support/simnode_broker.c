/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

/* Names that people and clients have given to queues. */
static const char *const nasty_names[] = {
    "a\"b\\c*d?e",
    "c,d=e:f",
    "c,d=e:f*",
    "with space",
    " leading and trailing ",
    "sl/ash",
    "sl_ash",
    "/a",
    "/",
    "exc!am",
    "perc%41",
    "at@sign",
    "\xc3\xbcn\xc3\xaf",
    "\xf0\x9f\x90\xb0",
    "<x>&'",
    "tab\there",
    "new\nline",
    "bell\x07",
    "a.b.c#",
    "k=v",
    "a\",subcomponent=queues,queue=\"b",
};
#define N_NASTY (sizeof nasty_names / sizeof *nasty_names)

/* What a broker has besides, most of it uninvited. */
static const struct {
  const char *name;
  bool is_temporary, is_internal;
} internals[] = {
    {"DLQ", false, false},
    {"ExpiryQueue", false, false},
    {"$sys.mqtt.sessions", false, true},
    {"$.artemis.internal.sf.my-cluster.6f1d2c3b-0000-11f0-9a3e-0242ac110003",
     false, true},
    {"notif.0b7a1f6e-0000-11f0-9a3e-0242ac110002.ActiveMQServerImpl_serverUUID="
     "6f1d2c3b-0000-11f0-9a3e-0242ac110002",
     true, false},
    {"0f3a52b1-7a1c-4a55-9d27-0c5e5a0d3f11", true, false},
};
#define N_INTERNALS (sizeof internals / sizeof *internals)

static char *take(struct text *text) {
  return text->bytes; /* the ends of these are freed by broker_free() */
}

static char *quoted(const char *plain) {
  struct text text = {0};

  name_quote(&text, plain);
  return take(&text);
}

/* A JSON string inside a JSON string. */
static void add_twice(struct text *out, const char *string, bool slashes) {
  struct text once = {0};

  text_quote(&once, string, false);
  text_json(out, once.bytes, once.len, slashes);
  text_free(&once);
}

static void add_column(struct text *out, const char *column,
                       const char *value) {
  text_addz(out, ",");
  add_twice(out, column, false);
  text_addz(out, ":");
  add_twice(out, value, false);
}

static char *row_head(const struct broker *broker, const struct queue *queue,
                      size_t i) {
  struct text out = {0};
  char id[24];

  snprintf(id, sizeof id, "%zu", i + 1);
  text_addz(&out, "{");
  add_twice(&out, "id", false);
  text_addz(&out, ":");
  add_twice(&out, id, false);
  text_addz(&out, ",\\\"name\\\":");
  add_twice(&out, queue->name, broker->slashes);
  text_addz(&out, ",\\\"address\\\":");
  add_twice(&out, queue->address, broker->slashes);
  return take(&out);
}

static char *queue_mbean(const struct broker *broker,
                         const struct queue *queue) {
  struct text plain = {0}, out = {0};

  text_addz(&plain, "address=");
  text_addz(&plain, queue->quoted_address);
  text_addz(&plain, ",broker=");
  text_addz(&plain, broker->quoted);
  text_addz(&plain, ",component=addresses,queue=");
  text_addz(&plain, queue->quoted);
  text_addz(&plain, ",routing-type=\"anycast\",subcomponent=queues");
  text_json(&out, plain.bytes, plain.len, broker->slashes);
  text_free(&plain);
  return take(&out);
}

static char *address_mbean(const struct broker *broker,
                           const struct address *address) {
  struct text plain = {0}, out = {0};

  text_addz(&plain, "address=");
  text_addz(&plain, address->quoted);
  text_addz(&plain, ",broker=");
  text_addz(&plain, broker->quoted);
  text_addz(&plain, ",component=addresses");
  text_json(&out, plain.bytes, plain.len, broker->slashes);
  text_free(&plain);
  return take(&out);
}

static char *numbered(const char *prefix, size_t number) {
  char name[64];

  snprintf(name, sizeof name, "%s%05zu", prefix, number);
  return strdup(name);
}

static char *long_name(char last) {
  char name[301];

  memset(name, 'n', 300);
  name[299] = last;
  name[300] = '\0';
  return strdup(name);
}

static void add_queue(struct broker *broker, char *name, const char *address) {
  struct queue *queue = &broker->queues[broker->n_queues++];

  queue->name = name;
  queue->address = strdup(address != NULL ? address : name);
}

static void add_extra(struct broker *broker, bool nasty, bool internal) {
  if (nasty) {
    for (size_t i = 0; i < N_NASTY; i++)
      add_queue(broker, strdup(nasty_names[i]), NULL);
    add_queue(broker, long_name('a'), NULL);
    add_queue(broker, long_name('b'), NULL);
  }
  for (size_t i = 0; internal && i < N_INTERNALS; i++) {
    add_queue(broker, strdup(internals[i].name), NULL);
    broker->queues[broker->n_queues - 1].is_temporary =
        internals[i].is_temporary;
    broker->queues[broker->n_queues - 1].is_internal = internals[i].is_internal;
  }
}

static void add_named(struct broker *broker, struct json_object *names) {
  for (size_t i = 0; names != NULL && i < json_object_array_length(names); i++)
    add_queue(
        broker,
        strdup(json_object_get_string(json_object_array_get_idx(names, i))),
        NULL);
}

static struct json_object *read_names(const char *file) {
  struct json_object *names = json_object_from_file(file);

  if (names == NULL || !json_object_is_type(names, json_type_array)) {
    fprintf(stderr, "simnode: %s: no JSON array of names\n", file);
    exit(2);
  }
  return names;
}

void broker_build(struct broker *broker, size_t n_queues, size_t n_addresses,
                  bool nasty, bool internal, const char *file) {
  struct json_object *names = file != NULL ? read_names(file) : NULL;
  size_t most = n_queues + N_NASTY + 2 + N_INTERNALS +
                (names != NULL ? json_object_array_length(names) : 0);
  struct text text = {0};

  broker->quoted = quoted(broker->name);
  text_addz(&text, "broker=");
  text_json(&text, broker->quoted, strlen(broker->quoted), broker->slashes);
  broker->mbean = take(&text);
  broker->queues = calloc(most, sizeof *broker->queues);
  broker->addresses = calloc(most + n_addresses, sizeof *broker->addresses);
  if (broker->queues == NULL || broker->addresses == NULL)
    exit(1);
  for (size_t i = 0; i < n_addresses; i++)
    broker->addresses[broker->n_addresses++].name =
        numbered(n_queues > n_addresses ? "sim.address." : "sim.queue.", i + 1);
  for (size_t i = 0; i < n_queues; i++)
    add_queue(broker, numbered("sim.queue.", i + 1),
              n_addresses > 0 ? broker->addresses[i % n_addresses].name : NULL);
  add_extra(broker, nasty, internal);
  add_named(broker, names);
  json_object_put(names);
  for (size_t i = n_queues; i < broker->n_queues; i++)
    broker->addresses[broker->n_addresses++].name =
        strdup(broker->queues[i].address);
  for (size_t i = 0; i < broker->n_addresses; i++) {
    broker->addresses[i].quoted = quoted(broker->addresses[i].name);
    broker->addresses[i].mbean = address_mbean(broker, &broker->addresses[i]);
  }
  for (size_t i = 0; i < broker->n_queues; i++) {
    struct queue *queue = &broker->queues[i];

    queue->quoted = quoted(queue->name);
    queue->quoted_address = quoted(queue->address);
    queue->row_head = row_head(broker, queue, i);
    queue->mbean = queue_mbean(broker, queue);
  }
}

void broker_free(struct broker *broker) {
  for (size_t i = 0; i < broker->n_queues; i++) {
    free(broker->queues[i].name);
    free(broker->queues[i].address);
    free(broker->queues[i].quoted);
    free(broker->queues[i].quoted_address);
    free(broker->queues[i].row_head);
    free(broker->queues[i].mbean);
  }
  for (size_t i = 0; i < broker->n_addresses; i++) {
    free(broker->addresses[i].name);
    free(broker->addresses[i].quoted);
    free(broker->addresses[i].mbean);
  }
  for (size_t i = 0; i < broker->n_presets; i++)
    free(broker->presets[i].object);
  free(broker->presets);
  free(broker->queues);
  free(broker->addresses);
  free(broker->quoted);
  free(broker->mbean);
}

/* The columns of a listing after id, name and address, in the broker's order.
 */
static const struct {
  const char *column;
  const char *attribute; /* whose number it is */
  const char *constant;
  unsigned since;
} columns[] = {
    {"filter", NULL, "", 0},
    {"durable", NULL, "true", 0},
    {"paused", NULL, "false", 0},
    {"temporary", "Temporary", NULL, 0},
    {"purgeOnNoConsumers", NULL, "false", 0},
    {"consumerCount", "ConsumerCount", NULL, 0},
    {"maxConsumers", NULL, "-1", 0},
    {"autoCreated", NULL, "false", 0},
    {"user", NULL, "", 0},
    {"routingType", NULL, "ANYCAST", 0},
    {"messagesAdded", "MessagesAdded", NULL, 0},
    {"messageCount", "MessageCount", NULL, 0},
    {"messagesAcked", "MessagesAcknowledged", NULL, 0},
    {"messagesExpired", "MessagesExpired", NULL, 0},
    {"deliveringCount", "DeliveringCount", NULL, 0},
    {"messagesKilled", "MessagesKilled", NULL, 0},
    {"directDeliver", NULL, "true", 0},
    {"exclusive", NULL, "false", 0},
    {"lastValue", NULL, "false", 0},
    {"lastValueKey", NULL, "", 0},
    {"scheduledCount", "ScheduledCount", NULL, 0},
    {"groupRebalance", NULL, "false", 0},
    {"groupRebalancePauseDispatch", NULL, "false", 0},
    {"groupBuckets", NULL, "-1", 0},
    {"groupFirstKey", NULL, "", 0},
    {"enabled", NULL, "true", 0},
    {"ringSize", NULL, "-1", 0},
    {"consumersBeforeDispatch", NULL, "0", 0},
    {"delayBeforeDispatch", NULL, "-1", 0},
    {"autoDelete", NULL, "false", 2028},
    {"internalQueue", "InternalQueue", NULL, 2034},
};
#define N_COLUMNS (sizeof columns / sizeof *columns)

struct segment { /* what stands before a number, or before the row's end */
  struct text text;
  const char *attribute;
};

/* The rows differ in their heads and numbers alone: the rest is made once. */
static size_t make_segments(struct segment *segments,
                            const struct broker *broker) {
  size_t n = 0;

  for (size_t c = 0; c < N_COLUMNS; c++) {
    struct text *text = &segments[n].text;

    if (columns[c].since > broker->version_number)
      continue;
    if (columns[c].constant != NULL) {
      add_column(text, columns[c].column, columns[c].constant);
      continue;
    }
    text_addz(text, ",\\\"");
    text_addz(text, columns[c].column);
    text_addz(text, "\\\":");
    segments[n++].attribute = columns[c].attribute;
  }
  return n + 1;
}

static const struct preset *find_preset(const struct broker *broker,
                                        const char *object,
                                        const char *attribute) {
  for (size_t i = 0; i < broker->n_presets; i++)
    if (strcmp(broker->presets[i].object, object) == 0 &&
        strcmp(broker->presets[i].attribute, attribute) == 0)
      return &broker->presets[i];
  return NULL;
}

static void add_cell(struct text *out, const struct broker *broker,
                     const struct node *node, size_t i, const char *attribute) {
  const struct queue *queue = &broker->queues[i];
  const struct preset *preset =
      broker->n_presets > 0 ? find_preset(broker, queue->name, attribute)
                            : NULL;

  if (i == 0 && node->hazards.on[H_NULLS]) {
    text_addz(out, "null");
    return;
  }
  text_addz(out, "\\\"");
  if (preset != NULL)
    text_addz(out, preset->json);
  else if (strcmp(attribute, "Temporary") == 0)
    text_addz(out, queue->is_temporary ? "true" : "false");
  else if (strcmp(attribute, "InternalQueue") == 0)
    text_addz(out, queue->is_internal ? "true" : "false");
  else if (i == 0 && node->hazards.on[H_NEGATIVE] &&
           strcmp(attribute, "MessageCount") == 0)
    text_addz(out, "-3");
  else if (i == 0 && node->hazards.on[H_TEXT_NUMBER] &&
           strcmp(attribute, "MessageCount") == 0)
    text_addz(out, "12 messages");
  else
    text_number(out, queue_number(attribute, i, node->tick));
  text_addz(out, "\\\"");
}

static void add_long_column(struct text *out, int64_t len) {
  text_addz(out, ",\\\"description\\\":\\\"");
  for (int64_t i = 0; i < len; i++)
    text_add(out, "x", 1);
  text_addz(out, "\\\"");
}

void broker_listing(struct text *out, const struct broker *broker,
                    const struct node *node) {
  struct segment segments[N_COLUMNS + 1] = {0};
  size_t n_segments = make_segments(segments, broker);
  size_t n = node->hazards.on[H_BACKUP] ? 0 : broker->n_queues;

  text_addz(out, "{\\\"data\\\":[");
  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      text_addz(out, ",");
    text_addz(out, broker->queues[i].row_head);
    if (i == 0 && node->hazards.on[H_LONG_ROW])
      add_long_column(out, node->hazards.value[H_LONG_ROW]);
    for (size_t s = 0; s < n_segments; s++) {
      text_add(out, segments[s].text.bytes, segments[s].text.len);
      if (segments[s].attribute != NULL)
        add_cell(out, broker, node, i, segments[s].attribute);
    }
    text_addz(out, "}");
  }
  text_addz(out, "],\\\"count\\\":");
  text_number(out, (int64_t)n + (node->hazards.on[H_COUNT_DIFFERS] ? 1 : 0));
  text_addz(out, "}");
  for (size_t s = 0; s < n_segments; s++)
    text_free(&segments[s].text);
}

void broker_addresses(struct text *out, const struct broker *broker,
                      const struct node *node) {
  size_t n = node->hazards.on[H_BACKUP] ? 0 : broker->n_addresses;

  text_addz(out, "{\\\"data\\\":[");
  for (size_t i = 0; i < n; i++) {
    text_addz(out, i > 0 ? ",{" : "{");
    text_addz(out, "\\\"id\\\":\\\"");
    text_number(out, (int64_t)i + 1);
    text_addz(out, "\\\"");
    add_column(out, "name", broker->addresses[i].name);
    text_addz(out, "}");
  }
  text_addz(out, "],\\\"count\\\":");
  text_number(out, (int64_t)n);
  text_addz(out, "}");
}
