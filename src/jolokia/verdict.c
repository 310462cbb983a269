/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "jolokia/verdict.h"

#include <string.h>

static bool has(const char *text, const char *part) {
  return strstr(text, part) != NULL;
}

enum status verdict_item(int code, const char *error_type, const char *error) {
  if (has(error, "AMQ229245"))
    return STATUS_BUSY;
  if (has(error, "not started") && (has(error_type, "IllegalStateException") ||
                                    has(error, "IllegalStateException")))
    return STATUS_NOT_STARTED;
  if (code == 404)
    return STATUS_NOT_FOUND;
  return code == 403 ? STATUS_ITEM_DENIED : STATUS_ITEM_ERROR;
}

static const char *remedy(const char *error) {
  static const struct {
    const char *part;
    const char *remedy;
  } remedies[] = {
      {"Secure origin",
       "set Origin to the http:// form (\"http://localhost\" for a broker made "
       "with default settings): TLS ends before the broker"},
      {"rigin ", "set Origin \"http://localhost\", or what allow-origin in the "
                 "broker's jolokia-access.xml names"},
      {"No access from client",
       "let this host in: <remote> in the broker's jolokia-access.xml"},
      {"method post is not allowed",
       "allow POST: <http> in the broker's jolokia-access.xml"},
  };
  for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++)
    if (has(error, remedies[i].part))
      return remedies[i].remedy;
  return "look at the broker's jolokia-access.xml";
}

enum status verdict_refusal(int code, const char *error_type, const char *error,
                            struct error *ret) {
  if (code == 403)
    return error_set(ret, STATUS_DENIED,
                     "the agent refused the whole request: %.200s: %s", error,
                     remedy(error));
  return error_set(ret, STATUS_ITEM_ERROR,
                   "the agent answered the whole request with one error, %d "
                   "%.80s: %.200s: one of its operations is malformed, or "
                   "unknown to this version of the agent",
                   code, error_type, error);
}
