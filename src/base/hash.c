/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/hash.h"

#include <string.h>

/* Offset basis and prime: the FNV authors' reference, 64 bits. */
#define BASIS UINT64_C(0xcbf29ce484222325)
#define PRIME UINT64_C(0x100000001b3)

uint64_t hash_bytes(const void *bytes, size_t len) {
  return hash_more(BASIS, bytes, len);
}

uint64_t hash_more(uint64_t hash, const void *bytes, size_t len) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < len; i++)
    hash = (hash ^ byte[i]) * PRIME;
  return hash;
}

uint64_t hash_mix(uint64_t hash) {
  hash ^= hash >> 33;
  hash *= UINT64_C(0xff51afd7ed558ccd);
  hash ^= hash >> 33;
  return hash;
}

uint64_t hash_text(const char *text) { return hash_bytes(text, strlen(text)); }

uint64_t hash_words(const void *bytes, size_t len) {
  uint64_t hash = BASIS;
  for (size_t at = 0; at + sizeof(uint64_t) <= len; at += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, (const char *)bytes + at, sizeof(word));
    hash = (hash ^ word) * PRIME;
  }
  return hash;
}
