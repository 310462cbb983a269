/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_KEPT_H
#define CONFIG_KEPT_H

/* The files that options name (passwords, certificates, keys), and what was
 * last good of each: one that is being replaced, or was spoilt, costs nobody
 * the login that worked. On one thread. */

#include "config/file.h"

struct kept;

struct kept *kept_new(void);       /* NULL without memory */
void kept_free(struct kept *kept); /* wipes; NULL is fine */

/* kept_begin(kept, now_ns): the settings are about to be read; each file is
 * read once until kept_end(), which forgets those that nobody asked for. */
void kept_begin(struct kept *kept, int64_t now_ns);
void kept_end(struct kept *kept);

/* kept_is_due(kept, now_ns, ret_due_ns): looks at all files: whether any has
 * another content than was read; as file_watch_look(). */
bool kept_is_due(struct kept *kept, int64_t now_ns, int64_t *ret_due_ns);

/* What is wrong with a content, and what to do; NULL: nothing. */
typedef const char *kept_check(const struct file_text *file);

/* kept_read(kept, path, max, check, ret, why): the file, as file_read(), where
 * ${check} finds nothing wrong with it; a copy, to be freed with file_fini().
 * STATUS_OK with ${why->kind} STATUS_INVALID: it is spoilt, for that reason,
 * and ${ret} is what was good before. STATUS_INVALID: there is none. While it
 * is being written, what was good before, without a word. ${kept} NULL: nothing
 * is kept. STATUS_NO_MEMORY. */
enum status kept_read(struct kept *kept, const char *path, size_t max,
                      kept_check *check, struct file_text *ret,
                      struct error *why);

/* kept_path(kept, i): the path of file number ${i}; NULL past the last. */
const char *kept_path(const struct kept *kept, size_t i);

#endif
