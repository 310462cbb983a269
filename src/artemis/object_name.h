/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_OBJECT_NAME_H
#define ARTEMIS_OBJECT_NAME_H

/* The object names of a broker's parts, from its own and their plain names.
 * Each replaces the content of ${out}; the failure is in its status.
 *
 * ${broker}: "DOMAIN:broker=..."; with "DOMAIN:broker=*" they are patterns, for
 * reads alone. ${address}, ${queue}, ${divert}: plain; NULL: any, a pattern. */

#include "base/buf.h"

#include <stddef.h>

void object_name_address(struct buf *out, const char *broker,
                         const char *address);
/* ${routing_type}: "anycast" or "multicast"; NULL: any. */
void object_name_queue(struct buf *out, const char *broker, const char *address,
                       const char *routing_type, const char *queue);
void object_name_divert(struct buf *out, const char *broker,
                        const char *address, const char *divert);

/* object_name_brokers(jmx_domain): "DOMAIN:broker=*", to be freed; NULL: no
 * memory. */
char *object_name_brokers(const char *jmx_domain);

/* object_name_key(name, len, key): the plain value of a key of an object name,
 * to be freed; NULL where there is none, or no memory. */
char *object_name_key(const char *name, size_t len, const char *key);

#endif
