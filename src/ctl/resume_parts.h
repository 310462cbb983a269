/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_RESUME_PARTS_H
#define CTL_RESUME_PARTS_H

/* What the resume file's two halves share: marks and lines (resume.c), making
 * and reading a file (resume_file.c). Private to them. */

#include "ctl/resume.h"

#include <inttypes.h>

/* The first line, of one length always: how long the file is known to be, and
 * the check of that. */
#define RESUME_FIRST "jolokiactl resume file 2 "
#define RESUME_FIRST_LEN (sizeof(RESUME_FIRST) - 1 + 20 + RESUME_CHECK_LEN + 1)
#define RESUME_CHECK_LEN 18 /* " #0123456789abcdef" */

/* resume_first_line(dst, len): writes it, and a 0. */
void resume_first_line(char dst[static RESUME_FIRST_LEN + 1], uint64_t len);

/* resume_begin(resume): empty; no file. */
void resume_begin(struct resume *resume);

/* resume_make_states(resume, error): all ids are to do. */
enum status resume_make_states(struct resume *resume, struct error *error);

/* resume_is_letter(letter): whether lines begin with it. resume_set(resume, i,
 * letter, reason): what such a line says of id number ${i}, in memory. */
bool resume_is_letter(char letter);
void resume_set(struct resume *resume, size_t i, char letter,
                const char *reason);

/* resume_close_line(out, from, check): the check behind the line that begins at
 * ${from}, over all before and it. */
void resume_close_line(struct buf *out, size_t from, uint64_t *check);

/* resume_write(fd, bytes, len, at): false: not all, see errno. */
bool resume_write(int fd, const char *bytes, size_t len, uint64_t at);

/* resume_cannot(resume, what, error): by errno. */
enum status resume_cannot(const struct resume *resume, const char *what,
                          struct error *error);

#endif
