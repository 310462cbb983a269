/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef PLUGIN_OCONFIG_H
#define PLUGIN_OCONFIG_H

/* collectd's configuration tree becomes ours, so that one checker serves the
 * module, jolokiactl and cluster files. */

#include "config/parse.h"

#include <collectd/core/daemon/plugin.h>

/* oconfig_add(parent, source): copies ${source} and all below it into
 * ${parent}. STATUS_NO_MEMORY leaves the rest out. */
enum status oconfig_add(struct config_item *parent,
                        const oconfig_item_t *source);

#endif
