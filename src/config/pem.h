/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_PEM_H
#define CONFIG_PEM_H

/* Certificates and keys are read with the settings: a mistake is told where the
 * option stands, and no file is read while a node is asked. */

#include "config/kept.h"
#include "config/settings.h"

#define PEM_MAX (1024 * 1024)

/* pem_read(kept, path, ret, error): the file's content, links followed, with
 * one user. STATUS_INVALID with reason and remedy: not readable, no regular
 * file, more than PEM_MAX bytes, no PEM in it. STATUS_OK with that in ${error}:
 * what ${kept} (NULL: nothing is kept) has of it. STATUS_NO_MEMORY. Blocks as a
 * local file does. */
enum status pem_read(struct kept *kept, const char *path, struct pem **ret,
                     struct error *error);

/* pem_share(pem): one user more; returns it. pem_put(pem): one less; the last
 * one wipes and frees it. NULL is fine. The users are of one thread. */
struct pem *pem_share(struct pem *pem);
void pem_put(struct pem *pem);

/* pem_is_same(a, b): path and content; either may be NULL. */
bool pem_is_same(const struct pem *a, const struct pem *b);

#endif
