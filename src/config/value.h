/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_VALUE_H
#define CONFIG_VALUE_H

/* From the values of one item to the field of its option. */

#include "config/options.h"
#include "config/settings.h"

/* value_apply(option, item, base, is_first, error): checks the item's values
 * and sets the option's field in ${base}, a struct of its home.
 * Patterns are added to those of an earlier line, unless ${is_first}.
 * STATUS_INVALID: the field is as it was, ${error} has reason and remedy, and
 * never a password. STATUS_NO_MEMORY. Not for sections, clusters, nodes, URLs
 * and what names files with secrets. */
enum status value_apply(const struct option *option,
                        const struct config_item *item, void *base,
                        bool is_first, struct error *error);

/* value_text(item, max, error): the one value of ${item}, a text of 1 to ${max}
 * bytes without control bytes; NULL where it is not that. */
const char *value_text(const struct config_item *item, size_t max,
                       const char *example, struct error *error);

/* value_text_error(text, max): what is wrong with a text that may have ${max}
 * bytes, and what to do; NULL if nothing is. */
const char *value_text_error(const char *text, size_t max);

/* value_name_error(name): what is wrong with the name of a node or a cluster,
 * and what to do; NULL if nothing is. */
const char *value_name_error(const char *name);

#endif
