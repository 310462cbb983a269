/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

/* The kinds of failure, their classes, and the error that carries one.
 *
 * A kind's name is a stable string: it stands in metrics, logs and JSON, and is
 * never reworded. STATUS_OK is 0, so that `if (status)` reads as "failed".
 */

#include <stdbool.h>
#include <stddef.h>

enum status {
  STATUS_OK = 0,
  /* class connection */
  STATUS_PERMIT_TIMEOUT,    /* waited for a permit until its deadline */
  STATUS_PERMIT_QUEUE_FULL, /* MaxWaiting jobs wait already */
  STATUS_CONNECT,           /* name, route, port: no connection came about */
  STATUS_TLS,               /* handshake or certificate */
  STATUS_TIMEOUT,           /* sent, and no whole reply by the deadline */
  STATUS_RESET,             /* the connection ended before the reply did */
  /* class stopped */
  STATUS_CANCELLED, /* by its caller */
  STATUS_CLOSING,   /* the client or the node is going away */
  STATUS_HELD,      /* an operator or a refused credential holds the node */
  /* class refused */
  STATUS_AUTH,      /* HTTP 401 or 403 */
  STATUS_DENIED,    /* the agent's policy or Origin check refused the bulk */
  STATUS_THROTTLED, /* HTTP 429 or 503 */
  /* class reply */
  STATUS_NOT_JOLOKIA,       /* HTTP 200, and the body is no Jolokia reply */
  STATUS_HTTP_STATUS,       /* any other HTTP status than 200 */
  STATUS_REPLY_TOO_LARGE,   /* past MaxResponseBytes or MaxObjectBytes */
  STATUS_REQUEST_TOO_LARGE, /* past MaxRequestBytes, or HTTP 413 */
  STATUS_MALFORMED_REPLY,   /* JSON that breaks off or has the wrong shape */
  /* class item: one operation of a bulk failed, its neighbours did not */
  STATUS_NOT_FOUND,
  STATUS_ITEM_DENIED,
  STATUS_NOT_STARTED, /* "Broker is not started. It can not be managed yet" */
  STATUS_BUSY,        /* AMQ229245, the broker's management lock */
  STATUS_ITEM_ERROR,
  /* class local: never about a broker */
  STATUS_INVALID,   /* an argument, a setting, a file */
  STATUS_NO_MEMORY, /* an allocation failed */
  STATUS_COUNT
};

enum status_class {
  CLASS_NONE = 0, /* of STATUS_OK */
  CLASS_CONNECTION,
  CLASS_STOPPED,
  CLASS_REFUSED,
  CLASS_REPLY,
  CLASS_ITEM,
  CLASS_LOCAL,
  CLASS_COUNT
};

/* An error as it travels: the kind for programs, the text for people. The text
 * is one line, names the item, the reason and the remedy, and never a secret.
 */
struct error {
  enum status kind;
  char text[512];
};

/* status_name(kind): the stable string ("permit_timeout"; "ok" for STATUS_OK),
 * static storage; "unknown" for a number that is no kind. */
const char *status_name(enum status kind);

/* status_class_of(kind), status_class_name(class): the class of a kind, and the
 * class's stable string ("connection"), static storage. */
enum status_class status_class_of(enum status kind);
const char *status_class_name(enum status_class class);

/* status_is_ours(kind): true where our own side kept the request back, so that
 * nothing was sent and nothing was learned of the node: such a kind never
 * counts towards a node being down. STATUS_REQUEST_TOO_LARGE does: it may be
 * the server's 413, and where it is not, a node that is never asked must show.
 */
bool status_is_ours(enum status kind);

/* error_set(error, kind, format, ...): fills ${error} (may be NULL: then only
 * the kind is returned). Text that does not fit is cut at a whole UTF-8
 * character; control bytes become '?'. Returns ${kind}, so that a caller can
 * write `return error_set(...)`. */
enum status error_set(struct error *error, enum status kind, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

#endif
