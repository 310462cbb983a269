/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_DOCUMENT_H
#define JOLOKIA_DOCUMENT_H

/* A JSON document that came as a value: the text that an operation answered
 * ("...AsJSON"), or an object in a row of FORM_ROWS. */

#include "jolokia/reply.h"

/* document_read(text, len, spec, sink, error): reads it as an item's value is
 * read: rows to ${sink}, as item 0; sink->item() too. Only plain forms:
 * FORM_MBEAN for an object, FORM_ROWS for an array of objects. STATUS_OK;
 * STATUS_MALFORMED_REPLY (no JSON, or of another shape; rows may have been told
 * before); STATUS_NO_MEMORY. */
enum status document_read(const char *text, size_t len,
                          const struct item_spec *spec,
                          const struct reply_sink *sink, struct error *error);

#endif
