/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/identity.h"

#include "base/num.h"
#include "jolokia/objectname.h"

#include <stdlib.h>
#include <string.h>

enum { ITEM_VERSION, ITEM_SEARCH, ITEM_READ };

enum { VERSION, NAME, NODE_ID, ACTIVE, BACKUP, STARTED, HA_POLICY, N_COLUMNS };

static const char *const columns[N_COLUMNS] = {
    [VERSION] = "Version",    [NAME] = "Name",     [NODE_ID] = "NodeID",
    [ACTIVE] = "Active",      [BACKUP] = "Backup", [STARTED] = "Started",
    [HA_POLICY] = "HAPolicy",
};

static const char *const agent_columns[] = {"agent"};

static const struct item_spec specs[IDENTITY_ITEMS] = {
    [ITEM_VERSION] = {FORM_MBEAN, agent_columns, 1},
    [ITEM_SEARCH] = {FORM_NAMES, NULL, 0},
    [ITEM_READ] = {FORM_PATTERN, columns, N_COLUMNS},
};

/* What one reply has said so far. */
struct findings {
  struct identity identity;
  size_t n_brokers;
  char names[256]; /* of the brokers, for the message */
  bool was_read;   /* the pattern read gave the broker's row */
  bool is_not_started;
  bool has_active;
  struct error fault; /* first attribute's, or a name too long */
  bool is_told[IDENTITY_ITEMS];
  struct error item[IDENTITY_ITEMS];
};

struct identity_reader {
  char pattern[512]; /* "": no broker */
  struct operation operations[IDENTITY_ITEMS];
  struct findings findings;
};

struct identity_reader *identity_reader_new(const char *jmx_domain) {
  static const char suffix[] = ":broker=*";
  size_t len = jmx_domain ? strlen(jmx_domain) : 0;
  struct identity_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL || len > 400) {
    free(reader);
    return NULL;
  }
  reader->operations[ITEM_VERSION].type = OPERATION_VERSION;
  if (!jmx_domain)
    return reader;
  memcpy(reader->pattern, jmx_domain, len);
  memcpy(reader->pattern + len, suffix, sizeof suffix);
  reader->operations[ITEM_SEARCH].type = OPERATION_SEARCH;
  reader->operations[ITEM_SEARCH].mbean = reader->pattern;
  reader->operations[ITEM_READ].type = OPERATION_READ;
  reader->operations[ITEM_READ].mbean = reader->pattern;
  reader->operations[ITEM_READ].attributes = columns;
  reader->operations[ITEM_READ].n_attributes = N_COLUMNS;
  return reader;
}

void identity_reader_free(struct identity_reader *reader) { free(reader); }

size_t identity_request(struct identity_reader *reader,
                        const struct operation **ret_operations,
                        const struct item_spec **ret_specs) {
  *ret_operations = reader->operations;
  *ret_specs = specs;
  return reader->pattern[0] ? IDENTITY_ITEMS : 1;
}

bool identity_not_started(const char *text, size_t len) {
  static const char words[] = "Broker is not started";
  return text != NULL && memmem(text, len, words, sizeof words - 1) != NULL;
}

unsigned identity_version_number(const char *version) {
  size_t major_len = strspn(version, "0123456789");
  const char *minor_text = version + major_len + 1;
  uint64_t major = 0;
  uint64_t minor = 0;
  if (major_len == 0 || version[major_len] != '.' ||
      !num_uint64(version, major_len, &major) ||
      !num_uint64(minor_text, strspn(minor_text, "0123456789"), &minor) ||
      major > 999 || minor > 999)
    return 0;
  return (unsigned)(1000 * major + minor);
}

/* Cut at a whole character. */
static void copy(char *dst, size_t size, const char *text, size_t len) {
  if (len >= size) {
    len = size - 1;
    while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
      len--;
  }
  if (len > 0)
    memcpy(dst, text, len);
  dst[len] = '\0';
}

static void take_text(struct findings *findings, const struct value *value,
                      char *dst, size_t size) {
  if (value_has_text(value))
    copy(dst, size, value->text, value->text_len);
  if (value->type != VALUE_FAULT)
    return;
  if (identity_not_started(value->text, value->text_len))
    findings->is_not_started = true;
  else if (findings->fault.kind == STATUS_OK)
    error_set(&findings->fault, STATUS_ITEM_ERROR,
              "the broker's attributes cannot be read: %.*s",
              (int)value->text_len, value->text);
}

static void take_bool(struct findings *findings, const struct value *value,
                      bool *ret) {
  char none[1];
  if (value->type == VALUE_BOOL)
    *ret = value->integer != 0;
  else
    take_text(findings, value, none, sizeof none);
}

static void add_name(struct findings *findings, const char *name, size_t len) {
  size_t used = strlen(findings->names);
  if (used > 0 && used + 2 < sizeof findings->names) {
    memcpy(findings->names + used, ", ", 2);
    used += 2;
  }
  copy(findings->names + used, sizeof findings->names - used, name, len);
}

/* The plain value of the broker key, until the broker gives its Name. */
static void name_of_object(struct identity *identity,
                           const struct objectname *object) {
  const struct objectname_property *broker = objectname_get(object, "broker");
  char plain[sizeof identity->broker_mbean];
  size_t len = 0;
  if (broker != NULL &&
      objectname_unquote(broker, plain, sizeof plain, &len) == STATUS_OK)
    copy(identity->broker_name, sizeof identity->broker_name, plain, len);
}

