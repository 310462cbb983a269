/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CLIENT_PEM_H
#define CLIENT_PEM_H

/* Certificates and keys are read once, when a node is added: no file is read
 * while others wait for the engine, and a mistake is told at once. */

#include "base/buf.h"

#define PEM_MAX (1024 * 1024)

/* pem_read(path, option, ret, error): the file's content into ${ret} (of
 * buf_init()). STATUS_INVALID, naming ${option}, the path and the remedy: not
 * readable, no regular file, more than PEM_MAX bytes, no PEM. STATUS_NO_MEMORY.
 * On failure ${ret} is empty. Blocks as a local file does. */
enum status pem_read(const char *path, const char *option, struct buf *ret,
                     struct error *error);

#endif
