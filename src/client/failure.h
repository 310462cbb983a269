/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_FAILURE_H
#define CLIENT_FAILURE_H

/* What a transfer that brought no Jolokia reply means, by its stable kind, and
 * in words that name the reason and the remedy. Pure. */

#include "client/http.h"

/* failure_of(transfer, ret): of a finished transfer whose outcome is not
 * STATUS_OK or whose HTTP status is not 200. Returns the kind. */
enum status failure_of(const struct transfer *transfer, struct error *ret);

/* failure_is_of_batch(transfer): the request was refused for what it asks
 * (HTTP 413, or 400 in plain words): a part of it may be accepted. */
bool failure_is_of_batch(const struct transfer *transfer);

#endif
