/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_MBEAN_INSTANCE_H
#define ARTEMIS_MBEAN_INSTANCE_H

/* The plugin instance of an MBean's values, from its object name: "Prefix",
 * "Prefix-Instance" or "Instance".
 *
 * In an Instance "%{KEY}" is the plain value of that key. Where a block has
 * none, it is made of what tells its MBeans apart: of a pattern the keys whose
 * values are patterns, and those that only ",*" stands for, in alphabetic
 * order; of one MBean, if there is no Prefix, all keys. Several are joined by
 * '-'; where one holds a '-' itself, the name gets a hash (names.h), so that
 * two MBeans never share one. */

#include "artemis/names.h"
#include "jolokia/objectname.h"

/* instance_check(pattern, text, error): STATUS_INVALID where ${text} asks for a
 * key that MBeans of ${pattern} do not have, or has a "%{" without its end. */
enum status instance_check(const char *pattern, const char *text,
                           struct error *error);

/* instance_check_apart(pattern, text, error): STATUS_INVALID where ${text},
 * which instance_check() took, may be alike for several MBeans of ${pattern},
 * as it leaves out a key whose value the pattern leaves open. */
enum status instance_check_apart(const char *pattern, const char *text,
                                 struct error *error);

/* instance_write(pattern, alphabet, prefix, text, name, scratch, dst, size):
 * the plugin instance of the MBean ${name}; ${prefix} and ${text} may be NULL;
 * ${size} of SAMPLE_NAME_MAX always suffices. ${scratch} is used up. False
 * where a key that is asked for is missing, or without memory. */
bool instance_write(const struct objectname *pattern,
                    enum names_alphabet alphabet, const char *prefix,
                    const char *text, const struct objectname *name,
                    struct buf *scratch, char *dst, size_t size);

#endif
