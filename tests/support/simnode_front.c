/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 32768 /* as Jetty cuts a streamed reply */
#define HTML "text/html;charset=utf-8"
#define CONSOLE                                                                \
  "<!doctype html>\n<html><head><title>Console</title></head><body>"           \
  "<div id=\"root\"></div></body></html>\n"

static const struct {
  int status;
  const char *reason;
} reasons[] = {
    {200, "OK"},
    {302, "Found"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {413, "Payload Too Large"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
};

static void add_status(struct conn *conn, int status, const char *headers,
                       const char *type) {
  const char *reason = "Odd";
  char line[64];

  conn->status = status;
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (reasons[i].status == status)
      reason = reasons[i].reason;
  snprintf(line, sizeof line, "HTTP/1.1 %d %s\r\n", status, reason);
  text_addz(&conn->out, line);
  text_addz(&conn->out, headers);
  if (type != NULL) {
    text_addz(&conn->out, "Content-Type: ");
    text_addz(&conn->out, type);
    text_addz(&conn->out, "\r\n");
  }
  if (!conn->keep) {
    text_addz(&conn->out, "Connection: close\r\n");
    conn->close_after = true;
  }
}

static void add_length(struct conn *conn, size_t len) {
  text_addz(&conn->out, "Content-Length: ");
  text_number(&conn->out, (int64_t)len);
  text_addz(&conn->out, "\r\n\r\n");
}

void front_reply(struct conn *conn, int status, const char *headers,
                 const char *type, const char *body, size_t len) {
  add_status(conn, status, headers, type);
  add_length(conn, len);
  text_add(&conn->out, body, len);
}

static void add_chunks(struct text *out, const char *bytes, size_t len) {
  while (len > 0) {
    size_t n = len < CHUNK ? len : CHUNK;
    char head[24];

    snprintf(head, sizeof head, "%zX\r\n", n);
    text_addz(out, head);
    text_add(out, bytes, n);
    text_addz(out, "\r\n");
    bytes += n;
    len -= n;
  }
}

/* Header lines that no broker sends. */
static void add_odd_head(struct conn *conn) {
  const struct hazards *hazards = &conn->node->hazards;

  if (hazards->on[H_LONG_HEAD]) {
    text_addz(&conn->out, "X-Long: ");
    for (int64_t i = 0; i < hazards->value[H_LONG_HEAD]; i++)
      text_add(&conn->out, "x", 1);
    text_addz(&conn->out, "\r\n");
  }
  if (hazards->on[H_CODED])
    text_addz(&conn->out, "Transfer-Encoding: gzip\r\n");
}

void front_body(struct conn *conn, const struct broker *broker,
                const struct text *body) {
  const struct hazards *hazards = &conn->node->hazards;
  size_t len = body->len, total = body->len, before = conn->out.len;
  bool is_cut = hazards->on[H_CUT] || hazards->on[H_STALL];
  enum hazard by = hazards->on[H_CUT] ? H_CUT : H_STALL;

  if (is_cut && len > (size_t)hazards->value[by])
    len = (size_t)hazards->value[by];
  else
    is_cut = false;
  add_status(
      conn, hazards->on[H_STATUS] ? (int)hazards->value[H_STATUS] : 200, "",
      broker->is_jolokia2 ? "application/json" : "text/plain;charset=utf-8");
  add_odd_head(conn);
  if (hazards->on[H_CUT_HEAD] &&
      conn->out.len > before + (size_t)hazards->value[H_CUT_HEAD]) {
    conn->out.len = before + (size_t)hazards->value[H_CUT_HEAD];
    conn->close_after = true;
    return;
  }
  if (hazards->on[H_LENGTH]) {
    add_length(conn, total);
    text_add(&conn->out, body->bytes, len);
  } else {
    text_addz(&conn->out, "Transfer-Encoding: chunked\r\n\r\n");
    add_chunks(&conn->out, body->bytes, len);
    if (!is_cut)
      text_addz(&conn->out, "0\r\n\r\n");
  }
  if (is_cut) {
    conn->close_after = by == H_CUT;
    conn->mute_after = by == H_STALL;
  }
}

static void garbage(struct conn *conn, size_t len) {
  struct text body = {0};
  uint32_t state = 12345;

  for (size_t i = 0; i < len; i++) {
    char byte;

    state = state * 1664525 + 1013904223;
    byte = (char)(state >> 24);
    text_add(&body, &byte, 1);
  }
  front_reply(conn, 200, "", "application/json", body.bytes, body.len);
  text_free(&body);
}

static void retry_after(struct conn *conn, int status, int64_t seconds,
                        const char *type, const char *body) {
  char header[48] = "";

  if (seconds > 0)
    snprintf(header, sizeof header, "Retry-After: %" PRId64 "\r\n", seconds);
  front_reply(conn, status, header, type, body, strlen(body));
}

static void base64(struct text *out, const char *plain) {
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t len = strlen(plain);

  for (size_t i = 0; i < len; i += 3) {
    uint32_t bits = (uint32_t)(unsigned char)plain[i] << 16;

    if (i + 1 < len)
      bits |= (uint32_t)(unsigned char)plain[i + 1] << 8;
    if (i + 2 < len)
      bits |= (uint32_t)(unsigned char)plain[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6)
      text_add(out, &digits[bits >> shift & 63], 1);
    for (size_t k = len - i; k < 3; k++)
      out->bytes[out->len - (3 - k)] = '=';
  }
}

/* Four wrong logins are 403; from Artemis 2.40 on the fifth is 429, and each
 * further real one doubles the time for which none is looked at. */
static bool refuse_login(struct conn *conn, unsigned version_number) {
  struct port *port = conn->port;
  struct text right = {0};
  bool is_right;
  int64_t now = now_ns();

  text_addz(&right, "Basic ");
  base64(&right, conn->node->hazards.text[H_AUTH]);
  is_right = strcmp(conn->authorization, right.bytes) == 0;
  text_free(&right);
  if (conn->authorization[0] == '\0') {
    front_reply(conn, 403, "Hawtio-Forbidden-Reason: NONE\r\n", NULL, "", 0);
    return true;
  }
  if (now < port->auth_until_ns) {
    retry_after(conn, 429, (port->auth_until_ns - now) / 1000000000 + 1, NULL,
                "");
    return true;
  }
  if (is_right) {
    port->auth_failures = 0;
    return false;
  }
  port->auth_failures++;
  if (version_number < 2040 || port->auth_failures < 5) {
    front_reply(conn, 403, "Hawtio-Forbidden-Reason: NONE\r\n", NULL, "", 0);
    return true;
  }
  port->auth_until_ns =
      now + (((int64_t)1 << (port->auth_failures - 4)) - 1) * 1000000000;
  retry_after(conn, 429, ((int64_t)1 << (port->auth_failures - 4)) - 1, NULL,
              "");
  return true;
}

static bool refuse_origin(struct conn *conn, bool is_jolokia2) {
  const struct hazards *hazards = &conn->node->hazards;
  const char *wanted = hazards->text[H_ORIGIN];
  char body[512];
  int len;

  if (conn->has_origin && (wanted == NULL || strcmp(conn->origin, wanted) == 0))
    return false;
  len = snprintf(body, sizeof body,
                 "{\"error_type\":\"java.lang.Exception\",\"error\":"
                 "\"java.lang.Exception : Origin %s is not allowed to call "
                 "this agent\",\"status\":403}",
                 conn->has_origin ? conn->origin : "null");
  front_reply(conn, 200, "",
              is_jolokia2 ? "application/json" : "text/plain;charset=utf-8",
              body, (size_t)len < sizeof body ? (size_t)len : sizeof body - 1);
  return true;
}

/* Refusals by HTTP status. */
static bool answer_status(struct conn *conn) {
  const struct hazards *hazards = &conn->node->hazards;
  char header[96];

  if (hazards->on[H_REDIRECT]) {
    snprintf(header, sizeof header,
             "Location: http://127.0.0.1:%u/console/jolokia/\r\n",
             conn->port->number);
    front_reply(conn, 302, header, NULL, "", 0);
  } else if (hazards->on[H_401]) {
    front_reply(conn, 401, "WWW-Authenticate: Basic realm=\"sim\"\r\n", NULL,
                "", 0);
  } else if (hazards->on[H_403]) {
    front_reply(conn, 403, "Hawtio-Forbidden-Reason: NONE\r\n", NULL, "", 0);
  } else if (hazards->on[H_429]) {
    retry_after(conn, 429, hazards->value[H_429], NULL, "");
  } else if (hazards->on[H_503]) {
    retry_after(conn, 503, hazards->value[H_503], HTML,
                "<html><body><h2>HTTP ERROR 503</h2></body></html>\n");
  } else if (hazards->on[H_404_HTML]) {
    retry_after(
        conn, 404, 0, HTML,
        "<html><body><h2>HTTP ERROR 404 Not Found</h2></body></html>\n");
  } else if (hazards->on[H_413] &&
             conn->body_len > (size_t)hazards->value[H_413]) {
    retry_after(conn, 413, 0, HTML,
                "<html><body><h2>HTTP ERROR 413</h2></body></html>\n");
  } else if (hazards->on[H_400_TEXT]) {
    retry_after(conn, 400, 0, "text/plain;charset=utf-8", "400 (Bad Request)");
  } else {
    return false;
  }
  return true;
}

/* 200 with something that is no reply. */
static bool answer_odd_body(struct conn *conn) {
  const struct hazards *hazards = &conn->node->hazards;

  if (hazards->on[H_HTML200])
    front_reply(conn, 200,
                "Set-Cookie: JSESSIONID=node01simnode; Path=/console\r\n", HTML,
                CONSOLE, strlen(CONSOLE));
  else if (hazards->on[H_TEXT200])
    retry_after(conn, 200, 0, "text/plain", "It works!\n");
  else if (hazards->on[H_EMPTY])
    front_reply(conn, 200, "", NULL, "", 0);
  else if (hazards->on[H_GARBAGE])
    garbage(conn, (size_t)hazards->value[H_GARBAGE]);
  else
    return false;
  return true;
}

bool front_answer(struct conn *conn, unsigned version_number) {
  const struct hazards *hazards = &conn->node->hazards;

  if (hazards->on[H_GARBAGE_HTTP]) {
    text_add(&conn->out, "\x16\x03\x01\x00\xff\r\n\r\n", 9);
    conn->close_after = true;
    return true;
  }
  return answer_status(conn) ||
         (hazards->on[H_AUTH] && refuse_login(conn, version_number)) ||
         (hazards->on[H_ORIGIN] &&
          refuse_origin(conn, version_number >= 2040)) ||
         answer_odd_body(conn);
}
