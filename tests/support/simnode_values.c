/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <string.h>

/* A number is base + by_queue x i + by_tick x tick; a literal is its JSON. */
struct row {
  const char *name;
  unsigned since; /* 1000 x major + minor */
  const char *literal;
  int64_t base, by_object, by_tick;
};

static const struct row broker_rows[] = {
    {"ConnectionCount", 0, NULL, 7, 0, 0},
    {"TotalConnectionCount", 0, NULL, 100, 0, 3},
    {"SessionCount", 2040, NULL, 9, 0, 0},
    {"TotalSessionCount", 2040, NULL, 200, 0, 5},
    {"TotalConsumerCount", 0, NULL, 4, 0, 0},
    {"TotalMessageCount", 0, NULL, 5000, 0, 1},
    {"TotalMessagesAdded", 0, NULL, 90000, 0, 10},
    {"TotalMessagesAcknowledged", 0, NULL, 85000, 0, 9},
    {"AddressMemoryUsage", 0, NULL, 1048576, 0, 1024},
    {"AddressMemoryUsagePercentage", 0, NULL, 12, 0, 0},
    {"GlobalMaxSize", 0, NULL, 1073741824, 0, 0},
    {"DiskStoreUsage", 2012, "0.25", 0, 0, 0},
    {"MaxDiskUsage", 0, NULL, 90, 0, 0},
    {"UptimeMillis", 0, NULL, 3600000, 0, 10000},
    {"CurrentTimeMillis", 2031, NULL, 1760000000000, 0, 10000},
    {"AuthenticationSuccessCount", 2034, NULL, 40, 0, 1},
    {"AuthenticationFailureCount", 2034, NULL, 2, 0, 0},
    {"AuthorizationSuccessCount", 2034, NULL, 60, 0, 1},
    {"AuthorizationFailureCount", 2034, NULL, 1, 0, 0},
    {"AuthenticationCacheSize", 2016, NULL, 3, 0, 0},
    {"AuthorizationCacheSize", 2016, NULL, 5, 0, 0},
    {"PendingMirrorAcks", 2040, NULL, 0, 0, 0},
    {"ActivationSequence", 2018, NULL, -1, 0, 0},
    {"Started", 0, "true", 0, 0, 0},
    {"Backup", 0, "false", 0, 0, 0},
    {"ReplicaSync", 0, "false", 0, 0, 0},
    {"Clustered", 0, "false", 0, 0, 0},
    {"SharedStore", 0, "false", 0, 0, 0},
    {"SecurityEnabled", 0, "true", 0, 0, 0},
    {"PersistenceEnabled", 0, "true", 0, 0, 0},
    {"EmbeddedWebServerStarted", 2023, "true", 0, 0, 0},
};

static const struct row address_rows[] = {
    {"AddressSize", 0, NULL, 4096, 1, 64},
    {"AddressLimitPercent", 2020, NULL, 3, 0, 0},
    {"NumberOfPages", 0, NULL, 0, 0, 0},
    {"NumberOfBytesPerPage", 0, NULL, 10485760, 0, 0},
    {"RoutedMessageCount", 0, NULL, 1000, 1, 10},
    {"UnRoutedMessageCount", 0, NULL, 3, 0, 1},
    {"CurrentDuplicateIdCacheSize", 2013, NULL, 0, 0, 0},
    {"Paging", 0, "false", 0, 0, 0},
    {"Paused", 2010, "false", 0, 0, 0},
    {"AutoCreated", 2018, "false", 0, 0, 0},
    {"Internal", 2018, "false", 0, 0, 0},
    {"Temporary", 2018, "false", 0, 0, 0},
};

