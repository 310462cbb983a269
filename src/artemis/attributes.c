/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/attributes.h"

#include <string.h>

/* A type's minimum and maximum turn what lies outside into NaN (collectd's
 * uc_update): a value that may be negative, or a percentage that may pass 100,
 * is a plain "gauge". Counters restart with the broker, so each is a DERIVE of
 * minimum 0. What the tests read of types.db is this file's proof. */

#define ROW(st, obj, tr, attr)                                                 \
  .set = (st), .object = (obj), .tier = (tr), .name = (attr)
#define BROKER(attr) ROW(SET_ARTEMIS, OBJECT_BROKER, TIER_FAST, attr)
#define BROKER_SLOW(attr) ROW(SET_ARTEMIS, OBJECT_BROKER, TIER_SLOW, attr)
#define ADDRESS(attr) ROW(SET_ARTEMIS, OBJECT_ADDRESS, TIER_ADDRESS, attr)
#define QUEUE(attr, column)                                                    \
  ROW(SET_ARTEMIS, OBJECT_QUEUE, TIER_FAST, attr), .listing = (column)
#define QUEUE_DETAIL(attr) ROW(SET_DETAIL, OBJECT_QUEUE, TIER_SLOW, attr)
#define ADDRESS_DETAIL(attr) ROW(SET_DETAIL, OBJECT_ADDRESS, TIER_SLOW, attr)
#define MBEAN(st, mb, attr, lbl)                                               \
  ROW(st, OBJECT_MBEAN, TIER_FAST, attr), .mbean = &(mb), .label = (lbl)
#define JVM(mb, attr, lbl) MBEAN(SET_JVM, mb, attr, lbl)
#define CLASSIC(mb, attr) MBEAN(SET_CLASSIC, mb, attr, NULL)
#define GAUGE(t, u) .type = (t), .scale = 1, .unit = (u)
#define DERIVE(t, u) .type = (t), .is_derive = true, .scale = 1, .unit = (u)
#define BOOL .type = "bool", .is_bool = true, .scale = 1, .unit = "0 or 1"
#define SINCE(version, where) .since = (version), .source = (where)

#define BROKER_CONTROL "ActiveMQServerControl"
#define ADDRESS_CONTROL "AddressControl"
#define QUEUE_CONTROL "QueueControl; listQueues"
#define QUEUE_CONTROL_ALONE "QueueControl"
#define MXBEAN SINCE(1008, "java.lang.management, com.sun.management")
#define CLASSIC_BROKER SINCE(5008, "BrokerViewMBean")
#define CLASSIC_DESTINATION SINCE(5008, "DestinationViewMBean")
/* A double that may be NaN: jolokia#934. */
#define ALONE .is_alone = true, .is_unknown_below_0 = true

static const struct attribute_mbean memory = {"java.lang:type=Memory", "jvm",
                                              "memory", NULL, NULL};
static const struct attribute_mbean pools = {"java.lang:type=MemoryPool,name=*",
                                             "jvm", "pool", "%{name}", NULL};
static const struct attribute_mbean threads = {"java.lang:type=Threading",
                                               "jvm", "threads", NULL, NULL};
static const struct attribute_mbean collectors = {
    "java.lang:type=GarbageCollector,name=*", "jvm", "gc", "%{name}", NULL};
static const struct attribute_mbean classes = {"java.lang:type=ClassLoading",
                                               "jvm", "classes", NULL, NULL};
static const struct attribute_mbean runtime = {"java.lang:type=Runtime", "jvm",
                                               "process", NULL, NULL};
static const struct attribute_mbean process = {"java.lang:type=OperatingSystem",
                                               "jvm", "process", NULL, NULL};

#define CLASSIC_DOMAIN "org.apache.activemq:type=Broker,brokerName=*"
static const struct attribute_mbean classic_broker = {
    CLASSIC_DOMAIN, "activemq", "broker", "%{brokerName}", NULL};
