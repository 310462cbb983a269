/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef ARTEMIS_NAMES_H
#define ARTEMIS_NAMES_H

/* Names of objects as parts of collectd identifiers: at most 127 bytes, never
 * two objects on one series. */

#include <stdbool.h>
#include <stddef.h>

/* Which names stay as they are. */
enum names_alphabet {
  NAMES_PLAIN, /* whatever collectd leaves alone: write_graphite still makes one
                  series of "a.b" and "a_b" */
  NAMES_STRICT /* letters, digits, '_' and '-': whatever any writer leaves alone
                */
};

/* names_instance(dst, size, alphabet, prefix, name, len): writes
 * "<prefix>-<name>" ("queue-ORDERS"; without a prefix the name) into ${dst};
 * ${size} of SAMPLE_NAME_MAX always suffices. NAMES_PLAIN: a name stays as it
 * is where collectd leaves it alone. Where it is empty, holds '/' or a control
 * byte, is no UTF-8, ends or begins with a space, or is too long, these are
 * replaced by '_', it is cut at a whole character, and "~" + 16 hexadecimal
 * digits of the full name's hash are added; so that a plain name never looks
 * so, a name that ends like one gets a hash too. NAMES_STRICT: the same for
 * every byte that is none of A-Z, a-z, 0-9, '_' and '-'. Returns the length.
 * Deterministic over versions of this program: FNV-1a, 64 bits (32 bits would
 * bring two of 10,000 queues of one long prefix together once in 86 nodes). */
size_t names_instance(char *dst, size_t size, enum names_alphabet alphabet,
                      const char *prefix, const char *name, size_t len);

/* A series as people write it; each part a slice of the text, "" if it is not
 * there. */
struct names_part {
  const char *text;
  size_t len;
};
struct names_series {
  struct names_part host;
  struct names_part plugin;   /* "jmx", "jvm", "activemq"; "": artemis */
  struct names_part instance; /* "broker", "queue-ORDERS"; of those: any */
  struct names_part type;
  struct names_part attribute; /* the type instance */
};

/* names_series(text, ret): takes [HOST/][artemis-]INSTANCE[/[TYPE-]ATTRIBUTE],
 * or another plugin and its instance: jmx-INSTANCE. False where there is no
 * such instance in it. */
bool names_series(const char *text, struct names_series *ret);

#endif
