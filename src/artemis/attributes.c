/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/attributes.h"

/* A type's minimum and maximum turn what lies outside into NaN (collectd's
 * uc_update): a value that may be negative, or a percentage that may pass 100,
 * is a plain "gauge". Counters restart with the broker, so each is a DERIVE of
 * minimum 0. What the tests read of types.db is this file's proof. */

#define ROW(obj, tr, attr) .object = (obj), .tier = (tr), .name = (attr)
#define BROKER(attr) ROW(OBJECT_BROKER, TIER_FAST, attr)
#define BROKER_SLOW(attr) ROW(OBJECT_BROKER, TIER_SLOW, attr)
#define ADDRESS(attr) ROW(OBJECT_ADDRESS, TIER_ADDRESS, attr)
#define QUEUE(attr, column)                                                    \
  ROW(OBJECT_QUEUE, TIER_FAST, attr), .listing = (column)
#define GAUGE(t, u) .type = (t), .scale = 1, .unit = (u)
#define DERIVE(t, u) .type = (t), .is_derive = true, .scale = 1, .unit = (u)
#define BOOL .type = "bool", .is_bool = true, .scale = 1, .unit = "0 or 1"
#define SINCE(version, where) .since = (version), .source = (where)

#define BROKER_CONTROL "ActiveMQServerControl"
#define ADDRESS_CONTROL "AddressControl"
#define QUEUE_CONTROL "QueueControl; listQueues"

