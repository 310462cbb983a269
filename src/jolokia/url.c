/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/url.h"

#include "base/num.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

/* A URL cut into its parts, as written. */
struct parts {
  bool is_https;
  const char *authority;
  size_t authority_len;
  const char *host; /* an IPv6 address without its brackets */
  size_t host_len;
  bool is_bracketed;
  const char *port; /* NULL: none was given */
  size_t port_len;
  const char *path;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char upper(char c) {
  return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool is_alnum(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
}

static bool is_unreserved(char c) {
  return is_alnum(c) || (c != '\0' && strchr("-._~", c));
}

/* 0 .. 15, or -1. */
static int hex_digit(char c) {
  if (is_digit(c))
    return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Of "http://" or "https://" at the beginning; 0: neither. */
static size_t scheme_length(const char *text) {
  if (strncasecmp(text, "http://", 7) == 0)
    return 7;
  return strncasecmp(text, "https://", 8) == 0 ? 8 : 0;
}

/* A URL as an error may show it: of what could hold a login or a token, up to
 * the last '@' and from the first '?' or '#' behind it, only the marks. */
struct shown {
  char text[256];
};

static struct shown show(const char *text) {
  struct shown shown;
  const char *rest = text;
  const char *secret_end = strrchr(text, '@');
  for (const char *at = strstr(text, "%40"); at; at = strstr(at + 1, "%40"))
    if (!secret_end || at > secret_end)
      secret_end = at + 2;

  int scheme_len = 0;
  if (secret_end) {
    rest = secret_end + 1;
    scheme_len = (int)scheme_length(text);
  }
  size_t rest_len = strcspn(rest, "?#");
  const char *more = rest[rest_len] != '\0' ? "?..." : "";
  if (rest_len > 160) {
    rest_len = 160;
    more = "...";
  }
  snprintf(shown.text, sizeof(shown.text), "%.*s%s%.*s%s", scheme_len, text,
           secret_end ? "...@" : "", (int)rest_len, rest, more);
  return shown;
}

static enum status refuse(struct error *error, const char *text,
                          const char *why) {
  return error_set(error, STATUS_INVALID, "URL \"%s\": %s", show(text).text,
                   why);
}

static bool is_unwise(char c) {
  return c == '"' || c == '<' || c == '>' || c == '\\' || c == '^' ||
         c == '`' || c == '{' || c == '|' || c == '}';
}

static const char *check_bytes(const char *text) {
  for (const char *p = text; *p; p++) {
    unsigned char c = (unsigned char)*p;
    if (c <= ' ' || c > 126)
      return "a space, a control byte or a byte that is not ASCII; write it "
             "as %XX, and a host in its xn-- form";
    if (is_unwise(*p))
      return "one of \" < > \\ ^ ` { | } stands in it; write it as %XX";
    if (*p != '%')
      continue;
    int high = hex_digit(p[1]);
    int low = high < 0 ? -1 : hex_digit(p[2]);
    if (low < 0)
      return "a '%' without two hexadecimal digits; write a lone '%' as %25";
    if (high == 0 && low == 0)
      return "%00 cannot stand in a path; remove it";
  }
  return NULL;
}

static const char *split_authority(struct parts *parts) {
  const char *begin = parts->authority;
  const char *end = begin + parts->authority_len;
  const char *host_end = NULL;

  parts->host = begin;
  if (begin < end && *begin == '[') {
    parts->is_bracketed = true;
    parts->host = begin + 1;
    host_end = memchr(begin, ']', parts->authority_len);
    if (!host_end)
      return "'[' without ']'; write an IPv6 address as [::1]";
    parts->host_len = (size_t)(host_end++ - parts->host);
  } else {
    host_end = memchr(begin, ':', parts->authority_len);
    if (!host_end)
      host_end = end;
    parts->host_len = (size_t)(host_end - begin);
  }
  if (host_end == end)
    return NULL;
  if (*host_end != ':')
    return "only a port may follow ']'; write [::1]:8161";
  parts->port = host_end + 1;
  parts->port_len = (size_t)(end - parts->port);
  return NULL;
}

/* A password may hold '/', '?' or '#': then the authority ends inside it, and
 * what stands for the port is no number. */
static bool has_login(const struct parts *parts) {
  const char *colon = memchr(parts->authority, ':', parts->authority_len);
  const char *end = parts->authority + parts->authority_len;
  if (memchr(parts->authority, '@', parts->authority_len))
    return true;
  return colon && !parts->is_bracketed && strchr(parts->path, '@') &&
         colon + 1 + strspn(colon + 1, "0123456789") < end;
}

static const char *split(const char *text, struct parts *ret) {
  struct parts parts = {0};
  size_t scheme_len = scheme_length(text);
  if (scheme_len == 0)
    return "it must begin with http:// or https://";
  parts.is_https = scheme_len == 8;
  parts.authority = text + scheme_len;
  parts.authority_len = strcspn(parts.authority, "/?#");
  parts.path = parts.authority + parts.authority_len;

  const char *why = split_authority(&parts);
  if (has_login(&parts))
    return "it holds a user name or password; use Username and PasswordFile";
  if (why)
    return why;
  if (parts.host_len == 0 || (parts.host_len == 1 && parts.host[0] == '.'))
    return "it has no host; write http://HOST:PORT/PATH";
  if (strpbrk(parts.path, "?#"))
    return "it has a query or fragment; remove all from the '?' or '#' on";
  if (*parts.path != '/')
    return "it has no path; Artemis answers at /console/jolokia";
  *ret = parts;
  return NULL;
}

/* The WHATWG rule: a name whose last label is a number is an IPv4 address;
 * libcurl and resolvers read 127.1 and 0x7f000001 as one, too. */
static bool ends_in_number(const char *host) {
  const char *label = strrchr(host, '.');
  label = label ? label + 1 : host;
  if (label[0] == '0' && lower(label[1]) == 'x')
    return label[2 + strspn(label + 2, "0123456789abcdefABCDEF")] == '\0';
  return *label != '\0' && label[strspn(label, "0123456789")] == '\0';
}

static const char *check_host_name(const char *host) {
  static const char empty_label[] = "the host has an empty label before or "
                                    "after a dot; remove the dot";
  char previous = '.';
  for (const char *p = host; *p; p++) {
    if (!is_alnum(*p) && !strchr("-._", *p))
      return "the host holds a byte that no host name has; write a name, an "
             "IPv4 address or an IPv6 address in brackets";
    if (*p == '.' && previous == '.')
      return empty_label;
    previous = *p;
  }
  if (previous == '.')
    return empty_label;
  struct in_addr address;
  if (ends_in_number(host) && inet_pton(AF_INET, host, &address) != 1)
    return "the host ends in a number and is no IPv4 address; write four "
           "decimal numbers, as 127.0.0.1";
  return NULL;
}

/* Fills ${url->host} and says how it stands in the key and is sent. */
static const char *read_host(const struct parts *parts, struct url *url) {
  size_t len = parts->host_len;
  if (len >= sizeof(url->host))
    return "the host is longer than 255 bytes; check it";
  for (size_t i = 0; i < len; i++)
    url->host[i] = lower(parts->host[i]);
  url->host[len] = '\0';

  if (parts->is_bracketed) {
    struct in6_addr address;
    if (inet_pton(AF_INET6, url->host, &address) != 1 ||
        !inet_ntop(AF_INET6, &address, url->host, sizeof(url->host)))
      return "no IPv6 address stands in the brackets; write it as [::1], "
             "without a zone";
    url->is_loopback = IN6_IS_ADDR_LOOPBACK(&address);
    url->is_address = true;
    return NULL;
  }
  if (url->host[len - 1] == '.')
    url->host[--len] = '\0';
  const char *why = check_host_name(url->host);
  if (why)
    return why;
  struct in_addr address;
  static const char localhost[] = ".localhost";
  const size_t localhost_len = sizeof(localhost) - 1;
  url->is_loopback = strcmp(url->host, localhost + 1) == 0 ||
                     (len > localhost_len &&
                      strcmp(url->host + len - localhost_len, localhost) == 0);
  url->is_address = inet_pton(AF_INET, url->host, &address) == 1;
  if (url->is_address)
    url->is_loopback = ntohl(address.s_addr) >> 24 == 127;
  return NULL;
}

static const char *read_port(const struct parts *parts, struct url *url) {
  url->port = parts->is_https ? 443 : 80;
  if (!parts->port)
    return NULL;
  uint64_t port = 0;
  if (!num_uint64(parts->port, parts->port_len, &port) || port < 1 ||
      port > UINT16_MAX)
    return "the port is no number of 1 to 65535; write it in digits, or leave "
           "its ':' out";
  url->port = (uint16_t)port;
  return NULL;
}

/* Escapes in upper case; %2E is always decoded, so that no dot segment hides in
 * it; other unreserved ones where ${decode_all}. Returns the length: never more
 * than the source's. */
static size_t copy_path(char *dst, const char *path, bool decode_all) {
  size_t len = 0;
  for (const char *p = path; *p; p++) {
    if (*p != '%') {
      dst[len++] = *p;
      continue;
    }
    char plain = (char)(hex_digit(p[1]) * 16 + hex_digit(p[2]));
    if (plain == '.' || (decode_all && is_unreserved(plain))) {
      dst[len++] = plain;
    } else {
      dst[len++] = '%';
      dst[len++] = upper(p[1]);
      dst[len++] = upper(p[2]);
    }
    p += 2;
  }
  dst[len] = '\0';
  return len;
}

/* RFC 3986, 5.2.4, on a path that begins with '/', in place. */
static size_t remove_dot_segments(char *path, size_t len) {
  size_t out = 0;
  for (size_t in = 0; in < len;) {
    size_t segment = strcspn(path + in + 1, "/"); /* without its '/' */
    const char *text = path + in + 1;
    bool is_last = in + 1 + segment == len;
    bool is_dot = segment == 1 && text[0] == '.';
    bool is_dots = segment == 2 && text[0] == '.' && text[1] == '.';
    if (is_dots)
      while (out > 0 && path[--out] != '/')
        ;
    if (!is_dot && !is_dots) {
      memmove(path + out, path + in, segment + 1);
      out += segment + 1;
    } else if (is_last) {
      path[out++] = '/';
    }
    in += segment + 1;
  }
  path[out] = '\0';
  return out;
}

/* Not snprintf(): the three calls took half of the time of url_parse(). */
static bool join(char *dst, const struct url *url, const char *host_end,
                 const char *port, const char *path) {
  bool is_ipv6 = strchr(url->host, ':') != NULL;
  const char *const pieces[] = {url->is_https ? "https://" : "http://",
                                is_ipv6 ? "[" : "",
                                url->host,
                                is_ipv6 ? "]" : "",
                                host_end,
                                port,
                                path};
  size_t len = 0;
  for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
    size_t piece_len = strlen(pieces[i]);
    if (piece_len >= URL_MAX - len)
      return false;
    memcpy(dst + len, pieces[i], piece_len);
    len += piece_len;
  }
  dst[len] = '\0';
  return true;
}

static bool write_texts(const struct parts *parts, struct url *url) {
  char path[URL_MAX];
  char port[8];
  size_t len = copy_path(path, parts->path, false);
  remove_dot_segments(path, len);
  snprintf(port, sizeof(port), ":%u", (unsigned)url->port);
  bool has_dot = parts->host[parts->host_len - 1] == '.';
  if (!join(url->text, url, has_dot ? "." : "", parts->port ? port : "", path))
    return false;

  len = copy_path(path, parts->path, true);
  len = remove_dot_segments(path, len);
  if (path[len - 1] == '/')
    path[len - 1] = '\0';
  return join(url->key, url, "", port, path) &&
         join(url->origin, url, "", "", "");
}

enum status url_parse(const char *text, struct url *ret, struct error *error) {
  static const char too_long[] = "longer than 2,047 bytes; check it";
  struct parts parts;
  struct url url = {0};

  if (strnlen(text, URL_MAX) == URL_MAX)
    return error_set(error, STATUS_INVALID, "a URL %s", too_long);
  const char *why = split(text, &parts);
  if (!why)
    why = check_bytes(text);
  if (!why) {
    url.is_https = parts.is_https;
    why = read_host(&parts, &url);
  }
  if (!why)
    why = read_port(&parts, &url);
  if (!why && !write_texts(&parts, &url))
    why = too_long;
  if (why)
    return refuse(error, text, why);
  *ret = url;
  return STATUS_OK;
}