static const struct attribute_mbean classic_queue = {
    CLASSIC_DOMAIN ",destinationType=Queue,destinationName=*", "activemq",
    "queue", "%{destinationName}", "destinationName"};
static const struct attribute_mbean classic_topic = {
    CLASSIC_DOMAIN ",destinationType=Topic,destinationName=*", "activemq",
    "topic", "%{destinationName}", "destinationName"};

/* A destination of ActiveMQ Classic: a queue or a topic. */
#define DESTINATION(mb)                                                        \
  {CLASSIC(mb, "ConsumerCount"), GAUGE("count", "consumers"),                  \
   CLASSIC_DESTINATION},                                                       \
      {CLASSIC(mb, "ProducerCount"), GAUGE("count", "producers"),              \
       CLASSIC_DESTINATION},                                                   \
      {CLASSIC(mb, "EnqueueCount"), DERIVE("derive", "messages"),              \
       CLASSIC_DESTINATION},                                                   \
      {CLASSIC(mb, "DequeueCount"), DERIVE("derive", "messages"),              \
       CLASSIC_DESTINATION},                                                   \
      {CLASSIC(mb, "DispatchCount"), DERIVE("derive", "messages"),             \
       CLASSIC_DESTINATION},                                                   \
      {CLASSIC(mb, "ExpiredCount"), DERIVE("derive", "messages"),              \
       CLASSIC_DESTINATION},                                                   \
      {CLASSIC(mb, "InFlightCount"), GAUGE("gauge", "messages"),               \
       CLASSIC_DESTINATION},                                                   \
  {                                                                            \
    CLASSIC(mb, "MemoryPercentUsage"), GAUGE("gauge", "%, may pass 100"),      \
        CLASSIC_DESTINATION                                                    \
  }

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
    /* Of the queues that Keep names: see kept_sums.h. */
    {BROKER("DeadLetterMessages"), GAUGE("gauge", "messages"), .is_sum = true,
     .cost = "none", SINCE(2006, QUEUE_CONTROL)},
    {BROKER("ExpiredMessages"), GAUGE("gauge", "messages"), .is_sum = true,
     .cost = "none", SINCE(2006, QUEUE_CONTROL)},

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

    /* -1 where the broker fails to get at the address' pages. */
    {ADDRESS("AddressSize"), GAUGE("gauge", "bytes"), .is_failed_below_0 = true,
     SINCE(2006, ADDRESS_CONTROL)},
    {ADDRESS("NumberOfPages"), GAUGE("gauge", "pages"),
     .is_failed_below_0 = true, SINCE(2006, ADDRESS_CONTROL)},
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

    {QUEUE_DETAIL("PersistentSize"), GAUGE("gauge", "bytes"),
     SINCE(2006, QUEUE_CONTROL_ALONE)},
    {QUEUE_DETAIL("DeliveringSize"), GAUGE("gauge", "bytes"),
     SINCE(2006, QUEUE_CONTROL_ALONE)},
    {QUEUE_DETAIL("ScheduledSize"), GAUGE("gauge", "bytes"),
     SINCE(2006, QUEUE_CONTROL_ALONE)},
    {QUEUE_DETAIL("DurableMessageCount"), GAUGE("gauge", "messages"),
     SINCE(2006, QUEUE_CONTROL_ALONE)},
    {QUEUE_DETAIL("AcknowledgeAttempts"), DERIVE("derive", "messages"),
     SINCE(2008, QUEUE_CONTROL_ALONE)},
    {QUEUE_DETAIL("GroupCount"), GAUGE("count", "groups"),
     SINCE(2006, QUEUE_CONTROL_ALONE)},
    /* Fails on 2.18.0 for a message that STOMP has sent. */
    {QUEUE_DETAIL("FirstMessageAge"), .type = "duration", .is_alone = true,
     .scale = 0.001, .unit = "seconds",
     .cost = "the whole first message is read",
     SINCE(2006, QUEUE_CONTROL_ALONE)},

    {ADDRESS_DETAIL("NumberOfBytesPerPage"), GAUGE("gauge", "bytes"),
     SINCE(2006, ADDRESS_CONTROL)},
    {ADDRESS_DETAIL("CurrentDuplicateIdCacheSize"),
     GAUGE("cache_size", "entries"), SINCE(2013, ADDRESS_CONTROL)},
    {ADDRESS_DETAIL("Paused"), BOOL, SINCE(2010, ADDRESS_CONTROL)},

    {JVM(memory, "HeapMemoryUsage/used", "heap_used"), GAUGE("bytes", "bytes"),
     MXBEAN},
    {JVM(memory, "HeapMemoryUsage/committed", "heap_committed"),
     GAUGE("bytes", "bytes"), MXBEAN},
    {JVM(memory, "HeapMemoryUsage/max", "heap_max"), GAUGE("bytes", "bytes"),
     .is_unknown_below_0 = true, MXBEAN},
    {JVM(memory, "NonHeapMemoryUsage/used", "nonheap_used"),
     GAUGE("bytes", "bytes"), MXBEAN},
    {JVM(memory, "NonHeapMemoryUsage/committed", "nonheap_committed"),
     GAUGE("bytes", "bytes"), MXBEAN},
    {JVM(memory, "ObjectPendingFinalizationCount", "pending_finalization"),
     GAUGE("count", "objects"), MXBEAN},
    {JVM(pools, "Usage/used", "used"), GAUGE("bytes", "bytes"), MXBEAN},
    {JVM(pools, "Usage/max", "max"), GAUGE("bytes", "bytes"),
     .is_unknown_below_0 = true, MXBEAN},
    /* null where a pool is not collected. */
    {JVM(pools, "CollectionUsage/used", "used_after_gc"),
     GAUGE("bytes", "bytes"), MXBEAN},
    {JVM(threads, "ThreadCount", "live"), GAUGE("threads", "threads"), MXBEAN},
    {JVM(threads, "DaemonThreadCount", "daemon"), GAUGE("threads", "threads"),
     MXBEAN},
    {JVM(threads, "PeakThreadCount", "peak"), GAUGE("threads", "threads"),
     MXBEAN},
    {JVM(threads, "TotalStartedThreadCount", "started"),
     DERIVE("total_threads", "threads"), MXBEAN},
    {JVM(collectors, "CollectionCount", "collections"),
     DERIVE("invocations", "collections"), .is_unknown_below_0 = true, MXBEAN},
    {JVM(collectors, "CollectionTime", "time"),
     DERIVE("total_time_in_ms", "milliseconds"), .is_unknown_below_0 = true,
     MXBEAN},
    {JVM(classes, "LoadedClassCount", "loaded"), GAUGE("count", "classes"),
     MXBEAN},
    {JVM(classes, "TotalLoadedClassCount", "total_loaded"),
     DERIVE("total_objects", "classes"), MXBEAN},
    {JVM(classes, "UnloadedClassCount", "total_unloaded"),
     DERIVE("total_objects", "classes"), MXBEAN},
    {JVM(runtime, "Uptime", "uptime"), .type = "uptime", .scale = 0.001,
     .unit = "seconds", MXBEAN},
    {JVM(process, "OpenFileDescriptorCount", "open_files"),
     GAUGE("gauge", "descriptors"), MXBEAN},
    {JVM(process, "MaxFileDescriptorCount", "max_files"),
     GAUGE("gauge", "descriptors"), MXBEAN},
    {JVM(process, "ProcessCpuTime", "cpu_time"), .type = "total_time_in_ms",
     .is_derive = true, .is_unknown_below_0 = true, .scale = 0.000001,
     .unit = "milliseconds", MXBEAN},
    {JVM(process, "ProcessCpuLoad", "cpu_load"), .type = "percent",
     .scale = 100, .unit = "% of all processors", ALONE, MXBEAN},
    {JVM(process, "SystemCpuLoad", "system_cpu_load"), .type = "percent",
     .scale = 100, .unit = "% of all processors", ALONE, MXBEAN},
    {JVM(process, "SystemLoadAverage", "system_load"),
     GAUGE("gauge", "processes"), ALONE, MXBEAN},

    {CLASSIC(classic_broker, "TotalMessageCount"), GAUGE("gauge", "messages"),
     CLASSIC_BROKER},
    {CLASSIC(classic_broker, "TotalConsumerCount"), GAUGE("count", "consumers"),
     CLASSIC_BROKER},
    {CLASSIC(classic_broker, "TotalProducerCount"), GAUGE("count", "producers"),
     CLASSIC_BROKER},
    {CLASSIC(classic_broker, "TotalEnqueueCount"), DERIVE("derive", "messages"),
     CLASSIC_BROKER},
    {CLASSIC(classic_broker, "TotalDequeueCount"), DERIVE("derive", "messages"),
     CLASSIC_BROKER},
    {CLASSIC(classic_broker, "CurrentConnectionsCount"),
     GAUGE("current_connections", "connections"), CLASSIC_BROKER},
    {CLASSIC(classic_broker, "TotalConnectionsCount"),
     DERIVE("total_connections", "connections"), CLASSIC_BROKER},
    {CLASSIC(classic_broker, "MemoryPercentUsage"),
     GAUGE("gauge", "%, may pass 100"), CLASSIC_BROKER},
    {CLASSIC(classic_broker, "StorePercentUsage"),
     GAUGE("gauge", "%, may pass 100"), CLASSIC_BROKER},
    {CLASSIC(classic_broker, "TempPercentUsage"),
     GAUGE("gauge", "%, may pass 100"), CLASSIC_BROKER},
    {CLASSIC(classic_queue, "QueueSize"), GAUGE("gauge", "messages"),
     CLASSIC_DESTINATION},
    DESTINATION(classic_queue),
    DESTINATION(classic_topic),
};

