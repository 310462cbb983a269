/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_VERDICT_H
#define JOLOKIA_VERDICT_H

/* What an error that Jolokia reports means. Private to the reader of replies.
 *
 * Texts are matched in part, never whole: Jolokia 2.5 dropped the class before
 * the message, and one cause is 400 on one version and 500 on another. */

#include "base/status.h"

/* verdict_item(code, error_type, error): the kind of an item's failure. */
enum status verdict_item(int code, const char *error_type, const char *error);

/* verdict_refusal(code, error_type, error, ret): of one object in place of the
 * whole reply: STATUS_DENIED or STATUS_ITEM_ERROR with a text that names the
 * remedy. */
enum status verdict_refusal(int code, const char *error_type, const char *error,
                            struct error *ret);

#endif
