/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/pattern.h"
#include "config/options_parts.h"

#include <string.h>
#include <strings.h>

const char *options_check_origin(const char *text) {
  if (strncasecmp(text, "http://", 7) != 0 &&
      strncasecmp(text, "https://", 8) != 0)
    return "is no origin; write SCHEME://HOST, like \"http://localhost\"";
  return strchr(text, ' ') ? "has a space; remove it" : NULL;
}

const char *options_check_domain(const char *text) {
  return strpbrk(text, ":*?")
             ? "has a ':', '*' or '?', which a JMX domain cannot have here; "
               "write it as the broker's broker.xml does"
             : NULL;
}

/* HTTP's Basic scheme ends the user name at the first colon. */
const char *options_check_username(const char *text) {
  return strchr(text, ':') ? "has a ':', which no user name can have; put the "
                             "password in PasswordFile"
                           : NULL;
}

const char *options_check_node_name(const char *text) {
  return strstr(text, "{name}") || strstr(text, "{host}")
             ? NULL
             : "has neither {name} nor {host}, so that all nodes would have "
               "one "
               "name; write \"{name}\", or \"{host}\" for the host of the URL";
}

const char *options_check_key_pattern(const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return "names no key; write \"KEY=PATTERN\"";
  return pattern_error(equals + 1);
}