/* A broker's object name came; true if it is the first or the same one. */
static bool take_broker(struct findings *findings, const char *name,
                        size_t len) {
  struct identity *identity = &findings->identity;
  struct objectname object;
  struct objectname first;
  struct error error;
  if (len >= sizeof identity->broker_mbean)
    error_set(&findings->fault, STATUS_INVALID,
              "the broker's object name has %zu bytes, more than %zu", len,
              sizeof identity->broker_mbean - 1);
  else if (objectname_parse(name, len, &object, &error) != STATUS_OK)
    error_set(&findings->fault, STATUS_MALFORMED_REPLY,
              "the broker's object name cannot be read: %s", error.text);
  else if (findings->n_brokers == 0) {
    findings->n_brokers = 1;
    copy(identity->broker_mbean, sizeof identity->broker_mbean, name, len);
    name_of_object(identity, &object);
    add_name(findings, name, len);
    return true;
  } else if (objectname_parse(identity->broker_mbean,
                              strlen(identity->broker_mbean), &first,
                              &error) == STATUS_OK) {
    if (objectname_equal(&object, &first))
      return true;
    findings->n_brokers++;
    add_name(findings, name, len);
  }
  return false;
}

static void take_attributes(struct findings *findings,
                            const struct value *values) {
  struct identity *identity = &findings->identity;
  const struct value *name = &values[NAME];
  findings->was_read = true;
  findings->has_active = values[ACTIVE].type == VALUE_BOOL;
  take_text(findings, &values[VERSION], identity->version,
            sizeof identity->version);
  if (name->text_len > 0)
    take_text(findings, name, identity->broker_name,
              sizeof identity->broker_name);
  take_text(findings, &values[NODE_ID], identity->node_id,
            sizeof identity->node_id);
  take_text(findings, &values[HA_POLICY], identity->ha_policy,
            sizeof identity->ha_policy);
  identity->is_started = identity->version[0] != '\0';
  take_bool(findings, &values[STARTED], &identity->is_started);
  take_bool(findings, &values[ACTIVE], &identity->is_active);
  take_bool(findings, &values[BACKUP], &identity->is_backup);
  identity->version_number = identity_version_number(identity->version);
}

void identity_row(struct identity_reader *reader, size_t item,
                  const struct row *row) {
  struct findings *findings = &reader->findings;
  if (item == ITEM_VERSION && row->n_columns == 1)
    take_text(findings, &row->columns[0], findings->identity.agent,
              sizeof findings->identity.agent);
  else if (item == ITEM_SEARCH)
    take_broker(findings, row->name, row->name_len);
  else if (item == ITEM_READ && row->n_columns == N_COLUMNS &&
           take_broker(findings, row->name, row->name_len))
    take_attributes(findings, row->columns);
}

void identity_item(struct identity_reader *reader, size_t item,
                   const struct item_result *result) {
  if (item >= IDENTITY_ITEMS)
    return;
  reader->findings.is_told[item] = true;
  reader->findings.item[item].kind = STATUS_OK;
  if (result->status != STATUS_OK)
    error_set(&reader->findings.item[item], result->status, "%s",
              result->error);
}

/* Why there is no row of a broker. */
static enum status explain(const struct identity_reader *reader,
                           const struct findings *findings,
                           struct error *error) {
  const struct error *read = &findings->item[ITEM_READ];
  if (findings->fault.kind != STATUS_OK)
    return error_set(error, findings->fault.kind, "%s", findings->fault.text);
  if (!findings->is_told[ITEM_READ])
    return error_set(error, STATUS_MALFORMED_REPLY,
                     "the reply has nothing on %s", reader->pattern);
  if (read->kind == STATUS_ITEM_DENIED)
    return error_set(error, STATUS_ITEM_DENIED,
                     "reading %s is refused (%s): the login needs a role that "
                     "may read it",
                     reader->pattern, read->text);
  if (read->kind != STATUS_OK && read->kind != STATUS_NOT_FOUND)
    return error_set(error, read->kind, "%s: %s", reader->pattern, read->text);
  return error_set(error, STATUS_NOT_FOUND,
                   "there is no %s: another JMXDomain, a broker that is not "
                   "registered yet, or hidden from this login",
                   reader->pattern);
}

static enum status judge(const struct identity_reader *reader,
                         const struct findings *findings, struct error *error) {
  if (findings->n_brokers > 1)
    return error_set(error, STATUS_INVALID,
                     "%zu brokers answer here (%s): give each a jmx-domain of "
                     "its own in broker.xml, and its node that JMXDomain",
                     findings->n_brokers, findings->names);
  if (findings->is_not_started ||
      findings->item[ITEM_READ].kind == STATUS_NOT_STARTED ||
      (findings->was_read && !findings->identity.is_started &&
       findings->fault.kind == STATUS_OK))
    return error_set(error, STATUS_NOT_STARTED,
                     "the broker is not started yet");
  if (!findings->was_read ||
      (!findings->has_active && findings->fault.kind != STATUS_OK))
    return explain(reader, findings, error);
  return STATUS_OK;
}

static enum status judge_jvm(struct findings *findings, struct error *error) {
  const struct error *version = &findings->item[ITEM_VERSION];
  findings->identity.is_started = true;
  findings->identity.is_active = true;
  if (!findings->is_told[ITEM_VERSION])
    return error_set(error, STATUS_MALFORMED_REPLY,
                     "the reply has nothing on the agent's version");
  if (version->kind != STATUS_OK)
    return error_set(error, version->kind, "the agent's version: %s",
                     version->text);
  return STATUS_OK;
}

enum status identity_take(struct identity_reader *reader, struct identity *ret,
                          struct error *error) {
  struct findings *findings = &reader->findings;
  enum status status = reader->pattern[0] ? judge(reader, findings, error)
                                          : judge_jvm(findings, error);
  if (status == STATUS_OK || status == STATUS_NOT_STARTED) {
    findings->identity.is_known = status == STATUS_OK;
    *ret = findings->identity;
  }
  memset(findings, 0, sizeof *findings);
  return status;
}
