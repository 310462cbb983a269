/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef SUPPORT_ORACLE_H
#define SUPPORT_ORACLE_H

/* json-c's reading of a row, for comparison with ours. It knows no integer
 * beyond 64 bits. Where the form is a listing an object is VALUE_OTHER, else a
 * VALUE_FAULT. */

#include "record.h"

/* oracle_row(record, spec, text, len): adds the row's line as record_row()
 * does; false where json-c refuses ${text}, or it is no object. */
bool oracle_row(struct record *record, const struct item_spec *spec,
                const char *text, size_t len);

#endif
