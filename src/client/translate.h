/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_TRANSLATE_H
#define CLIENT_TRANSLATE_H

/* What a node's settings are to the client and to the scrape. Pure. */

#include "client/client.h"
#include "config/settings.h"

/* translate_interval_ns(node, default_interval_ns): the node's interval, or
 * collectd's. */
int64_t translate_interval_ns(const struct node_settings *node,
                              int64_t default_interval_ns);

/* translate_names(node): how its objects' names are spelled. */
enum names_alphabet translate_names(const struct node_settings *node);

/* translate_node(settings, node, default_interval_ns, ret, error): fills
 * ${ret}, whose strings are those of ${node}. Every rate and burst is divided
 * by Instances, rounded down; a burst of one permit, one change is left.
 * STATUS_INVALID: the URL. */
enum status translate_node(const struct settings *settings,
                           const struct node_settings *node,
                           int64_t default_interval_ns,
                           struct node_options *ret, struct error *error);

/* translate_rules: what settings cannot know by themselves. */
extern const struct settings_rules translate_rules;

/* translate_check_url(): of those rules. */
enum status translate_check_url(const char *text, char *ret_key,
                                size_t key_size, bool *ret_is_plaintext,
                                struct error *error);

/* translate_scrape(node, default_interval_ns): likewise for the scrape, with
 * the strings and pattern lists of ${node}. */
struct scrape_settings translate_scrape(const struct node_settings *node,
                                        int64_t default_interval_ns);

/* translate_mbeans(node, scrape, error): adds the node's MBean blocks to its
 * scrape. STATUS_INVALID (the settings were not checked), STATUS_NO_MEMORY. */
enum status translate_mbeans(const struct node_settings *node,
                             struct scrape *scrape, struct error *error);

#endif
