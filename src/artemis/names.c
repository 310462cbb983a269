/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/names.h"

#include "base/hash.h"
#include "base/text.h"

#include <string.h>

#define HASH_DIGITS 16
#define HASH_LEN (1 + HASH_DIGITS) /* "~" and the digits */

static bool is_strict(unsigned char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || byte == '-';
}

static bool is_replaced(enum names_alphabet alphabet, unsigned char byte) {
  if (alphabet == NAMES_STRICT)
    return !is_strict(byte);
  return byte < 0x20 || byte == 0x7f || byte == '/';
}

/* Whether the name ends as a hash does. */
static bool ends_in_hash(const char *name, size_t len) {
  if (len < HASH_LEN || name[len - HASH_LEN] != '~')
    return false;
  for (size_t i = len - HASH_DIGITS; i < len; i++)
    if (!((name[i] >= '0' && name[i] <= '9') ||
          (name[i] >= 'a' && name[i] <= 'f')))
      return false;
  return true;
}

static bool is_plain(enum names_alphabet alphabet, const char *name,
                     size_t len) {
  unsigned char seen = 0;
  if (len == 0 || name[0] == ' ' || name[len - 1] == ' ')
    return false;
  for (size_t i = 0; i < len; i++) {
    unsigned char byte = (unsigned char)name[i];
    if (is_replaced(alphabet, byte))
      return false;
    seen |= byte;
  }
  if (seen >= 0x80 && text_utf8_length(name, len) < len)
    return false;
  return !ends_in_hash(name, len);
}

/* Writes what can be read of the name, at most ${room} bytes. */
static size_t readable(char *dst, size_t room, enum names_alphabet alphabet,
                       const char *name, size_t len) {
  size_t valid = text_utf8_length(name, len); /* from 0 on */
  size_t out = 0;
  for (size_t i = 0; i < len && out < room; i++) {
    bool is_edge_space = name[i] == ' ' && (i == 0 || i == len - 1);
    bool is_broken = i == valid;
    if (is_broken)
      valid = i + 1 + text_utf8_length(name + i + 1, len - i - 1);
    dst[out++] = is_broken || is_edge_space ||
                         is_replaced(alphabet, (unsigned char)name[i])
                     ? '_'
                     : name[i];
  }
  while (out > 0 && text_utf8_length(dst, out) < out)
    out--; /* a character cut in two */
  return out;
}

static size_t add_hash(char *dst, uint64_t hash) {
  static const char digits[] = "0123456789abcdef";
  dst[0] = '~';
  for (size_t i = 0; i < HASH_DIGITS; i++)
    dst[1 + i] = digits[hash >> (60 - 4 * i) & 0xf];
  return HASH_LEN;
}

size_t names_instance(char *dst, size_t size, enum names_alphabet alphabet,
                      const char *prefix, const char *name, size_t len) {
  size_t out = strlen(prefix);
  size_t room = out + 1 + HASH_LEN < size ? size - out - 2 : 0;
  if (room == 0) { /* no place for a name that is told apart */
    if (size > 0)
      dst[0] = '\0';
    return 0;
  }
  memcpy(dst, prefix, out);
  if (out > 0)
    dst[out++] = '-';
  if (len <= room && is_plain(alphabet, name, len)) {
    memcpy(dst + out, name, len);
    out += len;
  } else {
    out += readable(dst + out, room - HASH_LEN, alphabet, name, len);
    out += add_hash(dst + out, hash_bytes(name, len));
  }
  dst[out] = '\0';
  return out;
}

static bool takes(struct names_part *part, const char *prefix) {
  size_t len = strlen(prefix);
  if (part->len < len || memcmp(part->text, prefix, len) != 0)
    return false;
  part->text += len;
  part->len -= len;
  return true;
}

/* The plugins of MBeans' series. */
static bool take_plugin(struct names_part *part, struct names_part *ret) {
  static const char *const plugins[] = {"jmx-", "jvm-", "activemq-"};
  for (size_t i = 0; i < sizeof plugins / sizeof *plugins; i++)
    if (takes(part, plugins[i])) {
      *ret = (struct names_part){plugins[i], strlen(plugins[i]) - 1};
      return true;
    }
  return false;
}

/* Whether it is one: then without the plugin in front of it. */
static bool take_instance(struct names_part *part, struct names_series *ret) {
  struct names_part instance = *part;
  struct names_part plugin = {"", 0};
  if (!take_plugin(&instance, &plugin))
    (void)takes(&instance, "artemis-");
  struct names_part rest = instance;
  bool is_broker = takes(&rest, "broker") && rest.len == 0;
  if (plugin.len > 0
          ? instance.len == 0
          : !is_broker && !takes(&rest, "queue-") && !takes(&rest, "address-"))
    return false;
  ret->plugin = plugin;
  ret->instance = instance;
  return true;
}

/* At the first '-': no type of collectd's has one. */
static void split_type(const struct names_part *part,
                       struct names_series *ret) {
  const char *dash = memchr(part->text, '-', part->len);
  size_t before = dash != NULL ? (size_t)(dash - part->text) : 0;
  ret->type = (struct names_part){part->text, before};
  ret->attribute = *part;
  if (dash != NULL)
    ret->attribute = (struct names_part){dash + 1, part->len - before - 1};
}

bool names_series(const char *text, struct names_series *ret) {
  enum { PARTS = 3 };
  struct names_part parts[PARTS];
  struct names_series series = {{"", 0}, {"", 0}, {"", 0}, {"", 0}, {"", 0}};
  size_t n = 0, at;
  for (const char *from = text;; from++) {
    size_t len = strcspn(from, "/");
    if (n == PARTS)
      return false;
    parts[n++] = (struct names_part){from, len};
    from += len;
    if (*from == '\0')
      break;
  }
  /* A host may be called like an instance, a type is not. */
  at = n > 1 && take_instance(&parts[1], &series) ? 1 : 0;
  if (at == 0 && (n == PARTS || !take_instance(&parts[0], &series)))
    return false;
  if (at == 1)
    series.host = parts[0];
  if (at + 1 < n)
    split_type(&parts[at + 1], &series);
  *ret = series;
  return true;
}
