/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef SCRAPE_RIG_H
#define SCRAPE_RIG_H

/* A scrape with a broker's replies put in, through the reader of replies, and
 * its samples written down. Checks the law of its counts after each round, and
 * every sample's host, plugin, time and interval. */

#include "artemis/scrape.h"
#include "base/buf.h"

#define RIG_HOST "node-a"
#define RIG_DOMAIN "org.apache.activemq.artemis"
#define RIG_BROKER                                                             \
  "org.apache.activemq.artemis:broker=\\\"b\\\"" /* in JSON                    \
                                                  */
#define SECOND INT64_C(1000000000)

struct rig {
  struct scrape *scrape;
  struct scrape_settings settings;
  struct buf samples; /* lines "queue-ORDERS/gauge-MessageCount 3\n"; of another
                         plugin than artemis "jmx/..." */
  size_t n_samples;
  int64_t wall_ns; /* of the round */
  enum tier tier;  /* of the round */
  struct buf body; /* of the last request */
  enum request_kind kind;
};

/* Items of replies. */
#define ROW(name, count)                                                       \
  "{\\\"name\\\":\\\"" name "\\\",\\\"temporary\\\":\\\"false\\\","            \
  "\\\"messageCount\\\":\\\"" count "\\\"}"
#define LISTED(rows, count)                                                    \
  "{\"status\":200,\"value\":\"{\\\"data\\\":[" rows "],\\\"count\\\":" count  \
  "}\"}"
#define ONE LISTED(ROW("q", "3"), "1")
#define FAILED                                                                 \
  "{\"status\":500,\"error_type\":\"java.lang.NullPointerException\","         \
  "\"error\":\"java.lang.NullPointerException\"}"
#define DENIED                                                                 \
  "{\"status\":403,\"error_type\":\"java.lang.Exception\","                    \
  "\"error\":\"Insufficient roles/credentials for operation\"}"
#define NO_MBEAN                                                               \
  "{\"status\":404,\"error_type\":"                                            \
  "\"javax.management.InstanceNotFoundException\",\"error\":\"No MBean\"}"
#define QUEUE_MBEAN(name)                                                      \
  "\"" RIG_BROKER ",component=addresses,address=\\\"a\\\",routing-type="       \
  "\\\"anycast\\\",subcomponent=queues,queue=\\\"" name "\\\"\""
#define ADDRESS_MBEAN(name)                                                    \
  "\"" RIG_BROKER ",component=addresses,address=\\\"" name "\\\"\""
#define READ(members) "{\"status\":200,\"value\":{" members "}}"

/* rig_init(rig): 10 s, 60 s and 300 s; change ${rig->settings} before the first
 * rig_begin(). */
void rig_init(struct rig *rig);
void rig_fini(struct rig *rig);

/* rig_make(rig): the scrape, before the first round; rig_begin() does so where
 * it was not. */
void rig_make(struct rig *rig);

/* rig_begin(rig, tier, seconds): a round begins; the samples of the last one
 * are forgotten. */
void rig_begin(struct rig *rig, enum tier tier, int64_t seconds);

/* rig_reply(rig, json): there is a next request, and this answers it. */
void rig_reply(struct rig *rig, const char *json);

/* rig_break(rig, json, kind): the reply breaks off after this (NULL: nothing),
 * and the request ends as ${kind}. */
void rig_break(struct rig *rig, const char *json, enum status kind);

/* rig_over(rig, outcome): the round has no more request and ended so. */
void rig_over(struct rig *rig, enum status outcome);

/* rig_sample(rig, line): whether this sample was dispatched in the round;
 * ${line} without its line feed. rig_count(rig, part): samples whose line holds
 * ${part}. */
bool rig_sample(const struct rig *rig, const char *line);
size_t rig_count(const struct rig *rig, const char *part);

/* rig_identity(version, active): the reply to an identity request. */
const char *rig_identity(const char *version, bool is_active);

/* rig_fast(before, objects, after): a reply of Active, broker attributes,
 * DiskStoreUsage, ${objects} (an item in JSON), Active; NULL leaves the last
 * two out. Valid until the next call. */
const char *rig_fast(const char *before, const char *objects,
                     const char *after);

/* rig_again(objects): Active, ${objects}, Active. */
const char *rig_again(const char *objects);

/* rig_fixture(version, name): a file of tests/fixtures, to be freed. */
char *rig_fixture(const char *version, const char *name);

#endif
