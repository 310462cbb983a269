/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM_SEARCH = 1, ITEM_LIST = IDENTITY_ITEMS, ITEM_BY_ID };

#define SECURITY_MBEAN "hawtio:type=security,area=jmx,name=ArtemisJMXSecurity"
#define CAN_INVOKE "canInvoke(java.lang.String,java.lang.String)"

struct probe_reader {
  struct identity_reader *identity;
  char broker[512]; /* object names as a broker's would be */
  char queue[640];
  struct argument list_arguments[2];
  struct argument by_id_arguments[2];
  struct operation operations[PROBE_ITEMS];
  struct item_spec specs[PROBE_ITEMS];
  /* of one reply */
  enum probe_may may_search;
  enum probe_may may_list;
  enum probe_may may_by_id;
};

const char *probe_conclusion_name(enum probe_conclusion conclusion) {
  static const char *const names[PROBE_CONCLUSION_COUNT] = {
      [PROBE_ODD] = "odd_answer",
      [PROBE_BROKER] = "broker",
      [PROBE_NOT_STARTED] = "not_started",
      [PROBE_BAD_LOGIN] = "bad_login",
      [PROBE_NO_LOGIN] = "no_login",
      [PROBE_THROTTLED] = "throttled",
      [PROBE_INVALID_SNI] = "invalid_sni",
      [PROBE_WRONG_PATH] = "wrong_path",
      [PROBE_ORIGIN] = "origin_refused",
      [PROBE_REMOTE] = "address_refused",
      [PROBE_POST] = "post_refused",
      [PROBE_POLICY] = "refused",
      [PROBE_READ_REFUSED] = "read_refused",
      [PROBE_NO_BROKER] = "no_broker",
      [PROBE_MANY_BROKERS] = "many_brokers",
      [PROBE_UNREACHABLE] = "unreachable",
      [PROBE_NOT_ASKED] = "not_asked",
  };
  return conclusion < PROBE_CONCLUSION_COUNT ? names[conclusion] : "unknown";
}

/* -- The request -- */

static void ask(struct probe_reader *reader, size_t item,
                struct argument *arguments, const char *mbean,
                const char *operation) {
  arguments[0] = (struct argument){.type = ARGUMENT_TEXT, .text = mbean};
  arguments[1] = (struct argument){.type = ARGUMENT_TEXT, .text = operation};
  reader->operations[item] = (struct operation){.type = OPERATION_EXEC,
                                                .mbean = SECURITY_MBEAN,
                                                .name = CAN_INVOKE,
                                                .arguments = arguments,
                                                .n_arguments = 2};
  reader->specs[item] = (struct item_spec){.form = FORM_VALUE};
}

struct probe_reader *probe_reader_new(const char *jmx_domain) {
  struct probe_reader *reader = calloc(1, sizeof *reader);
  const struct operation *operations;
  const struct item_spec *specs;
  if (reader == NULL)
    return NULL;
  reader->identity = identity_reader_new(jmx_domain);
  if (reader->identity == NULL) {
    free(reader);
    return NULL;
  }
  identity_request(reader->identity, &operations, &specs);
  memcpy(reader->operations, operations, IDENTITY_ITEMS * sizeof *operations);
  memcpy(reader->specs, specs, IDENTITY_ITEMS * sizeof *specs);
  /* Roles go by domain, keys and the operation's name, so that names which do
   * not exist do. */
  snprintf(reader->broker, sizeof reader->broker, "%s:broker=\"any\"",
           jmx_domain);
  snprintf(reader->queue, sizeof reader->queue,
           "%s,component=addresses,address=\"any\",subcomponent=queues,"
           "routing-type=\"anycast\",queue=\"any\"",
           reader->broker);
  ask(reader, ITEM_LIST, reader->list_arguments, reader->broker, "listQueues");
  ask(reader, ITEM_BY_ID, reader->by_id_arguments, reader->queue,
      "removeMessage");
  return reader;
}

void probe_reader_free(struct probe_reader *reader) {
  if (reader != NULL)
    identity_reader_free(reader->identity);
  free(reader);
}

void probe_request(struct probe_reader *reader,
                   const struct operation **ret_operations,
                   const struct item_spec **ret_specs) {
  *ret_operations = reader->operations;
  *ret_specs = reader->specs;
}

/* -- The reply -- */

/* Where the item is told to have failed later, that counts. */
static void take_answer(const struct row *row, enum probe_may *ret) {
  if (row->n_columns == 1 && row->columns[0].type == VALUE_BOOL)
    *ret = row->columns[0].integer ? PROBE_MAY : PROBE_MAY_NOT;
}

