/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_COLLECTD_TYPE_H
#define ARTEMIS_COLLECTD_TYPE_H

/* The stock types of collectd that a sample may have: gauges and derives, of
 * one data source or more. */

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define COLLECTD_TYPE_SOURCES 4 /* the most that a type has */

struct collectd_type {
  const char *name; /* static: a sample's type is known by its address */
  size_t n;         /* data sources */
  bool is_derive;   /* all of them; else gauges */
};

/* collectd_type_find(name, ret): false where there is none of that name. */
bool collectd_type_find(const char *name, struct collectd_type *ret);

/* collectd_type_check(name, n, error): STATUS_INVALID, with a text, where it is
 * no such type or has not ${n} data sources. */
enum status collectd_type_check(const char *name, size_t n,
                                struct error *error);

#endif
