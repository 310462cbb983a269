/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "client/http.h"

#include "base/clock.h"
#include "client/certificate.h"

#include <curl/curl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RETRY_AFTER_MAX_S 60

enum status http_global_init(void) {
  return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? STATUS_OK
                                                           : STATUS_NO_MEMORY;
}

enum status http_target_init(struct http_target *target, const char *origin) {
  static const char *const fixed[] = {"Content-Type: application/json",
                                      "Expect:"};
  char line[2200];
  snprintf(line, sizeof(line), "Origin: %s", origin);
  struct curl_slist *list = curl_slist_append(NULL, line);
  for (size_t i = 0; list && i < sizeof(fixed) / sizeof(fixed[0]); i++) {
    struct curl_slist *longer = curl_slist_append(list, fixed[i]);
    if (!longer)
      curl_slist_free_all(list);
    list = longer;
  }
  target->headers = list;
  return list ? STATUS_OK : STATUS_NO_MEMORY;
}

void http_target_fini(struct http_target *target) {
  curl_slist_free_all(target->headers);
  target->headers = NULL;
  buf_fini(&target->ca_cert);
  buf_fini(&target->client_cert);
  buf_wipe(&target->client_key);
}

static int on_gate(void *cookie, char *remote_ip, char *local_ip,
                   int remote_port, int local_port) {
  (void)remote_ip, (void)local_ip, (void)remote_port, (void)local_port;
  struct transfer *transfer = cookie;
  if (transfer->is_sent) {
    transfer->was_resent = true;
    return CURL_PREREQFUNC_ABORT;
  }
  transfer->is_sent = true;
  transfer->sent_ns = clock_mono_ns();
  transfer->events.gate(transfer->events.cookie, transfer->sent_ns);
  return CURL_PREREQFUNC_OK;
}

static curl_socket_t on_open(void *cookie, curlsocktype purpose,
                             struct curl_sockaddr *address) {
  (void)purpose;
  struct transfer *transfer = cookie;
  transfer->has_opened = true;
  transfer->events.opening(transfer->events.cookie);
  return connections_open(transfer->target->connections,
                          transfer->target->group, transfer, address->family,
                          address->socktype, address->protocol);
}

static int on_close(void *cookie, curl_socket_t fd) {
  connections_close(cookie, fd);
  return 0;
}

/* libcurl takes "Transfer-Encoding: gzip" though nobody has offered that, and
 * unpacks a piece of 16 KiB to 16 MiB in one go: the other nodes would wait. */
static bool is_coded(const char *line, size_t len) {
  static const char name[] = "Transfer-Encoding:";
  size_t at = sizeof(name) - 1;
  if (len < at || strncasecmp(line, name, at) != 0)
    return false;
  while (at < len && strchr(" \t", line[at]) && line[at])
    at++;
  while (len > at && strchr(" \t\r\n", line[len - 1]) && line[len - 1])
    len--;
  return len - at != 7 || strncasecmp(line + at, "chunked", 7) != 0;
}

static void read_head(struct transfer *transfer, const char *line, size_t len) {
  static const char too_long[] = "its header is longer than 64 KiB";
  _Static_assert(HTTP_HEADER_MAX == 64 * 1024, "as the text has it");
  transfer->header_len += len;
  if (transfer->header_len > HTTP_HEADER_MAX)
    transfer->head_fault = too_long;
  else if (is_coded(line, len))
    transfer->head_fault = "its reply is compressed, which was not asked for";
  /* One of 1xx has a header of its own; after the body come trailers. */
  if (len >= 5 && memcmp(line, "HTTP/", 5) == 0)
    transfer->is_head_whole = false;
  else if (len > 0 && (line[0] == '\r' || line[0] == '\n'))
    transfer->is_head_whole = true;
}

static size_t on_header(char *bytes, size_t size, size_t n, void *cookie) {
  struct transfer *transfer = cookie;
  if (transfer->first_ns == 0) {
    transfer->first_ns = clock_mono_ns();
    if (transfer->fd >= 0)
      transfer->min_rtt_ns = connections_min_rtt_ns(transfer->fd);
  }
  read_head(transfer, bytes, size * n);
  return transfer->head_fault ? 0 : size * n;
}

