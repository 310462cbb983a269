/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/failure.h"

#include "base/clock.h"

#include <string.h>

/* The body is kept without its end: no C string. */
static bool head_has(const struct transfer *transfer, const char *words) {
  return memmem(transfer->head, transfer->head_len, words, strlen(words)) !=
         NULL;
}

static bool head_is_html(const struct transfer *transfer) {
  size_t i = 0;
  while (i < transfer->head_len && strchr(" \t\r\n", transfer->head[i]) &&
         transfer->head[i])
    i++;
  return i < transfer->head_len && transfer->head[i] == '<';
}

static enum status tls_failure(const struct transfer *transfer,
                               struct error *ret) {
  static const struct {
    const char *words, *meaning;
  } causes[] = {
      {"certificate has expired",
       "the server's certificate has expired: renew it on the broker"},
      {"not yet valid",
       "the server's certificate is not valid yet: compare the clocks"},
      {"no alternative certificate subject name",
       "the server's certificate is for another name: use a name that it has "
       "in "
       "the URL"},
      {"does not match target host name",
       "the server's certificate is for another name: use a name that it has "
       "in "
       "the URL"},
      {"self-signed",
       "the server's certificate is signed by itself: name it with CACert"},
      {"self signed",
       "the server's certificate is signed by itself: name it with CACert"},
      {"unable to get local issuer",
       "the server's certificate is from an unknown authority: name that with "
       "CACert"},
      {"alert", "the server refused the handshake: does it ask for a client "
                "certificate (ClientCert, ClientKey)?"},
      {"wrong version number",
       "the server does not speak TLS on this port: is its URL http://?"},
  };
  for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
    if (strstr(transfer->reason, causes[i].words))
      return error_set(ret, STATUS_TLS, "%s (%s)", causes[i].meaning,
                       transfer->reason);
  }
  return error_set(ret, STATUS_TLS, "no TLS session: %s", transfer->reason);
}

static enum status transport_failure(const struct transfer *transfer,
                                     struct error *ret) {
  enum status kind = transfer->outcome;
  if (kind == STATUS_TLS)
    return tls_failure(transfer, ret);
  if (kind == STATUS_CONNECT)
    return error_set(
        ret, kind,
        "no connection%s: %s: is the broker up, and are host and port of the "
        "URL right?",
        transfer->was_looking_up ? ", its name was still being looked up" : "",
        transfer->reason);
  if (kind == STATUS_TIMEOUT)
    return error_set(ret, kind,
                     "sent, and no whole reply within the timeout: the broker "
                     "may still be at work on it");
  if (kind == STATUS_RESET)
    return error_set(ret, kind,
                     "the connection ended before the reply did "
                     "(%s)",
                     transfer->was_resent ? "before its first byte"
                                          : transfer->reason);
  if (kind == STATUS_NOT_JOLOKIA)
    return error_set(ret, kind,
                     "what answers there does not speak HTTP/1.1 (%s)",
                     transfer->reason);
  return error_set(ret, kind, "%s", transfer->reason);
}

static enum status auth_failure(const struct transfer *transfer,
                                struct error *ret) {
  if (!transfer->target->user)
    return error_set(ret, STATUS_AUTH,
                     "HTTP %d: it wants a login: set Username and PasswordFile",
                     transfer->http_status);
  if (transfer->http_status == 401)
    return error_set(ret, STATUS_AUTH,
                     "HTTP 401: the agent's own login refused user \"%s\": "
                     "wrong user or password",
                     transfer->target->user);
  return error_set(ret, STATUS_AUTH,
                   "HTTP 403: wrong password of user \"%s\", or a user without "
                   "the console's role (hawtio.role, usually amq)",
                   transfer->target->user);
}

static enum status throttled(const struct transfer *transfer,
                             struct error *ret) {
  long long wait_s = transfer->retry_after_ns / CLOCK_NS_PER_S;
  if (transfer->http_status == 429)
    return error_set(ret, STATUS_THROTTLED,
                     "HTTP 429: too many refused logins of this user, or too "
                     "many requests; come back in %lld s",
                     wait_s);
  return error_set(ret, STATUS_THROTTLED,
                   "HTTP 503: not available; come back in %lld s", wait_s);
}

enum status failure_of(const struct transfer *transfer, struct error *ret) {
  int http = transfer->http_status;
  if (transfer->outcome != STATUS_OK)
    return transport_failure(transfer, ret);
  if (http == 401 || http == 403)
    return auth_failure(transfer, ret);
  if (http == 429 || http == 503)
    return throttled(transfer, ret);
  if (http == 413)
    return error_set(ret, STATUS_REQUEST_TOO_LARGE,
                     "HTTP 413: the request is larger than the server takes: "
                     "lower MaxRequestBytes");
  if (http >= 300 && http < 400)
    return error_set(ret, STATUS_HTTP_STATUS,
                     "HTTP %d to \"%s\": redirects are not followed, is the "
                     "URL's path right (usually /console/jolokia)?",
                     http, transfer->location);
  if (http == 404)
    return error_set(ret, STATUS_HTTP_STATUS,
                     "HTTP 404: no Jolokia there: wrong path (usually "
                     "/console/jolokia), or the console is not deployed yet");
  if (http == 400 && head_has(transfer, "Invalid SNI"))
    return error_set(
        ret, STATUS_HTTP_STATUS,
        "HTTP 400 \"Invalid SNI\": the URL must have a name of the "
        "server's certificate, not an address or localhost (or "
        "sniHostCheck=false on the broker)");
  return error_set(ret, STATUS_HTTP_STATUS, "HTTP %d from the server", http);
}

bool failure_is_of_batch(const struct transfer *transfer) {
  if (transfer->outcome != STATUS_OK)
    return false;
  if (transfer->http_status == 413)
    return true;
  return transfer->http_status == 400 && !head_is_html(transfer) &&
         !head_has(transfer, "Invalid SNI");
}
