/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_FIRST 256

void buf_init(struct buf *buf, size_t max_bytes) {
  *buf = (struct buf){.max = max_bytes < SIZE_MAX ? max_bytes : SIZE_MAX - 1};
}

void buf_fini(struct buf *buf) {
  free(buf->data);
  buf_init(buf, buf->max);
}

void buf_wipe(struct buf *buf) {
  if (buf->data)
    explicit_bzero(buf->data, buf->capacity);
  buf_fini(buf);
}

void buf_clear(struct buf *buf) {
  buf->len = 0;
  buf->status = STATUS_OK;
  if (buf->data)
    buf->data[0] = 0;
}

static size_t next_capacity(const struct buf *buf, size_t need) {
  size_t capacity = buf->capacity ? buf->capacity : CAPACITY_FIRST;
  while (capacity < need)
    capacity = capacity > SIZE_MAX / 2 ? need : capacity * 2;
  return capacity > buf->max + 1 ? buf->max + 1 : capacity;
}

/* Makes room for ${len} more bytes and the final 0. Not realloc(): it would
 * leave copies of secrets in freed memory. */
static enum status reserve(struct buf *buf, size_t len) {
  if (buf->status)
    return buf->status;
  if (len > buf->max - buf->len)
    return buf->status = STATUS_REQUEST_TOO_LARGE;
  size_t need = buf->len + len + 1;
  if (need <= buf->capacity)
    return STATUS_OK;
  size_t capacity = next_capacity(buf, need);
  char *data = malloc(capacity);
  if (!data)
    return buf->status = STATUS_NO_MEMORY;
  if (buf->data) {
    memcpy(data, buf->data, buf->len + 1);
    explicit_bzero(buf->data, buf->len);
    free(buf->data);
  } else
    data[0] = 0;
  buf->data = data;
  buf->capacity = capacity;
  return STATUS_OK;
}

enum status buf_add(struct buf *buf, const void *bytes, size_t len) {
  enum status status = reserve(buf, len);
  if (status || len == 0)
    return status;
  memcpy(buf->data + buf->len, bytes, len);
  buf->len += len;
  buf->data[buf->len] = 0;
  return STATUS_OK;
}

enum status buf_add_text(struct buf *buf, const char *text) {
  return buf_add(buf, text, strlen(text));
}

enum status buf_printf(struct buf *buf, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int len = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (len < 0) /* EOVERFLOW or ENOMEM inside the C library */
    return buf->status = buf->status ? buf->status : STATUS_NO_MEMORY;
  enum status status = reserve(buf, (size_t)len);
  if (status)
    return status;
  va_start(args, format);
  vsnprintf(buf->data + buf->len, (size_t)len + 1, format, args);
  va_end(args);
  buf->len += (size_t)len;
  return STATUS_OK;
}

const char *buf_text(const struct buf *buf) {
  return buf->data ? buf->data : "";
}
