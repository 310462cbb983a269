/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CTL_TERMINAL_H
#define CTL_TERMINAL_H

/* Questions to a person. */

#include <stdbool.h>
#include <stddef.h>

/* terminal_is_there(): somebody can be asked: standard input and error are a
 * terminal. */
bool terminal_is_there(void);

/* terminal_wait(fd): until something can be read from ${fd}, or its end. false:
 * a signal to stop, be it one that came before. */
bool terminal_wait(int fd);

/* terminal_ask(question, mark, dst, size): a line, without its end; empty for
 * Enter alone. Control bytes of ${question} but line ends, tabs and colours are
 * shown as '?'. ${mark} (":", " [y/N]") ends the question. Waits for a person.
 * false: the end of input, Ctrl-C, or a line that does not fit. */
bool terminal_ask(const char *question, const char *mark, char *dst,
                  size_t size);

#endif