static const struct attribute table[] = {
    {BROKER("Active"), BOOL, SINCE(2015, BROKER_CONTROL)},
    {BROKER("Backup"), BOOL, SINCE(2006, BROKER_CONTROL)},
    {BROKER("ReplicaSync"), BOOL, SINCE(2006, BROKER_CONTROL)},
    {BROKER("Started"), BOOL, SINCE(2006, BROKER_CONTROL)},
    {BROKER("UptimeMillis"), .type = "uptime", .scale = 0.001,
     .unit = "seconds", SINCE(2006, BROKER_CONTROL)},
    {BROKER("ConnectionCount"), GAUGE("current_connections", "connections"),
     SINCE(2006, BROKER_CONTROL)},
    {BROKER("TotalConnectionCount"), DERIVE("total_connections", "connections"),
     SINCE(2006, BROKER_CONTROL)},
    {BROKER("SessionCount"), GAUGE("current_sessions", "sessions"),
     SINCE(2040, BROKER_CONTROL)},
    {BROKER("TotalSessionCount"), DERIVE("total_sessions", "sessions"),
     SINCE(2040, BROKER_CONTROL)},
    {BROKER("AddressMemoryUsage"), GAUGE("gauge", "bytes"),
     SINCE(2006, BROKER_CONTROL)},
    {BROKER("AddressMemoryUsagePercentage"), GAUGE("gauge", "%, may pass 100"),
     SINCE(2006, BROKER_CONTROL)},
    {BROKER("AddressCount"), GAUGE("count", "addresses"),
     SINCE(2017, BROKER_CONTROL)},
    {BROKER("QueueCount"), GAUGE("count", "queues"),
     SINCE(2017, BROKER_CONTROL)},
    {BROKER("AuthenticationSuccessCount"), DERIVE("total_events", "logins"),
     SINCE(2034, BROKER_CONTROL)},
    {BROKER("AuthenticationFailureCount"), DERIVE("total_events", "logins"),
     SINCE(2034, BROKER_CONTROL)},
    {BROKER("AuthorizationSuccessCount"), DERIVE("total_events", "checks"),
     SINCE(2034, BROKER_CONTROL)},
    {BROKER("AuthorizationFailureCount"), DERIVE("total_events", "checks"),
     SINCE(2034, BROKER_CONTROL)},
    {BROKER("PendingMirrorAcks"), GAUGE("gauge", "messages"),
     SINCE(2040, BROKER_CONTROL)},
    /* A fraction since 2.14 (bytes before); -1 where the disk is unknown. */
    {BROKER("DiskStoreUsage"), .type = "percent", .is_alone = true,
     .is_unknown_below_0 = true, .scale = 100, .unit = "%",
     SINCE(2014, BROKER_CONTROL)},

    {QUEUE("MessageCount", "messageCount"), GAUGE("gauge", "messages"),
     SINCE(2006, QUEUE_CONTROL)},
    {QUEUE("ConsumerCount", "consumerCount"), GAUGE("count", "consumers"),
     SINCE(2006, QUEUE_CONTROL)},
    {QUEUE("DeliveringCount", "deliveringCount"), GAUGE("gauge", "messages"),
     SINCE(2006, QUEUE_CONTROL)},
    {QUEUE("ScheduledCount", "scheduledCount"), GAUGE("gauge", "messages"),
     SINCE(2006, QUEUE_CONTROL)},
    {QUEUE("MessagesAdded", "messagesAdded"), DERIVE("derive", "messages"),
     SINCE(2006, QUEUE_CONTROL)},
    {QUEUE("MessagesAcknowledged", "messagesAcked"),
     DERIVE("derive", "messages"), SINCE(2006, QUEUE_CONTROL)},
    {QUEUE("MessagesExpired", "messagesExpired"), DERIVE("derive", "messages"),
     SINCE(2006, QUEUE_CONTROL)},
    {QUEUE("MessagesKilled", "messagesKilled"), DERIVE("derive", "messages"),
     SINCE(2006, QUEUE_CONTROL)},
    {QUEUE("Paused", "paused"), BOOL, SINCE(2006, QUEUE_CONTROL)},
    {QUEUE("Enabled", "enabled"), BOOL, SINCE(2014, QUEUE_CONTROL)},

    {ADDRESS("AddressSize"), GAUGE("gauge", "bytes"),
     SINCE(2006, ADDRESS_CONTROL)},
    {ADDRESS("NumberOfPages"), GAUGE("gauge", "pages"),
     SINCE(2006, ADDRESS_CONTROL)},
    {ADDRESS("Paging"), BOOL, SINCE(2006, ADDRESS_CONTROL)},
    {ADDRESS("AddressLimitPercent"), GAUGE("gauge", "%, may pass 100"),
     SINCE(2020, ADDRESS_CONTROL)},
    {ADDRESS("RoutedMessageCount"), DERIVE("derive", "messages"),
     SINCE(2006, ADDRESS_CONTROL)},
    {ADDRESS("UnRoutedMessageCount"), DERIVE("derive", "messages"),
     SINCE(2006, ADDRESS_CONTROL)},

    {BROKER_SLOW("GlobalMaxSize"), GAUGE("gauge", "bytes"),
     SINCE(2006, BROKER_CONTROL)},
    {BROKER_SLOW("MaxDiskUsage"), GAUGE("gauge", "%"),
     SINCE(2006, BROKER_CONTROL)},
    {BROKER_SLOW("AuthenticationCacheSize"), GAUGE("cache_size", "entries"),
     SINCE(2016, BROKER_CONTROL)},
    {BROKER_SLOW("AuthorizationCacheSize"), GAUGE("cache_size", "entries"),
     SINCE(2016, BROKER_CONTROL)},
    {BROKER_SLOW("ActivationSequence"), GAUGE("gauge", "activations"),
     SINCE(2018, BROKER_CONTROL)},
};

#define TABLE_N (sizeof table / sizeof table[0])

const struct attribute *attributes(size_t *ret_n) {
  *ret_n = TABLE_N;
  return table;
}

size_t attributes_of(enum object object, enum tier tier, unsigned version,
                     const struct attribute **ret) {
  size_t n = 0;
  for (size_t i = 0; i < TABLE_N && n < ATTRIBUTES_MAX; i++) {
    const struct attribute *attribute = &table[i];
    if (attribute->object == object && attribute->tier == tier &&
        (version == 0 || attribute->since <= version))
      ret[n++] = attribute;
  }
  return n;
}

const char *object_name(enum object object) {
  static const char *const names[] = {
      [OBJECT_BROKER] = "broker",
      [OBJECT_ADDRESS] = "address",
      [OBJECT_QUEUE] = "queue",
  };
  return names[object];
}

const char *tier_name(enum tier tier) {
  static const char *const names[TIER_COUNT] = {
      [TIER_FAST] = "fast",
      [TIER_ADDRESS] = "address",
      [TIER_SLOW] = "slow",
  };
  return tier < TIER_COUNT ? names[tier] : "unknown";
}