#define TABLE_N (sizeof table / sizeof table[0])

const struct attribute *attributes(size_t *ret_n) {
  *ret_n = TABLE_N;
  return table;
}

size_t attributes_of(enum object object, enum tier tier, unsigned sets,
                     unsigned version, const struct attribute **ret) {
  size_t n = 0;
  for (size_t i = 0; i < TABLE_N && n < ATTRIBUTES_MAX; i++) {
    const struct attribute *attribute = &table[i];
    if (attribute->object == object && attribute->tier == tier &&
        (attribute->set & sets) != 0 && !attribute->is_sum &&
        (version == 0 || attribute->since <= version))
      ret[n++] = attribute;
  }
  return n;
}

const char *attribute_label(const struct attribute *attribute) {
  return attribute->label ? attribute->label : attribute->name;
}

const char set_names[] =
    "\"artemis\", \"artemis-detail\", \"jvm\", \"classic\"";

static const struct {
  const char *name;
  enum set set;
  unsigned sets;
} sets[] = {{"artemis", SET_ARTEMIS, SET_ARTEMIS},
            {"artemis-detail", SET_DETAIL, SET_ARTEMIS | SET_DETAIL},
            {"jvm", SET_JVM, SET_JVM},
            {"classic", SET_CLASSIC, SET_CLASSIC}};

unsigned set_find(const char *name) {
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
    if (strcmp(sets[i].name, name) == 0)
      return sets[i].sets;
  return 0;
}

const char *set_name(enum set set) {
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
    if (sets[i].set == set)
      return sets[i].name;
  return "unknown";
}

const char *object_name(enum object object) {
  static const char *const names[] = {
      [OBJECT_BROKER] = "broker",
      [OBJECT_ADDRESS] = "address",
      [OBJECT_QUEUE] = "queue",
      [OBJECT_MBEAN] = "mbean",
  };
  return names[object];
}
