/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

/* A fuzz target: one function in tests/fuzz/fuzz_NAME.c, called with any bytes.
 * It returns 0; a property that does not hold ends the process. Linked with
 * libFuzzer where --enable-fuzzer is given, else with replay.c, which runs the
 * files of tests/fuzz/corpus/NAME in `make check`. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                  \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__,        \
              #condition);                                                     \
      abort();                                                                 \
    }                                                                          \
  } while (0)

#endif
