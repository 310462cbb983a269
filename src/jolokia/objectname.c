/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/objectname.h"

#include "base/hash.h"

#include <string.h>

static enum status refuse(struct error *error, const char *text, size_t len,
                          const char *why) {
  return error_set(error, STATUS_INVALID, "object name \"%.*s\": %s",
                   (int)(len < 200 ? len : 200), text, why);
}

static bool slice_equal(struct objectname_slice a, struct objectname_slice b) {
  return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

static const char *parse_domain(const char *text, size_t len,
                                struct objectname *name) {
  const char *colon = memchr(text, ':', len);
  if (!colon)
    return "no ':' behind the domain; write DOMAIN:KEY=VALUE";
  name->domain.text = text;
  name->domain.len = (size_t)(colon - text);
  for (const char *p = text; p < colon; p++) {
    if (*p == '\n')
      return "a line feed in the domain; remove it";
    if (*p == '@')
      return "an '@' in the domain, which the agent reads as a provider's "
             "name; remove it";
    if (*p == '*' || *p == '?')
      name->is_pattern = true;
  }
  return NULL;
}

/* From *${at} (behind the first '"') to behind the last. */
static const char *parse_quoted(const char **at, const char *end,
                                struct objectname_property *property) {
  const char *p = *at;
  for (; p < end && *p != '"'; p++) {
    if (*p == '\n')
      return "a line feed in a quoted value; write \\n";
    if (*p == '*' || *p == '?')
      property->is_pattern = true;
    if (*p != '\\')
      continue;
    if (++p == end)
      break;
    if (!memchr("\\\"*?n", *p, 5))
      return "an unknown escape in a quoted value; write \\\\ for a backslash";
  }
  if (p == end)
    return "a quoted value without its last '\"'; add it, or write \\\" for a "
           "quote inside";
  if (++p < end && *p != ',')
    return "more text behind a quoted value; write \\\" for a quote inside it";
  *at = p;
  return NULL;
}

static const char *parse_plain(const char **at, const char *end,
                               struct objectname_property *property) {
  const char *p = *at;
  for (; p < end && *p != ','; p++) {
    if (memchr(":=\"\n", *p, 4))
      return "one of : = \" or a line feed in a value; quote this value";
    if (*p == '*' || *p == '?')
      property->is_pattern = true;
  }
  *at = p;
  return NULL;
}

static const char *parse_key(const char **at, const char *end,
                             struct objectname *name,
                             struct objectname_property *property) {
  const char *p = *at;
  for (; p < end && *p != '='; p++)
    if (memchr(",:*?\n", *p, 5))
      return "one of , : * ? or a line feed in a key; write KEY=VALUE, and "
             "quote a value that holds them";
  if (p == end)
    return "a key without '='; write KEY=VALUE";
  property->key.text = *at;
  property->key.len = (size_t)(p - *at);
  if (property->key.len == 0)
    return "an empty key; write KEY=VALUE";
  for (size_t i = 0; i < name->n_properties; i++)
    if (slice_equal(name->properties[i].key, property->key))
      return "a key twice; remove one of the two";
  *at = p + 1;
  return NULL;
}

static const char *parse_property(const char **at, const char *end,
                                  struct objectname *name) {
  struct objectname_property property = {0};
  if (**at == '*' && (*at + 1 == end || (*at)[1] == ',')) {
    if (name->is_list_pattern)
      return "'*' twice among the properties; remove one";
    name->is_list_pattern = name->is_pattern = true;
    ++*at;
    return NULL;
  }
  if (name->n_properties == OBJECTNAME_MAX_KEYS)
    return "more than 32 keys; use fewer";
  const char *why = parse_key(at, end, name, &property);
  if (why)
    return why;
  property.value.text = *at;
  if (*at < end && **at == '"') {
    property.is_quoted = true;
    ++*at;
    why = parse_quoted(at, end, &property);
  } else {
    why = parse_plain(at, end, &property);
  }
  property.value.len = (size_t)(*at - property.value.text);
  name->is_pattern = name->is_pattern || property.is_pattern;
  name->properties[name->n_properties++] = property;
  return why;
}

enum status objectname_parse(const char *text, size_t len,
                             struct objectname *ret, struct error *error) {
  struct objectname name = {0};
  if (memchr(text, '\0', len))
    return refuse(error, text, len, "a NUL byte in it; remove it");
  const char *why = parse_domain(text, len, &name);
  if (why)
    return refuse(error, text, len, why);

  const char *end = text + len;
  const char *at = name.domain.text + name.domain.len + 1;
  if (at == end)
    why = "no property behind the ':'; write DOMAIN:KEY=VALUE";
  while (!why && at < end) {
    why = parse_property(&at, end, &name);
    if (!why && at < end && ++at == end)
      why = "a ',' at the end; remove it";
  }
  if (why)
    return refuse(error, text, len, why);
  *ret = name;
  return STATUS_OK;
}

static const struct objectname_property *
find_property(const struct objectname *name, struct objectname_slice key) {
  for (size_t i = 0; i < name->n_properties; i++)
    if (slice_equal(name->properties[i].key, key))
      return &name->properties[i];
  return NULL;
}

const struct objectname_property *objectname_get(const struct objectname *name,
                                                 const char *key) {
  return find_property(name, (struct objectname_slice){key, strlen(key)});
}

enum status objectname_quote(struct buf *out, const char *text, size_t len) {
  buf_add(out, "\"", 1);
  size_t begin = 0;
  for (size_t i = 0; i < len; i++) {
    if (!memchr("\"*?\\\n", text[i], 5))
      continue;
    char escaped = text[i] == '\n' ? 'n' : text[i];
    buf_add(out, text + begin, i - begin);
    buf_add(out, "\\", 1);
    buf_add(out, &escaped, 1);
    begin = i + 1;
  }
  buf_add(out, text + begin, len - begin);
  return buf_add(out, "\"", 1);
}

enum status objectname_unquote(const struct objectname_property *property,
                               char *dst, size_t size, size_t *ret_len) {
  struct objectname_slice value = property->value;
  size_t len = 0;
  if (property->is_pattern)
    return STATUS_INVALID;
  if (property->is_quoted) {
    value.text++;
    value.len -= 2;
  }
  /* Twice the same walk: ${dst} stays as it was where the value is too long. */
  for (size_t i = 0; i < value.len; i++, len++)
    if (property->is_quoted && value.text[i] == '\\')
      i++;
  if (len >= size)
    return STATUS_INVALID;
  *ret_len = len;
  for (size_t i = 0; i < value.len; i++) {
    bool is_escape = property->is_quoted && value.text[i] == '\\';
    char c = is_escape ? value.text[++i] : value.text[i];
    *dst++ = is_escape && c == 'n' ? '\n' : c;
  }
  *dst = '\0';
  return STATUS_OK;
}

bool objectname_equal(const struct objectname *a, const struct objectname *b) {
  if (a->n_properties != b->n_properties ||
      a->is_list_pattern != b->is_list_pattern ||
      !slice_equal(a->domain, b->domain))
    return false;
  for (size_t i = 0; i < a->n_properties; i++) {
    const struct objectname_property *other =
        find_property(b, a->properties[i].key);
    if (!other || !slice_equal(a->properties[i].value, other->value))
      return false;
  }
  return true;
}

uint64_t objectname_hash(const struct objectname *name) {
  uint64_t hash = hash_bytes(name->domain.text, name->domain.len) +
                  (uint64_t)name->is_list_pattern;
  for (size_t i = 0; i < name->n_properties; i++) {
    const struct objectname_property *property = &name->properties[i];
    uint64_t key = hash_bytes(property->key.text, property->key.len);
    uint64_t both = hash_more(key, "=", 1);
    hash +=
        hash_mix(hash_more(both, property->value.text, property->value.len));
  }
  return hash != 0 ? hash : 1;
}

/* Bytes of the UTF-16 unit that begins here, for '?', which matches one: of a
 * four byte character the first two bytes, then the last two. */
static size_t unit_length(const char *text, const char *end) {
  unsigned char c = (unsigned char)*text;
  size_t len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 2;
  return len <= (size_t)(end - text) ? len : 1;
}

/* Java's: on the text as written, so that in "a\*" the backslash is a
 * character and the '*' still matches anything. */
static bool wildcard_match(struct objectname_slice pattern,
                           struct objectname_slice text) {
  const char *p = pattern.text;
  const char *t = text.text;
  const char *p_end = p + pattern.len;
  const char *t_end = t + text.len;
  const char *star = NULL; /* behind the last '*' */
  const char *star_t = NULL;
  while (p < p_end || t < t_end) {
    if (p < p_end && *p == '*') {
      star = ++p;
      star_t = t;
    } else if (p < p_end && t < t_end && *p == '?') {
      p++;
      t += unit_length(t, t_end);
    } else if (p < p_end && t < t_end && *p == *t) {
      p++;
      t++;
    } else if (star && star_t < t_end) {
      star_t += unit_length(star_t, t_end);
      p = star;
      t = star_t;
    } else {
      return false;
    }
  }
  return true;
}

bool objectname_matches(const struct objectname *pattern,
                        const struct objectname *name) {
  if (!wildcard_match(pattern->domain, name->domain) ||
      (!pattern->is_list_pattern &&
       pattern->n_properties != name->n_properties))
    return false;
  for (size_t i = 0; i < pattern->n_properties; i++) {
    const struct objectname_property *wanted = &pattern->properties[i];
    const struct objectname_property *found = find_property(name, wanted->key);
    if (!found)
      return false;
    if (wanted->is_pattern ? !wildcard_match(wanted->value, found->value)
                           : !slice_equal(wanted->value, found->value))
      return false;
  }
  return true;
}
