/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_BUF_H
#define BASE_BUF_H

/* A growing byte buffer with a mandatory maximum.
 *
 * A failed append leaves the content as it was and is remembered in ${status},
 * so that a builder may append many times and look once. */

#include "base/status.h"

#include <stdarg.h>

struct buf {
  char *data;         /* NULL while empty; ${data[len]} is 0 otherwise */
  size_t len;         /* bytes in use, without the terminating 0 */
  size_t capacity;    /* bytes allocated */
  size_t max;         /* ${len} never passes it */
  enum status status; /* first failure: STATUS_NO_MEMORY or, where it would
                         have passed ${max}, STATUS_REQUEST_TOO_LARGE */
};

/* buf_init(buf, max_bytes): an empty buffer; allocates nothing. */
void buf_init(struct buf *buf, size_t max_bytes);

/* buf_fini(buf): frees; ${buf} is as after buf_init() with its old maximum. */
void buf_fini(struct buf *buf);

/* buf_wipe(buf): overwrites the bytes before it frees them (secrets). */
void buf_wipe(struct buf *buf);

/* buf_clear(buf): empties, keeps the allocation, clears ${status}. */
void buf_clear(struct buf *buf);

/* buf_add(buf, bytes, len), buf_add_text(buf, text), buf_printf(buf, format):
 * append; return and remember the failure. */
enum status buf_add(struct buf *buf, const void *bytes, size_t len);
enum status buf_add_text(struct buf *buf, const char *text);
enum status buf_printf(struct buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* buf_text(buf): the content as a C string, "" while empty; valid until the
 * next change. */
const char *buf_text(const struct buf *buf);

#endif
