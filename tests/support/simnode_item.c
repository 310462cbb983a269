/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOT_STARTED "Broker is not started. It can not be managed yet"
#define NPE                                                                    \
  "Cannot invoke \\\"org.apache.activemq.artemis.core.server.Queue.isPaused()" \
  "\\\" because \\\"q\\\" is null"

static const char *member(struct json_object *object, const char *key) {
  struct json_object *value;

  if (!json_object_object_get_ex(object, key, &value) ||
      !json_object_is_type(value, json_type_string))
    return NULL;
  return json_object_get_string(value);
}

static bool option(struct json_object *operation, const char *key,
                   bool otherwise) {
  struct json_object *config, *value;

  if (!json_object_object_get_ex(operation, "config", &config) ||
      !json_object_object_get_ex(config, key, &value))
    return otherwise;
  return strcmp(json_object_get_string(value), "true") == 0;
}

/* Jolokia 1.x repeats every request; a list of one attribute as a string. */
static void add_echo(struct text *out, const struct broker *broker,
                     struct json_object *operation) {
  struct json_object *echo = NULL, *list;

  if (broker->is_jolokia2 && !option(operation, "includeRequest", true))
    return;
  if (json_object_deep_copy(operation, &echo, NULL) != 0)
    exit(1);
  json_object_object_del(echo, "config");
  if (json_object_object_get_ex(echo, "attribute", &list) &&
      json_object_is_type(list, json_type_array) &&
      json_object_array_length(list) == 1)
    json_object_object_add(echo, "attribute",
                           json_object_get(json_object_array_get_idx(list, 0)));
  text_addz(out, "\"request\":");
  text_addz(out,
            json_object_to_json_string_ext(
                echo, broker->slashes ? JSON_C_TO_STRING_PLAIN
                                      : JSON_C_TO_STRING_PLAIN |
                                            JSON_C_TO_STRING_NOSLASHESCAPE));
  text_addz(out, ",");
  json_object_put(echo);
}

void item_begin(struct text *out, const struct broker *broker,
                struct json_object *operation) {
  text_addz(out, "{");
  add_echo(out, broker, operation);
  text_addz(out, "\"value\":");
}

void item_end(struct text *out, const struct broker *broker) {
  if (!broker->is_jolokia2) {
    text_addz(out, ",\"timestamp\":");
    text_number(out, (int64_t)time(NULL));
  }
  text_addz(out, ",\"status\":200}");
}

void item_error(struct text *out, const struct broker *broker,
                struct json_object *operation, int status, const char *type,
                const char *message) {
  text_addz(out, "{");
  if (operation != NULL)
    add_echo(out, broker, operation);
  text_addz(out, "\"error_type\":");
  text_quote(out, type, false);
  text_addz(out, ",\"error\":\"");
  text_addz(out, type);
  text_addz(out, " : ");
  text_addz(out, message); /* escaped by the caller */
  text_addz(out, "\",\"status\":");
  text_number(out, status);
  text_addz(out, "}");
}

static void add_mbean(struct text *out, const struct broker *broker,
                      const struct node *node, const char *properties) {
  const char *comma = strrchr(properties, ',');

  text_addz(out, "\"");
  text_addz(out, broker->domain);
  text_addz(out, ":");
  if (node->hazards.on[H_KEY_ORDER] && node->tick % 2 == 1 && comma != NULL &&
      strcmp(comma, ",subcomponent=queues") == 0) {
    text_addz(out, comma + 1);
    text_addz(out, ",");
    text_add(out, properties, (size_t)(comma - properties));
  } else {
    text_addz(out, properties);
  }
  text_addz(out, "\"");
}

static bool key_is(const struct name *name, const char *key,
                   const char *value) {
  const char *has = name_get(name, key);

  return has != NULL && strcmp(has, value) == 0;
}

static bool of_broker(const struct broker *broker, const struct name *name) {
  const char *pattern = name_get(name, "broker");

  /* Of "DOMAIN:*" it knows the broker alone. */
  return strcmp(name->domain, broker->domain) == 0 &&
         (pattern != NULL ? name_match(pattern, broker->quoted) : name->n == 0);
}

static bool matches(const struct broker *broker, const struct name *name,
                    enum thing thing, size_t i) {
  const char *queue, *address, *routing;

  if (thing == THING_BROKER)
    return name->n <= 1;
  if (!key_is(name, "component", "addresses"))
    return false;
  address = name_get(name, "address");
  if (thing == THING_ADDRESS)
    return name->n == 3 && address != NULL &&
           name_match(address, broker->addresses[i].quoted);
  queue = name_get(name, "queue");
  routing = name_get(name, "routing-type");
  return name->n == 6 && key_is(name, "subcomponent", "queues") &&
         address != NULL && queue != NULL && routing != NULL &&
         name_match(routing, "\"anycast\"") &&
         name_match(queue, broker->queues[i].quoted) &&
         name_match(address, broker->queues[i].quoted_address);
}

