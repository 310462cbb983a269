/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef BASE_HASH_H
#define BASE_HASH_H

/* FNV-1a, 64 bits: the same over versions and machines, since names of series
 * and of files hold it. No defence against keys made to collide. Pure. */

#include <stddef.h>
#include <stdint.h>

/* hash_bytes(bytes, len), hash_text(text): of the bytes; up to the NUL. */
uint64_t hash_bytes(const void *bytes, size_t len);
uint64_t hash_text(const char *text);

/* hash_more(hash, bytes, len): goes on from ${hash}, which hash_bytes() or this
 * gave. */
uint64_t hash_more(uint64_t hash, const void *bytes, size_t len);

/* hash_mix(hash): the last bytes of a text move the low bits of FNV alone; in
 * this every bit moves all. What is added up of several needs it: the sums of
 * d:a=1,b=1 and d:a=2,b=2 would be the same. */
uint64_t hash_mix(uint64_t hash);

/* hash_words(bytes, len): the same step over words of 8 bytes, as this machine
 * has them; ${len} is a multiple of 8. One word that is changed always shows.
 */
uint64_t hash_words(const void *bytes, size_t len);

#endif
