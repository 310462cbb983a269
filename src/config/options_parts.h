/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_OPTIONS_PARTS_H
#define CONFIG_OPTIONS_PARTS_H

/* The table of options in its parts, a file each. Private to options_*.c. */

#include "config/options.h"
#include "config/settings.h"

struct options_part {
  const struct option *list;
  size_t n;
};

extern const struct options_part options_plugin;
extern const struct options_part options_cluster;
extern const struct options_part options_node;
extern const struct options_part options_ceiling;
extern const struct options_part options_objects;
extern const struct options_part options_operator;
extern const struct options_part options_mbean;

/* -- What a row's check may be -- */

const char *options_check_origin(const char *text);
const char *options_check_domain(const char *text);
const char *options_check_username(const char *text);
const char *options_check_node_name(const char *text);
const char *options_check_key_pattern(const char *text); /* "KEY=PATTERN" */

/* -- The field of a row -- */

#define MIB 1048576.0
#define NODE(member)                                                           \
  .offset = offsetof(struct node_settings, member),                            \
  .size = sizeof(((struct node_settings *)0)->member)
#define CLUSTER(member)                                                        \
  .home = HOME_CLUSTER, .offset = offsetof(struct cluster_settings, member),   \
  .size = sizeof(((struct cluster_settings *)0)->member)
#define MBEAN(member)                                                          \
  .home = HOME_MBEAN, .offset = offsetof(struct mbean_settings, member),       \
  .size = sizeof(((struct mbean_settings *)0)->member)
#define VALUE(member)                                                          \
  .home = HOME_VALUE, .offset = offsetof(struct value_settings, member),       \
  .size = sizeof(((struct value_settings *)0)->member)
#define PLUGIN(member)                                                         \
  .home = HOME_PLUGIN, .offset = offsetof(struct settings, member),            \
  .size = sizeof(((struct settings *)0)->member)

#endif
