/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/capture_requests.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

#define JSON_SETTINGS_SINCE 2032
#define JSON_DIVERT_SINCE 2038
#define JSON_SECURITY_SINCE 2050

/* A page is never written (DROP), but may not be larger than the address. */
#define PAGE_BYTES_MAX (1024 * 1024)

#define STRING "java.lang.String"
#define STRINGS_5 STRING "," STRING "," STRING "," STRING "," STRING
#define BOOLEANS_8                                                             \
  "boolean,boolean,boolean,boolean,boolean,boolean,boolean,boolean"

/* -- Arguments -- */

static struct argument text_of(const char *text) {
  return text ? (struct argument){.type = ARGUMENT_TEXT, .text = text}
              : (struct argument){.type = ARGUMENT_NULL};
}

static struct argument int_of(int64_t value) {
  return (struct argument){.type = ARGUMENT_INT, .integer = value};
}

static struct argument bool_of(bool value) {
  return (struct argument){.type = ARGUMENT_BOOL, .integer = value};
}

/* "f(...)" with the first ${n} of the capture's arguments. */
static void call(struct capture *capture, const struct identity *identity,
                 struct step_request *ret, const char *name, size_t n) {
  step_exec(ret, identity->broker_mbean, name, capture->arguments, n);
}

/* The match or address, and what is in capture->json. */
static enum status call_json(struct capture *capture,
                             const struct identity *identity,
                             struct step_request *ret, const char *name,
                             bool has_match, struct error *error) {
  size_t n = 0;
  if (capture->json.status)
    return error_set(error, STATUS_INVALID,
                     "the names, the filter or the role are too long");
  if (has_match)
    capture->arguments[n++] = text_of(capture->queue);
  capture->arguments[n++] = text_of(buf_text(&capture->json));
  call(capture, identity, ret, name, n);
  return STATUS_OK;
}

static void add_member(struct buf *json, const char *key, const char *text) {
  buf_printf(json, "%s\"%s\":", json->len > 1 ? "," : "", key);
  text_add_json(json, text, strlen(text));
}

/* -- The settings of the capture's address -- */

static uint64_t page_bytes(const struct capture *capture) {
  return capture->options.max_bytes < PAGE_BYTES_MAX
             ? capture->options.max_bytes
             : PAGE_BYTES_MAX;
}

static enum status settings_json(struct capture *capture,
                                 const struct identity *identity,
                                 struct step_request *ret,
                                 struct error *error) {
  buf_clear(&capture->json);
  buf_printf(&capture->json,
             "{\"maxSizeBytes\":%" PRIu64 ",\"pageSizeBytes\":%" PRIu64
             ",\"addressFullMessagePolicy\":\"DROP\","
             "\"deadLetterAddress\":\"\",\"expiryAddress\":\"\","
             "\"autoCreateQueues\":false,\"autoDeleteQueues\":false,"
             "\"autoCreateAddresses\":false,\"autoDeleteAddresses\":false}",
             capture->options.max_bytes, page_bytes(capture));
  return call_json(capture, identity, ret,
                   "addAddressSettings(" STRING "," STRING ")", true, error);
}

/* The 26 arguments that every version takes (seen on 2.18.0 and 2.28.0); what
 * is not ours has the broker's default. */
static void settings_positional(struct capture *capture,
                                const struct identity *identity,
                                struct step_request *ret) {
  const struct argument arguments[] = {
      text_of(capture->queue),
      text_of(""), /* dead-letter address: none */
      text_of(""), /* expiry address: none */
      int_of(-1),  /* expiry delay */
      bool_of(false),
      int_of(10), /* delivery attempts */
      int_of((int64_t)capture->options.max_bytes),
      int_of((int64_t)page_bytes(capture)),
      int_of(5), /* pages in memory */
      int_of(0), /* redelivery: delay, multiplier, most */
      int_of(1),
      int_of(0),
      int_of(-1), /* redistribution delay */
      bool_of(false),
      text_of("DROP"),
      int_of(-1), /* slow consumers: threshold, period, policy */
      int_of(5),
      text_of("NOTIFY"),
  };
  size_t n = sizeof(arguments) / sizeof(*arguments);
  memcpy(capture->arguments, arguments, sizeof(arguments));
  for (size_t i = 0; i < 8; i++) /* nothing is made or deleted by itself */
    capture->arguments[n++] = bool_of(false);
  call(capture, identity, ret,
       "addAddressSettings(" STRING "," STRING "," STRING
       ",long,boolean,int,long,int,int,long,double,long,long,boolean," STRING
       ",long,long," STRING "," BOOLEANS_8 ")",
       n);
}

enum status capture_add_settings(void *state, const struct identity *identity,
                                 struct step_request *ret,
                                 struct error *error) {
  struct capture *capture = state;
  if (identity->version_number >= JSON_SETTINGS_SINCE)
    return settings_json(capture, identity, ret, error);
  settings_positional(capture, identity, ret);
  return STATUS_OK;
}

/* -- Who may read the copies over the messaging protocols -- */

static enum status security_json(struct capture *capture,
                                 const struct identity *identity,
                                 struct step_request *ret,
                                 struct error *error) {
  static const char *const permissions[] = {"consume", "browse"};
  struct buf *json = &capture->json;
  buf_clear(json);
  buf_add_text(json, "{");
  for (size_t i = 0; capture->options.role && i < 2; i++) {
    buf_printf(json, "%s\"%s\":[", i ? "," : "", permissions[i]);
    text_add_json(json, capture->options.role, strlen(capture->options.role));
    buf_add_text(json, "]");
  }
  buf_add_text(json, "}");
  return call_json(capture, identity, ret,
                   "addSecuritySettings(" STRING "," STRING ")", true, error);
}