static bool is_hidden(const struct broker *broker, const struct node *node,
                      enum thing thing, size_t i) {
  const char *name = thing == THING_QUEUE     ? broker->queues[i].name
                     : thing == THING_ADDRESS ? broker->addresses[i].name
                                              : "";

  return node->hazards.on[H_HIDE] &&
         strcmp(node->hazards.text[H_HIDE], name) == 0;
}

/* Whether object ${i} has the name, and an MBean. */
static bool has_name(const struct broker *broker, const struct node *node,
                     const struct name *name, enum thing thing, size_t i) {
  return matches(broker, name, thing, i) && !is_hidden(broker, node, thing, i);
}

/* The kind of object that a name means, by its keys; and how many there are. */
static enum thing thing_of(const struct broker *broker, const struct node *node,
                           const struct name *name, size_t *ret_n) {
  bool backup = node->hazards.on[H_BACKUP];

  if (name_get(name, "queue") != NULL) {
    *ret_n = backup ? 0 : broker->n_queues;
    return THING_QUEUE;
  }
  if (name_get(name, "address") != NULL) {
    *ret_n = backup ? 0 : broker->n_addresses;
    return THING_ADDRESS;
  }
  *ret_n = node->hazards.on[H_NO_BROKER] ? 0 : 1;
  return THING_BROKER;
}

static const char *mbean_of(const struct broker *broker, enum thing thing,
                            size_t i) {
  return thing == THING_QUEUE     ? broker->queues[i].mbean
         : thing == THING_ADDRESS ? broker->addresses[i].mbean
                                  : broker->mbean;
}

/* One attribute's value, or the fault that stands for it; false: nothing. */
static bool add_value(struct text *out, const struct broker *broker,
                      struct node *node, enum thing thing, size_t i,
                      const char *attribute) {
  const struct hazards *hazards = &node->hazards;

  if (hazards->on[H_FAULT] && strcmp(hazards->text[H_FAULT], attribute) == 0)
    text_addz(out, "\"ERROR: User not authorized to access attribute: x (class "
                   "java.lang.SecurityException)\"");
  else if (hazards->on[H_FAULT_OBJECT] &&
           strcmp(hazards->text[H_FAULT_OBJECT], attribute) == 0)
    text_addz(out, "{\".error\":true,\"error\":\"User not authorized to access "
                   "attribute: x\",\"error_type\":"
                   "\"java.lang.SecurityException\"}");
  else if (thing == THING_BROKER && hazards->on[H_NOT_STARTED] &&
           strcmp(attribute, "Started") == 0)
    text_addz(out, "false");
  else if (thing == THING_BROKER && hazards->on[H_NOT_STARTED] &&
           strcmp(attribute, "NodeID") == 0)
    text_addz(out, "null");
  else if (thing == THING_BROKER && hazards->on[H_NOT_STARTED])
    text_addz(out, "\"ERROR: java.lang.IllegalStateException: " NOT_STARTED
                   " (class javax.management.RuntimeMBeanException)\"");
  else
    return broker_value(out, broker, node, thing, i, attribute);
  return true;
}

/* The attributes as an object; in a pattern read what is missing is left out,
 * in a read of one object ignoreErrors puts a text in its place. */
static size_t add_object(struct text *out, const struct broker *broker,
                         struct node *node, enum thing thing, size_t i,
                         struct json_object *attributes, bool is_pattern) {
  size_t n = 0;

  text_addz(out, "{");
  if (thing == THING_QUEUE && i == 0 && node->hazards.on[H_LONG_ROW]) {
    text_addz(out, "\"Description\":\"");
    for (int64_t k = 0; k < node->hazards.value[H_LONG_ROW]; k++)
      text_add(out, "x", 1);
    text_addz(out, "\"");
    n++;
  }
  for (size_t a = 0; a < json_object_array_length(attributes); a++) {
    const char *name =
        json_object_get_string(json_object_array_get_idx(attributes, a));
    size_t before = out->len;

    if (n > 0)
      text_addz(out, ",");
    text_quote(out, name, broker->slashes);
    text_addz(out, ":");
    if (add_value(out, broker, node, thing, i, name)) {
      n++;
    } else if (is_pattern) {
      out->len = before;
    } else {
      text_addz(out, "\"ERROR: No such attribute: ");
      text_json(out, name, strlen(name), broker->slashes);
      text_addz(out, " (class javax.management.AttributeNotFoundException)\"");
      n++;
    }
  }
  text_addz(out, "}");
  return n;
}

