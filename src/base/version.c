/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/version.h"

#include "build_config.h"

const char *version_text(void) { return PACKAGE_VERSION; }
