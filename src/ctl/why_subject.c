/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/why.h"

#include "jolokia/objectname.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(struct why_answer *answer, const char *text) {
  why_answer_set(answer, WHY_NO_SERIES,
                 "write HOST/artemis-queue-NAME/gauge-MessageCount, a part of "
                 "that, or an object name or a pattern of them",
                 "%.200s is no series of a broker, an address, a queue or an "
                 "MBean, and no object name",
                 text);
  return false;
}

static enum object object_of(const struct names_part *instance) {
  if (instance->text[0] == 'q')
    return OBJECT_QUEUE;
  return instance->text[0] == 'a' ? OBJECT_ADDRESS : OBJECT_BROKER;
}

static bool find_attribute(struct why_subject *subject,
                           const struct names_part *name,
                           struct why_answer *answer) {
  static const char *const usual[] = {[OBJECT_BROKER] = "Active",
                                      [OBJECT_ADDRESS] = "AddressSize",
                                      [OBJECT_QUEUE] = "MessageCount"};
  const struct attribute *nearest;
  const char *text = name->len ? name->text : usual[subject->object];
  size_t len = name->len ? name->len : strlen(text);
  subject->attribute = why_attribute(subject->object, text, len, &nearest);
  if (!subject->attribute) {
    why_answer_set(answer, WHY_NO_ATTRIBUTE,
                   "collectd-jolokia(5) lists the attributes that are read; an "
                   "<MBean> block reads any other",
                   "of a %s no attribute %.*s is read%s%s",
                   object_name(subject->object), (int)(len < 128 ? len : 128),
                   text, nearest ? "; near to it is " : "",
                   nearest ? nearest->name : "");
    return false;
  }
  const char *type = subject->attribute->type;
  /* types.db of collectd 5.8 has no bool. */
  bool is_gauge =
      strcmp(type, "bool") == 0 && strcmp(subject->type, "gauge") == 0;
  if (!subject->type[0] || strcmp(subject->type, type) == 0 || is_gauge)
    return true;
  why_answer_set(answer, WHY_OTHER_TYPE, "look for that series",
                 "its type is %s: the series is %s-%s", type, type,
                 subject->attribute->name);
  return false;
}

/* A part of a series that is shorter than ${size}, with a 0 behind it. */
static bool take(const struct names_part *part, char *dst, size_t size) {
  if (part->len >= size)
    return false;
  memcpy(dst, part->text, part->len);
  dst[part->len] = '\0';
  return true;
}

static bool read_series(const struct names_series *series,
                        struct why_subject *ret, struct why_answer *answer) {
  *ret = (struct why_subject){.host = series->host, .value = ""};
  if (!take(&series->instance, ret->instance, sizeof(ret->instance)) ||
      !take(&series->type, ret->type, sizeof(ret->type)) ||
      !take(&series->plugin, ret->plugin, sizeof(ret->plugin)))
    return refuse(answer, "a name of more than 127 bytes");
  ret->object =
      series->plugin.len > 0 ? OBJECT_MBEAN : object_of(&series->instance);
  if (series->attribute.len > 0)
    ret->value = series->attribute.text; /* the last part */
  return ret->object == OBJECT_MBEAN ||
         find_attribute(ret, &series->attribute, answer);
}

/* The length of an object name that /ATTRIBUTE may follow. */
static size_t object_name_length(const char *text) {
  bool is_quoted = false;
  size_t i = 0;
  for (; text[i] && (is_quoted || text[i] != '/'); i++)
    if (is_quoted && text[i] == '\\' && text[i + 1])
      i++;
    else if (text[i] == '"')
      is_quoted = !is_quoted;
  return i;
}

/* The property that names the object; NULL: it is none of ours. */
static const struct objectname_property *
naming_property(const struct objectname *name, enum object *ret) {
  *ret = objectname_get(name, "queue")     ? OBJECT_QUEUE
         : objectname_get(name, "address") ? OBJECT_ADDRESS
                                           : OBJECT_BROKER;
  if (*ret == OBJECT_BROKER && name->n_properties > 1)
    return NULL;
  return objectname_get(name, object_name(*ret));
}

/* An object name: of ours, or of any other MBean. */
static bool read_object(const char *text, struct why_subject *ret,
                        struct why_answer *answer) {
  size_t len = object_name_length(text);
  const char *rest = text[len] ? text + len + 1 : "";
  const struct names_part attribute = {rest, strlen(rest)};
  struct objectname name;
  struct error error;
  enum object object;
  if (objectname_parse(text, len, &name, &error))
    return refuse(answer, text);
  const struct objectname_property *property = naming_property(&name, &object);
  *ret = (struct why_subject){
      .object = object, .value = rest, .is_pattern = name.is_pattern};
  if (!property || name.is_pattern) {
    ret->object = OBJECT_MBEAN;
    ret->name = strndup(text, len);
    return ret->name || refuse(answer, text);
  }
  ret->name = malloc(len + 1);
  if (!ret->name ||
      objectname_unquote(property, ret->name, len + 1, &ret->name_len))
    return refuse(answer, text);
  if (object == OBJECT_BROKER)
    memcpy(ret->instance, "broker", sizeof("broker"));
  return find_attribute(ret, &attribute, answer);
}

bool why_subject_read(const char *text, struct why_subject *ret,
                      struct why_answer *answer) {
  struct names_series series;
  *ret = (struct why_subject){.name = NULL};
  return names_series(text, &series) ? read_series(&series, ret, answer)
                                     : read_object(text, ret, answer);
}

void why_subject_fini(struct why_subject *subject) { free(subject->name); }
