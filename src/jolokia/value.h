/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_VALUE_H
#define JOLOKIA_VALUE_H

/* What one JSON value is to us. Private to the reader of replies. */

#include "jolokia/reply.h"

/* value_is_valid_text(text, len): strict UTF-8 without a NUL. */
bool value_is_valid_text(const char *text, size_t len);

/* value_of_text(value, text, len, knows_faults): a string, unescaped: a number
 * or a truth if it reads as one, a fault where a read put one, else text. false
 * if it is no valid text. */
bool value_of_text(struct value *value, const char *text, size_t len,
                   bool knows_faults);

/* value_of_scalar(value, text, len): a number or a word; false if neither. A
 * number beyond every type that we have, or a broken one, is VALUE_OTHER: an
 * error of that attribute, not of its row. */
bool value_of_scalar(struct value *value, const char *text, size_t len);

/* value_of_nested(value, text, len): an object or array. */
void value_of_nested(struct value *value, const char *text, size_t len);

#endif