static void read_pattern(struct text *out, const struct broker *broker,
                         struct node *node, struct json_object *operation,
                         const struct name *name,
                         struct json_object *attributes) {
  size_t start = out->len, n, matched = 0, shown = 0;
  enum thing thing = thing_of(broker, node, name, &n);

  item_begin(out, broker, operation);
  text_addz(out, "{");
  if (node->hazards.on[H_FOREIGN_ROW] && n > 0) {
    text_addz(out, "\"java.lang:type=Surprise\":{\"MessageCount\":9}");
    shown++;
  }
  for (size_t i = 0; i < n; i++) {
    size_t before = out->len;

    if (!has_name(broker, node, name, thing, i))
      continue;
    matched++;
    if (shown > 0)
      text_addz(out, ",");
    add_mbean(out, broker, node, mbean_of(broker, thing, i));
    text_addz(out, ":");
    if (add_object(out, broker, node, thing, i, attributes, true) > 0)
      shown++;
    else
      out->len = before;
  }
  text_addz(out, "}");
  item_end(out, broker);
  if (shown > 0)
    return;
  out->len = start;
  if (matched > 0)
    item_error(out, broker, operation, 400,
               "java.lang.IllegalArgumentException",
               "No matching attributes found on MBeans");
  else
    item_error(out, broker, operation, 404,
               "javax.management.InstanceNotFoundException",
               "No MBean with pattern found for reading attributes");
}

static void not_found(struct text *out, const struct broker *broker,
                      struct json_object *operation) {
  struct text message = {0};
  const char *mbean = member(operation, "mbean");

  text_json(&message, mbean, strlen(mbean), broker->slashes);
  item_error(out, broker, operation, 404,
             "javax.management.InstanceNotFoundException", message.bytes);
  text_free(&message);
}

static void read_one(struct text *out, const struct broker *broker,
                     struct node *node, struct json_object *operation,
                     const struct name *name, struct json_object *attributes,
                     bool is_list) {
  size_t start = out->len, n, i;
  enum thing thing = thing_of(broker, node, name, &n);
  const char *first;

  for (i = 0; i < n && !has_name(broker, node, name, thing, i); i++)
    ;
  if (i >= n) {
    not_found(out, broker, operation);
    return;
  }
  item_begin(out, broker, operation);
  if (is_list && option(operation, "ignoreErrors", false)) {
    add_object(out, broker, node, thing, i, attributes, false);
    item_end(out, broker);
    return;
  }
  if (thing == THING_BROKER && node->hazards.on[H_NOT_STARTED]) {
    out->len = start;
    item_error(out, broker, operation, 500, "java.lang.IllegalStateException",
               NOT_STARTED);
    return;
  }
  if (is_list) {
    if (add_object(out, broker, node, thing, i, attributes, true) ==
        json_object_array_length(attributes)) {
      item_end(out, broker);
      return;
    }
  } else {
    first = json_object_get_string(json_object_array_get_idx(attributes, 0));
    if (add_value(out, broker, node, thing, i, first)) {
      item_end(out, broker);
      return;
    }
  }
  out->len = start;
  item_error(out, broker, operation, 404,
             "javax.management.AttributeNotFoundException",
             "No such attribute");
}

static void do_read(struct text *out, const struct broker *broker,
                    struct node *node, struct json_object *operation,
                    const struct name *name) {
  struct json_object *attribute = NULL, *list;

  json_object_object_get_ex(operation, "attribute", &attribute);
  if (attribute == NULL) {
    item_error(out, broker, operation, 400,
               "java.lang.IllegalArgumentException",
               "this stand-in reads named attributes only");
    return;
  }
  if (!of_broker(broker, name)) {
    not_found(out, broker, operation);
    return;
  }
  if (json_object_is_type(attribute, json_type_array)) {
    list = json_object_get(attribute);
  } else {
    list = json_object_new_array();
    json_object_array_add(list, json_object_get(attribute));
  }
  if (name->is_pattern)
    read_pattern(out, broker, node, operation, name, list);
  else
    read_one(out, broker, node, operation, name, list, list == attribute);
  json_object_put(list);
}

