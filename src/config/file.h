/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_FILE_H
#define CONFIG_FILE_H

/* Files that a configuration consists of or names. */

#include "base/status.h"

#include <sys/types.h>

struct file_text {
  char *bytes; /* ${len} bytes and a 0 */
  size_t len;
  mode_t mode;
};

/* file_read(path, max, ret, error): the whole of a regular file, links
 * followed; never waits, whatever ${path} is. To be freed with file_fini(),
 * which wipes it first. STATUS_INVALID with the reason (it may hold a secret,
 * and the text never does), STATUS_NO_MEMORY. */
enum status file_read(const char *path, size_t max, struct file_text *ret,
                      struct error *error);
void file_fini(struct file_text *file);

#endif