void probe_row(struct probe_reader *reader, size_t item,
               const struct row *row) {
  if (item == ITEM_LIST)
    take_answer(row, &reader->may_list);
  else if (item == ITEM_BY_ID)
    take_answer(row, &reader->may_by_id);
  else
    identity_row(reader->identity, item, row);
}

/* A policy that refuses exec refuses the question, too. An agent without the
 * security MBean (another console, an agent of the JVM) leaves it open. */
static void take_refusal(const struct item_result *result,
                         enum probe_may *ret) {
  if (result->status != STATUS_OK)
    *ret = result->status == STATUS_ITEM_DENIED ? PROBE_MAY_NOT
                                                : PROBE_MAY_UNKNOWN;
}

void probe_item(struct probe_reader *reader, size_t item,
                const struct item_result *result) {
  if (item == ITEM_LIST)
    take_refusal(result, &reader->may_list);
  else if (item == ITEM_BY_ID)
    take_refusal(result, &reader->may_by_id);
  else
    identity_item(reader->identity, item, result);
  if (item == ITEM_SEARCH) {
    reader->may_search = PROBE_MAY;
    take_refusal(result, &reader->may_search);
  }
}

static enum probe_conclusion of_refusal(const char *text) {
  static const struct {
    const char *words;
    enum probe_conclusion conclusion;
  } refusals[] = {{"No access from client", PROBE_REMOTE},
                  {"method post is not allowed", PROBE_POST},
                  {"rigin ", PROBE_ORIGIN}};
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    if (strstr(text, refusals[i].words) != NULL)
      return refusals[i].conclusion;
  return PROBE_POLICY;
}

static enum probe_conclusion of_http(const struct error *error,
                                     int http_status) {
  if (http_status == 404 || (http_status >= 300 && http_status < 400))
    return PROBE_WRONG_PATH;
  return strstr(error->text, "Invalid SNI") != NULL ? PROBE_INVALID_SNI
                                                    : PROBE_ODD;
}

/* Of the kinds that no text has to tell apart. */
static enum probe_conclusion of_failure(const struct error *error,
                                        int http_status, bool has_login) {
  static const enum probe_conclusion by_kind[STATUS_COUNT] = {
      [STATUS_CONNECT] = PROBE_UNREACHABLE,
      [STATUS_TLS] = PROBE_UNREACHABLE,
      [STATUS_TIMEOUT] = PROBE_UNREACHABLE,
      [STATUS_RESET] = PROBE_UNREACHABLE,
      [STATUS_AUTH] = PROBE_BAD_LOGIN,
      [STATUS_THROTTLED] = PROBE_THROTTLED,
      [STATUS_NOT_JOLOKIA] = PROBE_WRONG_PATH,
  };
  if (status_is_ours(error->kind))
    return PROBE_NOT_ASKED;
  if (error->kind == STATUS_AUTH && !has_login)
    return PROBE_NO_LOGIN;
  if (error->kind == STATUS_DENIED)
    return of_refusal(error->text);
  if (error->kind == STATUS_HTTP_STATUS)
    return of_http(error, http_status);
  return by_kind[error->kind];
}

static enum probe_conclusion of_identity(enum status status) {
  static const enum probe_conclusion by_kind[STATUS_COUNT] = {
      [STATUS_OK] = PROBE_BROKER,
      [STATUS_NOT_STARTED] = PROBE_NOT_STARTED,
      [STATUS_NOT_FOUND] = PROBE_NO_BROKER,
      [STATUS_INVALID] = PROBE_MANY_BROKERS,
      [STATUS_ITEM_DENIED] = PROBE_READ_REFUSED,
  };
  return by_kind[status];
}

void probe_take(struct probe_reader *reader, const struct error *error,
                int http_status, bool has_login, struct probe *ret) {
  struct probe probe = {.may_search = reader->may_search,
                        .may_list = reader->may_list,
                        .may_by_id = reader->may_by_id};
  enum status status =
      identity_take(reader->identity, &probe.identity, &probe.why);
  if (error->kind != STATUS_OK) {
    probe = (struct probe){.why = *error};
    probe.conclusion = of_failure(error, http_status, has_login);
  } else {
    probe.conclusion = of_identity(status);
    if (status == STATUS_OK)
      probe.why = (struct error){.kind = STATUS_OK};
  }
  reader->may_search = PROBE_MAY_UNKNOWN;
  reader->may_list = PROBE_MAY_UNKNOWN;
  reader->may_by_id = PROBE_MAY_UNKNOWN;
  *ret = probe;
}