static size_t refusal_body(struct transfer *transfer, const char *bytes,
                           size_t len) {
  size_t room = sizeof(transfer->head) - transfer->head_len;
  size_t part = len < room ? len : room;
  memcpy(transfer->head + transfer->head_len, bytes, part);
  transfer->head_len += part;
  transfer->refusal_len += len;
  if (transfer->refusal_len > HTTP_REFUSAL_MAX) {
    transfer->was_stopped = true;
    return 0;
  }
  return len;
}

static size_t on_body(char *bytes, size_t size, size_t n, void *cookie) {
  struct transfer *transfer = cookie;
  size_t len = size * n;
  if (len == 0)
    return 0;
  long http_status = 0;
  (void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &http_status);
  if (http_status != 200)
    return refusal_body(transfer, bytes, len);
  switch (transfer->events.body(transfer->events.cookie, bytes, len)) {
  case HTTP_GO_ON:
    return len;
  case HTTP_PAUSE:
    return CURL_WRITEFUNC_PAUSE;
  case HTTP_STOP:
  default:
    transfer->was_stopped = true;
    return 0;
  }
}

static long whole_ms(int64_t ns) {
  int64_t ms = (ns + CLOCK_NS_PER_MS - 1) / CLOCK_NS_PER_MS;
  if (ms < 1)
    return 1;
  return ms > INT_MAX ? INT_MAX : (long)ms;
}

static bool set_pem(CURL *easy, CURLoption option, const struct buf *pem) {
  if (pem->len == 0)
    return true;
  struct curl_blob blob = {
      .data = pem->data, .len = pem->len, .flags = CURL_BLOB_NOCOPY};
  return curl_easy_setopt(easy, option, &blob) == CURLE_OK;
}

#define SET(option, value)                                                     \
  do {                                                                         \
    if (curl_easy_setopt(easy, option, value) != CURLE_OK)                     \
      return false;                                                            \
  } while (0)

/* Nothing that could send a second request, wait, or touch the process. */
static bool set_manners(CURL *easy) {
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_QUICK_EXIT, 1L);
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_PROXY, "");
  SET(CURLOPT_NOPROXY, "*");
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
  SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  SET(CURLOPT_PATH_AS_IS, 1L);
  SET(CURLOPT_NOPROGRESS, 1L);
  SET(CURLOPT_BUFFERSIZE, (long)HTTP_PIECE);
  SET(CURLOPT_MAXAGE_CONN, (long)CONNECTIONS_AGE_S);
  return true;
}

static bool set_request(CURL *easy, const struct transfer_options *options) {
  const struct http_target *target = options->target;
  SET(CURLOPT_URL, target->url);
  SET(CURLOPT_POST, 1L);
  SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)options->body_len);
  SET(CURLOPT_POSTFIELDS, options->body);
  SET(CURLOPT_HTTPHEADER, target->headers);
  SET(CURLOPT_USERAGENT, target->user_agent);
  SET(CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
  if (target->user) {
    SET(CURLOPT_USERNAME, target->user);
    SET(CURLOPT_PASSWORD, target->password);
  }
  SET(CURLOPT_CONNECTTIMEOUT_MS, whole_ms(target->connect_timeout_ns));
  SET(CURLOPT_TIMEOUT_MS, whole_ms(options->timeout_ns));
  SET(CURLOPT_FRESH_CONNECT, options->is_fresh ? 1L : 0L);
  SET(CURLOPT_FORBID_REUSE, options->is_fresh ? 1L : 0L);
  return true;
}

