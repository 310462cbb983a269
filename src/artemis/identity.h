/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_IDENTITY_H
#define ARTEMIS_IDENTITY_H

/* Who answers at a URL: agent, broker, role. Read by one bulk of three items:
 * version, search DOMAIN:broker=*, and a pattern read of the same with named
 * attributes (a pattern read leaves out what an older broker lacks, instead of
 * failing). Of a JVM that is no Artemis broker the version alone: it is started
 * and active where it answers. */

#include "jolokia/reply.h"
#include "jolokia/request.h"

struct identity {
  bool is_known;           /* all below is set */
  char broker_mbean[512];  /* canonical object name of the broker */
  char broker_name[256];   /* plain; cut at 255 bytes */
  char version[32];        /* "2.40.0", "" before it is started */
  unsigned version_number; /* 1000 x major + minor: 2040; 0 unknown */
  char agent[32];          /* Jolokia's "2.1.1" */
  char node_id[64];        /* "" if null */
  char ha_policy[64];
  bool is_started;
  bool is_active;
  bool is_backup;
};

#define IDENTITY_ITEMS 3

struct identity_reader; /* collects one reply */

/* identity_reader_new(jmx_domain): copies the domain; NULL: of a JVM that is no
 * broker. Returns NULL without memory or where it is longer than 400 bytes. */
struct identity_reader *identity_reader_new(const char *jmx_domain);
void identity_reader_free(struct identity_reader *reader); /* NULL is fine */

/* identity_request(reader, ret_operations, ret_specs): the bulk, of
 * IDENTITY_ITEMS, or 1 without a broker, which is returned; both are kept in
 * ${reader} and never change. */
size_t identity_request(struct identity_reader *reader,
                        const struct operation **ret_operations,
                        const struct item_spec **ret_specs);

/* identity_row(), identity_item(): as of struct reply_sink. */
void identity_row(struct identity_reader *reader, size_t item,
                  const struct row *row);
void identity_item(struct identity_reader *reader, size_t item,
                   const struct item_result *result);

/* identity_take(reader, ret, error): what the reply said; resets ${reader}.
 * STATUS_OK; STATUS_NOT_STARTED (the broker answers so; ${ret} may name it
 * yet); STATUS_NOT_FOUND: no broker MBean in this domain (wrong JMXDomain, not
 * yet registered, or hidden by a role: the text says so); STATUS_INVALID:
 * several brokers in one JVM; STATUS_ITEM_DENIED: reading is refused. */
enum status identity_take(struct identity_reader *reader, struct identity *ret,
                          struct error *error);

/* identity_version_number(version): 2040 of "2.40.0", "2.40.0.redhat-1" or
 * "2.40-SNAPSHOT"; 0 where it does not begin with two numbers of at most three
 * digits. */
unsigned identity_version_number(const char *version);

/* identity_not_started(text, len): whether an error's text is the broker's
 * "Broker is not started. It can not be managed yet". */
bool identity_not_started(const char *text, size_t len);

#endif