static const struct row queue_rows[] = {
    {"PersistentSize", 0, NULL, 2048, 16, 0},
    {"DeliveringSize", 0, NULL, 0, 0, 0},
    {"ScheduledSize", 0, NULL, 0, 0, 0},
    {"DurableMessageCount", 0, NULL, 0, 0, 0},
    {"AcknowledgeAttempts", 2008, NULL, 1000, 1, 10},
    {"FirstMessageAge", 0, NULL, 1500, 1, 0},
    {"GroupCount", 0, NULL, 0, 0, 0},
    {"RingSize", 2010, NULL, -1, 0, 0},
    {"MaxConsumers", 0, NULL, -1, 0, 0},
    {"Paused", 0, "false", 0, 0, 0},
    {"Enabled", 2014, "true", 0, 0, 0},
    {"Durable", 0, "true", 0, 0, 0},
    {"Exclusive", 0, "false", 0, 0, 0},
    {"LastValue", 0, "false", 0, 0, 0},
    {"PurgeOnNoConsumers", 0, "false", 0, 0, 0},
    {"ConfigurationManaged", 2007, "false", 0, 0, 0},
    {"RoutingType", 0, "\"ANYCAST\"", 0, 0, 0},
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Added - acknowledged - expired - killed is what is there, always. */
int64_t queue_number(const char *attribute, size_t i, uint64_t tick) {
  int64_t n = (int64_t)i, t = (int64_t)tick;
  int64_t count = n % 100;
  int64_t added = 1000 + n + 10 * t;

  if (strcmp(attribute, "MessageCount") == 0)
    return count;
  if (strcmp(attribute, "MessagesAdded") == 0)
    return added;
  if (strcmp(attribute, "MessagesAcknowledged") == 0)
    return added - count - t;
  if (strcmp(attribute, "MessagesExpired") == 0)
    return t;
  if (strcmp(attribute, "ConsumerCount") == 0)
    return n % 3;
  if (strcmp(attribute, "DeliveringCount") == 0)
    return count < n % 5 ? count : n % 5;
  if (strcmp(attribute, "MessagesKilled") == 0 ||
      strcmp(attribute, "ScheduledCount") == 0)
    return 0;
  return -1;
}

static bool from_rows(struct text *out, const struct row *rows, size_t n,
                      unsigned version, const char *attribute, size_t i,
                      uint64_t tick) {
  for (size_t r = 0; r < n; r++) {
    if (strcmp(rows[r].name, attribute) != 0 || rows[r].since > version)
      continue;
    if (rows[r].literal != NULL)
      text_addz(out, rows[r].literal);
    else
      text_number(out, rows[r].base + rows[r].by_object * (int64_t)i +
                           rows[r].by_tick * (int64_t)tick);
    return true;
  }
  return false;
}

/* Each port and path is a broker of its own, or all are one. */
static void node_id(struct text *out, const struct broker *broker,
                    const struct node *node) {
  bool is_one = broker->one_since_ns != 0;
  char id[64];
  uint32_t hash = 5381;
  for (const char *c = is_one ? "" : node->path; *c; c++)
    hash = hash * 33 + (unsigned char)*c;
  snprintf(id, sizeof(id), "6f1d2c3b-0000-11f0-9a3e-%04x%08x",
           is_one ? 0 : node->port->number, hash);
  text_quote(out, id, broker->slashes);
}

#define HOUR_MS 3600000

static bool broker_attribute(struct text *out, const struct broker *broker,
                             struct node *node, const char *attribute) {
  bool backup = node->hazards.on[H_BACKUP];
  bool old = broker->version_number < 2033;

  if (strcmp(attribute, "Version") == 0)
    text_quote(out, broker->version, broker->slashes);
  else if (strcmp(attribute, "Name") == 0 && broker->version_number >= 2023)
    text_quote(out, broker->name, broker->slashes);
  else if (strcmp(attribute, "NodeID") == 0)
    node_id(out, broker, node);
  else if (strcmp(attribute, "UptimeMillis") == 0 && broker->one_since_ns != 0)
    text_number(out, HOUR_MS + (now_ns() - broker->one_since_ns) / 1000000);
  else if (strcmp(attribute, "HAPolicy") == 0)
    text_quote(out,
               backup ? (old ? "Replica" : "Replication Backup w/quorum voting")
                      : (old ? "Live Only" : "Primary Only"),
               broker->slashes);
  else if (strcmp(attribute, "Active") == 0 && node->hazards.on[H_FLAPPING])
    text_addz(out, node->active_reads++ % 2 == 0 ? "true" : "false");
  else if (strcmp(attribute, "Active") == 0)
    text_addz(out, backup ? "false" : "true");
  else if (strcmp(attribute, "Backup") == 0 && backup)
    text_addz(out, "true");
  else if (strcmp(attribute, "AddressCount") == 0)
    text_number(out, backup ? 0 : (int64_t)broker->n_addresses);
  else if (strcmp(attribute, "QueueCount") == 0)
    text_number(out, backup ? 0 : (int64_t)broker->n_queues);
  else
    return from_rows(out, broker_rows, LENGTH(broker_rows),
                     broker->version_number, attribute, 0, node->tick);
  return true;
}

static bool is_queue_number(const char *attribute) {
  static const char *const names[] = {"MessageCount",         "MessagesAdded",
                                      "MessagesAcknowledged", "MessagesExpired",
                                      "ConsumerCount",        "DeliveringCount",
                                      "MessagesKilled",       "ScheduledCount"};

  for (size_t i = 0; i < LENGTH(names); i++)
    if (strcmp(names[i], attribute) == 0)
      return true;
  return false;
}

static bool queue_attribute(struct text *out, const struct broker *broker,
                            const struct node *node, size_t i,
                            const char *attribute) {
  const struct queue *queue = &broker->queues[i];
  const struct hazards *hazards = &node->hazards;

  if (i == 0 && hazards->on[H_NULLS])
    text_addz(out, "null");
  else if (i == 0 && hazards->on[H_NEGATIVE] &&
           strcmp(attribute, "MessageCount") == 0)
    text_addz(out, "-3");
  else if (i == 0 && hazards->on[H_TEXT_NUMBER] &&
           strcmp(attribute, "MessageCount") == 0)
    text_addz(out, "\"12 messages\"");
  else if (is_queue_number(attribute))
    text_number(out, queue_number(attribute, i, node->tick));
  else if (strcmp(attribute, "Name") == 0)
    text_quote(out, queue->name, broker->slashes);
  else if (strcmp(attribute, "Address") == 0)
    text_quote(out, queue->address, broker->slashes);
  else if (strcmp(attribute, "ID") == 0)
    text_number(out, (int64_t)i + 1);
  else if (strcmp(attribute, "Temporary") == 0)
    text_addz(out, queue->is_temporary ? "true" : "false");
  else if (strcmp(attribute, "InternalQueue") == 0 &&
           broker->version_number >= 2028)
    text_addz(out, queue->is_internal ? "true" : "false");
  else
    return from_rows(out, queue_rows, LENGTH(queue_rows),
                     broker->version_number, attribute, i, node->tick);
  return true;
}

bool broker_value(struct text *out, const struct broker *broker,
                  struct node *node, enum thing thing, size_t i,
                  const char *attribute) {
  static const char *const no_name = "broker";
  const char *object = thing == THING_QUEUE     ? broker->queues[i].name
                       : thing == THING_ADDRESS ? broker->addresses[i].name
                                                : no_name;

  for (size_t p = 0; p < broker->n_presets; p++)
    if (strcmp(broker->presets[p].attribute, attribute) == 0 &&
        strcmp(broker->presets[p].object, object) == 0) {
      text_addz(out, broker->presets[p].json);
      return true;
    }
  if (messages_value(out, thing, i, attribute))
    return true;
  if (thing == THING_QUEUE)
    return queue_attribute(out, broker, node, i, attribute);
  if (thing == THING_ADDRESS)
    return from_rows(out, address_rows, LENGTH(address_rows),
                     broker->version_number, attribute, i, node->tick);
  return broker_attribute(out, broker, node, attribute);
}