static void do_search(struct text *out, const struct broker *broker,
                      struct node *node, struct json_object *operation,
                      const struct name *name) {
  size_t n, shown = 0;
  enum thing thing = thing_of(broker, node, name, &n);

  item_begin(out, broker, operation);
  text_addz(out, "[");
  for (size_t i = 0; of_broker(broker, name) && i < n; i++) {
    if (!has_name(broker, node, name, thing, i))
      continue;
    if (shown++ > 0)
      text_addz(out, ",");
    add_mbean(out, broker, node, mbean_of(broker, thing, i));
  }
  if (thing == THING_BROKER && node->hazards.on[H_TWO_BROKERS] && shown > 0) {
    text_addz(out, ",\"");
    text_addz(out, broker->domain);
    text_addz(out, ":broker=\\\"other\\\"\"");
  }
  text_addz(out, "]");
  item_end(out, broker);
}

/* Some of what a broker, address or queue has; the path tells which it is. */
static void do_list(struct text *out, const struct broker *broker,
                    struct node *node, struct json_object *operation) {
  static const char *const names[] = {"AddressSize",   "ConnectionCount",
                                      "ConsumerCount", "MessageCount",
                                      "MessagesAdded", "Version"};
  const char *path = member(operation, "path");
  enum thing thing = strstr(path, "queue=") != NULL     ? THING_QUEUE
                     : strstr(path, "address=") != NULL ? THING_ADDRESS
                                                        : THING_BROKER;
  struct text value = {0};
  size_t n = 0;

  item_begin(out, broker, operation);
  text_addz(out, "{");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (broker_value(&value, broker, node, thing, 0, names[i])) {
      text_addz(out, n++ > 0 ? "," : "");
      text_quote(out, names[i], broker->slashes);
      text_addz(out, ":{\"rw\":false,\"type\":\"long\",\"desc\":\"\"}");
    }
  text_addz(out, "}");
  text_free(&value);
  item_end(out, broker);
}

static void do_listing(struct text *out, const struct broker *broker,
                       struct node *node, struct json_object *operation) {
  const struct hazards *hazards = &node->hazards;

  node->listings++;
  if (hazards->on[H_NPE_LISTING] && hazards->value[H_NPE_LISTING] > 0 &&
      node->listings % (uint64_t)hazards->value[H_NPE_LISTING] == 0) {
    item_error(out, broker, operation, 500, "java.lang.NullPointerException",
               NPE);
    return;
  }
  item_begin(out, broker, operation);
  text_addz(out, "\"");
  broker_listing(out, broker, node);
  text_addz(out, "\"");
  item_end(out, broker);
}

/* On one queue: its messages; false: no such exec. */
static bool do_queue(struct text *out, const struct broker *broker,
                     struct node *node, struct json_object *operation,
                     const struct name *name) {
  size_t n, i;
  enum thing thing = thing_of(broker, node, name, &n);
  const char *called = member(operation, "operation");

  if (thing != THING_QUEUE || name->is_pattern || !of_broker(broker, name))
    return false;
  for (i = 0; i < n && !matches(broker, name, thing, i); i++)
    ;
  if (i == n)
    return false;
  if (messages_exec(out, broker, node, operation, i, called))
    return true;
  if (strcmp(called, "removeMessage(long)") != 0)
    return false;
  item_begin(out, broker, operation);
  text_addz(out, "true");
  item_end(out, broker);
  return true;
}

/* "@FILE": what stands there now. */
static void do_topology(struct text *out, const struct broker *broker,
                        struct json_object *operation) {
  char text[65536] = "[]";
  FILE *file = NULL;

  if (broker->topology[0] == '@')
    file = fopen(broker->topology + 1, "r");
  if (file != NULL) {
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
  }
  item_begin(out, broker, operation);
  text_quote(out, broker->topology[0] == '@' ? text : broker->topology,
             broker->slashes);
  item_end(out, broker);
}

/* Of the console's security MBean: by the beginning of the operation's name, as
 * its roles go. */
static void do_can_invoke(struct text *out, const struct broker *broker,
                          struct node *node, struct json_object *operation) {
  struct json_object *arguments;
  const char *called = "";

  if (json_object_object_get_ex(operation, "arguments", &arguments) &&
      json_object_array_length(arguments) == 2)
    called = json_object_get_string(json_object_array_get_idx(arguments, 1));
  item_begin(out, broker, operation);
  text_addz(out, node->hazards.on[H_VIEWER] && strncmp(called, "list", 4) != 0
                     ? "false"
                     : "true");
  item_end(out, broker);
}