static bool set_tls(CURL *easy, const struct http_target *target) {
  SET(CURLOPT_SSL_VERIFYPEER, target->verify_peer ? 1L : 0L);
  SET(CURLOPT_SSL_VERIFYHOST, target->verify_host ? 2L : 0L);
  SET(CURLOPT_CERTINFO, 1L);
  /* With a folder of authorities libcurl 7.88 keeps no parsed ones, and reads
   * the system's file anew for each handshake: 25 ms instead of 0.8 ms. */
  SET(CURLOPT_CAPATH, NULL);
  return set_pem(easy, CURLOPT_CAINFO_BLOB, &target->ca_cert) &&
         set_pem(easy, CURLOPT_SSLCERT_BLOB, &target->client_cert) &&
         set_pem(easy, CURLOPT_SSLKEY_BLOB, &target->client_key);
}

static bool set_callbacks(CURL *easy, struct transfer *transfer) {
  SET(CURLOPT_PRIVATE, transfer);
  SET(CURLOPT_ERRORBUFFER, transfer->reason);
  SET(CURLOPT_PREREQFUNCTION, on_gate);
  SET(CURLOPT_PREREQDATA, transfer);
  SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
  SET(CURLOPT_OPENSOCKETDATA, transfer);
  SET(CURLOPT_CLOSESOCKETFUNCTION, on_close);
  SET(CURLOPT_CLOSESOCKETDATA, transfer->target->connections);
  SET(CURLOPT_HEADERFUNCTION, on_header);
  SET(CURLOPT_HEADERDATA, transfer);
  SET(CURLOPT_WRITEFUNCTION, on_body);
  SET(CURLOPT_WRITEDATA, transfer);
  return true;
}
#undef SET

_Static_assert(sizeof(((struct transfer *)NULL)->reason) >= CURL_ERROR_SIZE,
               "libcurl writes that much");

enum status transfer_start(struct transfer *transfer, struct loop *loop,
                           const struct transfer_options *options) {
  *transfer = (struct transfer){.fd = -1,
                                .loop = loop,
                                .target = options->target,
                                .events = options->events};
  CURL *easy = curl_easy_init();
  if (!easy)
    return STATUS_NO_MEMORY;
  transfer->easy = easy;
  if (set_manners(easy) && set_request(easy, options) &&
      set_tls(easy, options->target) && set_callbacks(easy, transfer) &&
      loop_add(loop, easy) == STATUS_OK) {
    transfer->is_running = true;
    return STATUS_OK;
  }
  curl_easy_cleanup(easy);
  transfer->easy = NULL;
  return STATUS_NO_MEMORY;
}

void transfer_resume(struct transfer *transfer) {
  if (transfer->is_running)
    (void)curl_easy_pause(transfer->easy, CURLPAUSE_CONT);
}

static bool may_look_up(const struct transfer *transfer) {
  return !transfer->target->is_address && !transfer->is_sent &&
         !transfer->has_opened;
}

void transfer_stop(struct transfer *transfer) {
  if (!transfer->easy)
    return;
  if (transfer->is_running) {
    transfer->was_looking_up = may_look_up(transfer);
    loop_remove(transfer->loop, transfer->easy);
  }
  curl_easy_cleanup(transfer->easy);
  transfer->is_running = false;
  transfer->easy = NULL;
  connections_release(transfer->target->group, transfer, clock_mono_ns());
}

/* A connection that is used again is so from the first byte on: a long body may
 * be written for a while. */
void transfer_on_waiting(void *cookie, int fd, bool is_reading,
                         int64_t now_ns) {
  struct transfer *transfer = cookie;
  if (!transfer->is_sent || transfer->fd == fd ||
      !connections_use(transfer->target->connections, fd,
                       transfer->target->group, transfer) ||
      !is_reading)
    return;
  transfer->fd = fd;
  if (transfer->first_ns == 0)
    transfer->sent_ns = now_ns;
}

static bool is_of_tls(const struct transfer *transfer, CURLcode code) {
  static const CURLcode codes[] = {
      CURLE_SSL_CONNECT_ERROR,   CURLE_PEER_FAILED_VERIFICATION,
      CURLE_SSL_CERTPROBLEM,     CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE,  CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CLIENTCERT,      CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED};
  for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
    if (code == codes[i])
      return true;
  }
  /* "SSL connection timeout": its one word on a handshake that never ends. */
  return code == CURLE_OPERATION_TIMEDOUT && strstr(transfer->reason, "SSL");
}

