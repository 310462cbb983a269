/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include <collectd/core/daemon/plugin.h>

__attribute__((visibility("default"))) void module_register(void) {}
