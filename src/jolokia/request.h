/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef JOLOKIA_REQUEST_H
#define JOLOKIA_REQUEST_H

/* The body of a bulk request. Everything that could poison a batch is refused
 * here, before a permit is asked for. */

#include "base/buf.h"

#include <stdint.h>

enum operation_type {
  OPERATION_READ,
  OPERATION_WRITE,
  OPERATION_EXEC,
  OPERATION_SEARCH,
  OPERATION_LIST, /* what an MBean has: nothing of it is read */
  OPERATION_VERSION
};

enum argument_type {
  ARGUMENT_TEXT, /* ${text}, a JSON string */
  ARGUMENT_NULL,
  ARGUMENT_INT, /* ${integer} */
  ARGUMENT_BOOL /* ${integer} is 0 or 1 */
};

struct argument {
  enum argument_type type;
  const char *text;
  int64_t integer;
};

/* One Jolokia operation. The strings belong to the caller and must stay as
 * long as the operation is used. */
struct operation {
  enum operation_type type;
  const char *mbean;             /* all but VERSION */
  const char *const *attributes; /* READ: 1 or more, always sent as a list, so
                                    that the value is an object (FORM_MBEAN);
                                    WRITE: exactly 1 */
  size_t n_attributes;
  bool is_all;      /* READ of one MBean, without attributes: all of them */
  const char *name; /* EXEC: with its signature: "f(long)"; LIST: the path */
  const struct argument *arguments; /* EXEC; WRITE: exactly 1, the value */
  size_t n_arguments;
};

/* operation_check(operation, error): STATUS_INVALID for: no mbean, one that
 * does not parse; no attribute or an empty one; all attributes of a pattern; an
 * exec or write on a pattern (from Jolokia 2.4 on it runs on every match); no
 * operation name; an argument text "[null]" or "\"\"" (from Jolokia 2.4 on
 * these become null and empty); text that is no UTF-8. */
enum status operation_check(const struct operation *operation,
                            struct error *error);

/* request_list_path(out, mbean): replaces the content of ${out} by the path of
 * the list of attributes of ${mbean}, whose keys must be in the order in which
 * a search gives them: "DOMAIN/KEYS/attr", with '!' before '!' and '/'. */
enum status request_list_path(struct buf *out, const char *mbean);

/* operation_is_change(operation): a write, or an exec of an operation that is
 * not among those known to change nothing (list..., browse, get...AsJSON,
 * count..., canInvoke, listNetworkTopology): what is unknown is a change. */
bool operation_is_change(const struct operation *operation);

/* request_build(out, operations, n, error): replaces the content of ${out} by
 * the JSON array of the ${n} (1 or more) operations. Reads carry ignoreErrors;
 * all carry includeRequest false and includeStackTrace false. STATUS_INVALID as
 * operation_check(), naming the operation's place; STATUS_REQUEST_TOO_LARGE
 * past the buffer's maximum; STATUS_NO_MEMORY. On failure ${out} is empty. */
enum status request_build(struct buf *out, const struct operation *operations,
                          size_t n, struct error *error);

#endif
