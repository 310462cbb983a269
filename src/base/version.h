/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

/* version_text(): this package's version ("0.1.0"), static storage. The only
 * user of the build's own config header: collectd's headers bring another one
 * with the same macro names. */
const char *version_text(void);

#endif