/* By libcurl's verdict, and by how far the request had come. */
static enum status outcome_of(const struct transfer *transfer, CURLcode code) {
  if (transfer->head_fault)
    return STATUS_NOT_JOLOKIA;
  /* libcurl is content with a header that breaks off after its first line. */
  if (code == CURLE_OK)
    return transfer->is_head_whole ? STATUS_OK : STATUS_RESET;
  if (code == CURLE_OUT_OF_MEMORY)
    return STATUS_NO_MEMORY;
  if (transfer->was_stopped)
    return STATUS_OK;
  if (!transfer->is_sent)
    return is_of_tls(transfer, code) ? STATUS_TLS : STATUS_CONNECT;
  if (code == CURLE_OPERATION_TIMEDOUT)
    return STATUS_TIMEOUT;
  if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY)
    return STATUS_NOT_JOLOKIA;
  return STATUS_RESET;
}

static void read_location(struct transfer *transfer) {
  char *url = NULL;
  if (curl_easy_getinfo(transfer->easy, CURLINFO_REDIRECT_URL, &url) !=
          CURLE_OK ||
      !url)
    return;
  const char *authority = strstr(url, "://");
  const char *path = authority ? strchr(authority + 3, '/') : NULL;
  int len = path ? (int)strcspn(path, "?#") : 0;
  snprintf(transfer->location, sizeof(transfer->location), "%.*s", len,
           path ? path : "");
}

static void read_certificate(struct transfer *transfer) {
  struct curl_certinfo *info = NULL;
  if (curl_easy_getinfo(transfer->easy, CURLINFO_CERTINFO, &info) != CURLE_OK ||
      !info || info->num_of_certs < 1)
    return;
  static const char name[] = "Expire date:";
  for (const struct curl_slist *line = info->certinfo[0]; line;
       line = line->next) {
    if (strncmp(line->data, name, sizeof(name) - 1) == 0)
      (void)certificate_time(line->data + sizeof(name) - 1,
                             &transfer->certificate_end_s);
  }
}

static void read_reply(struct transfer *transfer) {
  long http_status = 0;
  (void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &http_status);
  transfer->http_status = (int)http_status;
  curl_off_t retry_after_s = 0;
  (void)curl_easy_getinfo(transfer->easy, CURLINFO_RETRY_AFTER, &retry_after_s);
  if (retry_after_s > RETRY_AFTER_MAX_S)
    retry_after_s = RETRY_AFTER_MAX_S;
  transfer->retry_after_ns = retry_after_s * CLOCK_NS_PER_S;
  read_location(transfer);
  read_certificate(transfer);
}

void transfer_on_done(void *cookie, int code) {
  struct transfer *transfer = cookie;
  transfer->is_running = false;
  transfer->was_looking_up =
      code == CURLE_OPERATION_TIMEDOUT && may_look_up(transfer);
  /* Its word on one line of 100 KiB; what memory it takes is ours otherwise. */
  if (code == CURLE_OUT_OF_MEMORY && transfer->is_sent &&
      !transfer->is_head_whole)
    transfer->head_fault = "a line of its header is longer than 100 KiB";
  transfer->outcome = outcome_of(transfer, (CURLcode)code);
  if (transfer->head_fault)
    snprintf(transfer->reason, sizeof(transfer->reason), "%s",
             transfer->head_fault);
  else if (code == CURLE_OK && !transfer->is_head_whole)
    snprintf(transfer->reason, sizeof(transfer->reason),
             "its header breaks off");
  else if (transfer->reason[0] == 0 && code != CURLE_OK)
    snprintf(transfer->reason, sizeof(transfer->reason), "%s",
             curl_easy_strerror((CURLcode)code));
  read_reply(transfer);
  transfer->events.done(transfer->events.cookie);
}