/* As --set ADDRESS.settings=JSON says; else it pages without a limit. */
static void do_settings(struct text *out, const struct broker *broker,
                        struct json_object *operation) {
  const char *json =
      "{\"addressFullMessagePolicy\":\"PAGE\",\"maxSizeBytes\":-1}";
  struct json_object *arguments;
  const char *address;

  json_object_object_get_ex(operation, "arguments", &arguments);
  address = json_object_get_string(json_object_array_get_idx(arguments, 0));
  for (size_t i = 0; i < broker->n_presets; i++)
    if (strcmp(broker->presets[i].attribute, "settings") == 0 &&
        strcmp(broker->presets[i].object, address) == 0)
      json = broker->presets[i].json;
  item_begin(out, broker, operation);
  text_quote(out, json, broker->slashes);
  item_end(out, broker);
}

static void do_exec(struct text *out, const struct broker *broker,
                    struct node *node, struct json_object *operation,
                    const struct name *name) {
  const char *called = member(operation, "operation");
  size_t n;

  if (called == NULL)
    called = "";
  if (node->hazards.on[H_DENIED_EXEC])
    item_error(out, broker, operation, 403, "java.lang.Exception",
               broker->version_number < 2028
                   ? "Insufficient roles\\/credentials for operation"
                   : "User not authorized to access operation: listQueues");
  else if (strcmp(called, "canInvoke(java.lang.String,java.lang.String)") == 0)
    do_can_invoke(out, broker, node, operation);
  else if (called[0] != '\0' && do_queue(out, broker, node, operation, name))
    return;
  else if (name->is_pattern || !of_broker(broker, name) ||
           thing_of(broker, node, name, &n) != THING_BROKER || n == 0)
    not_found(out, broker, operation);
  else if (node->hazards.on[H_NOT_STARTED])
    item_error(out, broker, operation, 500, "java.lang.IllegalStateException",
               NOT_STARTED);
  else if (strcmp(called, "listQueues(java.lang.String,int,int)") == 0)
    do_listing(out, broker, node, operation);
  else if (strcmp(called, "listAddresses(java.lang.String,int,int)") == 0) {
    item_begin(out, broker, operation);
    text_addz(out, "\"");
    broker_addresses(out, broker, node);
    text_addz(out, "\"");
    item_end(out, broker);
  } else if (strcmp(called, "getAddressSettingsAsJSON(java.lang.String)") ==
             0) {
    do_settings(out, broker, operation);
  } else if (strcmp(called, "listNetworkTopology()") == 0 ||
             strcmp(called, "listNetworkTopology") == 0) {
    do_topology(out, broker, operation);
  } else {
    item_error(out, broker, operation, 400,
               "java.lang.IllegalArgumentException",
               "No operation of that name found on MBean");
  }
}

static void do_version(struct text *out, const struct broker *broker,
                       struct json_object *operation) {
  item_begin(out, broker, operation);
  text_addz(out, "{\"agent\":\"");
  text_addz(out, broker->is_jolokia2             ? "2.1.1"
                 : broker->version_number < 2019 ? "1.6.2"
                                                 : "1.7.0");
  text_addz(out, broker->is_jolokia2 ? "\",\"protocol\":\"8.0\""
                                     : "\",\"protocol\":\"7.2\"");
  text_addz(out, ",\"config\":{\"agentId\":\"127.0.0.1-1-simnode-servlet\","
                 "\"agentType\":\"servlet\"},\"info\":{\"product\":\"jetty\","
                 "\"vendor\":\"Eclipse\"}}");
  item_end(out, broker);
}

void item_build(struct text *out, const struct broker *broker,
                struct node *node, struct json_object *operation) {
  const char *type = member(operation, "type");
  struct name name;

  if (node->hazards.on[H_POLICY] &&
      strcmp(node->hazards.text[H_POLICY], type) == 0) {
    item_error(out, broker, operation, 403, "java.lang.Exception",
               strcmp(type, "read") == 0
                   ? "Reading attribute Active is forbidden for MBean x"
                   : "Command type is not allowed due to policy used");
    return;
  }
  if (strcmp(type, "version") == 0) {
    do_version(out, broker, operation);
    return;
  }
  if (strcmp(type, "list") == 0) {
    do_list(out, broker, node, operation);
    return;
  }
  name_parse(&name, member(operation, "mbean"));
  if (strcmp(type, "search") == 0)
    do_search(out, broker, node, operation, &name);
  else if (strcmp(type, "exec") == 0)
    do_exec(out, broker, node, operation, &name);
  else if (strcmp(type, "write") == 0)
    item_error(out, broker, operation, 404,
               "javax.management.AttributeNotFoundException",
               "No such writable attribute");
  else
    do_read(out, broker, node, operation, &name);
  name_free(&name);
}