/* match, send, consume, createDurableQueue, deleteDurableQueue,
 * createNonDurableQueue, deleteNonDurableQueue, manage, browse, createAddress,
 * deleteAddress; a divert needs no permission to send. */
static void security_positional(struct capture *capture,
                                const struct identity *identity,
                                struct step_request *ret) {
  enum { MATCH = 0, CONSUME = 2, BROWSE = 8, N = 11 };
  const char *role = capture->options.role ? capture->options.role : "";
  for (size_t i = 0; i < N; i++)
    capture->arguments[i] = text_of(i == CONSUME || i == BROWSE ? role : "");
  capture->arguments[MATCH] = text_of(capture->queue);
  call(capture, identity, ret,
       "addSecuritySettings(" STRINGS_5 "," STRINGS_5 "," STRING ")", N);
}

enum status capture_add_security(void *state, const struct identity *identity,
                                 struct step_request *ret,
                                 struct error *error) {
  struct capture *capture = state;
  if (identity->version_number >= JSON_SECURITY_SINCE)
    return security_json(capture, identity, ret, error);
  security_positional(capture, identity, ret);
  return STATUS_OK;
}

/* -- The address and its queue -- */

enum status capture_create_address(void *state, const struct identity *identity,
                                   struct step_request *ret,
                                   struct error *error) {
  struct capture *capture = state;
  (void)error;
  capture->arguments[0] = text_of(capture->queue);
  capture->arguments[1] = text_of("ANYCAST");
  call(capture, identity, ret, "createAddress(" STRING "," STRING ")", 2);
  return STATUS_OK;
}

enum status capture_create_queue(void *state, const struct identity *identity,
                                 struct step_request *ret,
                                 struct error *error) {
  struct capture *capture = state;
  struct buf *json = &capture->json;
  buf_clear(json);
  buf_add_text(json, "{");
  add_member(json, "name", capture->queue);
  add_member(json, "address", capture->queue);
  buf_printf(json,
             ",\"routing-type\":\"ANYCAST\",\"durable\":false,"
             "\"ring-size\":%" PRIu64
             ",\"auto-create-address\":false,\"auto-delete\":false}",
             capture->options.ring);
  return call_json(capture, identity, ret, "createQueue(" STRING ")", false,
                   error);
}

/* -- The divert -- */

static enum status divert_json(struct capture *capture,
                               const struct identity *identity,
                               struct step_request *ret, struct error *error) {
  struct buf *json = &capture->json;
  buf_clear(json);
  buf_add_text(json, "{");
  add_member(json, "name", capture->divert);
  add_member(json, "routing-name", capture->divert);
  add_member(json, "address", capture->options.source);
  add_member(json, "forwarding-address", capture->queue);
  if (capture->options.filter)
    add_member(json, "filter-string", capture->options.filter);
  buf_add_text(json, ",\"exclusive\":false,\"routing-type\":\"ANYCAST\"}");
  return call_json(capture, identity, ret, "createDivert(" STRING ")", false,
                   error);
}

/* name, routing name, address, forwarding address, exclusive, filter,
 * transformer, routing type. */
static void divert_positional(struct capture *capture,
                              const struct identity *identity,
                              struct step_request *ret) {
  const struct argument arguments[] = {
      text_of(capture->divert),
      text_of(capture->divert),
      text_of(capture->options.source),
      text_of(capture->queue),
      bool_of(false),
      text_of(capture->options.filter),
      text_of(NULL),
      text_of("ANYCAST"),
  };
  memcpy(capture->arguments, arguments, sizeof(arguments));
  call(capture, identity, ret,
       "createDivert(" STRING "," STRING "," STRING "," STRING
       ",boolean," STRING "," STRING "," STRING ")",
       sizeof(arguments) / sizeof(*arguments));
}

enum status capture_create_divert(void *state, const struct identity *identity,
                                  struct step_request *ret,
                                  struct error *error) {
  struct capture *capture = state;
  if (identity->version_number >= JSON_DIVERT_SINCE)
    return divert_json(capture, identity, ret, error);
  divert_positional(capture, identity, ret);
  return STATUS_OK;
}

/* -- Removing -- */

void capture_remove_settings(void *state, const struct identity *identity,
                             struct step_request *ret) {
  struct capture *capture = state;
  capture->arguments[0] = text_of(capture->queue);
  call(capture, identity, ret, "removeAddressSettings(" STRING ")", 1);
}

void capture_remove_security(void *state, const struct identity *identity,
                             struct step_request *ret) {
  struct capture *capture = state;
  capture->arguments[0] = text_of(capture->queue);
  call(capture, identity, ret, "removeSecuritySettings(" STRING ")", 1);
}

/* By force: in a cluster the bindings of other members keep it (AMQ229205). */
void capture_delete_address(void *state, const struct identity *identity,
                            struct step_request *ret) {
  struct capture *capture = state;
  capture->arguments[0] = text_of(capture->queue);
  capture->arguments[1] = bool_of(true);
  call(capture, identity, ret, "deleteAddress(" STRING ",boolean)", 2);
}

/* With its consumers; the address has a step of its own. */
void capture_destroy_queue(void *state, const struct identity *identity,
                           struct step_request *ret) {
  struct capture *capture = state;
  capture->arguments[0] = text_of(capture->queue);
  capture->arguments[1] = bool_of(true);
  capture->arguments[2] = bool_of(false);
  call(capture, identity, ret, "destroyQueue(" STRING ",boolean,boolean)", 3);
}

void capture_destroy_divert(void *state, const struct identity *identity,
                            struct step_request *ret) {
  struct capture *capture = state;
  capture->arguments[0] = text_of(capture->divert);
  call(capture, identity, ret, "destroyDivert(" STRING ")", 1);
}
